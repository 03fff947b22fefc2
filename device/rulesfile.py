"""House rules from a preset's name or a TOML file."""

from __future__ import annotations

import errno
import tomllib
from pathlib import Path

from device.errors import Fault, Refused
from device.permission import not_allowed
from device.tomlfault import explain
from rules.bobing.errors import RulesError
from rules.bobing.houserules import (
    BOOLEANS,
    CHOICES,
    CLOSING_WORDS,
    DUITANG_PATTERNS,
    PRESETS,
    SWITCHES,
    HouseRules,
    house_rules,
)

MAX_FILE = 16_000
"""Characters; a rules file has some forty short lines."""


def load_rules(spec: str) -> HouseRules:
    """The rules that a preset's name or a file's path stands for; raises Refused or Fault, one line each."""
    return rules_and_names(spec)[0]


def rules_and_names(spec: str) -> tuple[HouseRules, tuple[str, ...]]:
    """The same rules, with the names that the file sets, `preset` among them; for a preset its own name is set."""
    if spec in PRESETS:
        return PRESETS[spec], ("preset",)
    path = Path(spec)
    try:
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "it is no file")
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as fault:
        raise Refused(
            "rules_missing", f"{spec}: neither a preset ({', '.join(PRESETS)}) nor a file", f"没有规则 {spec}"
        ) from fault
    except UnicodeDecodeError as fault:
        number = fault.object[: fault.start].count(b"\n") + 1
        raise Refused("rules_wrong", f"{spec}: line {number}: not UTF-8 text: save it as UTF-8", f"{spec} 第 {number} 行不是 UTF-8") from fault
    except PermissionError as fault:
        raise not_allowed(spec, "read") from fault
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else str(fault)
        raise Fault("rules_unreadable", f"{spec}: can't be read ({reason})", f"读不了 {spec}") from fault
    if len(text) > MAX_FILE:
        raise Refused("rules_wrong", f"{spec}: too long for house rules ({len(text)} characters)", f"{spec} 太长")
    try:
        given = tomllib.loads(text)
        return house_rules(given, spec), tuple(given)
    except RecursionError as fault:
        raise Refused("rules_wrong", f"{spec}: nested too deeply for house rules", f"{spec} 嵌套太深") from fault
    except ValueError as fault:
        if isinstance(fault, RulesError):
            raise Refused("rules_wrong", str(fault), f"规则有误：{fault}") from fault
        why, name = explain(text, fault)
        may = f"; allowed for {name}: {allowed(name)}" if name == "preset" or name in SWITCHES else ""
        raise Refused("rules_wrong", f"{spec}: not TOML: {why}{may}", f"{spec} 不是 TOML：{why}") from fault


def allowed(name: str) -> str:
    """What a switch may be set to, in words; raises KeyError where there is no such switch."""
    if name in BOOLEANS:
        return "true, false"
    if name in CHOICES:
        return ", ".join(CHOICES[name])
    return {
        "preset": ", ".join(PRESETS),
        "closing": CLOSING_WORDS.replace('"', ""),
        "duitang_patterns": "list of " + ", ".join(DUITANG_PATTERNS),
        "chajinhua_duitang": "0, 1, 2",
        "stock": "six whole numbers",
        "sets": "1 to 20",
        "ladder": "list of kinds, low to high, with liubohong",
        "chase_tiers": "list of tiers",
        "liubohei_faces": "list of faces",
    }[name]

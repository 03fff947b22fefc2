"""House rules: every switch of bobing-rules.md section 5, its presets, and the reading of a rules file.

A rules file is flat TOML: an optional `preset`, then switches; what is not named takes the preset's value.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from .errors import RulesError
from .names import CHAMPION_KINDS, LOWER, TIERS

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "liubohong": ("everything", "remaining", "share_rest", "champion", "nothing"),
    "liubohei": ("grab", "share", "champion", "nothing"),
    "own_rolls": ("last", "best"),
    "sold_out": ("nothing", "chase"),
    "no_champion": ("play_on", "sum"),
    "jump": ("void_and_skip", "void", "rethrow", "off"),
    "titles": ("A", "D"),
    "wuzi_compare": ("carry", "face"),
    "liubohei_compare": ("equal", "face"),
    "direction": ("counter-clockwise", "clockwise"),
    "count_direction": ("counter-clockwise", "clockwise"),
    "start": ("two_dice", "first", "random", "chosen"),
}
DUITANG_PATTERNS: Final = ("straight", "three_pairs_run", "three_pairs", "two_triples")
BOOLEANS: Final = (
    "sijin_bundle",
    "wuzi_four_yixiu",
    "chajinhua_protected",
    "lugu_keeps_duitang",
    "biandijin",
    "six_ends",
    "chajinhua_takes_won",
)
LOWER_TIERS: Final = tuple(TIERS[t] for t in LOWER)
CLOSING_WORDS: Final = '"all_out", "lap", "throws:N" (N from 1 to 1000) or "clock:MIN" (1 to 1440 minutes)'
MAX_STOCK: Final = 9999
MAX_SETS: Final = 20
MOST_TOLD: Final = 60
"""Characters of a wrong value that are told."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The rules that this table chose; the defaults are the preset `xiamen` (text A)."""

    preset: str = "xiamen"
    ladder: tuple[str, ...] = ("sihong", "wuzi", "wuhong", "chajinhua", "liubohong")
    sijin_bundle: bool = True
    wuzi_four_yixiu: bool = False
    duitang_patterns: tuple[str, ...] = ("straight",)
    chajinhua_duitang: int = 2
    chajinhua_protected: bool = False
    lugu_keeps_duitang: bool = True
    liubohong: str = "everything"
    liubohei: str = "grab"
    biandijin: bool = False
    six_ends: bool = True
    own_rolls: str = "last"
    sold_out: str = "nothing"
    chase_tiers: tuple[str, ...] = LOWER_TIERS
    liubohei_faces: tuple[int, ...] = (1, 2, 3, 5, 6)
    chajinhua_takes_won: bool = False
    closing: str = "all_out"
    no_champion: str = "play_on"
    jump: str = "void_and_skip"
    titles: str = "A"
    stock: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    sets: int = 1
    wuzi_compare: str = "carry"
    liubohei_compare: str = "equal"
    direction: str = "counter-clockwise"
    count_direction: str = "counter-clockwise"
    start: str = "two_dice"

    @property
    def closing_kind(self) -> str:
        """`all_out`, `lap`, `throws` or `clock`."""
        return self.closing.partition(":")[0]

    @property
    def closing_number(self) -> int:
        """N of `throws:N`, minutes of `clock:MIN`, else 0."""
        return int(self.closing.partition(":")[2] or 0)

    @property
    def cakes(self) -> tuple[int, ...]:
        """The full stock of all sets, six numbers from the champion cake down."""
        return tuple(n * self.sets for n in self.stock)

    def switches(self) -> dict[str, Any]:
        """Every switch with its value, as JSON or TOML would hold it (lists for tuples), without `preset`."""
        out: dict[str, Any] = {}
        for name in SWITCHES:
            value = getattr(self, name)
            out[name] = list(value) if isinstance(value, tuple) else value
        return out

    def as_object(self) -> dict[str, Any]:
        """Preset and every switch: what `house_rules` reads back to an equal value."""
        return {"preset": self.preset, **self.switches()}


SWITCHES: Final = tuple(f.name for f in fields(HouseRules) if f.name != "preset")

_XIAMEN: Final = HouseRules()
_CHASE: Final = replace(
    _XIAMEN, preset="chase", sijin_bundle=False, own_rolls="best", sold_out="chase", jump="rethrow", titles="D"
)
PRESETS: Final[dict[str, HouseRules]] = {
    "xiamen": _XIAMEN,
    "short": replace(_XIAMEN, preset="short", sijin_bundle=False, own_rolls="best", jump="rethrow"),
    "contest": replace(
        _XIAMEN,
        preset="contest",
        ladder=("sihong", "wuzi", "wuhong", "chajinhua", "liubohei", "liubohong"),
        chajinhua_protected=True,
        liubohong="remaining",
        liubohei="share",
    ),
    "chase": _CHASE,
    "fifteen": replace(
        _CHASE,
        preset="fifteen",
        ladder=("sihong", "wuzi", "wuhong", "liubohei", "biandijin", "liubohong", "chajinhua"),
        sijin_bundle=True,
        wuzi_four_yixiu=True,
        chajinhua_protected=True,
        biandijin=True,
        liubohei_faces=(2, 3, 5, 6),
    ),
    "company": replace(
        _XIAMEN,
        preset="company",
        ladder=("sihong", "wuzi", "wuhong", "chajinhua", "liubohei", "liubohong"),
        liubohong="champion",
        liubohei="champion",
        six_ends=False,
        jump="void",
        closing="throws:6",
        no_champion="sum",
    ),
}


def _quoted(values: Sequence[str]) -> str:
    return ", ".join(f'"{v}"' for v in values)


def _told(value: Any) -> str:
    """A value as a rules file writes it (TOML and JSON write these alike), cut where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD]}…"


def _twice(values: Sequence[Any]) -> Any:
    """The first that stands in the list a second time."""
    return next(value for n, value in enumerate(values) if value in values[:n])


def _meant(key: str) -> str:
    """The switch that may have been mistyped, as a question; "" where none is near."""
    near = difflib.get_close_matches(key[:MOST_TOLD], ("preset", *SWITCHES), 1)
    return f" (is {near[0]} meant?)" if near else ""


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class _Reader:
    """Checks one switch after another; every fault is one line with place, key and the allowed values."""

    def __init__(self, where: str) -> None:
        self.where = where

    def fault(self, key: str, problem: str, allowed: str) -> RulesError:
        return RulesError(f"{self.where}: {key}: {problem}; allowed: {allowed}")

    def one_of(self, key: str, value: Any, allowed: Sequence[str]) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise self.fault(key, f"{_told(value)} is not a value of this switch", _quoted(allowed))
        return value

    def several(self, key: str, value: Any, allowed: Sequence[str]) -> tuple[str, ...]:
        words = f"a list without repeats of {_quoted(allowed)}"
        if not isinstance(value, list | tuple):
            raise self.fault(key, f"{_told(value)} is not a list", words)
        for item in value:
            if not isinstance(item, str) or item not in allowed:
                raise self.fault(key, f"{_told(item)} can't be in this list", words)
        if len(set(value)) != len(value):
            raise self.fault(key, f"{_told(_twice(value))} stands in it twice", words)
        return tuple(value)

    def ladder(self, value: Any) -> tuple[str, ...]:
        ladder = self.several("ladder", value, CHAMPION_KINDS)
        if "liubohong" not in ladder:
            raise self.fault(
                "ladder", '"liubohong" must stand on it', f'a list of {_quoted(CHAMPION_KINDS)} that holds "liubohong"'
            )
        return ladder

    def patterns(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            return (self.one_of("duitang_patterns", value, DUITANG_PATTERNS),)
        patterns = self.several("duitang_patterns", value, DUITANG_PATTERNS)
        if not patterns:
            raise self.fault("duitang_patterns", "it names no pattern", f"one or more of {_quoted(DUITANG_PATTERNS)}")
        return patterns

    def closing(self, value: Any) -> str:
        if isinstance(value, str):
            kind, _, number = value.partition(":")
            limit = {"throws": 1000, "clock": 1440}.get(kind)
            if limit and len(number) <= 4 and number.isascii() and number.isdigit() and 1 <= int(number) <= limit:
                return f"{kind}:{int(number)}"
            if value in ("all_out", "lap"):
                return value
        raise self.fault("closing", f"{_told(value)} is not a closing rule", CLOSING_WORDS)

    def stock(self, value: Any) -> tuple[int, ...]:
        words = f"six whole numbers from {TIERS[0]} to {TIERS[-1]}, 0 to {MAX_STOCK}, the first at least 1, not all others 0"
        ok = isinstance(value, list | tuple) and len(value) == len(TIERS)
        if not ok or not all(_whole(n) and 0 <= n <= MAX_STOCK for n in value) or value[0] < 1 or not any(value[1:]):
            raise self.fault("stock", f"{_told(value)} is no stock", words)
        return tuple(value)

    def number(self, key: str, value: Any, low: int, high: int) -> int:
        if not _whole(value) or not low <= value <= high:
            raise self.fault(key, f"{_told(value)} does not fit", f"a whole number from {low} to {high}")
        return int(value)

    def faces(self, value: Any) -> tuple[int, ...]:
        words = "a list without repeats of 1, 2, 3, 5, 6"
        if not isinstance(value, list | tuple) or not all(_whole(n) and n in (1, 2, 3, 5, 6) for n in value):
            raise self.fault("liubohei_faces", f"{_told(value)} is no list of faces", words)
        if len(set(value)) != len(value):
            raise self.fault("liubohei_faces", f"{_told(_twice(value))} stands in it twice", words)
        return tuple(value)

    def switch(self, key: str, value: Any) -> Any:
        if key in CHOICES:
            return self.one_of(key, value, CHOICES[key])
        if key in BOOLEANS:
            if not isinstance(value, bool):
                raise self.fault(key, f"{_told(value)} is neither true nor false", "true, false")
            return value
        if key == "chase_tiers":
            return self.several(key, value, LOWER_TIERS)
        if key == "chajinhua_duitang":
            return self.number(key, value, 0, 2)
        if key == "sets":
            return self.number(key, value, 1, MAX_SETS)
        return {
            "ladder": self.ladder,
            "duitang_patterns": self.patterns,
            "closing": self.closing,
            "stock": self.stock,
            "liubohei_faces": self.faces,
        }[key](value)


def house_rules(given: str | Mapping[str, Any], where: str = "rules") -> HouseRules:
    """House rules from a preset's name or an object of switches (with an optional `preset`).

    where: what a fault is blamed on (a file's name, say). Raises RulesError, one line.
    """
    reader = _Reader(where)
    if isinstance(given, str):
        return PRESETS[reader.one_of("preset", given, tuple(PRESETS))]
    if not isinstance(given, Mapping):
        raise RulesError(
            f"{where}: neither a preset's name nor an object of switches; allowed: {_quoted(tuple(PRESETS))}"
        )
    base = PRESETS[reader.one_of("preset", given.get("preset", "xiamen"), tuple(PRESETS))]
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key == "preset":
            continue
        if key not in SWITCHES:
            raise reader.fault(str(key)[:MOST_TOLD], f"there is no such switch{_meant(str(key))}", f"preset, {', '.join(SWITCHES)}")
        values[key] = reader.switch(key, value)
    rules = replace(base, **values)
    if not _champions_possible(rules):
        raise reader.fault(
            "ladder", "no throw on it can win the champion cake", 'with "sihong", "wuzi", "wuhong" or "chajinhua" on it'
        )
    return rules


def _champions_possible(rules: HouseRules) -> bool:
    """Whether some throw can win the champion cake; without one a game would never end."""
    wins = {
        "liubohong": rules.liubohong != "nothing",
        "liubohei": rules.liubohei not in ("nothing", "grab") or len(rules.liubohei_faces) < 5,
        "biandijin": rules.biandijin,
    }
    return any(wins.get(kind, True) for kind in rules.ladder)


def warnings(rules: HouseRules) -> list[str]:
    """Switches that are set but can have no effect together: one plain line each, worth a look, not refused."""
    lines = []
    if rules.liubohei == "champion" and "liubohei" not in rules.ladder:
        lines.append(
            'liubohei = "champion" ranks nothing, since "liubohei" is not on the ladder: put it there, or choose another value'
        )
    if rules.sold_out == "chase" and not rules.chase_tiers:
        lines.append('sold_out = "chase" chases nothing, since chase_tiers is empty: name the tiers')
    if rules.biandijin and 1 in rules.liubohei_faces and rules.liubohei in ("grab", "share"):
        lines.append("liubohei_faces names 1, but six ones are 遍地锦 here (biandijin = true)")
    for kind in ("sihong", "wuzi", "wuhong", "chajinhua"):
        if kind not in rules.ladder:
            lines.append(f'"{kind}" is not on the ladder, so it wins no champion cake')
    return lines

"""What a table is set to: one TOML file, each key with its default and what it may be."""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path, user_data_path

from device.errors import Fault, Refused
from device.files import write_whole
from device.tomlfault import explain
from rules.bobing.houserules import PRESETS

FILE_NAME = "bobing.toml"
MAX_FILE = 16_000
ROLES = ("confirm", "undo", "next", "jump", "rethrow", "free")
CALLS = ("operator", "pairing", "free")
"""What holding A for two seconds, or A and B together, can mean."""
FILES = ("rules", "calibration", "dice", "certificate", "key")
"""Settings that name files; a preset's name among the rules is none."""


class ConfigError(Refused):
    """The configuration file says something that it can't; the line names file, key and what is allowed."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where a table keeps its things: the journal and stills in `data`, its settings in the file `config`."""

    data: Path
    config: Path


def places(data: Path | None) -> Places:
    """The folders of this operating system, or everything in `data` where a folder was named."""
    if data is not None:
        return Places(data, data / FILE_NAME)
    return Places(user_data_path("bobing", False), user_config_path("bobing", False) / FILE_NAME)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    if any(unicodedata.category(sign) in ("Cc", "Cs") for sign in value):  # control characters, halves of characters
        raise ValueError
    return value


def _file(value: object) -> str:
    path = Path(_text(value))
    if path.is_absolute() and _no_file(path):
        raise ValueError
    return str(value)


def _no_file(place: Path) -> bool:
    """Whether a pipe, a device or a folder is there, which would be read without end or not at all."""
    try:
        return place.exists() and not place.is_file()
    except OSError:  # a name that no disk could bear
        return False


def _source(value: object) -> str:
    return str(value) if type(value) is int and value >= 0 else _text(value)


def _port(value: object) -> int:
    if type(value) is not int or not 0 <= value <= 65535:
        raise ValueError
    return value


def _box_id(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[0-9A-F]{4}", value) or value == "FFFF":
        raise ValueError
    return value


def _yes_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _mains(value: object) -> int:
    if type(value) is not int or value not in (0, 50, 60):
        raise ValueError
    return value


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError
    names = tuple(_text(name) for name in value)
    if len(set(names)) < len(names):
        raise ValueError
    return names


def _one_of(choices: tuple[str, ...]) -> Callable[[object], str]:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError
        return value
    return check


def _key(where: str, default: Any, check: Callable[[object], Any], allowed: str) -> Any:
    section, name = where.split(".")
    return field(default=default, metadata={"section": section, "name": name, "check": check, "allowed": allowed})


def _choice(where: str, *choices: str) -> Any:
    return _key(where, choices[0], _one_of(choices), " or ".join(f'"{choice}"' for choice in choices))


def _button(letter: str, role: str) -> Any:
    return _key(f"box.{letter}", role, _one_of(ROLES), " or ".join(f'"{choice}"' for choice in ROLES))


def _call(name: str, what: str) -> Any:
    return _key(f"box.{name}", what, _one_of(CALLS), " or ".join(f'"{choice}"' for choice in CALLS))


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that a table can be set to; a bare `Config()` is a table that was never set up."""

    language: str = _choice("table.language", "zh-CN", "zh-TW", "en")
    confirm: str = _choice("table.confirm", "unsure", "always")
    rules: str = _key(
        "table.rules", "xiamen", _text, "the name of a preset (see bobing rules list) or the path of a rules file")
    players: tuple[str, ...] = _key("table.players", (), _names, 'a list of different names, as ["甲", "乙"]')
    source: str | None = _key(
        "camera.source", None, _source,
        "a camera's number or name, a video file, a folder of pictures, an http:// or rtsp:// address, or \"demo\"")
    calibration: str | None = _key("camera.calibration", None, _file, "the path of a file that bobing calibrate wrote")
    dice: str | None = _key("camera.dice", None, _file, "the path of a file that bobing enrol wrote")
    mains: int = _key("camera.mains", 0, _mains, "50 or 60, the lamps' frequency in Hz; 0 leaves the camera as it is")
    keep_pictures: bool = _key("camera.keep_pictures", True, _flag, "true or false: whether stills and films of throws are kept")
    box_port: str | None = _key(
        "box.port", None, _text,
        "the name of a serial port (see bobing boxes), \"auto\" (looked for), \"none\", or \"emulated\"")
    box_id: str | None = _key("box.id", None, _box_id, "the number of this table's box, four digits 0-9 A-F")
    box_never: tuple[str, ...] = _key(
        "box.never", (), _names, 'ports that are never asked, as ["ttyUSB0", "1a86:7523:1-2"] (see bobing boxes)')
    box_keys: bool = _key("box.keys", True, _yes_no, "true or false: keys in the board's page are buttons")
    box_evdev: tuple[str, ...] = _key(
        "box.evdev", (), _names, 'Linux input devices that are buttons, as ["/dev/input/by-id/usb-presenter-event-kbd"]')
    button_a: str = _button("a", "confirm")
    button_b: str = _button("b", "undo")
    button_c: str = _button("c", "next")
    button_d: str = _button("d", "free")
    box_hold: str = _call("hold", "operator")
    box_together: str = _call("together", "pairing")
    host: str = _key("server.host", "127.0.0.1", _text, "an address of this machine; 127.0.0.1 is this machine only")
    pairing: bool = _key(
        "server.pairing", True, _yes_no, "true or false: whether phones can be paired; without, this machine alone is served")
    viewers_see_pictures: bool = _key(
        "server.viewers_see_pictures", True, _yes_no, "true or false: whether who is not paired sees the stills of throws")
    certificate: str | None = _key("server.certificate", None, _file, "the path of a certificate (PEM) for https")
    key: str | None = _key("server.key", None, _file, "the path of the certificate's key (PEM)")
    port: int = _key("server.port", 8063, _port, "a whole number from 0 (any free port) to 65535")

    @property
    def buttons(self) -> Mapping[str, str]:
        """What each button of the box does, by its letter A to D."""
        return {"A": self.button_a, "B": self.button_b, "C": self.button_c, "D": self.button_d}


def load(path: Path) -> Config:
    """The settings in the file at `path`, defaults where there is none; raises ConfigError, or Fault if unreadable."""
    return _beside(path, _checked(path, _content(path)))


def named(path: Path) -> frozenset[str]:
    """Which settings (by their names in `Config`) the file at `path` names; raises as `load` does."""
    content = _content(path)
    _checked(path, content)
    return frozenset(key.name for key in fields(Config) if key.metadata["name"] in content.get(key.metadata["section"], {}))


def _content(path: Path) -> Mapping[str, Any]:
    """What the file at `path` says, nothing where there is none."""
    text = ""
    try:
        # what Notepad saves begins with a byte order mark
        text = path.read_bytes().decode("utf-8-sig")
        if len(text) > MAX_FILE:
            raise _unread(path, f"too long for settings ({len(text)} characters, at most {MAX_FILE})", f"太长（最多 {MAX_FILE} 字）")
        return tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except NotADirectoryError as fault:
        file = next(place for place in path.parents if place.exists())
        raise Fault("config_unreadable", f"{file} is a file, not a folder: name a folder with --data",
                    f"{file} 是文件，不是文件夹：请用 --data 指定文件夹") from fault
    except OSError as fault:
        raise Fault("config_unreadable", f"can't read {path} ({fault.strerror}): mend or remove it",
                    f"读不了 {path}（{fault.strerror}）：请修好或移走它") from fault
    except UnicodeDecodeError as fault:
        raise _unread(path, "not UTF-8 text: save it as UTF-8", "不是 UTF-8：请另存为 UTF-8") from fault
    except (ValueError, RecursionError) as fault:
        why = "nested too deeply" if isinstance(fault, RecursionError) else explain(text, fault)[0]
        raise _unread(path, f"not TOML: {why}", f"不是 TOML：{why}") from fault


def _beside(settings: Path, config: Config) -> Config:
    """The files that are named, by their full paths: from the settings' own folder, else where a backup restores them; what is in neither is expected in the first."""
    folder = settings.absolute().parent
    lie: dict[str, Any] = {}
    for key in fields(Config):
        kind, named = key.name, getattr(config, key.name)
        if kind not in FILES or named is None or (kind == "rules" and named in PRESETS):
            continue
        beside = folder / named
        found = next((place for place in (beside, folder / kind / Path(named).name) if _lies(place)), None)
        if found is None and _no_file(beside):
            raise _not_so(settings, key, named)
        lie[kind] = str(beside if found is None else found.resolve())
    return replace(config, **lie)


def own_files(config: Config) -> dict[str, Path]:
    """The files that belong to an evening, by what they are: rules, calibration, dice, as far as settings that were loaded name such."""
    named = {"rules": None if config.rules in PRESETS else config.rules, "calibration": config.calibration, "dice": config.dice}
    return {kind: Path(name) for kind, name in named.items() if name is not None}


def _lies(place: Path) -> bool:
    try:
        return place.is_file()
    except OSError:  # a name that no disk could bear
        return False


def save(path: Path, config: Config) -> None:
    """Write all settings to `path`, whole or not at all, so that `load` gives the same; raises ConfigError, Fault."""
    lines = ["# Settings of the Bo Bing table. The program rewrites this file when settings are changed in it."]
    section = ""
    for key in fields(Config):
        if key.metadata["section"] != section:
            section = key.metadata["section"]
            lines += ["", f"[{section}]"]
        name, value = key.metadata["name"], getattr(config, key.name)
        lines.append(f"# {key.metadata['allowed']}")
        lines.append(f"# {name} =" if value is None else f"{name} = {_toml(_allowed(path, key, value))}")
    text = "\n".join([*lines, ""])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as fault:
        raise Fault("config_unwritable", f"can't write {path} ({fault.strerror}): nothing was changed",
                    f"写不了 {path}（{fault.strerror}）：设置未改动") from fault


def _checked(path: Path, content: Mapping[str, Any]) -> Config:
    known: dict[str, dict[str, Field[Any]]] = {}
    for key in fields(Config):
        known.setdefault(key.metadata["section"], {})[key.metadata["name"]] = key
    found: dict[str, Any] = {}
    for section, values in content.items():
        if section not in known:
            raise _wrong(path, f"there is no [{section}]", ", ".join(f"[{name}]" for name in known))
        if not isinstance(values, dict):
            raise _wrong(path, f"{section} is a section", f"[{section}] on a line of its own")
        for name, value in values.items():
            entry = known[section].get(name)
            if entry is None:
                raise _wrong(path, f"[{section}] has no key {name}", ", ".join(known[section]))
            found[entry.name] = _allowed(path, entry, value)
    return Config(**found)


def _allowed(path: Path, key: Field[Any], value: object) -> Any:
    try:
        return key.metadata["check"](value)
    except ValueError:
        raise _not_so(path, key, value) from None


def _toml(value: object) -> str:
    """A text, whole number or list of texts; JSON and TOML write these alike."""
    return json.dumps(value, ensure_ascii=False)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def _unread(path: Path, en: str, zh: str) -> ConfigError:
    return ConfigError("config_wrong", f"{path}: {en}", f"{path}：{zh}")


def _not_so(path: Path, key: Field[Any], value: object) -> ConfigError:
    return _wrong(path, f"[{key.metadata['section']}] {key.metadata['name']} can't be {_shown(value)}", key.metadata["allowed"])


def _wrong(path: Path, what: str, allowed: str) -> ConfigError:
    what = " ".join(what.split())  # a quoted key may hold a line break
    return ConfigError("config_wrong", f"{path}: {what}; allowed: {allowed}", f"{path}：{what}；允许：{allowed}")

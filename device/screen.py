"""How the TV looks and sounds: set from a phone, shown by every board, stored nowhere (a new evening begins with the usual)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from device.errors import Refused

THEMES = ("dark", "light")
SCENES = ("auto", "recent", "odds", "fairness", "fact", "qr", "standings")
LANGUAGES = ("zh-CN", "zh-TW", "en")
_FLAGS = ("mute", "voice")
_CHOICES = {"theme": THEMES, "scene": SCENES, "language": LANGUAGES}


@dataclass(frozen=True, slots=True)
class Screen:
    """What the TV is set to. volume: 0 to 100; voice: whether results are spoken; scene: what it shows between throws."""

    volume: int = 70
    mute: bool = False
    voice: bool = True
    theme: str = "dark"
    scene: str = "auto"

    def as_json(self) -> dict[str, Any]:
        """As docs/state.md prints it."""
        return asdict(self)


def tuned(screen: Screen, language: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The settings {screen, language} after a `tv` command; raises Refused, one line, where it asks for what there is not."""
    change: dict[str, Any] = {}
    for key, value in body.items():
        if key in ("command", "version"):
            continue
        if not _allowed(key, value):
            raise Refused("tv_wrong", f"the TV can't be set to {key} = {value!r}", "电视没有这项设置")
        change[key] = value
    language = change.pop("language", language)
    return {"screen": replace(screen, **change), "language": language}


def _allowed(key: str, value: Any) -> bool:
    if key == "volume":
        return type(value) is int and 0 <= value <= 100
    return isinstance(value, bool) if key in _FLAGS else value in _CHOICES.get(key, ())

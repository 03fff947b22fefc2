"""What the buttons mean at a table, and what a gesture asks for in the state that the board shows. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from device.box_gestures import Gesture

LATE_S = 1.5
"""An older press is not acted on: whoever pressed has seen another board since."""
COMMANDS = {"confirm": "confirm", "undo": "undo", "next": "skip", "jump": "jump", "rethrow": "rethrow"}
DEFAULT = {"A": "confirm", "B": "undo", "C": "next", "D": "free"}


@dataclass(frozen=True, slots=True)
class Roles:
    """What each button, the hold of A, and A with B do. hold, chord: "operator", "pairing" or "free"."""

    buttons: Mapping[str, str] = field(default_factory=lambda: dict(DEFAULT))
    hold: str = "operator"
    chord: str = "pairing"


@dataclass(frozen=True, slots=True)
class Give:
    """A command to the table, without its version."""

    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """what: "operator" (somebody is wanted at the table) or "pairing" (show the code for phones)."""

    what: str


@dataclass(frozen=True, slots=True)
class Thanks:
    """A yes to what is done already: it changes nothing and is answered kindly."""


@dataclass(frozen=True, slots=True)
class No:
    """A press that makes no sense now, and why."""

    key: str
    zh: str
    en: str


Meant = Give | Call | Thanks | No

LATE = No("late", "按键来得太晚，没有执行：请再按一次", "that press came too late and was not acted on: press again")
MOVED_ON = No("moved_on", "牌面刚刚变了：请看一眼再按", "the board has just changed: look, then press again")
FREE = No("free", "这个键没有设置功能", "this button has no meaning here")
MISSING = No("incomplete", "少一颗：请在手机上说明是几点或跳猴", "a die is missing: say on the phone what it shows, or that it jumped out")
_NOTHING_TO_CONFIRM = {
    "lobby": No("lobby", "还没开局：请在手机上开局", "no game is going on: start one on the phone"),
    "throw": No("nothing", "还没有要确认的一掷", "there is no throw to confirm yet"),
    "reading": No("reading", "正在读数，请稍等", "the dice are being read: wait a moment"),
    "paused": No("paused", "暂停中：请在手机上继续", "the game is paused: resume it on the phone"),
    "over": No("over", "本局已结束", "the game is over"),
}


def meant(gesture: Gesture, roles: Roles, state: Mapping[str, Any], now: float) -> Meant:
    """What a gesture asks for. state: as the board shows it now; now: monotonic seconds."""
    if now - gesture.ended > LATE_S:
        return LATE
    if gesture.kind in ("hold", "chord"):
        what = roles.hold if gesture.kind == "hold" else roles.chord
        return FREE if what == "free" else Call(what)
    role = roles.buttons.get(gesture.button, "free")
    if role == "free":
        return FREE
    if role == "confirm" and state["phase"] != "question":
        # a throw that was certain is credited already; "yes" to it is no mistake
        return Thanks() if state["phase"] == "clear" and state["last"] else _why_not(state["phase"])
    if role == "confirm" and state["question"]["verdict"] == "incomplete":
        return MISSING  # "yes" is no answer to "what is the missing one, or did it jump out?"
    return Give({"command": COMMANDS[role]})


def _why_not(phase: str) -> No:
    return _NOTHING_TO_CONFIRM.get(phase, _NOTHING_TO_CONFIRM["throw"])

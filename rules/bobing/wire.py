"""Events as JSON objects and back: what the journal stores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from . import events as e
from .houserules import HouseRules, house_rules

_TYPES: dict[str, type[e.Event]] = {
    t.__name__: t
    for t in (
        e.Started,
        e.Thrown,
        e.Passed,
        e.SkipMarked,
        e.ThrowCorrected,
        e.TakenBack,
        e.Undone,
        e.Redone,
        e.PlayerAdded,
        e.PlayerRenamed,
        e.PlayerMoved,
        e.PlayerSatOut,
        e.PlayerReturned,
        e.PlayerLeft,
        e.GiftNoted,
        e.ScrambleAssigned,
        e.GivenBack,
        e.TimeUp,
        e.Paused,
        e.Resumed,
        e.Ended,
    )
}


def _out(value: Any) -> Any:
    if isinstance(value, HouseRules):
        return value.as_object()
    if isinstance(value, e.Prize):
        return {"name": value.name, "value": value.value, "gifts": list(value.gifts)}
    if isinstance(value, tuple):
        return [_out(v) for v in value]
    return value


def to_json(event: e.Event) -> tuple[str, dict[str, Any]]:
    """Type name and fields of an event, as JSON values."""
    return type(event).__name__, {f.name: _out(getattr(event, f.name)) for f in fields(event)}


def is_game_event(name: str) -> bool:
    """Whether a stored record of this type belongs to the game."""
    return name in _TYPES


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value


def prize_from_json(given: Mapping[str, Any]) -> e.Prize:
    """A prize as `to_json` wrote it."""
    return e.Prize(given["name"], given["value"], tuple(given["gifts"]))


def from_json(name: str, data: Mapping[str, Any]) -> e.Event:
    """The event that `to_json` made these from; raises KeyError for a type that is not known."""
    values = {key: _tuples(value) for key, value in data.items()}
    if name == "Started":
        values["rules"] = house_rules(data["rules"], "journal")
        values["prizes"] = tuple((tier, prize_from_json(prize)) for tier, prize in data["prizes"])
    return _TYPES[name](**values)

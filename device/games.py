"""The games that a journal holds, old ones too: each as the pages see a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from device.journal import Record
from device.play import Play, applied
from device.view import Setting, state

EVERYTHING = 1_000_000


@dataclass(frozen=True, slots=True)
class Past:
    """One game: its number in the journal (from 1), the memory at its end or now, when it began and was last changed (unix seconds)."""

    number: int
    play: Play
    started: float
    last: float


def games(records: Iterable[Record]) -> list[Past]:
    """Every game in order; the last one may still be running."""
    found: list[Past] = []
    play = Play()
    for record in records:
        if record.type == "Started" and play.game is not None:
            found.append(Past(len(found) + 1, play, play.started_wall, play.last_wall))
        play = applied(play, record)
    if play.game is not None:
        found.append(Past(len(found) + 1, play, play.started_wall, play.last_wall))
    return found


def as_json(past: Past, language: str) -> dict[str, Any]:
    """The game as docs/state.md describes a table, with every throw, its number and its times."""
    return {
        **state(past.play, Setting(language), None, None, EVERYTHING),
        "number": past.number,
        "began": past.started,
        "ended": past.last,
    }

"""How the tests of the Table talk to it: readings, sightings, commands."""

from __future__ import annotations

from typing import Any

from device.question import asked_of
from device.table import Sighting, Table
from vision.reading import Die, Reading, Verdict

THREE_REDS = (4, 4, 4, 1, 2, 3)


def reading(
    values: list[int | None], verdict: Verdict, outside: int = 0, doubt: tuple[int, int] | None = None
) -> Reading:
    """A reading of these values, the last `outside` of them beside the bowl, the first one doubtful where asked."""
    dice = []
    for i, value in enumerate(values):
        likely = ((value or 1, 0.99), (6, 0.01))
        confidence = 0.99
        if doubt is not None and i == 0:
            likely, confidence = ((doubt[0], 0.6), (doubt[1], 0.3)), 0.6
        inside = i < len(values) - outside
        dice.append(Die(value, confidence, (10.0 * i, 5.0, 9.0, 9.0), (10.0 * i + 4, 9.0), inside, False, likely))
    return Reading(tuple(dice), None, verdict, "")


def sighting(seen: Reading, event: str = "throw") -> Sighting:
    """What the lookout makes of a reading."""
    return Sighting(event, seen.values, seen.verdict == Verdict.SURE, asked_of(seen, "", (720, 400), (0.0, 0.0), 1.0))


def give(table: Table, command: str, **more: Any) -> dict[str, Any]:
    """A command for the state as it is now."""
    return table.command({"command": command, "version": table.state()["version"], **more})


def started(table: Table, *names: str, **more: Any) -> Table:
    """The table with a game of these players, or of three."""
    give(table, "start", players=list(names or ("甲", "乙", "丙")), **more)
    return table


def moved(values: list[int | None]) -> Sighting:
    """The dice in the bowl were nudged and show this now."""
    return sighting(reading(values, Verdict.SURE), "changed")

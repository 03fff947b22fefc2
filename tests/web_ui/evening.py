"""Whole evenings from what `watch` recorded: each line is what the camera saw or what a person answered, told to a real Table."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from device.journal import Journal
from device.question import asked_of
from device.stills import Stills
from device.table import Sighting, Table
from device.view import Setting
from rules.bobing.houserules import house_rules
from vision.reading import Die, Reading, Verdict

HERE = Path(__file__).parent
STILLS = HERE / "stills"
# where the dice lie in stills/question.jpg, the doubtful one first
BOXES = (
    (334.0, 235.0, 32.0, 30.0),
    (205.0, 356.0, 27.0, 32.0),
    (236.0, 170.0, 34.0, 34.0),
    (276.0, 190.0, 34.0, 32.0),
    (229.0, 201.0, 36.0, 34.0),
    (193.0, 212.0, 35.0, 33.0),
)


def seen(line: dict[str, Any], number: int) -> Sighting:
    """What the lookout makes of a line of `bobing watch --json`: {"event", "values", "outside", "verdict", "doubt": [a, b]}."""
    values, outside = list(line.get("values", [])), int(line.get("outside", 0))
    dice = []
    for i, value in enumerate(values):
        likely, confidence = ((value, 0.99), (value % 6 + 1, 0.004)), 0.99
        if line.get("doubt") and i == 0:
            (a, b), confidence = line["doubt"], 0.62
            likely = ((a, 0.62), (b, 0.31))
        box = BOXES[i % 6]
        dice.append(Die(value, confidence, box, (box[0] + 16, box[1] + 9), i < len(values) - outside, False, likely))
    verdict = Verdict(line.get("verdict", "sure"))
    reading = Reading(tuple(dice), None, verdict, "")
    name = f"evening-{number}"
    still = None if line.get("picture") is None else (name, (STILLS / f"{line['picture']}.jpg").read_bytes())
    asked = asked_of(reading, name if still else "", (560, 560), (0.0, 0.0), 1.0)
    return Sighting(str(line["event"]), reading.values, verdict == Verdict.SURE, asked, still)


def new_table(folder: Path, rules: str = "xiamen") -> Table:
    """A real table with a journal in memory and its stills in `folder`."""
    clock = itertools.count(1_790_000_000)
    setting = Setting()
    table = Table(
        Journal.open(None), Stills(folder), setting, house_rules(rules), lambda: float(next(clock)), lambda n: 0
    ).open()
    table.foresee()
    return table


def give(table: Table, command: str, **more: Any) -> dict[str, Any]:
    """A command for the state as it is now."""
    return table.command({"command": command, "version": table.state()["version"], **more})


def tell(table: Table, line: dict[str, Any], number: int) -> dict[str, Any]:
    """One line: something seen, or {"command": …} that a person gave."""
    if "command" in line:
        return give(table, **line)
    state = table.saw(seen(line, number))
    return table.saw(Sighting("cleared")) if state["phase"] == "clear" else state


def lines(name: str) -> Iterator[dict[str, Any]]:
    """The lines of a recorded evening beside this file."""
    for text in (HERE / "evenings" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(text)

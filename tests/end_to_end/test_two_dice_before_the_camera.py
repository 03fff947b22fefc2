"""Who begins: two dice before the camera, read by the shipped reader and a real watcher, then the game's six."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from composed import Piece, Stage, readers

from device.journal import Journal
from device.lookout import Looking, Lookout
from device.shots import Shot
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import PRESETS
from vision.bowl import Bowl
from vision.calibration import Calibration
from vision.reading import Frame, Verdict
from vision.watcher import Seen

FPS = 30


class Film:
    """A recording of a stage, made as it is watched."""

    live = False
    name = "film"

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._scenes: list[tuple[list[Piece], float]] = []

    def rest(self, dice: Sequence[Piece], seconds: float) -> Film:
        """These dice lie there for so long."""
        self._scenes.append((list(dice), seconds))
        return self

    def roll(self, dice: Sequence[Piece], lying: Sequence[Piece] = ()) -> Film:
        """These dice roll in."""
        for left in range(12, 0, -1):
            far = 140 * (left / 12) ** 1.5
            self._scenes.append(([*lying, *(p.by(far * (-1) ** k, 0.5 * far) for k, p in enumerate(dice))], 1 / FPS))
        return self

    def __iter__(self) -> Iterator[Shot]:
        index = 0
        for dice, seconds in self._scenes:
            picture = self._stage.picture(dice)
            for _ in range(round(seconds * FPS)):
                yield Shot(index, index / FPS, self._stage.grained(picture, index))
                index += 1

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture
def stage(pictures: Path) -> Stage:
    return Stage(pictures / "sim-dev", "s01")


def watched(stage: Stage, film: Film, two: bool = True) -> tuple[list[Seen], dict[str, Any]]:
    """What the page for the first player gets, and the state of the game that follows on the same film."""
    table = Table(Journal.open(None), None, Setting(), PRESETS["xiamen"], lambda: 0.0, lambda n: 0).open()
    table.command({"command": "start", "version": table.state()["version"], "players": ["甲", "乙"]})
    made = readers().set_up(Calibration(stage.rim, stage.empty, 100, ()), None)
    now, number = [0.0], itertools.count()

    def sleep(seconds: float) -> None:
        now[0] += seconds

    def bowl(frame: Frame) -> Bowl | None:
        return made.bowl(frame.shape[1], frame.shape[0])

    looking = Looking(
        open_source=lambda: film,
        watcher=lambda frame: made.watcher(frame, 6),
        clock=lambda: now[0],
        sleep=sleep,
        picture_name=lambda: f"s{next(number)}",
        bowl=bowl,
        two=lambda frame: made.watcher(frame, 2),
    )
    taken: list[Seen] = []
    lookout = Lookout(table, looking)
    if two:
        lookout.divert(lambda seen, _: taken.append(seen), two=True)
    lookout.run()
    state = table.state()
    table.close()
    return taken, state


def test_two_dice_are_read_for_the_start_and_the_six_after_them_belong_to_the_game(stage: Stage) -> None:
    two, six = stage.dice("t00")[:2], stage.dice("t04")
    film = Film(stage).rest([], 0.5).roll(two).rest(two, 1.0).rest([], 0.7).roll(six).rest(six, 1.0)
    (taken,), state = watched(stage, film)
    assert taken.reading is not None
    assert taken.reading.values == stage.values(two)
    assert taken.reading.verdict == Verdict.SURE
    assert state["throws"] + (state["question"] is not None) == 1
    assert all(tuple(sorted(t["dice"])) == stage.values(six) for t in state["history"])


def test_two_dice_dropped_one_after_the_other_are_one_reading(stage: Stage) -> None:
    one, other = stage.dice("t00")[:1], stage.dice("t00")[1:2]
    film = Film(stage).rest([], 0.5).roll(one).rest(one, 0.6).roll(other, one).rest([*one, *other], 1.0)
    (taken,), _ = watched(stage, film)
    assert taken.reading is not None
    assert taken.reading.values == stage.values([*one, *other])


def test_two_dice_that_lie_there_already_are_nobodys_throw(stage: Stage) -> None:
    two = stage.dice("t00")[:2]
    taken, state = watched(stage, Film(stage).rest(two, 1.5))
    assert taken == []
    assert state["throws"] == 0 and state["question"] is None


@pytest.mark.parametrize("count", [1, 3, 6])
def test_another_number_than_two_is_not_told_as_well_read(stage: Stage, count: int) -> None:
    dice = stage.dice("t00")[:count]
    (taken,), _ = watched(stage, Film(stage).rest([], 0.5).roll(dice).rest(dice, 1.6))
    assert taken.reading is not None
    assert taken.reading.verdict != Verdict.SURE

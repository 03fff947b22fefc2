"""What happens at a party, on a drawn table with a scripted reader: each throw told once, nothing invented."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import pytest

from vision.bowl import Bowl
from vision.reading import Frame, Verdict
from vision.watcher import Seen, Watcher

ROW = [(230.0, 150.0), (290.0, 140.0), (350.0, 155.0), (250.0, 215.0), (315.0, 225.0), (375.0, 210.0)]
FPS = 30


class Party:
    """Shows scenes to a calibrated watcher and keeps what it tells."""

    def __init__(self, drawn: Any, script: Any, die: Callable[..., Any], expect: int = 6) -> None:
        self.drawn, self.script, self.die = drawn, script, die
        self.watcher = Watcher(lambda _: script, Bowl(drawn.rim, drawn.empty(), 640, 360), expect=expect)
        self.seen: list[Seen] = []
        self.index = 0

    def dice(self, count: int = 6, values: Sequence[int] = (1, 2, 3, 4, 5, 6)) -> list[Any]:
        return [self.die(x, y, v) for (x, y), v in zip(ROW[:count], values, strict=False)]

    def show(self, frame: Frame) -> None:
        self.seen += self.watcher.feed(frame, self.index, self.index / FPS)
        self.index += 1

    def rest(
        self, dice: Sequence[Any], seconds: float, change: Callable[[Frame, int], Frame] | None = None, hand: float = 0.0
    ) -> None:
        self.script.dice, self.script.hand = dice, hand
        for k in range(round(seconds * FPS)):
            frame = self.drawn.frame(dice, number=self.index, hand=hand or None)
            self.show(frame if change is None else change(frame, k))

    def roll(self, dice: Sequence[Any], lying: Sequence[Any] = (), seconds: float = 0.5) -> None:
        frames = round(seconds * FPS)
        for left in range(frames, 0, -1):
            far = 90 * (left / frames) ** 1.5
            moving = [self.die(d.x - far * (1 - 2 * (k % 2)), d.y + 0.6 * far, d.value) for k, d in enumerate(dice)]
            self.script.dice = [*lying, *moving]
            self.show(self.drawn.frame([*lying, *moving], number=self.index))

    def events(self) -> list[str]:
        return [s.event for s in self.seen if s.event != "hand"]

    def throws(self) -> list[tuple[int, ...]]:
        return [s.reading.values for s in self.seen if s.event == "throw" and s.reading is not None]


@pytest.fixture
def party(drawn: Any, script: Any, die: Callable[..., Any]) -> Party:
    party = Party(drawn, script, die)
    party.rest([], 0.5)
    return party


def test_a_sleeve_over_the_edge_of_the_bowl_delays_the_throw_and_is_no_die(party: Party) -> None:
    def sleeve(frame: Frame, k: int) -> Frame:
        """A blue sleeve that lies across a good part of the bowl and fidgets."""
        covered = frame.copy()
        cv2.rectangle(covered, (390 + k % 2, 60), (640, 330), (140, 70, 40), -1)
        return covered

    dice = [d for d in party.dice() if d.x < 360]
    party.roll(party.dice())
    party.script.hand = 0.35
    party.rest(dice, 1.0, sleeve, hand=0.0)
    assert party.throws() == []
    party.rest(party.dice(), 1.0)
    assert party.throws() == [(1, 2, 3, 4, 5, 6)]


def test_a_phones_lamp_that_sweeps_over_the_bowl_is_no_throw_and_hides_none(party: Party) -> None:
    def sweep(frame: Frame, k: int) -> Frame:
        lit = frame.astype(np.float32)
        glow = np.zeros(frame.shape[:2], np.float32)
        cv2.circle(glow, (60 + 14 * k, 180), 90, (1.0,), -1)
        glow = cv2.GaussianBlur(glow, (0, 0), 40)
        return np.clip(lit * (1 + 0.6 * glow[..., None]), 0, 255).astype(np.uint8)

    party.rest([], 1.3, sweep)
    party.rest([], 0.5)
    assert party.events() == []
    party.roll(party.dice())
    party.rest(party.dice(), 1.0)
    party.rest(party.dice(), 1.3, sweep)
    party.rest(party.dice(), 0.8)
    assert party.events() == ["throw"]


def test_a_table_that_is_bumped_shakes_the_picture_and_is_no_throw(party: Party) -> None:
    def shake(frame: Frame, k: int) -> Frame:
        way = np.array([[1, 0, 9 * np.exp(-k / 6) * np.sin(2.5 * k)], [0, 1, 5 * np.exp(-k / 6) * np.cos(2 * k)]], np.float32)
        return np.asarray(cv2.warpAffine(frame, way, (640, 360), borderMode=cv2.BORDER_REPLICATE), np.uint8)

    party.roll(party.dice())
    party.rest(party.dice(), 1.0)
    party.rest(party.dice(), 1.2, shake)
    party.rest(party.dice(), 1.0)
    assert party.events() == ["throw"]


def test_dice_dropped_in_one_by_one_are_one_throw_once_all_lie_there(party: Party) -> None:
    for count in range(1, 7):
        party.roll(party.dice()[count - 1 : count], party.dice(count - 1), seconds=0.25)
        party.rest(party.dice(count), 0.12)
    party.rest(party.dice(), 1.0)
    assert party.events() == ["throw"]
    assert party.throws() == [(1, 2, 3, 4, 5, 6)]


def test_dice_dropped_slowly_are_told_short_and_then_as_changed_never_as_two_throws(party: Party) -> None:
    party.roll(party.dice(4))
    party.rest(party.dice(4), 1.5)
    party.roll(party.dice()[4:], party.dice(4))
    party.rest(party.dice(), 1.5)
    assert party.events() == ["throw", "changed"]
    assert party.seen[-1].reading is not None
    assert party.seen[-1].reading.values == (1, 2, 3, 4, 5, 6)


def test_a_single_die_that_is_thrown_again_is_a_change_and_no_new_throw(party: Party) -> None:
    party.roll(party.dice())
    party.rest(party.dice(), 1.0)
    five = party.dice(5)
    party.roll([party.die(400.0, 170.0, 4)], five)
    party.rest([*five, party.die(400.0, 170.0, 4)], 1.0)
    assert party.events() == ["throw", "changed"]


@pytest.mark.parametrize("values", [(3, 5), (1, 1), (6, 2)])
def test_for_the_start_of_the_game_two_dice_are_a_whole_throw(
    values: tuple[int, int], drawn: Any, script: Any, die: Callable[..., Any]
) -> None:
    party = Party(drawn, script, die, expect=2)
    party.rest([], 0.5)
    two = party.dice(2, values)
    party.roll(two)
    still = party.index
    party.rest(two, 1.0)
    (throw,) = [s for s in party.seen if s.event == "throw"]
    assert throw.reading is not None
    assert (throw.reading.values, throw.reading.verdict) == (tuple(sorted(values)), Verdict.SURE)
    assert throw.frame - still <= 15


def test_one_of_two_is_waited_for_and_then_told_as_too_few(drawn: Any, script: Any, die: Callable[..., Any]) -> None:
    party = Party(drawn, script, die, expect=2)
    party.rest([], 0.5)
    party.roll(party.dice(1))
    party.rest(party.dice(1), 1.5)
    assert [s.reading.verdict for s in party.seen if s.reading] == [Verdict.INCOMPLETE]

"""A knock and a throw at once, another view, a hand that stays: what was thrown is never lost without a word, and no hand is a knock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.bowl import Bowl
from vision.knocks import MEMORY_S, Knock
from vision.reading import Die, Frame, Reading, Rim, Verdict
from vision.watcher import Seen, Watcher

FPS = 30
ROW = [(230.0, 150.0), (290.0, 140.0), (350.0, 155.0), (250.0, 215.0), (315.0, 225.0), (375.0, 210.0)]
OTHER_ROW = [(255.0, 180.0), (318.0, 180.0), (380.0, 178.0), (290.0, 250.0), (350.0, 255.0), (310.0, 105.0)]


class Table:
    """A drawn table before a calibrated watcher; `knock` moves the camera, and what the reader sees with it."""

    def __init__(self, drawn: Any, script: Any, die: Callable[..., Any], before: float = 0.5) -> None:
        drawn.ground = "stone"
        self.drawn, self.script, self.die = drawn, script, die
        self.watcher = Watcher(lambda _: script, Bowl(drawn.rim, drawn.empty(), 640, 360))
        self.seen: list[Seen] = []
        self.index = 0
        self.shift = 0.0
        self.rest([], before)

    def dice(self, places: Sequence[tuple[float, float]] = ROW, values: Sequence[int] = (1, 2, 3, 4, 5, 6)) -> list[Any]:
        return [self.die(x, y, v) for (x, y), v in zip(places, values, strict=False)]

    def knock(self, pixels: float) -> None:
        self.shift = pixels
        rim = self.drawn.rim
        self.script.rim = Rim(rim.cx + pixels, rim.cy, rim.major, rim.minor, rim.angle_deg)

    def show(self, dice: Sequence[Any], hand: float = 0.0) -> None:
        self.script.dice = [self.die(d.x + self.shift, d.y, d.value) for d in dice]
        self.script.hand = hand
        frame = self.drawn.frame(dice, number=self.index, hand=hand or None)
        if self.shift:
            way = np.array([[1, 0, self.shift], [0, 1, 0]], np.float32)
            frame = np.asarray(cv2.warpAffine(frame, way, (640, 360), borderMode=cv2.BORDER_REPLICATE), np.uint8)
        self.feed(frame)

    def feed(self, frame: Frame) -> None:
        self.seen += self.watcher.feed(frame, self.index, self.index / FPS)
        self.index += 1

    def rest(self, dice: Sequence[Any], seconds: float, hand: float = 0.0) -> None:
        for _ in range(round(seconds * FPS)):
            self.show(dice, hand)

    def roll(self, dice: Sequence[Any]) -> None:
        for left in range(15, 0, -1):
            far = 90 * (left / 15) ** 1.5
            self.show([self.die(d.x - far * (1 - 2 * (k % 2)), d.y + 0.6 * far, d.value) for k, d in enumerate(dice)])

    def hand(self, before: Sequence[Any], after: Sequence[Any], then: Callable[[], None] = lambda: None) -> None:
        """A hand comes; under it the dice become other ones; it goes."""
        for k in range(1, 13):
            self.show(before, 0.62 * k / 12)
        then()
        for k in range(12, 0, -1):
            self.show(after, 0.62 * k / 12)

    def events(self) -> list[str]:
        return [s.event for s in self.seen if s.event != "hand"]


@pytest.fixture
def table(drawn: Any, script: Any, die: Callable[..., Any]) -> Table:
    """A table on which a throw was told."""
    table = Table(drawn, script, die)
    table.roll(table.dice())
    table.rest(table.dice(), 0.6)
    return table


@pytest.mark.parametrize("pixels", [13.0, 32.0])
def test_a_throw_onto_counted_dice_in_the_moment_of_a_knock_is_asked_about_and_not_lost(table: Table, pixels: float) -> None:
    second = table.dice(OTHER_ROW, (2, 2, 3, 3, 5, 5))
    table.hand(table.dice(), second, lambda: table.knock(pixels))
    table.rest(second, 2.5)
    assert table.events() in (["throw", "bumped", "throw"], ["throw", "throw", "bumped", "found"])
    throw = [s for s in table.seen if s.event == "throw"][1]
    assert throw.reading is not None
    assert (throw.reading.values, throw.reading.verdict) == ((2, 2, 3, 3, 5, 5), Verdict.ASK)


def test_a_knock_that_turns_a_die_is_asked_about(table: Table) -> None:
    table.knock(32.0)
    turned = table.dice(values=(1, 2, 3, 4, 5, 1))
    table.rest(turned, 2.5)
    assert table.events() == ["throw", "bumped", "changed"]
    last = table.seen[-1].reading
    assert last is not None
    assert (last.values, last.verdict) == ((1, 1, 2, 3, 4, 5), Verdict.ASK)


def test_after_a_knock_the_dice_that_lie_there_are_still_the_ones_that_were_told(table: Table) -> None:
    table.knock(32.0)
    table.rest(table.dice(), 2.5)
    assert table.events() == ["throw", "bumped", "found"]
    table.rest(table.dice([*ROW[:5], (400.0, 180.0)], (1, 2, 3, 4, 5, 2)), 1.0)
    assert table.events() == ["throw", "bumped", "found", "changed"]


def test_dice_that_jump_when_the_table_is_jolted_long_after_somebody_reached_in_are_no_throw(table: Table) -> None:
    table.hand(table.dice(), table.dice())
    table.rest(table.dice(), 0.6)
    table.roll(table.dice(OTHER_ROW, (2, 2, 3, 3, 5, 5)))
    table.rest(table.dice(OTHER_ROW, (2, 2, 3, 3, 5, 5)), 1.0)
    assert table.events() == ["throw", "changed"]


def test_the_same_values_in_other_places_are_asked_about_for_dice_are_put_in_order_to_be_counted(table: Table) -> None:
    for values, verdict in (((1, 2, 3, 4, 5, 6), Verdict.ASK), ((2, 2, 3, 3, 5, 5), Verdict.SURE)):
        again = table.dice(OTHER_ROW if verdict == Verdict.ASK else ROW, values)
        table.hand(table.dice(), again)
        table.rest(again, 1.0)
        last = table.seen[-1]
        assert (last.event, last.reading and last.reading.verdict) == ("throw", verdict)


def test_leftover_dice_and_a_throw_onto_them_at_once_is_a_throw(drawn: Any, script: Any, die: Callable[..., Any]) -> None:
    table = Table(drawn, script, die, before=0.0)
    two = table.dice()[:2]
    table.rest(two, 0.5)
    table.roll(table.dice())
    table.rest(table.dice(), 1.0)
    assert table.events() == ["found", "throw"]


@pytest.mark.parametrize("ground", ["plain", "checked"])
@pytest.mark.parametrize("bowl", [True, False])
def test_another_view_is_told_as_a_moved_camera_or_a_lost_bowl_and_not_as_a_hand_for_ever(
    table: Table, drawn_on: Callable[[str], Any], ground: str, bowl: bool
) -> None:
    other = drawn_on(ground)
    other.seed, other.ring, other.glaze = 9, None, (90, 140, 150)
    other.rim = Rim(420.0, 150.0, 210.0, 200.0, 0.0) if bowl else Rim(-900.0, -900.0, 100.0, 100.0, 0.0)

    def strange(frame: Frame, *, expect: int = 6) -> Reading:
        return Reading((), None, Verdict.INCOMPLETE, "a hand covers the bowl", hand=True)

    table.script.read = strange
    for _ in range(round(4 * FPS)):
        table.feed(other.frame(number=table.index))
    assert table.events()[0] == "throw"
    assert table.events()[1] in ("bumped", "lost")


@pytest.mark.parametrize("reach", [0.45, 0.62, 0.75])
def test_a_hand_that_stays_however_far_it_reaches_is_neither_a_knock_nor_a_lost_bowl(table: Table, reach: float) -> None:
    table.rest(table.dice(), 4.0, hand=reach)
    table.rest(table.dice(), 1.0)
    assert table.events() == ["throw"]


@pytest.mark.parametrize("hertz", [2.0, 3.0, 5.0])
def test_a_lamp_that_pulses_from_the_first_picture_on_makes_no_throw_a_find(
    hertz: float, drawn: Any, script: Any, die: Callable[..., Any]
) -> None:
    watcher = Watcher(lambda _: script, Bowl(drawn.rim, drawn.empty(), 640, 360))
    seen: list[Seen] = []
    dice = [die(x, y, k + 1) for k, (x, y) in enumerate(ROW)]
    for n in range(60):
        t = n / FPS
        far = max(0.0, 90 * (1.0 - t) / 0.5)
        script.dice = [die(d.x - far, d.y + 0.6 * far, d.value) for d in dice] if t >= 0.5 else []
        light = 1 + 0.4 * np.sin(2 * np.pi * hertz * t) if t < 0.5 else 1.0
        frame = np.clip(drawn.frame(script.dice, number=n) * light, 0, 255).astype(np.uint8)
        seen += watcher.feed(frame, n, t)
    assert [s.event for s in seen] == ["throw"]


RIM = Rim(300.0, 200.0, 300.0, 290.0, 0.0)


def lying(places: Sequence[tuple[float, float]], values: Sequence[int]) -> tuple[Die, ...]:
    return tuple(
        Die(v, 0.99, (x - 12, y - 12, 24, 24), (x, y), True, False, ((v, 0.99),)) for (x, y), v in zip(places, values, strict=True)
    )


VALUES = st.lists(st.integers(1, 6), min_size=6, max_size=6)


@given(VALUES, st.integers(0, 5), st.integers(1, 5), st.floats(-60, 60), st.floats(-60, 60))
def test_dice_that_moved_with_the_picture_are_found_and_one_that_turned_is_not(
    values: list[int], which: int, turn: int, dx: float, dy: float
) -> None:
    knock = Knock(1.0, 20, RIM, lying(ROW, values), counted=True)
    rim = Rim(RIM.cx + dx, RIM.cy + dy, RIM.major, RIM.minor, 0.0)
    moved = [(x + dx, y + dy) for x, y in ROW]
    assert knock.event(Reading(lying(moved, values), rim, Verdict.SURE, ""), rim, 6, 2.0) == "found"
    turned = [*values[:which], (values[which] - 1 + turn) % 6 + 1, *values[which + 1 :]]
    assert knock.event(Reading(lying(moved, turned), rim, Verdict.SURE, ""), rim, 6, 2.0) == "changed"


@given(VALUES, VALUES, st.booleans())
def test_six_dice_in_new_places_after_a_knock_are_a_throw_whether_or_not_some_lay_there(old: list[int], new: list[int], counted: bool) -> None:
    for before in (lying(ROW, old), ()):
        knock = Knock(1.0, 20, RIM, before, counted)
        reading = Reading(lying(OTHER_ROW, new), RIM, Verdict.SURE, "")
        assert knock.event(reading, RIM, 6, 2.0) == "throw"
        assert knock.event(reading, RIM, 6, 1.5 + MEMORY_S) == "found"

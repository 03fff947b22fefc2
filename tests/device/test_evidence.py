"""The picture that proves a throw: near enough to count pips, and its boxes lie where the dice are."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from device.evidence import LONGEST, still_of
from device.question import asked_of
from vision.reading import Die, Reading, Rim, Verdict

WIDTH, HEIGHT = 640, 360


def die(x: float, y: float, inside: bool = True) -> Die:
    """A die of 20 pixels whose middle lies there."""
    return Die(4, 0.99, (x - 10, y - 10, 20.0, 20.0), (x, y), inside, False, ((4, 0.99), (6, 0.01)))


@given(
    st.lists(st.tuples(st.floats(11, WIDTH - 12), st.floats(11, HEIGHT - 12), st.booleans()), max_size=8),
    st.booleans(),
)
def test_every_die_is_in_the_picture_and_its_box_is_where_it_lies(places: list[tuple[float, float, bool]], bowl: bool) -> None:
    frame = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    for x, y, _ in places:
        cv2.rectangle(frame, (round(x) - 9, round(y) - 9), (round(x) + 9, round(y) + 9), (255, 255, 255), -1)
    rim = Rim(320.0, 180.0, 300.0, 280.0, 10.0) if bowl else None
    reading = Reading(tuple(die(*p) for p in places), rim, Verdict.ASK, "")
    still = still_of(frame, reading)
    shown = cv2.imdecode(np.frombuffer(still.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert (shown.shape[1], shown.shape[0]) == still.size
    assert max(still.size) <= LONGEST
    for asked in asked_of(reading, "n", still.size, still.offset, still.scale)["dice"]:
        x, y, w, h = asked["box"]
        middle = shown[min(int(y + h / 2), still.size[1] - 1), min(int(x + w / 2), still.size[0] - 1)]
        assert int(middle.min()) > 180


def test_six_dice_in_a_bowl_fill_a_good_part_of_their_picture() -> None:
    dice = tuple(die(300 + 22 * (i % 3), 170 + 22 * (i // 3)) for i in range(6))
    still = still_of(np.zeros((HEIGHT, WIDTH, 3), np.uint8), Reading(dice, Rim(320, 180, 300, 280, 0), Verdict.SURE, ""))
    assert 20 * still.scale / still.size[0] > 0.1


@given(st.floats(40, WIDTH - 40), st.floats(40, HEIGHT - 40))
def test_a_counted_die_is_framed_and_nothing_of_it_is_hidden(x: float, y: float) -> None:
    frame = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    reading = Reading((die(x, y),), Rim(x, y, 100, 100, 0), Verdict.SURE, "")
    plain, framed = (still_of(frame, reading, outlined=how) for how in (False, True))
    shown = cv2.imdecode(np.frombuffer(framed.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE).astype(int)
    before = cv2.imdecode(np.frombuffer(plain.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE).astype(int)
    drawn = np.abs(shown - before) > 60
    assert drawn.any()
    left, top = (x - 10 - framed.offset[0]) * framed.scale, (y - 10 - framed.offset[1]) * framed.scale
    inside = drawn[int(top) : int(top + 20 * framed.scale) + 1, int(left) : int(left + 20 * framed.scale) + 1]
    assert not inside.any()
    assert abs(frame.astype(int) - 120).max() == 0


@given(st.lists(st.tuples(st.floats(270, 370), st.floats(140, 220)), min_size=2, max_size=6))
def test_no_frame_hides_a_neighbouring_die(places: list[tuple[float, float]]) -> None:
    frame = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    reading = Reading(tuple(die(x, y) for x, y in places), Rim(320, 180, 300, 280, 0), Verdict.SURE, "")
    framed = still_of(frame, reading, outlined=True)
    shown = cv2.imdecode(np.frombuffer(framed.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE).astype(int)
    for x, y in places:
        left, top = (x - 9 - framed.offset[0]) * framed.scale, (y - 9 - framed.offset[1]) * framed.scale
        inside = shown[int(top) : int(top + 18 * framed.scale), int(left) : int(left + 18 * framed.scale)]
        assert np.abs(inside - 120).max() < 60

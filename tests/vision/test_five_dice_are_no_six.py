"""A die is missing, and something else looks like one: a drawing of the bowl, an image in its glaze, a thing hardly like a die."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_dice import EDGE, FRAME, FROM_ABOVE, HEIGHT, INSIDE, PLACES, WIDTH, DrawnEyes, die, drawn, six

from vision.bowl import Bowl
from vision.detector import OnnxDetector
from vision.reader import Reader
from vision.reading import Frame, Rim, Verdict

HERE = Path(__file__).parent
EMPTY = np.full_like(FRAME, 120)
RINGS = {"ring": Rim(332.44, 322.54, 532.81, 529.91, 61.41), "eye": Rim(285.58, 284.35, 447.32, 440.38, 42.57)}
"""Where the rims lie in the small pictures of two made bowls, one painted with rings, one with a fish."""


def part_of(frame: Frame, place: tuple[int, int]) -> Frame:
    (x, y), half = place, EDGE // 2
    return frame[y - half : y + half + 1, x - half : x + half + 1]


@pytest.mark.parametrize("painted", RINGS)
def test_five_dice_and_a_drawing_that_looks_like_a_one_are_asked_about(painted: str) -> None:
    """Both were six sure dice."""
    frame, empty = (np.asarray(cv2.imread(str(HERE / "small_pictures" / f"{painted}_{which}.jpg")), np.uint8) for which in ("five", "empty"))
    bowl = Bowl(RINGS[painted], empty, empty.shape[1], empty.shape[0])
    eyes = OnnxDetector.load(HERE.parents[1] / "models")
    reading = Reader(eyes, bowl).read(frame)
    assert reading.verdict in (Verdict.ASK, Verdict.INCOMPLETE)
    if reading.verdict == Verdict.ASK:
        assert [die.value for die in reading.dice if die.doubt] == [1]


@pytest.mark.parametrize("place", range(6))
def test_a_die_that_was_there_when_the_bowl_was_empty_is_asked_about(place: int) -> None:
    """The face may be found a little beside the spot that was seen to have changed, on what has not."""
    empty, frame, dice = EMPTY.copy(), FRAME.copy(), six()
    part_of(empty, INSIDE[place])[:] = part_of(FRAME, INSIDE[place])
    (x, y), found = dice[place]
    frame[y - 20 : y + 21, x + 20 : x + 40] = 200  # what has come
    assert found.quad is not None
    spotted = list(dice)
    spotted[place] = (x + 24, y), replace(found, quad=tuple((across + 24, down) for across, down in found.quad))
    eyes = DrawnEyes(spotted)
    eyes.read_faces = lambda frame, spots, may_lie=None: [found for _, found in dice]  # type: ignore[method-assign]
    reading = Reader(eyes, Bowl(FROM_ABOVE.rim, empty, WIDTH, HEIGHT)).read(frame)
    assert reading.verdict == Verdict.ASK
    assert "painted" in next(die.doubt for die in reading.dice if die.value == place + 1)


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("veil", [0.2, 0.3, 0.4, 0.48])
def test_an_image_of_a_die_in_the_glaze_is_asked_about_where_the_empty_bowl_is_known(place: int, veil: float) -> None:
    """It takes the colour of the bowl, so that no other die is like it."""
    frame = FRAME.copy()
    part = part_of(frame, INSIDE[place])
    part[:] = (120 + veil * (part.astype(np.float32) - 120)).astype(np.uint8)
    reading = Reader(DrawnEyes(six()), Bowl(FROM_ABOVE.rim, EMPTY, WIDTH, HEIGHT)).read(frame)
    assert reading.verdict in (Verdict.ASK, Verdict.INCOMPLETE)
    if reading.verdict == Verdict.ASK and veil > 0.25:
        assert "mirror image" in reading.why


def test_dice_of_which_a_lamp_pales_the_pips_of_one_are_no_doubt() -> None:
    """It stands out from the bowl as the others do."""
    frame = FRAME.copy()
    (x, y) = INSIDE[4]
    for i, j in PLACES[5]:
        cv2.circle(frame, (x + round(0.24 * EDGE * i), y + round(0.24 * EDGE * j)), 4, (130, 132, 132), -1, cv2.LINE_AA)
    assert Reader(DrawnEyes(six()), Bowl(FROM_ABOVE.rim, EMPTY, WIDTH, HEIGHT)).read(frame).verdict == Verdict.SURE


@pytest.mark.parametrize("known", [True, False])
def test_what_is_taken_for_a_die_but_hardly_like_one_is_asked_about(known: bool) -> None:
    dice = six()
    dice[2] = dice[2][0], replace(dice[2][1], presence=0.55)
    reading = Reader(DrawnEyes(dice), Bowl(FROM_ABOVE.rim, EMPTY if known else None, WIDTH, HEIGHT)).read(FRAME)
    assert (reading.verdict, reading.why) == (Verdict.ASK, "3: perhaps no die")


@pytest.mark.parametrize("light", [0.6, 0.8])
def test_a_tile_that_lay_beside_the_bowl_all_evening_has_not_jumped_when_the_light_there_changes(light: float) -> None:
    """With noise on top it differs from what it was by more than a die does."""
    beside, missing = (60, 60), six()[:5]
    empty = drawn([(beside, 5)])
    frame = drawn([(place, value) for (place, _), value in zip(missing, range(1, 6), strict=True)] + [(beside, 5)]).astype(np.float32)
    frame[:120, :120] = frame[:120, :120] * light + np.random.default_rng(3).normal(0, 40, (120, 120, 1))
    reading = Reader(DrawnEyes([*missing, die(beside, 5)]), Bowl(FROM_ABOVE.rim, empty, WIDTH, HEIGHT)).read(np.clip(frame, 0, 255).astype(np.uint8))
    assert reading.verdict == Verdict.INCOMPLETE

"""The camera's exposure, tone and place drift: what lies in the bowl is the same, and no drift is taken for a thing."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.bowl import Bowl
from vision.change import OTHER_JUMP, Empty, Since
from vision.reading import Frame, Rim
from vision.tone import drift

WIDTH, HEIGHT = 480, 320
RIM = Rim(240.0, 160.0, 280.0, 270.0, 0.0)
BOWL = Bowl(RIM, None, WIDTH, HEIGHT)
EDGE = 26.0
GAINS, POWERS = st.tuples(*[st.floats(0.7, 1.4)] * 3), st.floats(0.75, 1.35)


def table(seed: int) -> Frame:
    """A bowl on a cloth, with rings and a lamp's image in it."""
    coarse = np.random.default_rng(seed).integers(30, 200, (10, 15, 3)).astype(np.uint8)
    picture = np.asarray(cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), np.uint8)
    picture[BOWL.mask() > 0] = (205, 214, 220)
    for radius, ink in ((120, (60, 50, 190)), (80, (150, 80, 40)), (40, (60, 50, 190))):
        cv2.circle(picture, (240, 160), radius, ink, 4, cv2.LINE_AA)
    cv2.ellipse(picture, ((290, 120), (40, 20), 30), (255, 255, 255), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)


def seen(picture: Frame, gains: tuple[float, float, float], power: float) -> Frame:
    return np.clip(255 * np.array(gains) * (picture / 255.0) ** power, 0, 255).astype(np.uint8)


def since(empty: Frame, frame: Frame) -> Since:
    compared = Empty(BOWL, empty).since(frame)
    assert compared is not None
    return compared


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 20), gains=GAINS, power=POWERS, dx=st.integers(-2, 2), dy=st.integers(-2, 2))
def test_other_light_or_a_camera_that_moved_a_little_is_nothing_new_in_the_bowl(
    seed: int, gains: tuple[float, float, float], power: float, dx: int, dy: int
) -> None:
    empty = table(seed)
    frame = np.roll(seen(empty, gains, power), (dy, dx), (0, 1))
    assert not since(empty, frame).unexplained([], EDGE)
    assert not since(empty, frame).covered([])
    assert since(empty, frame).elsewhere() < OTHER_JUMP


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 20), gains=GAINS, power=POWERS, angle=st.floats(0, 6.3), far=st.floats(0, 100), green=st.booleans())
def test_what_has_come_into_the_bowl_is_seen_in_any_light(
    seed: int, gains: tuple[float, float, float], power: float, angle: float, far: float, green: bool
) -> None:
    empty = table(seed)
    laid = empty.copy()
    x, y = round(240 + far * np.cos(angle)), round(160 + far * np.sin(angle))
    cv2.rectangle(laid, (x - 13, y - 13), (x + 13, y + 13), (60, 130, 60) if green else (40, 30, 120), -1)
    assert since(empty, seen(laid, gains, power)).unexplained([], EDGE)


@given(seed=st.integers(0, 20), gains=GAINS, power=POWERS, x=st.integers(0, 300), y=st.integers(0, 200))
def test_a_hand_in_the_picture_does_not_change_what_is_thought_of_the_light(
    seed: int, gains: tuple[float, float, float], power: float, x: int, y: int
) -> None:
    empty = table(seed)
    laid = empty.copy()
    cv2.rectangle(laid, (x, y), (x + 180, y + 120), (110, 140, 190), -1)
    frame = seen(laid, gains, power)
    untouched = np.ones((HEIGHT, WIDTH), bool)
    untouched[y : y + 121, x : x + 181] = False
    apart = np.abs(drift(empty[::3, ::3], frame[::3, ::3]).of(empty) - seen(empty, gains, power)).max(2)
    assert np.percentile(apart[untouched & (empty.max(2) < 245)], 90) < 20

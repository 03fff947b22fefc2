"""Counting pips on faces drawn here."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_dice import PLACES
from hypothesis import given
from hypothesis import strategies as st

from vision.pips import ROOM, SIDE, count_pips
from vision.reading import Frame


def _face(value: int, body: int = 235, pip: int = 25, ground: int = 120, turned: bool = False, size: float = 0.09) -> Frame:
    face = np.full((SIDE, SIDE, 3), ground, np.uint8)
    edge = SIDE / (1 + 2 * ROOM)
    low, high = round(ROOM * edge), round((1 + ROOM) * edge)
    cv2.rectangle(face, (low, low), (high, high), (body,) * 3, -1)
    middle = (SIDE - 1) / 2
    for x, y in PLACES[value]:
        if turned:
            x, y = -y, x
        spot = round(middle + 0.24 * edge * x), round(middle + 0.24 * edge * y)
        cv2.circle(face, spot, max(1, round(size * edge)), (pip,) * 3, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(face, (0, 0), 0.8), np.uint8)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("turned", [False, True])
def test_dark_pips_on_a_light_die_are_counted_either_way_round(value: int, turned: bool) -> None:
    assert count_pips(_face(value, turned=turned)).value == value


@pytest.mark.parametrize("value", range(1, 7))
def test_light_pips_on_a_dark_die_are_counted(value: int) -> None:
    assert count_pips(_face(value, body=40, pip=230)).value == value


def test_the_big_red_one_is_a_one() -> None:
    face = _face(1, size=0.19)
    red = face[:, :, 2] < 128
    face[red] = (20, 20, 200)
    assert count_pips(face).value == 1


@given(value=st.integers(1, 6), ground=st.integers(0, 255), body=st.integers(150, 255))
def test_the_ground_round_the_die_does_not_matter(value: int, ground: int, body: int) -> None:
    assert count_pips(_face(value, body=body, ground=ground)).value == value


def test_a_blank_face_gives_no_clear_count() -> None:
    assert count_pips(np.full((SIDE, SIDE, 3), 200, np.uint8)).fit == 0


@given(value=st.integers(1, 6), noise=st.integers(0, 2**32 - 1))
def test_the_fit_stays_between_nothing_and_one(value: int, noise: int) -> None:
    rough = np.random.default_rng(noise).integers(0, 256, (SIDE, SIDE, 3), np.uint8)
    for face in (_face(value), rough):
        assert 0 <= count_pips(face).fit <= 1


@pytest.mark.parametrize("value", range(2, 7))
def test_pips_alike_are_even(value: int) -> None:
    assert count_pips(_face(value)).evenness[value - 1] > 0.8


@pytest.mark.parametrize("value", [4, 5, 6])
def test_a_face_of_which_glare_has_washed_out_all_pips_but_one_is_uneven(value: int) -> None:
    strong = _face(value)
    washed = _face(value, pip=195)
    middle = (SIDE - 1) // 2
    x, y = PLACES[value][0]
    edge = SIDE / (1 + 2 * ROOM)
    cx, cy = middle + round(0.24 * edge * x), middle + round(0.24 * edge * y)
    washed[cy - 6 : cy + 7, cx - 6 : cx + 7] = strong[cy - 6 : cy + 7, cx - 6 : cx + 7]
    assert count_pips(washed).evenness[value - 1] < 0.35

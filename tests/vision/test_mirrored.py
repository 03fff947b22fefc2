"""A face looked for again in mirrors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detector import OnnxDetector, Spot
from vision.mirrored import MIRRORS, SIDE, elsewhere, mirrored, unmirrored
from vision.reading import Frame
from vision.rectify import Quad, parallelogram, rectify


def _face(x: float, y: float, edge: float = 30.0, angle: float = 0.3) -> Quad:
    return parallelogram((x, y), edge, (0.0, 0.0), (math.cos(4 * angle), math.sin(4 * angle)))


@given(x=st.floats(30, 80), y=st.floats(30, 80), edge=st.floats(10, 40), angle=st.floats(-0.7, 0.7), which=st.sampled_from(MIRRORS))
def test_a_place_in_a_mirror_is_told_where_it_is_and_twice_mirrored_it_is_itself(
    x: float, y: float, edge: float, angle: float, which: tuple[int, int]
) -> None:
    quad = _face(x, y, edge, angle)
    once = unmirrored(quad, which, SIDE)
    down, right = which
    assert np.allclose(once.mean(0), (SIDE - 1 - x if right < 0 else x, SIDE - 1 - y if down < 0 else y), atol=0.01)
    assert np.allclose(unmirrored(once, which, SIDE), quad, atol=0.01)


@pytest.mark.parametrize("k", range(len(MIRRORS)))
def test_what_is_seen_in_a_mirror_is_the_same_face_unmirrored_in_the_picture(k: int) -> None:
    """The corners go round it the same way, so that nobody reads it in a mirror by mistake."""
    picture = np.random.default_rng(3).integers(0, 255, (SIDE, SIDE, 3), dtype=np.uint8)
    quad = _face(50.0, 61.0)
    there = unmirrored(quad, MIRRORS[k], SIDE)
    straight, turned = rectify(picture, quad, 64), rectify(picture, unmirrored(there, MIRRORS[k], SIDE), 64)
    assert any(np.abs(np.rot90(turned, n).astype(int) - straight).mean() < 2 for n in range(4))
    assert mirrored(picture).shape == (len(MIRRORS), SIDE, SIDE, 3)


def test_a_face_lies_elsewhere_only_where_every_mirror_says_so() -> None:
    seen, other = _face(50, 50, 38), _face(50, 58)
    near = [_face(50.0, 58), _face(50.5, 58.5), _face(51, 59)]
    assert elsewhere(seen, near) == 1
    assert elsewhere(seen, near[:2]) is None, "one mirror shows nothing"
    assert elsewhere(seen, [*near[:2], _face(70, 40)]) is None, "one mirror shows something else"
    assert elsewhere(other, near) is None, "it lies where it was seen"
    assert elsewhere(seen, [seen, seen, seen]) is None


class Eyes(OnnxDetector):
    """Reads a face at first so, and, where the mirrors show it elsewhere, so."""

    def __init__(self, first: Spot, elsewhere: Spot, nothing: tuple[float, float]) -> None:
        self.first, self.second, self.nothing = first, elsewhere, nothing

    def found(self, beside: Sequence[Spot] = (), may_lie: Callable[[Quad], bool] = lambda _: True) -> int:
        """The value of the face in doubt: 2 as it was seen at first, 5 as the mirrors have it."""
        self._face: Any = self  # any will do: nothing is asked of it
        found = self.read_faces(np.zeros((200, 200, 3), np.uint8), [self.first, *beside], may_lie)
        return int(np.argmax(found[0].probabilities)) + 1

    def _read(self, frame: Frame, spots: Sequence[Spot]) -> list[tuple[Spot, Any, Any]]:
        chances = {id(self.first): (2, 0.5, self.nothing[0]), id(self.second): (5, 0.9, self.nothing[1])}
        read = []
        for spot in spots:
            value, sure, nothing = chances.get(id(spot), (1, 1.0, 0.0))
            six = [sure if v == value else (1 - sure) / 5 for v in range(1, 7)]
            read.append((spot, np.array([*((1 - nothing) * p for p in six), 0.0, nothing], np.float32), np.array(six, np.float32)))
        return read

    def _elsewhere(self, frame: Frame, spots: Sequence[Spot]) -> list[Spot | None]:
        return [self.second for _ in spots]


def _spot(x: float, y: float) -> Spot:
    return Spot(0.9, _face(x, y), (x - 20, y - 20, 40.0, 40.0), 0.9, (1 / 6,) * 6, 20.0)


def test_a_face_found_in_mirrors_is_read_there() -> None:
    assert Eyes(_spot(100, 100), _spot(100, 108), (0.1, 0.05)).found() == 5


def test_no_die_becomes_less_of_one_in_a_mirror() -> None:
    """A seventh die that did was left out, and the other six were sure."""
    assert Eyes(_spot(100, 100), _spot(100, 108), (0.02, 0.3)).found() == 2


def test_the_face_of_a_neighbour_is_not_taken_for_ones_own() -> None:
    assert Eyes(_spot(100, 100), _spot(100, 108), (0.1, 0.05)).found(beside=[_spot(100, 120)]) == 2


def test_a_face_is_looked_for_only_where_one_may_lie() -> None:
    seen, there = _spot(100, 100), _spot(100, 108)
    assert Eyes(seen, there, (0.1, 0.05)).found(may_lie=lambda quad: quad is not seen.quad) == 2
    assert Eyes(seen, there, (0.1, 0.05)).found(may_lie=lambda quad: quad is not there.quad) == 2

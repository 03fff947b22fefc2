"""A face looked for again in mirrors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.mirrored import MIRRORS, SIDE, elsewhere, mirrored, unmirrored
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

"""The quad of a top face from what a net says of it, and back."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.rectify import edge_of, parallelogram, unrectify

ANY = st.floats(-1e6, 1e6)


@given(x=ANY, y=ANY, along=ANY, across=ANY, cos=ANY, sin=ANY)
def test_whatever_a_net_says_gives_a_quad(x: float, y: float, along: float, across: float, cos: float, sin: float) -> None:
    quad = parallelogram((x, y), 20.0, (along, across), (cos, sin))
    assert quad.shape == (4, 2) and np.isfinite(quad).all() and math.isfinite(edge_of(quad))


@given(x=st.floats(0, 2000), y=st.floats(0, 2000), edge=st.floats(8, 200), pull=st.floats(0, 0.5), axis=st.floats(0, 6.3), angle=st.floats(-3.1, 3.1))
def test_a_quad_keeps_its_place_and_size_however_it_is_turned_and_stretched(
    x: float, y: float, edge: float, pull: float, axis: float, angle: float
) -> None:
    quad = parallelogram((x, y), edge, (pull * math.cos(axis), pull * math.sin(axis)), (math.cos(angle), math.sin(angle)))
    assert np.allclose(quad.mean(0), (x, y), atol=0.01)
    assert math.isclose(edge_of(quad), edge, rel_tol=0.01)
    # it is one: its diagonals share their middle
    assert np.allclose(quad[0] + quad[2], quad[1] + quad[3], atol=0.01)


@given(angle=st.floats(-0.7, 0.7))
def test_an_unstretched_face_is_a_square_turned_by_a_quarter_of_the_angle(angle: float) -> None:
    quad = parallelogram((100.0, 50.0), 40.0, (0.0, 0.0), (math.cos(4 * angle), math.sin(4 * angle)))
    side = quad[1] - quad[0]
    assert math.isclose(float(np.hypot(*side)), 40.0, rel_tol=1e-4)
    assert math.isclose(math.atan2(float(side[1]), float(side[0])), angle, abs_tol=1e-3)


def test_the_corners_of_a_rectified_face_lie_where_the_quad_has_them() -> None:
    quad = parallelogram((100.0, 50.0), 40.0, (0.2, -0.1), (0.5, 0.8))
    low, edge = 0.35 * 64 / 1.7 - 0.5, 64 / 1.7
    flat = np.array([[low, low], [low + edge, low], [low + edge, low + edge], [low, low + edge]])
    assert np.allclose(unrectify(flat, quad, 64), quad, atol=0.01)

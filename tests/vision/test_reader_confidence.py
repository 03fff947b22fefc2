"""How opinions on one die are weighed."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from vision.confidence import Weights, chances, presence, weigh
from vision.pips import PipCount
from vision.reading import Found

WEIGHTS = Weights()
PROBABILITY = st.floats(0.001, 0.999)


def found(value: int, p: float, clear: float = 0.99, there: float = 0.99) -> Found:
    six = tuple(p if v == value else (1 - p) / 5 for v in range(1, 7))
    return Found((0, 0, 30, 30), ((0, 0), (30, 0), (30, 30), (0, 30)), there, six, clear, (six, six))


def counted(value: int, fit: float) -> PipCount:
    return PipCount(value, fit, tuple(fit if v == value else -0.2 for v in range(1, 7)))


@given(value=st.integers(1, 6), other=st.integers(1, 6), p=PROBABILITY, fit=st.floats(0, 1))
def test_the_six_probabilities_are_probabilities(value: int, other: int, p: float, fit: float) -> None:
    six = chances(found(value, p), counted(other, fit), WEIGHTS)
    assert math.isclose(sum(six), 1, abs_tol=1e-6)
    assert all(0 <= v <= 1 for v in six)


@given(value=st.integers(1, 6), other=st.integers(1, 6), p=PROBABILITY, fit=st.floats(0, 1), clear=PROBABILITY)
def test_the_first_of_the_two_likeliest_is_the_likelier(value: int, other: int, p: float, fit: float, clear: float) -> None:
    weighed = weigh(found(value, p, clear), counted(other, fit), WEIGHTS)
    (first, high), (second, low) = weighed.likely
    assert first != second
    assert high >= low >= 0
    assert high == weighed.confidence
    assert high + low <= 1 + 1e-9


@given(value=st.integers(1, 6), p=st.floats(0.5, 0.99), fit=st.floats(0, 0.9))
def test_pips_that_agree_make_surer(value: int, p: float, fit: float) -> None:
    lone = weigh(found(value, p), counted(value, fit), WEIGHTS).confidence
    helped = weigh(found(value, p), counted(value, fit + 0.1), WEIGHTS).confidence
    assert helped >= lone


def test_pips_that_clearly_lie_otherwise_are_a_doubt_however_sure_the_net_is() -> None:
    weighed = weigh(found(5, 0.9999), counted(6, 0.8), WEIGHTS)
    assert "pips" in weighed.doubt


def test_a_die_on_its_edge_is_a_doubt_however_plain_its_face() -> None:
    assert "leans" in weigh(found(5, 0.9999), counted(5, 0.9), WEIGHTS, tilt=35.0).doubt


def test_a_die_on_the_wall_of_the_bowl_is_none_where_its_face_is_plain() -> None:
    assert weigh(found(5, 0.9999), counted(5, 0.9), WEIGHTS, tilt=25.0).doubt == ""


@given(low=st.floats(0, 50), high=st.floats(0, 50), value=st.integers(1, 6), p=st.floats(0.5, 0.999))
def test_a_die_that_leans_further_is_never_surer(low: float, high: float, value: int, p: float) -> None:
    low, high = sorted((low, high))
    flatter, steeper = (weigh(found(value, p), counted(value, 0.5), WEIGHTS, tilt=t) for t in (low, high))
    assert steeper.confidence <= flatter.confidence
    assert steeper.doubt or not flatter.doubt


def test_a_die_without_a_clear_top_is_a_doubt() -> None:
    assert "no clear top" in weigh(found(5, 0.9999, clear=0.1), counted(5, 0.8), WEIGHTS).doubt


@given(low=PROBABILITY, high=PROBABILITY, fit=st.floats(0, 1))
def test_a_place_that_the_nets_believe_in_is_likelier_a_die(low: float, high: float, fit: float) -> None:
    low, high = sorted((low, high))
    count = counted(3, fit)
    assert presence(found(3, 0.9, there=low), count, WEIGHTS) <= presence(found(3, 0.9, there=high), count, WEIGHTS)

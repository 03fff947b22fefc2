"""Dice at rest: votes over several looks can make a reading more careful, never bolder."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from vision.reading import Die, Reading, Verdict
from vision.rest import compare, voted

values = st.lists(st.integers(1, 6), min_size=1, max_size=6)


def reading(shown: list[int], verdict: Verdict = Verdict.SURE, dx: float = 0.0) -> Reading:
    """These values in a row, 40 pixels apart, all shifted by dx."""
    dice = tuple(
        Die(
            v,
            0.99,
            (40.0 * i + dx, 0.0, 20.0, 20.0),
            (40.0 * i + 10 + dx, 10.0),
            True,
            False,
            ((v, 0.99), (v % 6 + 1, 0.01)),
        )
        for i, v in enumerate(shown)
    )
    return Reading(dice, None, verdict, "")


@given(values)
def test_looks_that_agree_stay_what_they_are(shown: list[int]) -> None:
    result = voted([reading(shown)] * 3)
    assert result.values == tuple(sorted(shown))
    assert result.verdict == Verdict.SURE


@given(values, st.data())
def test_a_look_that_contradicts_makes_the_verdict_ask(shown: list[int], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(shown) - 1))
    other = [v % 6 + 1 if i == at else v for i, v in enumerate(shown)]
    looks = data.draw(st.permutations([reading(shown), reading(shown), reading(other)]))
    assert voted(looks).verdict == Verdict.ASK


@given(values, st.lists(st.sampled_from(list(Verdict)), min_size=3, max_size=3))
def test_a_vote_is_sure_only_where_most_looks_are(shown: list[int], verdicts: list[Verdict]) -> None:
    result = voted([reading(shown, verdict) for verdict in verdicts])
    if result.verdict == Verdict.SURE:
        assert verdicts.count(Verdict.SURE) >= 2


@given(values)
def test_what_came_went_and_turned_is_told_apart(shown: list[int]) -> None:
    before = reading(shown)
    assert compare(before, before).same
    turned = [shown[0] % 6 + 1, *shown[1:]]
    assert compare(before, reading(turned)).turned == 1
    fewer = replace(before, dice=before.dice[1:])
    assert (compare(before, fewer).gone, compare(before, fewer).come) == (1, 0)
    assert (compare(fewer, before).gone, compare(fewer, before).come) == (0, 1)

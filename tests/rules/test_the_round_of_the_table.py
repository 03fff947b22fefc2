"""Which round the table is in: counted by the turns that were had, not by what a player is credited with."""

from contextlib import suppress

from game_lines import NONE, dice, game
from hypothesis import given
from hypothesis import strategies as st

from rules.bobing import commands as c
from rules.bobing.decide import decide
from rules.bobing.errors import NotAllowed
from rules.bobing.game import evolve
from rules.bobing.turns import lap


def after(one, command):
    for event in decide(one, command):
        one = evolve(one, event)
    return one


def round_of(one):
    return lap(one.core, one.rules)


def test_a_throw_again_after_a_jump_is_the_same_round():
    assert round_of(game({"jump": "rethrow"}, "甲乙", NONE, "jump")) == 1
    assert round_of(game({"jump": "rethrow"}, "甲乙", NONE, "jump", NONE)) == 2


def test_skipped_turns_and_a_lone_player_have_their_rounds():
    assert round_of(game({}, "甲乙", "jump", NONE)) == 2
    assert [round_of(game({}, "甲", *[NONE] * n)) for n in range(4)] == [1, 2, 3, 4]


SEATS = st.sampled_from(["p1", "p2", "p3"])
THROW = st.just(c.Throw(tuple(dice(NONE))))
DEEDS = st.one_of(
    THROW,
    THROW,
    st.just(c.Jump()),
    st.builds(c.Skip, st.one_of(st.none(), SEATS)),
    st.builds(lambda n, player: c.Correct(n, player=player), st.integers(1, 9), SEATS),
    st.builds(c.SitOut, SEATS),
    st.builds(c.Return, SEATS),
    st.builds(c.MovePlayer, SEATS, SEATS),
)


@given(st.lists(DEEDS, max_size=30))
def test_the_round_never_falls_and_an_undo_brings_the_one_before(deeds):
    one = game({}, "甲乙丙")
    for deed in deeds:
        with suppress(NotAllowed):
            then = after(one, deed)
            assert round_of(then) >= round_of(one)
            if then.past is not one.past:
                assert round_of(after(then, c.Undo())) == round_of(one)
            one = then

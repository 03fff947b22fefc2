"""Players who join late, leave, sit out or change seats; skips by the operator; corrections among all that."""

import pytest
from game_lines import NONE, YIXIU, game

from rules.bobing import commands as c
from rules.bobing import events as e
from rules.bobing.decide import decide
from rules.bobing.errors import DiceError, NotAllowed
from rules.bobing.game import evolve
from rules.bobing.houserules import house_rules
from rules.bobing.ledger import EXTRA

NOTHING = c.Throw((1, 1, 2, 2, 3, 5))
SANHONG = c.Throw((4, 4, 4, 1, 2, 3))


def after(game, *commands):
    for command in commands:
        for event in decide(game, command):
            game = evolve(game, event)
    return game


def order(game):
    return "".join(seat.name for seat in game.ledger.seats)


def turns_of(game, n):
    """Who throws the next n times, throwing nothing."""
    names = ""
    for _ in range(n):
        names += game.ledger.seat(game.core.thrower).name
        game = after(game, NOTHING)
    return names


def has(game, name, tier):
    return next(seat.cakes[tier] for seat in game.ledger.seats if seat.name == name)


def test_a_late_player_throws_in_the_seat_given():
    assert turns_of(after(game("xiamen", "甲乙"), c.AddPlayer("丙")), 4) == "甲乙丙甲"
    assert turns_of(after(game("xiamen", "甲乙"), c.AddPlayer("丙", before="p2")), 4) == "甲丙乙甲"


def test_a_late_player_is_due_as_many_turns_as_the_others_have_left():
    late = after(game({"closing": "throws:2"}, "甲乙", "444412", NONE), c.AddPlayer("丙"))
    assert turns_of(late, 3) == "甲乙丙"
    assert after(late, NOTHING, NOTHING, NOTHING).over


def test_who_sits_out_keeps_the_cakes_and_can_be_chased():
    rules = {"preset": "chase", "stock": [1, 2, 1, 8, 16, 32]}
    away = after(game(rules, "甲乙丙", "444123"), c.SitOut("p1"))
    assert turns_of(away, 3) == "乙丙乙"
    chased = after(away, SANHONG)
    assert has(chased, "甲", 2) == 0 and has(chased, "乙", 2) == 1


def test_who_went_home_took_the_cakes_along():
    rules = {"preset": "chase", "stock": [1, 2, 1, 8, 16, 32]}
    away = after(game(rules, "甲乙丙", "444123"), c.Leave("p1"), SANHONG)
    assert has(away, "甲", 2) == 1 and has(away, "乙", 2) == 0


def test_who_comes_back_throws_again():
    away = after(game("xiamen", "甲乙丙"), c.SitOut("p2"), NOTHING, NOTHING, c.Return("p2"))
    assert turns_of(away, 3) == "甲乙丙"


def test_the_turn_of_whoever_leaves_goes_on():
    assert turns_of(after(game("xiamen", "甲乙丙"), c.Leave("p1")), 3) == "乙丙乙"


def test_players_change_seats():
    moved = after(game("xiamen", "甲乙丙"), c.MovePlayer("p3", before="p2"))
    assert order(moved) == "甲丙乙" and turns_of(moved, 3) == "甲丙乙"
    assert order(after(moved, c.MovePlayer("p1"))) == "丙乙甲"


def test_the_operator_may_mark_the_coming_turn_of_another_player():
    marked = after(game("xiamen", "甲乙丙"), c.Skip("p2"))
    assert turns_of(marked, 4) == "甲丙甲乙"
    with pytest.raises(NotAllowed):
        decide(marked, c.Skip("p2"))


def test_a_marked_skip_stands_when_the_throw_before_it_is_taken_back():
    marked = after(game("xiamen", "甲乙", NONE), c.Skip("p1"))
    back = after(marked, c.TakeBack())
    assert back.core.thrower == "p2" and not back.ledger.seat("p1").skip


def test_a_throw_was_another_players():
    right = after(game("xiamen", "甲乙丙", YIXIU), c.Correct(1, player="p3"))
    assert has(right, "甲", 5) == 0 and has(right, "丙", 5) == 1
    assert right.core.thrower == "p2"  # nobody's turn is moved


def test_taking_back_a_throw_that_was_another_players_gives_the_turn_to_whose_it_was():
    right = after(game("xiamen", "甲乙丙", YIXIU), c.Correct(1, player="p3"), c.TakeBack())
    assert right.core.thrower == "p1"


def test_a_throw_cant_have_been_made_by_somebody_who_joined_later():
    late = after(game("xiamen", "甲乙", YIXIU), c.AddPlayer("丙"))
    with pytest.raises(NotAllowed, match="丙"):
        decide(late, c.Correct(1, player="p3"))
    assert decide(after(late, NOTHING, NOTHING), c.Correct(3, player="p1"))


def test_a_rethrow_is_not_due_from_somebody_who_left():
    left = after(game({"jump": "rethrow"}, "甲", "jump"), c.Leave("p1"), c.Correct(1, jump=True))
    assert left.core.thrower is None


def test_a_tie_of_extra_throws_is_not_waiting_for_somebody_who_left():
    rules = {"closing": "throws:1", "no_champion": "sum"}
    tied = after(game(rules, "甲乙丙", NONE, NONE, NONE, "112233"), c.Leave("p1"), c.Throw((1, 1, 2, 2, 3, 3)))
    again = after(tied, c.Throw((1, 1, 1, 2, 2, 3)))
    assert again.ledger.phase == EXTRA and again.core.thrower == "p2"


def test_an_extra_round_that_everybody_left_waits_for_whoever_comes_back():
    rules = {"closing": "throws:1", "no_champion": "sum"}
    empty = after(game(rules, "甲乙", NONE, NONE), c.SitOut("p1"), c.SitOut("p2"))
    assert empty.core.thrower is None
    assert after(empty, c.Return("p2")).core.thrower == "p2"


def test_a_gift_goes_to_a_throw_that_won_a_cake_of_its_tier_and_only_once():
    prizes = (("yixiu", e.Prize("毛巾", 3, ("红", "蓝"))),)
    start = c.Start(("甲", "乙"), house_rules("xiamen"), prizes)
    begun = after(evolve(None, decide(None, start)[0]), c.Throw((4, 1, 1, 2, 2, 3)), c.Throw((4, 1, 1, 2, 2, 3)))
    noted = after(begun, c.NoteGift(1, "红"))
    assert noted.ledger.gifts == ((1, "红"),)
    for number, gift in ((2, "红"), (2, "绿"), (3, "蓝")):
        with pytest.raises(NotAllowed):
            decide(noted, c.NoteGift(number, gift))
    assert after(noted, c.NoteGift(1, "蓝"), c.NoteGift(2, "红")).ledger.gifts == ((1, "蓝"), (2, "红"))


def test_a_paused_game_takes_no_throw_until_it_goes_on():
    paused = after(game("xiamen", "甲乙"), c.Pause())
    with pytest.raises(NotAllowed):
        decide(paused, NOTHING)
    assert after(paused, c.Resume(), NOTHING).ledger.throws == 1


def test_the_operator_ends_a_game_and_the_holder_is_the_champion():
    ended = after(game("xiamen", "甲乙", "444412"), c.End())
    assert ended.over and ended.ledger.holder.player == "p1" and ended.ledger.ended_by == "operator"
    assert not after(ended, c.Undo()).over


@pytest.mark.parametrize(
    "players",
    [(), ("甲", "甲"), ("",), ("  ",), ("甲", " 甲 "), (None,), ("a\u202eb",), ("甲" * 201,), tuple(f"甲{n}" for n in range(1001))],
)
def test_a_game_needs_distinct_names_that_can_be_read(players):
    with pytest.raises(NotAllowed) as fault:
        decide(None, c.Start(tuple(players), house_rules("xiamen")))
    assert fault.value.key and fault.value.zh and len(str(fault.value).splitlines()) == 1


@pytest.mark.parametrize(
    "command",
    [
        c.Throw((1, 2, 3)),
        c.Correct(0, jump=True),
        c.Correct(2, jump=True),
        c.Correct(1),
        c.Correct(1, dice=(1, 2, 3, 4, 5, 6), jump=True),
        c.Correct(1, dice=(1, 2, 3)),
        c.Correct(1, player="p9"),
        c.AddPlayer("甲"),
        c.AddPlayer("丙", before="p9"),
        c.RenamePlayer("p1", "乙"),
        c.RenamePlayer("p9", "丙"),
        c.MovePlayer("p1", before="p1"),
        c.Return("p1"),
        c.Assign("yixiu", 1, "p1"),
        c.Assign("cake", 1, "p1"),
        c.GiveBack("p1", (0, 0, 0, 0, 0, 9)),
        c.GiveBack("p1", (1,)),
        c.Redo(),
        c.Resume(),
        c.Start(("甲",), house_rules("xiamen")),
        c.Jump((1, 2, 3, 4, 5, 6, 1)),
        c.Jump((0,)),
    ],
)
def test_a_command_that_makes_no_sense_is_refused_in_one_line(command):
    with pytest.raises((NotAllowed, DiceError)) as fault:
        decide(game("xiamen", "甲乙", YIXIU), command)
    assert len(str(fault.value).splitlines()) == 1


def test_before_the_first_game_only_a_start_makes_sense():
    with pytest.raises(NotAllowed):
        decide(None, NOTHING)

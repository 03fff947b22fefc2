"""Section 3 of the spec: who starts, who comes next, and 跳猴."""

import pytest
from game_lines import NONE, YIXIU, cakes, holder, played, skips

from rules.bobing import commands as c
from rules.bobing.decide import decide
from rules.bobing.errors import NotAllowed
from rules.bobing.game import evolve
from rules.bobing.houserules import house_rules


def first_seat(players, first, rules="xiamen"):
    game = evolve(None, decide(None, c.Start(tuple(players), house_rules(rules), first=first))[0])
    return game.ledger.seats[0].name, "".join(seat.name for seat in game.ledger.seats), game.first


def test_play_goes_round_in_the_order_of_the_list():
    assert [played("xiamen", "甲乙丙", *[NONE] * n)["turn"] for n in range(5)] == ["甲", "乙", "丙", "甲", "乙"]


@pytest.mark.parametrize(
    ("dice", "starter"), [((1, 1), "乙"), ((1, 2), "丙"), ((2, 2), "丁"), ((2, 3), "甲"), ((6, 6), "丁")]
)
def test_the_thrower_of_the_two_dice_counts_as_one(dice, starter):
    seat, order, _ = first_seat("甲乙丙丁", c.First(elder=0, dice=dice))
    assert seat == starter
    assert order == ("甲乙丙丁" * 2)[("甲乙丙丁").index(starter) :][:4]


def test_counting_starts_from_whoever_is_the_elder():
    assert first_seat("甲乙丙丁", c.First(elder=2, dice=(1, 2)))[0] == "甲"


def test_counting_may_go_against_the_order_of_play():
    rules = {"count_direction": "clockwise"}
    assert first_seat("甲乙丙丁", c.First(elder=0, dice=(1, 1)), rules)[0] == "丁"
    both = {"count_direction": "clockwise", "direction": "clockwise"}
    assert first_seat("甲乙丙丁", c.First(elder=0, dice=(1, 1)), both)[0] == "乙"


def test_a_random_start_shows_its_draw_and_is_written_down():
    seat, _, how = first_seat("甲乙丙", c.First(draw=7))
    assert seat == "乙" and "7" in how


def test_a_start_of_two_dice_is_written_down():
    assert "3+4" in first_seat("甲乙丙", c.First(elder=0, dice=(3, 4)))[2]


@pytest.mark.parametrize("dice", [(1,), (0, 1), (7, 1), (1, 2, 3), ()])
def test_the_start_needs_two_real_dice(dice):
    with pytest.raises(NotAllowed):
        first_seat("甲乙", c.First(elder=0, dice=dice))


def test_a_jump_is_void_whatever_lies_in_the_bowl():
    answer = played("xiamen", "甲乙", {"jump": 1, "dice": [4, 4, 4, 4, 4, 4]})
    assert holder(answer) is None and cakes(answer, "甲") == {} and answer["throws"] == 1 and not answer["over"]


def test_the_next_turn_of_whoever_jumped_is_skipped_and_used_up():
    assert skips(played("xiamen", "甲乙丙", "jump")) == ["甲"]
    assert played("xiamen", "甲乙丙", "jump", NONE)["turn"] == "丙"
    answer = played("xiamen", "甲乙丙", "jump", NONE, NONE)
    assert answer["turn"] == "乙" and skips(answer) == []
    assert played("xiamen", "甲乙丙", "jump", NONE, NONE, NONE, NONE)["turn"] == "甲"


def test_skips_never_add_up():
    two_jumps = (NONE, NONE, "jump", (1, "jump"))
    assert skips(played("xiamen", "甲乙", *two_jumps)) == ["甲"]
    assert played("xiamen", "甲乙", *two_jumps, NONE)["turn"] == "乙"
    assert played("xiamen", "甲乙", *two_jumps, NONE, NONE)["turn"] == "甲"


def test_if_everybodys_next_turn_is_skipped_all_are_used_up_and_the_next_player_throws():
    answer = played("xiamen", "甲乙丙", "jump", "jump", "jump")
    assert answer["turn"] == "甲" and skips(answer) == []


def test_a_single_player_who_jumped_throws_again_after_the_skipped_turn():
    answer = played("xiamen", "甲", "jump")
    assert answer["turn"] == "甲" and skips(answer) == []


def test_two_jumps_in_a_row_skip_both():
    assert played("xiamen", "甲乙丙", "jump", "jump")["turn"] == "丙"
    answer = played("xiamen", "甲乙丙", "jump", "jump", NONE)
    assert answer["turn"] == "丙" and skips(answer) == []


def test_with_rethrow_the_same_player_throws_until_all_dice_stay_in():
    answer = played({"jump": "rethrow"}, "甲乙", "jump", "jump", YIXIU)
    assert answer["turn"] == "乙" and cakes(answer, "甲") == {"yixiu": 1} and answer["throws"] == 3


def test_with_void_the_throw_is_void_and_nothing_is_skipped():
    answer = played({"jump": "void"}, "甲乙", "jump", NONE)
    assert answer["turn"] == "甲" and skips(answer) == []


def test_with_off_a_jump_with_six_dice_is_scored():
    answer = played({"jump": "off"}, "甲乙", {"jump": 1, "dice": [4, 1, 1, 2, 2, 3]})
    assert cakes(answer, "甲") == {"yixiu": 1} and answer["turn"] == "乙" and skips(answer) == []


def test_the_current_player_may_pass():
    answer = played("xiamen", "甲乙丙", "skip")
    assert answer["turn"] == "乙" and answer["throws"] == 0

"""Section 4 of the spec, closing rules of events: N turns, the lap, the clock, and what comes where there is no champion."""

import pytest
from game_lines import NONE, YIXIU, cakes, game, holder, played, skips

from rules.bobing import commands as c
from rules.bobing.decide import decide
from rules.bobing.game import evolve


def after(game, *commands):
    for command in commands:
        for event in decide(game, command):
            game = evolve(game, event)
    return game


THROWS_2 = {"closing": "throws:2"}
SUM = {"closing": "throws:1", "no_champion": "sum"}


def test_everybody_has_n_turns():
    assert not played(THROWS_2, "甲乙", "444412", NONE, NONE)["over"]
    answer = played(THROWS_2, "甲乙", "444412", NONE, NONE, NONE)
    assert answer["over"] and cakes(answer, "甲") == {"zhuangyuan": 1} and answer["stock"]["yixiu"] == 32


def test_a_void_throw_counts_as_a_turn():
    assert played({**THROWS_2, "jump": "void"}, "甲乙", "444412", "jump", "jump", "jump")["over"]


def test_a_skipped_turn_counts_as_a_turn_when_it_comes():
    answer = played(THROWS_2, "甲乙", "444412", "jump", NONE)
    assert answer["over"] and answer["throws"] == 3


def test_a_passed_turn_counts_as_a_turn():
    assert played(THROWS_2, "甲乙", "444412", "skip", "skip", "skip")["over"]


def test_a_rethrow_does_not_count_as_a_turn():
    rules = {**THROWS_2, "jump": "rethrow"}
    assert not played(rules, "甲乙", "444412", "jump", NONE, NONE, "jump")["over"]
    assert played(rules, "甲乙", "444412", "jump", NONE, NONE, "jump", NONE)["over"]


def test_all_out_ends_a_game_of_n_throws_before_its_time():
    assert played({**THROWS_2, "stock": [1, 0, 0, 0, 0, 1]}, "甲乙", "444412", YIXIU)["over"]


def test_without_a_champion_play_goes_on_until_there_is_one():
    answer = played(THROWS_2, "甲乙", NONE, NONE, NONE, NONE, YIXIU)
    assert not answer["over"] and answer["turn"] == "乙" and cakes(answer, "甲") == {"yixiu": 1}
    answer = played(THROWS_2, "甲乙", NONE, NONE, NONE, NONE, YIXIU, "444412")
    assert answer["over"] and cakes(answer, "乙") == {"zhuangyuan": 1}


def test_a_skip_used_up_in_the_last_lap_leaves_the_turn_to_the_next_player():
    answer = played(THROWS_2, "甲乙", NONE, "jump", NONE)
    assert not answer["over"] and answer["turn"] == "甲" and skips(answer) == []


def test_the_lap_is_finished_after_the_last_cake():
    rules = {"closing": "lap", "stock": [1, 0, 0, 0, 0, 1]}
    answer = played(rules, "甲乙丙", "444412", NONE, NONE, YIXIU)
    assert not answer["over"] and answer["turn"] == "乙"
    assert not played(rules, "甲乙丙", "444412", NONE, NONE, YIXIU, NONE)["over"]
    answer = played(rules, "甲乙丙", "444412", NONE, NONE, YIXIU, "444413", NONE)
    assert answer["over"] and cakes(answer, "乙") == {"zhuangyuan": 1}


def test_a_last_cake_won_by_the_last_of_the_lap_ends_the_game_there():
    assert played({"closing": "lap", "stock": [1, 0, 0, 0, 0, 1]}, "甲乙", "444412", YIXIU)["over"]


def test_after_the_last_lap_without_a_champion_the_first_champion_throw_ends_it():
    rules = {"closing": "lap", "stock": [1, 0, 0, 0, 0, 1]}
    answer = played(rules, "甲乙", YIXIU, NONE)
    assert not answer["over"] and answer["turn"] == "甲"
    assert played(rules, "甲乙", YIXIU, NONE, "444412")["over"]


def test_after_the_last_lap_without_a_champion_the_sum_decides():
    rules = {"closing": "lap", "stock": [1, 0, 0, 0, 0, 1], "no_champion": "sum"}
    answer = played(rules, "甲乙", YIXIU, NONE, NONE, "666655")
    assert answer["over"] and holder(answer) == ("乙", "sum", 34)


def test_a_lap_ends_although_a_correction_made_the_turns_uneven():
    rules = {"closing": "lap", "jump": "rethrow", "stock": [1, 0, 0, 0, 0, 1]}
    answer = played(rules, "甲乙", "jump", "444412", (1, NONE), NONE, YIXIU, NONE)
    assert answer["over"]


def test_with_sum_the_first_player_begins_the_extra_throws():
    answer = played(SUM, "甲乙丙", NONE, NONE, NONE)
    assert not answer["over"] and answer["turn"] == "甲"


def test_extra_throws_earn_no_cakes_and_count_in_throws():
    answer = played(SUM, "甲乙", NONE, NONE, YIXIU, "666666")
    assert answer["over"] and answer["throws"] == 4 and cakes(answer, "甲") == {} and answer["stock"]["yixiu"] == 32


def test_the_best_champion_throw_among_the_extra_ones_wins():
    answer = played(SUM, "甲乙丙", NONE, NONE, NONE, "444412", "444466", "666655")
    assert answer["over"] and holder(answer) == ("乙", "sihong", 12)


def test_the_first_of_equal_extra_champion_throws_wins():
    answer = played(SUM, "甲乙丙", NONE, NONE, NONE, NONE, "444425", "444416")
    assert holder(answer)[0] == "乙"


def test_without_a_champion_throw_the_largest_sum_wins():
    answer = played(SUM, "甲乙", NONE, NONE, "666653", "666652")
    assert answer["over"] and holder(answer) == ("甲", "sum", 32)
    assert answer["champion"] == {"player": "甲", "dice": [6, 6, 6, 6, 5, 3], "kind": "sum", "carry": 32}
    assert cakes(answer, "甲") == {"zhuangyuan": 1}


def test_those_with_equal_sums_throw_again_and_only_those():
    lines = (NONE, NONE, NONE, "666653", "112233", "566663")
    answer = played(SUM, "甲乙丙", *lines)
    assert not answer["over"] and answer["turn"] == "甲"
    assert played(SUM, "甲乙丙", *lines, "112233")["turn"] == "丙"
    answer = played(SUM, "甲乙丙", *lines, "112233", "112235")
    assert answer["over"] and holder(answer) == ("丙", "sum", 14) and answer["throws"] == 8


def test_a_champion_throw_of_the_second_round_beats_any_sum():
    answer = played(SUM, "甲乙", NONE, NONE, "112233", "112233", "666665", "444412")
    assert holder(answer) == ("甲", "wuzi", 5)
    answer = played(SUM, "甲乙", NONE, NONE, "112233", "112233", "666655", "444412")
    assert holder(answer) == ("乙", "sihong", 3)


def test_a_jump_among_the_extra_throws_has_no_sum():
    answer = played(SUM, "甲乙", NONE, NONE, "jump", "111122")
    assert answer["over"] and holder(answer) == ("乙", "sum", 8)
    again = played(SUM, "甲乙", NONE, NONE, "jump", "jump")
    assert not again["over"] and again["turn"] == "甲"


def test_a_rethrow_among_the_extra_throws_is_thrown_again():
    answer = played({**SUM, "jump": "rethrow"}, "甲乙", NONE, NONE, "jump")
    assert not answer["over"] and answer["turn"] == "甲"


def test_six_turns_of_a_company_without_a_champion_end_by_sum():
    answer = played("company", "甲乙", *[NONE] * 12, "666655", "666654")
    assert answer["over"] and holder(answer) == ("甲", "sum", 34)


@pytest.mark.parametrize("no_champion", ["play_on", "sum"])
def test_all_out_without_a_champion_is_no_end_and_brings_no_extra_throws(no_champion):
    answer = played({"stock": [1, 0, 0, 0, 0, 1], "no_champion": no_champion}, "甲乙", YIXIU, YIXIU, YIXIU)
    assert not answer["over"] and answer["turn"] == "乙" and cakes(answer, "甲") == {"yixiu": 1}


CLOCK = {"closing": "clock:30"}


def test_when_the_time_is_up_the_running_lap_is_finished():
    running = after(game(CLOCK, "甲乙丙", "444412"), c.RingClock())
    assert not running.over and running.core.thrower == "p2"
    running = after(running, c.Throw((1, 1, 2, 2, 3, 5)))
    assert not running.over
    assert after(running, c.Throw((1, 1, 2, 2, 3, 5))).over


def test_a_clock_that_rings_between_two_laps_ends_the_game_at_once():
    assert after(game(CLOCK, "甲乙", "444412", NONE), c.RingClock()).over


def test_a_clock_that_rings_before_the_first_throw_leaves_one_lap():
    running = after(game(CLOCK, "甲乙"), c.RingClock())
    assert not running.over
    assert after(running, c.Throw((4, 4, 4, 4, 1, 2)), c.Throw((1, 1, 2, 2, 3, 5))).over


def test_the_clock_rings_once_and_only_where_the_house_has_one():
    rung = after(game(CLOCK, "甲乙", "444412"), c.RingClock())
    assert decide(rung, c.RingClock()) == ()
    assert decide(game("xiamen", "甲乙"), c.RingClock()) == ()


def test_after_the_clock_without_a_champion_the_sum_decides():
    running = after(game({**CLOCK, "no_champion": "sum"}, "甲乙", NONE), c.RingClock(), c.Throw((1, 1, 2, 2, 3, 5)))
    assert not running.over and running.core.thrower == "p1"
    ended = after(running, c.Throw((6, 6, 6, 6, 5, 5)), c.Throw((6, 6, 6, 6, 5, 3)))
    assert ended.over and ended.ledger.holder is not None and ended.ledger.holder.player == "p1"


def test_a_lap_ends_when_the_last_in_it_goes_home():
    rules = {"closing": "lap", "stock": [1, 0, 0, 0, 0, 1]}
    running = game(rules, "甲乙丙", "444412", YIXIU)
    assert not running.over
    assert after(running, c.Leave("p3")).over


def test_a_lap_ends_although_players_changed_seats_in_it():
    rules = {"closing": "lap", "stock": [1, 0, 0, 0, 0, 1]}
    running = after(game(rules, "甲乙丙丁", "444412"), c.MovePlayer("p4", before="p2"))
    for _ in range(2):
        running = after(running, c.Throw((1, 1, 2, 2, 3, 5)))
    running = after(running, c.Throw((4, 1, 1, 2, 2, 3)))
    while not running.over and running.ledger.throws < 12:
        running = after(running, c.Throw((1, 1, 2, 2, 3, 5)))
    assert running.over

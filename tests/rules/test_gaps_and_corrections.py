"""Section 6 of the spec, gap by gap, above all what a correction does; and undo in the lines of a replay."""

import json

import game_lines
import oracle_game
import pytest
from game_lines import NONE, YIXIU, cakes, game, holder, left, played, skips

from rules.bobing.replay import replay, summary

ONE_EACH = {"stock": [1, 1, 1, 1, 1, 1]}


def test_a_void_throw_is_the_players_throw_of_the_lap_except_where_it_is_thrown_again():
    assert played({"jump": "void"}, "甲乙", "jump")["turn"] == "乙"
    assert played({"jump": "rethrow"}, "甲乙", "jump")["turn"] == "甲"


def test_a_sold_out_sijin_leaves_its_bundled_yixiu_and_the_reverse():
    assert cakes(played(ONE_EACH, "甲乙", "333312", "333341"), "乙") == {"yixiu": 1}
    assert cakes(played(ONE_EACH, "甲乙", YIXIU, "333341"), "乙") == {"sijin": 1}


def test_a_corrected_throw_keeps_its_player_and_is_worth_something_else():
    answer = played("xiamen", "甲乙", YIXIU, "441233", (1, "444123"))
    assert cakes(answer, "甲") == {"sanhong": 1} and cakes(answer, "乙") == {"erju": 1} and answer["turn"] == "甲"
    assert answer["throws"] == 2 and answer["stock"]["yixiu"] == 32


def test_all_that_follows_a_correction_is_evaluated_again():
    rules = {"preset": "chase", "stock": [1, 2, 1, 8, 16, 32]}
    before = played(rules, "甲乙丙", "444123", "444123", NONE)
    assert [cakes(before, n) for n in "甲乙丙"] == [{}, {"sanhong": 1}, {}]
    after = played(rules, "甲乙丙", "444123", "444123", NONE, (2, "444412"))
    assert [cakes(after, n) for n in "甲乙丙"] == [{"sanhong": 1}, {}, {}] and holder(after)[0] == "乙"


def test_a_correction_of_a_champion_throw_moves_the_champion():
    answer = played("xiamen", "甲乙丙", "444412", "444413", NONE, (2, NONE))
    assert holder(answer) == ("甲", "sihong", 3)


def test_nobodys_turn_is_moved_by_a_jump_found_out_late():
    lines = (YIXIU, NONE, YIXIU, NONE)
    answer = played("xiamen", "甲乙", *lines, (1, "jump"))
    # 甲's third throw stands; the skip falls on the coming turn of 甲
    assert cakes(answer, "甲") == {"yixiu": 1} and answer["turn"] == "乙" and skips(answer) == []


def test_a_skip_whose_turn_has_passed_falls_on_that_players_next_turn():
    answer = played("xiamen", "甲乙", YIXIU, NONE, YIXIU, (1, "jump"))
    assert answer["turn"] == "乙" and skips(answer) == ["甲"]
    assert played("xiamen", "甲乙", YIXIU, NONE, YIXIU, (1, "jump"), NONE)["turn"] == "乙"


def test_a_jump_found_out_at_once_costs_the_coming_turn():
    answer = played("xiamen", "甲乙", YIXIU, (1, "jump"))
    assert answer == played("xiamen", "甲乙", "jump")


def test_a_jump_found_out_when_the_lap_is_round_skips_the_turn_that_has_come():
    assert played("xiamen", "甲乙", YIXIU, NONE, (1, "jump")) == played("xiamen", "甲乙", "jump", NONE)


def test_a_jump_that_was_none_gives_the_coming_turn_back():
    assert played("xiamen", "甲乙", "jump", (1, YIXIU)) == played("xiamen", "甲乙", YIXIU)
    assert played("xiamen", "甲乙", "jump", NONE, (1, YIXIU)) == played("xiamen", "甲乙", YIXIU, NONE)


def test_a_last_throw_that_was_a_rethrow_jump_after_all_is_thrown_again():
    rules = {"jump": "rethrow"}
    assert played(rules, "甲乙", YIXIU, (1, "jump")) == played(rules, "甲乙", "jump")
    assert played(rules, "甲乙", "jump", (1, YIXIU)) == played(rules, "甲乙", YIXIU)


def test_two_jumps_found_out_late_use_up_both_skips():
    assert played("xiamen", "甲乙", YIXIU, "jump", (1, "jump")) == played("xiamen", "甲乙", "jump", "jump")


def test_throws_after_an_end_that_a_correction_brought_are_kept_void_and_marked():
    lines = ("444412", YIXIU, YIXIU, (2, "444444"))
    over = game("xiamen", "甲乙", *lines)
    answer = summary(over)
    assert answer["over"] and answer["throws"] == 3 and answer["turn"] is None
    assert cakes(answer, "甲") == {} and cakes(answer, "乙")["yixiu"] == 32
    assert [o.void for o in over.core.outcomes] == ["", "", "after_end"]


def test_a_correction_that_takes_the_end_away_opens_the_game_again():
    answer = played("xiamen", "甲乙", "444412", "444444", (2, YIXIU))
    assert not answer["over"] and answer["turn"] == "甲" and cakes(answer, "乙") == {"yixiu": 1}
    answer = played("xiamen", "甲乙", "444412", YIXIU, YIXIU, (2, "444444"), (2, YIXIU))
    assert answer == played("xiamen", "甲乙", "444412", YIXIU, YIXIU)


def test_after_the_end_a_throw_can_still_be_corrected():
    answer = played({"stock": [1, 0, 0, 0, 0, 1]}, "甲乙", "444412", YIXIU, (1, "444466"))
    assert answer["over"] and holder(answer) == ("甲", "sihong", 12)


def test_the_k_th_throw_counts_void_ones_and_not_passed_turns():
    answer = played({"jump": "void"}, "甲乙丙", "jump", "skip", YIXIU, (2, "441233"))
    assert cakes(answer, "丙") == {"erju": 1} and answer["throws"] == 2


def test_a_correction_of_a_correction_counts_last():
    assert played("xiamen", "甲乙", NONE, (1, YIXIU), (1, "jump"), (1, "441233")) == played("xiamen", "甲乙", "441233")


def test_undo_takes_the_last_throw_back_again_and_again_down_to_none():
    start = played("xiamen", "甲乙")
    assert played("xiamen", "甲乙", YIXIU, "undo") == start
    assert played("xiamen", "甲乙", YIXIU, "jump", "441233", "undo", "undo") == played("xiamen", "甲乙", YIXIU)
    assert played("xiamen", "甲乙", YIXIU, "jump", "undo", "undo", "undo", "undo") == start


def test_undo_after_the_end_opens_the_game_again():
    answer = played("xiamen", "甲乙", YIXIU, "444444", "undo")
    assert answer == played("xiamen", "甲乙", YIXIU)


def test_undo_brings_a_used_up_skip_back():
    assert played("xiamen", "甲乙", "jump", NONE, "undo") == played("xiamen", "甲乙", "jump")
    assert skips(played("xiamen", "甲乙", "jump", NONE, "undo")) == ["甲"]


def test_undo_takes_the_turns_passed_after_the_throw_back_too():
    assert played("xiamen", "甲乙丙", YIXIU, "skip", "undo") == played("xiamen", "甲乙丙")


def test_undo_takes_a_corrected_throw_back_and_leaves_corrections_of_others():
    assert played("xiamen", "甲乙", NONE, NONE, (2, YIXIU), "undo") == played("xiamen", "甲乙", NONE)
    assert played("xiamen", "甲乙", NONE, NONE, (1, YIXIU), "undo") == played("xiamen", "甲乙", YIXIU)


def test_undo_of_an_extra_throw_leaves_the_others():
    rules = {"closing": "throws:1", "no_champion": "sum"}
    answer = played(rules, "甲乙", NONE, NONE, "666655", "666653", "undo")
    assert not answer["over"] and answer["turn"] == "乙" and answer["throws"] == 3


def test_undo_after_a_late_jump_finds_the_turn_that_the_jump_leaves():
    answer = played("xiamen", "甲乙", YIXIU, NONE, YIXIU, (1, "jump"), "undo")
    assert answer == played("xiamen", "甲乙", "jump", NONE)


@pytest.mark.parametrize("seed", range(12))
def test_a_corrected_past_equals_the_game_played_right(seed):
    """Where order and end are unchanged; wrong readings are set right at any later time, in any order."""
    chance = game_lines.chance(f"right {seed}")
    compared = 0
    while compared < 25:
        rules = game_lines.random_rules(chance)
        if rules.get("jump") == "off" or (rules["preset"] == "company" and "closing" not in rules):
            continue
        right = _throws_only(chance, rules)
        if right is None:
            continue
        wrong = [right[0]]
        pending = []
        for number, line in enumerate(right[1:], 1):
            if chance.random() < 0.3:
                wrong.append(chance.choice([{"jump": 1}, {"dice": game_lines.random_dice(chance, 0.3)}]))
                pending.append({"correct": number, **({"jump": 1} if "jump" in line else line)})
            else:
                wrong.append(line)
            while pending and chance.random() < 0.3:
                wrong.append(pending.pop(chance.randrange(len(pending))))
        try:
            fixed = replay([json.dumps(one) for one in [*wrong, *pending]])
        except ValueError:
            continue  # the wrong game was over too early: its end was another
        played_right = replay([json.dumps(one) for one in right])
        order = [o.player for o in played_right.core.outcomes]
        if [o.player for o in fixed.core.outcomes] != order or any(o.void == "after_end" for o in fixed.core.outcomes):
            continue
        compared += 1
        assert summary(fixed) == summary(played_right), "\n".join(map(json.dumps, [*wrong, *pending]))


def _throws_only(chance, rules):
    lines = game_lines.random_lines(chance, rules, fixes=0, rare=0.3, most=12)
    return lines if len(lines) > 2 and oracle_game.replay(lines)["throws"] == len(lines) - 1 else None


@pytest.mark.parametrize("seed", range(4))
def test_correcting_a_throw_and_correcting_it_back_changes_nothing(seed):
    chance = game_lines.chance(f"there and back {seed}")
    for _ in range(40):
        lines = game_lines.random_lines(
            chance,
            {**game_lines.random_rules(chance), "jump": chance.choice(["void", "void_and_skip", "rethrow"])},
            most=12,
        )
        before = replay([json.dumps(one) for one in lines])
        if not before.ledger.throws:
            continue
        number = chance.randint(1, before.ledger.throws)
        was = before.core.outcomes[number - 1]
        back = {"jump": 1} if was.jump else {"dice": list(was.dice)}
        there = chance.choice([{"jump": 1}, {"dice": game_lines.random_dice(chance)}])
        fixes = [{"correct": number, **there}, {"correct": number, **back}]
        after = replay([json.dumps(one) for one in [*lines, *fixes]])
        assert summary(after) == summary(before), "\n".join(map(json.dumps, [*lines, *fixes]))


def test_left_of_an_undone_game_is_the_full_stock():
    assert left(played("xiamen", "甲", YIXIU, "undo")) == left(played("xiamen", "甲"))

"""Every announced result is explained in Chinese and English by the rule that decided it."""

import re

import game_lines
import pytest
from game_lines import NONE, YIXIU, game

from rules.bobing import commands as c
from rules.bobing.decide import decide
from rules.bobing.game import evolve
from rules.bobing.why import why

ONE_EACH = {"stock": [1, 1, 1, 1, 1, 1]}
CHASE = {"preset": "chase", "sijin_bundle": True, "stock": [1, 1, 1, 8, 1, 1]}


def told(running, number=None):
    names = {seat.id: seat.name for seat in running.ledger.seats}
    outcome = running.core.outcomes[-1 if number is None else number - 1]
    return why(outcome, running.rules, names)


def last(rules, players, *lines):
    return told(game(rules, players, *lines))


def test_the_example_of_a_bundle_whose_yixiu_is_chased():
    text = last(CHASE, "甲乙丙", NONE, YIXIU, "333341")
    for part in ("四进带一秀", "four 3s and one 4", "四进 7 of 8 left", "一秀 sold out, chased from 乙"):
        assert part in text.en
    for part in ("四进带一秀", "四个 3、一个 4", "四进还剩 7/8", "一秀已博完，向乙追一个"):
        assert part in text.zh


@pytest.mark.parametrize(
    ("dice", "en", "zh"),
    [
        (YIXIU, "one 4", "一个 4"),
        ("441233", "two 4s", "两个 4"),
        ("444123", "three 4s", "三个 4"),
        ("333312", "four 3s", "四个 3"),
        ("123456", "1, 2, 3, 4, 5, 6", "1、2、3、4、5、6"),
        ("444425", "2 and 5", "2 加 5"),
        ("444411", "four 4s and two 1s", "四个 4、两个 1"),
        ("333335", "five 3s", "五个 3"),
        ("444446", "five 4s", "五个 4"),
        ("444444", "six 4s", "六个 4"),
        ("222222", "six 2s", "六个 2"),
        (NONE, "no 4", "没有 4"),
    ],
)
def test_what_lies_there_is_said(dice, en, zh):
    text = last("xiamen", "甲乙", dice)
    assert en in text.en and zh in text.zh


@pytest.mark.parametrize(
    ("rules", "lines", "en", "zh"),
    [
        (ONE_EACH, (YIXIU, YIXIU), "一秀 sold out: no cake", "一秀已博完，无饼"),
        (CHASE, (YIXIU, NONE, YIXIU), "nobody to chase", "无人可追"),
        ("xiamen", ("444412",), "甲 holds the champion cake", "状元归甲"),
        ("xiamen", ("444412", "444413"), "乙 holds the champion cake", "状元归乙"),
        ("xiamen", ("444413", "444412"), "does not beat 甲's four reds with 4", "不及甲的状元带4"),
        ("xiamen", ("444412", NONE, "444413"), "甲 keeps", "仍归甲"),
        ("xiamen", ("444413", NONE, "444412"), "lower", "降了"),
        ("xiamen", ("444466", "444413", "444412"), "禄骨", "禄骨"),
        ("xiamen", ("444411", "444411"), "another golden flower stands already", "已有人插金花在先"),
        (ONE_EACH, ("123456", "444411"), "no 对堂 left", "没有对堂"),
        ("xiamen", ("444123", "444444"), "甲 hands over 1 三红", "甲交出三红 1 个"),
        ("xiamen", ("444123", NONE, YIXIU, "444444"), "甲 hands over 1 三红, 1 一秀", "甲交出三红 1 个、一秀 1 个"),
        ("xiamen", ("444444",), "takes 2 对堂, 4 三红, 8 四进, 16 二举, 32 一秀 from the table", "得桌上对堂 2 个、三红 4 个、四进 8 个、二举 16 个、一秀 32 个"),
        ({"lugu_keeps_duitang": False}, ("444411", "444446", "444412"), "2 对堂 of the flower go back", "放回桌上"),
        ("xiamen", ("jump",), "void, and 甲 misses the next turn", "甲下一轮停掷"),
        ({"jump": "rethrow"}, ("jump",), "甲 throws again", "甲重掷"),
        ({"jump": "void"}, ("jump",), "void", "作废"),
        ("xiamen", ("222222",), "everybody grabs", "抢饼"),
        ("contest", ("222222",), "shared by all", "大家同享"),
        ("xiamen", ("444444",), "ends the game at once", "本局立即结束"),
        ({"liubohong": "nothing"}, ("444444",), "does not count", "不算"),
        ({"preset": "contest", "liubohei_faces": [6]}, ("222222",), "only ranks", "只比大小"),
        ({"liubohong": "share_rest"}, ("444444",), "the rest is shared", "其余大家同享"),
        ({"stock": [1, 0, 0, 0, 0, 1]}, ("444412", YIXIU), "all cakes are out", "饼已博完"),
        ({"closing": "throws:1"}, ("444412", NONE), "everybody has had all turns", "掷数已满"),
        ({"closing": "lap", "stock": [1, 0, 0, 0, 0, 1]}, ("444412", YIXIU), "the round is finished", "本轮已满"),
    ],
)
def test_the_rule_that_decided_is_named(rules, lines, en, zh):
    text = last(rules, "甲乙", *lines)
    assert en in text.en and zh in text.zh, text


def test_extra_throws_say_their_sum():
    rules = {"closing": "throws:1", "no_champion": "sum"}
    text = last(rules, "甲乙", NONE, NONE, "666655", "112235")
    assert "sum 14" in text.en and "点数和 14" in text.zh and "extra throws found the champion" in text.en


def test_a_throw_after_an_end_that_a_correction_brought_says_so():
    ended = game("xiamen", "甲乙", NONE, YIXIU, (1, "444444"))
    assert "after the end" in told(ended, 2).en and "终局之后" in told(ended, 2).zh


def test_an_extra_throw_that_was_not_due_after_all_says_so():
    rules = {"closing": "throws:1", "no_champion": "sum"}
    ended = game(rules, "甲乙", NONE, NONE, "666655", "666653", (1, "444412"))
    assert "after the end" in told(ended, 3).en


def test_the_names_are_those_of_now():
    running = game("xiamen", "甲乙", "444412", "444413")
    for event in decide(running, c.RenamePlayer("p2", "小乙")):
        running = evolve(running, event)
    assert "小乙" in told(running, 2).zh


def test_both_languages_say_something_in_every_random_game():
    chance = game_lines.chance("why")
    for _ in range(60):
        lines = game_lines.random_lines(chance, game_lines.random_rules(chance), most=15)
        running = game(lines[0]["rules"], lines[0]["players"], *lines[1:])
        for number in range(1, running.ledger.throws + 1):
            text = told(running, number)
            assert text.zh and text.en and not re.search(r"\bp\d\b|None|[；;]\s*$", text.zh + text.en), text

"""What the operator is told before undo and redo, how the TV is set, and old games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from table_talk import THREE_REDS, give, started

from device.errors import Refused
from device.table import Table


def zh(table: Table, which: str) -> str | None:
    words = table.state()[which]
    return None if words is None else str(words["zh"])


def test_undo_and_redo_say_what_they_would_do(make: Callable[..., Table]) -> None:
    table = started(make())
    assert (zh(table, "undoes"), zh(table, "redoes")) == (None, None)
    give(table, "throw", dice=list(THREE_REDS))
    assert zh(table, "undoes") == "甲三红这一掷"
    give(table, "skip")
    assert zh(table, "undoes") == "乙过一手"
    give(table, "undo")
    assert (zh(table, "undoes"), zh(table, "redoes")) == ("甲三红这一掷", "乙过一手")
    give(table, "correct", throw=1, dice=[4, 4, 1, 2, 3, 3])
    assert zh(table, "undoes") == "更正第 1 掷：甲三红 → 甲二举"
    give(table, "correct", throw=1, player="乙")
    assert zh(table, "undoes") == "更正第 1 掷：甲二举 → 乙二举"
    give(table, "undo")
    give(table, "undo")
    assert zh(table, "redoes") == "更正第 1 掷：甲三红 → 甲二举"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"add": {"name": "丁"}}, "丁入座"),
        ({"rename": {"player": "甲", "name": "甲乙"}}, "改名为甲乙"),
        ({"move": {"player": "甲", "before": None}}, "甲换座位"),
        ({"sit_out": {"player": "丙"}}, "丙旁观"),
        ({"leave": {"player": "丙"}}, "丙离席"),
    ],
)
def test_undo_names_changes_among_the_players(make: Callable[..., Table], change: dict[str, Any], words: str) -> None:
    table = started(make())
    give(table, "player", **change)
    assert zh(table, "undoes") == words


def test_faces_are_counted_over_the_whole_evening_without_jumps(make: Callable[..., Table]) -> None:
    table = started(make())
    give(table, "throw", dice=list(THREE_REDS))
    give(table, "jump")
    give(table, "throw", dice=[1, 1, 2, 2, 5, 6])
    assert table.state()["faces"] == [3, 3, 1, 3, 1, 1]


def test_the_tv_is_set_from_a_phone_and_the_game_does_not_move(make: Callable[..., Table]) -> None:
    table = started(make())
    before = table.state()
    after = give(table, "tv", volume=30, mute=True, theme="light", scene="odds", language="zh-TW")
    assert after["tv"] == {"volume": 30, "mute": True, "voice": True, "theme": "light", "scene": "odds"}
    assert (after["language"], after["version"]) == ("zh-TW", before["version"])


@pytest.mark.parametrize("wrong", [{"volume": 101}, {"volume": True}, {"scene": "disco"}, {"theme": []}, {"x": 1}])
def test_the_tv_is_not_set_to_what_there_is_not(make: Callable[..., Table], wrong: dict[str, Any]) -> None:
    table = started(make())
    with pytest.raises(Refused, match="the TV can't be set"):
        give(table, "tv", **wrong)


def test_old_games_stay_and_can_be_looked_at(make: Callable[..., Table]) -> None:
    table = started(make())
    for _ in range(50):
        give(table, "throw", dice=[1, 1, 2, 2, 5, 6])
    give(table, "end")
    started(table, "丁", "戊")
    old, now = table.games()
    assert (old["number"], old["over"], len(old["history"])) == (1, True, 50)
    assert [player["name"] for player in now["players"]] == ["丁", "戊"]
    assert old["began"] < old["ended"] < now["began"]

"""A game that has ended stays as it ended: every command there is, after every kind of end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from table_talk import give, started

from device.errors import Refused
from device.table import Table
from web_ui.openapi import COMMANDS

NOTHING = [1, 1, 2, 2, 3, 5]
CHAMPION = [4, 4, 4, 4, 1, 2]
SMALL = {"preset": "xiamen", "stock": [1, 0, 0, 0, 0, 1]}
GIFTS = {"yixiu": {"name": "帕", "value": 1, "gifts": ["红帕"]}}

ENDS: dict[str, tuple[Any, list[tuple[str, dict[str, Any]]]]] = {
    "operator": ("xiamen", [("end", {})]),
    "all_out": (SMALL, [("throw", {"dice": CHAMPION})]),
    "throws": ({"preset": "xiamen", "closing": "throws:1"}, [("throw", {"dice": CHAMPION})]),
    "six": ("xiamen", [("throw", {"dice": [4] * 6})]),
    "grab": ("xiamen", [("throw", {"dice": [2] * 6})]),
}
"""By what the state says: the rules, and what leads to that end after the first throw of one 一秀."""
GONE_ON = ("six", "grab")
"""Where the table may agree to go on (bobing-rules.md, section 5)."""

AFTER: dict[str, list[dict[str, Any]]] = {
    "throw": [{"dice": NOTHING}],
    "confirm": [{}, {"dice": NOTHING}],
    "jump": [{}],
    "rethrow": [{}],
    "skip": [{}, {"player": "乙"}],
    "pause": [{}],
    "resume": [{}],
    "end": [{}],
    "redo": [{}],
    "player": [
        {"add": {"name": "丁"}}, {"move": {"player": "p3", "before": "p1"}}, {"sit_out": {"player": "p2"}},
        {"return": {"player": "p3"}}, {"leave": {"player": "p1"}},
    ],
    "give_back": [{"player": "甲", "cakes": {"yixiu": 1}}],
    "assign": [{"tier": "sijin", "n": 1, "player": "甲"}],
}  # fmt: skip
"""What would change the game."""
ALLOWED = {"start", "undo", "correct", "gift", "tv"}
"""A new game; the end or a throw put right; what took nothing from the game: a gift's name, the screen."""


def ended(make: Callable[..., Table], how: str, pause: bool = False) -> Table:
    rules, steps = ENDS[how]
    table = started(make(), rules=rules, prizes=GIFTS)
    give(table, "player", leave={"player": "p3"})
    give(table, "throw", dice=[4, 1, 1, 2, 2, 3])
    if pause:
        give(table, "pause")
    for command, more in steps:
        state = give(table, command, **more)
    assert state["over"] and state["ended_by"] == how
    return table


def test_every_command_has_its_law_after_the_end() -> None:
    assert set(AFTER) | ALLOWED == set(COMMANDS)


@pytest.mark.parametrize("how", ENDS)
def test_what_would_change_an_ended_game_is_refused_in_words(make: Callable[..., Table], how: str) -> None:
    table = ended(make, how)
    before = table.state()
    for command, bodies in AFTER.items():
        if (command == "give_back" and how in GONE_ON) or (command == "assign" and how == "grab"):
            continue
        for body in bodies:
            with pytest.raises(Refused) as refusal:
                give(table, command, **body)
            assert refusal.value.en and refusal.value.zh and "\n" not in refusal.value.en + refusal.value.zh
            assert table.state() == before, command


@pytest.mark.parametrize("how", ENDS)
def test_undo_is_the_way_back(make: Callable[..., Table], how: str) -> None:
    table = ended(make, how)
    before = table.state()
    again = give(table, "undo")
    assert (again["over"], again["phase"]) == (False, "throw")
    assert [p["name"] for p in give(table, "player", add={"name": "丁"})["players"]] == ["甲", "乙", "丙", "丁"]
    give(table, "undo")
    assert give(table, "redo")["players"][-1]["name"] == "丁"
    give(table, "undo")
    assert give(table, "player", **{"return": {"player": "p3"}})["players"][2]["status"] == "playing"
    assert before["over"]


@pytest.mark.parametrize("how", ENDS)
def test_names_and_gifts_may_be_written_down_afterwards_and_change_no_cake(make: Callable[..., Table], how: str) -> None:
    table = ended(make, how)
    before = table.state()
    give(table, "gift", throw=1, gift="红帕")
    after = give(table, "player", rename={"player": "p1", "name": "阿甲"})
    assert after["over"] and after["ended_by"] == how and after["players"][0]["name"] == "阿甲"
    assert [p["cakes"] for p in after["players"]] == [p["cakes"] for p in before["players"]]
    assert [t["left"] for t in after["tiers"]] == [t["left"] for t in before["tiers"]]


@pytest.mark.parametrize("how", GONE_ON)
def test_after_six_alike_the_table_may_agree_to_go_on_once(make: Callable[..., Table], how: str) -> None:
    table = ended(make, how)
    if how == "grab":
        give(table, "assign", tier="erju", n=2, player="p2")
        given = give(table, "give_back", player="p2", cakes={"erju": 2})
    else:
        given = give(table, "give_back", player="p2", cakes={"erju": 3})
    assert (given["over"], given["phase"]) == (False, "throw")
    give(table, "end")
    before = table.state()
    who = next(p for p in before["players"] if any(p["cakes"].values()))
    tier = next(t for t, n in who["cakes"].items() if n)
    with pytest.raises(Refused) as refusal:
        give(table, "give_back", player=who["id"], cakes={tier: 1})
    assert refusal.value.key == "over"
    assert table.state() == before


def test_a_game_that_ended_while_it_rested_is_not_resumed(make: Callable[..., Table]) -> None:
    table = ended(make, "operator", pause=True)
    before = table.state()
    with pytest.raises(Refused):
        give(table, "resume")
    assert table.state() == before
    assert give(table, "undo")["phase"] == "paused"
    assert give(table, "resume")["phase"] == "throw"


def test_a_correction_that_takes_the_ending_throw_away_opens_the_game_again(make: Callable[..., Table]) -> None:
    table = ended(make, "all_out")
    assert not give(table, "correct", throw=2, dice=NOTHING)["over"]

"""What the camera saw and the Table: credited, asked about, waiting, moved afterwards; never silently wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from table_talk import THREE_REDS, give, moved, reading, sighting, started

from device.errors import Refused
from device.table import Sighting, Table
from vision.reading import Verdict


def test_a_sure_throw_is_credited_at_once_and_the_turn_moves_on(make: Callable[..., Table]) -> None:
    table = started(make())
    state = table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))
    assert state["last"]["kind"] == "sanhong"
    assert state["players"][0]["cakes"]["sanhong"] == 1
    assert state["turn"]["name"] == "乙"
    assert state["phase"] == "clear"
    assert table.saw(Sighting("cleared"))["phase"] == "throw"


def test_an_unsure_throw_credits_nobody_until_a_person_decides(make: Callable[..., Table]) -> None:
    table = started(make())
    state = table.saw(sighting(reading([4, 1, 2, 3, 5, 5], Verdict.ASK, doubt=(4, 6))))
    assert state["phase"] == "question"
    assert state["throws"] == 0
    assert state["question"]["zh"] == "看不清一颗：是 4 还是 6？"
    state = give(table, "confirm", dice=[6, 1, 2, 3, 5, 5])
    assert state["last"]["kind"] == "none"
    assert state["question"] is None


def test_with_confirm_always_every_throw_waits(make: Callable[..., Table]) -> None:
    table = started(make("always"))
    assert table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))["phase"] == "question"
    assert give(table, "confirm")["last"]["kind"] == "sanhong"


def test_a_jump_is_a_jump_only_after_a_person_says_so(make: Callable[..., Table]) -> None:
    table = started(make())
    seen = sighting(reading([4, 4, 4, 4, 1, 1], Verdict.JUMP, outside=1))
    assert table.saw(seen)["throws"] == 0
    state = give(table, "confirm")
    assert state["last"]["void"] == "jump"
    assert state["players"][0]["skip"] is True
    assert state["champion"] is None


def test_a_die_under_the_table_is_a_jump_once_confirmed(make: Callable[..., Table]) -> None:
    table = started(make())
    table.saw(sighting(reading([4, 4, 4, 4, 1], Verdict.INCOMPLETE)))
    assert give(table, "confirm")["last"]["void"] == "jump"


def test_cocked_dice_are_thrown_again_by_the_same_player_without_penalty(make: Callable[..., Table]) -> None:
    table = started(make())
    table.saw(sighting(reading([4, 4, 4, 4, 1, 1], Verdict.COCKED)))
    state = give(table, "rethrow")
    assert state["throws"] == 0
    assert state["turn"]["name"] == "甲"
    assert state["question"] is None


def test_a_second_throw_before_the_first_was_answered_waits_behind_it(make: Callable[..., Table]) -> None:
    table = started(make())
    table.saw(sighting(reading([4, 1, 2, 3, 5, 5], Verdict.ASK, doubt=(4, 6))))
    state = table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))
    assert state["waiting"] == 1
    state = give(table, "confirm")
    assert state["last"]["player"] == "p1"
    state = give(table, "confirm")
    assert state["last"]["kind"] == "sanhong"
    assert state["last"]["player"] == "p2"


def test_dice_moved_after_the_result_are_asked_about_and_never_changed_silently(make: Callable[..., Table]) -> None:
    table = started(make())
    table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))
    state = table.saw(sighting(reading([4, 4, 1, 1, 2, 3], Verdict.SURE), "changed"))
    assert state["last"]["kind"] == "sanhong"
    assert state["question"]["about"] == 1
    state = give(table, "confirm")
    assert state["last"]["kind"] == "erju"
    assert state["throws"] == 1


def test_moved_dice_that_show_the_same_ask_nothing(make: Callable[..., Table]) -> None:
    table = started(make())
    table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))
    assert table.saw(sighting(reading(list(reversed(THREE_REDS)), Verdict.SURE), "changed"))["question"] is None


def test_nothing_is_credited_while_paused_or_before_the_start(make: Callable[..., Table]) -> None:
    table = make()
    assert table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))["phase"] == "lobby"
    started(table)
    give(table, "pause")
    assert table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))["throws"] == 0


def test_a_nudge_after_the_throw_was_undone_thrown_again_or_ignored_asks_about_no_other_throw(
    make: Callable[..., Table],
) -> None:
    table = started(make())
    table.saw(sighting(reading([1, 2, 3, 4, 5, 6], Verdict.SURE)))
    table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))
    give(table, "undo")
    assert table.saw(moved([1, 1, 2, 3, 5, 5]))["question"] is None
    table.saw(sighting(reading([4, 4, 4, 4, 1, 1], Verdict.COCKED)))
    give(table, "rethrow")
    assert table.saw(moved([1, 2, 3, 4, 4, 6]))["question"] is None
    give(table, "pause")
    table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))
    give(table, "resume")
    assert table.saw(moved([1, 2, 3, 4, 4, 6]))["question"] is None
    assert table.state()["history"][-1]["kind"] == "duitang"


def test_a_nudge_after_a_confirmed_question_is_about_that_throw(make: Callable[..., Table]) -> None:
    table = started(make())
    table.saw(sighting(reading([4, 1, 2, 3, 5, 5], Verdict.ASK, doubt=(4, 6))))
    give(table, "confirm")
    assert table.saw(moved([6, 1, 2, 3, 5, 5]))["question"]["about"] == 1


@pytest.mark.parametrize(
    "body",
    [
        {"command": "undo"},
        {"command": "redo"},
        {"command": "skip"},
        {"command": "end"},
        {"command": "correct", "throw": 1, "jump": True},
        {"command": "player", "leave": {"player": "p2"}},
        {"command": "player", "sit_out": {"player": "p2"}},
        {"command": "player", "move": {"player": "p2", "before": "p1"}},
        {"command": "start", "players": ["甲"]},
    ],
)
def test_while_a_throw_waits_nothing_moves_the_turn_to_somebody_else(
    make: Callable[..., Table], body: dict[str, Any]
) -> None:
    table = started(make())
    table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))
    table.saw(sighting(reading([4, 4, 4, 4, 5, 6], Verdict.ASK, doubt=(4, 6))))
    with pytest.raises(Refused) as refusal:
        table.command({"version": table.state()["version"], **body})
    assert refusal.value.key == "question_open"
    assert give(table, "confirm")["last"]["player"] == "p2"


def test_a_throw_made_before_the_bell_is_answered_before_the_bell_counts(make: Callable[..., Table]) -> None:
    now = [0.0]
    table = started(make(wall=lambda: now[0]), "甲", "乙", rules={"preset": "xiamen", "closing": "clock:1"})
    give(table, "throw", dice=[4, 4, 4, 4, 1, 2])
    table.saw(sighting(reading([4, 4, 4, 4, 4, 6], Verdict.ASK, doubt=(4, 6))))
    now[0] = 61.0
    assert not table.tick()["over"]
    assert give(table, "confirm")["champion"]["name"] == "乙"
    assert table.tick()["over"]


def test_a_question_that_the_end_of_the_game_overtakes_is_closed(make: Callable[..., Table]) -> None:
    table = started(make())
    table.saw(sighting(reading([4, 4, 4, 4, 4, 4], Verdict.ASK, doubt=(4, 6))))
    table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))
    state = give(table, "confirm")
    assert state["over"] and state["phase"] == "over"
    assert state["question"] is None


def test_what_can_not_be_folded_is_never_stored(make: Callable[..., Table]) -> None:
    table = started(make())
    before = table.state()["version"]
    with pytest.raises(KeyError):
        table.saw(Sighting("throw", (1, 2), False, None))
    give(table, "throw", dice=list(THREE_REDS))
    assert make().state()["version"] == before + 1

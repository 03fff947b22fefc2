"""The Table: one writer, versions, undo, the clock, and a board that comes back after a restart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from table_talk import THREE_REDS, give, reading, sighting, started

from device.errors import Refused, Stale
from device.journal import Journal
from device.table import Table
from device.view import Notice
from vision.reading import Verdict


def test_a_stale_command_is_refused_with_the_new_state_and_changes_nothing(make: Callable[..., Table]) -> None:
    table = started(make())
    old = table.state()["version"]
    give(table, "throw", dice=list(THREE_REDS))
    with pytest.raises(Stale) as refusal:
        table.command({"command": "throw", "version": old, "dice": list(THREE_REDS)})
    assert refusal.value.state["version"] == table.state()["version"]
    assert table.state()["throws"] == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"command": "throw"},
        {"command": 3, "version": 1},
        {"command": "fly"},
        {"command": "throw", "dice": [1, 2, 3]},
        {"command": "throw", "dice": [1, 2, 3, 4, 5, 7]},
        {"command": "throw", "dice": THREE_REDS, "extra": 1},
        {"command": "confirm"},
        {"command": "rethrow"},
        {"command": "correct", "throw": 9, "jump": True},
        {"command": "correct", "throw": 1, "jump": True, "dice": [1, 1, 1, 1, 1, 1]},
        {"command": "player", "add": {"name": "甲"}},
        {"command": "player", "leave": {"player": "nobody"}},
        {"command": "player"},
        {"command": "assign", "tier": "yixiu", "n": 1, "player": "甲"},
        {"command": "give_back", "player": "甲", "cakes": {"yixiu": 1}},
        {"command": "gift", "throw": 1, "gift": "锅"},
        {"command": "start", "players": []},
        {"command": "resume"},
        {"command": "redo"},
    ],
)
def test_a_command_that_makes_no_sense_is_refused_in_one_line_and_stores_nothing(
    make: Callable[..., Table], body: dict[str, Any]
) -> None:
    table = started(make())
    before = table.state()
    with pytest.raises(Refused) as refusal:
        table.command({"version": before["version"], **body} if body else {})
    assert refusal.value.en and "\n" not in refusal.value.en
    assert table.state() == before


def test_a_restart_shows_the_same_board_with_its_open_question(make: Callable[..., Table]) -> None:
    table = started(make(), prizes={"sanhong": {"name": "锅", "value": 99, "gifts": ["大锅", "小锅"]}})
    give(table, "throw", dice=list(THREE_REDS))
    give(table, "gift", throw=1, gift="大锅")
    give(table, "player", add={"name": "丁"})
    give(table, "skip")
    give(table, "correct", throw=1, player="丙")
    give(table, "undo")
    table.saw(sighting(reading([4, 1, 2, 3, 5, 5], Verdict.ASK, doubt=(4, 6))))
    before = table.state()
    after = make().state()
    before["odds"] = after["odds"] = None
    assert after == before
    assert after["question"]["dice"][0]["likely"] == [[4, 0.6], [6, 0.3]]


def test_undo_and_redo_walk_through_everything_that_changed_the_game(make: Callable[..., Table]) -> None:
    table = started(make())
    boards = [table.state()["players"]]
    for command, more in [
        ("throw", {"dice": list(THREE_REDS)}),
        ("player", {"rename": {"player": "p2", "name": "乙乙"}}),
        ("correct", {"throw": 1, "dice": [4, 4, 1, 1, 2, 3]}),
        ("skip", {}),
        ("player", {"leave": {"player": "p3"}}),
    ]:
        boards.append(give(table, command, **more)["players"])
    for board in boards[-2::-1]:
        assert give(table, "undo")["players"] == board
    with pytest.raises(Refused):
        give(table, "undo")
    for board in boards[1:]:
        assert give(table, "redo")["players"] == board


def test_the_clock_closes_the_game_after_the_lap_and_pauses_do_not_count(make: Callable[..., Table]) -> None:
    now = [0.0]
    table = started(make(wall=lambda: now[0]), rules={"preset": "xiamen", "closing": "clock:10"})
    give(table, "throw", dice=[4, 4, 4, 4, 1, 2])
    now[0] = 300.0
    give(table, "pause")
    now[0] = 3000.0
    give(table, "resume")
    table.tick()
    assert not table.state()["over"]
    give(table, "throw", dice=[1, 1, 2, 2, 3, 3])
    now[0] = 3301.0
    table.tick()
    assert not table.state()["over"]
    state = give(table, "throw", dice=[1, 1, 2, 2, 3, 3])
    assert state["over"]
    assert state["ended_by"] == "clock"


def test_a_follower_that_comes_back_hears_everything_it_missed_in_order(make: Callable[..., Table]) -> None:
    table = started(make())
    seen = table.state()["version"]
    for _ in range(5):
        give(table, "throw", dice=[1, 1, 2, 2, 3, 3])
    follower = table.subscribe(seen)
    give(table, "throw", dice=list(THREE_REDS))
    sequence = [message.seq for message in iter(lambda: follower.get(0.0), None)]
    assert sequence == list(range(seen + 1, seen + 7))


def test_seals_stay_in_their_holes_when_other_cakes_are_won_and_change_hands_when_chased(
    make: Callable[..., Table],
) -> None:
    rules = {"preset": "chase", "stock": [1, 1, 1, 1, 1, 2]}
    table = started(make(), rules=rules)
    give(table, "throw", dice=[4, 1, 2, 3, 5, 5])
    give(table, "throw", dice=[4, 1, 2, 3, 5, 5])
    row = give(table, "throw", dice=[4, 1, 2, 3, 5, 5])["tiers"][5]
    assert row["left"] == 0
    assert row["seals"] == ["p1", "p3"]


def test_each_player_has_a_seal_of_one_own_character(make: Callable[..., Table]) -> None:
    table = started(make(), "阿公", "林公", "Anna", "Adam")
    assert [p["seal"] for p in table.state()["players"]] == ["公", "林", "A", "D"]


def test_a_fault_at_the_clocks_look_does_not_end_the_one_writer(
    make: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    table = started(make(wall=lambda: now[0]), rules={"preset": "xiamen", "closing": "clock:1"})
    give(table, "throw", dice=[4, 4, 4, 4, 1, 2])
    give(table, "throw", dice=[1, 1, 2, 2, 3, 3])
    give(table, "throw", dice=[1, 1, 2, 2, 3, 3])
    now[0] = 90.0
    append = Journal.append

    def full(*_: Any) -> Any:
        raise RuntimeError("something odd")

    monkeypatch.setattr(Journal, "append", full)
    with pytest.raises(RuntimeError):
        table.tick()
    monkeypatch.setattr(Journal, "append", append)
    assert table.tick()["ended_by"] == "clock"


def test_nobody_may_be_called_like_a_seats_number(make: Callable[..., Table]) -> None:
    with pytest.raises(Refused):
        started(make(), "p2", "x")


def test_all_well_with_the_camera_takes_no_other_part_s_notice_away(make: Callable[..., Table]) -> None:
    table = make()
    rescued = Notice("journal_rescued", "账本修过", "the journal was mended")
    lost = Notice("camera_lost", "没有摄像头", "no camera")
    table.tell(rescued, "journal")
    assert table.tell(lost)["notice"]["key"] == "camera_lost"
    assert table.tell(None)["notice"]["key"] == "journal_rescued"
    assert table.tell(None, "journal")["notice"] is None

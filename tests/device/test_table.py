"""The Table: one writer, versions, questions, and a board that comes back after a restart."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from device.errors import Fault, Refused, Stale
from device.journal import Journal
from device.question import asked_of
from device.table import Sighting, Table
from device.view import Setting
from rules.bobing.houserules import PRESETS
from vision.reading import Die, Reading, Verdict

THREE_REDS = (4, 4, 4, 1, 2, 3)
OPEN: list[Table] = []


def reading(
    values: list[int | None], verdict: Verdict, outside: int = 0, doubt: tuple[int, int] | None = None
) -> Reading:
    """A reading of these values, the last `outside` of them beside the bowl, the first one doubtful where asked."""
    dice = []
    for i, value in enumerate(values):
        likely = ((value or 1, 0.99), (6, 0.01))
        confidence = 0.99
        if doubt is not None and i == 0:
            likely, confidence = ((doubt[0], 0.6), (doubt[1], 0.3)), 0.6
        inside = i < len(values) - outside
        dice.append(Die(value, confidence, (10.0 * i, 5.0, 9.0, 9.0), (10.0 * i + 4, 9.0), inside, False, likely))
    return Reading(tuple(dice), None, verdict, "")


def sighting(seen: Reading, event: str = "throw") -> Sighting:
    """What the lookout makes of a reading."""
    return Sighting(event, seen.values, seen.verdict == Verdict.SURE, asked_of(seen, "", (720, 400), (0.0, 0.0), 1.0))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Opens the table whose journal lies in this test's folder; opening again is a restart."""
    tables: list[Table] = []
    clock = itertools.count(1_700_000_000)

    def opened(confirm: str = "unsure", wall: Callable[[], float] | None = None) -> Table:
        for table in tables:
            table.close()
        tables.clear()
        journal = Journal.open(tmp_path / "journal.db")
        table = Table(
            journal,
            None,
            Setting(confirm=confirm),
            PRESETS["xiamen"],
            wall or (lambda: float(next(clock))),
            lambda n: n - 1,
        ).open()
        tables.append(table)
        return table

    yield opened
    for table in tables:
        table.close()


def give(table: Table, command: str, **more: Any) -> dict[str, Any]:
    """A command for the state as it is now."""
    return table.command({"command": command, "version": table.state()["version"], **more})


def started(table: Table, *names: str, **more: Any) -> Table:
    """The table with a game of these players, or of three."""
    give(table, "start", players=list(names or ("甲", "乙", "丙")), **more)
    return table


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


def test_nothing_is_credited_while_paused_or_before_the_start(make: Callable[..., Table]) -> None:
    table = make()
    assert table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))["phase"] == "lobby"
    started(table)
    give(table, "pause")
    assert table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))["throws"] == 0


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
        raise Fault("disk_full", "the disk is full", "磁盘已满")

    monkeypatch.setattr(Journal, "append", full)
    with pytest.raises(Fault):
        table.tick()
    monkeypatch.setattr(Journal, "append", append)
    assert table.tick()["ended_by"] == "clock"


def moved(values: list[int | None]) -> Sighting:
    """The dice in the bowl were nudged and show this now."""
    return sighting(reading(values, Verdict.SURE), "changed")


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


def test_nobody_may_be_called_like_a_seats_number(make: Callable[..., Table]) -> None:
    with pytest.raises(Refused):
        started(make(), "p2", "x")

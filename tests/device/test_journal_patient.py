"""While the disk refuses the table goes on in memory, says so, never says that it stored anything, and catches up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from table_talk import THREE_REDS, give, reading, sighting, started

from device.errors import Fault
from device.journal import Journal
from device.table import Table
from vision.reading import Verdict


class Disk:
    """A disk that can be full, under every journal of the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fault: Fault | None = None
        append = Journal.append

        def tried(journal: Journal, items: Any, wall: float, anywhere: bool = False) -> Any:
            if self.fault is not None:
                raise self.fault
            return append(journal, items, wall, anywhere)

        monkeypatch.setattr(Journal, "append", tried)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


FULL = Fault("disk_full", "the disk is full", "磁盘已满")


def test_the_game_goes_on_in_memory_and_says_so(make: Callable[..., Table], disk: Disk) -> None:
    table = started(make())
    page = table.subscribe(None)
    disk.fault = FULL
    for _ in range(3):
        state = give(table, "throw", dice=list(THREE_REDS))
    assert (state["throws"], state["unsaved"], state["notice"]["key"]) == (3, 3, "unsaved")
    assert "NOT SAVED: the last 3 records" in state["notice"]["en"] and "没有存盘" in state["notice"]["zh"]
    assert table.health()["journal"] == state["notice"]["en"]
    told = [page.get(0) for _ in range(3)]
    assert {message.event for message in told if message} == {"phase"}
    assert list(table.subscribe(0)._missed)[-1].seq == 1


def test_it_catches_up_by_itself_and_then_tells_what_is_stored(make: Callable[..., Table], disk: Disk) -> None:
    table = started(make())
    page = table.subscribe(None)
    disk.fault = FULL
    give(table, "throw", dice=list(THREE_REDS))
    give(table, "undo")
    disk.fault = None
    state = table.tick()
    assert (state["unsaved"], state["notice"]) == (0, None)
    assert table.health()["journal"] == "ok"
    stored = []
    while (message := page.get(0)) is not None:
        if message.event == "stored":
            stored.append(message.seq)
    assert stored == [2, 3]
    before = table.state()
    assert make().state() == {**before, "odds": make().state()["odds"]}


def test_room_is_used_at_the_next_command_and_nothing_is_stored_twice(make: Callable[..., Table], disk: Disk) -> None:
    table = started(make())
    disk.fault = FULL
    give(table, "throw", dice=list(THREE_REDS))
    disk.fault = None
    state = give(table, "throw", dice=[1, 2, 3, 4, 5, 6])
    assert (state["unsaved"], state["throws"]) == (0, 2)
    assert [record.seq for record in table._journal.since(0)] == [1, 2, 3]
    assert make().state()["throws"] == 2


def test_closing_tries_once_more(make: Callable[..., Table], disk: Disk) -> None:
    table = started(make())
    disk.fault = FULL
    give(table, "throw", dice=list(THREE_REDS))
    disk.fault = None
    assert make().state()["throws"] == 1


@pytest.mark.parametrize("key", ["journal_damaged", "not_a_journal", "folder_in_use", "folder_not_writable", "journal_failed", "journal_gone"])
def test_whatever_is_wrong_with_the_journal_neither_a_command_nor_a_throw_before_the_camera_is_lost(
    make: Callable[..., Table], disk: Disk, key: str
) -> None:
    """A throw that the camera saw can't be told to anybody who would make it again: refused, it would be lost."""
    table = started(make())
    disk.fault = Fault(key, "the journal is ill", "记录有误")
    table.saw(sighting(reading([4, 4, 4, 1, 2, 3], Verdict.SURE)))
    state = give(table, "throw", dice=[1, 1, 2, 2, 3, 5])
    assert (state["throws"], state["unsaved"], state["notice"]["key"]) == (2, 2, "unsaved")
    assert "the journal is ill" in state["notice"]["en"]
    disk.fault = None
    assert (table.tick()["unsaved"], make().state()["throws"]) == (0, 2)

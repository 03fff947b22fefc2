"""Whoever looks back at old games costs the game that is played nothing that grows with the evenings."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from device import games
from device.journal import Journal
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import PRESETS


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(Journal.open(None), None, Setting(), PRESETS["xiamen"], lambda: 0.0, lambda n: 0).open()
    yield table
    table.close()


def give(table: Table, command: str, **more: Any) -> None:
    table.command({"command": command, "version": table.state()["version"], **more})


def test_forty_phones_that_look_back_at_once_read_the_evenings_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        give(table, "start", players=["甲", "乙"])
        give(table, "throw", dice=[4, 1, 2, 3, 5, 5])
        give(table, "end")
    read: list[int] = []
    told = games.games

    def counted(records: Any) -> Any:
        read.append(1)
        return told(records)

    monkeypatch.setattr(games, "games", counted)
    phones = [threading.Thread(target=table.games) for _ in range(40)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert (len(table.games()), len(read)) == (3, 1)


def test_what_is_looked_back_at_is_what_is(table: Table) -> None:
    give(table, "start", players=["甲", "乙"])
    for thrown in range(1, 4):
        give(table, "throw", dice=[4, 1, 2, 3, 5, 5])
        assert [len(one["history"]) for one in table.games()] == [thrown]
    give(table, "undo")
    assert [len(one["history"]) for one in table.games()] == [2]
    give(table, "tv", language="en")
    assert table.games()[0]["language"] == "en"

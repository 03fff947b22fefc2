"""Somebody works in the data folder while the table plays: what is called stored is found again under the journal's name."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "device"))

from table_talk import THREE_REDS, give, reading, sighting, started

from device.cli.appliance import closed
from device.journal import Journal
from device.journal_rescue import open_rescued
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import PRESETS
from vision.reading import Verdict

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody move an open file: run these tests on Linux or macOS")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def table(home: Path) -> Iterator[Table]:
    table = Table(Journal.open(home / "journal.db"), None, Setting(), PRESETS["xiamen"], lambda: 0.0, lambda n: 0)
    started(table)
    give(table, "throw", dice=list(THREE_REDS))
    yield table
    table.close()


def removed(home: Path) -> None:
    for part in home.glob("journal.db*"):
        part.unlink()


def without_log(home: Path) -> None:
    (home / "journal.db-wal").unlink()


def replaced(home: Path) -> None:
    shutil.copy(home / "journal.db", home / "copy")
    (home / "copy").replace(home / "journal.db")


def moved(home: Path) -> None:
    home.rename(home.with_name("elsewhere"))


@pytest.mark.parametrize("hand", [removed, without_log, replaced, moved])
def test_what_lies_in_a_file_without_its_name_is_never_called_stored(home: Path, table: Table, hand: Callable[[Path], None]) -> None:
    page = table.subscribe(None)
    hand(home)
    table.saw(sighting(reading([4, 4, 4, 1, 2, 3], Verdict.SURE)))
    state = give(table, "throw", dice=[1, 1, 2, 2, 3, 5])
    assert (state["throws"], state["unsaved"], state["notice"]["key"]) == (3, 2, "unsaved")
    assert "removed or replaced" in state["notice"]["en"] and "put it back" in state["notice"]["en"]
    told = [page.get(0) for _ in range(2)]
    assert [message and message.event for message in told] == ["phase", "phase"]


def test_what_was_moved_away_and_put_back_is_caught_up(home: Path, table: Table) -> None:
    moved(home)
    give(table, "throw", dice=[1, 1, 2, 2, 3, 5])
    home.with_name("elsewhere").rename(home)
    assert (table.tick()["unsaved"], table.tick()["notice"]) == (0, None)
    table.close()
    journal, rescue = open_rescued(home / "journal.db")
    assert (journal.last_seq, rescue) == (3, None)
    journal.close()


def test_what_was_moved_away_and_not_put_back_is_whole_where_it_lies(home: Path, table: Table) -> None:
    moved(home)
    give(table, "throw", dice=[1, 1, 2, 2, 3, 5])
    table.close()
    with Journal.view(home.with_name("elsewhere") / "journal.db") as journal:
        assert journal.last_seq == 3


def test_another_program_that_holds_the_file_costs_no_throw(home: Path, table: Table) -> None:
    """A viewer of databases with an edit that was begun and not ended, say."""
    table._journal._journal._link.execute("PRAGMA busy_timeout = 0")  # else each try waits for two seconds
    other = sqlite3.connect(home / "journal.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    table.saw(sighting(reading([4, 4, 4, 1, 2, 3], Verdict.SURE)))
    state = give(table, "throw", dice=[1, 1, 2, 2, 3, 5])
    assert (state["throws"], state["unsaved"]) == (3, 2)
    other.close()
    assert table.tick()["unsaved"] == 0




def test_what_was_never_stored_is_said_at_the_end(home: Path, table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    table._journal._journal._link.execute("PRAGMA busy_timeout = 0")
    other = sqlite3.connect(home / "journal.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    give(table, "throw", dice=[1, 1, 2, 2, 3, 5])
    closed(table)
    other.close()
    said = capsys.readouterr().err
    assert said.startswith("bobing: 1 record could not be stored and is lost: NOT SAVED") and len(said.splitlines()) == 1


def test_what_was_stored_is_ended_without_a_word(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    closed(table)
    assert capsys.readouterr().err == ""

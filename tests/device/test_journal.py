"""The journal keeps what it was given, in order, for ever, and says in one line when it can't."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.errors import Fault
from device.journal import Journal, Record
from device.migrations import MIGRATIONS, Migration

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
DATA = st.dictionaries(st.text(max_size=8), JSON, max_size=4)
EVENT = st.tuples(st.sampled_from(["Thrown", "Undone", "Started"]), DATA)
BATCHES = st.lists(st.lists(EVENT, max_size=4), max_size=8)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table" / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as opened:
        yield opened


def raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


@settings(max_examples=40, deadline=None)
@given(BATCHES)
def test_a_journal_reopened_holds_exactly_what_was_appended(tmp_path_factory: Any, batches: list[list[Any]]) -> None:
    path = tmp_path_factory.mktemp("j") / "journal.db"
    told: list[Record] = []
    with Journal.open(path) as journal:
        for number, batch in enumerate(batches):
            told += journal.append(batch, wall=1e9 + number)
        assert list(journal.since(0)) == told
    with Journal.open(path) as again:
        assert list(again.since(0)) == told
        assert again.last_seq == len(told)
    assert [(record.type, record.data) for record in told] == [event for batch in batches for event in batch]
    assert [record.seq for record in told] == list(range(1, len(told) + 1))


def test_what_append_returns_is_what_a_replay_reads_even_where_json_changes_the_shape(journal: Journal) -> None:
    [record] = journal.append([("Thrown", {"dice": (4, 4, 1, 2, 3, 6), "cakes": {1: "x"}})], wall=5.0)
    assert record == next(journal.since(0))
    assert record.data == {"dice": [4, 4, 1, 2, 3, 6], "cakes": {"1": "x"}}


def test_since_gives_only_the_records_after_a_number(journal: Journal) -> None:
    journal.append([("Thrown", {"n": n}) for n in range(1234)], wall=0.0)
    assert [record.seq for record in journal.since(1000)] == list(range(1001, 1235))
    assert list(journal.since(1234)) == []


def test_a_journal_in_memory_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Journal.open(None) as journal:
        journal.append([("Started", {})], wall=0.0)
        assert journal.last_seq == 1
    assert list(tmp_path.iterdir()) == []


def test_other_threads_read_while_one_writes(journal: Journal) -> None:
    seen: list[list[int]] = []

    def read() -> None:
        seen.extend([record.seq for record in journal.since(0)] for _ in range(20))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(50):
        journal.append([("Thrown", {"n": number}), ("Credited", {"n": number})], wall=0.0)
    for reader in readers:
        reader.join()
    assert len(seen) == 60
    assert all(seqs == list(range(1, len(seqs) + 1)) and len(seqs) % 2 == 0 for seqs in seen)


@pytest.mark.parametrize("statement", [
    "UPDATE record SET type = 'Forged' WHERE seq = 1",
    "DELETE FROM record",
    "INSERT OR REPLACE INTO record VALUES (1, 'Forged', '{}', 0, zeroblob(32))",
    "INSERT INTO record VALUES (9, 'Forged', '{}', 0, zeroblob(32))",
    "INSERT INTO record VALUES (NULL, 'Forged', '{}', 0, zeroblob(31))",
])
def test_the_file_itself_refuses_to_change_the_past(journal: Journal, path: Path, statement: str) -> None:
    journal.append([("Started", {}), ("Thrown", {})], wall=0.0)
    with closing(raw(path)) as link, pytest.raises(sqlite3.IntegrityError):
        link.execute(statement)
    assert [record.type for record in journal.since(0)] == ["Started", "Thrown"]


def test_a_write_is_synced_to_the_disk_before_append_returns(journal: Journal, path: Path) -> None:
    # what the promise rests on: a write-ahead log that is synced at each commit (2 = FULL)
    assert journal._link.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._link.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("data", [{"x": float("nan")}, {"x": object()}])
def test_a_batch_with_data_that_json_cannot_carry_stores_nothing(journal: Journal, data: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        journal.append([("Thrown", {}), ("Thrown", data)], wall=0.0)
    assert journal.last_seq == 0
    journal.append([("Thrown", {})], wall=0.0)
    assert [record.seq for record in journal.since(0)] == [1]


def test_a_type_that_is_no_text_leaves_no_half_batch_behind(journal: Journal) -> None:
    with pytest.raises(UnicodeEncodeError):
        journal.append([("Thrown", {}), ("\ud800", {})], wall=0.0)
    assert [record.seq for record in journal.append([("Thrown", {})], wall=0.0)] == [1]


def test_an_older_journal_is_brought_up_to_date_and_the_old_file_kept(path: Path) -> None:
    with Journal.open(path) as journal:
        told = journal.append([("Thrown", {"dice": [1]})], wall=0.0)
    later = (*MIGRATIONS, Migration("notes of guests", ("CREATE TABLE note (text TEXT)",)))
    with pytest.raises(Fault, match="older version") as fault:
        Journal.view(path, later)
    assert fault.value.key == "journal_older"
    with Journal.open(path, later) as journal:
        assert list(journal.since(0)) == told
    with closing(raw(path)) as link:
        assert link.execute("PRAGMA user_version").fetchone() == (len(later),)
    with Journal.open(path.with_name(f"journal.db.v{len(MIGRATIONS)}")) as old:
        assert list(old.since(0)) == told


def test_a_migration_that_fails_changes_nothing(path: Path) -> None:
    with Journal.open(path) as journal:
        told = journal.append([("Thrown", {})], wall=0.0)
    broken = (*MIGRATIONS, Migration("half way", ("CREATE TABLE note (text TEXT)", "CREATE TABLE note (text TEXT)")))
    with pytest.raises(Fault):
        Journal.open(path, broken)
    with Journal.open(path) as journal:
        assert list(journal.since(0)) == told


def test_a_journal_can_be_looked_at_while_its_table_writes(journal: Journal, path: Path) -> None:
    journal.append([("Started", {})], wall=0.0)
    with Journal.view(path) as view:
        assert view.last_seq == 1
        journal.append([("Thrown", {})], wall=0.0)
        assert [record.seq for record in view.since(0)] == [1, 2]
        with pytest.raises(Fault, match="reading only"):
            view.append([("Thrown", {})], wall=0.0)


def test_data_is_stored_as_plain_json_that_other_tools_can_read(journal: Journal, path: Path) -> None:
    journal.append([("Thrown", {"player": "甲", "dice": [4, 4]})], wall=7.5)
    with closing(raw(path)) as link:
        text, wall = link.execute("SELECT data, wall FROM record").fetchone()
    assert json.loads(text) == {"player": "甲", "dice": [4, 4]}
    assert wall == 7.5

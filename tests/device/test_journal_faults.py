"""What the world may do to a journal: kill, fill, lock, forge or damage it: one plain line, nothing told is lost."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import IO, cast

import pytest

from device.errors import Fault
from device.journal import Journal
from device.migrations import MIGRATIONS

ROOT = Path(__file__).parents[2]

WRITER = """
import sys
from pathlib import Path
from typing import IO, cast
from device.journal import Journal

journal = Journal.open(Path(sys.argv[1]))
print("open", flush=True)
while True:
    records = journal.append([("Thrown", {"n": journal.last_seq}), ("Credited", {"n": journal.last_seq})], 0.0)
    print(records[-1].seq, flush=True)
"""

FILLER = """
import resource, sys
from pathlib import Path
from typing import IO, cast
from device.errors import Fault
from device.journal import Journal

journal = Journal.open(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    while True:
        journal.append([("Thrown", {"n": 1}), ("Credited", {"text": "x" * 5000})], 0.0)
except Fault as fault:
    print(journal.last_seq, fault.key, fault.en.count(chr(10)))
"""


def writer(path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert told_by(process).readline() == "open\n"
    return process


def told_by(process: subprocess.Popen[str]) -> IO[str]:
    """What it writes; a pipe was asked for, so there is one."""
    return cast(IO[str], process.stdout)


def kill(process: subprocess.Popen[str]) -> list[str]:
    """Kill at once, and return what it had still said."""
    process.kill()
    with process, told_by(process) as said:
        return said.read().splitlines()


def test_after_a_kill_every_acknowledged_record_is_there_and_no_batch_is_half(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    chance = random.Random(63)
    told = 0
    for _ in range(6):
        process = writer(path)
        for _ in range(chance.randrange(1, 60)):
            told = int(told_by(process).readline())
        rest = kill(process)
        told = max([told, *(int(line) for line in rest if line)])
        with Journal.open(path) as journal:
            records = list(journal.since(0))
        assert len(records) >= told
        assert len(records) % 2 == 0
        assert [record.data["n"] for record in records] == [number // 2 * 2 for number in range(len(records))]


def test_a_second_process_is_refused_until_the_first_ends_however_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    process = writer(path)
    with pytest.raises(Fault, match="another table uses this folder") as fault:
        Journal.open(path)
    assert fault.value.key == "folder_in_use"
    kill(process)
    Journal.open(path).close()


def test_one_process_cannot_open_a_journal_twice_either(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path), pytest.raises(Fault, match="another table uses this folder"):
        Journal.open(path)


def test_a_full_disk_stores_nothing_of_the_batch_and_the_journal_goes_on_when_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        journal.append([("Started", {})], wall=0.0)
        pages = journal._link.execute("PRAGMA page_count").fetchone()[0]
        journal._link.execute(f"PRAGMA max_page_count = {pages}")  # SQLite then says what it says on a full disk
        with pytest.raises(Fault, match="disk is full") as fault:
            journal.append([("Thrown", {}), ("Credited", {"text": "x" * 20_000})], wall=0.0)
        assert fault.value.key == "disk_full"
        assert [record.type for record in journal.since(0)] == ["Started"]
        journal._link.execute("PRAGMA max_page_count = 1000000")
        assert journal.append([("Thrown", {})], wall=0.0)[0].seq == 2


@pytest.mark.skipif(sys.platform == "win32", reason="file limits are set on Linux and macOS only: run it there")
def test_a_write_that_the_system_refuses_is_a_fault_and_leaves_whole_batches_only(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    command = [sys.executable, "-c", FILLER, str(path)]
    said = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    told, key, newlines = said.split()
    assert (key, newlines) == ("journal_failed", "0")
    with Journal.open(path) as journal:
        assert len(list(journal.since(0))) == int(told) > 0


def test_a_journal_of_a_newer_version_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        journal.append([("Started", {})], wall=0.0)
    with closing(sqlite3.connect(path)) as link:
        link.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        link.execute("INSERT INTO step VALUES (?)", (len(MIGRATIONS) + 1,))
        link.commit()
    before = path.read_bytes()
    for attempt in (Journal.open, Journal.view):
        with pytest.raises(Fault, match="newer version") as fault:
            attempt(path)
        assert fault.value.key == "journal_newer"
    assert path.read_bytes() == before


def test_something_else_in_the_journals_place_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("今晚的账 " * 200, encoding="utf-8")
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as link:
        link.execute("CREATE TABLE recipe (name TEXT)")
    for path in (text, foreign):
        before = path.read_bytes()
        for attempt in (Journal.open, Journal.view):
            with pytest.raises(Fault, match="is not a journal") as fault:
                attempt(path)
            assert fault.value.key == "not_a_journal"
        assert path.read_bytes() == before


def test_a_folder_in_the_journals_place_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.mkdir()
    with pytest.raises(Fault):
        Journal.open(path)


def test_an_empty_file_left_by_a_start_cut_short_is_a_fresh_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.touch()
    with Journal.open(path) as journal:
        assert journal.last_seq == 0


def test_a_folder_that_cannot_be_written_is_named(read_only_folder: Path) -> None:
    for path in (read_only_folder / "journal.db", read_only_folder / "table" / "journal.db"):
        with pytest.raises(Fault, match=r"can't write in .* --data") as fault:
            Journal.open(path)
        assert fault.value.key == "folder_not_writable"
        assert "\n" not in fault.value.en


def test_a_file_where_the_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "table").touch()
    with pytest.raises(Fault, match="can't write in"):
        Journal.open(tmp_path / "table" / "journal.db")


def test_a_journal_on_a_read_only_disk_can_be_looked_at(tmp_path: Path, read_only_folder: Path) -> None:
    uid = os.geteuid()
    os.seteuid(os.getuid())
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        told = journal.append([("Started", {})], wall=0.0)
    read_only_folder.chmod(0o755)
    there = Path(shutil.copy(path, read_only_folder))
    read_only_folder.chmod(0o555)
    os.seteuid(uid)
    with Journal.view(there) as view:
        assert list(view.since(0)) == told


def test_looking_at_a_journal_that_is_not_there_makes_none(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="there is no journal") as fault:
        Journal.view(tmp_path / "journal.db")
    assert fault.value.key == "journal_missing"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("forgery", [
    "UPDATE record SET data = '{\"dice\":[4,4,4,4,1,1]}' WHERE seq = 3",
    "DELETE FROM record WHERE seq = 3",
    "UPDATE record SET wall = 5 WHERE seq = 3",
    "UPDATE record SET data = x'FF00' WHERE seq = 3",
    "UPDATE record SET data = CAST(x'FF00' AS TEXT) WHERE seq = 3",
])
def test_a_forged_past_is_found_and_the_record_named(tmp_path: Path, forgery: str) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        journal.append([("Thrown", {"n": n}) for n in range(5)], wall=0.0)
    with closing(sqlite3.connect(path)) as link:
        link.execute("DROP TRIGGER record_is_never_changed")
        link.execute("DROP TRIGGER record_is_never_deleted")
        link.execute(forgery)
        link.commit()
    with pytest.raises(Fault, match="damaged from record 3 on") as fault:
        Journal.open(path)
    assert fault.value.key == "journal_damaged"


def test_a_flipped_byte_is_a_fault_or_harmless_and_never_a_changed_event(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        told = [journal.append([("Thrown", {"n": n})], wall=0.0)[0] for n in range(60)]
    whole = path.read_bytes()
    chance = random.Random(4)
    places = [*range(100), *(chance.randrange(len(whole)) for _ in range(300))]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        for trace in ("-wal", "-shm"):
            path.with_name(path.name + trace).unlink(missing_ok=True)
        try:
            with Journal.open(path) as journal:
                found = list(journal.since(0))
        except Fault as fault:
            assert "\n" not in fault.en
        else:
            assert found == told

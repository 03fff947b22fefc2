"""A damaged journal is put aside whole, and a new one is begun with every record before the damage.

Which records are whole is not guessed: each carries the seal of all before it, so the longest chain of true seals from
record 1 on is what was written. It is looked for in the file, in its write-ahead log and in the copies of past games.
A rescue that is broken off is taken up again at the next start, from what was put aside.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from device import journal_faults as faults
from device import journal_file as file
from device.copies import copies_of
from device.errors import Fault
from device.files import FolderLock, sync_folder
from device.journal import Journal
from device.journal_head import head_of, read_head
from device.journal_pages import Found, found_in, found_in_newest
from device.migrations import MIGRATIONS

DAMAGE = ("journal_damaged", "not_a_journal", "journal_failed", "journal_newer")
"""Complaints behind which damage may stand; whether it does, the records and the mark beside the journal tell."""
UNFINISHED = "unfinished"
PARTS = ("", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Rescue:
    """kept: records that are whole and stay; lost: how many are known to be gone; folder: where the damaged files lie."""

    kept: int
    lost: int
    folder: Path

    @property
    def en(self) -> str:
        """What happened, for a person."""
        gone = f"{self.lost} after them are lost" if self.lost else "no later one is known"
        return f"the journal was damaged: its first {self.kept} records are whole and the game goes on from there, {gone}; the damaged file is kept in {self.folder}"

    @property
    def zh(self) -> str:
        """The same in Chinese."""
        gone = f"其后 {self.lost} 条丢失" if self.lost else "其后未见记录"
        return f"记录文件受损：前 {self.kept} 条完好，从那里接着玩，{gone}；受损文件保存在 {self.folder}"


def open_rescued(path: Path) -> tuple[Journal, Rescue | None]:
    """Open the journal at `path` to write, mending it first where it is damaged; raises Fault for everything else."""
    finished = _finish(path)
    told = read_head(path)
    # after a clean end the log is empty; after a kill SQLite would silently drop what follows a damaged frame of it
    newest = _newest(path) if _size(_part(path, "-wal")) else None
    try:
        journal = Journal.open(path)
    except Fault as fault:
        if fault.key not in DAMAGE:
            raise
        rows = salvaged(path)
        if not rows and not told:
            raise
        if fault.key == "journal_newer" or (fault.key == "journal_failed" and _opens(path, rows)):
            raise
        return _begun_anew(path, rows, told)
    if finished is not None:
        return journal, finished
    held = journal.last_seq
    if told <= held and newest in (None, held):
        return journal, None
    rows = salvaged(path)
    if told <= held and len(rows) <= held:
        return journal, None
    folder = _put_aside(path)  # while the journal is open SQLite leaves its log as it is
    if len(rows) > held:
        journal.close()
        return _begun_anew(path, rows, told, folder)
    head_of(path).unlink(missing_ok=True)
    (folder / UNFINISHED).unlink(missing_ok=True)
    return journal, Rescue(held, told - held, folder)


def salvaged(path: Path) -> list[Found]:
    """The longest unbroken chain of records in the files of the journal at `path`, read as bytes; raises Fault."""
    sources = [(path, _part(path, "-wal")), *((copy, None) for copy in copies_of(path))]
    try:
        return chain([one for main, log in sources for one in found_in(_bytes(main), b"" if log is None else _bytes(log))])
    except OSError as fault:
        raise faults.unreadable(str(path), fault) from fault


def _newest(path: Path) -> int:
    """How many records the newest images of the pages hold in an unbroken chain; raises Fault."""
    try:
        return len(chain(found_in_newest(_bytes(path), _bytes(_part(path, "-wal")))))
    except OSError as fault:
        raise faults.unreadable(str(path), fault) from fault


def chain(found: Iterable[Found]) -> list[Found]:
    """Records 1, 2, 3, … of which each has a true seal, or is proved by the seal of the next."""
    by_number: dict[int, set[Found]] = {}
    for one in found:
        by_number.setdefault(one.seq, set()).add(one)
    everything = [one for many in by_number.values() for one in many]
    kept: list[Found] = []
    sealed = file.NO_HASH
    while True:
        number = len(kept) + 1
        following = by_number.get(number + 1, set())
        for one in [*by_number.get(number, ()), *([] if number in by_number else everything)]:
            own = file.seal(sealed, number, one.kind, one.text, one.wall)
            if own == one.hash or any(file.seal(own, number + 1, n.kind, n.text, n.wall) == n.hash for n in following):
                kept.append(Found(number, one.kind, one.text, one.wall, own))
                sealed = own
                break
        else:
            return kept


def _begun_anew(path: Path, rows: Sequence[Found], told: int, folder: Path | None = None) -> tuple[Journal, Rescue]:
    lock = _lock(path)
    try:
        folder = folder or _put_aside(path)
        _replace(path, rows)
        (folder / UNFINISHED).unlink(missing_ok=True)
    except OSError as fault:
        raise faults.unreadable(str(path), fault) from fault
    finally:
        lock.release()
    return Journal.open(path), Rescue(len(rows), max(0, told - len(rows)), folder)


def _finish(path: Path) -> Rescue | None:
    """Take up a rescue that was broken off: what was put aside is the truth, what lies in place may be half."""
    marks = sorted(path.parent.glob(f"{path.name}.damaged-*/{UNFINISHED}"))
    if not marks:
        return None
    folder = marks[-1].parent
    rows, told = salvaged(folder / path.name), read_head(folder / path.name)
    lock = _lock(path)
    try:
        _replace(path, rows)
        for mark in marks:
            mark.unlink(missing_ok=True)
    finally:
        lock.release()
    return Rescue(len(rows), max(0, told - len(rows)), folder)


def _put_aside(path: Path) -> Path:
    """A copy of all files of the journal in a folder of its own, on the disk before anything is changed."""
    number = 1
    while (folder := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    half = path.with_name(f"{path.name}.aside")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir()
    for part in [*(_part(path, suffix) for suffix in PARTS), head_of(path)]:
        if part.is_file():
            shutil.copy(part, half / part.name)
            with (half / part.name).open("rb+") as copied:
                os.fsync(copied.fileno())
    (half / UNFINISHED).touch()
    sync_folder(half)
    half.rename(folder)
    sync_folder(path.parent)
    return folder


def _replace(path: Path, rows: Sequence[Found]) -> None:
    """Put a journal of exactly these records in the place of the old."""
    fresh = path.with_name(f"{path.name}.fresh")
    for suffix in PARTS:
        _part(fresh, suffix).unlink(missing_ok=True)
    with closing(file.connect(str(fresh), uri=False)) as link:
        file.make_ready(link, str(fresh), MIGRATIONS)
        with file.all_or_nothing(link):
            link.executemany(
                "INSERT INTO record VALUES (?, ?, ?, ?, ?)", [(r.seq, r.kind, r.text, r.wall, r.hash) for r in rows]
            )
    for suffix in ("-wal", "-shm"):  # a log beside another file would be played into it
        _part(path, suffix).unlink(missing_ok=True)
    fresh.replace(path)
    head_of(path).unlink(missing_ok=True)
    sync_folder(path.parent)


def _opens(path: Path, rows: Sequence[Found]) -> bool:
    """Whether the disk fails rather than the file: what SQLite reads of it is all that can be found."""
    with suppress(sqlite3.Error, UnicodeDecodeError, Fault), closing(file.connect(str(path), uri=False)) as link:
        # read as a table reads it: where the name of a column is damaged it is the file that fails
        return file.check_seals(link, str(path))[0] == len(rows)
    return False


def _lock(path: Path) -> FolderLock:
    try:
        return FolderLock(path.with_name(path.name + ".lock"))
    except BlockingIOError as fault:
        raise faults.in_use(str(path)) from fault


def _part(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""

"""The stored events of a table: SQLite, append-only, on disk before anybody is told, each sealed to the one before.

What holds here, and is tested:
- `append` returns only after the whole batch is synced to the disk; a batch that fails leaves nothing behind.
- a record, once returned, is never changed and never removed; numbers run 1, 2, 3, … without a gap;
- what `append` returns equals what `since` reads later, so a replay sees what the live table saw;
- one process writes a journal at a time; any thread may read.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from device import journal_faults as faults
from device import journal_file as file
from device.errors import Fault
from device.files import FolderLock, sync_folder
from device.journal_head import write_head
from device.migrations import MIGRATIONS, Migration
from device.permission import kept_back, not_allowed

FILE_NAME = "journal.db"  # in the data folder of a table
PAGE = 500
ROWS = "SELECT seq, type, data, wall FROM record WHERE seq > ? ORDER BY seq LIMIT ?"


@dataclass(frozen=True, slots=True)
class Record:
    """One stored event; `wall` is unix seconds and only for people to look at, the order is `seq`."""

    seq: int
    type: str
    data: Mapping[str, Any]
    wall: float


class Journal:
    """One table's events; made by `open` (to write) or `view` (to look at a journal that may be in use)."""

    def __init__(self, link: sqlite3.Connection, name: str, lock: FolderLock | None, writable: bool) -> None:
        self._link = link
        self._name = name
        self._lock = lock
        self._writable = writable
        self._guard = threading.Lock()
        self._files = file.identity(Path(name)) if writable and lock is not None else {}
        self._last_seq, self._last_hash = file.check_seals(link, name)

    @classmethod
    def open(cls, path: Path | None, migrations: Sequence[Migration] = MIGRATIONS) -> Journal:
        """Open or make the journal file at `path`, bringing an older one up to date; None is a throw-away in memory.

        Raises Fault: the folder can't be written, another table uses it, the file is no journal, is newer than this
        program, or is damaged.
        """
        name = file.IN_MEMORY if path is None else str(path)
        with ExitStack() as undo:
            lock = None if path is None else _own(path)
            if lock is not None:
                undo.callback(lock.release)
            try:
                link = undo.enter_context(closing(file.connect(name, uri=False)))
                file.make_ready(link, name, migrations)
                journal = cls(link, name, lock, True)
                file.check_frame(link, name, migrations)
            except faults.CAUSES as fault:
                raise faults.fault_of(name, fault) from fault
            undo.pop_all()
        return journal

    @classmethod
    def view(cls, path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> Journal:
        """Open the journal at `path` to read only, also while a table writes it; raises Fault if none can be read."""
        name = str(path)
        if kept_back(path):
            raise not_allowed(path, "read")
        if not path.is_file():
            raise faults.missing(name)
        with ExitStack() as undo:
            try:
                link = undo.enter_context(closing(file.connect(path.resolve().as_uri() + _how_to_view(path), uri=True)))
                version = file.version_of(link, name)
                if version != len(migrations):
                    raise faults.newer(name) if version > len(migrations) else faults.older(name)
                journal = cls(link, name, None, False)
            except faults.CAUSES as fault:
                raise faults.fault_of(name, fault) from fault
            undo.pop_all()
        return journal

    @property
    def last_seq(self) -> int:
        """The number of the last record; 0 where there is none."""
        return self._last_seq

    def append(self, items: Sequence[tuple[str, Mapping[str, Any]]], wall: float, anywhere: bool = False) -> list[Record]:
        """Store events (type, data) as one batch and return them as a replay will see them.

        The batch is on disk when this returns; raises Fault (disk full, disk failing) with nothing stored, TypeError or
        ValueError for data that JSON can't carry. anywhere: also where the file was moved away meanwhile.
        """
        with self._guard:
            if not self._writable:
                raise Fault("journal_read_only", f"{self._name} is open for reading only: end the table that writes it",
                            f"{self._name} 只能读：请先关掉正在写它的那一桌")
            rows: list[tuple[int, str, str, float, bytes]] = []
            sealed = self._last_hash
            for seq, (kind, data) in enumerate(items, self._last_seq + 1):
                text = json.dumps(data, allow_nan=False, separators=(",", ":"))
                sealed = file.seal(sealed, seq, kind, text, float(wall))
                rows.append((seq, kind, text, float(wall), sealed))
            if not rows:
                return []
            if not anywhere and not self._in_place():
                raise faults.gone(self._name)
            try:
                with file.all_or_nothing(self._link):
                    self._link.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?)", rows)
            except faults.CAUSES as fault:
                raise faults.fault_of(self._name, fault) from fault
            self._last_seq, self._last_hash = rows[-1][0], sealed
            if self._lock is not None:
                write_head(Path(self._name), self._last_seq, sealed)
        return [_record(row) for row in rows]

    def _in_place(self) -> bool:
        """Whether who opens the journal by its name will find what is written here: SQLite goes on in a file without a name."""
        return not self._files or self._files.items() <= file.identity(Path(self._name)).items()

    def since(self, seq: int) -> Iterator[Record]:
        """The records after number `seq`, in order; raises Fault where the disk can't be read."""
        while True:
            try:
                with self._guard:
                    rows = self._link.execute(ROWS, (seq, PAGE)).fetchall()
            except faults.CAUSES as fault:
                raise faults.fault_of(self._name, fault) from fault
            for row in rows:
                yield _record(row)
            if len(rows) < PAGE:
                return
            seq = rows[-1][0]

    def close(self) -> None:
        """Close the file and let another table have the folder; closing twice is no harm."""
        with self._guard:
            self._link.close()
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _record(row: tuple[Any, ...]) -> Record:
    return Record(row[0], row[1], json.loads(row[2]), row[3])


def _own(path: Path) -> FolderLock:
    """Make the folder and take it for this process; raises Fault."""
    try:
        if not path.parent.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            sync_folder(path.parent.parent)
        return FolderLock(path.with_name(path.name + ".lock"))
    except BlockingIOError as fault:
        raise faults.in_use(str(path)) from fault
    except OSError as fault:
        raise faults.unwritable(str(path)) from fault


def _how_to_view(path: Path) -> str:
    """SQLite has no place for its shared index in a read-only folder; where no log is pending none is needed."""
    writable = os.access(path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    log = path.with_name(path.name + "-wal")
    pending = log.exists() and log.stat().st_size > 0
    return "?mode=ro" if pending or writable else "?immutable=1"

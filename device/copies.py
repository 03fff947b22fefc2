"""A copy of the journal after every game, in a folder beside it, the last few kept: one fault of a disk costs no old evening."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from device.errors import Fault
from device.files import TEMPORARY, sync_folder
from device.following import Followed, Following

FOLDER, KEPT = "copies", 5
PREFIX, SUFFIX = "journal-", ".db"


def copies_of(path: Path) -> list[Path]:
    """The copies of the journal at `path`, the newest first."""
    return sorted((path.parent / FOLDER).glob(f"{PREFIX}*{SUFFIX}"), key=lambda copy: copy.name, reverse=True)


def copied(source: Path, target: Path) -> None:
    """Put a whole copy of the journal at `source`, also while a table writes it, on the disk at `target`; raises Fault."""
    part = target.with_name(target.name + TEMPORARY)
    try:
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(source.resolve().as_uri() + "?mode=ro", uri=True)) as link, closing(
            sqlite3.connect(part)
        ) as copy:
            link.backup(copy)
            # one file without a log beside it
            copy.execute("PRAGMA journal_mode = DELETE")
        handle = os.open(part, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        part.replace(target)
        sync_folder(target.parent)
    except (OSError, sqlite3.Error) as fault:
        part.unlink(missing_ok=True)
        raise Fault("copy_failed", f"the journal could not be copied to {target} ({fault}): make room there",
                    f"记录未能复制到 {target}（{fault}）：请腾出空间") from fault


def copy_after_game(path: Path, version: int, kept: int = KEPT) -> Path:
    """Copy the journal at `path` into its folder of copies, and let the oldest beyond `kept` go; raises Fault."""
    folder = path.parent / FOLDER
    try:
        folder.mkdir(exist_ok=True)
        for half in folder.glob(f"*{TEMPORARY}"):
            half.unlink()
    except OSError as fault:
        raise Fault("copy_failed", f"can't write in {folder} ({fault.strerror}): make room there",
                    f"不能写入 {folder}（{fault.strerror}）") from fault
    target = folder / f"{PREFIX}{version:09d}{SUFFIX}"
    copied(path, target)
    for old in copies_of(path)[kept:]:
        old.unlink(missing_ok=True)
    return target


class Copier:
    """Copies the journal each time a game has ended; on a thread of its own from `open` to `close`."""

    def __init__(self, table: Followed, path: Path, told: Callable[[str], None]) -> None:
        """told: "ok", or why the last copy was not made."""
        self._table = table
        self._path = path
        self._told = told
        self._over = bool(table.state()["over"])
        self._following = Following(table, "copier", lambda _: self.look())

    def open(self) -> Copier:
        """Begin to follow."""
        self._following.open()
        return self

    def close(self) -> None:
        """Stop following."""
        self._following.close()

    def look(self) -> None:
        """Copy, where a game has ended since the last look."""
        state = self._table.state()
        before, self._over = self._over, bool(state["over"])
        if self._over and not before:
            try:
                copy_after_game(self._path, int(state["version"]))
            except Fault as fault:
                self._told(fault.en)
            else:
                self._told("ok")

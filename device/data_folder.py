"""The folder of a table's things: made, or tried beforehand as a table would use it and left as it was."""

from __future__ import annotations

import errno
import tempfile
from contextlib import suppress
from pathlib import Path

from device.errors import Fault
from device.files import TEMPORARY
from device.journal import FILE_NAME
from device.journal_faults import unwritable

WRITTEN = ("", "-wal", "-shm", ".lock")
"""The endings of the files that a table opens to write before it takes its first throw."""


def make_folder(data: Path) -> None:
    """The folder is there from now on; raises Fault where it can't be."""
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise _not_made(data, fault) from fault


def unkept(data: Path) -> Fault | None:
    """Why no game could be kept in this folder, None where one could; for a table that does not run from it yet.

    Tried by making the folder and writing into it; whatever was made for that is taken away again.
    """
    made: list[Path] = []
    try:
        for folder in (*reversed(data.parents), data):
            if not folder.is_dir():
                folder.mkdir()
                made.append(folder)
        return _unwritten(data)
    except OSError as fault:
        return _not_made(data, fault)
    finally:
        for folder in reversed(made):
            with suppress(OSError):  # somebody has begun to use it
                folder.rmdir()


def _unwritten(data: Path) -> Fault | None:
    journal = data / FILE_NAME
    try:
        for ending in WRITTEN:
            file = journal.with_name(FILE_NAME + ending)
            if file.is_file():
                file.open("rb+").close()
        with tempfile.NamedTemporaryFile(dir=data, prefix="tried.", suffix=TEMPORARY) as tried:
            tried.write(b"tried")
    except OSError as fault:
        # on a full disk a game goes on in memory: how much room there is, is another question
        return None if fault.errno == errno.ENOSPC else unwritable(str(journal))
    return None


def _not_made(data: Path, fault: OSError) -> Fault:
    return Fault(
        "folder_not_made",
        f"the folder {data} can't be made ({fault.strerror}): name another one with --data",
        f"无法创建文件夹 {data}（{fault.strerror}）：请用 --data 另选一个",
    )

"""Files that survive a pulled plug: whole or not at all, and one owner at a time."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path

TEMPORARY = ".part"


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; Windows can't open folders and needs no such step."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, content: bytes) -> None:
    """Put `content` at `path`: a reader, also after a power cut, sees the old file or the new; raises OSError."""
    handle, name = tempfile.mkstemp(prefix=path.name + ".", suffix=TEMPORARY, dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
    sync_folder(path.parent)


class FolderLock:
    """Held by one process at a time; the operating system lets go of it when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        """Take the lock; raises BlockingIOError where another holder has it, OSError where the file can't be made."""
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _take(self._handle)
        except OSError as fault:
            os.close(self._handle)
            raise BlockingIOError(str(path)) from fault

    def release(self) -> None:
        """Let go; the file itself stays, since removing it would let two processes hold two files of one name."""
        os.close(self._handle)


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

"""The number and seal of the last record that was told, beside the journal: it shows when a disk has lost what it had taken."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

SUFFIX = ".last"
_LINE = re.compile(r"(\d{1,15}) ([0-9a-f]{64})\n?", re.ASCII)


def head_of(path: Path) -> Path:
    """Where the mark of the journal at `path` lies."""
    return path.with_name(path.name + SUFFIX)


def write_head(path: Path, seq: int, sealed: bytes) -> None:
    """Note the last record. It is not synced: it may be behind the journal after a power cut, but never before it."""
    with suppress(OSError):  # the records themselves are on the disk; this is a second witness only
        head_of(path).write_bytes(f"{seq} {sealed.hex()}\n".encode())


def read_head(path: Path) -> int:
    """The number of the last record that was told, as far as the mark knows; 0 where there is none or it is damaged."""
    try:
        line = _LINE.fullmatch(head_of(path).read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError):
        return 0
    return 0 if line is None else int(line[1])

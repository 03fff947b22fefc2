"""The file under a journal: is it one, of which version, is it whole; how it is made ready."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from device.journal_faults import damaged, newer, not_a_journal
from device.migrations import Migration

APPLICATION_ID = 0x426F4269  # "BoBi": tells our file from any other SQLite file
MAGIC = b"SQLite format 3\0"
NO_HASH = bytes(32)
ROWS = "SELECT seq, type, data, wall, hash FROM record ORDER BY seq"
IN_MEMORY = ":memory:"
_COMPACT = json.JSONEncoder(separators=(",", ":"))


def connect(target: str, uri: bool) -> sqlite3.Connection:
    """A connection for any thread (the caller guards it), with its transactions said aloud; raises sqlite3.Error."""
    return sqlite3.connect(target, timeout=2.0, isolation_level=None, check_same_thread=False, uri=uri)


@contextmanager
def all_or_nothing(link: sqlite3.Connection) -> Iterator[None]:
    """A transaction: on disk when the block ends, nothing stored when it fails."""
    link.execute("BEGIN IMMEDIATE")
    try:
        yield
        link.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            link.execute("ROLLBACK")
        raise


def version_of(link: sqlite3.Connection, name: str) -> int:
    """How many migrations the file has taken; 0 for an empty file; raises Fault for a file that is no journal, or whose
    header and content disagree about it."""
    things = {row[0] for row in link.execute("SELECT name FROM sqlite_master")}
    if _pragma(link, "application_id") != APPLICATION_ID:
        if things:
            raise not_a_journal(name)
        return 0
    version = _pragma(link, "user_version")
    steps = link.execute("SELECT COUNT(*) FROM step").fetchone()[0] if "step" in things else min(1, len(things))
    if version != steps:
        raise damaged(name)
    return version


def make_ready(link: sqlite3.Connection, name: str, migrations: Sequence[Migration]) -> None:
    """Bring the file to the newest version, all steps or none, a copy of the old kept; raises Fault, sqlite3.Error."""
    version = version_of(link, name)
    if version > len(migrations):
        raise newer(name)
    if name != IN_MEMORY and not header_is_whole(Path(name)):
        raise damaged(name)
    mode = link.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    # a file system without shared memory refuses WAL; there the removal of the rollback journal must be synced as well
    link.execute(f"PRAGMA synchronous = {'FULL' if mode == 'wal' else 'EXTRA'}")
    link.execute("PRAGMA fullfsync = 1")
    link.execute("PRAGMA checkpoint_fullfsync = 1")
    if version == len(migrations):
        return
    if version:
        check_frame(link, name, migrations[:version])
        _copy(link, Path(f"{name}.v{version}"))
    with all_or_nothing(link):
        for migration in migrations[version:]:
            for statement in migration.statements:
                link.execute(statement)
        if len(migrations) > 1:
            link.executemany("INSERT OR IGNORE INTO step VALUES (?)", [(n + 1,) for n in range(len(migrations))])
        link.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        link.execute(f"PRAGMA user_version = {len(migrations)}")


def check_frame(link: sqlite3.Connection, name: str, taken: Sequence[Migration]) -> None:
    """Raise Fault where what holds the records (pages, tables, triggers) is not as the migrations made it."""
    made = [text for migration in taken for text in migration.statements if text.startswith("CREATE")]
    if [row[0] for row in link.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")] != made:
        raise damaged(name)
    if link.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise damaged(name)


def header_is_whole(path: Path) -> bool:
    """Whether the first bytes of the file are those that a journal of ours has; true for an empty or missing file."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError:
        return True
    if len(head) < 100:
        return not head
    magic, size, modes, fractions = head[:16], head[16:18], set(head[18:20]), head[20:24]
    return magic == MAGIC and size == b"\x10\x00" and modes <= {1, 2} and fractions == b"\x00\x40\x20\x20"


def identity(path: Path) -> dict[str, tuple[int, int]]:
    """Which files lie under the journal's name and its log's now; one that is not there is left out."""
    found: dict[str, tuple[int, int]] = {}
    for name in (path.name, f"{path.name}-wal"):
        with suppress(OSError):
            stat = path.with_name(name).stat()
            found[name] = (stat.st_dev, stat.st_ino)
    return found


def seal(before: bytes, seq: int, kind: str, text: str, wall: float) -> bytes:
    """SHA-256 over the seal before and this record: a changed, missing or moved record breaks every seal after it."""
    content = _COMPACT.encode([seq, kind, text, wall]).encode()
    return hashlib.sha256(before + content).digest()


def check_seals(link: sqlite3.Connection, name: str) -> tuple[int, bytes]:
    """The last number and seal of an unbroken journal, (0, NO_HASH) of an empty one; raises Fault naming the damage."""
    last, sealed = 0, NO_HASH
    try:
        for seq, kind, text, wall, stored in link.execute(ROWS):
            sealed = seal(sealed, seq, kind, text, wall)
            if seq != last + 1 or stored != sealed:
                raise damaged(name, last + 1)
            last = seq
    except (TypeError, ValueError) as fault:
        raise damaged(name, last + 1) from fault
    except sqlite3.OperationalError as fault:
        if hasattr(fault, "sqlite_errorcode"):  # SQLite's own; without a code it is Python's: text that is no text
            raise
        raise damaged(name, last + 1) from fault
    return last, sealed


def _pragma(link: sqlite3.Connection, name: str) -> int:
    return int(link.execute(f"PRAGMA {name}").fetchone()[0])


def _copy(link: sqlite3.Connection, target: Path) -> None:
    target.unlink(missing_ok=True)
    with closing(sqlite3.connect(target)) as copy:
        link.backup(copy)

"""How a stored journal grows from version to version: steps as data, one a version, never edited once released."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Migration:
    """One step forward; the schema version of a journal is the number of steps that it has taken."""

    why: str
    statements: tuple[str, ...]


# "INSERT OR REPLACE" deletes without firing a delete trigger, so the insert trigger refuses any number but the next.
MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        "records in order, each sealed by the hash of all before it, none ever changed",
        (
            """CREATE TABLE record (
                seq INTEGER PRIMARY KEY,
                type TEXT NOT NULL,
                data TEXT NOT NULL,
                wall REAL NOT NULL,
                hash BLOB NOT NULL CHECK (length(hash) = 32)
            )""",
            """CREATE TRIGGER record_is_never_changed BEFORE UPDATE ON record
                BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
            """CREATE TRIGGER record_is_never_deleted BEFORE DELETE ON record
                BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
            """CREATE TRIGGER record_follows_the_last BEFORE INSERT ON record
                WHEN NEW.seq IS NOT (SELECT COALESCE(MAX(seq), 0) + 1 FROM record)
                BEGIN SELECT RAISE(ABORT, 'the journal has no gaps'); END""",
        ),
    ),
    Migration(
        "the number of steps once more, inside: a damaged header is not taken for another version",
        ("CREATE TABLE step (version INTEGER PRIMARY KEY)",),
    ),
)

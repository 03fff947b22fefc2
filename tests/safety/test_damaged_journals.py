"""Whatever happens to the bytes of a journal: it opens, or the damage is put aside and said, and nothing before it is lost."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from device.copies import copy_after_game
from device.errors import Fault
from device.journal import Journal, Record
from device.journal_rescue import UNFINISHED, Rescue, open_rescued

EVENTS = 200
NAMES = ("甲", "乙", "丙", "丁")


def event(number: int) -> tuple[str, dict[str, Any]]:
    """Events of many sizes; some do not fit a page of the file."""
    if number % 67 == 66:
        return "Started", {"n": number, "players": [f"{name}{n}" for n in range(90) for name in NAMES], "end": number}
    return "Thrown", {"player": f"p{number % 4 + 1}", "dice": [4, 4, number % 6 + 1, 2, 3, 6], "still": f"a-{number}"}


class Written:
    """A journal of 200 events as files, and what was told of it."""

    def __init__(self, folder: Path, cut: bool) -> None:
        """cut: by a kill, so that most of it still stands in the write-ahead log."""
        self.path = folder / "journal.db"
        self.told: list[Record] = []
        journal = Journal.open(self.path)
        for number in range(EVENTS):
            self.told += journal.append([event(number)], wall=1_790_000_000.0 + number / 3)
        if cut:
            kept = {part: part.read_bytes() for part in folder.iterdir()}
        journal.close()
        if cut:
            for part, content in kept.items():
                part.write_bytes(content)
        self.parts = {part.name: part.read_bytes() for part in folder.iterdir() if part.suffix != ".db-shm"}
        self.parts.pop("journal.db.lock", None)
        self.parts.pop("journal.db-shm", None)

    def where(self, part: str) -> list[range]:
        """The places in a file between which each record's own text stands, in order; the newest copy counts."""
        places = []
        for record in self.told:
            ends = [self.parts[part].rfind(text) for text in self.marks(record)]
            # after the text stand the time (whole seconds take 4 bytes, others 8) and the seal; then comes the next record in the page
            behind = len(self.marks(record)[-1]) + (4 if record.wall.is_integer() else 8) + 32
            places.append(range(min(ends), max(ends) + behind) if min(ends) >= 0 else range(0))
        return places

    @staticmethod
    def marks(record: Record) -> tuple[bytes, ...]:
        """Bytes at the beginning and the end of this record, which stand in no other."""
        if "n" in record.data:
            return f'"n":{record.data["n"]},'.encode(), f'"end":{record.data["end"]}}}'.encode()
        return (f'"still":"{record.data["still"]}"}}'.encode(),)


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return Written(tmp_path_factory.mktemp("ended"), cut=False)


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return Written(tmp_path_factory.mktemp("cut"), cut=True)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Lays the files of a journal out, some of them changed, in a fresh folder."""
    folder = tmp_path / "table"

    def lay(written: Written, **changed: bytes) -> Path:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, content in written.parts.items():
            (folder / name).write_bytes(changed.get(name.replace("journal.db", "db").replace("-", "_"), content))
        return folder / "journal.db"

    yield lay


def opened(path: Path) -> tuple[list[Record], Rescue | None]:
    """What a start finds, that it can be written to, and that a second start finds the same in peace."""
    journal, rescue = open_rescued(path)
    with journal:
        found = list(journal.since(0))
        journal.append([("Thrown", {"after": True})], wall=0.0)
    journal, again = open_rescued(path)
    with journal:
        assert again is None
        assert [r.data for r in journal.since(0)] == [*(r.data for r in found), {"after": True}]
    return found, rescue


def judged(written: Written, found: list[Record], rescue: Rescue | None) -> None:
    """What is found is a beginning of what was told, and if it is not all, that is said, with the damaged files kept."""
    assert found == written.told[: len(found)]
    if len(found) < EVENTS:
        assert rescue is not None and (rescue.kept, rescue.lost) == (len(found), EVENTS - len(found))
    if rescue is not None:
        assert rescue.folder.is_dir() and not (rescue.folder / UNFINISHED).exists()
        assert "\n" not in rescue.en + rescue.zh


def places(size: int, chance: random.Random, tries: int) -> list[int]:
    """Every place in a file, or the first hundred and some drawn ones."""
    return list(range(size)) if tries >= size else sorted({*range(0, 100, 9), *(chance.randrange(size) for _ in range(tries))})


PARTS = [("ended", "db"), ("cut", "db"), ("cut", "db_wal")]


@pytest.mark.parametrize(("which", "part"), PARTS)
def test_a_flipped_byte_costs_at_most_the_record_it_stands_in_and_what_followed(
    request: pytest.FixtureRequest, place: Callable[..., Path], count: Any, figure: Any, which: str, part: str
) -> None:
    written: Written = request.getfixturevalue(which)
    name = part.replace("db", "journal.db").replace("_", "-")
    whole = written.parts[name]
    chance = random.Random(f"{which} {part}")
    spans = written.where(name)
    lost: list[int] = []
    rescued = 0
    tried = places(len(whole), chance, count(12, 3000 if part == "db_wal" else len(whole)))
    for at in tried:
        damaged = bytearray(whole)
        damaged[at] ^= chance.choice([0xFF, 1 << chance.randrange(8)])
        found, rescue = opened(place(written, **{part: bytes(damaged)}))
        judged(written, found, rescue)
        rescued += rescue is not None
        lost.append(EVENTS - len(found))
        inside = [n for n, span in enumerate(spans) if at in span]
        assert len(found) >= min(inside, default=0)
    figure(f"{len(tried)} of {len(whole)} bytes flipped: {rescued} put aside, {sum(1 for n in lost if n)} with a loss, all said")


@pytest.mark.parametrize(("which", "part"), PARTS)
def test_a_file_cut_off_anywhere_keeps_what_was_before_the_cut(
    request: pytest.FixtureRequest, place: Callable[..., Path], count: Any, figure: Any, which: str, part: str
) -> None:
    written: Written = request.getfixturevalue(which)
    name = part.replace("db", "journal.db").replace("_", "-")
    whole = written.parts[name]
    chance = random.Random(f"{which} {part} cut")
    spans = written.where(name)
    tried = places(len(whole), chance, count(12, 3000 if part == "db_wal" else len(whole)))
    rescued = 0
    for at in tried:
        found, rescue = opened(place(written, **{part: whole[:at]}))
        judged(written, found, rescue)
        rescued += rescue is not None
        before = next((n for n, span in enumerate(spans) if not span or span.stop > at), EVENTS)
        assert len(found) >= before
    figure(f"{len(tried)} of {len(whole)} lengths: {rescued} put aside, all said")


def test_a_damaged_description_of_the_file_costs_no_record(place: Callable[..., Path], ended: Written) -> None:
    """Names of columns, of the table, words of SQL: what SQLite says about its own file."""
    whole = ended.parts["journal.db"]
    begin, end = whole.index(b"CREATE TABLE step"), whole.index(b"(length(hash) = 32)")
    names = [whole.index(name, begin) for name in (b"type TEXT", b"data TEXT", b"wall REAL", b"hash BLOB", b"seq INTEGER", b"NEW.seq")]
    for at in sorted({*names, *range(begin, end, 17)}):
        damaged = bytearray(whole)
        damaged[at] ^= 0x01
        found, rescue = opened(place(ended, db=bytes(damaged)))
        judged(ended, found, rescue)
        assert len(found) == EVENTS


def test_a_rescue_that_is_cut_off_is_taken_up_again(place: Callable[..., Path], cut: Written, ended: Written) -> None:
    damaged = bytearray(ended.parts["journal.db"])
    damaged[20_000] ^= 0xFF
    path = place(ended, db=bytes(damaged))
    journal, first = open_rescued(path)
    kept = list(journal.since(0))
    journal.close()
    assert first is not None
    # the power went when the damaged file was put aside and the new one was not in place yet
    (first.folder / UNFINISHED).touch()
    path.unlink()
    journal, again = open_rescued(path)
    with journal:
        assert list(journal.since(0)) == kept
        assert again is not None and again.kept == first.kept


def test_records_of_an_old_game_come_back_from_its_copy(place: Callable[..., Path], ended: Written) -> None:
    path = place(ended)
    copy_after_game(path, EVENTS)
    zeros = bytes(len(ended.parts["journal.db"]))
    path.write_bytes(zeros)
    found, rescue = opened(path)
    assert found == ended.told
    assert rescue is not None and rescue.lost == 0


def test_a_disk_that_lost_what_it_had_taken_is_found_out(place: Callable[..., Path], ended: Written) -> None:
    path = place(ended)
    with Journal.open(path) as journal:
        journal.append([("Thrown", {"late": True})], wall=0.0)
    path.write_bytes(ended.parts["journal.db"])  # the older file is whole in itself
    found, rescue = opened(path)
    assert found == ended.told
    assert rescue is not None and (rescue.kept, rescue.lost) == (EVENTS, 1)


def test_somebody_elses_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_text("今晚的账 " * 2000, encoding="utf-8")
    with pytest.raises(Fault) as fault:
        open_rescued(path)
    assert fault.value.key == "not_a_journal"
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_dir()] == []

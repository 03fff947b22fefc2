"""The power goes: what was not synced is gone, in part or torn. What was told is there all the same.

A shim between Python and the system notes every write and sync of a process that fills a journal. From that a disk is made
up as a power cut at any point could have left it: everything that was synced, and of the rest any of its 512-byte sectors.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from device.journal_rescue import open_rescued

ROOT = Path(__file__).resolve().parents[2]
SECTOR = 512
WRITER = """
import sys
from pathlib import Path
from device.journal import Journal

folder = Path(sys.argv[1])
told = (folder / "told").open("wb", buffering=0)
for evening in range(2):
    with Journal.open(folder / "journal.db") as journal:
        for n in range(int(sys.argv[2])):
            records = journal.append([("Thrown", {"n": journal.last_seq, "pad": "x" * (n * 37 % 900)})] * (1 + n % 3), float(n))
            told.write(b"%d\\n" % records[-1].seq)
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the shim is for Linux: run these tests there")


@dataclass(frozen=True)
class Act:
    """One change: kind (w write, s sync, t truncate, u unlink), file, place, bytes."""

    kind: str
    file: str
    at: int
    data: bytes


@pytest.fixture(scope="module")
def acts(tmp_path_factory: pytest.TempPathFactory) -> list[Act]:
    """What a process that fills a journal for two evenings does to its files."""
    folder = tmp_path_factory.mktemp("power")
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler here: sudo apt-get install gcc libc6-dev")
    shim, log, table = folder / "shim.so", folder / "log", folder / "table"
    table.mkdir()
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", shim, Path(__file__).with_name("shim.c"), "-ldl"], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(shim), "SHIM_LOG": str(log), "SHIM_FOLDER": str(table)}
    subprocess.run([sys.executable, "-c", WRITER, str(table), "60"], cwd=ROOT, env=environment, check=True)
    return list(noted(log.read_bytes(), str(table)))


def noted(log: bytes, folder: str) -> Iterator[Act]:
    at = 0
    while at < len(log):
        kind = chr(log[at])
        named, where, size = struct.unpack_from("<QQQ", log, at + 1)
        path = log[at + 25 : at + 25 + named].decode()
        at += 25 + named
        data = b""
        if kind == "w":
            data = log[at : at + size]
            at += size
        if path.startswith(folder + "/"):
            yield Act(kind, path[len(folder) + 1 :], where, data)


def sectors(act: Act) -> Iterator[Act]:
    """A write as its sectors: each gets to the disk or not."""
    start = act.at
    while start < act.at + len(act.data):
        end = min((start // SECTOR + 1) * SECTOR, act.at + len(act.data))
        yield Act("w", act.file, start, act.data[start - act.at : end - act.at])
        start = end


def disk(acts: list[Act], chance: random.Random) -> dict[str, bytes]:
    """A disk after a power cut behind these acts. Names are kept as they were (journalling file systems order those)."""
    synced = {act.file: n for n, act in enumerate(acts) if act.kind == "s"}
    keeps = chance.choice([0.0, 0.3, 0.7, 1.0])
    files: dict[str, bytearray] = {}
    for n, act in enumerate(acts):
        content = files.setdefault(act.file, bytearray())
        sure = n < synced.get(act.file, -1)
        if act.kind == "u":
            files.pop(act.file)
        elif act.kind == "t" and (sure or chance.random() < keeps):
            content[:] = content[: act.at].ljust(act.at, b"\0")
        elif act.kind == "w":
            for part in sectors(act):
                if sure or chance.random() < keeps:
                    content.extend(bytes(max(0, part.at - len(content))))
                    content[part.at : part.at + len(part.data)] = part.data
    return {name: bytes(content) for name, content in files.items() if not name.endswith("-shm")}


def test_the_shim_saw_what_the_promise_rests_on(acts: list[Act]) -> None:
    last: dict[str, str] = {}
    for act in acts:
        if act.file == "told":  # before anybody is told, every written file of the journal is synced
            assert "w" not in (last.get("journal.db"), last.get("journal.db-wal"))
        elif act.kind in "ws":
            last[act.file] = act.kind
    assert sum(act.file == "told" for act in acts) == 120


def test_whatever_a_power_cut_leaves_of_unsynced_writes_what_was_told_is_there(
    acts: list[Act], tmp_path: Path, count: Any, figure: Any
) -> None:
    chance = random.Random(8)
    cuts, rescued = count(50, 5000), 0
    for number in range(cuts):
        point = chance.randrange(1, len(acts) + 1)
        done = acts[:point]
        told = b"".join(act.data for act in done if act.file == "told").split()
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, content in disk([act for act in done if act.file != "told"], chance).items():
            (folder / name).write_bytes(content)
        journal, rescue = open_rescued(folder / "journal.db")
        with journal:
            found = [record.data["n"] for record in journal.since(0)]
        rescued += rescue is not None
        assert len(found) >= (int(told[-1]) if told else 0)
        assert found == sorted(found)
        assert rescue is None or rescue.lost == 0
        shutil.rmtree(folder)
    figure(f"{cuts} power cuts at any of {len(acts)} points: nothing that was told is lost; {rescued} files mended on the way")

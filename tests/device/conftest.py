"""Helpers for tests of the table and its storage; `table_talk.py` is imported by name."""

from __future__ import annotations

import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from device.journal import Journal
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import PRESETS

sys.path.insert(0, str(Path(__file__).parent))

NOBODY = 65534


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A folder that this process may read and not write, also as root, to whom permissions mean nothing."""
    if os.name == "nt":
        pytest.skip("folders are made read-only by mode bits here; run this test on Linux or macOS")
    # not under tmp_path: its parents are closed to everybody but their owner
    folder = Path(tempfile.mkdtemp(prefix="bobing-read-only-"))
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Opens the table whose journal lies in this test's folder; opening again is a restart."""
    tables: list[Table] = []
    clock = itertools.count(1_700_000_000)

    def opened(confirm: str = "unsure", wall: Callable[[], float] | None = None) -> Table:
        for table in tables:
            table.close()
        tables.clear()
        journal = Journal.open(tmp_path / "journal.db")
        table = Table(
            journal,
            None,
            Setting(confirm=confirm),
            PRESETS["xiamen"],
            wall or (lambda: float(next(clock))),
            lambda n: n - 1,
        ).open()
        tables.append(table)
        return table

    yield opened
    for table in tables:
        table.close()

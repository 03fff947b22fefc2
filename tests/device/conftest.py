"""Helpers for tests of the table's storage."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

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

"""No library reports home: one that did would keep an identifier and a store of what it has to send beside its user's files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def read(folder: Path) -> subprocess.CompletedProcess[str]:
    """One picture read by a user whose home is this folder, as on a machine that is no build server (there libraries are quiet by themselves)."""
    cv2.imwrite(str(folder / "grey.png"), np.full((240, 320, 3), 128, np.uint8))
    home = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "USERPROFILE": str(folder), "LOCALAPPDATA": str(folder), "LANG": "C.UTF-8"}
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    words = [sys.executable, str(ROOT / "bobing.py"), "read", "--no-bowl", "--json", str(folder / "grey.png")]
    return subprocess.run(words, env={**home, **kept}, capture_output=True, text=True, check=False, timeout=120)


def test_reading_leaves_nothing_in_the_home_of_whoever_reads(tmp_path: Path) -> None:
    done = read(tmp_path)
    assert done.returncode == 0, done.stderr
    assert '"verdict": "empty"' in done.stdout
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["grey.png"]

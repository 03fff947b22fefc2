"""`bobing record` as it is called: what it says of a game that is not played, and what it leaves behind."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
FPS, FRAMES = 15, 30


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Two seconds of a table without a bowl, fifteen pictures a second."""
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (320, 240))
    for n in range(FRAMES):
        writer.write(np.full((240, 320, 3), 90 + n % 2, np.uint8))
    writer.release()
    return path


def recorded(film: Path, folder: Path, *words: str) -> list[str]:
    """The lines of a `bobing record` that is interrupted when the film has ended."""
    command = [sys.executable, str(ROOT / "bobing.py"), "record", "--source", str(film), "--out", str(folder / "out")]
    process = subprocess.Popen([*command, "--data", str(folder / "data"), "--port", "0", *words], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    said = list(until_served(process.stderr))
    address = said[-1].split("http://")[1].split("/")[0]
    with urllib.request.urlopen(f"http://{address}/api/events") as stream:
        for line in stream:
            if not line.strip():
                with urllib.request.urlopen(f"http://{address}/healthz") as answer:
                    if json.load(answer)["camera"] == "the recording has ended":
                        break
    process.send_signal(signal.SIGINT)
    said += process.communicate(timeout=60)[1].splitlines()
    assert process.returncode == 0
    return said


def until_served(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if "http://" in line:
            return


@pytest.mark.parametrize(("words", "said"), [((), True), (("--players", "甲,乙"), False)])
def test_it_is_said_at_the_start_that_without_players_no_game_is_played(
    film: Path, tmp_path: Path, words: tuple[str, ...], said: bool
) -> None:
    lines = recorded(film, tmp_path, *words)
    served = next(n for n, line in enumerate(lines) if "http://" in line)
    assert any("--players" in line and "only pictures" in line for line in lines[:served]) is said
    truth = json.loads((tmp_path / "out" / "recording.json").read_text())
    assert truth["frames"] == FRAMES
    assert truth["fps"] == pytest.approx(FPS, rel=0.01)
    assert truth["times"][-1] - truth["times"][0] == pytest.approx((FRAMES - 1) / FPS, abs=1e-3)

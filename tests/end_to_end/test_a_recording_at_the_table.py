"""`bobing run --source clip`: a recording is played once before a real game, and what the board shows is what lay in the bowl."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.sources import DEMO, demo_calibration, demo_file

ROOT = Path(__file__).resolve().parents[2]
THROWS = 2
HOLD_S = 1.5
"""So long the last picture stays."""


class Run:
    """One `bobing run` with what it says."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "bobing.py"), "run", "--port", "0", *words], stderr=subprocess.PIPE, text=True
        )
        self.said: list[str] = []
        self.address = ""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            found = re.search(r"http://\S+?/", line)
            if found:
                self.address = found.group()
                break
        assert self.address, self.said

    def get(self, path: str) -> Any:
        """JSON from a path."""
        with urllib.request.urlopen(self.address + path) as answer:
            return json.load(answer)

    def until_the_end_of_the_recording(self) -> dict[str, Any]:
        """The state once the recording has ended; each message of the stream is followed by a look."""
        with urllib.request.urlopen(self.address + "api/events") as stream:
            for line in stream:
                if not line.strip():
                    state: dict[str, Any] = self.get("api/state")
                    if (state["notice"] or {}).get("key") == "recording_ended":
                        return state
        raise AssertionError("the stream ended before the recording")


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first throws of the bundled recording; the last one stays for a while."""
    truth = json.loads((DEMO / "demo.json").read_text())
    last = truth["throws"][THROWS - 1]["rest_end_frame"] - 4
    path = tmp_path_factory.mktemp("film") / "table.avi"
    video = cv2.VideoCapture(str(demo_file()))
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), truth["fps"], (truth["width"], truth["height"]))
    frame = None
    for _ in range(last):
        ok, frame = video.read()
        assert ok
        writer.write(frame)
    assert frame is not None
    grain = np.random.default_rng(0).normal(0, 1.5, np.asarray(frame).shape).round().astype(np.int16)
    for n in range(round(HOLD_S * truth["fps"])):
        writer.write(np.clip(frame + np.roll(grain, 37 * n, axis=n % 2), 0, 255).astype(np.uint8))
    writer.release()
    return path


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Any]:
    """Starts an appliance on this test's data folder, and sees to it that it ends."""
    running: list[Run] = []

    def start(*words: str, settings: str = "") -> Run:
        (tmp_path / "bobing.toml").write_text(settings)
        running.append(Run("--data", str(tmp_path), *words))
        return running[-1]

    yield start
    for one in running:
        one.process.send_signal(signal.SIGKILL)
        one.process.communicate()


@pytest.mark.parametrize("calibrated", [True, False])
def test_a_recording_named_as_source_is_read_scored_and_shown_once(film: Path, run: Any, calibrated: bool) -> None:
    settings = f'[camera]\ncalibration = "{demo_calibration()}"\n' if calibrated else ""
    table = run("--source", str(film), "--players", "甲,乙,丙", settings=settings)
    state = table.until_the_end_of_the_recording()
    assert state["demo"] is False
    truth = json.loads((DEMO / "demo.json").read_text())["throws"][:THROWS]
    # in the order in which they were thrown; what was asked about waits, and is no part of the game yet
    credited = [tuple(sorted(throw["dice"])) for throw in reversed(state["history"])]
    thrown = [tuple(sorted(throw["values"])) for throw in truth]
    assert len(credited) + (state["question"] is not None) + state["waiting"] == THROWS
    assert credited == thrown[: len(credited)]
    for throw in state["history"]:
        with urllib.request.urlopen(table.address + throw["still"].lstrip("/")) as picture:
            assert picture.read(2) == b"\xff\xd8"
    assert table.get("healthz")["camera"] == "the recording has ended"


def test_a_calibration_of_another_size_is_said_and_the_recording_costs_nothing(film: Path, run: Any, tmp_path: Path) -> None:
    small = tmp_path / "small.avi"
    video = cv2.VideoCapture(str(film))
    writer = cv2.VideoWriter(str(small), cv2.VideoWriter.fourcc(*"MJPG"), 15, (640, 360))
    for _ in range(30):
        writer.write(np.asarray(cv2.resize(video.read()[1], (640, 360))))
    writer.release()
    settings = f'[camera]\ncalibration = "{demo_calibration()}"\n'
    table = run("--source", str(small), "--players", "甲,乙", settings=settings)
    state = table.until_the_end_of_the_recording()
    assert state["throws"] == 0 and state["question"] is None
    assert "calibrate" in table.get("healthz")["reader"]

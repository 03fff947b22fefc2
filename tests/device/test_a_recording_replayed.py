"""`bobing record` from end to end: what the camera saw and what was credited, read again from the recording with the same result."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from table_talk import started

from device.cli.readers import Readers
from device.lookout import Looking, Lookout
from device.recorder import TRUTH, VIDEO, Recorder
from device.sources import open_source
from device.table import Table


class Clock:
    """Time that passes only where somebody waits for it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def film(pictures: Path, to: Path) -> str:
    """The empty bowl, a throw, the empty bowl, another throw, each for a second and with noise of its own."""
    names = ("s00_empty0", "s00_t00", "s00_empty0", "s00_t04")
    frames = [np.asarray(cv2.imread(str(pictures / "sim-dev" / f"{name}.jpg"))) for name in names]
    height, width = frames[0].shape[:2]
    grain = np.random.default_rng(0).normal(0, 2, frames[0].shape).round().astype(np.int16)
    writer = cv2.VideoWriter(str(to), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (width, height))
    for n in range(len(frames) * 30):
        writer.write(np.clip(frames[n // 30] + np.roll(grain, 37 * n, axis=n % 2), 0, 255).astype(np.uint8))
    writer.release()
    return str(to)


def test_a_recording_replays_to_the_throws_that_its_truth_holds(make: Callable[..., Table], tmp_path: Path, pictures: Path) -> None:
    source = film(pictures, tmp_path / "table.avi")
    table, clock, readers = started(make()), Clock(), Readers(None, no_bowl=False)
    recorder = Recorder(tmp_path / "kept")
    recorder.follow(table)
    looking = Looking(
        open_source=lambda: open_source(source, clock),
        watcher=lambda frame: readers.watcher(frame, 6),
        clock=clock,
        picture_name=lambda: "still-1",
        sleep=clock.sleep,
        each=recorder.see,
    )
    Lookout(table, looking)._once()
    assert recorder.close() == 2
    kept = json.loads((tmp_path / "kept" / TRUTH).read_text())
    assert kept["frames"] == 120
    again = open_source(str(tmp_path / "kept" / VIDEO), clock)
    shots = list(again)
    watcher = readers.watcher(shots[0].frame, 6)
    throws = [s for shot in shots for s in watcher.feed(shot.frame, shot.index, shot.t) if s.event == "throw"]
    assert [list(s.reading.values) for s in throws if s.reading] == [t["values"] for t in kept["throws"]]
    assert all(abs(s.frame - t["frame"]) <= 15 for s, t in zip(throws, kept["throws"], strict=True))

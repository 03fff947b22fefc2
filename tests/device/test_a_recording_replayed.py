"""`bobing record` from end to end: what the camera saw and what was credited, read again from the recording with the same result."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from table_talk import started

from device.cli.readers import Readers
from device.lookout import Looking, Lookout
from device.recorder import TRUTH, VIDEO, Recorder
from device.shots import Shot
from device.sources import open_source
from device.table import Table
from vision.reading import Frame
from vision.watcher import Seen


class Clock:
    """Time that passes only where somebody waits for it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


LENGTH_S = 4.4
CAMERAS: dict[str, NDArray[np.float64]] = {
    "30 a second": np.arange(0, LENGTH_S, 1 / 30),
    "15 a second": np.arange(0, LENGTH_S, 1 / 15),
    "slower in the dark": np.cumsum(np.tile(np.concatenate([np.full(12, 1 / 30), np.full(9, 1 / 12)]), 4)),
    "now and then": np.cumsum(np.random.default_rng(7).uniform(0.02, 0.11, 68)),
}
"""When cameras give their frames, in seconds."""


class Film:
    """The empty bowl, a throw, the empty bowl, another throw, each for a second or more and with noise of its own."""

    live = False
    name = "film"

    def __init__(self, pictures: Path, times: NDArray[np.float64], begin: float = 0.0) -> None:
        names = ("s00_empty0", "s00_t00", "s00_empty0", "s00_t04")
        self._frames = [np.asarray(cv2.imread(str(pictures / "sim-dev" / f"{name}.jpg"))) for name in names]
        self._grain = np.random.default_rng(0).normal(0, 2, self._frames[0].shape).round().astype(np.int16)
        self._times, self._begin = times, begin

    def __iter__(self) -> Iterator[Shot]:
        for n, t in enumerate(self._times):
            yield Shot(n, self._begin + float(t), self._frame(n, float(t)))

    def close(self) -> None:
        """Nothing is held."""

    def _frame(self, n: int, t: float) -> Frame:
        lies = self._frames[min(3, int(t / (LENGTH_S / 4)))]
        return np.clip(lies + np.roll(self._grain, 37 * n, axis=n % 2), 0, 255).astype(np.uint8)


class Noting(Lookout):
    """A lookout that notes what it is told by its watcher."""

    def __init__(self, table: Table, looking: Looking) -> None:
        super().__init__(table, looking)
        self.seen: list[Seen] = []

    def _pass_on(self, seen: Seen, shot: Shot) -> None:
        self.seen.append(seen)
        super()._pass_on(seen, shot)


def told(seen: list[Seen]) -> list[tuple[str, list[int | None] | None]]:
    """Each event in order, a throw with its values."""
    return [(s.event, list(s.reading.values) if s.event == "throw" and s.reading else None) for s in seen]


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_recording_read_again_gives_the_same_throws_at_the_same_times_whatever_the_rate(
    make: Callable[..., Table], tmp_path: Path, pictures: Path, camera: str
) -> None:
    film = Film(pictures, CAMERAS[camera], begin=51_000.0)
    table, clock, readers = started(make()), Clock(), Readers(None, no_bowl=False)
    recorder = Recorder(tmp_path / "kept")
    recorder.follow(table)
    looking = Looking(
        open_source=lambda: film,
        watcher=lambda frame: readers.watcher(frame, 6),
        clock=clock,
        picture_name=lambda: "still-1",
        sleep=clock.sleep,
        each=recorder.see,
    )
    first = Noting(table, looking)
    first._once()
    assert recorder.close() == 2
    kept = json.loads((tmp_path / "kept" / TRUTH).read_text())
    assert kept["frames"] == len(CAMERAS[camera])
    shots = list(open_source(str(tmp_path / "kept" / VIDEO), clock))
    assert [shot.t for shot in shots] == pytest.approx(CAMERAS[camera] - CAMERAS[camera][0], abs=1e-5)
    watcher = readers.watcher(shots[0].frame, 6)
    again = [seen for shot in shots for seen in watcher.feed(shot.frame, shot.index, shot.t)]
    assert told(again) == told(first.seen)
    assert "cleared" in [s.event for s in again]
    begun = first.seen[0].t - again[0].t
    assert [s.t for s in again] == pytest.approx([s.t - begun for s in first.seen], abs=0.25)
    throws = [s for s in again if s.event == "throw"]
    assert [list(s.reading.values) for s in throws if s.reading] == [t["values"] for t in kept["throws"]]
    assert all(abs(s.frame - t["frame"]) <= 15 for s, t in zip(throws, kept["throws"], strict=True))

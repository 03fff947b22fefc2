"""The reader's and the watcher's part of `bobing bench`, on frames of the bundled demo recording."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from device.cli.bench_camera import idle_row, latency_row
from device.cli.readers import Readers
from device.sources import demo_calibration, demo_file, open_source
from vision.reading import Frame, Verdict

SIZES = ((1280, 720), (1920, 1080))
REPEAT = 15
IDLE_FRAMES = 60
LOOK_EVERY = 15


def _two_frames(readers: Readers) -> tuple[Frame, Frame]:
    """The demo's first frame, and one that shows six dice at rest in the bowl, as most throws do."""
    source = open_source(str(demo_file()), time.monotonic)
    try:
        shots = iter(source)
        first = next(shots).frame
        height, width = first.shape[:2]
        reader = readers.reader(width, height)
        looked_at = itertools.islice((shot.frame for shot in shots), 0, None, LOOK_EVERY)
        return first, next((frame for frame in looked_at if reader.read(frame).verdict == Verdict.SURE), first)
    finally:
        source.close()


def vision_rows(cpu: Callable[..., float]) -> list[tuple[str, float, str]]:
    """(stage, value, unit); cpu(work, repeat) measures CPU milliseconds of one call."""
    begun = time.process_time()
    readers = Readers(demo_calibration(), no_bowl=False)
    rows: list[tuple[str, float, str]] = [("loading the model", (time.process_time() - begun) * 1000, "ms")]
    cv2.setNumThreads(1)
    empty, full = _two_frames(readers)
    for width, height in SIZES:
        frame = np.asarray(cv2.resize(full, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
        reader = readers.scaled(width, height)
        work = partial(reader.read, frame)
        work()
        rows.append((f"one {width}x{height} frame read, bowl known", cpu(work, REPEAT), "ms"))
        crowded = partial(reader.read, _crowded(frame))
        rows.append((f"one {width}x{height} frame read, hands all round the bowl", cpu(crowded, REPEAT), "ms"))
    rows.append(("one frame watched while nothing happens (demo size)", _idle(empty, readers), "ms"))
    with tempfile.TemporaryDirectory(prefix="bobing-bench-") as folder:
        rows.append(idle_row(readers, empty, folder))
    rows.append(latency_row())
    return rows


def _crowded(frame: Frame) -> Frame:
    """The frame with its border darkened as by hands: everything beside the bowl has to be searched."""
    rim = np.asarray(frame.copy(), np.uint8)
    deep = frame.shape[0] // 12
    inner = rim[deep:-deep, deep:-deep].copy()
    rim //= 2
    rim[deep:-deep, deep:-deep] = inner
    return rim


def _idle(frame: Frame, readers: Readers) -> float:
    watcher = readers.watcher(frame, 6)
    begun = time.process_time()
    for n in range(IDLE_FRAMES):
        watcher.feed(frame, n, n / 30)
    return (time.process_time() - begun) * 1000 / IDLE_FRAMES

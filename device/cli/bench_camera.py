"""The camera's part of `bobing bench`: watching while nothing happens, with a real capturing process, and how late a result is."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from functools import partial

import cv2
import numpy as np

from device.capture import Capture
from device.capture_channel import ChildChannel
from device.capture_child import Wish
from device.cli.readers import Readers
from device.journal import Journal
from device.lookout import sighting
from device.recent import Recent
from device.sources import demo_calibration, demo_file, open_source
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import house_rules
from vision.bowl import Bowl
from vision.reading import Frame, Rim
from vision.watcher import Watcher

WIDTH, HEIGHT, FPS = 1280, 720, 30.0
FRAMES, WARM = 90, 30
NOISE = 2.0
DIFFERENT = 6
LATENCY_FRAMES = 330
"""Of the demo: four throws of six dice in the bowl."""


class Loop:
    """A camera that gives motion JPEG of a scene at rest, thirty pictures a second, each decoded as a real one's is.

    The scene comes as the name of a file; `lock` tells the CPU seconds of this process and the pictures given so far.
    """

    def __init__(self, wish: Wish) -> None:
        still = cv2.imread(str(wish.device))
        if still is None:
            raise OSError(f"{wish.device} can't be read")
        chance = np.random.default_rng(1)
        noisy = [np.clip(still + chance.normal(0, NOISE, still.shape), 0, 255).astype(np.uint8) for _ in range(DIFFERENT)]
        self._coded = [cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 90])[1] for frame in noisy]
        self._begun = time.monotonic()
        self._number = 0

    def read(self) -> Frame | None:
        """The next picture, when it is due."""
        self._number += 1
        ahead = self._begun + self._number / FPS - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        frame = cv2.imdecode(self._coded[self._number % DIFFERENT], cv2.IMREAD_COLOR)
        return None if frame is None else np.asarray(frame, np.uint8)

    def lock(self) -> dict[str, float]:
        """CPU seconds and pictures."""
        return {"cpu": time.process_time(), "pictures": float(self._number)}


def idle_row(readers: Readers, scene: Frame, folder: str) -> tuple[str, float, str]:
    """Per cent of one core for capturing, keeping and watching 1280x720 at 30 a second while nothing happens."""
    path = f"{folder}/scene.png"
    still = np.asarray(cv2.resize(scene, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), np.uint8)
    cv2.imwrite(path, still)
    watcher = _watcher(readers, still)
    source = Capture("bench", ChildChannel(Loop, Wish(path)), time.monotonic)
    try:
        spent = watching(source, watcher, time.process_time)
    finally:
        source.close()
    return "idle watching, 1280x720 at 30 a second, both processes", 100 * FPS * spent, "% of a core"


def watching(source: Capture, watcher: Watcher, cpu: Callable[[], float]) -> float:
    """CPU seconds for one picture, here (by cpu) and in the capturing process, which tells its own some pictures after it is asked."""
    recent = Recent()
    told: list[dict[str, float]] = []
    begun = 0.0
    for shot in source:
        recent.see(shot.frame, shot.t, None if watcher.bowl is None else watcher.bowl.rim)
        watcher.feed(shot.frame, shot.index, shot.t)
        if shot.index == WARM:
            begun = cpu()
        if shot.index in (WARM, WARM + FRAMES):
            source.lock(told.append)
        if len(told) >= 2:
            break
    here = (cpu() - begun) / (shot.index - WARM)
    return here + (told[1]["cpu"] - told[0]["cpu"]) / max(1.0, told[1]["pictures"] - told[0]["pictures"])


def _watcher(readers: Readers, frame: Frame) -> Watcher:
    calibration = readers.calibration
    assert calibration is not None
    k = frame.shape[1] / calibration.width
    rim = calibration.rim
    scaled = Rim(rim.cx * k, rim.cy * k, rim.major * k, rim.minor * k, rim.angle_deg)
    return Watcher(lambda _: readers.scaled(WIDTH, HEIGHT), Bowl(scaled, None, WIDTH, HEIGHT))


def latency_row() -> tuple[str, float, str]:
    """From the first frame in which the dice lie still to the state that pages see: the worst throw of the demo."""
    truth = json.loads(demo_file().with_suffix(".json").read_text(encoding="utf-8"))
    rests = [int(throw["rest_frame"]) for throw in truth["throws"]]
    fps = float(truth.get("fps", FPS))
    readers = Readers(demo_calibration(), no_bowl=False)
    journal = Journal.open(None)
    table = Table(journal, None, Setting(), house_rules("xiamen"), time.time, random.Random(1).randrange)
    table.command({"command": "start", "version": 0, "players": ["甲", "乙"]})
    watcher: Watcher | None = None
    worst = 0.0
    for index, frame in enumerate(_thirty_a_second(fps)):
        watcher = watcher or readers.watcher(frame, 6)
        begun = time.process_time()
        for seen in watcher.feed(frame, index, index / FPS):
            table.saw(sighting(seen.event, seen.reading, frame, partial(str, "bench")))
            if seen.event == "throw":
                spent = time.process_time() - begun
                rest = max((r * FPS / fps for r in rests if r * FPS / fps <= seen.frame), default=float(seen.frame))
                worst = max(worst, (seen.frame - rest) / FPS + spent)
    table.close()
    return "first still frame to the state at 30 fps, worst of 4 throws", 1000 * worst, "ms"


def _thirty_a_second(fps: float) -> Iterator[Frame]:
    """The demo's first frames at thirty a second: between each two of its own a blend of both."""
    source = open_source(str(demo_file()), time.monotonic)
    before: Frame | None = None
    try:
        for shot in source:
            if shot.index > LATENCY_FRAMES:
                return
            if before is not None and fps < FPS:
                yield np.asarray(cv2.addWeighted(before, 0.5, shot.frame, 0.5, 0), np.uint8)
            yield shot.frame
            before = shot.frame
    finally:
        source.close()

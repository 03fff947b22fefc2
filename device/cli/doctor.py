"""`bobing doctor`: looks at everything that a table needs and says what to mend, a line a point."""

from __future__ import annotations

import shutil
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from device.cameras import plugged_in
from device.cli.boxes import box_health
from device.cli.output import OK, WORLD, CallError, WorldError, emit, line
from device.cli.readers import Readers
from device.config import Config, load, places
from device.data_folder import unkept
from device.errors import Fault, TableError
from device.rulesfile import load_rules
from device.sources import open_source
from rules.bobing.houserules import PRESETS
from vision.bowl import Bowl, find_bowl
from vision.calibration import CalibrationError
from vision.judgement import judged
from vision.likeness import PLAINLY_OTHER, likeness
from vision.reading import Frame, Rim

FRAMES = 30
LEAST_FPS = 20.0
LEAST_SIDE = 640
SLOW_MS = 100.0
LEAST_FREE = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Point:
    """One point looked at. part: camera, model, light, speed, rules, disk, port, box. ok None: not looked at, and why."""

    part: str
    ok: bool | None
    said: str


def run_doctor(source: str | None, data: str | None, as_json: bool) -> int:
    """Look at all points; exit 1 where one of them needs mending."""
    where = places(None if data is None else Path(data))
    config = load(where.config)
    source = config.source if source is None else source
    points = []
    for point in _points(source, config, where.data):
        points.append(point)
        if as_json:
            emit({"part": point.part, "ok": point.ok, "said": point.said})
        else:
            sign = {True: "ok  ", False: "MEND", None: "-   "}[point.ok]
            line(f"{sign} {point.part:7} {point.said}")
    return WORLD if any(point.ok is False for point in points) else OK


def _points(source: str | None, config: Config, data: Path) -> Iterator[Point]:
    frames, camera = _camera(source)
    yield camera
    readers, model = _model(config)
    yield model
    yield from _light(frames, readers)
    yield _speed(frames, readers)
    yield _rules(config)
    yield _disk(data)
    yield _port(config)
    yield _box(config)


def _camera(source: str | None) -> tuple[list[Frame], Point]:
    if source is None:
        there = ", ".join(camera.name for camera in plugged_in())
        help_ = f"name one with --source: {there}" if there else "plug one in, or use a phone's camera app"
        return [], Point("camera", None, f"none is set: {help_}")
    frames: list[Frame] = []
    begun = 0.0
    try:
        opened = open_source(source, time.monotonic)
        try:
            for shot in opened:
                begun = begun or time.monotonic()
                frames.append(shot.frame)
                if len(frames) >= FRAMES:
                    break
        finally:
            opened.close()
    except Fault as fault:
        return frames, Point("camera", False, fault.en)
    height, width = frames[-1].shape[:2]
    fps = (len(frames) - 1) / max(1e-3, time.monotonic() - begun)
    said = f"{opened.name}: {width}x{height}" + (f", {fps:.0f} pictures a second" if opened.live else "")
    if max(width, height) < LEAST_SIDE:
        return frames, Point("camera", False, f"{said}: too small to read dice in; set it to 1280x720")
    if opened.live and fps < LEAST_FPS:
        return frames, Point("camera", False, f"{said}: too few; more light, or another USB socket")
    return frames, Point("camera", True, said)


def _model(config: Config) -> tuple[Readers | None, Point]:
    try:
        readers = Readers(config.calibration, no_bowl=False, dice=config.dice)
    except (CallError, WorldError) as fault:
        return None, Point("model", False, str(fault))
    known = "with" if readers.calibration is not None else "without"
    return readers, Point("model", True, f"loaded, {known} a calibration")


def _light(frames: list[Frame], readers: Readers | None) -> Iterator[Point]:
    if not frames:
        yield Point("light", None, "no picture to look at")
        return
    picture = np.asarray(np.median(np.stack(frames[:6]), axis=0), np.uint8) if len(frames) >= 6 else frames[-1]
    rim, why = _rim(picture, readers)
    if rim is None:
        yield Point("light", False, why)
        return
    marks = judged(picture, rim, frames[-12:])
    wrong = [mark.en for mark in marks if not mark.good]
    for said in wrong:
        yield Point("light", False, said)
    if not wrong:
        yield Point("light", True, "; ".join(mark.en for mark in marks))


def _rim(picture: Frame, readers: Readers | None) -> tuple[Rim | None, str]:
    """The calibrated rim, or the one that is found; None and why where there is none."""
    calibration = None if readers is None else readers.calibration
    if calibration is not None and (calibration.height, calibration.width) == picture.shape[:2]:
        if likeness(calibration.bowl(calibration.width, calibration.height), picture) < PLAINLY_OTHER:
            return None, "this is not the view of the calibration: put camera and bowl back, or calibrate again"
        return calibration.rim, ""
    found = find_bowl(picture)
    if found is not None and found.certain:
        return found.rim, ""
    return None, "; ".join(found.reasons) if found is not None else "no bowl is seen: put it under the camera, all of its rim in view"


def _speed(frames: list[Frame], readers: Readers | None) -> Point:
    if readers is None or not frames:
        return Point("speed", None, "nothing to read")
    height, width = frames[-1].shape[:2]
    try:
        bowl = readers.bowl(width, height)
    except CalibrationError as fault:
        return Point("speed", False, str(fault))
    said = "one picture is read in"
    if bowl is None:
        # as an evening without a calibration does it: the bowl is looked for once, then read
        found = find_bowl(frames[-1])
        bowl = None if found is None else Bowl(found.rim, None, width, height)
        said = "without a calibration one picture is read in"
    reader = readers.for_bowl(bowl)
    spent = _fastest(lambda: reader.read(frames[-1]))
    said = f"{said} {spent:.0f} ms"
    if spent > SLOW_MS:
        return Point("speed", False, f"{said}: results will be late; calibrate at 1280x720, or close other programs")
    return Point("speed", True, said)


def _fastest(work: Callable[[], object]) -> float:
    """Wall milliseconds of the quicker of three calls, after one to warm up."""
    work()
    spent = []
    for _ in range(3):
        begun = time.perf_counter()
        work()
        spent.append((time.perf_counter() - begun) * 1000)
    return min(spent)


def _rules(config: Config) -> Point:
    try:
        rules = load_rules(config.rules)
    except TableError as fault:
        return Point("rules", False, fault.en)
    return Point("rules", True, config.rules if config.rules in PRESETS else f"{config.rules}, on the preset {rules.preset}")


def _disk(data: Path) -> Point:
    why = unkept(data)
    if why is not None:
        return Point("disk", False, why.en)
    folder = next((p for p in (data, *data.parents) if p.exists()), Path.cwd())
    free = shutil.disk_usage(folder).free
    said = f"{free / 1e9:.1f} GB free at {data}"
    return Point("disk", free >= LEAST_FREE, said if free >= LEAST_FREE else f"{said}: make room for pictures of throws")


def _port(config: Config) -> Point:
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind((config.host, config.port))
    except OSError as fault:
        why = fault.strerror or str(fault)
        return Point("port", False, f"{config.host}:{config.port} can't be had ({why}): choose another, or end what uses it, unless that is this table")
    return Point("port", True, f"{config.host}:{config.port} is free")


def _box(config: Config) -> Point:
    return Point("box", *box_health(config))

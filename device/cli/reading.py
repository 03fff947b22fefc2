"""`bobing read`: one line a picture."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from device.cli.output import OK, WORLD, CallError, emit, line, say
from device.cli.readers import Readers
from vision.calibration import CalibrationError
from vision.reading import Frame, Reading


class _Unreadable(Exception):
    """A picture that can't be decoded."""


def _picture(name: str) -> Frame:
    path = Path(name)
    try:
        coded = np.frombuffer(path.read_bytes(), np.uint8)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else str(fault)
        raise _Unreadable(f"can't be opened: {reason}") from fault
    frame = cv2.imdecode(coded, cv2.IMREAD_COLOR) if coded.size else None
    if frame is None:
        raise _Unreadable("this is no picture that can be decoded (JPEG, PNG, WebP, BMP are)")
    return np.asarray(frame, np.uint8)


def _sentence(image: str, reading: Reading) -> str:
    outside = f", {reading.outside} outside" if reading.outside else ""
    values = " ".join(map(str, reading.values)) or "–"
    return f"{image}: {values}{outside}  [{reading.verdict}] {reading.why}"


def run_read(
    images: Sequence[str], calibration: str | None, no_bowl: bool, dice: str | None, expect: int, as_json: bool
) -> int:
    """Read each picture; those that can't be decoded are named in their line, and the rest are read."""
    if expect < 1:
        raise CallError(f"read: --expect {expect}: at least one die must be expected")
    readers = Readers(calibration, no_bowl, dice)
    status = OK
    for image in images:
        try:
            frame = _picture(image)
            reader = readers.reader(frame.shape[1], frame.shape[0])
        except (_Unreadable, CalibrationError) as fault:
            status = WORLD
            if as_json:
                emit({"image": image, "error": str(fault)})
            else:
                say(f"{image}: {fault}")
            continue
        begun = time.perf_counter()
        reading = reader.read(frame, expect=expect)
        ms = (time.perf_counter() - begun) * 1000
        if as_json:
            emit({"image": image, **reading.as_json(), "ms": round(ms, 1)})
        else:
            line(_sentence(image, reading))
    return status

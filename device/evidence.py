"""The picture that proves a throw: the bowl cut out of the frame, as a JPEG, with where its dice lie in it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2

from vision.reading import Frame, Reading

LONGEST = 720
QUALITY = 82
ROOM = 0.12


@dataclass(frozen=True, slots=True)
class Still:
    """A JPEG with its size, and how frame pixels lead into it: (pixel - offset) * scale."""

    jpeg: bytes
    size: tuple[int, int]
    offset: tuple[float, float]
    scale: float


def _region(reading: Reading, width: int, height: int) -> tuple[int, int, int, int]:
    """x0, y0, x1, y1 of what is worth showing: the bowl and every die, with room round them."""
    xs: list[float] = []
    ys: list[float] = []
    if reading.rim is not None:
        half = reading.rim.major / 2
        xs += [reading.rim.cx - half, reading.rim.cx + half]
        ys += [reading.rim.cy - half, reading.rim.cy + half]
    for die in reading.dice:
        x, y, w, h = die.box
        xs += [x, x + w]
        ys += [y, y + h]
    if not xs:
        return 0, 0, width, height
    room = ROOM * max(max(xs) - min(xs), max(ys) - min(ys), 40.0)
    x0, y0 = max(0, int(min(xs) - room)), max(0, int(min(ys) - room))
    x1, y1 = min(width, int(max(xs) + room) + 1), min(height, int(max(ys) + room) + 1)
    return x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)


def still_of(frame: Frame, reading: Reading) -> Still:
    """The proof of a reading; at most 720 pixels on the longer side."""
    height, width = frame.shape[:2]
    x0, y0, x1, y1 = _region(reading, width, height)
    cut = frame[y0:y1, x0:x1]
    scale = min(1.0, LONGEST / max(cut.shape[:2]))
    if scale < 1.0:
        cut = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(frame.dtype)
    _, coded = cv2.imencode(".jpg", cut, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return Still(coded.tobytes(), (int(cut.shape[1]), int(cut.shape[0])), (float(x0), float(y0)), scale)

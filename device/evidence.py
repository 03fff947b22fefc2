"""The picture that proves a throw: the bowl cut out of the frame, as a JPEG, with where its dice lie in it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.reading import Frame, Reading

LONGEST = 720
QUALITY = 82
ROOM = 0.12
APART = 4
"""Pixels between a die and the frame drawn round it, so that nothing of it is hidden."""
STRENGTH = 0.75
"""Of a frame, so that it is no louder than the dice."""
PART_OF_BOWL = 0.42
"""At least this part of the bowl's width is shown round the dice, so that one sees where they lie."""


@dataclass(frozen=True, slots=True)
class Still:
    """A JPEG with its size, and how frame pixels lead into it: (pixel - offset) * scale."""

    jpeg: bytes
    size: tuple[int, int]
    offset: tuple[float, float]
    scale: float


def _region(reading: Reading, width: int, height: int) -> tuple[int, int, int, int]:
    """x0, y0, x1, y1 of what is worth showing: every die near enough to count the pips, about square; no dice: the bowl."""
    boxes = [die.box for die in reading.dice]
    least = 40.0
    if reading.rim is not None:
        half = reading.rim.major / 2
        least = PART_OF_BOWL * reading.rim.major
        if not boxes or reading.outside:
            boxes = [*boxes, (reading.rim.cx - half, reading.rim.cy - half, 2 * half, 2 * half)]
    if not boxes:
        return 0, 0, width, height
    x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
    x1, y1 = max(b[0] + b[2] for b in boxes), max(b[1] + b[3] for b in boxes)
    side = max(x1 - x0, y1 - y0, least) * (1 + 2 * ROOM)
    left, right = _within((x0 + x1) / 2, side, width)
    top, bottom = _within((y0 + y1) / 2, side, height)
    return left, top, right, bottom


def _within(middle: float, side: float, limit: int) -> tuple[int, int]:
    """A stretch of this length about the middle, pushed into the picture; shorter where the picture is."""
    length = min(int(side) + 1, limit)
    start = min(max(0, round(middle - length / 2)), limit - length)
    return start, start + length


def still_of(frame: Frame, reading: Reading, outlined: bool = False) -> Still:
    """The proof of a reading; at most 720 pixels on the longer side. outlined: a thin frame round each die that was counted."""
    height, width = frame.shape[:2]
    x0, y0, x1, y1 = _region(reading, width, height)
    cut = frame[y0:y1, x0:x1]
    scale = min(1.0, LONGEST / max(cut.shape[:2]))
    if scale < 1.0:
        cut = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(frame.dtype)
    if outlined:
        cut = _outlined(cut, [((b[0] - x0) * scale, (b[1] - y0) * scale, b[2] * scale, b[3] * scale) for b in (d.box for d in reading.dice)])
    _, coded = cv2.imencode(".jpg", cut, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return Still(coded.tobytes(), (int(cut.shape[1]), int(cut.shape[0])), (float(x0), float(y0)), scale)


def _outlined(cut: Frame, boxes: list[tuple[float, float, float, float]]) -> Frame:
    """A copy of the picture with a light frame on a dark one round each box (x, y, w, h): seen on any porcelain, and on no die.

    Where dice lie close, what is left of their frames is one line round them all.
    """
    plain = np.ascontiguousarray(cut)
    drawn = plain.copy()
    for x, y, w, h in boxes:
        corners = (round(x) - APART, round(y) - APART), (round(x + w) + APART, round(y + h) + APART)
        for colour, width in (((30, 30, 30), 3), ((250, 250, 250), 1)):
            cv2.rectangle(drawn, *corners, colour, width, cv2.LINE_AA)
    drawn = cv2.addWeighted(drawn, STRENGTH, plain, 1 - STRENGTH, 0).astype(cut.dtype)
    for x, y, w, h in boxes:
        die = np.s_[max(0, int(y) - 1) : int(y + h) + 2, max(0, int(x) - 1) : int(x + w) + 2]
        drawn[die] = plain[die]
    return drawn

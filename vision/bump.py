"""Whether the bowl is still where it was: its rim is looked at again now and then."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from vision import ellipse, rim_trace
from vision.bowl import CREST, Bowl, FoundBowl, find_bowl
from vision.reading import Frame, Rim

CHECK_EVERY_S = 1.0
WEAK = 0.55
"""Share of its former edge below which the rim is no longer seen where it was."""
ALIKE = 0.04
MOVED = 0.02
"""Part of the rim's radius by which it must have moved to be called moved."""


class Standing(StrEnum):
    """How the bowl stands: where it was, somewhere else, or out of sight."""

    SAME = "same"
    MOVED = "moved"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Check:
    """The answer of one look, and the bowl as found where it moved."""

    standing: Standing
    found: FoundBowl | None = None


class RimGuard:
    """Looks at one bowl's rim; the empty bowl, or else the first look, says how well its edge is seen there."""

    def __init__(self, bowl: Bowl) -> None:
        self._rim = bowl.rim
        self._usual = None if bowl.background is None else _support(bowl.background, bowl.rim)
        self._next = 0.0
        self._missed = 0

    def due(self, t: float) -> bool:
        """Whether it is time for another look."""
        return t >= self._next

    def look(self, frame: Frame, t: float) -> Check:
        """Look at a frame of a scene at rest; only when the edge was missed twice is the bowl looked for."""
        self._next = t + CHECK_EVERY_S
        if self.seen(frame):
            self._missed = 0
            return Check(Standing.SAME)
        self._missed += 1
        return Check(Standing.SAME) if self._missed < 2 else self.search(frame)

    def seen(self, frame: Frame) -> bool:
        """Whether the rim's edge is still seen where it was."""
        support = _support(frame, self._rim)
        if self._usual is None:
            self._usual = support
        return support >= WEAK * self._usual

    def search(self, frame: Frame) -> Check:
        """Look for the bowl in the whole frame."""
        self._missed = 0
        found = find_bowl(frame)
        if found is None or not (found.certain or _of_size(found.rim, self._rim)):
            return Check(Standing.GONE)
        if apart(found.rim, self._rim) <= MOVED:
            self._usual = _support(frame, self._rim)
            return Check(Standing.SAME)
        return Check(Standing.MOVED, found)


def apart(one: Rim, other: Rim) -> float:
    """How far two rims lie apart, in parts of the second one's radius."""
    return max(abs(one.cx - other.cx), abs(one.cy - other.cy), abs(one.major - other.major) / 2) / (other.major / 2)


def _of_size(one: Rim, other: Rim) -> bool:
    """Whether it could well be the same bowl from the same height."""
    return abs(one.major - other.major) < ALIKE * other.major and abs(one.minor - other.minor) < ALIKE * other.major


def _support(frame: Frame, rim: Rim) -> float:
    """Share of the lip's outer edge that is seen, measured on the part of the frame about the bowl."""
    lip = ellipse.scaled(rim, 1 / CREST)
    height, width = frame.shape[:2]
    reach = 0.56 * lip.major
    x0, y0 = max(0, int(lip.cx - reach)), max(0, int(lip.cy - reach))
    x1, y1 = min(width, int(lip.cx + reach) + 1), min(height, int(lip.cy + reach) + 1)
    if x1 - x0 < 16 or y1 - y0 < 16:
        return 0.0
    part = np.ascontiguousarray(frame[y0:y1, x0:x1])
    moved = Rim(lip.cx - x0, lip.cy - y0, lip.major, lip.minor, lip.angle_deg)
    return rim_trace.measure(rim_trace.lab(part), moved).support

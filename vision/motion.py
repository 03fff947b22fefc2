"""How much moves between frames: the gate before anything is read.

A frame is shrunk to a small grey picture of the part that matters; what changes there beyond the camera's own noise is
movement. Slow changes of light are no movement: the picture is levelled first.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Frame

Grey = npt.NDArray[np.float32]

SIDE = 240
"""Longer side of the small grey picture."""
LEAST_STEP = 9.0
"""Grey levels by which a pixel must change to count; more where the camera is noisy."""
NOISE_TIMES = 5.0
STILL_SHARE = 0.0012
"""Share of the small picture that may change between two frames of a scene at rest."""
DARK_MEAN = 14.0


@dataclass(frozen=True, slots=True)
class Stir:
    """What changed since the frame before. share: of the picture that moved; level: mean grey; cut: nearly everything changed."""

    share: float
    level: float

    @property
    def still(self) -> bool:
        """Whether nothing but noise changed."""
        return self.share <= STILL_SHARE

    @property
    def dark(self) -> bool:
        """Whether the picture is too dark to see anything."""
        return self.level < DARK_MEAN


class Motion:
    """Compares each frame with the one before, within x, y, w, h of the frame (None: all of it)."""

    def __init__(self, part: tuple[int, int, int, int] | None) -> None:
        self._part = part
        self._before: Grey | None = None
        self._noise = 1.5

    def feed(self, frame: Frame) -> Stir:
        """What this frame changed; the first one changes everything."""
        small = self._small(frame)
        before, self._before = self._before, small
        level = float(small.mean())
        if before is None or before.shape != small.shape:
            return Stir(1.0, level)
        change = np.abs(small - before - (level - float(before.mean())))
        step = max(LEAST_STEP, NOISE_TIMES * self._noise)
        share = float((change > step).mean())
        if share <= STILL_SHARE:
            # the noise of a scene at rest, followed slowly; the median is about 0.67 sigma
            self._noise += 0.1 * (float(np.median(change)) / 0.67 - self._noise)
        return Stir(share, level)

    def _small(self, frame: Frame) -> Grey:
        if self._part is not None:
            x, y, w, h = self._part
            frame = frame[y : y + h, x : x + w]
        k = SIDE / max(frame.shape[:2])
        grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        if k < 1:
            grey = np.asarray(cv2.resize(grey, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.float32)

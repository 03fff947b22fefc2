"""How sharp the picture is, measured where an edge is sure to be: across the lip of the bowl."""

from __future__ import annotations

import cv2
import numpy as np

from vision import ellipse, rim_trace
from vision.bowl import CREST
from vision.reading import Frame, Rim

REACH_PX, STEP_PX = 8.0, 0.5
LEAST_RANGE = 15.0
"""Grey levels across the lip below which its edge says nothing of sharpness."""
LEAST_ROWS = 20
BLURRED = 1.25
"""So many times the usual blur and a tenth of a pixel more: the lens hunts. Between pictures at rest it differs by 4 %."""
STEP_OF_BLUR = 0.4
"""The steepest slope of an edge of height 1 that is blurred with sigma 1: 1 / sqrt(2 pi)."""


def blur_px(frame: Frame, rim: Rim) -> float | None:
    """The blur of the picture as sigma in pixels, from the steeper quarter of the lip; None where no edge is seen."""
    lip = ellipse.scaled(rim, 1 / CREST)
    radius = (lip.major + lip.minor) / 4
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).astype(np.float32)
    radii = np.arange(1 - REACH_PX / radius, 1 + REACH_PX / radius, STEP_PX / radius)
    rolled, _ = rim_trace.unroll(np.repeat(grey[..., None], 3, axis=2), lip, radii)
    across = np.asarray(cv2.blur(rolled[..., 0], (1, 5)))
    slope = np.abs(np.diff(across, axis=1)).max(axis=1) / STEP_PX
    height = across.max(axis=1) - across.min(axis=1)
    clear = height > LEAST_RANGE
    if clear.sum() < LEAST_ROWS:
        return None
    return STEP_OF_BLUR / float(np.percentile(slope[clear] / height[clear], 75))


def blurred(frame: Frame, rim: Rim, usual: float | None) -> bool:
    """Whether the picture is less sharp than one of this blur; usual None: there was nothing to measure it on, and it is not."""
    if usual is None:
        return False
    now = blur_px(frame, rim)
    return now is None or now > BLURRED * usual + 0.1

"""Salt and pepper: single pixels that are white or black beside all their neighbours, as bad copies and worn sensors have them."""

from __future__ import annotations

import cv2
import numpy as np

from vision.reading import Frame

STANDS_OUT = 70
"""Grey levels by which a speckle differs from its neighbourhood's median."""
MANY = 0.004
"""Share of such pixels from which the picture is speckled; fine texture and edges of clean photos stay below."""


def despeckled(frame: Frame) -> Frame:
    """The frame (BGR) without its speckles; a clean one as it is."""
    smooth = cv2.medianBlur(frame, 3)
    apart = cv2.absdiff(frame, smooth).max(2) > STANDS_OUT
    if float(apart.mean()) < MANY:
        return frame
    return np.where(apart[:, :, None], smooth, frame)

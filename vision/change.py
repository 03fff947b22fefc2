"""What is new in the frame since the bowl was empty: an ornament that was there before is no die."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.detector import resized
from vision.reading import Frame
from vision.rectify import Quad, rectify

SIDE = 14
ROOM = 0.1
_SMALL = 160
SAME = 8.0
"""Grey levels: a place that differs less from the empty bowl has not changed; dice differ by 14 and more."""


def gain(frame: Frame, background: Frame) -> npt.NDArray[np.float32]:
    """By how much the frame is brighter than the background, for each colour: exposure drifts from picture to picture."""
    size = _SMALL, max(1, round(_SMALL * frame.shape[0] / frame.shape[1]))
    now, then = resized(frame, size).astype(np.float32), resized(background, size).astype(np.float32)
    return np.asarray(np.median((now + 4) / (then + 4), axis=(0, 1)), np.float32)


def difference(frame: Frame, background: Frame, quad: Quad, brighter: npt.NDArray[np.float32]) -> float:
    """Mean difference in grey levels within the quad, less what a small shift of the picture could explain."""
    now = rectify(frame, quad, SIDE, ROOM).astype(np.float32)
    edge_out = SIDE / (1 + 2 * ROOM)
    then = rectify(background, quad, SIDE + 2, (SIDE + 2 - edge_out) / 2 / edge_out).astype(np.float32) * brighter
    shifts = [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)]
    return min(float(np.abs(now - then[y : y + SIDE, x : x + SIDE]).mean()) for y, x in shifts)

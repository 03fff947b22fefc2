"""A glance at a frame, cheap enough for each: is it a picture at all, and is it the one before once more?"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from vision.reading import Frame

STRIDE = 4
LEAST_SIDE = 16
FLAT = 1.5
"""Grey levels of spread below which a picture is one colour: a covered lens, which does not count as frozen."""
LOUD, ALIKE = 20.0, 0.3
"""A picture of such a spread whose neighbouring pixels have less in common than this is no picture but noise."""


@dataclass(frozen=True, slots=True)
class Look:
    """mark: equal for equal frames. flat: of one colour. garbage: no picture but noise."""

    mark: int
    flat: bool
    garbage: bool


def is_frame(frame: object) -> bool:
    """Whether this is a colour picture of a usable size, as OpenCV decodes one."""
    return (
        isinstance(frame, np.ndarray)
        and frame.dtype == np.uint8
        and frame.ndim == 3
        and frame.shape[2] == 3
        and min(frame.shape[:2]) >= LEAST_SIDE
    )


def look(frame: Frame) -> Look:
    """The glance."""
    few = np.ascontiguousarray(frame[::STRIDE, ::STRIDE])
    mark = zlib.crc32(few.tobytes())
    height, width = frame.shape[:2]
    y, x = height // 4, width // 4
    grey = frame[y : y + max(8, height // 2) : 2, x : x + max(8, width // 2), 1].astype(np.float32)
    spread = float(few.std())
    if spread < FLAT:
        return Look(mark, True, False)
    a, b = grey[:, :-1].ravel(), grey[:, 1:].ravel()
    a, b = a - a.mean(), b - b.mean()
    power = float(np.sqrt((a @ a) * (b @ b)))
    alike = float(a @ b) / power if power > 0 else 1.0
    return Look(mark, False, float(grey.std()) > LOUD and alike < ALIKE)

"""Counting pips by geometry: the opinion that owes nothing to training.

A face has nine places where a pip can be, three by three. How much each place differs from the body around it is
measured, and the nine numbers are held against the legal layouts (2, 3 and 6 lie in either direction).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Frame

Floats = npt.NDArray[np.float32]

SIDE = 64
ROOM = 0.12
"""The face is rectified to SIDE x SIDE with this room round it before pips are counted."""
_EDGE = SIDE / (1 + 2 * ROOM)
_SPACINGS = (0.22, 0.26)
"""Distance of the outer pips' rows from the middle, in edges."""
_REACH = 5
_WIDER = 19
"""Pixels; wider than the largest pip and narrower than a face: what is narrower than this stands out from the body."""
_LAYOUTS: tuple[tuple[int, str], ...] = (
    (1, "....x...."),
    (2, "x.......x"), (2, "..x...x.."),
    (3, "x...x...x"), (3, "..x.x.x.."),
    (4, "x.x...x.x"),
    (5, "x.x.x.x.x"),
    (6, "x.xx.xx.x"), (6, "xxx...xxx"),
)  # fmt: skip
_NOISE = 5.0
"""Grey levels: a contrast of less is no pip."""
_FAINTEST = 0.5
"""A pip is at least so strong, as a share of the strongest contrast on the face, dark or bright."""
_ON = np.array([[mark == "x" for mark in layout] for _, layout in _LAYOUTS])
_VALUES = np.array([value for value, _ in _LAYOUTS])


@dataclass(frozen=True, slots=True)
class PipCount:
    """What geometry says: value 1-6 and how clearly it fits (0 not at all, 1 perfectly); support: the fit of each value."""

    value: int
    fit: float
    support: tuple[float, ...]


def count_pips(face: Frame) -> PipCount:
    """The layout that a rectified face (SIDE x SIDE, BGR, ROOM on each side) fits best."""
    darkest = cv2.GaussianBlur(face.min(2), (0, 0), 0.045 * _EDGE)
    room = np.ones((_WIDER, _WIDER), np.uint8)
    dark = cv2.morphologyEx(darkest, cv2.MORPH_BLACKHAT, room).astype(np.float32)
    bright = cv2.morphologyEx(darkest, cv2.MORPH_TOPHAT, room).astype(np.float32)
    peaks = [np.asarray(cv2.dilate(signed, np.ones((_REACH, _REACH), np.uint8)), np.float32) for signed in (dark, bright)]
    nines = [_nine(peak, spacing) for peak in peaks for spacing in _SPACINGS]
    floor = max(_NOISE, _FAINTEST * max(float(nine.max()) for nine in nines))
    best = np.full(6, -1.0)
    for nine in nines:
        np.maximum.at(best, _VALUES - 1, _fits(nine, floor))
    value = int(best.argmax()) + 1
    ordered = np.sort(best)
    return PipCount(value, float(max(0.0, min(ordered[-1], ordered[-1] - ordered[-2]))), tuple(float(b) for b in best))


def _nine(contrast: Floats, spacing: float) -> Floats:
    middle = (SIDE - 1) / 2
    rows = np.round(middle + np.array([-1, 0, 1]) * spacing * _EDGE).astype(int)
    return np.asarray(contrast[rows[:, None], rows].reshape(9), np.float32)


def _fits(nine: Floats, floor: float) -> Floats:
    """For each layout the gap between its faintest pip and the strongest other place, as a share of its pips' mean."""
    weakest = np.where(_ON, nine, np.inf).min(1)
    strongest = np.where(_ON, -np.inf, nine).max(1)
    mean = (nine * _ON).sum(1) / _ON.sum(1)
    return np.asarray(np.clip((weakest - np.maximum(strongest, 0)) / np.maximum(mean, floor), -1, 1), np.float32)

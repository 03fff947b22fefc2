"""Whether something lies over the rim: a hand has one colour on both sides of it, where lip and table have two.

A rim that hardly stands out from the table loses its edge in stretches, too, but there the lip has the colour that it has
elsewhere; a painted one changes its colour, but keeps its edge.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision import ellipse, rim_trace
from vision.bowl import CREST
from vision.reading import Frame, Rim

Floats = npt.NDArray[np.floating[Any]]

RADII = np.array([0.95, 0.96, 0.97, 0.98, 1.03, 1.04, 1.05, 1.06])
"""Of the lip's outer edge: the first half lies on the lip, the second on the table beside it."""
FAINT, ONE_COLOUR = 0.35, 0.4
"""Strength of an edge below which there is none, and the part of the usual difference across the rim below which there is no difference."""
OTHER, TIMES = 10.0, 1.5
"""Lab units by which the lip must differ there from what it is elsewhere, and so many times what it usually differs by."""
BREAK = 6
"""Directions (of the whole turn's 240) by which a stretch may be broken."""
HIDES = 0.02
"""A longer stretch (share of the turn) is covered. Of 57 pictures of empty bowls none had more than 0.01; most of 90 with a hand over 0.12 to 0.28 of the rim had more."""


def covered(picture: Frame, rim: Rim) -> float:
    """The longest stretch of the rim (share of its turn, 0-1; somewhat less than is hidden) over which one thing lies."""
    lab, lip = rim_trace.lab(picture), ellipse.scaled(rim, 1 / CREST)
    rolled, seen = rim_trace.unroll(lab, lip, RADII)
    inner, outer = (half.mean(axis=1) for half in np.split(rolled, 2, axis=1))
    across = np.abs(inner - outer).max(axis=1)
    alike = across < ONE_COLOUR * float(np.median(across))
    faint = rim_trace.measure(lab, lip).strengths < FAINT
    return _stretch(_strange(inner) & alike & faint & seen.all(axis=1))


def _strange(colours: Floats) -> npt.NDArray[np.bool_]:
    """In which directions the colour is another than all round."""
    apart = np.abs(colours - np.median(colours, axis=0)).max(axis=1)
    return np.asarray(apart > max(OTHER, TIMES * float(np.median(apart))))


def _stretch(marked: npt.NDArray[np.bool_]) -> float:
    """The longest run round the turn, as a share of it."""
    count = len(marked)
    twice = np.tile(marked, 2).astype(np.uint8)[None]
    closed = np.asarray(cv2.morphologyEx(twice, cv2.MORPH_CLOSE, np.ones((1, BREAK + 1), np.uint8)))[0]
    ends = np.flatnonzero(np.diff(np.concatenate(([0], closed, [0]))))
    return min(int((ends[1::2] - ends[::2]).max(initial=0)), count) / count

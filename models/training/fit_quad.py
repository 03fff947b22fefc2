"""Sharper top faces for photos: the value of a labelled die is known, so its pips tell where its face lies."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.faces import KEPT_ROOM, KEPT_SIDE
from vision.pips import ROOM, SIDE, count_pips
from vision.rectify import Quad, rectify

Array = npt.NDArray[Any]
KEPT_EDGE = KEPT_SIDE / (1 + 2 * KEPT_ROOM)
EDGE = SIDE / (1 + 2 * ROOM)


def fit_quad(rng: np.random.Generator, picture: Array, quad: Quad, value: int, tries: int = 45) -> tuple[Quad, float]:
    """The quad near the given one in which the pips of `value` stand out best, and how well (-1 to 1)."""
    kept = rectify(np.asarray(picture, np.uint8), quad, KEPT_SIDE, KEPT_ROOM)
    best = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    score = _score(kept, best, value)
    turns = np.deg2rad([-36, -24, -12, 12, 24, 36]) if value in (4, 5, 6, 2, 3) else []
    steps = [np.array([0, 0, 0, t, 0, 0]) for t in turns]
    for i in range(tries + len(steps)):
        if i < len(steps):
            tried = steps[i]
        else:
            tried = best + rng.normal(0, 1, 6) * np.array([0.06, 0.06, 0.06, 0.10, 0.05, 0.05]) * (1.0 if i % 2 else 0.4)
            if value == 1:
                tried[2:] = 0.0
        got = _score(kept, tried, value)
        if got > score:
            best, score = tried, got
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 @ _matrix(best).T + best[:2]
    middle = (KEPT_SIDE - 1) / 2
    low = middle - KEPT_EDGE / 2
    corners = np.array([[low, low], [low + KEPT_EDGE, low], [low + KEPT_EDGE] * 2, [low, low + KEPT_EDGE]], np.float32)
    back = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    found = cv2.perspectiveTransform((flat * KEPT_EDGE + middle)[None].astype(np.float32), back)[0]
    return found.astype(np.float32), score


def _matrix(change: Array) -> Array:
    _, _, scale, turn, a, b = change
    c, s = math.cos(turn), math.sin(turn)
    return np.array([[1 + a, b], [b, 1 - a]]) @ np.array([[c, -s], [s, c]]) * math.exp(scale)


def _score(kept: Array, change: Array, value: int) -> float:
    forth = _matrix(change) * (KEPT_EDGE / EDGE)
    middle = (KEPT_SIDE - 1) / 2 + change[:2] * KEPT_EDGE
    place = np.concatenate([forth, (middle - forth @ np.full(2, (SIDE - 1) / 2))[:, None]], 1)
    face = cv2.warpAffine(kept, place, (SIDE, SIDE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
    support = count_pips(np.asarray(face, np.uint8)).support
    others = max(s for v, s in enumerate(support, 1) if v != value)
    far = float(np.square(change / np.array([0.25, 0.25, 0.25, 0.7, 0.25, 0.25])).sum())
    return min(support[value - 1], support[value - 1] - others + 0.3) - 0.06 * far

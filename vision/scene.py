"""A scene at rest, kept to compare later ones with: what came, what went, whether a hand lies over the bowl."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision import ellipse
from vision.motion import Mask, Small, changes
from vision.reading import Die, Rim

LEAST_STEP, MOST_STEP = 10.0, 22.0
HAND_OF_BOWL = 0.12
"""A change in one piece over this share of the bowl is no die: a hand, a sleeve."""
PLACE_SHARE = 0.15
SAME_PIECE = 9
"""Small pixels that may differ in one piece between two pictures of the same scene."""
BUMP_OF_RADIUS = 0.02
BUMP_LIKENESS = 0.9


@dataclass(frozen=True, slots=True)
class Change:
    """How a picture differs from a scene: where, the largest piece anywhere, and the largest piece over the bowl.

    over_bowl: as a share of the bowl.
    """

    where: Mask
    piece: int
    over_bowl: float

    @property
    def same(self) -> bool:
        """Whether the scene is as it was."""
        return self.piece <= SAME_PIECE

    @property
    def hand(self) -> bool:
        """Whether something much larger than a die lies over the bowl."""
        return self.over_bowl > HAND_OF_BOWL

    def touched(self, die: Die, scale: float) -> bool:
        """Whether the picture changed where this die lies; scale: small pixels per pixel of the frame."""
        x, y, w, h = (value * scale for value in die.box)
        rows, columns = self.where.shape
        y0, y1 = max(0, math.floor(y)), min(rows, math.ceil(y + h) + 1)
        x0, x1 = max(0, math.floor(x)), min(columns, math.ceil(x + w) + 1)
        part = self.where[y0:y1, x0:x1]
        return bool(part.size and part.mean() >= PLACE_SHARE)


def change(scene: Small, now: Small, rim: Rim | None) -> Change:
    """What differs between a scene and a picture of the same size; rim in small pixels."""
    where, _ = changes(scene, now, LEAST_STEP, MOST_STEP)
    if not where.any():
        return Change(where, 0, 0.0)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(where.astype(np.uint8), connectivity=8)
    piece = int(stats[1:, cv2.CC_STAT_AREA].max())
    if rim is None:
        return Change(where, piece, 0.0)
    inside = ellipse.mask(rim, where.shape[1], where.shape[0]) > 0
    counts = np.bincount(labels[inside], minlength=2)
    return Change(where, piece, float(counts[1:].max()) / max(1, int(inside.sum())))


def moved_camera(scene: Small, now: Small, radius: float) -> bool:
    """Whether the whole picture is the scene shifted or turned: the camera or the bowl was knocked. radius: of the bowl."""
    one, other = (cv2.cvtColor(np.clip(p, 0, 255).astype(np.uint8), cv2.COLOR_BGR2GRAY) for p in (scene, now))
    start = np.eye(2, 3, dtype=np.float32)
    window = cv2.createHanningWindow((one.shape[1], one.shape[0]), cv2.CV_32F)
    (dx, dy), _ = cv2.phaseCorrelate(one.astype(np.float32), other.astype(np.float32), window)
    start[0, 2], start[1, 2] = dx, dy
    whole = np.full(one.shape, 255, np.uint8)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)
    try:
        likeness, way = cv2.findTransformECC(one, other, start, cv2.MOTION_EUCLIDEAN, stop, whole, 5)
    except cv2.error:
        return False  # nothing alike: no shifted picture of the same scene
    height, width = one.shape
    corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]], float)
    went = corners @ np.asarray(way, float).T - corners[:, :2]
    return likeness > BUMP_LIKENESS and float(np.hypot(went[:, 0], went[:, 1]).max()) > 2 * BUMP_OF_RADIUS * radius

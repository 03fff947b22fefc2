"""A scene at rest, kept to compare later ones with: what came, what went, whether a hand lies over the bowl."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import ellipse
from vision.motion import Mask, Small, changes
from vision.reading import Die, Rim

LEAST_STEP, MOST_STEP = 10.0, 22.0
HAND_OF_BOWL = 0.12
"""A change in one piece over this share of the bowl is no die: a hand, a sleeve."""
PLACE_SHARE = 0.15
SAME_PIECE = 9
"""Small pixels that may differ in one piece between two pictures of the same scene."""
BUMP_OF_RADIUS, SLIGHT = 0.02, 0.006
"""Parts of the bowl's diameter by which a picture moves that was knocked; the second where it is seen that something is wrong."""
BUMP_LIKENESS, BUMP_EXPLAINS = 0.85, 0.5
"""How alike the pictures must be once moved, and how much of their unlikeness the movement must take away."""

Grey = npt.NDArray[np.uint8]
Way = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Change:
    """How a picture differs from a scene: where, the largest piece anywhere, and the largest piece over the bowl.

    over_bowl: as a share of the bowl. reach: the same of the pieces that come over the picture's border.
    """

    where: Mask
    piece: int
    over_bowl: float
    reach: float = 0.0

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
    counts = np.bincount(labels[inside], minlength=len(stats)) / max(1, int(inside.sum()))
    counts[0] = 0.0
    border = np.unique(np.concatenate((labels[0], labels[-1], labels[:, 0], labels[:, -1])))
    return Change(where, piece, float(counts.max()), float(counts[border].max()))


def unchanged(scene: Small | None, now: Small, rim: Rim | None, most: float) -> bool:
    """Whether a picture is of that scene, and no piece over more than this share of the bowl differs; without a scene it is not."""
    return scene is not None and scene.shape == now.shape and change(scene, now, rim).over_bowl <= most


def moved_camera(scene: Small, now: Small, least: float) -> bool:
    """Whether the whole picture is the scene shifted or turned, by more than `least` pixels: the camera or the bowl was knocked."""
    one, other = _grey(scene), _grey(now)
    plain, start = np.eye(2, 3, dtype=np.float32), np.eye(2, 3, dtype=np.float32)
    window = cv2.createHanningWindow((one.shape[1], one.shape[0]), cv2.CV_32F)
    (start[0, 2], start[1, 2]), _ = cv2.phaseCorrelate(one.astype(np.float32), other.astype(np.float32), window)
    unmoved = _likeness(one, other, plain)
    best = max(
        (found for begin in (start, plain) if (found := _registered(one, other, begin)) is not None),
        key=lambda found: found[0],
        default=None,
    )
    if best is None or best[0] < BUMP_LIKENESS or 1 - best[0] > BUMP_EXPLAINS * (1 - unmoved):
        return False
    height, width = one.shape
    corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]], float)
    went = corners @ best[1].astype(float).T - corners[:, :2]
    return float(np.hypot(went[:, 0], went[:, 1]).max()) > least


def _grey(small: Small) -> Grey:
    return np.asarray(cv2.cvtColor(np.clip(small, 0, 255).astype(np.uint8), cv2.COLOR_BGR2GRAY), np.uint8)


def _registered(one: Grey, other: Grey, start: Way) -> tuple[float, Way] | None:
    """How the picture must be shifted and turned to look like the other, and how alike they are then; None if in no way."""
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)
    whole = np.full(one.shape, 255, np.uint8)
    try:
        _, way = cv2.findTransformECC(one, other, start.copy(), cv2.MOTION_EUCLIDEAN, stop, whole, 5)
    except cv2.error:
        return None  # OpenCV's way to say that it found none
    found = np.asarray(way, np.float32)
    return _likeness(one, other, found), found


def _likeness(one: Grey, other: Grey, way: Way) -> float:
    """Correlation of the two pictures, the second one moved back, where they overlap."""
    height, width = one.shape
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    back = cv2.warpAffine(other, way, (width, height), flags=flags)
    seen = cv2.warpAffine(np.full(one.shape, 255, np.uint8), way, (width, height), flags=flags) == 255
    a, b = one[seen].astype(np.float64), back[seen].astype(np.float64)
    if len(a) < one.size // 2:
        return 0.0
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / math.sqrt(max((a * a).sum() * (b * b).sum(), 1e-9)))

"""How much moves between frames: the gate before anything is read.

Each frame is shrunk to a small colour picture in which a die is a handful of pixels. What changes there in one piece,
beyond the camera's own noise, is movement; a change of light alone is none, the pictures are levelled first.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import ellipse
from vision.bowl import Bowl
from vision.reading import Frame, Rim

Small = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

BOWL_SIDE, FRAME_SIDE = 86, 200
"""Pixels of the bowl's major axis in the small picture; of the longer side where no bowl is known."""
LEAST_STEP, MOST_STEP, NOISE_TIMES = 5.0, 10.0, 4.0
"""Grey levels by which a pixel must change to count: so many times the noise, within these limits."""
STILL_PIECE, NOISY_PIECE = 12, 30
"""Pixels that may change in one piece in a scene at rest; up to the second where the camera is that noisy all the time."""
DRIFT_PIECE, DRIFT_TIMES = 80, 500
"""A camera in a hand also turns and nods: so many pixels more are allowed, by the way it moved."""
DARKEST, WHITE, MOST_GAIN = 8.0, np.float32(250.0), 2.5
"""Grey levels below and above which brightness is not compared, and the most that the light may change between two pictures."""
EVEN_GAIN = 1.01
BRIGHT, CLIPPED, MOST_CLIP = 180.0, 230.0, 40.0
"""Grey levels from which part of a place may be whiter than white, from which all of it may, and by how much at most that misleads."""
AROUND, FAR_S = 1.2, 2.0
"""The bowl's surroundings, in radii, and how long movement farther away is waited for (a die that rolls off the table)."""
MOVING_PIECE = 100
NOISE_S = 3.0
DARK_MEAN, DARK_S = 14.0, 0.5


@dataclass(frozen=True, slots=True)
class Stir:
    """What changed since the frame before. piece: the largest change in one piece, in small pixels; level: mean grey.

    still: nothing but noise changed.
    """

    piece: int
    level: float
    still: bool

    @property
    def dark(self) -> bool:
        """Whether the picture is too dark to see anything."""
        return self.level < DARK_MEAN


class Darkness:
    """Whether it has been too dark to see for a while."""

    def __init__(self) -> None:
        self._since: float | None = None
        self.told = False
        """Whether it still is as it was told."""

    def feed(self, dark: bool, t: float) -> bool:
        """One picture, t in seconds; whether it is to be told now."""
        if not dark:
            self._since, self.told = None, False
            return False
        self._since = t if self._since is None else self._since
        if self.told or t - self._since < DARK_S:
            return False
        self.told = True
        return True


class Shrinker:
    """Makes the small picture of a frame, always at the same scale."""

    def __init__(self, bowl: Bowl | None) -> None:
        self._bowl = bowl
        self.scale = 0.0 if bowl is None else min(1.0, BOWL_SIDE / bowl.rim.major)

    def small(self, frame: Frame) -> Small:
        """The frame as a small picture, slightly smoothed."""
        height, width = frame.shape[:2]
        if self._bowl is None:
            self.scale = min(1.0, FRAME_SIDE / max(width, height))
        size = max(8, round(width * self.scale)), max(8, round(height * self.scale))
        halved = frame
        while halved.shape[1] >= 4 * size[0]:
            halved = np.asarray(cv2.resize(halved, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        shrunk = cv2.resize(halved, size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.GaussianBlur(shrunk.astype(np.float32), (3, 3), 0), np.float32)

    def rim(self) -> Rim | None:
        """The rim in the small picture."""
        return None if self._bowl is None else ellipse.resized(self._bowl.rim, self.scale)


class Motion:
    """Compares each small picture with the one before. handheld: the camera's own drift is taken out first."""

    def __init__(self, handheld: bool, rim: Rim | None = None) -> None:
        """rim: of the bowl, in the small pictures; what goes on far from it holds nothing up for long."""
        self._handheld = handheld
        self._rim = rim
        self._near_still: float | None = None
        self._before: Small | None = None
        self._noise: deque[tuple[float, int]] = deque()

    def feed(self, small: Small, t: float) -> Stir:
        """What changed up to this picture, t in seconds; the first one changes everything."""
        before, self._before = self._before, small
        level = float(small.mean())
        if before is None or before.shape != small.shape:
            return Stir(small.shape[0] * small.shape[1], level, False)
        drift = 0.0
        if self._handheld:
            before, drift = drifted(before, small)
        changed, _ = changes(before, small, LEAST_STEP, MOST_STEP, pumping=True)
        if self._handheld:
            changed[:6] = changed[-6:] = changed[:, :6] = changed[:, -6:] = False
        piece, near = self._pieces(changed)
        if piece < MOVING_PIECE:
            self._noise.append((t, piece))
        while self._noise and self._noise[0][0] < t - NOISE_S:
            self._noise.popleft()
        usual = float(np.percentile([p for _, p in self._noise], 30)) if len(self._noise) >= 10 else 0.0
        allowed = max(STILL_PIECE, min(NOISY_PIECE, 1.5 * usual)) + min(DRIFT_PIECE, DRIFT_TIMES * drift)
        if near > allowed:
            self._near_still = None
        elif self._near_still is None:
            self._near_still = t
        long_still = self._near_still is not None and t - self._near_still >= FAR_S
        return Stir(piece, level, near <= allowed and (piece <= allowed or long_still))

    def _pieces(self, changed: Mask) -> tuple[int, int]:
        """Pixels of the largest connected piece, and of the largest that touches the bowl or its surroundings."""
        if not changed.any():
            return 0, 0
        _, labels, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8), connectivity=8)
        areas = stats[:, cv2.CC_STAT_AREA].copy()
        areas[0] = 0
        if self._rim is None:
            return int(areas.max()), int(areas.max())
        around = ellipse.mask(self._rim, changed.shape[1], changed.shape[0], AROUND) > 0
        return int(areas.max()), int(areas[np.unique(labels[around])].max(initial=0))


def changes(before: Small, after: Small, least: float, most: float, pumping: bool = False) -> tuple[Mask, Small]:
    """Where two small pictures differ by more than noise, light levelled; and by how much.

    pumping: what a change of the light alone may do to white porcelain is none; a white die on it may be none then, too.
    """
    gain = np.median(after[::2, ::2] / np.maximum(before[::2, ::2], DARKEST), axis=(0, 1))
    brighter, dimmer = np.clip(gain, 1.0, MOST_GAIN), np.clip(1 / np.maximum(gain, 1 / MOST_GAIN), 1.0, None)
    # what the camera shows as white may have been whiter still
    one = np.minimum(before * brighter.astype(np.float32), WHITE)
    other = np.minimum(after * dimmer.astype(np.float32), WHITE)
    apart = cv2.absdiff(one, other)
    if pumping and (gain.max() > EVEN_GAIN or gain.min() < 1 / EVEN_GAIN):
        # a place that is white in part does not become as much brighter or darker as the light does
        brighter_one = cv2.max(before, after)
        in_part = np.clip((brighter_one - BRIGHT) / (CLIPPED - BRIGHT), 0.0, 1.0)
        apart = np.maximum(apart - np.minimum(in_part * brighter_one * np.abs(gain - 1).astype(np.float32), MOST_CLIP), 0.0)
    blue, green, red = cv2.split(apart)
    amount = np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
    step = min(max(least, NOISE_TIMES * float(np.median(amount[::2, ::2]))), most)
    return amount > step, amount


def drifted(before: Small, after: Small) -> tuple[Small, float]:
    """The earlier picture moved to where the later one shows the same things (a camera in a hand), and by how much."""
    one, other = (cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in (before, after))
    window = cv2.createHanningWindow((one.shape[1], one.shape[0]), cv2.CV_32F)
    (dx, dy), _ = cv2.phaseCorrelate(one, other, window)
    if not math.hypot(dx, dy) < 0.1 * one.shape[1]:
        return before, 0.0
    shift = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    moved = cv2.warpAffine(before, shift, (before.shape[1], before.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.float32), math.hypot(dx, dy)

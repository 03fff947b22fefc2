"""The bowl in the picture: finding its rim, and what lies inside it.

The rim is the crest of the lip. What a picture shows is the lip's outer edge against the table, the outermost ring that
is complete; the crest lies a little further in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision import ellipse, rim_search, rim_trace
from vision.reading import Frame, Rim

CREST = 1 / 1.0145
"""The crest's ellipse over the lip's outer edge: porcelain lips are 2-3 mm thick on bowls of 160-280 mm."""
LEAST_SCORE = 0.5
"""Below this score of the coarse search nothing round is in the picture: pure noise gives at most 0.4, photos of dice 0.5."""
HALF_ROUND, ROUND = 0.75, 0.79
"""Bowls score 0.80 and more, a bowl half under a hand at most 0.74: below the first a find is never certain."""
LEAST_IN_VIEW = 0.98
UNEVEN, EVEN = 0.1, 0.25
"""A rim of which a quarter shows less contrast than this part of another quarter's is half something else; bowls have 0.33 and more."""
LEAST_SUPPORT = 0.45
"""A ring whose edge is seen over a smaller share of its turn is not called a bowl."""
CLEAR_SUPPORT = 0.75
"""With this much of the edge seen the search ends; a hand or the picture's border hides more otherwise."""
LEAST_SIDE = 48
"""No rim can be told in a picture that is smaller than this, in pixels."""
UNSURE_QUALITY = 50
"""A found bowl of lower quality should be shown to a person before it is relied on."""


@dataclass(frozen=True, slots=True)
class FoundBowl:
    """A rim found in one picture; quality 0-100 says how certainly it is a bowl's rim; reasons are plain English lines."""

    rim: Rim
    quality: int
    reasons: tuple[str, ...]

    @property
    def certain(self) -> bool:
        """Whether the rim may be relied on without a look by a person."""
        return self.quality >= UNSURE_QUALITY


@dataclass(frozen=True, slots=True)
class Bowl:
    """A bowl as the camera sees it: its rim, the empty bowl as background (or None), the picture's width and height."""

    rim: Rim
    background: Frame | None
    width: int
    height: int

    def contains(self, x: float, y: float) -> bool:
        """Whether the point lies inside the rim."""
        return bool(ellipse.distance(self.rim, x, y) <= 1)

    def box(self, margin: float = 0.0) -> tuple[int, int, int, int]:
        """x, y, w, h of the rim's bounding box widened by `margin` (of the major axis), cut off at the picture's border."""
        turn = math.radians(self.rim.angle_deg)
        a, b = self.rim.major / 2, self.rim.minor / 2
        half_w = math.hypot(a * math.cos(turn), b * math.sin(turn)) + margin * self.rim.major
        half_h = math.hypot(a * math.sin(turn), b * math.cos(turn)) + margin * self.rim.major
        x0, y0 = max(0, math.floor(self.rim.cx - half_w)), max(0, math.floor(self.rim.cy - half_h))
        x1 = min(self.width, math.ceil(self.rim.cx + half_w) + 1)
        y1 = min(self.height, math.ceil(self.rim.cy + half_h) + 1)
        return x0, y0, max(0, x1 - x0), max(0, y1 - y0)

    def mask(self, scale: float = 1.0) -> npt.NDArray[np.uint8]:
        """height x width, 255 inside the rim scaled about its centre."""
        return ellipse.mask(self.rim, self.width, self.height, scale)

    def polygon(self, count: int = 48) -> npt.NDArray[np.float64]:
        """`count` points of the rim, count x 2."""
        return np.stack(ellipse.points(self.rim, ellipse.angles(count)), axis=1)


def find_bowl(frame: Frame) -> FoundBowl | None:
    """The rim of the bowl in this picture, empty or with dice; None where nothing like a rim is seen."""
    if min(frame.shape[:2]) < LEAST_SIDE:
        return None
    picture = rim_trace.lab(frame)
    best: rim_trace.Ring | None = None
    doubt = False
    complete = roundness = 0.0
    for score, rough in rim_search.candidates(frame):
        rings = rim_trace.rings(picture, rough) if score >= LEAST_SCORE else []
        most = max((ring.support for ring in rings), default=0.0)
        if most > complete:
            best, complete, roundness = rim_trace.lip(rings), most, score
            doubt = rim_trace.rival(rings, best) is not None
        if complete >= CLEAR_SUPPORT:
            break
    if best is None or best.support < LEAST_SUPPORT:
        return None
    quality, reasons = _quality(best, roundness), _reasons(best, roundness)
    if roundness < ROUND or best.evenness < EVEN:
        quality = min(quality, UNSURE_QUALITY - 5)
    if doubt:
        quality = min(quality, UNSURE_QUALITY - 5)
        reasons.append("there may be another ring further out: check that the line drawn is the bowl's rim")
    return FoundBowl(ellipse.scaled(best.rim, CREST), quality, tuple(reasons))


def _quality(ring: rim_trace.Ring, roundness: float) -> int:
    complete = np.interp(ring.support, [LEAST_SUPPORT, CLEAR_SUPPORT, 0.95], [0.1, 0.75, 1.0])
    contrast = np.interp(ring.strength, [0.2, 0.4, 0.6], [0.4, 0.85, 1.0])
    whole = np.interp(roundness, [LEAST_SCORE, HALF_ROUND, ROUND], [0.0, 0.45, 1.0])
    in_view = np.interp(ring.in_view, [0.75, LEAST_IN_VIEW], [0.4, 1.0])
    even = np.interp(ring.evenness, [UNEVEN, EVEN], [0.45, 1.0])
    return round(float(100 * complete * contrast * whole * in_view * even))


def _reasons(ring: rim_trace.Ring, roundness: float) -> list[str]:
    seen = round(100 * ring.support)
    if ring.in_view < LEAST_IN_VIEW:
        return [f"the rim leaves the picture: only {round(100 * ring.in_view)} % of it is in view; move the camera"]
    if roundness < ROUND or ring.evenness < EVEN:
        return [f"no more than {seen} % of the rim is seen: take away the hand or what else covers the bowl"]
    if ring.support < CLEAR_SUPPORT:
        return [f"only {seen} % of the rim is seen: take away what covers it, or put the bowl on a plainer table"]
    if ring.strength < 0.45:
        return [f"the rim hardly stands out from the table ({seen} % seen); more light or a table of another colour helps"]
    return [f"the rim is clear ({seen} % seen)"]

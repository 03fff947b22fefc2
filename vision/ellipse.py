"""Ellipses in the picture: points on them, fits through points, what lies inside.

An ellipse is a `Rim`. Its parameter t runs from 0 to 2π, t = 0 at the end of the major axis; `scale` 1 is the ellipse
itself, smaller lies inside.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Rim

Floats = npt.NDArray[np.float64]

MIN_FIT_POINTS = 12


def angles(count: int) -> Floats:
    """`count` values of t, evenly spread over the whole turn."""
    return np.asarray(np.arange(count) * (2 * math.pi / count), np.float64)


def points(rim: Rim, t: Floats, scale: Floats | float = 1.0) -> tuple[Floats, Floats]:
    """x and y of the points with parameter t on the ellipse scaled about its centre; t and scale broadcast."""
    turn = math.radians(rim.angle_deg)
    along = rim.major / 2 * np.cos(t) * scale
    across = rim.minor / 2 * np.sin(t) * scale
    x = rim.cx + math.cos(turn) * along - math.sin(turn) * across
    y = rim.cy + math.sin(turn) * along + math.cos(turn) * across
    return x, y


def distance(rim: Rim, x: Floats | float, y: Floats | float) -> Floats:
    """Elliptical radius of points: 0 at the centre, 1 on the ellipse, more outside."""
    turn = math.radians(rim.angle_deg)
    dx, dy = np.asarray(x, float) - rim.cx, np.asarray(y, float) - rim.cy
    along = (math.cos(turn) * dx + math.sin(turn) * dy) / (rim.major / 2)
    across = (-math.sin(turn) * dx + math.cos(turn) * dy) / (rim.minor / 2)
    return np.hypot(along, across)


def scaled(rim: Rim, factor: float) -> Rim:
    """The same ellipse with both axes times `factor`."""
    return replace(rim, major=rim.major * factor, minor=rim.minor * factor)


def resized(rim: Rim, sx: float, sy: float | None = None) -> Rim:
    """The ellipse after the picture was resized by sx (and sy, which may differ by a pixel's rounding)."""
    sy = sx if sy is None else sy
    mean = math.sqrt(sx * sy)
    return Rim((rim.cx + 0.5) * sx - 0.5, (rim.cy + 0.5) * sy - 0.5, rim.major * mean, rim.minor * mean, rim.angle_deg)


def canonical(cx: float, cy: float, first: float, second: float, angle_deg: float) -> Rim:
    """A Rim whose major axis is the longer one and whose angle lies in [0, 180)."""
    if second > first:
        first, second, angle_deg = second, first, angle_deg + 90
    return Rim(cx, cy, first, second, angle_deg % 180)


def fit(x: Floats, y: Floats) -> Rim | None:
    """Least-squares ellipse through points (direct fit, always an ellipse); None where the points don't make one."""
    if len(x) < MIN_FIT_POINTS:
        return None
    shift_x, shift_y = float(np.mean(x)), float(np.mean(y))
    cloud = np.stack([x - shift_x, y - shift_y], axis=1).astype(np.float32)
    (cx, cy), (first, second), angle = cv2.fitEllipseDirect(cloud)
    if not all(map(math.isfinite, (cx, cy, first, second, angle))) or min(first, second) <= 1:
        return None
    return canonical(cx + shift_x, cy + shift_y, first, second, angle)


def mask(rim: Rim, width: int, height: int, scale: float = 1.0) -> npt.NDArray[np.uint8]:
    """A height x width mask, 255 inside the ellipse scaled by `scale`."""
    out = np.zeros((height, width), np.uint8)
    x, y = points(rim, angles(180), scale)
    polygon = np.rint(np.stack([x, y], axis=1) * 16).astype(np.int32)
    cv2.fillPoly(out, [polygon], (255,), shift=4)
    return out

"""Where the finder looks in a frame: round the bowl, closer at the dice in it, and at what lies beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.detector import BEST_EDGE, Look, Spot
from vision.reading import Frame, Rim

BOWL_SIDE = 352
"""Pixels to which the bowl's neighbourhood is shrunk (or enlarged) for the finder."""
FRAME_SIDE = 512
"""Longer side of the shrunk frame in which dice outside the bowl are looked for, at most."""
ROUND_BOWL = 1.10
COARSE_EDGE = 14.0
FAR_EDGE = 11.0
"""Edge of a die, in pixels of what the finder looks at, that is enough to see that it is one."""
USUAL_EDGES = 14.0
"""A bowl is so many dice wide, more or less."""


def around(rim: Rim, frame: Frame) -> Look:
    """The look at the bowl: its bounding square with a little room, shrunk to BOWL_SIDE."""
    half_w, half_h = half_sizes(rim)
    height, width = frame.shape[:2]
    x0, x1 = max(0, round(rim.cx - half_w * ROUND_BOWL)), min(width, round(rim.cx + half_w * ROUND_BOWL))
    y0, y1 = max(0, round(rim.cy - half_h * ROUND_BOWL)), min(height, round(rim.cy + half_h * ROUND_BOWL))
    w, h = max(x1 - x0, 16), max(y1 - y0, 16)
    return Look(x0, y0, w, h, BOWL_SIDE / max(w, h))


def half_sizes(rim: Rim) -> tuple[float, float]:
    """Half width and half height of the rim's bounding box, in pixels."""
    turn = np.deg2rad(rim.angle_deg)
    c, s = np.cos(turn), np.sin(turn)
    return float(np.hypot(rim.major * c, rim.minor * s) / 2), float(np.hypot(rim.major * s, rim.minor * c) / 2)


def beside(near: Look, inside: Sequence[Spot], frame: Frame, missing: bool) -> list[Look]:
    """Looks at what the look at the bowl leaves out: coarse, as whether a die lies there is all that matters, but closer where dice are missing."""
    height, width = frame.shape[:2]
    good = [s.edge for s in inside if s.score > 0.4]
    edge = float(np.median(good)) if len(good) >= 3 else near.w / ROUND_BOWL / USUAL_EDGES
    most = FRAME_SIDE / max(width, height)
    scale = min(1.0, BEST_EDGE / edge) if missing else min(most, max(FAR_EDGE / edge, 0.5 * most))
    lap = round(1.2 * edge)  # a die on the border is seen whole by one of the two looks
    x0, x1 = min(near.x + lap, width), max(near.x + near.w - lap, 0)
    y0, y1 = min(near.y + lap, height), max(near.y + near.h - lap, 0)
    strips = [
        (0, 0, x0, height) if near.x > 0 else None,
        (x1, 0, width - x1, height) if near.x + near.w < width else None,
        (near.x, 0, near.w, y0) if near.y > 0 else None,
        (near.x, y1, near.w, height - y1) if near.y + near.h < height else None,
    ]
    return [Look(s[0], s[1], s[2], s[3], scale) for s in strips if s is not None]


def closer(spots: Sequence[Spot], near: Look) -> Look | None:
    """A second look at where the dice lie, when the first showed them too small."""
    good = [s for s in spots if s.score > 0.3]
    if len(good) < 2:
        return None
    edge = float(np.median([s.seen_edge for s in good]))
    if edge >= COARSE_EDGE:
        return None
    boxes = np.array([s.box for s in good])
    room = 1.5 * edge / near.scale
    x0, y0 = boxes[:, 0].min() - room, boxes[:, 1].min() - room
    x1, y1 = (boxes[:, 0] + boxes[:, 2]).max() + room, (boxes[:, 1] + boxes[:, 3]).max() + room
    x0, y0 = max(x0, near.x), max(y0, near.y)
    x1, y1 = min(x1, near.x + near.w), min(y1, near.y + near.h)
    w, h = round(x1 - x0), round(y1 - y0)
    if w < 16 or h < 16:
        return None
    scale = min(near.scale * BEST_EDGE / edge, BOWL_SIDE / max(w, h))
    return Look(round(x0), round(y0), w, h, scale) if scale > 1.15 * near.scale else None


def within(point: tuple[float, float], look: Look) -> bool:
    """Whether a point of the frame lies in what the look covers."""
    return look.x <= point[0] < look.x + look.w and look.y <= point[1] < look.y + look.h

"""A top face brought flat and upright: what is read afterwards no longer depends on where and how the die lies."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Frame

Quad = npt.NDArray[np.float32]
"""4 x 2: the corners of a top face in order round it, in pixels."""

ROOM = 0.35
"""How much of the surroundings is kept on each side, in edges of the face."""
_LONGEST = 20.0
"""The log of the longest stretch that is taken as said: whatever a net says must give a quad."""


def edge_of(quad: Quad) -> float:
    """Length of the edge of a square as large as the quad, in pixels."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    area = 0.5 * abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay))
    return math.sqrt(max(area, 1.0))


def parallelogram(
    centre: tuple[float, float], edge: float, stretch: tuple[float, float], quarter_angle: tuple[float, float]
) -> Quad:
    """The quad whose half edges are the columns of S R: `stretch` is the log of S, `quarter_angle` cos and sin of 4 x R's angle."""
    axis = math.atan2(stretch[1], stretch[0]) / 2
    c, s = math.cos(axis), math.sin(axis)
    big = math.exp(min(math.hypot(*stretch), _LONGEST))
    small = 1 / big
    xx, xy, yy = c * c * big + s * s * small, c * s * (big - small), s * s * big + c * c * small
    angle = math.atan2(quarter_angle[1], quarter_angle[0]) / 4
    c, s = math.cos(angle) * edge / 2, math.sin(angle) * edge / 2
    one, other = (xx * c + xy * s, xy * c + yy * s), (xy * c - xx * s, yy * c - xy * s)
    x, y = centre
    return np.array([(x + i * one[0] + j * other[0], y + i * one[1] + j * other[1]) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))], np.float32)


def unrectify(points: npt.NDArray[np.floating], quad: Quad, side: int, room: float = ROOM) -> Quad:
    """Where points of a rectified picture (n x 2) lie in the frame, for a quad that is a parallelogram."""
    edge_out = side / (1 + 2 * room)
    share = (points - (room * edge_out - 0.5)) / edge_out
    return np.asarray(quad[0] + share[:, :1] * (quad[1] - quad[0]) + share[:, 1:] * (quad[3] - quad[0]), np.float32)


def rectify(frame: Frame, quad: Quad, side: int, room: float = ROOM) -> Frame:
    """The face of `quad` as a `side` x `side` picture with `room` edges of surroundings on each side."""
    edge_out = side / (1 + 2 * room)
    shrink = edge_out / edge_of(quad)
    centre = quad.mean(0)
    if shrink < 0.6:
        reach = float(np.abs(quad - centre).max()) * (1 + 2 * room) * 1.1 + 2
        x0, y0 = np.maximum(np.floor(centre - reach), 0).astype(int)
        x1, y1 = (np.minimum(np.ceil(centre + reach), [frame.shape[1], frame.shape[0]])).astype(int)
        if x1 - x0 >= 2 and y1 - y0 >= 2:
            size = max(2, round((x1 - x0) * shrink * 1.2)), max(2, round((y1 - y0) * shrink * 1.2))
            frame = np.asarray(cv2.resize(frame[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA), np.uint8)
            factor = np.array([size[0] / (x1 - x0), size[1] / (y1 - y0)], np.float32)
            quad = ((quad - [x0, y0] + 0.5) * factor - 0.5).astype(np.float32)
    low = room * edge_out - 0.5
    high = low + edge_out
    flat = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), flat)
    shown = cv2.warpPerspective(frame, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shown, np.uint8)


def upright(frame: Frame, centre: tuple[float, float], edge: float, side: int, room: float) -> Frame:
    """A face of this edge (pixels) in the middle of a `side` x `side` picture with `room` edges of surroundings on each side, not turned."""
    scale = side / (1 + 2 * room) / edge
    half = side / 2 / scale
    x0, y0 = max(0, math.floor(centre[0] - half) - 2), max(0, math.floor(centre[1] - half) - 2)
    part = frame[y0 : math.ceil(centre[1] + half) + 3, x0 : math.ceil(centre[0] + half) + 3]
    if part.size == 0:
        return np.zeros((side, side, 3), np.uint8)
    if scale < 0.6:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.4 / scale), np.uint8)
    middle = (side - 1) / 2
    place = np.array([[scale, 0, middle - scale * (centre[0] - x0)], [0, scale, middle - scale * (centre[1] - y0)]])
    return np.asarray(cv2.warpAffine(part, place, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)

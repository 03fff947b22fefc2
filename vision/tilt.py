"""How far each die leans: the slant of its face to the line of sight, held against where up is in this bowl.

The slant reader says how a face is turned to the camera, whatever the camera's own tilt. The rim is level; the ellipse that it
makes says, up to a mirror image and for each lens, how the camera looks down, and the dice, most of which lie flat, tell which of these it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Frame, Rim

Vector = npt.NDArray[np.float64]

SLANT_SIDE = 56
SLANT_ROOM = 0.75
"""A crop for the slant reader: pixels, and edges of surroundings on each side of the face; never turned."""
USUAL_VIEW_DEG = 68.0
"""Webcams see about so much from left to right; 10 degrees more or less move a tilt by some 2 degrees."""
VIEWS_DEG = (20.0, 35.0, 50.0, USUAL_VIEW_DEG, 85.0, 105.0)
"""Other lenses, and cut pictures, whose middle is not where the lens looks: of a narrow one each part is seen alike."""
UNUSUAL = 0.003
"""By how much flatter (in cosines) the dice must lie for a lens that is e times as wide or narrow as the usual one."""
ENOUGH = 4
"""So many dice tell what lens it is; fewer would always be made to lie flat."""


def local_frame(ray: Vector) -> tuple[Vector, Vector, Vector]:
    """Right, down and towards the camera, square to each other, for unit lines of sight (... x 3) in camera coordinates."""
    right = np.array([1.0, 0.0, 0.0]) - ray[..., :1] * ray
    right /= np.linalg.norm(right, axis=-1, keepdims=True)
    return right, np.cross(ray, right), -ray


def slant_crop(frame: Frame, centre: tuple[float, float], edge: float) -> Frame:
    """What the slant reader looks at: the face of this edge (pixels) and what lies round it, upright as in the frame."""
    scale = SLANT_SIDE / (1 + 2 * SLANT_ROOM) / edge
    half = SLANT_SIDE / 2 / scale
    x0, y0 = max(0, math.floor(centre[0] - half) - 2), max(0, math.floor(centre[1] - half) - 2)
    part = frame[y0 : math.ceil(centre[1] + half) + 3, x0 : math.ceil(centre[0] + half) + 3]
    if part.size == 0:
        return np.zeros((SLANT_SIDE, SLANT_SIDE, 3), np.uint8)
    if scale < 0.6:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.4 / scale), np.uint8)
    middle = (SLANT_SIDE - 1) / 2
    place = np.array([[scale, 0, middle - scale * (centre[0] - x0)], [0, scale, middle - scale * (centre[1] - y0)]])
    shown = cv2.warpAffine(part, place, (SLANT_SIDE, SLANT_SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shown, np.uint8)


def tilts(size: tuple[int, int], rim: Rim, centres: Sequence[tuple[float, float]], slants: Sequence[tuple[float, float]]) -> list[float]:
    """Degrees from lying flat of each face; size: width and height of the frame; slants: sines towards x and y of the picture."""
    if not centres:
        return []
    best: tuple[float, Vector] | None = None
    for view in VIEWS_DEG if len(centres) >= ENOUGH else (USUAL_VIEW_DEG,):
        focal = max(size) / 2 / math.tan(math.radians(view) / 2)
        normals = _normals(size, focal, np.array(centres, float), np.array(slants, float))
        for up in _level(size, focal, rim):
            flat = normals @ up
            most = float(np.median(flat)) - UNUSUAL * abs(math.log(view / USUAL_VIEW_DEG))
            if best is None or most > best[0]:
                best = most, flat
    assert best is not None
    return [math.degrees(math.acos(min(1.0, float(f)))) for f in best[1]]


def _normals(size: tuple[int, int], focal: float, centres: Vector, slants: Vector) -> Vector:
    """Which way the faces look (n x 3, camera coordinates), at these places of the frame and so slanted to the lines of sight (n x 2 each)."""
    rays = np.column_stack([(centres - np.array(size) / 2) / focal, np.ones(len(centres))])
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    right, down, towards = local_frame(rays)
    length = np.hypot(*slants.T)
    x, y = (slants * (0.98 / np.maximum(length, 0.98))[:, None]).T[:, :, None]
    return np.asarray(right * x + down * y + towards * np.sqrt(1 - x * x - y * y))


def _level(size: tuple[int, int], focal: float, rim: Rim) -> list[Vector]:
    """The two directions, towards the camera, in which a circle can face that looks like this rim.

    The lines of sight to a circle are a cone; its axes tell them (the circle's pose from its conic, known since the 19th century).
    """
    turn = math.radians(rim.angle_deg)
    along, across = np.array([math.cos(turn), math.sin(turn)]) / (rim.major / 2), np.array([-math.sin(turn), math.cos(turn)]) / (rim.minor / 2)
    shape = np.outer(along, along) + np.outer(across, across)
    centre = np.array([rim.cx - size[0] / 2, rim.cy - size[1] / 2])
    cone = np.empty((3, 3))
    cone[:2, :2] = shape * focal * focal
    cone[:2, 2] = cone[2, :2] = -shape @ centre * focal
    cone[2, 2] = centre @ shape @ centre - 1
    (inward, narrow, wide), axes = np.linalg.eigh(cone)  # one negative, along the cone, then the two that are square to it
    lean, straight = math.sqrt((wide - narrow) / (wide - inward)), math.sqrt((narrow - inward) / (wide - inward))
    ways = [side * lean * axes[:, 2] + straight * axes[:, 0] for side in (1, -1)]
    return [way if way[2] < 0 else -way for way in ways]

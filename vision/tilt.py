"""How far each die leans: the slant of its face to the line of sight, held against where up is in this bowl.

The slant reader says how a face is turned to the camera, whatever the camera's own tilt. The rim is level; the ellipse that it
makes says, up to a mirror image and for each lens, how the camera looks down, and the dice, most of which lie flat, tell which of these it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.reading import Frame, Rim
from vision.rectify import upright

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
HARDLY = 0.01
"""So little flatter (in cosines) do the dice lie in one mirror image than in the other where they do not tell which is true."""
ENOUGH = 4
"""So many dice tell what lens it is; fewer would always be made to lie flat."""


def local_frame(ray: Vector) -> tuple[Vector, Vector, Vector]:
    """Right, down and towards the camera, square to each other, for unit lines of sight (... x 3) in camera coordinates."""
    right = np.array([1.0, 0.0, 0.0]) - ray[..., :1] * ray
    right /= np.linalg.norm(right, axis=-1, keepdims=True)
    return right, np.cross(ray, right), -ray


def slant_crop(frame: Frame, centre: tuple[float, float], edge: float) -> Frame:
    """What the slant reader looks at: the face of this edge (pixels) and what lies round it, upright as in the frame."""
    return upright(frame, centre, edge, SLANT_SIDE, SLANT_ROOM)


def tilts(size: tuple[int, int], rim: Rim, centres: Sequence[tuple[float, float]], slants: Sequence[tuple[float, float]]) -> list[float]:
    """Degrees from lying flat of each face; size: width and height of the frame; slants: sines towards x and y of the picture."""
    if not centres:
        return []
    views = np.array(VIEWS_DEG if len(centres) >= ENOUGH else (USUAL_VIEW_DEG,))
    focals = max(size) / 2 / np.tan(np.radians(views) / 2)
    flat = _normals(size, focals, np.array(centres, float), np.array(slants, float)) @ np.swapaxes(ways_up(size, focals, rim), 1, 2)
    level = np.median(flat, axis=1) - UNUSUAL * np.abs(np.log(views / USUAL_VIEW_DEG))[:, None]
    lens, way = divmod(int(level.argmax()), 2)
    # where the dice hardly tell which of the two mirror images is true, each die may lean as far as either says
    either = flat[lens] if abs(level[lens, 0] - level[lens, 1]) < HARDLY else flat[lens][:, [way]]
    return [math.degrees(math.acos(min(1.0, float(f)))) for f in either.min(1)]


def _normals(size: tuple[int, int], focals: Vector, centres: Vector, slants: Vector) -> Vector:
    """Which way the faces look (lenses x n x 3, camera coordinates), at these places of the frame and so slanted to the lines of sight (n x 2 each)."""
    rays = np.ones((len(focals), len(centres), 3))
    rays[..., :2] = (centres - np.array(size) / 2) / focals[:, None, None]
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    right, down, towards = local_frame(rays)
    length = np.hypot(*slants.T)
    x, y = (slants * (0.98 / np.maximum(length, 0.98))[:, None]).T[:, :, None]
    return np.asarray(right * x + down * y + towards * np.sqrt(1 - x * x - y * y))


def ways_up(size: tuple[int, int], focals: Vector, rim: Rim) -> Vector:
    """The two directions, towards the camera, in which a circle can face that looks like this rim, for each lens (lenses x 2 x 3).

    The lines of sight to a circle are a cone; its axes tell them (the circle's pose from its conic, known since the 19th century).
    """
    turn = math.radians(rim.angle_deg)
    along, across = np.array([math.cos(turn), math.sin(turn)]) / (rim.major / 2), np.array([-math.sin(turn), math.cos(turn)]) / (rim.minor / 2)
    shape = np.outer(along, along) + np.outer(across, across)
    centre = np.array([rim.cx - size[0] / 2, rim.cy - size[1] / 2])
    cones = np.empty((len(focals), 3, 3))
    cones[:, :2, :2] = shape * focals[:, None, None] ** 2
    cones[:, :2, 2] = cones[:, 2, :2] = -shape @ centre * focals[:, None]
    cones[:, 2, 2] = centre @ shape @ centre - 1
    lengths, axes = np.linalg.eigh(cones)
    inward, narrow, wide = lengths.T  # one negative, along the cone, then the two that are square to it
    lean, straight = np.sqrt((wide - narrow) / (wide - inward)), np.sqrt((narrow - inward) / (wide - inward))
    leaning, middle = lean[:, None] * axes[..., 2], straight[:, None] * axes[..., 0]
    ways = np.stack([middle + leaning, middle - leaning], axis=1)
    return np.asarray(np.where(ways[..., 2:] < 0, ways, -ways))

"""How a die lies: turns quaternions into faces, values and tilts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.training.render.die import DieLook, face_frame, face_normal

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lie:
    """One die at rest: centre (mm), quaternion (w, x, y, z) and the ids of the dice that carry it."""

    position: Array
    quaternion: Array
    resting_on: tuple[int, ...] = ()


def rotation(q: Array) -> Array:
    """The 3 x 3 rotation of a unit quaternion (w, x, y, z)."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def faces_by_tilt(q: Array, look: DieLook) -> list[tuple[float, int]]:
    """(degrees from straight up, value) of the six faces, the most level one first."""
    turn = rotation(q)
    ups = [(turn @ face_normal(v, left_handed=look.left_handed))[2] for v in range(1, 7)]
    return sorted((float(np.degrees(np.arccos(np.clip(u, -1, 1)))), v) for v, u in enumerate(ups, start=1))


def top_corners(lie: Lie, look: DieLook) -> Array:
    """The four corners (4, 3) of the top face in the world, in order round it."""
    value = faces_by_tilt(lie.quaternion, look)[0][1]
    right, up, normal = face_frame(value, left_handed=look.left_handed)
    local = np.array([a * right + b * up + normal for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * look.edge / 2
    return np.asarray(local @ rotation(lie.quaternion).T + lie.position)


def box_corners(lie: Lie, edge: float) -> Array:
    """The eight corners (8, 3) of the die's cube in the world."""
    local = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * edge / 2
    return np.asarray(local @ rotation(lie.quaternion).T + lie.position)

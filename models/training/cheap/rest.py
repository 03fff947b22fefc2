"""Dice at rest: on a plane or in a bowl, apart or touching, leaning or stacked, never inside one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from models.training.cheap.arrays import Array, Rng, turn

# outward normals of the faces 1 to 6 in the die's own frame, for hand +1; hand -1 mirrors y
NORMALS = {1: (0, 0, 1), 6: (0, 0, -1), 2: (1, 0, 0), 5: (-1, 0, 0), 3: (0, 1, 0), 4: (0, -1, 0)}
COCKED_DEG = 25.0


def face_normal(value: int, hand: int) -> Array:
    """Outward normal (3) of a face in the die's own frame."""
    x, y, z = NORMALS[value]
    return np.array([x, y * hand, z], np.float64)


class Surface(Protocol):
    """What dice lie on."""

    def height(self, x: Array, y: Array) -> Array:
        """Height of the surface over the table at (x, y), mm."""
        ...


class Plane:
    """The table's top."""

    def height(self, x: Array, y: Array) -> Array:
        """Zero everywhere."""
        return np.zeros_like(np.asarray(x, np.float64) + y)


@dataclass
class Rest:
    """One die at rest: centre (mm), rotation from its frame to the world, edge, hand, where it lies and on which dice."""

    centre: Array
    rotation: Array
    edge: float
    hand: int
    inside: bool
    resting_on: list[int] = field(default_factory=list)

    def tilts(self) -> list[tuple[float, int]]:
        """Angle from straight up and value of every face, the topmost first."""
        angles = []
        for value in NORMALS:
            up = (self.rotation @ face_normal(value, self.hand))[2]
            angles.append((float(np.degrees(np.arccos(np.clip(up, -1, 1)))), value))
        return sorted(angles)

    def top_corners(self) -> Array:
        """Corners (4, 3) of the top face in order round it."""
        n = face_normal(self.tilts()[0][1], self.hand)
        axis = int(np.argmax(np.abs(n)))
        u, v = np.roll(np.eye(3), 1, axis=0)[axis], np.roll(np.eye(3), 2, axis=0)[axis]
        local = np.array([n + a * u + b * v for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1))]) * self.edge / 2
        return np.asarray(local @ self.rotation.T + self.centre)

    def corners(self) -> Array:
        """All corners (8, 3)."""
        signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * self.edge / 2
        return np.asarray(signs @ self.rotation.T + self.centre)


def overlap(a: Rest, b: Rest, slack: float = 0.02) -> bool:
    """Whether two dice share room (separating axes; rounded edges forgive `slack` of the size)."""
    gap = b.centre - a.centre
    far2 = float(gap @ gap)
    ha, hb = a.edge / 2 * (1 - slack), b.edge / 2 * (1 - slack)
    if far2 > 3 * (ha + hb) ** 2:
        return False
    if far2 < (ha + hb) ** 2:
        return True
    ra, rb = a.rotation, b.rotation
    crossed = np.cross(ra.T[:, None, :], rb.T[None, :, :]).reshape(9, 3)
    axes = np.concatenate([ra.T, rb.T, crossed])
    reach = ha * np.abs(axes @ ra).sum(axis=1) + hb * np.abs(axes @ rb).sum(axis=1)
    return bool(np.all(np.abs(axes @ gap) <= reach + 1e-9))


def lay(
    surface: Surface, x: float, y: float, yaw: float, value: int, edge: float, hand: int, lean: Array | None = None
) -> Rest:
    """A die on the surface at (x, y) with `value` up; `lean` is a further rotation of the standing die."""
    h = edge / 2
    c, s = np.cos(yaw), np.sin(yaw)
    foot = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) * h @ np.array([[c, s], [-s, c]])
    z = surface.height(x + foot[:, 0], y + foot[:, 1])
    dzx = float((foot[:, 0] * z).sum() / (foot[:, 0] ** 2).sum())
    dzy = float((foot[:, 1] * z).sum() / (foot[:, 1] ** 2).sum())
    up = np.array([-dzx, -dzy, 1.0]) / np.sqrt(1 + dzx**2 + dzy**2)
    ahead = np.array([c, s, 0.0]) - up * (up @ np.array([c, s, 0.0]))
    ahead /= np.linalg.norm(ahead)
    frame = np.column_stack([ahead, np.cross(up, ahead), up])
    n = face_normal(value, hand)
    axis = int(np.argmax(np.abs(n)))
    u = np.roll(np.eye(3), 1, axis=0)[axis]
    own = np.column_stack([u, np.cross(n, u), n])
    rotation = frame @ own.T
    if lean is not None:
        rotation = lean @ rotation
    rest = Rest(np.array([x, y, 0.0]), rotation, edge, hand, False)
    grid = np.array([[a, b, d] for a in (-1, 0, 1) for b in (-1, 0, 1) for d in (-1, 0, 1)]) * h @ rotation.T
    gap = grid[:, 2] - surface.height(x + grid[:, 0], y + grid[:, 1])
    rest.centre[2] = -float(gap.min()) - 0.01 * edge
    return rest


Spot = Callable[[], tuple[float, float]]


@dataclass
class Heap:
    """Dice laid one after the other on a surface, none inside another."""

    rng: Rng
    surface: Surface
    inside: bool
    dice: list[Rest]

    def _free(self, die: Rest, but: int = -1) -> bool:
        return not any(overlap(die, other) for i, other in enumerate(self.dice) if i != but)

    def _value(self) -> int:
        return int(self.rng.integers(1, 7))

    def _wobble(self, deg: float) -> Array:
        axis = np.array([*self.rng.normal(size=2), 0.0])
        return turn(axis, np.radians(abs(self.rng.normal(0, deg))))

    def _keep(self, die: Rest, on: list[int]) -> Rest:
        die.inside, die.resting_on = self.inside, on
        self.dice.append(die)
        return die

    def alone(self, spot: Spot, edge: float, hand: int, wobble: float = 0.0) -> Rest | None:
        """Lay a die at a free spot; None if none was found."""
        for _ in range(30):
            x, y = spot()
            lean = self._wobble(wobble) if wobble else None
            die = lay(self.surface, x, y, self.rng.uniform(0, 2 * np.pi), self._value(), edge, hand, lean)
            if self._free(die):
                return self._keep(die, [])
        return None

    def beside(self, edge: float, hand: int, reach: float, lean_deg: float = 0.0) -> Rest | None:
        """Push a die against one that lies there already, no farther out than `reach`; leaning on it if asked."""
        if not self.dice:
            return None
        for _ in range(8):
            k = int(self.rng.integers(len(self.dice)))
            other = self.dice[k]
            way, value = self.rng.uniform(0, 2 * np.pi), self._value()
            yaw = self.rng.uniform(0, 2 * np.pi)
            if self.rng.random() < 0.4:  # face against face
                yaw = way + self.rng.normal(0, 0.05)
            to = np.array([np.cos(way), np.sin(way), 0.0])
            lean = turn(np.cross(np.array([0.0, 0.0, 1.0]), to), -np.radians(lean_deg)) if lean_deg else None
            near, far, best = 0.9, 2.0, None
            for _ in range(7):
                mid = (near + far) / 2
                x, y = other.centre[:2] + to[:2] * mid * (edge + other.edge) / 2
                die = lay(self.surface, float(x), float(y), yaw, value, edge, hand, lean)
                if overlap(die, other):
                    near = mid
                else:
                    far, best = mid, die
            if best is not None and np.hypot(*best.centre[:2]) <= reach and self._free(best):
                return self._keep(best, [k] if lean_deg else [])
        return None

    def on_top(self, edge: float, hand: int) -> Rest | None:
        """Stack a die on one that lies there already."""
        for _ in range(6):
            if not self.dice:
                return None
            k = int(self.rng.integers(len(self.dice)))
            other = self.dice[k]
            tilt, top = other.tilts()[0]
            if tilt > 15 or other.resting_on:
                continue
            up = other.rotation @ face_normal(top, other.hand)
            spin = turn(up, self.rng.uniform(0, 2 * np.pi))
            die = lay(Plane(), 0, 0, 0.0, self._value(), edge, hand)
            level = turn(np.cross([0, 0, 1.0], up), np.radians(tilt)) if tilt > 0.1 else np.eye(3)
            die.rotation = spin @ level @ die.rotation
            shift = self.rng.uniform(-0.3, 0.3, 3) * edge
            die.centre = other.centre + up * (edge + other.edge) / 2 + shift - up * (shift @ up)
            if self._free(die, k):
                return self._keep(die, [k])
        return None

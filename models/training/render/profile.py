"""The lathe profile of a bowl: its inside, lip, outside and foot as points (radius, height) in millimetres."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Profile:
    """A bowl's cross-section: `inner` runs from the axis up to the lip, `lip` over it, `outer` down to the foot and the axis."""

    inner: Points
    lip: Points
    outer: Points
    rim_radius: float
    rim_height: float

    @property
    def bottom_height(self) -> float:
        """Height of the inside at the axis."""
        return float(self.inner[0, 1])

    def inner_height(self, radius: float) -> float:
        """Height of the inside at this distance from the axis."""
        return float(np.interp(radius, self.inner[:, 0], self.inner[:, 1]))

    def arc(self) -> Points:
        """Length along the inside from the axis, 0 to 1, for every inner point."""
        steps = np.hypot(*np.diff(self.inner, axis=0).T)
        length = np.concatenate([[0.0], np.cumsum(steps)])
        return np.asarray(length / length[-1])


def draw_profile(rng: np.random.Generator) -> Profile:
    """A new bowl: 75-150 mm radius at the rim, its own depth, well, flare, wall and foot."""
    wall = rng.uniform(2.8, 5.0)
    radius = rng.uniform(75.0, 150.0) - wall / 2
    height = radius * rng.uniform(0.55, 0.80) * (1.0 if radius < 110 else 0.85)
    bottom = rng.uniform(9.0, 15.0)
    depth = height - bottom - wall / 2
    u = np.linspace(0.0, 1.0, 44)
    power, soft, well = rng.uniform(2.2, 4.2), rng.uniform(0.25, 0.7), rng.uniform(0.0, 0.35)
    rise = np.clip((u - well) / (1.0 - well), 0.0, None)
    curve = soft * (0.85 * rise**2 + 0.15 * u**2) + (1.0 - soft) * rise**power + 0.03 * u**2
    curve /= curve[-1]
    flare = rng.uniform(1.5, 7.0) if rng.random() < 0.45 else 0.0
    r = (radius - flare) * u + flare * u**12
    inner = np.stack([r, bottom + depth * curve], axis=1)
    return _close(inner, wall, rng)


def _close(inner: Points, wall: float, rng: np.random.Generator) -> Profile:
    """Adds the round lip, the outside at wall thickness and a foot ring."""
    end = inner[-1]
    angles = np.linspace(np.pi, 0.0, 9)
    lip = np.stack([end[0] + wall / 2 + wall / 2 * np.cos(angles), end[1] + wall / 2 * np.sin(angles)], axis=1)
    tangent = np.gradient(inner, axis=0)
    normal = np.stack([tangent[:, 1], -tangent[:, 0]], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    outside = (inner + wall * normal)[::-1]
    foot_radius = end[0] * rng.uniform(0.36, 0.5)
    # the outside comes down until it meets the foot ring or would touch the table
    outside = outside[(outside[:, 0] > foot_radius + 0.5) & (outside[:, 1] > 1.5) & (outside[:, 1] < lip[-1, 1])]
    base = max(min(float(inner[0, 1]) - wall, float(outside[-1, 1]) - 0.5), 1.0)
    foot = np.array(
        [[foot_radius, 0.6], [foot_radius - 0.6, 0.0], [foot_radius - 3.5, 0.0], [foot_radius - 4.5, base], [0.0, base]]
    )
    rim_radius, rim_height = float(end[0] + wall / 2), float(end[1] + wall / 2)
    return Profile(inner, lip[1:-1], np.concatenate([lip[-1:], outside, foot]), rim_radius, rim_height)

"""The bowl as a shape: a profile turned on a lathe, open at the top, and what of it a camera sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from models.training.cheap.arrays import Array, Rng
from models.training.cheap.camera import Camera

SAMPLES = 2048
REACH = 1.3


@dataclass(frozen=True)
class Bowl:
    """A bowl standing on the table's origin; lengths in mm.

    profile: inside heights at SAMPLES radii from 0 to REACH times the rim's; foot: radius of the foot ring.
    floor: radius up to which the floor is nearly level.
    """

    rim_radius: float
    rim_height: float
    bottom: float
    lip: float
    floor: float
    foot: float
    profile: Array
    slope: Array

    def _index(self, r: Array) -> Array:
        scale = (SAMPLES - 1) / (REACH * self.rim_radius)
        return np.minimum(r * scale, SAMPLES - 1.001).astype(np.int32)

    def height(self, x: Array, y: Array) -> Array:
        """Height of the inside over the table at (x, y)."""
        position = np.minimum(np.hypot(x, y) * (SAMPLES - 1) / (REACH * self.rim_radius), SAMPLES - 1.001)
        i = position.astype(np.int32)
        part = position - i
        return np.asarray(self.profile[i] * (1 - part) + self.profile[i + 1] * part)

    def steep_radius(self, deg: float) -> float:
        """Radius inside which the wall is less steep than `deg`."""
        inner = int(0.97 * SAMPLES / REACH)
        over = np.flatnonzero(self.slope[:inner] > np.tan(np.radians(deg)))
        return float((over[0] if len(over) else inner) * REACH * self.rim_radius / (SAMPLES - 1))

    def seen(self, eye: Array, d: Array) -> tuple[Array, Array]:
        """Points and normals (3, ...) where rays d from the eye meet the inside; rays past the rim stop at its plane."""
        eye32 = eye.astype(np.float32)
        dz = np.minimum(d[2], -0.05)
        near = (np.float32(self.rim_height) - eye32[2]) / dz
        far = (np.float32(self.bottom - 0.5) - eye32[2]) / dz
        for _ in range(12):
            mid = (near + far) * np.float32(0.5)
            x, y = eye32[0] + mid * d[0], eye32[1] + mid * d[1]
            z = eye32[2] + mid * dz
            over = z > self.profile[self._index(np.sqrt(x * x + y * y))]
            near = np.where(over, mid, near)
            far = np.where(over, far, mid)
        p = eye32.reshape(3, *[1] * (d.ndim - 1)) + far * np.stack([d[0], d[1], dz])
        r = np.sqrt(p[0] * p[0] + p[1] * p[1]) + np.float32(1e-6)
        slope = self.slope[self._index(r)]
        inv = 1 / np.sqrt(1 + slope * slope)
        n = np.stack([-p[0] / r * slope * inv, -p[1] / r * slope * inv, inv])
        return np.asarray(p, np.float32), np.asarray(n, np.float32)

    def outer_radius(self, z: float) -> float:
        """Radius of the outside at a height."""
        t = np.clip(z / self.rim_height, 0, 1)
        return float(self.foot + (self.rim_radius - self.foot) * t**0.7)

    def hides(self, eye: Array, p: Array, inside: bool) -> Array:
        """Whether the bowl's wall covers points p (3, n) of a die that lies inside or outside."""
        way = eye[:, None] - p
        s = (self.rim_height - p[2]) / np.maximum(way[2], 1e-3)
        x, y = p[0] + s * way[0], p[1] + s * way[1]
        below = p[2] < self.rim_height
        through = np.hypot(x, y) < self.rim_radius
        if inside:
            return np.asarray(below & ~through)
        hidden = below & through
        for z in np.linspace(0.1, 0.95, 5) * self.rim_height:
            s = (z - p[2]) / np.maximum(way[2], 1e-3)
            hidden |= (s > 0) & (np.hypot(p[0] + s * way[0], p[1] + s * way[1]) < self.outer_radius(float(z)))
        return np.asarray(hidden)

    def ring(self, radius: float, z: float, n: int) -> Array:
        """Points (n, 3) round the axis."""
        a = np.arange(n) * 2 * np.pi / n
        return np.column_stack([radius * np.cos(a), radius * np.sin(a), np.full(n, z)])

    def as_json(self, camera: Camera) -> dict[str, Any]:
        """The bowl as the simulated pictures write it."""
        polygon = camera.project(self.ring(self.rim_radius, self.rim_height, 24))
        return {
            "rim_ellipse": rim_ellipse(camera, self.rim_radius, self.rim_height),
            "rim_polygon": [[round(float(x), 1), round(float(y), 1)] for x, y in polygon],
            "rim_radius_mm": round(self.rim_radius, 2),
            "rim_height_mm": round(self.rim_height, 2),
            "inner_bottom_height_mm": round(self.bottom, 2),
        }


def rim_ellipse(camera: Camera, radius: float, z: float) -> dict[str, float]:
    """The ellipse fitted to the projected rim."""
    a = np.arange(96) * 2 * np.pi / 96
    ring = np.column_stack([radius * np.cos(a), radius * np.sin(a), np.full(96, z)])
    (cx, cy), (first, second), angle = cv2.fitEllipse(camera.project(ring).astype(np.float32))
    major, minor, turned = (first, second, angle) if first >= second else (second, first, angle + 90)
    return {
        "cx": round(cx, 2),
        "cy": round(cy, 2),
        "major": round(major, 2),
        "minor": round(minor, 2),
        "angle_deg": round(turned % 180, 2),
    }


def shape(
    rim_radius: float, rim_height: float, bottom: float, lip: float, floor: float, power: float, sag: float, foot: float
) -> Bowl:
    """A bowl from its main lengths: `power` bends the wall, `sag` (mm) hollows the floor."""
    r = np.linspace(0, REACH * rim_radius, SAMPLES)
    inner = rim_radius - lip
    s = np.clip((r - floor) / (inner - floor), 0, 1)
    curve = 0.82 * s**power + 0.18 * s**1.3
    hollow = sag * np.minimum(r / floor, 1) ** 2
    z = bottom + hollow + (rim_height - 0.25 * lip - bottom - sag) * curve
    on_lip = r > inner
    t = np.clip((r - inner) / lip, 0, 1)
    arch = rim_height - 0.25 * lip + lip * 0.5 * np.sin(np.pi * np.clip(t * 1.05, 0, 1)) * 0.5
    z = np.where(on_lip, np.minimum(arch, rim_height), z)
    z = np.where(r > rim_radius, rim_height, z)
    z = np.convolve(np.pad(z, 6, mode="edge"), np.ones(13) / 13, mode="valid")
    slope = np.gradient(z, r)
    slope[r > rim_radius] = slope[r <= rim_radius][-8]
    return Bowl(rim_radius, rim_height, bottom, lip, floor, foot, z.astype(np.float32), slope.astype(np.float32))


def from_profile(points: Array, rim_radius: float, rim_height: float) -> Bowl:
    """A bowl whose inside is known: pairs (n, 2) of radius and height from the axis to the rim."""
    order = points[np.argsort(points[:, 0])]
    r = np.linspace(0, REACH * rim_radius, SAMPLES)
    z = np.where(r > rim_radius, rim_height, np.minimum(np.interp(r, order[:, 0], order[:, 1]), rim_height))
    slope = np.gradient(np.convolve(np.pad(z, 6, mode="edge"), np.ones(13) / 13, mode="valid"), r)
    level = np.flatnonzero((slope > np.tan(np.radians(12))) & (r > 0.1 * rim_radius))
    floor = float(r[level[0]]) if len(level) else 0.5 * rim_radius
    profile = (z.astype(np.float32), slope.astype(np.float32))
    return Bowl(rim_radius, rim_height, float(z[0]), 0.035 * rim_radius, floor, 0.45 * rim_radius, *profile)


def draw_bowl(rng: Rng) -> Bowl:
    """A random bowl or dish."""
    radius = float(np.exp(rng.uniform(np.log(65), np.log(145))))
    depth = radius * rng.uniform(0.28, 0.75)
    bottom = rng.uniform(6, 16)
    lip = rng.uniform(1.8, 5.5)
    floor = radius * rng.uniform(0.30, 0.62)
    return shape(
        radius,
        bottom + depth,
        bottom,
        lip,
        floor,
        rng.uniform(1.35, 2.6),
        rng.uniform(0.3, 5.0),
        radius * rng.uniform(0.35, 0.6),
    )

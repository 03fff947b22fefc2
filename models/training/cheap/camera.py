"""The camera over the table: OpenCV's model with two radial distortion terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from models.training.cheap.arrays import Array, Rng, unit


@dataclass(frozen=True)
class Camera:
    """A camera: x_cam = R * x_world + t (mm), focal length and centre in pixels, distortion k1 and k2."""

    width: int
    height: int
    f: float
    cx: float
    cy: float
    k1: float
    k2: float
    rotation: Array
    t: Array

    @property
    def position(self) -> Array:
        """Where the camera is (3, mm)."""
        return np.asarray(-self.rotation.T @ self.t)

    @property
    def tilt_deg(self) -> float:
        """Angle between the camera's axis and straight down."""
        return float(np.degrees(np.arccos(np.clip(-self.rotation[2, 2], -1, 1))))

    def project(self, points: Array) -> Array:
        """Pixels (n, 2) of world points (n, 3)."""
        cam = points @ self.rotation.T + self.t
        xy = cam[:, :2] / np.maximum(cam[:, 2:3], 1e-3)
        r2 = (xy * xy).sum(axis=1, keepdims=True)
        # far outside the picture the polynomial folds back; hold it where it is still monotonic
        r2 = np.minimum(r2, 1.6)
        xy = xy * (1 + self.k1 * r2 + self.k2 * r2 * r2)
        return np.asarray(xy * self.f + np.array([self.cx, self.cy]))

    def rays(self, u: Array, v: Array) -> Array:
        """Unit directions in the world (3, ...) of the pixels (u, v)."""
        xd = ((u - self.cx) / self.f).astype(np.float32)
        yd = ((v - self.cy) / self.f).astype(np.float32)
        x, y = xd.copy(), yd.copy()
        for _ in range(4):
            r2 = np.minimum(x * x + y * y, 1.6)
            scale = np.asarray(1 / (1 + r2 * (self.k1 + self.k2 * r2)), np.float32)
            x, y = xd * scale, yd * scale
        m = self.rotation.astype(np.float32)
        world = np.stack([m[0, i] * x + m[1, i] * y + m[2, i] for i in range(3)])
        return unit(world)

    def grid(self, x0: float, y0: float, cols: int, rows: int, step: float) -> Array:
        """Directions (3, rows, cols) of cells of `step` pixels whose first corner is the pixel corner (x0, y0)."""
        u = x0 + (np.arange(cols, dtype=np.float32) + 0.5) * step - 0.5
        v = y0 + (np.arange(rows, dtype=np.float32) + 0.5) * step - 0.5
        uu, vv = np.meshgrid(u, v)
        return self.rays(uu, vv)

    def as_json(self) -> dict[str, Any]:
        """The camera as the simulated pictures write it."""
        return {
            "K": [
                [round(self.f, 3), 0.0, round(self.cx, 3)],
                [0.0, round(self.f, 3), round(self.cy, 3)],
                [0.0, 0.0, 1.0],
            ],
            "dist": [round(self.k1, 5), round(self.k2, 5), 0.0, 0.0, 0.0],
            "R": [[round(float(v), 6) for v in row] for row in self.rotation],
            "t_mm": [round(float(v), 3) for v in self.t],
            "hfov_deg": round(float(2 * np.degrees(np.arctan(self.width / 2 / self.f))), 2),
            "tilt_deg": round(self.tilt_deg, 2),
        }


def camera_from_json(data: dict[str, Any], width: int, height: int) -> Camera:
    """The camera of a simulated set-up."""
    k = data["K"]
    return Camera(
        width,
        height,
        float(k[0][0]),
        float(k[0][2]),
        float(k[1][2]),
        float(data["dist"][0]),
        float(data["dist"][1]),
        np.array(data["R"], np.float64),
        np.array(data["t_mm"], np.float64),
    )


def aim(
    rng: Rng,
    size: tuple[int, int],
    hfov_deg: float,
    tilt_deg: float,
    distance: float,
    pixel: tuple[float, float],
    target: Array,
) -> Camera:
    """A camera that sees the world point `target` from `distance` mm, tilted from straight down, near the given pixel."""
    width, height = size
    f = width / 2 / np.tan(np.radians(hfov_deg) / 2)
    azimuth, tilt = rng.uniform(0, 2 * np.pi), np.radians(tilt_deg)
    forward = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), -np.cos(tilt)])
    # people put the camera so that the far side of the bowl is up in the picture, more or less
    roll = rng.normal(0, 0.25) if tilt_deg > 8 else rng.uniform(0, 2 * np.pi)
    ahead = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    down = -(ahead - forward * (ahead @ forward))
    down /= np.linalg.norm(down)
    right = np.cross(down, forward)
    right, down = np.cos(roll) * right + np.sin(roll) * down, -np.sin(roll) * right + np.cos(roll) * down
    rotation = np.stack([right, down, forward])
    k1 = float(rng.choice([rng.normal(0, 0.02), rng.uniform(-0.18, -0.02), rng.uniform(0, 0.06)], p=[0.45, 0.45, 0.1]))
    cx, cy = width / 2 + rng.normal(0, 0.01 * width), height / 2 + rng.normal(0, 0.01 * height)
    ray = np.array([(pixel[0] - cx) / f, (pixel[1] - cy) / f, 1.0]) * distance
    return Camera(width, height, float(f), float(cx), float(cy), k1, abs(k1) * 0.15, rotation, ray - rotation @ target)

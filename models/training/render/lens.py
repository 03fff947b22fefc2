"""The webcam's geometry: where it hangs over the bowl and where a point of the world falls in the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
WIDTH, HEIGHT = 1280, 720


@dataclass(frozen=True, slots=True)
class Lens:
    """An OpenCV camera: x_cam = R x_world + t (millimetres), pinhole with focal length f and centre cx, cy, radial k1, k2."""

    f: float
    cx: float
    cy: float
    k1: float
    k2: float
    rotation: Array
    t: Array
    hfov_deg: float
    tilt_deg: float

    @property
    def matrix(self) -> Array:
        """K, 3 x 3."""
        return np.array([[self.f, 0.0, self.cx], [0.0, self.f, self.cy], [0.0, 0.0, 1.0]])

    @property
    def centre(self) -> Array:
        """Where the camera is, in the world."""
        return np.asarray(-self.rotation.T @ self.t)

    def project(self, points: Array, *, distorted: bool = True) -> Array:
        """Pixels (n, 2) of world points (n, 3); distorted=False gives those of the ideal pinhole."""
        cam = np.atleast_2d(points) @ self.rotation.T + self.t
        xy = cam[:, :2] / np.maximum(cam[:, 2:], 1e-6)
        if distorted:
            r2 = np.minimum((xy**2).sum(axis=1, keepdims=True), 2.0)
            xy = xy * (1.0 + self.k1 * r2 + self.k2 * r2**2)
        return np.asarray(xy * self.f + [self.cx, self.cy])

    def unbend(self, pixels: Array) -> Array:
        """Normalised pinhole coordinates (n, 2) of pixels of the picture."""
        target = (np.atleast_2d(pixels) - [self.cx, self.cy]) / self.f
        xy = target.copy()
        for _ in range(12):
            r2 = (xy**2).sum(axis=1, keepdims=True)
            xy = target / (1.0 + self.k1 * r2 + self.k2 * r2**2)
        return np.asarray(xy)

    def rays(self, pixels: Array) -> Array:
        """World directions (n, 3), unit length, that these pixels look along."""
        xy = self.unbend(pixels)
        cam = np.concatenate([xy, np.ones((len(xy), 1))], axis=1)
        world = cam @ self.rotation
        return np.asarray(world / np.linalg.norm(world, axis=1, keepdims=True))

    def padding(self) -> tuple[int, int]:
        """Pixels to add left and right, top and bottom, so that a pinhole picture covers the distorted one."""
        edge = np.array(
            [[x, y] for x in np.linspace(-1, WIDTH, 30) for y in (-1, HEIGHT)]
            + [[x, y] for x in (-1, WIDTH) for y in np.linspace(-1, HEIGHT, 20)]
        )
        pin = self.unbend(edge) * self.f + [self.cx, self.cy]
        over_x = max(-pin[:, 0].min(), pin[:, 0].max() - WIDTH + 1, 0.0)
        over_y = max(-pin[:, 1].min(), pin[:, 1].max() - HEIGHT + 1, 0.0)
        return int(np.ceil(over_x)) + 1, int(np.ceil(over_y)) + 1

    def bend_map(self, pad: tuple[int, int]) -> npt.NDArray[np.float32]:
        """For cv2.remap: where in the padded pinhole picture each pixel of the real one comes from (h, w, 2)."""
        grid = np.stack(np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT)), axis=-1).reshape(-1, 2).astype(np.float64)
        pin = self.unbend(grid) * self.f + [self.cx + pad[0], self.cy + pad[1]]
        return pin.reshape(HEIGHT, WIDTH, 2).astype(np.float32)

    def as_json(self) -> dict[str, Any]:
        """The camera as a set-up file states it."""
        return {
            "K": [[round(v, 3) for v in row] for row in self.matrix.tolist()],
            "dist": [round(self.k1, 5), round(self.k2, 5), 0.0, 0.0, 0.0],
            "R": [[round(v, 6) for v in row] for row in self.rotation.tolist()],
            "t_mm": [round(v, 2) for v in self.t.tolist()],
            "hfov_deg": round(self.hfov_deg, 2),
            "tilt_deg": round(self.tilt_deg, 2),
        }


def draw_lens(rng: np.random.Generator, rim_radius: float, rim_height: float) -> Lens:
    """A camera over the bowl: 58-80 degrees wide, tilted up to 24, the rim 380-660 pixels wide and wholly in the picture."""
    circle = np.array([[np.cos(a), np.sin(a), 0.0] for a in np.linspace(0, 2 * np.pi, 72)]) * rim_radius + [0, 0, rim_height]
    while True:
        lens = _hang(rng, rim_radius, rim_height)
        rim = lens.project(circle)
        if rim.min() > 5 and rim[:, 0].max() < WIDTH - 6 and rim[:, 1].max() < HEIGHT - 6:
            return lens


def _hang(rng: np.random.Generator, rim_radius: float, rim_height: float) -> Lens:
    """One draw of a camera, which a tilt or the lens may have pushed the rim out of."""
    hfov = rng.uniform(58.0, 80.0)
    f = WIDTH / 2 / np.tan(np.radians(hfov) / 2)
    tilt = rng.uniform(1.5, 12.0) if rng.random() < 0.68 else rng.uniform(12.0, 24.0)
    major = rng.uniform(380.0, 660.0)
    slack_x, slack_y = min((WIDTH - major) / 2 - 20, 230.0), max((HEIGHT - major) / 2 - 18, 0.0)
    u, v = WIDTH / 2 + rng.uniform(-1, 1) * slack_x, HEIGHT / 2 + rng.uniform(-1, 1) * slack_y
    k1, k2 = (
        (rng.uniform(-0.14, -0.01), rng.uniform(0.0, 0.023))
        if rng.random() < 0.75
        else (rng.uniform(-0.02, 0.03), rng.uniform(0.0, 0.02))
    )
    depth = f * 2 * rim_radius / major
    rotation = _look(np.radians(tilt), rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi))
    cx, cy = WIDTH / 2 + rng.uniform(-13, 13), HEIGHT / 2 + rng.uniform(-6, 6)
    at = np.array([(u - cx) / f * depth, (v - cy) / f * depth, depth])
    t = at - rotation @ np.array([0.0, 0.0, rim_height])
    return Lens(float(f), float(cx), float(cy), float(k1), float(k2), rotation, t, float(hfov), float(tilt))


def _look(tilt: float, azimuth: float, roll: float) -> Array:
    """Rows x, y, z of a camera whose axis leaves straight down by `tilt` towards `azimuth`."""
    forward = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), -np.cos(tilt)])
    x = np.array([np.cos(roll), np.sin(roll), 0.0])
    x -= forward * (x @ forward)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(forward, x), forward])


def rim_truth(lens: Lens, rim_radius: float, rim_height: float, bottom_height: float) -> dict[str, Any]:
    """The projected rim: ellipse and 24 exact points, as a set-up file states it."""
    angles = np.arange(96) * 2 * np.pi / 96
    circle = np.stack([rim_radius * np.cos(angles), rim_radius * np.sin(angles), np.full(96, rim_height)], axis=1)
    pixels = lens.project(circle)
    (cx, cy), (a, b), angle = cv2.fitEllipse(pixels.astype(np.float32))
    major, minor, turn = (a, b, angle) if a >= b else (b, a, angle + 90.0)
    return {
        "rim_ellipse": {
            "cx": round(cx, 2),
            "cy": round(cy, 2),
            "major": round(major, 2),
            "minor": round(minor, 2),
            "angle_deg": round(turn % 180.0, 2),
        },
        "rim_polygon": [[round(float(x), 1), round(float(y), 1)] for x, y in pixels[::4]],
        "rim_radius_mm": round(rim_radius, 2),
        "rim_height_mm": round(rim_height, 2),
        "inner_bottom_height_mm": round(bottom_height, 2),
    }

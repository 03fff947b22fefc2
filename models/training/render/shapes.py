"""Simple solids as vertices and faces, in centimetres."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def turned(profile: Any, turns: int = 40) -> tuple[Array, Any]:
    """A lathe-turned solid from points (radius, height)."""
    line = np.asarray(profile, float)
    a = np.arange(turns) * 2 * np.pi / turns
    points = np.stack(
        [np.outer(line[:, 0], np.cos(a)), np.outer(line[:, 0], np.sin(a)), np.repeat(line[:, 1:], turns, axis=1)],
        axis=-1,
    )
    k, j = np.meshgrid(np.arange(len(line) - 1), np.arange(turns), indexing="ij")
    nxt = (j + 1) % turns
    quads = np.stack([k * turns + j, k * turns + nxt, (k + 1) * turns + nxt, (k + 1) * turns + j], axis=-1).reshape(
        -1, 4
    )
    return points.reshape(-1, 3), quads


def block(half: tuple[float, float, float], rounding: float, grid: int = 9) -> tuple[Array, Any, Array]:
    """A block with rounded edges: vertices, quads and, per corner of each quad, UVs over x and y."""
    size = np.asarray(half, float)
    inner = np.maximum(size - rounding, 1e-3)
    # half of the points go to the rounded borders
    ends = np.linspace(0, 1, grid)
    points: list[Array] = []
    quads: list[Any] = []
    index = np.arange(4 * grid * grid).reshape(2 * grid, 2 * grid)
    cells = np.stack([index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]], axis=-1).reshape(-1, 4)
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            lines = [
                np.concatenate([-size[k] + (size[k] - inner[k]) * ends, inner[k] + (size[k] - inner[k]) * ends])
                for k in (u, v)
            ]
            b, a = np.meshgrid(lines[1], lines[0], indexing="ij")
            cube = np.zeros((b.size, 3))
            cube[:, u], cube[:, v], cube[:, axis] = a.reshape(-1), b.reshape(-1), sign * size[axis]
            core = np.clip(cube, -inner, inner)
            out = cube - core
            quads.append((cells if sign > 0 else cells[:, ::-1]) + len(points) * len(cube))
            points.append(core + rounding * out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9))
    every = np.concatenate(points)
    faces = np.concatenate(quads)
    uv = (every[:, :2] / size[:2] + 1) / 2
    unique, back = np.unique(np.round(every, 5), axis=0, return_inverse=True)
    return unique, back.reshape(-1)[faces], uv[faces].reshape(-1, 2)


def ball(radii: tuple[float, float, float], turns: int = 20) -> tuple[Array, Any]:
    """An ellipsoid."""
    t = np.linspace(-np.pi / 2, np.pi / 2, turns // 2 + 1)
    points, quads = turned(np.stack([np.cos(t), np.sin(t)], axis=1), turns)
    return points * radii, quads


def rod(a: Any, b: Any, ra: float, rb: float, turns: int = 14) -> tuple[Array, Any]:
    """A round rod from a to b with its radii and round ends."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    long = float(np.linalg.norm(b - a))
    t = np.linspace(0, np.pi / 2, 5)
    low = np.stack([ra * np.sin(t), -ra * np.cos(t)], axis=1)
    high = np.stack([rb * np.cos(t), long + rb * np.sin(t)], axis=1)
    points, quads = turned(np.concatenate([low, high]), turns)
    z = (b - a) / max(long, 1e-9)
    x = np.cross(z, [0.31, 0.27, 0.91])
    x /= np.linalg.norm(x)
    return points @ np.stack([x, np.cross(z, x), z]) + a, quads

"""Small array helpers that every part of the cheap picture maker shares."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Rng = np.random.Generator


def colour(text: str) -> Array:
    """Linear BGR light (3, float32, 0 to 1) of a colour written as six hex digits RRGGBB."""
    rgb = np.array([int(text[i : i + 2], 16) for i in (4, 2, 0)], np.float32) / 255
    return to_linear(rgb)


def to_linear(srgb: Array) -> Array:
    """Linear light of display values 0 to 1."""
    return np.asarray(np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4), np.float32)


def to_display(linear: Array) -> Array:
    """Display values 0 to 1 of linear light."""
    x = np.clip(linear, 0, 1)
    return np.asarray(np.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055), np.float32)


def linear_table() -> Array:
    """256 linear values (float32) for a look-up of 8 bit display values."""
    return to_linear(np.arange(256, dtype=np.float32) / 255)


def dot(a: Array, b: Array) -> Array:
    """Products (...) of vectors along the first axis (3, ...)."""
    return np.asarray(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def unit(v: Array) -> Array:
    """Vectors along the first axis, brought to length one."""
    return np.asarray(v / np.sqrt(dot(v, v) + np.float32(1e-18)), np.float32)


def smoothstep(lo: Any, hi: Any, x: Array) -> Array:
    """Zero below lo, one above hi, smooth between; lo may be larger than hi to turn it round."""
    t = np.clip((x - lo) / (hi - lo), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def clouds(rng: Rng, height: int, width: int, cell: float, octaves: int = 3, gain: float = 0.5) -> Array:
    """Soft random field (height, width) of values 0 to 1 whose largest lumps are `cell` pixels wide."""
    total = np.zeros((height, width), np.float32)
    weight = 1.0
    for _ in range(octaves):
        rows, cols = max(2, round(height / cell) + 2), max(2, round(width / cell) + 2)
        seed = rng.random((rows, cols), dtype=np.float32)
        total += weight * cv2.resize(seed, (width, height), interpolation=cv2.INTER_CUBIC)
        weight *= gain
        cell = max(cell / 2, 1.0)
    low, high = float(total.min()), float(total.max())
    return np.asarray((total - low) / max(high - low, 1e-6), np.float32)


def turn(axis: Array, angle: float) -> Array:
    """Rotation matrix (3, 3) about an axis by an angle in radians."""
    matrix, _ = cv2.Rodrigues(np.asarray(axis, np.float64) / np.linalg.norm(axis) * angle)
    return np.asarray(matrix, np.float64)


def pick(rng: Rng, weights: dict[str, float]) -> str:
    """A key drawn with the given weights."""
    keys = list(weights)
    p = np.array(list(weights.values()), np.float64)
    return keys[int(rng.choice(len(keys), p=p / p.sum()))]

"""Where in the picture could a bowl be? A coarse search over ellipses.

At every place of a small copy of the picture the direction across the strongest colour edge is written as a doubled
angle (so that dark-to-light and light-to-dark count alike). An ellipse whose edge directions agree with its own normals
all round scores 1, random texture about 0. The score for every centre at once is a correlation, done by FFT.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from vision.ellipse import Floats, canonical, resized
from vision.reading import Frame, Rim

WIDTH = 144
"""Longer side of the small copy, in pixels."""
SMALLEST, LARGEST, STEP = 0.14, 0.66, 1.08
"""Mean radius over the shorter side of the picture, and the ratio between two radii tried."""
SHAPES = ((1.0, 1), (0.87, 4), (0.75, 4))
"""Minor over major axis (a camera tilted by 0, 30 and 40 degrees), and how many directions of the major axis."""
COLOUR_WEIGHT = np.array([1.0, 1.5, 1.5], np.float32)
"""Weights of L, a and b in an edge."""

POINTS = 96
"""At how many points of its turn an ellipse is tried when a place is improved."""

Field = npt.NDArray[np.complex64]


def candidates(frame: Frame, count: int = 3) -> list[tuple[float, Rim]]:
    """The best `count` places for a rim, each with its score (at most 1), best first, unlike one another."""
    height, width = frame.shape[:2]
    zoom = WIDTH / max(height, width)
    small = cv2.resize(frame, (max(8, round(width * zoom)), max(8, round(height * zoom))), interpolation=cv2.INTER_AREA)
    field = edge_field(np.asarray(small, np.uint8))
    rows, columns = field.shape
    padded = np.zeros((_good_size(rows * 1.6), _good_size(columns * 1.6)), np.complex64)
    padded[:rows, :columns] = field
    spectrum = np.fft.fft2(padded)
    found: list[tuple[float, Rim]] = []
    for shape in _shapes(min(rows, columns)):
        score = np.fft.ifft2(spectrum * np.conj(np.fft.fft2(_ring(padded.shape, shape)))).real[:rows, :columns]
        y, x = divmod(int(np.argmax(score)), columns)
        found.append((float(score[y, x]), Rim(x, y, shape.major, shape.minor, shape.angle_deg)))
    found.sort(key=lambda item: -item[0])
    chosen: list[tuple[float, Rim]] = []
    for score_, rim in found:
        if len(chosen) < count and all(_unlike(rim, other) for _, other in chosen):
            chosen.append((score_, rim))
    climbed = sorted((_climbed(field, rim) for _, rim in chosen), key=lambda item: -item[0])
    return [(s, resized(rim, width / columns, height / rows)) for s, rim in climbed]


def edge_field(small: Frame) -> Field:
    """Edge direction as a doubled angle, its length 0-1 the strength relative to the neighbourhood."""
    lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 1.0)
    gx = cv2.Sobel(lab, cv2.CV_32F, 1, 0, scale=1 / 8)
    gy = cv2.Sobel(lab, cv2.CV_32F, 0, 1, scale=1 / 8)
    real = ((gx * gx - gy * gy) * COLOUR_WEIGHT).sum(axis=2)
    imaginary = (2 * gx * gy * COLOUR_WEIGHT).sum(axis=2)
    squared = np.hypot(real, imaginary) + 1e-9
    strength = np.sqrt(squared)
    relative = np.minimum(1.0, 2 * strength / (strength + cv2.blur(strength, (15, 15)) + 1.0))
    return np.asarray((real + 1j * imaginary) / squared * relative, np.complex64)


def _climbed(field: Field, rim: Rim) -> tuple[float, Rim]:
    """The best ellipse near this one and its score, by trying all neighbours in centre, size and shape, ever closer."""
    soft = cv2.GaussianBlur(field.real, (0, 0), 0.8) + 1j * cv2.GaussianBlur(field.imag, (0, 0), 0.8)
    t = np.arange(POINTS) * (2 * math.pi / POINTS)
    circle = np.stack([np.cos(t), np.sin(t)])
    turn, a, b = math.radians(rim.angle_deg), rim.major / 2, rim.minor / 2
    radius = math.sqrt(a * b)
    # the ellipse as a circle of that radius, stretched by a symmetric matrix
    turned = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    stretch = turned @ np.diag([a / radius, b / radius]) @ turned.T
    best = np.array([rim.cx / radius, rim.cy / radius, stretch[0, 0], stretch[1, 1], stretch[0, 1]])
    steps = np.array(np.meshgrid(*[[-1, 0, 1]] * 5)).reshape(5, -1).T
    score = -1.0
    for step in (0.06, 0.04, 0.025, 0.015, 0.01):
        tried = best + step * steps
        scores = _alignment(soft, tried, circle, radius)
        k = int(scores.argmax())
        best, score = tried[k], float(scores[k])
    values, axes = np.linalg.eigh([[best[2], best[4]], [best[4], best[3]]])
    angle = math.degrees(math.atan2(axes[1, 1], axes[0, 1]))
    first, second = (2 * radius * max(0.05, float(v)) for v in (values[1], values[0]))
    return score, canonical(float(best[0]) * radius, float(best[1]) * radius, first, second, angle)


def _alignment(field: npt.NDArray[np.complexfloating], tried: Floats, circle: Floats, radius: float) -> Floats:
    """For each tried ellipse how well the edge directions under it agree with its normals, 1 at best."""
    matrices = np.stack([tried[:, [2, 4]], tried[:, [4, 3]]], axis=1)
    at = (tried[:, :2, None] + matrices @ circle) * radius
    normals = np.linalg.inv(matrices) @ circle
    doubled = (normals[:, 0] + 1j * normals[:, 1]) ** 2
    rows, columns = field.shape
    x, y = np.rint(at[:, 0]).astype(int), np.rint(at[:, 1]).astype(int)
    seen = (x >= 0) & (y >= 0) & (x < columns) & (y < rows)
    there = np.where(seen, field[np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)], 0)
    return np.asarray((there * np.conj(doubled / np.abs(doubled))).real.mean(axis=1), np.float64)


def _shapes(side: int) -> Iterator[Rim]:
    radius = SMALLEST * side
    while radius < LARGEST * side:
        for ratio, directions in SHAPES:
            root = math.sqrt(ratio)
            for k in range(directions):
                yield canonical(0, 0, 2 * radius / root, 2 * radius * root, 180 * k / directions)
        radius *= STEP


def _ring(shape: tuple[int, ...], rim: Rim) -> Field:
    """The ideal edge field of one ellipse about (0, 0), wrapped round, of sum 1 in length."""
    rows, columns = shape
    y = np.fft.fftfreq(rows, 1 / rows)[:, None].astype(np.float32)
    x = np.fft.fftfreq(columns, 1 / columns)[None, :].astype(np.float32)
    turn, a, b = math.radians(rim.angle_deg), rim.major / 2, rim.minor / 2
    along, across = (math.cos(turn) * x + math.sin(turn) * y) / a, (math.cos(turn) * y - math.sin(turn) * x) / b
    radius = np.hypot(along, across) + 1e-6
    nx = math.cos(turn) * along / a - math.sin(turn) * across / b
    ny = math.sin(turn) * along / a + math.cos(turn) * across / b
    steep = np.hypot(nx, ny) + 1e-9
    off = (radius - 1) * radius / steep
    weight = np.exp(-off * off / 2)
    weight /= weight.sum()
    return (weight * ((nx + 1j * ny) / steep) ** 2).astype(np.complex64)


def _unlike(one: Rim, other: Rim) -> bool:
    size = (other.major + other.minor) / 4
    apart = math.hypot(one.cx - other.cx, one.cy - other.cy)
    ratio = (one.major + one.minor) / 4 / size
    return apart > 0.25 * size or not 0.75 < ratio < 1.33


def _good_size(value: float) -> int:
    return int(cv2.getOptimalDFTSize(math.ceil(value)))

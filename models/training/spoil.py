"""The faults of cameras and lamps, quick enough to be put on every crop anew."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def recolour(rng: np.random.Generator, picture: Array) -> Array:
    """Other colours: grey, negative, swapped or turned hues; what dice are made of must not matter."""
    pick = rng.random()
    if pick < 0.10:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        return cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    if pick < 0.20:
        return 255 - picture
    if pick < 0.28:
        return np.ascontiguousarray(picture[:, :, rng.permutation(3)])
    if pick < 0.42:
        hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
        hsv[:, :, 0] = (hsv[:, :, 0].astype(np.int16) + int(rng.integers(180))) % 180
        scale = rng.uniform(0.3, 1.6)
        hsv[:, :, 1] = np.clip(hsv[:, :, 1].astype(np.float32) * scale, 0, 255).astype(np.uint8)
        return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    return picture


def light(rng: np.random.Generator, picture: Array) -> Array:
    """Exposure, contrast, gamma and white balance, with a slope of light across the picture at times."""
    base = np.linspace(0, 1, 256, dtype=np.float32)
    gain = np.exp(rng.normal(0, 0.18))
    gamma = np.exp(rng.normal(0, 0.22))
    contrast = np.exp(rng.normal(0, 0.15))
    tables = []
    for _ in range(3):
        curve = np.clip(base * gain * np.exp(rng.normal(0, 0.06)), 0, 1.2) ** gamma
        tables.append((curve - 0.5) * contrast + 0.5 + rng.normal(0, 0.01))
    table = np.clip(np.stack(tables, 1)[None] * 255, 0, 255).astype(np.uint8)
    lit: Array = cv2.LUT(picture, table)
    if rng.random() < 0.25:
        h, w = lit.shape[:2]
        dx, dy = rng.normal(0, 0.25, 2)
        slope = 1 + dx * np.linspace(-1, 1, w, dtype=np.float32)[None] + dy * np.linspace(-1, 1, h, dtype=np.float32)[:, None]
        lit = np.clip(lit * slope[:, :, None], 0, 255).astype(np.uint8)
    return lit


def glare(rng: np.random.Generator, picture: Array) -> Array:
    """A soft bright spot as of a lamp in a glossy face."""
    h, w = picture.shape[:2]
    spot = np.zeros((h, w), np.float32)
    centre = (int(rng.integers(w)), int(rng.integers(h)))
    axes = (int(rng.uniform(0.02, 0.2) * w) + 1, int(rng.uniform(0.02, 0.12) * w) + 1)
    cv2.ellipse(spot, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    spot = cv2.GaussianBlur(spot, (0, 0), float(rng.uniform(0.3, 3.0)))
    tint = np.array([255, 255, 255], np.float32) * rng.uniform(0.8, 1.0)
    mixed = picture + spot[:, :, None] * rng.uniform(0.3, 1.0) * (tint - picture)
    return np.clip(mixed, 0, 255).astype(np.uint8)


def veil(rng: np.random.Generator, picture: Array) -> Array:
    """The image of a large lamp or a white wall in a glossy face: all of it, or what lies on one side of a soft border, pales."""
    h, w = picture.shape[:2]
    turn, border = rng.uniform(0, 2 * np.pi), rng.uniform(-1.2, 0.5)
    x, y = np.linspace(-1, 1, w, dtype=np.float32)[None], np.linspace(-1, 1, h, dtype=np.float32)[:, None]
    share = np.clip((x * np.cos(turn) + y * np.sin(turn) - border) / rng.uniform(0.1, 0.8), 0, 1) * rng.uniform(0.2, 0.8)
    tint = np.array([255, 255, 255], np.float32) * rng.uniform(0.6, 1.0)
    return np.clip(picture + share[:, :, None] * (tint - picture), 0, 255).astype(np.uint8)


def lens(rng: np.random.Generator, picture: Array, most: float = 1.3) -> Array:
    """Defocus or motion blur, or a sharpening halo."""
    pick = rng.random()
    if pick < 0.40:
        return cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, most)))
    if pick < 0.50:
        length = int(rng.integers(2, max(3, int(most * 3))))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        turn = rng.uniform(0, np.pi)
        end = (length * np.cos(turn) / 2, length * np.sin(turn) / 2)
        middle = np.array([length, length])
        cv2.line(
            kernel, tuple((middle - end).round().astype(int).tolist()), tuple((middle + end).round().astype(int).tolist()), 1.0, 1, cv2.LINE_AA
        )
        return cv2.filter2D(picture, -1, kernel / max(kernel.sum(), 1e-6))
    if pick < 0.68:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        return cv2.addWeighted(picture, 1 + (a := float(rng.uniform(0.2, 1.2))), soft, -a, 0)
    return picture


def sensor(rng: np.random.Generator, picture: Array) -> Array:
    """Noise, then JPEG blocks."""
    spoilt = picture
    if rng.random() < 0.6:
        sigma = float(rng.exponential(4.0))
        noise = rng.standard_normal(picture.shape[:2], np.float32)[:, :, None] * sigma
        if rng.random() < 0.5:
            noise = noise + rng.standard_normal(picture.shape, np.float32) * sigma * 0.6
        spoilt = np.clip(spoilt + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        _, coded = cv2.imencode(".jpg", spoilt, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 92))])
        spoilt = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return spoilt


def spoil(rng: np.random.Generator, picture: Array, blur: float = 1.3) -> Array:
    """All faults in the order in which they come about."""
    picture = recolour(rng, picture)
    if rng.random() < 0.85:
        picture = light(rng, picture)
    if rng.random() < 0.12:
        picture = glare(rng, picture)
    picture = lens(rng, picture, blur)
    return np.ascontiguousarray(sensor(rng, picture))


def spoil_edges(rng: np.random.Generator, picture: Array) -> Array:
    """Faults for who looks at a die's edges: the image of a lamp on a side, and all others on half of the pictures, as most cameras show edges better than the worst one does."""
    if rng.random() < 0.1:
        picture = veil(rng, picture)
    return spoil(rng, picture, 1.0) if rng.random() < 0.55 else np.ascontiguousarray(sensor(rng, light(rng, picture)))

"""Things that lie about on the table and are no dice, painted flat into its texture."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.cheap.arrays import Array, Rng
from models.training.cheap.tables import any_colour, bgr


def _shadow(out: Array, polygon: Array, rng: Rng) -> None:
    x0, y0 = np.maximum(polygon.min(axis=0) - 16, 0).astype(int)
    x1, y1 = (polygon.max(axis=0) + 16).astype(int)
    part = out[y0:y1, x0:x1]
    if part.size == 0:
        return
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(mask, [(polygon - [x0, y0] + rng.uniform(-5, 5, 2)).astype(np.int32)], 130)
    dark = cv2.GaussianBlur(mask, (0, 0), 4)
    part[:] = (part * (1 - dark[..., None].astype(np.float32) / 255)).astype(np.uint8)


def _rect(rng: Rng, x: float, y: float, w: float, h: float) -> Array:
    return np.asarray(cv2.boxPoints(((x, y), (w, h), float(rng.uniform(0, 180)))))


def _card(rng: Rng, out: Array, x: float, y: float, s: float) -> None:
    box = _rect(rng, x, y, 58 * s, 89 * s)
    _shadow(out, box, rng)
    cv2.fillPoly(out, [box.astype(np.int32)], (240, 242, 242), cv2.LINE_AA)
    ink = bgr("c01020" if rng.random() < 0.5 else "101010").tolist()
    u, v = box[1] - box[0], box[3] - box[0]
    if rng.random() < 0.35:
        inner = box.mean(axis=0) + (box - box.mean(axis=0)) * 0.88
        cv2.fillPoly(out, [inner.astype(np.int32)], any_colour(rng, 0.2).tolist(), cv2.LINE_AA)
        return
    for i in range(int(rng.integers(1, 11))):
        p = box[0] + u * (0.3 if i % 2 else 0.7) + v * (0.12 + 0.15 * (i // 2))
        cv2.circle(out, (int(p[0]), int(p[1])), max(2, int(4.5 * s)), ink, -1, cv2.LINE_AA)


def _round(rng: Rng, out: Array, x: float, y: float, s: float) -> None:
    r = float(rng.choice([11, 30, 45])) * s
    a = np.arange(24) * 2 * np.pi / 24
    _shadow(out, np.column_stack([x + r * np.cos(a), y + r * np.sin(a)]), rng)
    base = bgr(("b87428", "c8c8c8", "d8b050", "8a3a20", "f0f0ec")[int(rng.integers(5))])
    centre = (int(x), int(y))
    cv2.circle(out, centre, int(r), (base * 0.6).tolist(), -1, cv2.LINE_AA)
    cv2.circle(out, centre, int(r * 0.93), base.tolist(), -1, cv2.LINE_AA)
    cv2.circle(out, centre, int(r * 0.6), (base * 0.8).tolist(), max(1, int(s)), cv2.LINE_AA)


def _stick(rng: Rng, out: Array, x: float, y: float, s: float) -> None:
    tint = any_colour(rng, 0.4)
    a = rng.uniform(0, np.pi)
    for k in range(int(rng.integers(1, 3))):
        ends = np.array([[x, y + 9 * k * s], [x + 230 * s * np.cos(a), y + 9 * k * s + 230 * s * np.sin(a)]])
        wide = max(2, int(6 * s))
        (ax, ay), (bx, by) = ends.astype(int).tolist()
        cv2.line(out, (ax + 3, ay + 3), (bx + 3, by + 3), (20, 20, 20), wide, cv2.LINE_AA)
        cv2.line(out, (ax, ay), (bx, by), tint.tolist(), wide, cv2.LINE_AA)


def _slab(rng: Rng, out: Array, x: float, y: float, s: float) -> None:
    """A phone, a book, a box lid, a sheet of paper."""
    box = _rect(rng, x, y, rng.uniform(60, 220) * s, rng.uniform(60, 160) * s)
    _shadow(out, box, rng)
    tint = any_colour(rng, rng.uniform(0.2, 1))
    cv2.fillPoly(out, [box.astype(np.int32)], tint.tolist(), cv2.LINE_AA)
    inner = box.mean(axis=0) + (box - box.mean(axis=0)) * rng.uniform(0.5, 0.95)
    if rng.random() < 0.6:
        cv2.fillPoly(out, [inner.astype(np.int32)], (tint * rng.uniform(0.5, 1.2)).clip(0, 255).tolist(), cv2.LINE_AA)


def _tile(rng: Rng, out: Array, x: float, y: float, s: float) -> None:
    """A domino or mahjong tile: pips and squares that are no die."""
    w, h = rng.uniform(20, 28) * s, rng.uniform(42, 56) * s
    box = _rect(rng, x, y, w, h)
    _shadow(out, box, rng)
    pale = rng.random() < 0.6
    cv2.fillPoly(out, [box.astype(np.int32)], (225, 235, 238) if pale else (25, 25, 28), cv2.LINE_AA)
    u, v = box[1] - box[0], box[3] - box[0]
    ink = any_colour(rng, 0.1).tolist() if pale else (235, 235, 235)
    p, q = box[0] + v * 0.5, box[1] + v * 0.5
    cv2.line(out, (int(p[0]), int(p[1])), (int(q[0]), int(q[1])), ink, 1, cv2.LINE_AA)
    for _ in range(int(rng.integers(2, 8))):
        spot = box[0] + u * rng.choice([0.25, 0.5, 0.75]) + v * rng.choice([0.12, 0.25, 0.38, 0.62, 0.75, 0.88])
        cv2.circle(out, (int(spot[0]), int(spot[1])), max(1, int(2.4 * s)), ink, -1, cv2.LINE_AA)


def _beads(rng: Rng, out: Array, x: float, y: float, s: float) -> None:
    """Nuts, dates, sweets, stones."""
    tint = any_colour(rng, 0.5)
    for _ in range(int(rng.integers(2, 14))):
        cx, cy = x + rng.normal(0, 25) * s, y + rng.normal(0, 25) * s
        axes = (max(2, int(rng.uniform(5, 12) * s)), max(2, int(rng.uniform(4, 9) * s)))
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(out, (int(cx + 2), int(cy + 2)), axes, turn, 0, 360, (15, 15, 15), -1, cv2.LINE_AA)
        cv2.ellipse(out, (int(cx), int(cy)), axes, turn, 0, 360, (tint * rng.uniform(0.6, 1)).tolist(), -1, cv2.LINE_AA)
        cv2.circle(
            out,
            (int(cx - axes[0] * 0.3), int(cy - axes[1] * 0.3)),
            max(1, int(1.2 * s)),
            (255, 255, 255),
            -1,
            cv2.LINE_AA,
        )


def _block(rng: Rng, out: Array, x: float, y: float, s: float) -> None:
    """A small blank cube or eraser seen from above."""
    w = rng.uniform(9, 24) * s
    box = _rect(rng, x, y, w, w * rng.uniform(0.8, 1.6))
    _shadow(out, box, rng)
    cv2.fillPoly(out, [box.astype(np.int32)], any_colour(rng, 0.5).tolist(), cv2.LINE_AA)


def _tray(rng: Rng, out: Array, x: float, y: float, s: float) -> None:
    """A frame with a floor of its own: a tray or the lid of a box."""
    n = int(rng.choice([4, 4, 6, 8]))
    r = rng.uniform(120, 300) * s
    a = np.arange(n) * 2 * np.pi / n + rng.uniform(0, 1)
    ring = np.column_stack([x + r * np.cos(a), y + r * np.sin(a)])
    wall, floor = any_colour(rng, 0.4), any_colour(rng, 0.4)
    cv2.fillPoly(out, [ring.astype(np.int32)], wall.tolist(), cv2.LINE_AA)
    inner = ring.mean(axis=0) + (ring - ring.mean(axis=0)) * rng.uniform(0.75, 0.92)
    cv2.fillPoly(out, [inner.astype(np.int32)], floor.tolist(), cv2.LINE_AA)
    cv2.polylines(out, [inner.astype(np.int32)], True, (wall * 0.6).tolist(), max(1, int(2 * s)), cv2.LINE_AA)


def litter(rng: Rng, texture: Array, mm: float, many: int, trays: float) -> None:
    """Paint up to `many` things on a texture whose pixels are `mm` wide; with chance `trays` a tray under them."""
    size = texture.shape[0]
    s = 1 / mm
    if rng.random() < trays:
        _tray(rng, texture, size / 2 + rng.normal(0, 40), size / 2 + rng.normal(0, 40), s)
    things = (_card, _round, _stick, _slab, _tile, _beads, _block)
    for _ in range(int(rng.integers(0, many + 1))):
        x, y = rng.uniform(0, size, 2)
        things[int(rng.integers(len(things)))](rng, texture, float(x), float(y), s)

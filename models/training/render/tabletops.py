"""Table tops as square pictures that cover 1.2 m: wood, cloth, stone, newspaper, patterned, dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from models.training.render.noise import Field, flat, fractal, grain, mix
from models.training.render.ornaments import MOTIFS

SIZE = 2048
SPAN_MM = 1200.0
Colour = tuple[float, float, float]


def _colour(rng: np.random.Generator, *choices: Colour) -> Colour:
    c = np.clip(np.array(choices[int(rng.integers(len(choices)))]) + rng.normal(0, 0.025, 3), 0.01, 0.95)
    return (float(c[0]), float(c[1]), float(c[2]))


def _tile(small: Field) -> Field:
    """Repeats a small square picture over the table."""
    n = SIZE // small.shape[0] + 1
    return np.tile(small, (n, n, 1))[:SIZE, :SIZE]


def wood(rng: np.random.Generator) -> Field:
    """Planks with grain."""
    base = _colour(
        rng, (0.52, 0.36, 0.22), (0.66, 0.50, 0.34), (0.34, 0.20, 0.12), (0.75, 0.62, 0.45), (0.42, 0.18, 0.11)
    )
    out = flat(SIZE, base)
    rings = np.sin(40 * fractal(rng, SIZE, 3, 2, stretch=4) + 6 * fractal(rng, SIZE, 12, 3, stretch=10))
    fibre = fractal(rng, SIZE, 256, 2, stretch=40)
    out *= (1 + 0.12 * rings * rng.uniform(0.4, 1.2) + 0.12 * fibre)[..., None]
    if rng.random() < 0.6:
        width = int(rng.integers(110, 340))
        for k, y in enumerate(range(0, SIZE, width)):
            out[y : y + width] = np.roll(out[y : y + width], 397 * k, axis=1) * rng.uniform(0.85, 1.12)
            out[y : y + 2] *= 0.45
    return out


def stone(rng: np.random.Generator) -> Field:
    """Granite speckle or marble veins."""
    light, dark = (
        _colour(rng, (0.62, 0.63, 0.60), (0.35, 0.35, 0.36), (0.75, 0.72, 0.68)),
        _colour(rng, (0.28, 0.28, 0.27), (0.10, 0.10, 0.11), (0.45, 0.40, 0.36)),
    )
    out = flat(SIZE, light)
    if rng.random() < 0.6:
        for cells, level in ((110, 0.25), (220, 0.4)):
            out = mix(
                out, _colour(rng, dark, (0.8, 0.8, 0.78)), np.clip((fractal(rng, SIZE, cells, 2) - level) * 6, 0, 1)
            )
    veins = np.clip(1 - np.abs(fractal(rng, SIZE, 4, 6)) * 14, 0, 1)
    out = mix(out, dark, veins * rng.uniform(0.2, 0.7))
    return out * (1 + 0.05 * grain(rng, SIZE) + 0.12 * fractal(rng, SIZE, 3, 3))[..., None]


def cloth(rng: np.random.Generator) -> Field:
    """A plain woven cloth or felt with folds and wear."""
    base = _colour(
        rng,
        (0.30, 0.31, 0.33),
        (0.62, 0.12, 0.10),
        (0.10, 0.36, 0.20),
        (0.80, 0.76, 0.68),
        (0.18, 0.24, 0.42),
        (0.72, 0.70, 0.71),
        (0.55, 0.08, 0.12),
    )
    weave = grain(rng, SIZE)
    weave = np.asarray(cv2.blur(weave, (5, 1)) + cv2.blur(weave, (1, 5)), np.float32)
    return flat(SIZE, base) * (1 + 0.16 * weave * rng.uniform(0.3, 1.2) + 0.06 * fractal(rng, SIZE, 3, 4))[..., None]


def checks(rng: np.random.Generator) -> Field:
    """Gingham or stripes, woven."""
    n = int(rng.integers(40, 130))
    ink, ground = (
        _colour(rng, (0.66, 0.06, 0.09), (0.10, 0.22, 0.52), (0.10, 0.40, 0.22), (0.25, 0.25, 0.27)),
        _colour(rng, (0.88, 0.86, 0.82), (0.85, 0.80, 0.68)),
    )
    bar = (np.arange(SIZE) // n) % 2
    both = bar[:, None] * 0.5 + (bar[None, :] * 0.5 if rng.random() < 0.75 else bar[:, None] * 0.5)
    out = mix(flat(SIZE, ground), ink, both.astype(np.float32))
    return out * (1 + 0.05 * grain(rng, SIZE) + 0.06 * fractal(rng, SIZE, 60, 2))[..., None]


def patterned(rng: np.random.Generator) -> Field:
    """Oilcloth printed with motifs, also dots that look like pips."""
    n = int(rng.integers(90, 260))
    ground = _colour(
        rng, (0.86, 0.82, 0.74), (0.70, 0.10, 0.10), (0.20, 0.34, 0.48), (0.93, 0.90, 0.88), (0.16, 0.17, 0.2)
    )
    out = flat(n, ground)
    for _ in range(int(rng.integers(1, 4))):
        motif = MOTIFS[str(rng.choice(list(MOTIFS)))](rng)
        mask = np.zeros((n, n), np.uint8)
        cx, cy, size = rng.uniform(0.25, 0.75) * n, rng.uniform(0.25, 0.75) * n, rng.uniform(0.1, 0.24) * n
        for points, kind, width in motif:
            line = np.round((points * size + [cx, cy]) * 16).astype(np.int32).reshape(-1, 1, 2)
            if kind == "fill":
                cv2.fillPoly(mask, [line], 255, cv2.LINE_AA, 4)
            else:
                cv2.polylines(mask, [line], False, 255, max(round(width * size), 1), cv2.LINE_AA, 4)
        ink = _colour(
            rng,
            (0.75, 0.55, 0.15),
            (0.10, 0.20, 0.55),
            (0.80, 0.15, 0.18),
            (0.95, 0.94, 0.9),
            (0.12, 0.38, 0.22),
            (0.08, 0.08, 0.08),
        )
        out = mix(out, ink, np.asarray(mask, np.float32) / 255)
    return _tile(out) * (1 + 0.03 * grain(rng, SIZE))[..., None]


def newspaper(rng: np.random.Generator) -> Field:
    """Columns of small strokes, headlines and grey pictures on aged paper."""
    page = np.full((SIZE, SIZE), 255, np.uint8)
    column = int(rng.integers(150, 260))
    for x0 in range(20, SIZE - column, column + 18):
        y = 20
        while y < SIZE - 60:
            kind = rng.random()
            if kind < 0.08:
                high = int(rng.integers(70, 200))
                grey = np.clip(128 + 70 * fractal(rng, 256, 4, 5), 20, 235).astype(np.uint8)
                page[y : y + high, x0 : x0 + column] = cv2.resize(grey, (column, high))[: SIZE - y]
                y += high + 14
            else:
                tall = int(rng.integers(24, 44)) if kind < 0.16 else int(rng.integers(8, 12))
                lines = 1 if tall > 20 else int(rng.integers(5, 24))
                y = _print(rng, page, x0, y, column, tall, lines) + 8
    out = mix(
        flat(SIZE, _colour(rng, (0.80, 0.77, 0.70), (0.85, 0.84, 0.80))),
        (0.13, 0.13, 0.14),
        1 - np.asarray(page, np.float32) / 255,
    )
    return out * (1 + 0.05 * fractal(rng, SIZE, 5, 4) + 0.02 * grain(rng, SIZE))[..., None]


def _print(rng: np.random.Generator, page: Any, x0: int, y: int, width: int, tall: int, lines: int) -> int:
    """Sets some lines of character-like strokes; gives where the next line may begin."""
    for _ in range(lines):
        if y + tall >= SIZE:
            break
        for x in range(x0, x0 + int(width * rng.uniform(0.5, 1.0)), int(tall * 1.15)):
            for _ in range(4):
                a, b = rng.integers(0, tall, 2), rng.integers(0, tall, 2)
                end = (int(x + b[0]), int(y + a[1])) if rng.random() < 0.5 else (int(x + a[0]), int(y + b[1]))
                cv2.line(page, (int(x + a[0]), int(y + a[1])), end, 30, max(tall // 10, 1), cv2.LINE_AA)
        y += int(tall * 1.35)
    return y


def dark(rng: np.random.Generator) -> Field:
    """A black or very dark smooth top, with dust and smears."""
    base = _colour(rng, (0.06, 0.06, 0.07), (0.12, 0.07, 0.05), (0.05, 0.08, 0.12))
    dust = np.clip(grain(rng, SIZE) - 2.6, 0, 1)
    return mix(flat(SIZE, base), (0.5, 0.5, 0.5), dust * 0.6) * (1 + 0.15 * fractal(rng, SIZE, 4, 4))[..., None]


def mat(rng: np.random.Generator) -> Field:
    """A bamboo or straw mat."""
    base = _colour(rng, (0.70, 0.58, 0.36), (0.55, 0.42, 0.24), (0.42, 0.30, 0.2))
    n = int(rng.integers(9, 22))
    y = np.arange(SIZE)
    round_ = np.sqrt(np.clip(1 - ((y % n) / n * 2 - 1) ** 2, 0.05, 1)).astype(np.float32)
    out = flat(SIZE, base) * round_[:, None, None] * (1 + 0.12 * fractal(rng, SIZE, 200, 2, stretch=30))[..., None]
    step = int(rng.integers(120, 300))
    out[:, (np.arange(SIZE) % step) < 3] *= 0.5
    return out


TABLES: dict[str, tuple[float, Callable[[np.random.Generator], Field]]] = {
    "wood": (0.24, wood), "cloth": (0.2, cloth), "stone": (0.15, stone), "checks": (0.1, checks),
    "pattern": (0.12, patterned), "newspaper": (0.07, newspaper), "dark": (0.07, dark), "mat": (0.05, mat),
}  # fmt: skip


def draw_table(rng: np.random.Generator) -> tuple[str, Field]:
    """A table's name and its picture (SIZE, SIZE, 3, RGB 0 to 1)."""
    names = list(TABLES)
    weights = np.array([TABLES[n][0] for n in names])
    name = str(rng.choice(names, p=weights / weights.sum()))
    return name, np.clip(TABLES[name][1](rng), 0.0, 1.0).astype(np.float32)

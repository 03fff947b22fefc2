"""Painted motifs for bowls, each a list of strokes in a unit box: (points, kind, width); kind is "fill" or "line"."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Stroke = tuple[npt.NDArray[np.float64], str, float]
Motif = list[Stroke]

_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def _oval(cx: float, cy: float, a: float, b: float, turn: float = 0.0, n: int = 28) -> npt.NDArray[np.float64]:
    t = np.linspace(0, 2 * np.pi, n)
    x, y = a * np.cos(t), b * np.sin(t)
    return np.stack([cx + x * np.cos(turn) - y * np.sin(turn), cy + x * np.sin(turn) + y * np.cos(turn)], axis=1)


def dot(_: np.random.Generator) -> Motif:
    """One filled dot, as like a pip as a bowl can have."""
    return [(_oval(0, 0, 0.35, 0.35), "fill", 0.0)]


def ring(rng: np.random.Generator) -> Motif:
    """A small ring, sometimes with a dot inside."""
    strokes: Motif = [(_oval(0, 0, 0.55, 0.8), "line", 0.1)]
    return [*strokes, (_oval(0, 0, 0.18, 0.18), "fill", 0.0)] if rng.random() < 0.4 else strokes


def leaf(_: np.random.Generator) -> Motif:
    """A slanted brush dab."""
    return [(_oval(0, 0, 0.28, 0.8, 0.5), "fill", 0.0)]


def spiral(rng: np.random.Generator) -> Motif:
    """A scroll with a tendril."""
    t = np.linspace(0.3, rng.uniform(9, 14), 60)
    r = 0.85 * t / t[-1]
    tail = np.array([[0.85, 0.0], [1.15, 0.35], [1.1, 0.8]])
    return [(np.stack([r * np.cos(t - t[-1]), r * np.sin(t - t[-1])], axis=1), "line", 0.12), (tail, "line", 0.1)]


def flower(rng: np.random.Generator) -> Motif:
    """A blossom of five to nine petals."""
    n = int(rng.integers(5, 10))
    kind, thick = ("fill", 0.0) if rng.random() < 0.5 else ("line", 0.06)
    petals: Motif = [
        (_oval(0.58 * np.cos(a), 0.58 * np.sin(a), 0.36, 1.15 / n, a), kind, thick)
        for a in np.arange(n) * 2 * np.pi / n
    ]
    return [*petals, (_oval(0, 0, 0.16, 0.16), "line", 0.08)]


def petal(_: np.random.Generator) -> Motif:
    """A lotus panel: nested pointed ovals with a dot."""
    return [
        (_oval(0, 0, 0.62, 1.0), "line", 0.05),
        (_oval(0, 0.1, 0.36, 0.68), "line", 0.05),
        (_oval(0, 0.05, 0.13, 0.13), "fill", 0.0),
    ]


def fish(rng: np.random.Generator) -> Motif:
    """A carp: body, tail, fin and an eye."""
    t = np.linspace(0, 1, 20)
    body = 0.34 * np.sin(np.pi * t**0.7)
    bend = 0.25 * np.sin(np.pi * t) * rng.choice([-1, 1])
    top, low = np.stack([-0.9 + 1.4 * t, body + bend], axis=1), np.stack([-0.9 + 1.4 * t, -body + bend], axis=1)[::-1]
    tail = np.array([[0.45, 0.0], [0.95, 0.38], [0.8, 0.0], [0.95, -0.38]])
    scales: Motif = [(_oval(-0.3 + 0.25 * k, 0.5 * bend[10], 0.1, 0.16), "line", 0.04) for k in range(3)]
    return [
        (np.concatenate([top, low]), "line", 0.07),
        (tail, "fill", 0.0),
        (_oval(-0.65, 0.08, 0.06, 0.06), "fill", 0.0),
        *scales,
    ]


def glyph(rng: np.random.Generator) -> Motif:
    """Strokes in a box that look like a written character."""
    strokes: Motif = []
    for y in rng.permutation(np.linspace(-0.8, 0.8, 5))[: rng.integers(2, 5)]:
        a, b = -rng.uniform(0.4, 0.85), rng.uniform(0.4, 0.85)
        strokes.append((np.array([[a, y + 0.05], [b, y - 0.05]]), "line", 0.13))
    for x in rng.permutation(np.linspace(-0.6, 0.6, 4))[: rng.integers(1, 4)]:
        strokes.append(
            (np.array([[x, -rng.uniform(0.3, 0.9)], [x + rng.uniform(-0.3, 0.3), rng.uniform(0.3, 0.9)]]), "line", 0.13)
        )
    if rng.random() < 0.5:
        strokes.append((_oval(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), 0.09, 0.14, 0.6), "fill", 0.0))
    return strokes


def meander(_: np.random.Generator) -> Motif:
    """One square hook of a key border."""
    path = np.array([[-1, 0.9], [-1, -0.9], [0.75, -0.9], [0.75, 0.5], [-0.4, 0.5], [-0.4, -0.3], [0.2, -0.3]], float)
    return [(path, "line", 0.14), (np.array([[-1, 0.9], [1.1, 0.9]]), "line", 0.14)]


def waves(_: np.random.Generator) -> Motif:
    """Three nested arcs of a sea border."""
    t = np.linspace(0, np.pi, 20)
    return [(np.stack([k * np.cos(t), 1.2 * k * np.sin(t) - 0.6], axis=1), "line", 0.09) for k in (1.0, 0.66, 0.33)]


def pips(rng: np.random.Generator) -> Motif:
    """Dots laid out as on a die, sometimes inside a square: what a reader must not take for one."""
    value = int(rng.integers(1, 7))
    size = 0.24 if value > 1 else 0.34
    strokes: Motif = [(_oval(0.52 * x, 0.52 * y, size, size), "fill", 0.0) for x, y in _PIPS[value]]
    if rng.random() < 0.5:
        s = 0.98
        strokes.append((np.array([[-s, -s], [s, -s], [s, s], [-s, s], [-s, -s]]), "line", 0.07))
    return strokes


def cloud(_: np.random.Generator) -> Motif:
    """A lucky cloud: three curls over a line."""
    curls: Motif = [
        (_oval(x, y, r, r), "line", 0.09) for x, y, r in ((-0.5, 0.0, 0.3), (0.0, 0.25, 0.38), (0.5, 0.0, 0.3))
    ]
    return [*curls, (np.array([[-0.9, -0.3], [0.9, -0.3]]), "line", 0.09)]


MOTIFS: dict[str, Callable[[np.random.Generator], Motif]] = {
    "dots": dot, "rings": ring, "leaves": leaf, "scroll": spiral, "flowers": flower, "lotus": petal, "fish": fish,
    "characters": glyph, "meander": meander, "waves": waves, "pips": pips, "clouds": cloud,
}  # fmt: skip

"""Painting and glaze of a bowl: its colours seen straight from above as a square texture (8 bit BGR)."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.cheap.arrays import Array, Rng, clouds, pick
from models.training.cheap.bowl import Bowl
from models.training.cheap.tables import DRAW, any_colour, bgr

SIZE = 1024
MARGIN = 1.06
GLAZES = {"f4f4f2": 4.0, "eceff2": 2.5, "f2e8d2": 2.5, "e6d4b0": 1.5, "b8cfc4": 1.2, "9ab8b0": 0.8, "7fa0b4": 0.7, "b3202a": 0.7,
          "c8302c": 0.5, "26262a": 0.8, "5a3a26": 0.5, "2c4a7c": 0.5, "8a9a5c": 0.3, "a8a8aa": 0.5}  # fmt: skip
INKS = ("24449a", "1b2f6e", "3a62b8", "a81c22", "b08a30", "2a6a48", "303034", "7a4a24")
SIGNS = "福寿喜财中月圆"


class Painter:
    """A brush on the bowl's texture; radii are shares of the rim's radius."""

    def __init__(self, rng: Rng, bowl: Bowl, out: Array) -> None:
        """Paint on `out` (SIZE, SIZE, 3) of the bowl."""
        self.rng, self.bowl, self.out = rng, bowl, out
        self.scale = SIZE / 2 / (MARGIN * bowl.rim_radius)

    def at(self, share: float, angle: float) -> tuple[int, int]:
        """Texture pixel at a radius and angle, in 1/16 pixels."""
        r = share * self.bowl.rim_radius * self.scale
        return round((SIZE / 2 + r * np.cos(angle)) * 16), round((SIZE / 2 + r * np.sin(angle)) * 16)

    def px(self, share: float) -> float:
        """Length in texture pixels."""
        return share * self.bowl.rim_radius * self.scale

    def ring(self, share: float, wide: float, ink: Array) -> None:
        """A circle round the axis."""
        cv2.circle(
            self.out,
            (SIZE * 8, SIZE * 8),
            round(self.px(share) * 16),
            ink.tolist(),
            max(1, round(self.px(wide))),
            cv2.LINE_AA,
            4,
        )

    def dots(self, share: float, r: float, n: int, ink: Array, start: float = 0.0) -> None:
        """Dots round the axis."""
        for i in range(n):
            cv2.circle(
                self.out,
                self.at(share, start + 2 * np.pi * i / n),
                round(self.px(r) * 16),
                ink.tolist(),
                -1,
                cv2.LINE_AA,
                4,
            )

    def leaf(
        self, share: float, angle: float, long: float, wide: float, ink: Array, fill: bool, turn: float = 0.0
    ) -> None:
        """An ellipse pointing outwards, turned by `turn` degrees."""
        x, y = self.at(share, angle)
        axes = (max(1, round(self.px(long))), max(1, round(self.px(wide))))
        thick = -1 if fill else max(1, round(self.px(0.012)))
        cv2.ellipse(
            self.out, (x // 16, y // 16), axes, np.degrees(angle) + turn, 0, 360, ink.tolist(), thick, cv2.LINE_AA
        )


def _rings(p: Painter, ink: Array) -> None:
    for _ in range(int(p.rng.integers(1, 4))):
        share, wide = p.rng.uniform(0.3, 0.97), p.rng.uniform(0.006, 0.03)
        p.ring(share, wide, ink)
        if p.rng.random() < 0.5:
            p.ring(share - wide * 2.2, wide * 0.5, ink)


def _dots(p: Painter, ink: Array) -> None:
    """Painted dots that look like pips, in rings or strewn."""
    r = p.rng.uniform(0.012, 0.035)
    if p.rng.random() < 0.6:
        for _ in range(int(p.rng.integers(1, 3))):
            p.dots(p.rng.uniform(0.15, 0.92), r, int(p.rng.integers(6, 30)), ink, p.rng.uniform(0, 1))
    else:
        for _ in range(int(p.rng.integers(5, 50))):
            p.dots(0.95 * np.sqrt(p.rng.random()), r, 1, ink, p.rng.uniform(0, 7))


def _petals(p: Painter, ink: Array) -> None:
    n, share = int(p.rng.integers(6, 22)), p.rng.uniform(0.2, 0.85)
    long = p.rng.uniform(0.06, 0.2)
    fill = p.rng.random() < 0.5
    for i in range(n):
        p.leaf(share, 2 * np.pi * i / n, long, long * p.rng.uniform(0.25, 0.5), ink, fill)
    if p.rng.random() < 0.5:
        p.dots(share, 0.015, n, ink)


def _middle(p: Painter, ink: Array) -> None:
    """A flower, fish or leaves in the middle of the floor."""
    for _ in range(int(p.rng.integers(1, 4))):
        share, angle = p.rng.uniform(0, 0.25), p.rng.uniform(0, 2 * np.pi)
        n = int(p.rng.integers(1, 8))
        long = p.rng.uniform(0.05, 0.16)
        for i in range(n):
            p.leaf(
                share + 0.6 * long * (n > 1), angle + 2 * np.pi * i / n, long, long * 0.35, ink, p.rng.random() < 0.8
            )


def _meander(p: Painter, ink: Array) -> None:
    n, share, h = int(p.rng.integers(18, 48)), p.rng.uniform(0.72, 0.92), p.rng.uniform(0.04, 0.09)
    shape = [(0.0, 0.0), (0.0, 1.0), (0.8, 1.0), (0.8, 0.3), (0.4, 0.3), (0.4, 0.65), (0.6, 0.65)]
    for i in range(n):
        a, step = 2 * np.pi * i / n, 2 * np.pi / n
        line = np.array([p.at(share + (v - 0.5) * h, a + u * step) for u, v in shape], np.int32)
        cv2.polylines(p.out, [line], False, ink.tolist(), max(1, round(p.px(0.01))), cv2.LINE_AA, 4)
    p.ring(share + 0.7 * h, 0.008, ink)
    p.ring(share - 0.7 * h, 0.008, ink)


def _scrolls(p: Painter, ink: Array) -> None:
    n, share = int(p.rng.integers(8, 26)), p.rng.uniform(0.7, 0.92)
    r = p.rng.uniform(0.025, 0.06)
    for i in range(n):
        a = 2 * np.pi * i / n
        s = np.linspace(0, 2.2 * 2 * np.pi, 30)
        cx, cy = p.at(share, a)
        k = s / s[-1] * p.px(r) * 16
        line = np.column_stack([cx + k * np.cos(s), cy + k * np.sin(s)]).astype(np.int32)
        cv2.polylines(p.out, [line], False, ink.tolist(), max(1, round(p.px(0.009))), cv2.LINE_AA, 4)
        p.leaf(share + p.rng.normal(0, 0.01), a + np.pi / n, 0.022, 0.01, ink, True, p.rng.uniform(0, 180))


def _signs(p: Painter, ink: Array) -> None:
    """Strokes that look like written characters."""
    spots = [(0.0, 0.0, p.rng.uniform(0.08, 0.2))] if p.rng.random() < 0.5 else []
    n = int(p.rng.integers(3, 9))
    spots += [(p.rng.uniform(0.6, 0.75), 2 * np.pi * i / n, 0.07) for i in range(n)] if p.rng.random() < 0.7 else []
    for share, a, r in spots:
        x, y = p.at(share, a)
        for _ in range(int(p.rng.integers(4, 10))):
            end = p.rng.uniform(-1, 1, (2, 2)) * p.px(r) * 16
            if p.rng.random() < 0.8:
                flat = int(p.rng.integers(2))
                end[1, flat] = end[0, flat] + p.rng.normal(0, 0.1) * p.px(r) * 16
            q = (np.array([x, y]) + end).astype(int)
            cv2.line(p.out, q[0].tolist(), q[1].tolist(), ink.tolist(), max(1, round(p.px(r * 0.14))), cv2.LINE_AA, 4)


def _fan(p: Painter, ink: Array) -> None:
    """Radial lines or lobes."""
    n, lo, hi = int(p.rng.integers(8, 60)), p.rng.uniform(0.3, 0.6), p.rng.uniform(0.7, 0.97)
    for i in range(n):
        a = 2 * np.pi * i / n
        cv2.line(p.out, p.at(lo, a), p.at(hi, a), ink.tolist(), max(1, round(p.px(0.007))), cv2.LINE_AA, 4)


MOTIFS = {"rings": (_rings, 4.0), "dots": (_dots, 2.5), "petals": (_petals, 2.0), "middle": (_middle, 2.0), "meander": (_meander, 1.0),
          "scrolls": (_scrolls, 1.0), "signs": (_signs, 1.2), "fan": (_fan, 0.6)}  # fmt: skip


def paint_bowl(rng: Rng, bowl: Bowl) -> tuple[str, Array]:
    """Names of what is painted and the texture (SIZE, SIZE, 3) of the bowl's inside with its lip."""
    base = np.clip(bgr(pick(rng, GLAZES)) + rng.normal(0, 4, 3), 4, 252)
    out = np.empty((SIZE, SIZE, 3), np.uint8)
    out[:] = base.astype(np.uint8)
    painter = Painter(rng, bowl, out)
    dark = float(base.mean()) < 110
    names = []
    for _ in range(int(rng.choice([0, 1, 2, 3, 4], p=[0.15, 0.25, 0.3, 0.2, 0.1]))):
        name = pick(rng, {k: v[1] for k, v in MOTIFS.items()})
        ink = any_colour(rng, 0.1) if rng.random() < 0.15 else bgr(INKS[int(rng.integers(len(INKS)))])
        if dark:
            ink = np.minimum(ink * 0.4 + np.array([90, 190, 215]) * 0.8, 255)
        share = rng.uniform(0.5, 1.0)  # thin paint lets the glaze through
        MOTIFS[name][0](painter, ink * share + base * (1 - share))
        names.append(name)
    lip_share = 1 - bowl.lip / bowl.rim_radius / 2
    kind = rng.random()
    if kind < 0.5:
        ink = bgr(INKS[int(rng.integers(len(INKS)))])
        painter.ring(lip_share, bowl.lip / bowl.rim_radius * rng.uniform(0.4, 1.3), ink)
    elif kind < 0.7:
        painter.ring(lip_share, bowl.lip / bowl.rim_radius * 1.6, np.clip(base * 0.75 + bgr("8a6038") * 0.25, 0, 255))
    if rng.random() < 0.6:
        coarse = clouds(rng, SIZE // 4, SIZE // 4, rng.uniform(3, 60), 2)
        mottle = cv2.resize(coarse, (SIZE, SIZE), interpolation=cv2.INTER_LINEAR)
        out[:] = cv2.multiply(out, cv2.merge([1 - rng.uniform(0.02, 0.12) * mottle] * 3), dtype=cv2.CV_8U)
    return "+".join(names) or "none", np.asarray(out)


def plain_bowl(rng: Rng) -> tuple[str, Array]:
    """A bowl that is no porcelain: wood, tin, felt or stone, as a texture."""
    kind = ("wood", "felt", "stone", "plain")[int(rng.integers(4))]
    return kind, DRAW[kind](rng)

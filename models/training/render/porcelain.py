"""The painted glaze of a bowl as a square picture: the axis in the middle, the lip at `LIP` of the half width."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.training.render.noise import Field, flat, fractal, mix
from models.training.render.ornaments import MOTIFS, Motif

SIZE = 2048
LIP = 0.96
Colour = tuple[float, float, float]

GLAZES: dict[str, tuple[float, Colour]] = {
    "white": (0.36, (0.87, 0.87, 0.85)), "cool": (0.16, (0.83, 0.87, 0.90)), "ivory": (0.14, (0.90, 0.84, 0.70)),
    "celadon": (0.09, (0.68, 0.78, 0.68)), "worn": (0.12, (0.84, 0.82, 0.76)), "blue_pale": (0.05, (0.60, 0.72, 0.82)),
    "red": (0.04, (0.68, 0.08, 0.06)), "tenmoku": (0.02, (0.13, 0.10, 0.08)), "yellow": (0.02, (0.88, 0.72, 0.28)),
}  # fmt: skip
INKS: dict[str, Colour] = {
    "cobalt": (0.13, 0.25, 0.62), "pale_cobalt": (0.35, 0.47, 0.76), "iron_red": (0.72, 0.16, 0.11), "green": (0.15, 0.45, 0.28),
    "gold": (0.78, 0.60, 0.22), "black": (0.10, 0.09, 0.10), "brown": (0.36, 0.22, 0.12), "yellow": (0.95, 0.78, 0.25),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Painting:
    """A bowl's inside: its picture (SIZE, SIZE, 3, RGB 0 to 1), the names of glaze and pattern, and the glaze's own colour."""

    picture: Field
    glaze: str
    pattern: str
    body: Colour
    gold_rim: bool


class _Brush:
    """Paints motifs round the axis, in one ink, as a soft mask."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.mask = np.zeros((SIZE, SIZE), np.uint8)
        self.rng = rng

    def circle(self, at: float, width: float) -> None:
        """A line round the bowl; `at` 0 (axis) to 1 (lip), `width` in the same measure."""
        half = SIZE / 2 * LIP
        wobble = self.rng.uniform(-1.5, 1.5, 2)
        centre = (int((SIZE / 2 + wobble[0]) * 16), int((SIZE / 2 + wobble[1]) * 16))
        cv2.circle(self.mask, centre, int(at * half * 16), 255, max(int(width * half), 2), cv2.LINE_AA, 4)

    def stamp(self, motif: Motif, at: float, angle: float, size: float, turn: float = 0.0) -> None:
        """One motif at distance `at` from the axis, its top towards the lip."""
        half = SIZE / 2 * LIP
        for points, kind, width in motif:
            c, s = np.cos(turn), np.sin(turn)
            x = size * (points[:, 0] * c - points[:, 1] * s)
            y = size * (points[:, 0] * s + points[:, 1] * c)
            px = SIZE / 2 + half * ((at + y) * np.cos(angle) - x * np.sin(angle))
            py = SIZE / 2 + half * ((at + y) * np.sin(angle) + x * np.cos(angle))
            line = np.round(np.stack([px, py], axis=1) * 16).astype(np.int32).reshape(-1, 1, 2)
            if kind == "fill":
                cv2.fillPoly(self.mask, [line], 255, cv2.LINE_AA, 4)
            else:
                cv2.polylines(self.mask, [line], False, 255, max(round(width * size * half), 2), cv2.LINE_AA, 4)

    def band(self, name: str, at: float, size: float, count: int) -> None:
        """A motif repeated round the bowl."""
        one = MOTIFS[name](self.rng)
        lively = name in ("characters", "pips", "fish")
        phase = self.rng.uniform(0, 2 * np.pi)
        for k in range(count):
            motif = MOTIFS[name](self.rng) if lively else one
            jitter = self.rng.normal(0, 0.008)
            self.stamp(
                motif,
                at + self.rng.normal(0, 0.003),
                phase + k * 2 * np.pi / count + jitter / max(at, 0.1),
                size,
                float(self.rng.normal(0, 0.08)),
            )

    def ink(self) -> Field:
        """The mask with the brush's uneven strength and bleeding edges."""
        soft = np.asarray(cv2.GaussianBlur(self.mask, (0, 0), self.rng.uniform(0.8, 2.5)), np.float32) / 255
        return np.asarray(np.clip(soft * (0.82 + 0.3 * fractal(self.rng, SIZE, 40, 3)), 0, 1), np.float32)


def paint_bowl(rng: np.random.Generator) -> Painting:
    """A new inside: a glaze, none to four painted bands, lines, a motif in the middle, and the wear of years."""
    names = list(GLAZES)
    weights = np.array([GLAZES[n][0] for n in names])
    glaze = str(rng.choice(names, p=weights / weights.sum()))
    tint = rng.normal(0, 0.015, 3) + rng.normal(0, 0.015)
    body = tuple(float(v) for v in np.clip(np.array(GLAZES[glaze][1]) + tint, 0.03, 0.93))
    picture = flat(SIZE, (body[0], body[1], body[2]))
    picture *= (1.0 + 0.02 * fractal(rng, SIZE, 6, 3))[..., None]
    plain = rng.random() < 0.2
    pattern = "plain" if plain else _decorate(rng, picture, glaze)
    if rng.random() < 0.25 or glaze in ("worn", "celadon"):
        _age(rng, picture, crackle=glaze == "celadon" or rng.random() < 0.2)
    return Painting(np.clip(picture, 0.0, 1.0), glaze, pattern, (body[0], body[1], body[2]), bool(rng.random() < 0.16))


def _decorate(rng: np.random.Generator, picture: Field, glaze: str) -> str:
    """Paints bands and a middle into `picture`; gives the name of the chief motif."""
    chief = str(rng.choice(list(MOTIFS)))
    dark = glaze in ("red", "tenmoku")
    first = (
        str(rng.choice(["gold", "yellow"]))
        if dark
        else str(rng.choice(list(INKS), p=[0.44, 0.14, 0.12, 0.06, 0.06, 0.06, 0.06, 0.06]))
    )
    second = (
        first
        if rng.random() < 0.65
        else str(rng.choice(["yellow", "gold"] if dark else ["iron_red", "cobalt", "green", "gold"]))
    )
    for k, ink in enumerate((first, second)):
        brush = _Brush(rng)
        if k == 0:
            at = rng.uniform(0.8, 0.9)
            _lines(rng, brush, at)
            size = rng.uniform(0.035, 0.085)
            brush.band(chief, at - size - 0.02, size, int(rng.integers(8, max(9, int(2.2 * at / size)))))
            if rng.random() < 0.45:
                size2 = rng.uniform(0.04, 0.16)
                at2 = rng.uniform(0.42, 0.66)
                brush.band(
                    str(rng.choice(list(MOTIFS))), at2, size2, int(rng.integers(4, max(5, int(2.5 * at2 / size2))))
                )
        else:
            if rng.random() < 0.6:
                middle = str(rng.choice(["flowers", "fish", "characters", "pips", "scroll", "dots", "lotus", "clouds"]))
                brush.stamp(MOTIFS[middle](rng), rng.uniform(0, 0.03), rng.uniform(0, 6.3), rng.uniform(0.07, 0.34))
            if rng.random() < 0.3:
                brush.band(
                    str(rng.choice(["dots", "pips", "leaves", "rings"])),
                    rng.uniform(0.15, 0.5),
                    rng.uniform(0.03, 0.07),
                    int(rng.integers(3, 12)),
                )
        picture[:] = mix(picture, INKS[ink], brush.ink() * rng.uniform(0.75, 1.0))
    return chief


def _lines(rng: np.random.Generator, brush: _Brush, at: float) -> None:
    """Lines near the lip and round the well."""
    if rng.random() < 0.75:
        brush.circle(rng.uniform(0.96, 0.995), rng.uniform(0.006, 0.035))
    if rng.random() < 0.6:
        brush.circle(at + 0.03, rng.uniform(0.003, 0.01))
    if rng.random() < 0.7:
        well = rng.uniform(0.22, 0.5)
        brush.circle(well, rng.uniform(0.004, 0.012))
        if rng.random() < 0.5:
            brush.circle(well - 0.018, rng.uniform(0.003, 0.008))


def _age(rng: np.random.Generator, picture: Field, *, crackle: bool) -> None:
    """Stains, specks, scratches and crackle."""
    stain = np.clip(fractal(rng, SIZE, 5, 5) - 0.25, 0, 1)
    picture[:] = mix(picture, (0.55, 0.45, 0.30), stain * rng.uniform(0.1, 0.45))
    marks = np.zeros((SIZE, SIZE), np.uint8)
    for _ in range(int(rng.integers(5, 60))):
        x, y = rng.integers(0, SIZE, 2)
        cv2.circle(marks, (int(x), int(y)), int(rng.integers(1, 5)), int(rng.integers(90, 255)), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(5, 50))):
        x, y = rng.integers(0, SIZE, 2)
        dx, dy = rng.normal(0, 130, 2)
        cv2.line(marks, (int(x), int(y)), (int(x + dx), int(y + dy)), int(rng.integers(50, 130)), 1, cv2.LINE_AA)
    weight = np.asarray(marks, np.float32) / 255
    if crackle:
        field = fractal(rng, SIZE, 14, 3)
        weight = np.maximum(weight, 0.5 * np.clip(1.0 - np.abs(field) * 35, 0, 1))
    picture[:] = mix(picture, (0.32, 0.27, 0.22), weight * rng.uniform(0.3, 0.8))

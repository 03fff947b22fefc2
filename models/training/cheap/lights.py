"""The room's light: lamps that shine and are mirrored in glaze and dice, and what the room itself throws back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.training.cheap.arrays import Array, Rng, colour, pick, smoothstep


@dataclass(frozen=True)
class Lamp:
    """A flat lamp facing down: place (3, mm), form, half sizes in mm, its light (BGR) on the table and in a mirror."""

    place: Array
    form: str
    half: tuple[float, float]
    angle: float
    light: Array
    glare: float

    def points(self, rng: Rng, n: int) -> Array:
        """Points (n, 3) spread over the lamp."""
        a, b = (rng.uniform(-1, 1, (2, n)) * np.array(self.half)[:, None]).astype(np.float32)
        c, s = np.cos(self.angle), np.sin(self.angle)
        return np.asarray(self.place + np.stack([c * a - s * b, s * a + c * b, 0 * a], axis=1), np.float32)

    def mirrored(self, p: Array, d: Array, rough: float) -> Array:
        """How much of the lamp (0 to 1) is seen from p along d, both (3, ...)."""
        up = np.maximum(d[2], 0.02)
        s = (np.float32(self.place[2]) - p[2]) / up
        x = p[0] + s * d[0] - np.float32(self.place[0])
        y = p[1] + s * d[1] - np.float32(self.place[1])
        c, k = np.float32(np.cos(self.angle)), np.float32(np.sin(self.angle))
        a = np.abs(c * x + k * y) / np.float32(self.half[0])
        b = np.abs(c * y - k * x) / np.float32(self.half[1])
        if self.form in ("disc", "ring"):
            r = np.sqrt(a * a + b * b)
            seen = smoothstep(1 + rough, 1 - rough, r)
            if self.form == "ring":
                seen = seen * smoothstep(0.72 - rough, 0.72 + rough, r)
        else:
            seen = smoothstep(1 + rough, 1 - rough, a) * smoothstep(1 + rough, 1 - rough, b)
            if self.form == "window":
                seen = seen * smoothstep(0.02, 0.08 + rough, a)
        return np.asarray(seen * (d[2] > 0.02), np.float32)


@dataclass(frozen=True)
class Light:
    """All light of a scene: lamps, what comes from above all round, and what the ground throws back (BGR)."""

    lamps: tuple[Lamp, ...]
    sky: Array
    bounce: Array
    lean: Array

    def lamplight(self) -> Array:
        """The light (3) of all lamps together."""
        return np.asarray(np.sum([lamp.light for lamp in self.lamps], axis=0), np.float32)

    def ambient(self, n: Array) -> Array:
        """Light (3, ...) without lamps on a surface with normal n (3, ...)."""
        up = 0.5 + 0.5 * n[2]
        side = 1 + self.lean[0] * n[0] + self.lean[1] * n[1]
        tail = (slice(None),) + (None,) * up.ndim
        return np.asarray(self.sky[tail] * (up * side) + self.bounce[tail] * (1 - up), np.float32)

    def direct(self, p: Array, n: Array, lamp: Lamp) -> Array:
        """How strongly (...) one lamp shines on points p with normals n; one for a level spot below it."""
        place = lamp.place.astype(np.float32)
        lx, ly, lz = place[0] - p[0], place[1] - p[1], place[2] - p[2]
        d2 = lx * lx + ly * ly + lz * lz
        far = np.sqrt(d2)
        reference = np.float32(place @ place)
        return np.asarray(np.maximum(lx * n[0] + ly * n[1] + lz * n[2], 0) / far * (reference / d2), np.float32)

    def mirror(self, p: Array, d: Array, rough: float) -> Array:
        """Light (3, ...) seen from p along d in a mirror of the given roughness."""
        up = np.clip(0.5 + 0.5 * d[2], 0, 1)
        tail = (slice(None),) + (None,) * up.ndim
        seen = self.sky[tail] * (0.25 + up) * np.float32(0.8)
        for lamp in self.lamps:
            # a rough mirror spreads the same light over a larger spot
            peak = lamp.glare / (1 + 2.5 * rough)
            seen = seen + lamp.light[tail] * (np.float32(peak) * lamp.mirrored(p, d, 0.06 + rough))
        return np.asarray(seen, np.float32)


TINTS = {"ffffff": 3.0, "fff4e6": 3.0, "ffe2bd": 2.0, "ffd39a": 1.0, "e8f1ff": 2.0, "f3ffe9": 0.5}


def draw_light(rng: Rng, ground: Array, reach: float) -> Light:
    """Random lamps over a ground of mean colour `ground` (BGR); `reach` is the size of the scene in mm."""
    n = int(rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))
    tint = colour(pick(rng, TINTS))
    lamps = []
    for i in range(n):
        high = rng.uniform(2.2, 6.0) * reach
        away = high * float(rng.choice([rng.uniform(0.03, 0.5), rng.uniform(0.2, 1.3)]))
        turn = rng.uniform(0, 2 * np.pi)
        form = pick(rng, {"disc": 2.0, "rect": 2.0, "window": 1.5, "ring": 1.0, "strip": 1.0})
        size = high * float(np.exp(rng.uniform(np.log(0.03), np.log(0.38))))
        half = (size * rng.uniform(2, 4), size * 0.3) if form == "strip" else (size, size * rng.uniform(0.6, 1.0))
        if form in ("disc", "ring"):
            half = (size, size)
        strength = rng.uniform(0.5, 1.0) / (1 + 0.8 * i)
        light = tint * (colour(pick(rng, TINTS)) if rng.random() < 0.25 else 1) * strength
        place = np.array([away * np.cos(turn), away * np.sin(turn), high])
        lamps.append(
            Lamp(
                place,
                form,
                half,
                rng.uniform(0, np.pi),
                np.asarray(light, np.float32),
                float(np.exp(rng.uniform(np.log(8), np.log(120)))),
            )
        )
    soft = float(np.exp(rng.uniform(np.log(0.14), np.log(1.8))))
    sky = np.asarray(soft * (0.6 * tint + 0.4), np.float32)
    total = sky * 0.6 + sum((lamp.light for lamp in lamps), np.zeros(3, np.float32)) * 0.6
    bounce = np.asarray(ground * total * rng.uniform(0.7, 1.5), np.float32)
    return Light(tuple(lamps), sky, bounce, rng.normal(0, 0.15, 2).astype(np.float32))

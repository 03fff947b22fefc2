"""Tables and cloths: square textures of display colours (8 bit BGR), drawn anew for every scene."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.cheap.arrays import Array, Rng, clouds, pick

SIZE = 1024
KINDS = {"wood": 3.0, "stone": 2.0, "felt": 2.0, "cloth": 2.0, "check": 1.2, "stripes": 0.6, "flowers": 1.2, "carpet": 1.2,
         "paper": 1.2, "plain": 1.5, "planks": 0.8, "print": 0.6, "blotches": 0.8}  # fmt: skip

WOODS = ("8a5a30", "b98a58", "d9b98a", "5a3418", "e3cfae", "6d4a34", "a8693a", "95826e")
FELTS = ("1d6b3a", "16406e", "7a1420", "2a2a30", "5b2c6e", "c02028", "8a7a5c")
CLOTHS = ("b8c4cc", "e8e2d4", "a02028", "24406e", "d0b48c", "3a3a40", "efefef", "7a8c62")
STONES = (("d8d8d4", "8a8c8c"), ("2a2a2c", "6e6e70"), ("c8b8a0", "8c7458"), ("f0eeea", "b0aca6"), ("4a3a34", "9a8478"))


def bgr(text: str) -> Array:
    """Display BGR (3, float32, 0 to 255) of six hex digits RRGGBB."""
    return np.array([int(text[i : i + 2], 16) for i in (4, 2, 0)], np.float32)


def ramp(share: Array, low: Array, high: Array) -> Array:
    """8 bit BGR picture that goes from low to high as share (0 to 1) does."""
    steps = np.linspace(0, 1, 256, dtype=np.float32)[:, None]
    table = np.clip(low * (1 - steps) + high * steps, 0, 255).astype(np.uint8).reshape(1, 256, 3)
    index = np.clip(share * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(cv2.merge([index] * 3), table))


def any_colour(rng: Rng, dull: float = 0.6) -> Array:
    """A random display colour; dull 1 is grey, 0 full of colour."""
    hsv = np.array([[[rng.uniform(0, 180), 255 * rng.uniform(0, 1 - 0.8 * dull), rng.uniform(30, 245)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _one(rng: Rng, of: tuple[str, ...]) -> Array:
    return np.asarray(
        np.clip(bgr(of[int(rng.integers(len(of)))]) * rng.uniform(0.8, 1.15) + rng.normal(0, 5, 3), 0, 255)
    )


def _wood(rng: Rng) -> Array:
    base = _one(rng, WOODS)
    # lumps much longer than wide: the grain runs along the board
    warp = cv2.resize(clouds(rng, 256, 40, 50, 2), (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)
    fine = cv2.resize(clouds(rng, SIZE, 48, 3, 3), (SIZE, SIZE), interpolation=cv2.INTER_LINEAR)
    strong = rng.uniform(0.05, 0.5)
    y = np.linspace(0, rng.uniform(8, 30), SIZE, dtype=np.float32)[:, None]
    grain = 0.5 + 0.5 * np.sin((y + warp * rng.uniform(2, 7)) * 2 * np.pi)
    return ramp(strong * grain + (1 - strong) * fine, base * rng.uniform(0.6, 0.85), np.minimum(base * 1.12, 255))


def _planks(rng: Rng) -> Array:
    out = _wood(rng)
    step = SIZE // int(rng.integers(3, 9))
    for y in range(0, SIZE, step):
        out[y : y + step] = np.roll(out[y : y + step], int(rng.integers(SIZE)), axis=1)
        out[y : y + step] = cv2.convertScaleAbs(out[y : y + step], alpha=rng.uniform(0.85, 1.1))
        cv2.line(out, (0, y), (SIZE, y), (25, 25, 30), 2)
    return out


def _stone(rng: Rng) -> Array:
    low, high = STONES[int(rng.integers(len(STONES)))]
    coarse = clouds(rng, SIZE, SIZE, rng.uniform(120, 400), 3)
    fine = clouds(rng, SIZE, SIZE, rng.uniform(4, 22), 2)
    spots = 1 / (1 + np.exp(-(fine - rng.uniform(0.35, 0.6)) * rng.uniform(6, 25)))
    share = 0.35 * coarse + 0.65 * spots.astype(np.float32)
    return ramp(share, bgr(high), bgr(low))


def _felt(rng: Rng) -> Array:
    base = _one(rng, FELTS)
    fine = cv2.GaussianBlur(rng.random((SIZE, SIZE), dtype=np.float32), (0, 0), rng.uniform(0.7, 1.6))
    share = np.clip(0.5 + (fine - 0.5) * 1.6 + (clouds(rng, SIZE, SIZE, 300, 2) - 0.5) * 0.5, 0, 1)
    return ramp(share, base * 0.75, np.minimum(base * 1.2, 255))


def _weave(rng: Rng, base: Array) -> Array:
    step = int(rng.integers(2, 7))
    a = np.arange(SIZE)
    lift = 0.5 + 0.25 * np.sin(a * np.pi / step)[:, None] * np.cos(a * np.pi / step)[None]
    share = 0.6 * lift.astype(np.float32) + 0.4 * clouds(rng, SIZE, SIZE, 8, 2)
    return ramp(share, base * 0.78, np.minimum(base * 1.1, 255))


def _cloth(rng: Rng) -> Array:
    return _weave(rng, _one(rng, CLOTHS))


def _check(rng: Rng) -> Array:
    out = _weave(rng, _one(rng, CLOTHS)).astype(np.float32)
    tint = any_colour(rng, 0.2) / 255
    step = int(rng.integers(12, 60))
    band = ((np.arange(SIZE) // step) % 2).astype(np.float32)
    share = (band[:, None] + band[None]) * 0.5
    return np.asarray(np.clip(out * (1 - share[..., None] * (1 - tint)), 0, 255), np.uint8)


def _stripes(rng: Rng) -> Array:
    out = _weave(rng, _one(rng, CLOTHS))
    for _ in range(int(rng.integers(3, 14))):
        y, w = int(rng.integers(SIZE)), int(rng.integers(3, 60))
        tint = any_colour(rng, 0.3) / 255
        out[y : y + w] = (out[y : y + w] * tint).astype(np.uint8)
    return out


def flower(rng: Rng, out: Array, x: int, y: int, r: int) -> None:
    """Paint a flower of radius r."""
    petals = int(rng.integers(4, 9))
    tint = any_colour(rng, 0.1).tolist()
    for i in range(petals):
        a = 2 * np.pi * i / petals + rng.uniform(0, 0.1)
        centre = (int(x + 0.6 * r * np.cos(a)), int(y + 0.6 * r * np.sin(a)))
        cv2.ellipse(
            out, centre, (max(1, int(r * 0.42)), max(1, int(r * 0.3))), np.degrees(a), 0, 360, tint, -1, cv2.LINE_AA
        )
    cv2.circle(out, (x, y), max(1, int(r * 0.28)), any_colour(rng, 0.1).tolist(), -1, cv2.LINE_AA)


def _flowers(rng: Rng) -> Array:
    out = _cloth(rng)
    for _ in range(int(rng.integers(20, 90))):
        x, y = (int(v) for v in rng.integers(0, SIZE, 2))
        flower(rng, out, x, y, int(rng.integers(8, 34)))
    return out


def _carpet(rng: Rng) -> Array:
    base = _one(rng, (*CLOTHS, "8c7660", "6a5440", "4a4c50"))
    share = clouds(rng, SIZE, SIZE, rng.uniform(6, 20), 2, 0.8)
    return ramp(np.clip((share - 0.5) * 1.6 + 0.5, 0, 1), base * 0.35, np.minimum(base * 1.25, 255))


def _paper(rng: Rng) -> Array:
    base = np.full(3, rng.uniform(200, 250), np.float32) + rng.normal(0, 4, 3).astype(np.float32)
    return ramp(clouds(rng, SIZE, SIZE, 500, 3), base * 0.93, base)


def _plain(rng: Rng) -> Array:
    base = any_colour(rng, rng.uniform(0, 1))
    return ramp(clouds(rng, SIZE, SIZE, 400, 4), base * rng.uniform(0.8, 0.95), base)


def _print(rng: Rng) -> Array:
    """Lines of text and dots, as on newspaper or a board game."""
    out = _paper(rng)
    ink = any_colour(rng, rng.uniform(0, 1)) * 0.5
    size = rng.uniform(0.4, 1.4)
    for y in range(20, SIZE, int(26 * size) + 8):
        text = "".join(chr(int(c)) for c in rng.integers(33, 123, 60))
        cv2.putText(
            out,
            text,
            (int(rng.integers(-200, 10)), y),
            cv2.FONT_HERSHEY_SIMPLEX,
            size,
            ink.tolist(),
            1 + int(size * 1.5),
            cv2.LINE_AA,
        )
    for _ in range(int(rng.integers(0, 40))):
        x, y = (int(v) for v in rng.integers(0, SIZE, 2))
        cv2.circle(out, (x, y), int(rng.integers(3, 14)), ink.tolist(), -1, cv2.LINE_AA)
    return out


def _blotches(rng: Rng) -> Array:
    share = clouds(rng, SIZE, SIZE, rng.uniform(20, 120), 4, 0.7)
    return ramp(np.clip((share - 0.5) * 2.5 + 0.5, 0, 1), any_colour(rng, 0.4), any_colour(rng, 0.4))


DRAW = {"wood": _wood, "stone": _stone, "felt": _felt, "cloth": _cloth, "check": _check, "stripes": _stripes, "flowers": _flowers,
        "carpet": _carpet, "paper": _paper, "plain": _plain, "planks": _planks, "print": _print, "blotches": _blotches}  # fmt: skip


def draw_table(rng: Rng) -> tuple[str, Array]:
    """Kind and texture (SIZE, SIZE, 3) of a table's top."""
    kind = pick(rng, KINDS)
    out = DRAW[kind](rng)
    if rng.random() < 0.5:
        out = np.ascontiguousarray(out.transpose(1, 0, 2))
    return kind, out

"""How light has drifted since the bowl was empty: the camera's exposure, its white balance, and its tone curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Frame

Floats = npt.NDArray[np.floating[Any]]
DARK, BRIGHT = 6, 245
"""Grey levels between which a pixel tells of the tone: darker ones are noise, brighter ones are cut off."""
BINS, LEAST_PIXELS, LEAST_APART = 8, 30, 0.25
STEEPEST = 1.7
"""A tone curve's exponent, or its inverse, is at most this: beyond it something else has changed than the light."""
AS_EXPECTED, ENOUGH, BETTER = 8.0, 0.8, 0.03
"""A mere factor is enough where so much of the picture comes within so many grey levels of it; a curve must bring this much more there."""
_LEVELS = np.arange(256, dtype=np.float32)
_LOGS = np.log(_LEVELS + 4)


@dataclass(frozen=True, slots=True)
class Tone:
    """table: for each of 256 grey levels and three channels what it would be now."""

    table: npt.NDArray[np.float32]

    def of(self, part: Frame) -> Floats:
        """A part of the empty picture (BGR) as it would look now."""
        return np.asarray(cv2.LUT(np.ascontiguousarray(part), self.table[None]))


def drift(then: Frame, now: Frame) -> Tone:
    """The tone by which most of `then` becomes `now` (both BGR, the same size, some thousand pixels)."""
    x, y = _LOGS[then], _LOGS[now]
    plain = _tone(np.exp(np.median(y - x, axis=(0, 1))), 1.0)
    explained = _explained(plain, then, now)
    if explained > ENOUGH:
        return plain
    told = (then > DARK) & (then < BRIGHT) & (now > DARK) & (now < BRIGHT)
    power = _power(x, y, told)
    if not 1 / STEEPEST < power < STEEPEST:
        return plain
    left = [(y - power * x)[..., c][told[..., c] if told[..., c].any() else ...] for c in range(3)]
    curved = _tone(np.exp([np.median(one) for one in left]), power)
    return curved if _explained(curved, then, now) > explained + BETTER else plain


def _tone(factors: Floats, power: float) -> Tone:
    levels = np.asarray(factors, np.float32)[None] * ((_LEVELS + 4) ** np.float32(power))[:, None] - 4
    return Tone(np.clip(levels, 0, 255).astype(np.float32))


def _power(x: Floats, y: Floats, told: npt.NDArray[np.bool_]) -> float:
    """The exponent: the median slope between the medians of pixels that were about as bright; what is new in the picture is a minority in most."""
    slopes = []
    for c in range(3):
        one, other = x[..., c][told[..., c]][::2], y[..., c][told[..., c]][::2]
        if len(one) < BINS * LEAST_PIXELS:
            continue
        parts = np.array_split(np.argsort(one), BINS)
        middles = np.array([(np.median(one[part]), np.median(other[part])) for part in parts])
        for i in range(BINS):
            apart = middles[i + 1 :] - middles[i]
            slopes += [dy / dx for dx, dy in apart if dx > LEAST_APART]
    return float(np.median(slopes)) if slopes else 1.0


def _explained(tone: Tone, then: Frame, now: Frame) -> float:
    b, g, r = cv2.split(cv2.absdiff(tone.of(then), now.astype(np.float32)))
    return float(np.count_nonzero(cv2.max(cv2.max(b, g), r) < AS_EXPECTED)) / b.size

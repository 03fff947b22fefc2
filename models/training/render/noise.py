"""Random fields that textures are made of."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.float32]


def fractal(
    rng: np.random.Generator, size: int, cells: int, octaves: int = 4, gain: float = 0.55, stretch: float = 1.0
) -> Field:
    """Smooth noise, about -1 to 1, (size, size); `cells` blobs across, `stretch` times longer in x."""
    out = np.zeros((size, size), np.float32)
    amplitude, total = 1.0, 0.0
    for octave in range(octaves):
        n = cells * 2**octave
        if n >= size:
            break
        small = rng.standard_normal((n + 2, max(int(n / stretch), 1) + 2)).astype(np.float32)
        out += amplitude * np.asarray(cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)
        total += amplitude
        amplitude *= gain
    return out / max(total, 1e-6)


def grain(rng: np.random.Generator, size: int) -> Field:
    """White noise, one value a texel."""
    return rng.standard_normal((size, size)).astype(np.float32)


def mix(base: Field, colour: tuple[float, float, float], weight: Any) -> Field:
    """`base` (h, w, 3) painted over with a colour (0 to 1) where `weight` (h, w) says so."""
    w = np.clip(weight, 0.0, 1.0)[..., None]
    return np.asarray(base * (1.0 - w) + np.asarray(colour, np.float32) * w, np.float32)


def flat(size: int, colour: tuple[float, float, float]) -> Field:
    """A field of one colour (size, size, 3)."""
    return np.broadcast_to(np.asarray(colour, np.float32), (size, size, 3)).copy()

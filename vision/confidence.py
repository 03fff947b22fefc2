"""Weighing the opinions on a die: from what each reader saw to a calibrated probability of each value.

The weights are fitted on dice that no net was trained on (models/training/calibrate.py) and stand in the manifest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from vision.pips import PipCount
from vision.reading import Found

_FLOOR = 1e-4


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each opinion counts, and the limits from which a reading is certain.

    face, finder, pips: weights of the logs of the opinions' probabilities and of the geometric fit. gate_*: of the
    probability that there is one clear top face at all. die_*: of the probability that there is a die. spot: score of the
    finder below which a place is not looked at again. die, weak, outside: probability from which a place is a die, from
    which it may be one, and from which it is one outside the bowl. sure: confidence from which a value is certain. cocked: probability from which a die leans.
    """

    face: float = 0.6
    finder: float = 0.4
    pips: float = 2.0
    gate_presence: float = 0.5
    gate_clear: float = 0.5
    gate_base: float = 2.0
    die_presence: float = 1.0
    die_fit: float = 1.0
    die_base: float = 0.0
    spot: float = 0.25
    die: float = 0.5
    weak: float = 0.15
    outside: float = 0.6
    sure: float = 0.98
    cocked: float = 0.6
    clear: float = 0.35

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Self:
        """From a manifest's table; what it does not name keeps its usual value."""
        return cls(**{f.name: float(told[f.name]) for f in fields(cls) if f.name in told})


@dataclass(frozen=True, slots=True)
class Weighed:
    """Values and probabilities (likeliest first), the probability that the first is right, and a doubt in words."""

    likely: tuple[tuple[int, float], ...]
    confidence: float
    doubt: str


def weigh(found: Found, count: PipCount, weights: Weights) -> Weighed:
    """All opinions on one die together."""
    score = np.array([weights.face * math.log(max(p, _FLOOR)) for p in found.probabilities])
    for opinion in found.opinions:
        score += weights.finder * np.log(np.maximum(opinion, _FLOOR))
    score += weights.pips * np.clip(count.support, -0.5, 1.0)
    chances = np.exp(score - score.max())
    chances /= chances.sum()
    order = np.argsort(-chances)
    likely = tuple((int(i) + 1, float(chances[i])) for i in order[:2])
    gate = (
        weights.gate_base
        + weights.gate_presence * logit(found.presence)
        + weights.gate_clear * logit(found.clear_top)
    )
    confidence = likely[0][1] / (1 + math.exp(-gate))
    return Weighed(likely, confidence, _doubt(found, count, likely, confidence, weights))


def presence(found: Found, count: PipCount, weights: Weights) -> float:
    """Probability that there is a die at all: what the nets say, and whether it bears pips in a legal layout."""
    return 1 / (1 + math.exp(-(weights.die_base + weights.die_presence * logit(found.presence) + weights.die_fit * count.fit)))


def logit(p: float) -> float:
    """Log odds, kept within what a float32 net can mean."""
    p = min(max(p, 1e-5), 1 - 1e-5)
    return math.log(p / (1 - p))


def _doubt(
    found: Found, count: PipCount, likely: Sequence[tuple[int, float]], confidence: float, weights: Weights
) -> str:
    value, other = likely[0][0], likely[1][0]
    learned = int(np.argmax(found.probabilities)) + 1
    if found.clear_top < weights.clear:
        return f"no clear top face, perhaps {value} or {other}"
    if count.fit > 0.3 and count.value != value:
        return f"looks like {value}, but its pips lie like {count.value}"
    if learned != value:
        return f"{value} or {learned}: two readers differ"
    if confidence < weights.sure:
        return f"{value} or {other}: not certain enough"
    return ""

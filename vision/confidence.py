"""Weighing the opinions on a die: from what each reader saw to a calibrated probability that the value is right.

The weights are fitted on dice that no net was trained on (models/training/calibrate.py) and stand in the manifest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from vision.pips import PipCount
from vision.reading import Found
from vision.rectify import edge_of

_FLOOR = 1e-4
TOO_SMALL = 13.0
"""Edge of a top face in pixels below which no value is certain: a pip is hardly a pixel wide."""
CLEAR_FIT = 0.5
"""From this fit a count of pips counts as an opinion of its own."""
ASLANT, PLAIN_ENOUGH, STEEP = 28.0, 0.99, 32.0
"""Degrees from which a die that is not plain to read may stand on an edge, and from which any may; on the wall of a bowl up to 25 are usual."""
UNEVEN, BRIGHT_ENOUGH = 0.3, 0.97
"""Pips of one face are alike; where the faintest is so much fainter than the strongest, glare may have taken another one, unless all else is this certain."""
SIGNS = ("value", "pips", "finder", "glance", "presence", "clear", "flat")
"""What confidence is built of, in the order of `signs`."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each opinion counts, and the limits from which a reading is certain.

    face, finder, pips: how the value is chosen: weights of the logs of the nets' probabilities and of the geometric fit.
    sure_*: how confident that choice is: weights of SIGNS in the log odds. die_*: likewise, whether there is a die at all.
    spot: score of the finder below which a place is not looked at again. die, weak, outside: probability from which a
    place is a die, from which it may be one, and from which it is one outside the bowl; die_open, weak_open: the same on an open table. sure, sure_open: confidence from which a
    value is certain, in a known bowl and on an open table, where anything may lie. cocked_deg: measured tilt from which a die is cocked; those of 25 degrees, where a cocked die begins, are measured some degrees off. clear: that of a clear top face below which it has none.
    """

    face: float = 1.0
    finder: float = 0.05
    pips: float = 0.5
    sure_value: float = 0.8
    sure_pips: float = 2.0
    sure_finder: float = 0.1
    sure_glance: float = 0.2
    sure_presence: float = 0.2
    sure_clear: float = 0.2
    sure_flat: float = 0.0
    sure_base: float = 0.0
    die_presence: float = 1.0
    die_fit: float = 1.0
    die_value: float = 0.0
    die_base: float = 0.0
    spot: float = 0.25
    die: float = 0.5
    weak: float = 0.15
    outside: float = 0.6
    die_open: float = 0.67
    weak_open: float = 0.35
    sure: float = 0.94
    sure_open: float = 0.97
    cocked_deg: float = 30.0
    clear: float = 0.35

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Self:
        """From a manifest's table; what it does not name keeps its usual value."""
        return cls(**{f.name: float(told[f.name]) for f in fields(cls) if f.name in told})


@dataclass(frozen=True, slots=True)
class Weighed:
    """The two likeliest values with their probabilities, the probability that the first is right, and a doubt in words."""

    likely: tuple[tuple[int, float], ...]
    confidence: float
    doubt: str


def chances(found: Found, count: PipCount, weights: Weights) -> list[float]:
    """Probabilities of the six values, all opinions together."""
    finder = found.opinions[0] if found.opinions else (1.0,) * 6
    score = [
        weights.face * math.log(max(face, _FLOOR)) + weights.finder * math.log(max(glance, _FLOOR)) + weights.pips * min(max(pips, -0.5), 1.0)
        for face, glance, pips in zip(found.probabilities, finder, count.support, strict=True)
    ]
    raised = [math.exp(s - max(score)) for s in score]
    return [r / sum(raised) for r in raised]


def signs(found: Found, count: PipCount, value: int, chance: float, tilt: float | None = None) -> list[float]:
    """What speaks for `value`, chosen with probability `chance`: see SIGNS; more is better in each. tilt: degrees, None if not measured."""
    opinions = [math.log(max(opinion[value - 1], _FLOOR)) for opinion in found.opinions[:2]]
    while len(opinions) < 2:
        opinions.append(-1.0)
    agreed = count.fit if count.value == value else -count.fit
    return [logit(chance), agreed, opinions[0], opinions[1], logit(found.presence), logit(found.clear_top), _flat(tilt)]


def _flat(tilt: float | None) -> float:
    """0 for the usual tilt on the wall of a bowl, which is also what is thought where none was measured; up to 20 degrees are nothing unusual."""
    return 0.0 if tilt is None else -max(0.0, tilt - 12.0) / 10


def weigh(found: Found, count: PipCount, weights: Weights, tilt: float | None = None) -> Weighed:
    """All opinions on one die together; tilt: degrees from lying flat, None if not measured."""
    six = chances(found, count, weights)
    order = sorted(range(6), key=lambda i: -six[i])
    value, other = order[0] + 1, order[1] + 1
    told = signs(found, count, value, six[order[0]], tilt)
    odds = weights.sure_base + sum(getattr(weights, f"sure_{name}") * sign for name, sign in zip(SIGNS, told, strict=True))
    confidence = 1 / (1 + math.exp(-min(max(odds, -30.0), 30.0)))
    rest = (1 - confidence) * six[order[1]] / max(1 - six[order[0]], 1e-6)
    likely = ((value, confidence), (other, min(rest, confidence)))
    return Weighed(likely, confidence, _doubt(found, count, value, other, confidence, weights, tilt or 0.0))


def die_signs(found: Found, count: PipCount) -> tuple[float, float, float]:
    """What speaks for a die at a place: the nets' word, a legal layout of pips, a value that the face reader is sure of."""
    return logit(found.presence), count.fit, logit(max(found.probabilities))


def presence(found: Found, count: PipCount, weights: Weights) -> float:
    """Probability that there is a die at all: what the nets say, and whether it bears pips in a legal layout."""
    weighed = zip((weights.die_presence, weights.die_fit, weights.die_value), die_signs(found, count), strict=True)
    odds = weights.die_base + sum(weight * sign for weight, sign in weighed)
    return 1 / (1 + math.exp(-odds))


def logit(p: float) -> float:
    """Log odds, kept within what a float32 net can mean."""
    p = min(max(p, 1e-4), 1 - 1e-4)
    return math.log(p / (1 - p))


def _doubt(found: Found, count: PipCount, value: int, other: int, confidence: float, weights: Weights, tilt: float) -> str:
    if found.quad is not None and edge_of(np.asarray(found.quad, np.float32)) < TOO_SMALL:
        return f"{value} or {other}: too small in the picture to be certain"
    if found.clear_top < weights.clear:
        return f"no clear top face, perhaps {value} or {other}"
    if count.fit > CLEAR_FIT and count.value != value:
        return f"looks like {value}, but its pips lie like {count.value}"
    if confidence < weights.sure:
        return f"{value} or {other}: not certain enough"
    if tilt >= STEEP or (tilt >= ASLANT and confidence < PLAIN_ENOUGH):
        return f"{value} or {other}: it leans, by some {tilt:.0f} degrees"
    if confidence < BRIGHT_ENOUGH and count.evenness[value - 1] < UNEVEN:
        return f"{value} or {other}: a lamp may hide a pip"
    return ""

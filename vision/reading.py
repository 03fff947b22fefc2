"""What one frame shows: the words that the reader, the watcher and the Table share.

All coordinates are pixels of the frame; x to the right, y down, the centre of the top left pixel is (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Frame = npt.NDArray[np.uint8]
"""A picture as OpenCV decodes it: height x width x 3, BGR, 8 bit."""

PROBABILITY_DIGITS = 4


class Verdict(StrEnum):
    """What may be done with a reading; the first that holds, in this order (design.md)."""

    EMPTY = "empty"
    JUMP = "jump"
    INCOMPLETE = "incomplete"
    COCKED = "cocked"
    ASK = "ask"
    SURE = "sure"


@dataclass(frozen=True, slots=True)
class Rim:
    """The highest circle of the bowl's lip as an ellipse: centre, full axes in pixels, angle of the major axis from x towards y."""

    cx: float
    cy: float
    major: float
    minor: float
    angle_deg: float

    def as_json(self) -> dict[str, float]:
        """The rim as design.md prints it."""
        return {
            "cx": round(self.cx, 2),
            "cy": round(self.cy, 2),
            "major": round(self.major, 2),
            "minor": round(self.minor, 2),
            "angle_deg": round(self.angle_deg, 2),
        }


@dataclass(frozen=True, slots=True)
class Die:
    """One die seen in a frame.

    value: best guess 1-6, None only where no top face is seen. confidence: calibrated probability that value is right.
    box: x, y, w, h of the visible die. top: centre of its top face. likely: the two most likely values with their
    probabilities. doubt: why value is not certain, in plain English words ("" where it is).
    tilt_deg: how far its face is measured to lie from level (give or take 7 degrees), None where the bowl is not known.
    pips: by how much each of its pips differs in colour from its body (Lab, 8 bit); empty where no face is seen.
    """

    value: int | None
    confidence: float
    box: tuple[float, float, float, float]
    top: tuple[float, float] | None
    in_bowl: bool
    cocked: bool
    likely: tuple[tuple[int, float], ...]
    doubt: str = ""
    tilt_deg: float | None = None
    pips: tuple[tuple[float, float, float], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The die as `bobing read` prints it."""
        return {
            "value": self.value,
            "confidence": round(self.confidence, PROBABILITY_DIGITS),
            "box": [round(v, 1) for v in self.box],
            "top": None if self.top is None else [round(v, 1) for v in self.top],
            "in_bowl": self.in_bowl,
            "cocked": self.cocked,
            "likely": [[value, round(p, PROBABILITY_DIGITS)] for value, p in self.likely],
            "tilt_deg": None if self.tilt_deg is None else round(self.tilt_deg),
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """What one frame shows: the dice, the bowl's rim if known, the verdict and its reason in one plain English line.

    hand: something large that is no die (a hand, a sleeve) covers part of the bowl.
    """

    dice: tuple[Die, ...]
    rim: Rim | None
    verdict: Verdict
    why: str
    hand: bool = False

    @property
    def values(self) -> tuple[int, ...]:
        """Sorted values of the dice in the bowl (those whose top face is seen)."""
        return tuple(sorted(d.value for d in self.dice if d.in_bowl and d.value is not None))

    @property
    def outside(self) -> int:
        """How many dice lie outside the bowl."""
        return sum(not d.in_bowl for d in self.dice)

    def as_json(self) -> dict[str, Any]:
        """The reading as `bobing read` prints it, less image and ms, which the caller knows."""
        return {
            "dice": [d.as_json() for d in self.dice],
            "values": list(self.values),
            "outside": self.outside,
            "rim": None if self.rim is None else self.rim.as_json(),
            "verdict": str(self.verdict),
            "why": self.why,
        }

    def moved(self, dx: float, dy: float) -> Reading:
        """The same reading in a frame whose origin lies (dx, dy) further left and up: used after cutting out a region."""
        dice = tuple(
            replace(
                d,
                box=(d.box[0] + dx, d.box[1] + dy, d.box[2], d.box[3]),
                top=None if d.top is None else (d.top[0] + dx, d.top[1] + dy),
            )
            for d in self.dice
        )
        rim = None if self.rim is None else replace(self.rim, cx=self.rim.cx + dx, cy=self.rim.cy + dy)
        return replace(self, dice=dice, rim=rim)


@dataclass(frozen=True, slots=True)
class Found:
    """A die as a detector found it, before the reader weighs it.

    quad: four corners of the top face in order round it (x, y), or None where no top face is seen.
    box: x, y, w, h of the visible die. presence: probability that there is a die at all.
    probabilities: six, for the values 1-6, that sum to 1.
    clear_top: probability that the die has one clear top face (else cocked, stacked, hidden). opinions: further readings of the six values, made otherwise, to be weighed by the reader.
    """

    box: tuple[float, float, float, float]
    quad: tuple[tuple[float, float], ...] | None
    presence: float
    probabilities: tuple[float, ...]
    clear_top: float = 1.0
    opinions: tuple[tuple[float, ...], ...] = ()


class DiceReader(Protocol):
    """The seam between pixels and the table: one frame in, one Reading out."""

    def read(self, frame: Frame, *, expect: int = 6) -> Reading:
        """Read the frame with the bowl and background this reader was made for."""
        ...

"""A knock at the camera or the bowl: what was so before it, and what the first rest after it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.bowl import Bowl
from vision.likeness import SEEN_AGAIN, seen_again
from vision.reading import Die, Frame, Reading, Rim, Verdict
from vision.rest import size, stayed

MEMORY_S = 5.0
"""Dice that come to rest so soon after a knock may have been thrown while it was noticed."""
NEAR = 0.6
"""A die that lies within this part of its size of where the bowl's new place puts it is the same one: the picture may have turned, too."""


@dataclass(frozen=True, slots=True)
class Knock:
    """A knock noticed at t (seconds). started: frame in which all began to move; rim, dice: of the last scene at rest before it.

    counted: those dice were told as a throw.
    """

    t: float
    started: int
    rim: Rim
    dice: tuple[Die, ...]
    counted: bool

    def event(self, reading: Reading, rim: Rim, expect: int, t: float) -> str:
        """What the first rest since is: "throw" or "changed", both for a person to decide, or "found" where nothing new lies there."""
        if t - self.t > MEMORY_S or 2 * len(reading.dice) < expect:
            return "found"
        before, now = _inside(self.dice), _inside(reading.dice)
        if not self.dice:
            return "throw"
        kept = self._kept(before, now, rim)
        if kept == len(now):
            return "found"  # the same ones, or some of them were taken out
        if kept <= 1 and 2 * len(now) >= expect:
            return "throw"
        return "changed" if self.counted else "found"

    def _kept(self, before: Sequence[Die], now: Sequence[Die], rim: Rim) -> int:
        """How many dice lie where they lay, in the bowl or, where that came back, in the picture."""
        reach = NEAR * size(before)
        ways = ((rim.cx - self.rim.cx, rim.cy - self.rim.cy), (0.0, 0.0))
        return max(sum(stayed(before, now, reach, way)) for way in ways)


def asked(reading: Reading, why: str) -> Reading:
    """The reading as one that a person decides on."""
    return replace(reading, verdict=Verdict.ASK, why=why) if reading.verdict == Verdict.SURE else reading


def other_view(known: Bowl, frame: Frame) -> bool:
    """Whether nowhere in the frame there is what its background shows there: another view, and not a hand before the same one."""
    return known.background is not None and known.background.shape == frame.shape and seen_again(known.background, frame) < SEEN_AGAIN


def _inside(dice: Sequence[Die]) -> list[Die]:
    return [die for die in dice if die.in_bowl]

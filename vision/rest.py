"""Dice at rest: whether readings of different moments show the same dice lying in the same places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.reading import Die, Reading, Verdict
from vision.scene import Change

TAKEN = 3
"""So many dice gone and hardly any come: they were taken out."""
SAME_PLACE = 0.3
"""A die that lies within this part of its size of where a die lay is taken for the same one."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a later reading differs from an earlier one: dice in their old places, with another value there, come, gone."""

    in_place: int
    turned: int
    come: int
    gone: int

    @property
    def same(self) -> bool:
        """Whether nothing changed."""
        return not (self.turned or self.come or self.gone)


def _place(die: Die) -> tuple[float, float]:
    return die.top or (die.box[0] + die.box[2] / 2, die.box[1] + die.box[3] / 2)


def size(dice: Sequence[Die]) -> float:
    """The usual size of these dice in pixels."""
    return float(np.median([(d.box[2] + d.box[3]) / 2 for d in dice])) if dice else 1.0


def _pairs(
    before: Sequence[Die], after: Sequence[Die], reach: float, shift: tuple[float, float]
) -> list[tuple[int, int, float]]:
    """(index before, index after, distance) of dice that lie within reach of one another, nearest first, each once."""
    close = []
    for i, old in enumerate(before):
        for j, new in enumerate(after):
            (x0, y0), (x1, y1) = _place(old), _place(new)
            away = float(np.hypot(x1 - shift[0] - x0, y1 - shift[1] - y0))
            if away <= reach:
                close.append((away, i, j))
    pairs: list[tuple[int, int, float]] = []
    for away, i, j in sorted(close):
        if all(i != a and j != b for a, b, _ in pairs):
            pairs.append((i, j, away))
    return pairs


def drift(before: Sequence[Die], after: Sequence[Die]) -> tuple[float, float]:
    """By how much the whole picture moved (a camera in a hand): the median way of the dice that are still recognised."""
    pairs = _pairs(before, after, 0.8 * size(before), (0.0, 0.0))
    if not pairs:
        return 0.0, 0.0
    ways = [np.subtract(_place(after[j]), _place(before[i])) for i, j, _ in pairs]
    x, y = np.median(np.array(ways), axis=0)
    return float(x), float(y)


def compare(before: Reading, after: Reading, handheld: bool = False) -> Comparison:
    """What changed between two readings; handheld: the camera itself may have moved a little."""
    shift = drift(before.dice, after.dice) if handheld else (0.0, 0.0)
    pairs = _pairs(before.dice, after.dice, SAME_PLACE * size(before.dice), shift)
    turned = sum(before.dice[i].value != after.dice[j].value for i, j, _ in pairs)
    return Comparison(len(pairs), turned, len(after.dice) - len(pairs), len(before.dice) - len(pairs))


def stayed(
    before: Sequence[Die], after: Sequence[Die], reach: float | None = None, shift: tuple[float, float] = (0.0, 0.0)
) -> list[bool]:
    """For each later die whether a die of the same value lay in its place before; the picture moved by `shift` meanwhile (pixels).

    reach: pixels within which it is its place, None: a part of a die.
    """
    reach = SAME_PLACE * size(before) if reach is None else reach
    same = {j for i, j, _ in _pairs(before, after, reach, shift) if before[i].value == after[j].value}
    return [j in same for j in range(len(after))]


def voted(readings: Sequence[Reading]) -> Reading:
    """One reading out of several of the same dice at rest: certain only where most are and no two contradict each other."""
    verdicts = Counter(reading.verdict for reading in readings)
    most, times = verdicts.most_common(1)[0]
    base = next(reading for reading in reversed(readings) if reading.verdict == most)
    seen: list[list[Die]] = [[] for _ in base.dice]
    for reading in readings:
        shift = drift(reading.dice, base.dice)
        for i, j, _ in _pairs(reading.dice, base.dice, SAME_PLACE * size(base.dice), shift):
            seen[j].append(reading.dice[i])
    dice = tuple(_agreed(looks) if looks else die for looks, die in zip(seen, base.dice, strict=True))
    split = any(len({look.value for look in looks}) > 1 for looks in seen)
    doubtful = split or times * 3 < 2 * len(readings)
    if most == Verdict.SURE and doubtful:
        return replace(base, dice=dice, verdict=Verdict.ASK, why="looks at different moments disagree")
    return replace(base, dice=dice)


def _agreed(looks: Sequence[Die]) -> Die:
    """The die as several looks have it: the mean of what they hold likely, the place of the last."""
    chances: dict[int, float] = {}
    for look in looks:
        for face, p in look.likely:
            chances[face] = chances.get(face, 0.0) + p / len(looks)
    likely = tuple(sorted(chances.items(), key=lambda pair: -pair[1])[:2])
    values = Counter(look.value for look in looks)
    value = values.most_common(1)[0][0]
    right = [look.confidence for look in looks if look.value == value]
    confidence = float(np.mean(right)) * len(right) / len(looks)
    return replace(looks[-1], value=value, confidence=confidence, likely=likely or looks[-1].likely)


def came_and_went(before: Sequence[Die], now: Sequence[Die], change: Change, scale: float) -> tuple[list[Die], int]:
    """The dice that are new since a scene, and how many of its dice are gone; scale: small pixels per pixel of the frame.

    A place may look changed and hold the same die, in another light, say; and what lies in an unchanged place was there.
    """
    there, left = stayed(before, now), stayed(now, before)
    new = [die for die, same in zip(now, there, strict=True) if not same and change.touched(die, scale)]
    gone = sum(not same and change.touched(die, scale) for die, same in zip(before, left, strict=True))
    return new, gone


def taken_out(new: int, gone: int, hand: bool, expect: int) -> bool:
    """Whether dice were rather taken out, by a hand that pushed the last ones about, than thrown. hand: one was over the bowl."""
    return gone >= TAKEN and (new <= 2 or (hand and new < gone and 2 * new <= expect))

"""The dice of one throw held against each other: they are of one set, and what differs from all the others may be no die."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
import numpy.typing as npt

from vision.confidence import logit
from vision.pips import INNER, PipCount, median_colour
from vision.reading import Die, Found, Frame

SIZE_COUNTS = 3.0
ALIKE_SIZE = 0.3
"""Dice of one set differ by less in the logarithm of their edges in the picture."""
OF_ONE_SET, OF_ANOTHER = 14.0, 40.0
"""Distances in Lab (as `body_of` has it): within the first bodies are of one set of dice, beyond the second one is not of the others' set."""
MANY = 3
"""So many dice tell what the dice of a throw are like."""
FAINT = 0.25
"""Pips that differ from their die by less than this part of what the others' do: a mirror image in the glaze, not a die."""
IMAGE_PIPS, IMAGE_BODY = 0.5, 0.55
"""A mirror image lies over the glaze like a veil: its pips differ from it, and it from the empty bowl, by less than these parts of what the others' do; of some 2,900 dice of sure throws none did both."""
LAMPLIT = 30.0
"""So much lightness, halved, a lamp may add to one die of a set."""
RED, PALE = 16.0, 5.0
"""Steps of Lab's a by which pips are redder than their die: from which they are red, below which they are not."""
LEGIBLE_FOUR = 0.75
"""A red 4 read with this confidence says that the 4 of these dice is red."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A place that may be a die: the die as it would be told, how likely it is one, its edge in pixels, its body's colour, and what was seen of it; motley: its pips have several colours."""

    die: Die
    presence: float
    edge: float
    body: tuple[float, float, float]
    found: Found
    count: PipCount
    red: float
    motley: bool


def alike(seen: Sequence[Seen]) -> list[Seen]:
    """The dice of one table are alike: what is of another size or colour, or lies within another die, is less likely one."""
    if len(seen) < 2:
        return list(seen)
    sizes = np.log([s.edge for s in seen])
    weight = np.array([s.presence * s.die.confidence for s in seen])
    near = np.abs(sizes[:, None] - sizes[None]) < 0.35
    usual = sizes[int(np.argmax((near * weight[None]).sum(1)))]
    bodies = np.array([s.body for s in seen if s.die.in_bowl and s.presence > 0.8 and s.die.confidence > 0.9])
    judged = []
    for s, size in zip(seen, sizes, strict=True):
        odds = logit(s.presence) - SIZE_COUNTS * max(0.0, abs(size - usual) - 0.35)
        if len(bodies) and not s.die.in_bowl:
            odds -= max(0.0, float(np.linalg.norm(bodies - s.body, axis=1).min()) - 25.0) / 15.0
        if any(_holds(o, s) for o in seen):
            odds -= 3.0
        judged.append(replace(s, presence=1 / (1 + math.exp(-odds))))
    return judged


def of_one_set(dice: Sequence[Seen], changes: Sequence[float] = ()) -> list[Seen]:
    """The dice; where one in the bowl is not as all the others there are, that is its doubt: it may be a sweet, a mirror image, or held in a hand.

    changes: by how many grey levels each place differs from the empty bowl, where that is known.
    """
    inside = [i for i, s in enumerate(dice) if s.die.in_bowl]
    bodies = np.array([s.body for s in dice]).reshape(-1, 3)
    apart = np.linalg.norm(bodies[:, None] - bodies[None], axis=2)
    strengths = [_strength(s.die) for s in dice]
    judged = list(dice)
    for i in inside:
        s, others = dice[i], [o for o in inside if o != i]
        if s.die.doubt or len(others) < MANY:
            continue
        usual = np.median(bodies[others], axis=0)
        alike = [strengths[o] for o in others if apart[i, o] < OF_ONE_SET]
        odd = ""
        if abs(math.log(s.edge / median(dice[o].edge for o in others))) > ALIKE_SIZE:
            odd = "of another size than"
        elif _apart_in_colour(bodies[i], usual) > OF_ANOTHER and np.linalg.norm(bodies[others] - usual, axis=1).max() < OF_ONE_SET:
            odd = "of another colour than"
        elif len(alike) >= MANY and strengths[i] < FAINT * median(alike):
            odd = "its pips are much fainter than those of"
        elif changes and all(mine[i] < part * median(mine[o] for o in others) for mine, part in ((strengths, IMAGE_PIPS), (changes, IMAGE_BODY))):
            odd = "as faint as a mirror image beside"
        if odd:
            judged[i] = replace(s, die=replace(s.die, doubt=f"{s.die.value}: {odd} the other dice"))
    return judged


def _strength(die: Die) -> float:
    """By how much the usual pip differs from the die, in Lab."""
    return median(math.hypot(*pip) for pip in die.pips) if die.pips else 0.0


def _apart_in_colour(one: npt.NDArray[np.floating], other: npt.NDArray[np.floating]) -> float:
    lightness, *tint = np.abs(one - other)
    return math.hypot(max(0.0, float(lightness) - LAMPLIT), *map(float, tint))


def red_fours(dice: Sequence[Seen]) -> list[Seen]:
    """Where one 4 of a throw is red, as Chinese dice have it, a 4 that is not may be a 5 that lost its middle in a lamp's glare."""
    if not any(s.die.value == 4 and s.red >= RED and s.die.confidence >= LEGIBLE_FOUR for s in dice):
        return list(dice)
    doubt = "4 or 5: another 4 of these dice is red, this one is not"
    return [
        replace(s, die=replace(s.die, doubt=s.die.doubt or doubt)) if s.die.value == 4 and s.red < PALE else s for s in dice
    ]


def like_them(s: Seen, dice: Sequence[Seen], smaller: float = ALIKE_SIZE) -> bool:
    """Whether a place has the colour of one of these dice and its size; smaller: by how much it may be so, in the logarithm of the edge."""
    return any(
        -smaller < math.log(s.edge / d.edge) < ALIKE_SIZE and _apart_in_colour(np.array(s.body), np.array(d.body)) < OF_ANOTHER for d in dice
    )


def body_of(lab: Frame) -> tuple[float, float, float]:
    """Colour of a rectified face (8 bit Lab) without its pips, lightness halved: lamps make more difference to that."""
    lightness, a, b = median_colour(lab[INNER, INNER].astype(np.float32)).tolist()
    return 0.5 * lightness, 1.5 * a, 1.5 * b


def _holds(outer: Seen, inner: Seen) -> bool:
    x, y, w, h = outer.die.box
    if inner.die.top is None or outer.presence < inner.presence or inner.edge > 0.6 * outer.edge:
        return False
    return x <= inner.die.top[0] <= x + w and y <= inner.die.top[1] <= y + h

"""The dice of this table: shown once or twice, so that the reader knows their size and colours, and refuses what it can't read.

What is learnt only ever makes the reader more careful: a die of another size or colour is asked about, never credited.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.bowl import Bowl
from vision.likeness import PLAINLY_OTHER, likeness
from vision.reading import DiceReader, Die, Frame, Reading, Verdict

Floats = npt.NDArray[np.floating]
Lab = tuple[float, float, float]

VERSION = 1
SIZE_TOLERANCE = 1.5
"""A die this many times larger or smaller than the enrolled ones is not one of them."""
COLOUR_TOLERANCE = 45.0
"""Distance in Lab (8 bit) of a die's body from the nearest enrolled one; light changes less than another die does."""
PIP_TOLERANCE = 20.0
"""The same distance between a pip and the nearest that the table's dice have on a face of this value, each against its own body."""
PATCH = 0.5
MOST_SEEN = 1_000_000
STRANGE = 0.5
"""Confidence in what a die shows that is not one of the table's, at most."""


class EnrolError(Exception):
    """These dice can't be enrolled, or the file is no enrolment; one plain line."""


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The table's dice. size: of a die's box as a part of the rim's major axis; bodies: colours in Lab (8 bit).

    seen: how often each value 1-6 was read with certainty. pips: for each value the kinds of pips that its faces have, by how
    much they differ from their body in Lab; none for a value that was not shown, and in files of before they were kept.
    """

    size: float
    bodies: tuple[Lab, ...]
    seen: tuple[int, ...]
    pips: tuple[tuple[Lab, ...], ...] = ((),) * 6

    def as_json(self) -> dict[str, Any]:
        """What the file holds and `bobing enrol` prints."""
        return {
            "version": VERSION,
            "size": round(self.size, 4),
            "bodies": [[round(v, 1) for v in body] for body in self.bodies],
            "pips": {str(value): [[round(v, 1) for v in pip] for pip in kinds] for value, kinds in enumerate(self.pips, 1)},
            "seen": {str(value): n for value, n in enumerate(self.seen, 1)},
        }

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all; raises OSError."""
        part = path.with_name(path.name + ".part")
        part.write_text(json.dumps(self.as_json(), indent=1) + "\n", encoding="utf-8")
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Enrolment:
        """Read a file that `save` wrote; raises EnrolError, or OSError where the system keeps back what may be a good file."""
        try:
            text = json.loads(path.read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError) as fault:
            raise EnrolError(f"{path}: no such file of enrolled dice: make one with bobing enrol") from fault
        except (ValueError, RecursionError) as fault:
            raise EnrolError(f"{path}: this is no file of enrolled dice: make one with bobing enrol") from fault
        if not isinstance(text, dict) or not {"version", "size", "bodies", "seen"} <= text.keys():
            raise EnrolError(f"{path}: this is no file of enrolled dice: make one with bobing enrol")
        try:
            bodies = tuple(_colour(body) for body in text["bodies"])
            told = text.get("pips", {str(value): [] for value in range(1, 7)})
            pips = tuple(tuple(_colour(pip, -255.0) for pip in told[str(value)]) for value in range(1, 7))
            seen = tuple(_count(text["seen"][str(value)]) for value in range(1, 7))
            size = _within(text["size"], 1.0)
            if type(text["version"]) is not int or text["version"] != VERSION or not bodies or size <= 0:
                raise ValueError(size)
        except (ValueError, KeyError, TypeError, OverflowError) as fault:
            raise EnrolError(f"{path}: this file of enrolled dice can't be used: enrol again") from fault
        return cls(size, bodies, seen, pips)

    def strange(self, die: Die, frame: Frame, major: float) -> str:
        """Why this die is not one of the table's, in plain words; "" where it is."""
        times = _side(die) / (self.size * major)
        if not 1 / SIZE_TOLERANCE <= times <= SIZE_TOLERANCE:
            return "larger than this table's dice" if times > 1 else "smaller than this table's dice"
        colour = body_colour(die, frame)
        if colour is not None and min(_apart(colour, body) for body in self.bodies) > COLOUR_TOLERANCE:
            return "not of the colour of this table's dice"
        known = self.pips[die.value - 1] if die.value is not None else ()
        if known and any(min(_apart(pip, kind, 0.25) for kind in known) > PIP_TOLERANCE for pip in die.pips):
            return f"with other pips than a {die.value} of this table's dice has"
        return ""


def _within(value: object, most: float, least: float = 0.0) -> float:
    """A number from `least` to `most` as JSON has it; raises ValueError, what is not a number (NaN) included."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ValueError(value)
    return float(value)


def _colour(value: object, least: float = 0.0) -> Lab:
    if not isinstance(value, list) or len(value) != 3:
        raise ValueError(value)
    l, a, b = (_within(part, 255.0, least) for part in value)  # noqa: E741
    return l, a, b


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST_SEEN:
        raise ValueError(value)
    return value


def _side(die: Die) -> float:
    return float(np.sqrt(die.box[2] * die.box[3]))


def _apart(a: Sequence[float] | Floats, b: Sequence[float] | Floats, light: float = 0.5) -> float:
    # lightness is trusted less than colour: shadows and lamps change it
    return float(np.hypot(light * (a[0] - b[0]), np.hypot(a[1] - b[1], a[2] - b[2])))


def body_colour(die: Die, frame: Frame) -> Lab | None:
    """The colour of a die's body in Lab (8 bit): the larger of the two colours round the centre of its top face."""
    if die.top is None:
        return None
    half = max(2.0, PATCH * min(die.box[2], die.box[3]) / 2)
    x0, y0 = max(0, int(die.top[0] - half)), max(0, int(die.top[1] - half))
    cut = frame[y0 : int(die.top[1] + half) + 1, x0 : int(die.top[0] + half) + 1]
    if cut.size < 27:
        return None
    lab = cv2.cvtColor(cut, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float32)
    middle = float(np.median(lab[:, 0]))
    body = lab[np.abs(lab[:, 0] - middle) <= 30]
    l, a, b = np.median(body, axis=0)  # noqa: E741
    return float(l), float(a), float(b)


def enrol(
    shown: Sequence[Frame],
    reader: DiceReader,
    *,
    expect: int = 6,
    values: Sequence[int] | None = None,
    bowl: Bowl | None = None,
    names: Sequence[str] = (),
) -> tuple[Enrolment, tuple[str, ...]]:
    """The dice in these pictures and what is still missing, in plain lines.

    values: what each picture shows (sorted), where the operator said so: a reading that contradicts refuses the dice.
    bowl: the calibrated one. names: of the pictures, for what is wrong with one. Raises EnrolError where the pictures show another bowl, the dice can't be read or differ from one another too much to be told from other things.
    """
    seen: Counter[int] = Counter()
    doubtful: dict[int, str] = {}
    sizes: list[float] = []
    bodies: list[Lab] = []
    pips: dict[int, list[Lab]] = {value: [] for value in range(1, 7)}
    for number, frame in enumerate(shown):
        try:
            reading, major = _readable(frame, reader, expect, values, bowl, len(shown) > 1)
        except EnrolError as fault:
            raise EnrolError(f"{names[number]}: {fault}" if names else str(fault)) from fault
        for die in reading.dice:
            sizes.append(_side(die) / major)
            colour = body_colour(die, frame)
            if colour is not None:
                bodies.append(colour)
            if die.value is not None and die.doubt:
                doubtful[die.value] = die.doubt
            elif die.value is not None:
                seen[die.value] += 1
                pips[die.value] += die.pips
    if not sizes:
        raise EnrolError("no dice are seen: lay the six dice into the bowl, flat, and take the hand away")
    if max(sizes) > 2.2 * min(sizes):
        raise EnrolError("the dice seem to differ much in size: lay out this table's six dice only")
    if not bodies:
        raise EnrolError("the dice are too small in the picture to see their colour: bring the camera nearer")
    lines = [_not_known(value, doubtful.get(value)) for value in range(1, 7) if not seen[value]]
    lines += [f"one {value} is doubtful: {why}" for value, why in doubtful.items() if seen[value]]
    kinds = tuple(_kinds(pips[value], PIP_TOLERANCE / 2, 0.25) for value in range(1, 7))
    return Enrolment(float(np.median(sizes)), _kinds(bodies, COLOUR_TOLERANCE / 2), tuple(seen[v] for v in range(1, 7)), kinds), tuple(lines)


def _not_known(value: int, doubt: str | None) -> str:
    """What to do about a value that was not read with certainty; doubt: why, None where no die showed it."""
    if doubt is None:
        return f"no {value} was shown: lay out one die of each value, or give a further picture that shows a {value}"
    return f"the {value} was not read with certainty ({doubt}): turn or move that die a little, and show it once more"


def _readable(
    frame: Frame, reader: DiceReader, expect: int, values: Sequence[int] | None, bowl: Bowl | None, several: bool
) -> tuple[Reading, float]:
    """What is read in one picture, and how long its rim is; raises EnrolError where nothing can be learnt from it."""
    if bowl is not None and bowl.background is not None and likeness(bowl, frame) < PLAINLY_OTHER:
        raise EnrolError("the picture does not show the calibrated bowl where it was: calibrate on this bowl first")
    reading = reader.read(frame, expect=expect)
    _refuse_unreadable(reading, expect, values, several)
    if reading.rim is None:
        raise EnrolError("no bowl is seen: calibrate first, then lay the dice into the bowl")
    return reading, reading.rim.major


def _refuse_unreadable(reading: Reading, expect: int, values: Sequence[int] | None, several: bool) -> None:
    if reading.verdict in (Verdict.EMPTY, Verdict.JUMP, Verdict.INCOMPLETE, Verdict.COCKED):
        said = "" if values is None or reading.verdict != Verdict.INCOMPLETE else f" ({' '.join(map(str, values))} was said: one value for each die in the bowl)"
        raise EnrolError(f"lay all {expect} dice flat into the bowl: {reading.why}{said}")
    if values is not None and reading.values != tuple(sorted(values)):
        read = " ".join(map(str, reading.values))
        told = " ".join(map(str, sorted(values))) + (" in each picture" if several else "")
        if len(values) != len(reading.values):
            raise EnrolError(f"what was said to be {told} was read as {read}: say one value for each die in the bowl")
        raise EnrolError(f"what was said to be {told} was read as {read}: look whether that is what lies there; if not, these dice can't be read safely: take others")
    wrong = [die for die in reading.dice if die.doubt]
    if 2 * len(wrong) > len(reading.dice):
        raise EnrolError(
            f"these dice can't be read: {len(wrong)} of {len(reading.dice)} are doubtful; take other dice, or better light"
        )


def _kinds(colours: Sequence[Lab], within: float, light: float = 0.5) -> tuple[Lab, ...]:
    """The different colours, those within this distance together (light: what lightness counts): one for like dice, several for a mixed set."""
    kinds: list[list[Lab]] = []
    for colour in colours:
        near = next((kind for kind in kinds if _apart(colour, np.median(kind, axis=0), light) <= within), None)
        if near is None:
            kinds.append([colour])
        else:
            near.append(colour)
    middles = (np.median(kind, axis=0) for kind in kinds)
    return tuple((float(m[0]), float(m[1]), float(m[2])) for m in middles)


class EnrolledReader:
    """A reader that knows the table's dice: what does not look like one of them is asked about."""

    def __init__(self, reader: DiceReader, enrolment: Enrolment) -> None:
        self._reader = reader
        self._enrolment = enrolment

    def read(self, frame: Frame, *, expect: int = 6) -> Reading:
        """The reading, with strange dice doubted; a sure verdict becomes `ask`, the others stand."""
        reading = self._reader.read(frame, expect=expect)
        if reading.rim is None:
            return reading
        major = reading.rim.major
        strange = [self._enrolment.strange(die, frame, major) for die in reading.dice]
        if not any(strange):
            return reading
        dice = tuple(
            replace(_held_to(die, STRANGE), doubt=doubt) if doubt else die for die, doubt in zip(reading.dice, strange, strict=True)
        )
        if reading.verdict != Verdict.SURE:
            return replace(reading, dice=dice)
        times = Counter(doubt for doubt in strange if doubt)
        why = "; ".join(f"{'one is' if n == 1 else f'{n} are'} {doubt}" for doubt, n in times.items())
        return replace(reading, dice=dice, verdict=Verdict.ASK, why=why)


def _held_to(die: Die, most: float) -> Die:
    """The die with no more confidence than `most`; what it may show is less likely by as much."""
    if die.confidence <= most:
        return die
    less = most / die.confidence
    likely = tuple((value, most if value == die.value else min(p * less, most)) for value, p in die.likely)
    return replace(die, confidence=most, likely=likely)

"""Enrolled dice: what is learnt makes the reader more careful, never bolder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.enrolment import EnrolError, EnrolledReader, Enrolment, enrol
from vision.reading import Die, Frame, Reading, Rim, Verdict

RIM = Rim(200.0, 150.0, 260.0, 250.0, 0.0)
IVORY, RED = (210, 230, 240), (40, 40, 200)


def table(values: Sequence[int], colour: tuple[int, int, int] = IVORY, side: int = 20) -> tuple[Frame, Reading]:
    """A drawn picture of these dice in a row, and a reading that sees them."""
    frame = np.full((300, 400, 3), 120, np.uint8)
    dice = []
    for i, value in enumerate(values):
        x, y = 110 + 34 * i, 150
        cv2.rectangle(frame, (x - side // 2, y - side // 2), (x + side // 2, y + side // 2), colour, -1)
        cv2.circle(frame, (x, y), 2, (20, 20, 20), -1)
        box = (x - side / 2, y - side / 2, float(side), float(side))
        dice.append(Die(value, 0.99, box, (float(x), float(y)), True, False, ((value, 0.99), (value % 6 + 1, 0.01))))
    return frame, Reading(tuple(dice), RIM, Verdict.SURE, "6 dice read")


class Told:
    """A reader that says what it was told."""

    def __init__(self, *readings: Reading) -> None:
        self._readings = list(readings)

    def read(self, frame: Frame, *, expect: int = 6) -> Reading:
        """The next reading; the last one again and again."""
        return self._readings.pop(0) if len(self._readings) > 1 else self._readings[0]


def test_dice_that_show_every_face_once_are_enrolled_whole() -> None:
    frame, reading = table([1, 2, 3, 4, 5, 6])
    enrolment, missing = enrol([frame], Told(reading))
    assert missing == ()
    assert enrolment.seen == (1, 1, 1, 1, 1, 1)
    assert enrolment.size == pytest.approx(20 / 260)
    assert len(enrolment.bodies) == 1


def test_a_face_that_was_not_shown_is_asked_for_by_its_number() -> None:
    frame, reading = table([1, 2, 3, 4, 5, 5])
    _, missing = enrol([frame], Told(reading))
    assert missing == ("the 6 was not read with certainty yet: show it once more",)


def test_dice_that_are_read_wrong_are_refused() -> None:
    frame, reading = table([1, 2, 3, 4, 5, 5])
    with pytest.raises(EnrolError, match="was read as 1 2 3 4 5 5"):
        enrol([frame], Told(reading), values=[1, 2, 3, 4, 5, 6])


def test_dice_of_which_most_are_doubtful_are_refused() -> None:
    frame, reading = table([1, 2, 3, 4, 5, 6])
    doubtful = replace(reading, verdict=Verdict.ASK, dice=tuple(replace(d, doubt="4 or 6") for d in reading.dice))
    with pytest.raises(EnrolError, match="can't be read"):
        enrol([frame], Told(doubtful))


@pytest.mark.parametrize("verdict", [Verdict.EMPTY, Verdict.JUMP, Verdict.INCOMPLETE, Verdict.COCKED])
def test_dice_are_only_enrolled_flat_and_all_in_the_bowl(verdict: Verdict) -> None:
    frame, reading = table([1, 2, 3, 4, 5, 6])
    with pytest.raises(EnrolError, match="flat into the bowl"):
        enrol([frame], Told(replace(reading, verdict=verdict)))


@pytest.mark.parametrize(
    ("colour", "side", "words"), [(RED, 20, "colour"), (IVORY, 34, "larger"), (IVORY, 11, "smaller")]
)
def test_a_strange_die_among_the_tables_own_makes_the_reader_ask(
    colour: tuple[int, int, int], side: int, words: str
) -> None:
    frame, reading = table([1, 2, 3, 4, 5, 6])
    enrolment, _ = enrol([frame], Told(reading))
    other_frame, other = table([1, 2, 3, 4, 5, 6], colour, side)
    seen = EnrolledReader(Told(other), enrolment).read(other_frame)
    assert seen.verdict == Verdict.ASK
    assert words in seen.why
    assert all(die.doubt for die in seen.dice)


def test_the_tables_own_dice_are_read_as_before_and_no_verdict_becomes_bolder() -> None:
    frame, reading = table([1, 2, 3, 4, 5, 6])
    enrolment, _ = enrol([frame], Told(reading))
    dim = np.asarray(frame * 0.7, np.uint8)
    assert EnrolledReader(Told(reading), enrolment).read(dim) == reading
    for verdict in (Verdict.ASK, Verdict.JUMP, Verdict.COCKED, Verdict.INCOMPLETE):
        told = replace(reading, verdict=verdict)
        assert EnrolledReader(Told(told), enrolment).read(frame).verdict == verdict


def test_an_enrolment_comes_back_from_its_file_and_another_file_is_refused(tmp_path: Path) -> None:
    frame, reading = table([1, 2, 3, 4, 5, 6])
    enrolment, _ = enrol([frame], Told(reading))
    enrolment.save(tmp_path / "dice.json")
    assert Enrolment.load(tmp_path / "dice.json").seen == enrolment.seen
    for text in ("", "[]", "{}", '{"version":2}', "\x00"):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(EnrolError):
            Enrolment.load(tmp_path / "bad.json")
    with pytest.raises(EnrolError, match="no such file"):
        Enrolment.load(tmp_path / "none.json")

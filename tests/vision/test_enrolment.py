"""Enrolled dice: what is learnt makes the reader more careful, never bolder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.cli.enrolling import run_enrol
from device.cli.output import CallError, WorldError
from vision.bowl import Bowl
from vision.calibration import Calibration
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
    assert missing == ("no 6 was shown: lay out one die of each value, or give a further picture that shows a 6",)


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


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf"), -1, 10**400, "224", None, True, [1]], ids=lambda n: str(n)[:6])
def test_a_number_that_would_switch_the_check_off_is_refused_in_one_line(number: Any, tmp_path: Path) -> None:
    good: dict[str, Any] = {"version": 1, "size": 0.1, "bodies": [[224.5, 134.0, 140.0]], "seen": {str(v): 1 for v in range(1, 7)}}
    path = tmp_path / "dice.json"
    path.write_text(json.dumps(good))
    assert Enrolment.load(path).size == 0.1
    bad = [
        {**good, "size": number},
        {**good, "bodies": number},
        {**good, "bodies": [[224.5, 134.0, 140.0], [number, 134.0, 140.0]]},
        {**good, "bodies": [[224.5, number, 140.0]]},
        {**good, "seen": {**good["seen"], "3": number}},
        {**good, "seen": number},
        *([{**good, "version": number}] if number is not True else [{**good, "version": 1.5}]),
    ]
    for text in bad:
        path.write_text(json.dumps(text))
        with pytest.raises(EnrolError, match="enrol") as fault:
            Enrolment.load(path)
        assert len(str(fault.value).splitlines()) == 1


@pytest.mark.parametrize("change", [{"size": 0}, {"size": 1e9}, {"bodies": []}, {"bodies": [[1, 2]]}, {"bodies": [[1, 2, 256]]}, {"seen": {}}])
def test_dice_that_no_bowl_has_are_refused(change: dict[str, Any], tmp_path: Path) -> None:
    good = {"version": 1, "size": 0.1, "bodies": [[224.5, 134.0, 140.0]], "seen": {str(v): 1 for v in range(1, 7)}}
    (tmp_path / "dice.json").write_text(json.dumps({**good, **change}))
    with pytest.raises(EnrolError, match="enrol again"):
        Enrolment.load(tmp_path / "dice.json")


@given(
    st.lists(st.tuples(st.integers(1, 6), st.floats(0, 1), st.floats(0, 1), st.sampled_from([11, 20, 34])), min_size=1, max_size=6),
    st.sampled_from(Verdict),
)
def test_what_a_die_may_show_and_its_confidence_say_the_same(seen: list[tuple[int, float, float, int]], verdict: Verdict) -> None:
    enrolment = Enrolment(20 / 260, ((230.0, 128.0, 135.0),), (1,) * 6)
    frame, drawn = table([value for value, *_ in seen])
    dice = []
    for die, (value, sure, part, side) in zip(drawn.dice, seen, strict=True):
        box = (die.box[0], die.box[1], float(side), float(side))
        likely = ((value, sure), (value % 6 + 1, min(sure, (1 - sure) * part)))
        dice.append(replace(die, confidence=sure, likely=likely, box=box))
    read = EnrolledReader(Told(replace(drawn, dice=tuple(dice), verdict=verdict)), enrolment).read(frame)
    for before, after, (*_, side) in zip(dice, read.dice, seen, strict=True):
        (first, p), (_, q) = after.likely
        assert (first, p) == (after.value, after.confidence)
        assert q <= p and p + q <= 1 + 1e-9
        assert after.confidence == (before.confidence if side == 20 else min(before.confidence, 0.5))


def test_what_is_strange_of_several_dice_is_said_once_with_their_number() -> None:
    frame, reading = table([1, 2, 3, 4, 5, 6])
    enrolment, _ = enrol([frame], Told(reading))
    sizes = [34, 34, 34, 11, 20, 20]
    dice = tuple(replace(d, box=(*d.box[:2], float(n), float(n))) for d, n in zip(reading.dice, sizes, strict=True))
    why = EnrolledReader(Told(replace(reading, dice=dice)), enrolment).read(frame).why
    assert why == "3 are larger than this table's dice; one is smaller than this table's dice"


def test_dice_shown_in_another_bowl_than_the_calibrated_one_are_not_enrolled() -> None:
    frame, reading = table([1, 2, 3, 4, 5, 6])
    ours, other = (cv2.ellipse(frame.copy(), (at, (260, 250), 0), (240, 240, 240), 3) for at in ((200, 150), (230, 130)))
    empty = np.full_like(frame, 120)
    bowl = Bowl(RIM, np.asarray(cv2.ellipse(empty, ((200, 150), (260, 250), 0), (240, 240, 240), 3), np.uint8), 400, 300)
    dimmed = np.asarray(ours * 0.5, np.uint8)
    for shown in (np.asarray(ours, np.uint8), dimmed):
        enrol([shown], Told(reading), bowl=bowl)
    with pytest.raises(EnrolError, match="calibrate on this bowl"):
        enrol([np.asarray(other, np.uint8)], Told(reading), bowl=bowl)


def test_dice_too_small_to_see_their_colour_are_not_enrolled() -> None:
    frame, reading = table([1, 2, 3, 4, 5, 6])
    blind = replace(reading, dice=tuple(replace(d, top=None) for d in reading.dice))
    with pytest.raises(EnrolError, match="too small"):
        enrol([frame], Told(blind))


@pytest.mark.parametrize("values", ["", " ", ",", " , ", "0", "7", "1,2,x", "-1"])
def test_values_that_are_none_are_a_wrong_call(values: str, tmp_path: Path) -> None:
    with pytest.raises(CallError, match="say what the dice show"):
        run_enrol([str(tmp_path / "none.png")], str(tmp_path / "dice.json"), None, values, True)


def test_another_bowls_calibration_of_the_same_size_is_refused_by_the_command(pictures: Path, tmp_path: Path) -> None:
    folder = pictures / "sim-dev"
    for set_up in ("s00", "s03"):
        rim = Rim(**json.loads((folder / f"{set_up}.json").read_text())["bowl"]["rim_ellipse"])
        empty = np.asarray(cv2.imread(str(folder / f"{set_up}_empty1.jpg")), np.uint8)
        Calibration(rim, empty, 90, ("clear",)).save(tmp_path / set_up)
    thrown = next(t for t in map(json.loads, (p.read_text() for p in sorted(folder.glob("s00_t??.json")))) if t["readable"] and t["all_in_bowl"])
    out = tmp_path / "dice.json"
    with pytest.raises(WorldError, match="calibrate on this bowl"):
        run_enrol([str(folder / thrown["image"])], str(out), str(tmp_path / "s03"), None, True)
    assert not out.exists()
    assert run_enrol([str(folder / thrown["image"])], str(out), str(tmp_path / "s00"), None, True) == 0


RED_PIP, BLACK_PIP = (-120.0, 50.0, 25.0), (-180.0, 0.0, -5.0)


def with_pips(reading: Reading, pips: dict[int, tuple[float, float, float]]) -> Reading:
    dice = tuple(replace(die, pips=(pips.get(die.value or 0, BLACK_PIP),) * (die.value or 0)) for die in reading.dice)
    return replace(reading, dice=dice)


CHINESE = {1: RED_PIP, 4: RED_PIP}


@pytest.mark.parametrize("value", range(1, 7))
def test_a_face_with_other_pips_than_this_tables_dice_have_there_is_asked_about(value: int) -> None:
    """A red 4 with a red crumb in its middle is no black 5 of these dice, a black 4 no red one."""
    frame, drawn = table([1, 2, 3, 4, 5, 6])
    own = with_pips(drawn, CHINESE)
    enrolment, _ = enrol([frame], Told(own))
    assert EnrolledReader(Told(own), enrolment).read(frame) == own
    for other in (BLACK_PIP if value in CHINESE else RED_PIP, (120.0, 0.0, 0.0), (-60.0, -40.0, 40.0)):
        seen = EnrolledReader(Told(with_pips(drawn, {**CHINESE, value: other})), enrolment).read(frame)
        assert seen.verdict == Verdict.ASK
        assert seen.why == f"one is with other pips than a {value} of this table's dice has"
        assert [bool(die.doubt) for die in seen.dice] == [die.value == value for die in seen.dice]


def test_one_strange_pip_among_a_faces_own_is_enough() -> None:
    frame, drawn = table([1, 2, 3, 4, 5, 6])
    own = with_pips(drawn, CHINESE)
    enrolment, _ = enrol([frame], Told(own))
    dice = tuple(replace(d, pips=(*d.pips[:-1], RED_PIP)) if d.value == 5 else d for d in own.dice)
    assert EnrolledReader(Told(replace(own, dice=dice)), enrolment).read(frame).verdict == Verdict.ASK


def test_pips_are_no_doubt_in_weaker_light_nor_where_their_face_was_not_shown() -> None:
    frame, drawn = table([1, 2, 3, 4, 5, 5])
    enrolment, _ = enrol([frame], Told(with_pips(drawn, CHINESE)))
    _, later = table([1, 2, 3, 4, 5, 6])
    dim = {value: (0.7 * l, 0.8 * a, 0.8 * b) for value in range(1, 6) for l, a, b in [CHINESE.get(value, BLACK_PIP)]}  # noqa: E741
    seen = with_pips(later, {**dim, 6: (90.0, 0.0, 0.0)})
    assert EnrolledReader(Told(seen), enrolment).read(frame) == seen


def test_pips_come_back_from_the_file_and_files_from_before_they_were_kept_still_count(tmp_path: Path) -> None:
    frame, drawn = table([1, 2, 3, 4, 5, 6])
    enrolment, _ = enrol([frame], Told(with_pips(drawn, CHINESE)))
    path = tmp_path / "dice.json"
    enrolment.save(path)
    assert Enrolment.load(path).pips == enrolment.pips
    told = json.loads(path.read_text())
    for bad in ([[float("nan"), 0, 0]], [[0, 0]], [[0, 0, 256]], 7, None):
        path.write_text(json.dumps({**told, "pips": {**told["pips"], "3": bad}}))
        with pytest.raises(EnrolError, match="enrol again"):
            Enrolment.load(path)
    del told["pips"]
    path.write_text(json.dumps(told))
    assert Enrolment.load(path).pips == ((),) * 6

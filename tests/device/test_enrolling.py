"""`bobing enrol` says of each value what is so: never shown, shown and doubtful, or mistyped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli.calibrating import rests
from device.cli.enrolling import run_enrol
from device.cli.output import CallError
from vision.enrolment import EnrolError, enrol
from vision.reading import Die, Frame, Reading, Rim, Verdict

RIM = Rim(200.0, 150.0, 260.0, 250.0, 0.0)
FRAME: Frame = np.full((300, 400, 3), 120, np.uint8)


class Lying:
    """A reader before which dice of these values lie, some of them in doubt."""

    def __init__(self, values: Sequence[int], doubtful: Sequence[int] = ()) -> None:
        self.values, self.doubtful = values, doubtful

    def read(self, frame: Frame, *, expect: int = 6) -> Reading:
        """What lies there, of which `expect` should."""
        dice = tuple(
            Die(v, 0.99, (100.0 + 30 * n, 140.0, 20.0, 20.0), (110.0 + 30 * n, 150.0), True, False, ((v, 0.99),))
            for n, v in enumerate(self.values)
        )
        dice = tuple(replace(die, doubt="5 or 6") if die.value in self.doubtful else die for die in dice)
        verdict = Verdict.INCOMPLETE if len(dice) < expect else Verdict.SURE
        return Reading(dice, RIM, verdict, f"{len(dice)} of {expect} dice seen")


@pytest.mark.parametrize("never", range(1, 7))
def test_a_value_that_was_never_shown_is_called_that_and_no_once_more_is_asked_of_it(never: int) -> None:
    values = [v for v in range(1, 7) if v != never]
    _, (told,) = enrol([FRAME], Lying([*values, values[0]]))
    assert told.startswith(f"no {never} was shown") and "once more" not in told


@pytest.mark.parametrize("doubtful", range(1, 7))
def test_a_value_that_was_shown_but_is_in_doubt_is_asked_for_once_more_with_the_doubt(doubtful: int) -> None:
    _, (told,) = enrol([FRAME], Lying(range(1, 7), [doubtful]))
    assert told.startswith(f"the {doubtful} was not read with certainty (5 or 6)") and "once more" in told


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ((1, 1, 2, 3, 4, 4), "look whether that is what lies there"),
        ((1, 2, 3), "one value for each die in the bowl"),
        ((1, 2, 3, 4, 5, 6, 6), "one value for each die in the bowl"),
    ],
)
def test_values_that_were_mistyped_are_told_beside_what_lies_there(said: tuple[int, ...], words: str) -> None:
    with pytest.raises(EnrolError, match=words) as refused:
        enrol([FRAME], Lying(range(1, 7)), expect=len(said), values=said)
    assert " ".join(map(str, said)) in str(refused.value)


@pytest.mark.parametrize(("typed", "wrong"), [("1,2,3,4,5,7", "7"), ("123456", "123456"), ("1.2.3", "1.2.3"), ("1,2,x", "x"), (" , ", "empty")])
def test_what_is_no_value_in_a_list_is_named(typed: str, wrong: str, tmp_path: Path) -> None:
    with pytest.raises(CallError) as refused:
        run_enrol([str(tmp_path / "none.png")], str(tmp_path / "dice.json"), None, typed, False)
    said = str(refused.value).replace(f"--values {typed}", "")
    assert wrong in said and "from 1 to 6" in said.replace("it is empty", "from 1 to 6") and "as 1,2,3,4,5,6" in said


def test_the_picture_that_shows_other_dice_than_was_said_is_named() -> None:
    class InTurn(Lying):
        def read(self, frame: Frame, *, expect: int = 6) -> Reading:
            reading = super().read(frame, expect=expect)
            self.values = (1, 1, 2, 3, 4, 5)
            return reading

    with pytest.raises(EnrolError) as refused:
        enrol([FRAME, FRAME], InTurn(range(1, 7)), values=[1, 2, 3, 4, 5, 6], names=["first.jpg", "second.jpg"])
    assert str(refused.value).startswith("second.jpg: what was said to be 1 2 3 4 5 6 in each picture was read as 1 1 2 3 4 5: ")


def test_the_picture_in_which_dice_are_missing_is_named() -> None:
    with pytest.raises(EnrolError, match=r"^only.jpg: lay all 6 dice flat into the bowl"):
        enrol([FRAME], Lying(range(1, 6)), names=["only.jpg"])


def test_pictures_are_called_as_they_were_named_and_those_of_a_folder_are_counted(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), FRAME)
    frames, names = rests([str(tmp_path / "a.png"), str(tmp_path)])
    assert len(frames) == 3
    assert names == [str(tmp_path / "a.png"), f"{tmp_path}, picture 1", f"{tmp_path}, picture 2"]

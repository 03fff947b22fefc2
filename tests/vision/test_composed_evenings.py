"""Evenings composed from the simulated camera's stills, read by the shipped reader: what a party does, each throw told once."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from composed import Piece, Show, Stage

from vision.reading import Frame


@pytest.fixture(scope="module")
def stage(pictures: Path) -> Stage:
    """A bowl whose ornament the reader takes for something that may be a die."""
    return Stage(pictures / "sim-dev", "s01")


@pytest.fixture
def show(stage: Stage) -> Show:
    """The empty bowl, watched for half a second."""
    show = Show(stage)
    show.rest([], 0.5)
    return show


def first(stage: Stage) -> list[Piece]:
    return stage.dice("t00")


def second(stage: Stage) -> list[Piece]:
    return stage.dice("t04")


def test_dice_dropped_in_one_by_one_are_one_throw(show: Show, stage: Stage) -> None:
    dice = first(stage)
    for k in range(6):
        show.roll(dice[k : k + 1], dice[:k], 0.2)
        show.rest(dice[: k + 1], 0.12)
    show.rest(dice, 0.6)
    assert show.told() == [("throw", stage.values(dice), "sure")]


def test_dice_taken_out_by_twos_and_pushed_about_are_no_throw(show: Show, stage: Stage) -> None:
    show.roll(first(stage))
    show.rest(first(stage), 0.6)
    for left in (4, 2, 0):
        show.hand_over(first(stage)[: left + 2], first(stage)[:left], seconds=0.3)
        show.rest(first(stage)[:left], 0.5)
    assert show.events() == ["throw", "cleared"]


def test_the_next_player_throws_before_the_bowl_was_seen_empty(show: Show, stage: Stage) -> None:
    show.roll(first(stage))
    show.rest(first(stage), 0.6)
    show.hand_over(first(stage), second(stage))
    show.rest(second(stage), 0.8)
    assert show.told() == [("throw", stage.values(first(stage)), "sure"), ("throw", stage.values(second(stage)), "sure")]


def test_a_jolt_long_after_a_hand_is_a_change(show: Show, stage: Stage) -> None:
    show.roll(first(stage))
    show.rest(first(stage), 0.6)
    show.hand_over(first(stage), first(stage), reach=0.6)
    show.rest(first(stage), 0.5)
    show.roll(second(stage), seconds=0.25, way=0.2)
    show.rest(second(stage), 0.8)
    assert show.events() == ["throw", "changed"]


def test_a_knock_under_a_hand_that_throws_asks(show: Show, stage: Stage) -> None:
    def knocked(frame: Frame) -> Frame:
        way = np.array([[1, 0, 38], [0, 1, 15]], np.float32)
        return np.asarray(cv2.warpAffine(frame, way, (stage.width, stage.height), borderMode=cv2.BORDER_REPLICATE), np.uint8)

    show.roll(first(stage))
    show.rest(first(stage), 0.6)
    for k in range(12):
        show.show(stage.hand(stage.picture(first(stage)), -0.5 + 0.15 * k))
    show.camera = knocked
    for k in range(12, 0, -1):
        show.show(stage.hand(stage.picture(second(stage)), -0.5 + 0.15 * k))
    show.rest(second(stage), 2.0)
    assert show.events() == ["throw", "bumped", "throw"]
    assert show.told()[-1] == ("throw", stage.values(second(stage)), "ask")


def test_a_spare_die_that_lies_beside_the_bowl_from_the_first_on_is_never_thrown(stage: Stage) -> None:
    show, spare = Show(stage), stage.dice("t03", inside=False)[:1]
    show.rest(spare, 0.6)
    for dice in (first(stage), second(stage)):
        show.roll(dice, spare)
        show.rest([*dice, *spare], 0.7)
        assert show.told()[-1] == ("throw", stage.values(dice), "sure")
        show.hand_over([*dice, *spare], spare)
        show.rest(spare, 0.6)


@pytest.mark.parametrize("hertz", [2.0, 3.0])
def test_a_lamp_that_pulses_by_two_fifths_from_the_first_picture_on_hides_no_throw(hertz: float, stage: Stage) -> None:
    show = Show(stage)
    show.lamp = lambda picture, t: np.asarray(picture * (1 + 0.4 * np.sin(2 * np.pi * hertz * t)), np.float32) if t < 0.5 else picture
    show.rest([], 0.5)
    show.roll(first(stage))
    show.rest(first(stage), 0.7)
    assert show.events() == ["throw"]

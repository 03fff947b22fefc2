"""In a small part of the light that there was when the camera was set up nothing is certain: differences of grey levels shrink with it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from composed import Show, Stage

from vision.bowl import Bowl
from vision.detector import OnnxDetector
from vision.reader import Reader
from vision.reading import Frame, Rim, Verdict

STILLS = [f"s0{i}_t0{t}" for i in range(6) for t in (0, 2)]


def bowl_of(folder: Path, still: str) -> tuple[Bowl, Frame]:
    told = json.loads((folder / f"{still}.json").read_text(encoding="utf-8"))
    rim = Rim(**{key: told["bowl"]["rim_ellipse"][key] for key in ("cx", "cy", "major", "minor", "angle_deg")})
    empty, frame = (np.asarray(cv2.imread(str(folder / f"{name}.jpg")), np.uint8) for name in (f"{told['setup']}_empty1", still))
    return Bowl(rim, empty, told["width"], told["height"]), frame


@pytest.mark.parametrize("light", [0.08, 0.14, 0.2])
def test_dice_in_a_room_that_went_dark_are_neither_sure_nor_no_dice(pictures: Path, light: float) -> None:
    """Seven or eight dice of which the light showed six were sure, and dice that it hardly showed an empty bowl."""
    eyes = OnnxDetector.load(Path(__file__).parents[2] / "models")
    said = set()
    for still in STILLS:
        bowl, frame = bowl_of(pictures / "sim-dev", still)
        said.add(Reader(eyes, bowl).read((frame * light).astype(np.uint8)).verdict)
        said.add(Reader(eyes, bowl).read((np.asarray(bowl.background) * light).astype(np.uint8)).verdict)
    assert not said & {Verdict.SURE, Verdict.EMPTY, Verdict.JUMP}


@pytest.mark.parametrize("light", [2.5, 4.0])
def test_dice_in_a_bowl_that_a_lamp_whitens_out_are_never_no_dice(pictures: Path, light: float) -> None:
    """White porcelain that is cut off hides white dice, and was called an empty bowl."""
    eyes = OnnxDetector.load(Path(__file__).parents[2] / "models")
    said = set()
    for still in STILLS:
        bowl, frame = bowl_of(pictures / "sim-dev", still)
        said.add(Reader(eyes, bowl).read(np.clip(frame.astype(np.float32) * light, 0, 255).astype(np.uint8)).verdict)
    assert Verdict.EMPTY not in said


@pytest.mark.parametrize("light", [0.3, 0.42])
def test_in_half_the_light_dice_are_not_sure_and_an_empty_bowl_is_still_seen_to_be_empty(pictures: Path, light: float) -> None:
    """Or the next throw would be told as the last one moved: nobody saw the bowl empty between them."""
    eyes = OnnxDetector.load(Path(__file__).parents[2] / "models")
    said, empty = set(), []
    for still in STILLS:
        bowl, frame = bowl_of(pictures / "sim-dev", still)
        said.add(Reader(eyes, bowl).read((frame * light).astype(np.uint8)).verdict)
        empty.append(Reader(eyes, bowl).read((np.asarray(bowl.background) * light).astype(np.uint8)).verdict)
    assert not said & {Verdict.SURE, Verdict.EMPTY, Verdict.JUMP}
    assert empty.count(Verdict.EMPTY) >= 0.9 * len(empty)


@pytest.mark.parametrize("name", ["s01", "s03"])
@pytest.mark.parametrize("light", [0.3, 0.42, 1.3, 2.4])
def test_in_another_light_than_the_calibrations_the_next_throw_is_not_the_last_one_moved(pictures: Path, light: float, name: str) -> None:
    stage = Stage(pictures / "sim-dev", name)
    show = Show(stage)
    show.lamp = lambda picture, _: np.asarray(picture * light, np.float32)
    one, other = stage.dice("t00"), stage.dice("t04")
    show.rest([], 1.0)
    show.roll(one)
    show.rest(one, 1.5)
    show.hand_over(one, [])
    show.rest([], 1.0)
    show.roll(other)
    show.rest(other, 1.5)
    assert [event for event in show.events() if event in ("throw", "changed")] == ["throw", "throw"]

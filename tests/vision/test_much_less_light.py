"""In a small part of the light that there was when the camera was set up nothing is certain: differences of grey levels shrink with it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

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


@pytest.mark.parametrize("light", [0.08, 0.14, 0.2, 0.3, 0.42])
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

"""White dice on white porcelain change the light of half the picture: that is no hand, and a throw is told all the same.

A real still after the other, without any movement between: as quick as nobody throws, so that nothing but the stills decides.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.cli.readers import Readers
from vision.bowl import Bowl
from vision.reading import Frame, Rim
from vision.watcher import Seen, Watcher

FPS, REST_S, EMPTY_S, LATEST_S = 30.0, 2.5, 3.5, 1.2


def told(folder: Path, still: str, gain: float) -> tuple[dict[str, Any], list[Seen]]:
    """What a watcher tells of the empty bowl, these dice, and the empty bowl again, the dice in `gain` of the light; and the truth."""
    truth = json.loads((folder / f"{still}.json").read_text())
    empty, dice = (cv2.imread(str(folder / f"{name}.jpg")) for name in (f"{truth['setup']}_empty0", still))
    assert empty is not None and dice is not None
    rim = Rim(**{key: truth["bowl"]["rim_ellipse"][key] for key in ("cx", "cy", "major", "minor", "angle_deg")})
    readers = Readers(None, no_bowl=False)
    watcher = Watcher(readers.for_bowl, Bowl(rim, np.asarray(empty, np.uint8), truth["width"], truth["height"]))
    grain = [np.random.default_rng(k).integers(-2, 3, empty.shape).astype(np.float32) for k in range(8)]
    seen: list[Seen] = []
    index = 0
    for picture, seconds in ((empty * 1.0, 1.0), (dice * gain, REST_S), (empty * 1.0, EMPTY_S)):
        for _ in range(round(seconds * FPS)):
            frame: Frame = np.clip(picture + grain[index % 8], 0, 255).astype(np.uint8)
            seen += watcher.feed(frame, index, index / FPS)
            index += 1
    return truth, seen


@pytest.mark.parametrize("gain", [0.94, 1.0, 1.06])
@pytest.mark.parametrize("still", ["s01_t01", "s01_t06", "s04_t01"])
def test_dice_that_change_the_light_are_told_once_soon_and_as_no_hand(pictures: Path, still: str, gain: float) -> None:
    truth, seen = told(pictures / "sim-dev", still, gain)
    assert [s.event for s in seen if s.event != "hand"] == ["throw", "cleared"]
    throw = next(s for s in seen if s.event == "throw")
    assert throw.t <= 1.0 + LATEST_S
    assert not [s for s in seen if s.event == "hand" and s.t < throw.t]
    assert throw.reading is not None and list(throw.reading.values) == sorted(truth["expected_values"])

"""Knocks and lamps on the simulated camera's own pictures: a moved picture is noticed within three seconds, other light is not one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.bowl import Bowl
from vision.reading import Frame, Reading, Rim, Verdict
from vision.watcher import Watcher

FPS = 10
SET_UPS = ("s00", "s01", "s02", "s03", "s04", "s05")


class Empty:
    """A reader that sees an empty bowl wherever it is."""

    def read(self, frame: Frame, *, expect: int = 6) -> Reading:
        return Reading((), None, Verdict.EMPTY, "")


def told(folder: Path, name: str, change: Callable[[Frame], Frame]) -> list[tuple[str, float]]:
    """What a calibrated watcher tells, and how many seconds after the change."""
    true = json.loads((folder / f"{name}_empty0.json").read_text())["bowl"]["rim_ellipse"]
    empty, later = (np.asarray(cv2.imread(str(folder / f"{name}_empty{n}.jpg")), np.uint8) for n in (0, 1))
    height, width = empty.shape[:2]
    watcher = Watcher(lambda _: Empty(), Bowl(Rim(**true), empty, width, height))
    changed = change(later)
    seen: list[tuple[str, float]] = []
    for k in range(4 * FPS):
        frame = later if k < FPS else changed
        seen += [(s.event, (k - FPS) / FPS) for s in watcher.feed(frame, k, k / FPS)]
    return seen


def moved(shift: float, turn: float) -> Callable[[Frame], Frame]:
    def change(frame: Frame) -> Frame:
        height, width = frame.shape[:2]
        way = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
        way[0, 2] += shift * width
        return np.asarray(cv2.warpAffine(frame, way, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)

    return change


@pytest.mark.parametrize("name", SET_UPS)
@pytest.mark.parametrize(("shift", "turn"), [(0.05, 0.0), (0.0, 3.0)])
def test_a_knocked_camera_is_noticed_within_three_seconds(name: str, shift: float, turn: float, pictures: Any) -> None:
    events = [(event, after) for event, after in told(pictures / "sim-dev", name, moved(shift, turn)) if event in ("bumped", "lost")]
    assert events, "nothing was noticed"
    assert events[0][1] <= 3.0


@pytest.mark.parametrize("name", SET_UPS)
@pytest.mark.parametrize("light", [0.6, 1.4])
def test_another_light_is_no_knock(name: str, light: float, pictures: Any) -> None:
    def change(frame: Frame) -> Frame:
        return np.clip(frame.astype(np.float32) * light, 0, 255).astype(np.uint8)

    assert [event for event, _ in told(pictures / "sim-dev", name, change) if event in ("bumped", "lost", "throw")] == []

"""`bobing calibrate` says what a quality is made of: whatever is missing is told, and what takes most of it first."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli.calibrating import run_calibrate
from vision.calibration import calibrate
from vision.reading import Frame


def bowl(lip: int = 215, table: int = 80, glare: int = 0, size: float = 1.0) -> Frame:
    """A porcelain bowl on a plain table, with a lamp in it where glare (pixels) is given."""
    frame = np.full((360, 640, 3), table, np.uint8)
    for scale, light in ((1.0, lip), (0.96, lip - 8)):
        cv2.ellipse(frame, ((320.0, 180.0), (304 * scale * size, 286 * scale * size), 20.0), (light, light, light), -1)
    if glare:
        cv2.circle(frame, (330, 190), glare, (255, 255, 255), -1)
    return np.asarray(cv2.GaussianBlur(frame, (3, 3), 0), np.uint8)


FAULTS: dict[str, tuple[str, Callable[[], Frame]]] = {
    "a table as light as the bowl": ("rim", lambda: bowl(table=210)),
    "a lamp in the bowl": ("glare", lambda: bowl(glare=50)),
    "a camera far away": ("size", lambda: bowl(size=0.6)),
    "a dark room": ("exposure", lambda: bowl(lip=42, table=8)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_costs_most_of_the_quality_is_told_first_in_both_languages(fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, make = FAULTS[fault]
    cv2.imwrite(str(tmp_path / "empty.png"), make())
    made = calibrate([make()])
    assert made.costliest is not None and made.costliest.key == key and not made.costliest.good
    # no point is lost that no line answers for
    assert abs(made.quality - 100 * math.prod(mark.share for mark in made.marks)) <= 1
    assert made.costliest.zh and made.costliest.zh != made.costliest.en
    assert run_calibrate([str(tmp_path / "empty.png")], str(tmp_path / "bowl.calibration"), False) == 0
    said = capsys.readouterr().out.splitlines()
    assert f"quality {made.quality} of 100" in said[0]
    assert said[1] == f"  costs most: {made.costliest.en}"
    assert not any(line.startswith("  costs most") for line in said[2:])


def test_a_view_from_which_nothing_is_missing_costs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "empty.png"), bowl())
    for as_json in (False, True):
        assert run_calibrate([str(tmp_path / "empty.png")], str(tmp_path / "bowl.calibration"), as_json) == 0
    *said, told = capsys.readouterr().out.splitlines()
    assert "quality 100 of 100" in said[0] and not any("costs" in line for line in said)
    assert all(mark["good"] and mark["share"] == 1 for mark in json.loads(told)["marks"])

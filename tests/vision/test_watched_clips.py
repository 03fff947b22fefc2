"""Recordings watched from end to end: simulated clips with exact truth, real ones with labels by eye."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from device.cli.readers import Readers
from device.sources import open_source
from vision.reading import Verdict
from vision.watcher import Seen

LATEST = 15
"""Frames after the first in which the dice lie still and no hand is seen, by which a throw must be told."""
LABEL_SLACK = 4
REAL = {
    "ImCiechaN_Dice_detection__test10es.mp4": 3,
    "ImCiechaN_Dice_detection__test11ess.mp4": 3,
    "ImCiechaN_Dice_detection__test5black.mp4": 3,
    "no-creative-name_DiceDetection__dice.mp4": 2,
}


def watched(path: Path, no_bowl: bool) -> list[Seen]:
    """Everything that the watcher tells of a recording, without a calibration."""
    readers = Readers(None, no_bowl)
    source = open_source(str(path), lambda: 0.0)
    seen: list[Seen] = []
    watcher = None
    for shot in source:
        watcher = watcher or readers.watcher(shot.frame, 6)
        seen += watcher.feed(shot.frame, shot.index, shot.t)
    source.close()
    return seen


@pytest.mark.parametrize("clip", ["c00", "c01", "c02", "c03"])
def test_a_simulated_throw_is_told_once_in_time_and_never_silently_wrong(pictures: Path, clip: str) -> None:
    truth: dict[str, Any] = json.loads((pictures / "sim-dev" / f"{clip}.json").read_text())
    seen = watched(pictures / "sim-dev" / f"{clip}.mp4", no_bowl=False)
    throws = [s for s in seen if s.event == "throw"]
    assert len(throws) == 1
    assert truth["first_rest_frame"] <= throws[0].frame <= truth["first_rest_unoccluded_frame"] + LATEST
    reading = throws[0].reading
    assert reading is not None
    assert reading.verdict != Verdict.SURE or reading.values == tuple(truth["expected_values"])
    found = [s for s in seen if s.event == "found"]
    assert len(found) == (1 if truth["previous_values"] else 0)


@pytest.mark.parametrize("name", REAL)
def test_every_rest_of_a_real_clip_is_told_and_none_invented(pictures: Path, name: str) -> None:
    labels = next(c for c in json.loads((pictures / "real" / "clips.json").read_text()) if c["file"].endswith(name))
    rests = labels.get("rests") or [
        {"frames": [labels["settled_frame"], labels["n_frames"]], "values": labels["final"]}
    ]
    throws = [s for s in watched(pictures / "real" / "clips" / name, no_bowl=True) if s.event == "throw"]
    assert len(throws) == len(rests)
    for throw, rest in zip(throws, rests, strict=True):
        assert rest["frames"][0] - LABEL_SLACK <= throw.frame <= rest["frames"][0] + LATEST + LABEL_SLACK
        assert throw.reading is not None
        assert throw.reading.verdict != Verdict.SURE or throw.reading.values == tuple(sorted(rest["values"]))

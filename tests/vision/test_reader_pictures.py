"""The shipped model on a dozen small made pictures (models/training/cheap, seed 4242: not among those it was trained on)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.bowl import Bowl
from vision.detector import OnnxDetector
from vision.reader import Reader
from vision.reading import Frame, Reading, Rim, Verdict

HERE = Path(__file__).parent / "small_pictures"
TRUTH: list[dict[str, Any]] = json.loads((HERE / "truth.json").read_text(encoding="utf-8"))
PLAIN = [t for t in TRUTH if t["plain"]]


@pytest.fixture(scope="module")
def readings() -> dict[str, Reading]:
    detector = OnnxDetector.load(Path(__file__).parents[2] / "models")
    answers = {}
    for told in TRUTH:
        frame: Frame = np.asarray(cv2.imread(str(HERE / told["image"])), np.uint8)
        bowl = Bowl(Rim(**told["rim"]), None, frame.shape[1], frame.shape[0])
        answers[told["image"]] = Reader(detector, bowl).read(frame)
    return answers


@pytest.mark.parametrize("told", TRUTH, ids=lambda t: t["image"])
def test_a_sure_reading_is_right(readings: dict[str, Reading], told: dict[str, Any]) -> None:
    reading = readings[told["image"]]
    if reading.verdict == Verdict.SURE:
        assert list(reading.values) == told["values"]


def test_most_plain_throws_are_read_surely(readings: dict[str, Reading]) -> None:
    sure = [t for t in PLAIN if readings[t["image"]].verdict == Verdict.SURE]
    assert len(sure) >= 0.6 * len(PLAIN)


def test_a_die_beside_the_bowl_is_a_jump(readings: dict[str, Reading]) -> None:
    assert [readings[t["image"]].verdict for t in TRUTH if t["out"]] == [Verdict.JUMP]


def test_no_plain_throw_has_a_jump(readings: dict[str, Reading]) -> None:
    assert not [t["image"] for t in PLAIN if readings[t["image"]].verdict == Verdict.JUMP]


def test_an_empty_bowl_is_never_sure(readings: dict[str, Reading]) -> None:
    assert all(readings[t["image"]].verdict != Verdict.SURE for t in TRUTH if t["request"] == "empty")


def test_the_same_frame_is_read_alike_again(readings: dict[str, Reading]) -> None:
    told = PLAIN[0]
    frame: Frame = np.asarray(cv2.imread(str(HERE / told["image"])), np.uint8)
    bowl = Bowl(Rim(**told["rim"]), None, frame.shape[1], frame.shape[0])
    again = Reader(OnnxDetector.load(Path(__file__).parents[2] / "models"), bowl).read(frame)
    assert again == readings[told["image"]]

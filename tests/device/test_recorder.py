"""A recording of a table: its video can be watched again, its truth is what people confirmed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_talk import give, started

from device.errors import Fault
from device.recorder import TRUTH, VIDEO, Recorder
from device.shots import Shot
from device.sources import open_source
from device.table import Sighting, Table
from vision.reading import Frame


def picture(number: int) -> Frame:
    frame = np.full((48, 64, 3), 40, np.uint8)
    frame[10:20, number % 50 : number % 50 + 8] = 220
    return frame


def test_frames_and_confirmed_throws_are_kept_and_the_video_can_be_watched_again(
    make: Callable[..., Table], tmp_path: Path
) -> None:
    table = started(make())
    recorder = Recorder(tmp_path / "trouble")
    recorder.follow(table)
    for n in range(40):
        recorder.see(Shot(n, n / 30, picture(n)))
        if n == 10:
            table.saw(Sighting("throw", (1, 2, 4, 4, 4, 4), True, {}))
            recorder.note()
        if n == 25:
            give(table, "correct", throw=1, dice=[4, 4, 4, 1, 2, 3])
            recorder.note()
    assert recorder.close() == 1
    text = json.loads((tmp_path / "trouble" / TRUTH).read_text())
    assert text["throws"] == [{"frame": 11, "values": [1, 2, 3, 4, 4, 4], "jump": False, "corrected": True}]
    assert (text["frames"], text["size"], len(text["times"])) == (40, [64, 48], 40)
    shots = list(open_source(str(tmp_path / "trouble" / VIDEO), lambda: 0.0))
    assert len(shots) == 40
    assert np.abs(shots[20].frame.astype(int) - picture(20)).mean() < 8


def test_a_full_recording_and_a_changed_size_end_the_video_and_not_the_game(tmp_path: Path) -> None:
    for n, (full, after) in enumerate([(True, 0), (False, 4)]):
        recorder = Recorder(tmp_path / str(n), most=0.16 if full else 600.0)
        for k in range(9 if full else 5):
            recorder.see(Shot(k, 51_000 + k / 30, picture(k)))
        recorder.see(Shot(9, 51_000.3, np.zeros((20, 20, 3), np.uint8)))
        for k in range(after):
            recorder.see(Shot(10 + k, 51_001 + k / 30, picture(k)))
        assert recorder.close() == 0
        assert json.loads((tmp_path / str(n) / TRUTH).read_text())["frames"] == 5


def test_a_recording_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / VIDEO).write_bytes(b"an earlier evening")
    with pytest.raises(Fault, match="another folder"):
        Recorder(tmp_path)


def test_a_folder_that_can_not_be_written_is_said_in_one_line(read_only_folder: Path) -> None:
    with pytest.raises(Fault, match="can't be written"):
        Recorder(read_only_folder / "trouble")


@pytest.mark.parametrize("fps", [5, 12.5, 15, 30, 60])
def test_ten_minutes_are_ten_minutes_and_the_video_tells_its_rate_at_every_rate_of_a_camera(tmp_path: Path, fps: float) -> None:
    recorder = Recorder(tmp_path, most=2.0)
    for n in range(round(4 * fps)):
        recorder.see(Shot(n, 51_000 + n / fps, picture(n)))
    recorder.close()
    text = json.loads((tmp_path / TRUTH).read_text())
    assert text["frames"] == pytest.approx(2 * fps, abs=1)
    assert text["fps"] == pytest.approx(fps, rel=0.01)
    video = cv2.VideoCapture(str(tmp_path / VIDEO))
    assert video.get(cv2.CAP_PROP_FPS) == pytest.approx(fps, rel=0.01)
    assert video.get(cv2.CAP_PROP_FRAME_COUNT) == text["frames"]


def recorded(folder: Path, times: list[float]) -> list[float]:
    """The times of a recording of frames that came at these; returns what was written."""
    recorder = Recorder(folder)
    for n, t in enumerate(times):
        recorder.see(Shot(n, t, picture(n)))
    recorder.close()
    written: list[float] = json.loads((folder / TRUTH).read_text())["times"]
    return written


@settings(max_examples=30, deadline=None)
@given(apart=st.lists(st.floats(0.001, 3.0), min_size=1, max_size=40), begin=st.floats(0, 1e6))
def test_frames_of_a_recording_have_the_times_at_which_they_were_taken_however_irregular(apart: list[float], begin: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        times = [begin + sum(apart[:n]) for n in range(len(apart) + 1)]
        recorded(folder, times)
        for source in (VIDEO, TRUTH):
            shots = list(open_source(str(folder / source), lambda: 0.0))
            assert [shot.t for shot in shots] == pytest.approx([t - begin for t in times], abs=1e-5)


def test_a_source_that_begins_anew_goes_on_in_the_recording(tmp_path: Path) -> None:
    times = recorded(tmp_path, [0.0, 0.1, 0.2, 0.0, 0.1])
    assert times == pytest.approx([0.0, 0.1, 0.2, 0.2, 0.3])


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        {"times": "soon"},
        {"times": [0.0] * 12},
        {"times": [0.0, 0.1, 0.2]},
        {"times": [n / 30 for n in range(12, 0, -1)]},
        {"times": [n / 30 for n in range(11)] + [float("nan")]},
        {"times": [n / 30 for n in range(11)] + [True]},
        {"times": [n / 30 for n in range(11)] + [None]},
    ],
)
def test_times_that_are_damaged_or_of_another_video_are_said_in_one_line_and_the_rate_of_the_file_is_taken(
    tmp_path: Path, damaged: bytes | dict[str, Any]
) -> None:
    recorded(tmp_path, [n / 10 for n in range(12)])
    (tmp_path / TRUTH).write_bytes(damaged if isinstance(damaged, bytes) else json.dumps(damaged).encode())
    said: list[Fault] = []
    shots = list(open_source(str(tmp_path / VIDEO), lambda: 0.0, told=said.append))
    assert [shot.t for shot in shots] == pytest.approx([n / 10 for n in range(12)], rel=0.01)
    (fault,) = said
    assert "\n" not in fault.en and "rate" in fault.en


@pytest.mark.parametrize("other", [None, {"fps": 10}, [], 3])
def test_a_video_without_times_beside_it_is_taken_at_its_rate_and_nothing_is_said(tmp_path: Path, other: object) -> None:
    recorded(tmp_path, [n / 10 for n in range(12)])
    if other is None:
        (tmp_path / TRUTH).unlink()
    else:
        (tmp_path / TRUTH).write_text(json.dumps(other))
    said: list[Fault] = []
    shots = list(open_source(str(tmp_path / VIDEO), lambda: 0.0, told=said.append))
    assert shots[10].t == pytest.approx(1.0, rel=0.01)
    assert said == []


def test_throws_from_before_the_recording_or_after_its_end_are_no_part_of_its_truth(make: Callable[..., Table], tmp_path: Path) -> None:
    table = started(make())
    table.saw(Sighting("throw", (1, 2, 4, 4, 4, 4), True, {}))
    table.saw(Sighting("cleared"))
    recorder = Recorder(tmp_path / "trouble", most=1.0)
    recorder.follow(table)
    for n in range(10):
        recorder.see(Shot(n, n / 10, picture(n)))
    table.saw(Sighting("throw", (1, 2, 3, 4, 5, 6), True, {}))
    recorder.note()
    recorder.see(Shot(10, 1.0, picture(10)))
    table.saw(Sighting("cleared"))
    table.saw(Sighting("throw", (2, 2, 3, 3, 5, 6), True, {}))
    assert table.state()["throws"] == 3
    assert recorder.close() == 1
    text = json.loads((tmp_path / "trouble" / TRUTH).read_text())
    assert [throw["values"] for throw in text["throws"]] == [[1, 2, 3, 4, 5, 6]]


def test_where_no_picture_came_no_recording_and_no_folder_is_left(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    for folder in (tmp_path / "a" / "b", tmp_path / "here"):
        recorder = Recorder(folder)
        assert recorder.close() is None
        recorder.tidy()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here"]

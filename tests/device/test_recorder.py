"""A recording of a table: its video can be watched again, its truth is what people confirmed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
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
    recorder = Recorder(tmp_path, most=5)
    for n in range(9):
        recorder.see(Shot(n, n / 30, picture(n)))
    recorder.see(Shot(9, 0.3, np.zeros((20, 20, 3), np.uint8)))
    assert recorder.close() == 0
    assert json.loads((tmp_path / TRUTH).read_text())["frames"] == 5


def test_a_recording_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / VIDEO).write_bytes(b"an earlier evening")
    with pytest.raises(Fault, match="another folder"):
        Recorder(tmp_path)


def test_a_folder_that_can_not_be_written_is_said_in_one_line(read_only_folder: Path) -> None:
    with pytest.raises(Fault, match="can't be written"):
        Recorder(read_only_folder / "trouble")

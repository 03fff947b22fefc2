"""Sources: what a word of the command line opens, what it yields, and the one line where it can't."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.errors import Fault
from device.sources import Shot, decoded, demo_calibration, demo_file, open_source, paced
from vision.calibration import Calibration
from vision.reading import Frame

FPS, LENGTH = 25, 60


class Clock:
    """A clock that only moves when it is slept on or pushed."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def picture(level: int) -> Frame:
    frame = np.full((48, 64, 3), 40, np.uint8)
    cv2.circle(frame, (10 + level % 44, 24), 8, (0, 0, 255), -1)
    return frame


def write_picture(path: Path, level: int = 0) -> Path:
    cv2.imwrite(str(path), picture(level))
    return path


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A short video of a moving disc."""
    path = tmp_path / "throw.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (64, 48))
    for n in range(LENGTH):
        writer.write(picture(n))
    writer.release()
    return path


def shots_of(spec: str) -> list[Shot]:
    source = open_source(spec, Clock())
    try:
        return list(source)
    finally:
        source.close()


def said(fault: pytest.ExceptionInfo[Fault]) -> str:
    assert "\n" not in fault.value.en
    return fault.value.en


def test_a_video_yields_every_frame_with_its_time_in_the_recording(recording: Path) -> None:
    shots = shots_of(str(recording))
    assert [shot.index for shot in shots] == list(range(LENGTH))
    assert [shot.t for shot in shots] == pytest.approx([n / FPS for n in range(LENGTH)])
    assert shots[0].frame.shape == (48, 64, 3)
    assert not open_source(str(recording), Clock()).live


def test_an_absolute_path_is_a_file_and_no_camera(recording: Path) -> None:
    assert recording.is_absolute()
    assert not open_source(str(recording), Clock()).live


def test_a_picture_is_looked_at_for_a_second(tmp_path: Path) -> None:
    shots = shots_of(str(write_picture(tmp_path / "one.png")))
    assert len(shots) >= 3
    assert 0.5 <= shots[-1].t - shots[0].t <= 1.0


def test_a_folder_is_read_in_the_order_of_names_and_other_files_are_left(tmp_path: Path) -> None:
    for name in ("b.png", "a.jpg", "c.jpeg"):
        write_picture(tmp_path / name)
    (tmp_path / "notes.txt").write_text("no picture")
    shots = shots_of(str(tmp_path))
    assert sorted({shot.index for shot in shots}) == [0, 1, 2]
    assert [shot.t for shot in shots] == sorted(shot.t for shot in shots)


def test_a_glob_takes_what_matches(tmp_path: Path) -> None:
    for name in ("s1.png", "s2.png", "t1.png"):
        write_picture(tmp_path / name)
    assert {shot.index for shot in shots_of(str(tmp_path / "s*.png"))} == {0, 1}


def test_the_demo_is_bundled_decodes_to_its_end_and_has_its_calibration() -> None:
    shots = shots_of("demo")
    assert len(shots) > 100
    assert demo_file().stat().st_size < 1_500_000
    calibration = demo_calibration()
    assert calibration is not None
    height, width = shots[0].frame.shape[:2]
    background = Calibration.load(Path(calibration)).bowl(width, height).background
    assert background is not None and background.shape == shots[0].frame.shape


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: folder / "nothing.mp4", "no such file"),
        (lambda folder: folder, "no pictures in this folder"),
        (lambda folder: folder / "*.png", "no picture matches"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(make: object, words: str, tmp_path: Path) -> None:
    assert callable(make)
    with pytest.raises(Fault) as fault:
        shots_of(str(make(tmp_path)))
    assert words in said(fault)


def test_a_picture_that_is_none_is_named_after_the_good_ones_were_read(tmp_path: Path) -> None:
    write_picture(tmp_path / "a.png")
    (tmp_path / "b.png").write_bytes(b"no picture")
    write_picture(tmp_path / "c.png")
    seen = []
    with pytest.raises(Fault) as fault:
        for shot in open_source(str(tmp_path), Clock()):
            seen.append(shot.index)
    assert "b.png" in said(fault)
    assert set(seen) == {0, 2}


def test_a_file_that_is_no_video_says_so(tmp_path: Path) -> None:
    path = tmp_path / "throw.mp4"
    path.write_bytes(b"this is no video" * 50)
    with pytest.raises(Fault) as fault:
        shots_of(str(path))
    assert "no video" in said(fault)


def test_a_truncated_video_is_played_as_far_as_it_goes_and_then_says_where_it_breaks_off(recording: Path) -> None:
    whole = recording.read_bytes()
    recording.write_bytes(whole[: len(whole) // 2])
    seen = []
    with pytest.raises(Fault) as fault:
        for shot in open_source(str(recording), Clock()):
            seen.append(shot.index)
    assert 5 < len(seen) < LENGTH
    assert "break" in said(fault)


@pytest.mark.parametrize("spec", ["97", "/dev/video-that-is-not-there"])
def test_a_camera_that_is_not_there_says_so(spec: str) -> None:
    with pytest.raises(Fault) as fault:
        open_source(spec, Clock())
    assert "plug it in" in said(fault)


def test_an_address_where_nobody_answers_says_so_without_its_password() -> None:
    with pytest.raises(Fault) as fault:
        shots_of("http://me:secret@127.0.0.1:9/video")
    assert "secret" not in said(fault)


def test_an_empty_or_broken_file_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "empty.png").touch()
    assert decoded(tmp_path / "empty.png") is None
    assert decoded(tmp_path / "missing.png") is None
    assert decoded(Path(os.devnull)) is None


def shots(*times: float) -> Iterator[Shot]:
    return (Shot(n, t, picture(n)) for n, t in enumerate(times))


def test_a_recording_at_real_time_waits_for_each_frame() -> None:
    clock = Clock()
    seen = list(paced(shots(0.0, 0.5, 1.5), clock, clock.sleep))
    assert [shot.index for shot in seen] == [0, 1, 2]
    assert clock.slept == pytest.approx([0.5, 1.0])


def test_frames_that_come_too_late_are_dropped_and_never_queued() -> None:
    clock = Clock()
    seen = []
    for shot in paced(shots(0.0, 0.1, 0.2, 0.3, 2.0), clock, clock.sleep):
        seen.append(shot.index)
        if shot.index == 1:
            clock.now += 1.0
    assert seen == [0, 1, 4]


@given(st.lists(st.floats(0.0, 0.5), min_size=30, max_size=30))
def test_where_none_may_be_lost_a_slow_machine_plays_a_recording_more_slowly_and_never_ahead_of_time(busy: list[float]) -> None:
    clock, shown = Clock(), []
    for shot, spent in zip(paced(shots(*(n / 10 for n in range(30))), clock, clock.sleep, drop=False), busy, strict=True):
        shown.append((shot.index, clock.now))
        clock.now += spent
    assert [index for index, _ in shown] == list(range(30))
    assert all(t >= shown[1][1] + (n - 1) / 10 - 1e-6 for n, t in shown[1:])


def test_no_frame_runs_by_while_everything_is_made_ready_with_the_first_one() -> None:
    clock = Clock()
    seen = []
    for shot in paced(shots(0.0, 0.1, 0.2, 0.3), clock, clock.sleep):
        seen.append(shot.index)
        if shot.index == 0:
            clock.now += 30.0
    assert seen == [0, 1, 2, 3]
    assert clock.slept == pytest.approx([0.1, 0.1, 0.1])

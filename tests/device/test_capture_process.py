"""Real capturing processes with cameras that fail: each ends in the promised state, and none outlives its source."""

from __future__ import annotations

import time
from pathlib import Path

import fake_cameras as fakes
import numpy as np
import pytest

from device.cameras import Camera, Finder
from device.capture import Capture
from device.capture_channel import ChildChannel
from device.capture_child import Opener, Wish
from device.capture_frames import MOST_HEIGHT, MOST_WIDTH, SharedFrames
from device.capture_health import Limits
from device.errors import Fault
from device.shots import Shot
from device.sources import Live, open_source

PATIENT = Limits(first_s=60.0, open_s=120.0, silent_s=60.0, frozen_s=60.0)


def capture(opener: Opener, limits: Limits = PATIENT) -> Capture:
    return Capture("camera 0", ChildChannel(opener, Wish(0)), time.monotonic, limits)


def until_lost(source: Capture) -> tuple[list[Shot], Fault]:
    shots: list[Shot] = []
    try:
        with pytest.raises(Fault) as ended:
            for shot in source:
                shots.append(shot)
    finally:
        source.close()
    return shots, ended.value


def taken(source: Capture, count: int) -> list[Shot]:
    try:
        return [shot for shot, _ in zip(source, range(count), strict=False)]
    finally:
        source.close()


def test_frames_cross_whole_and_in_order() -> None:
    shots = taken(capture(fakes.Good), 5)
    known = {fakes.scene(n).tobytes() for n in range(2000)}
    assert all(shot.frame.tobytes() in known for shot in shots)
    assert [shot.index for shot in shots] == [0, 1, 2, 3, 4]


def test_a_reader_that_is_slow_gets_the_newest_frame_and_not_the_next() -> None:
    source = capture(fakes.Good)
    numbers = {fakes.scene(n).tobytes(): n for n in range(20)}
    seen: list[int] = []
    try:
        for shot in source:
            seen.append(numbers[shot.frame.tobytes()])
            while len(seen) == 1 and not source._channel._line.poll():  # type: ignore[attr-defined]
                pass
            if len(seen) == 8:
                break
    finally:
        source.close()
    assert len(seen) == 8


def test_one_that_blocks_for_ever_is_lost_and_its_process_ends() -> None:
    source = capture(fakes.Blocking, Limits(silent_s=0.4, first_s=60.0, open_s=120.0, frozen_s=60.0))
    process = source._channel._process  # type: ignore[attr-defined]
    shots, fault = until_lost(source)
    assert shots
    assert (fault.key, "look at the cable" in fault.en) == ("camera_lost", True)
    assert not process.is_alive()


def test_one_that_blocks_while_it_opens_is_given_up_and_its_process_ends() -> None:
    source = capture(fakes.BlockingAtOnce, Limits(first_s=0.1, open_s=0.3))
    process = source._channel._process  # type: ignore[attr-defined]
    shots, fault = until_lost(source)
    assert (shots, fault.key) == ([], "no_camera")
    assert not process.is_alive()


@pytest.mark.parametrize(("opener", "word"), [(fakes.Frozen, "frozen"), (fakes.Vanishing, "cable")])
def test_one_that_repeats_a_frame_or_vanishes_is_lost(opener: Opener, word: str) -> None:
    shots, fault = until_lost(capture(opener, Limits(first_s=60.0, open_s=120.0, silent_s=60.0, frozen_s=0.4)))
    assert shots
    assert (fault.key, word in fault.en) == ("camera_lost", True)


@pytest.mark.parametrize(("opener", "word"), [(fakes.Garbage, "noise"), (fakes.Shapeless, "cable")])
def test_one_that_returns_garbage_is_lost(opener: Opener, word: str) -> None:
    _, fault = until_lost(capture(opener, Limits(first_s=60.0, open_s=120.0, silent_s=0.4, frozen_s=60.0)))
    assert (fault.key, word in fault.en) == ("camera_lost", True)


def test_one_that_changes_its_size_goes_on_and_a_huge_picture_is_made_to_fit() -> None:
    source = capture(fakes.Resizing)
    sizes: list[tuple[int, ...]] = []
    try:
        for shot in source:
            if not sizes or shot.frame.shape[:2] != sizes[-1]:
                sizes.append(shot.frame.shape[:2])
            if shot.frame.shape[1] == MOST_WIDTH:
                break
    finally:
        source.close()
    assert sizes[-2:] == [(360, 640), (MOST_HEIGHT, MOST_WIDTH)]


def test_one_that_is_not_there_is_said_so() -> None:
    shots, fault = until_lost(capture(fakes.Missing))
    assert (shots, fault.key) == ([], "no_camera")


def test_one_that_vanishes_comes_back_by_itself_under_another_index() -> None:
    plugged: list[Camera] = [Camera("usb-Lamp_0001", 0, "Lamp"), Camera("usb-Laptop_0002", 1, "Laptop")]
    asked: list[int | str] = []

    def at(opener: Opener) -> Live:
        return Live(finder=finder, opener=opener)

    finder = Finder("0", lambda: plugged)
    first = open_source("0", time.monotonic, at(fakes.Vanishing))
    asked.append(finder.find().device)
    assert isinstance(first, Capture)
    until_lost(first)
    plugged[:] = [Camera("usb-Laptop_0002", 0, "Laptop")]
    with pytest.raises(Fault) as fault:
        open_source("0", time.monotonic, at(fakes.Good))
    assert "plug it in" in fault.value.en
    plugged.append(Camera("usb-Lamp_0001", 4, "Lamp"))
    again = open_source("0", time.monotonic, at(fakes.Good))
    asked.append(finder.find().device)
    assert isinstance(again, Capture)
    assert len(taken(again, 2)) == 2
    assert asked == [0, 4]


def test_what_a_camera_holds_is_asked_of_its_process() -> None:
    source = Capture("c", ChildChannel(fakes.Good, Wish(0, locked={"focus": 30.0})), time.monotonic, PATIENT)
    held: list[dict[str, float]] = []
    try:
        for _ in source:
            if held:
                break
            source.lock(held.append)
    finally:
        source.close()
    assert held[0] == {"exposure": 120.0, "focus": 30.0}


def test_a_frame_that_a_newer_one_took_the_place_of_is_not_given() -> None:
    frames = SharedFrames()
    try:
        other = SharedFrames(frames.name)
        size = other.write(fakes.scene(0), 0)
        assert np.array_equal(frames.read(0, *size), fakes.scene(0))  # type: ignore[arg-type]
        other.write(fakes.scene(3), 3)
        assert frames.read(0, *size) is None
        other.close()
    finally:
        frames.close()


def test_the_same_camera_is_known_by_its_make_where_the_socket_is_part_of_its_name() -> None:
    cameras = [Camera("usb-port1", 0, "Lamp")]
    finder = Finder("Lamp", lambda: cameras)
    assert finder.find().device == 0
    cameras[:] = [Camera("usb-port2", 2, "Lamp"), Camera("usb-port1b", 0, "Laptop")]
    assert finder.find().device == 2
    cameras.append(Camera("usb-port3", 3, "Lamp"))
    finder = Finder("usb-port1b", lambda: cameras)
    assert finder.find().device == 0


def test_linux_names_are_taken_from_its_links(tmp_path: Path) -> None:
    from device.cameras import on_linux

    nodes, links, classes = tmp_path / "dev", tmp_path / "by-id", tmp_path / "class"
    for folder in (nodes, links, classes):
        folder.mkdir()
    for n, (name, index) in enumerate([("Laptop", 0), ("Laptop", 1), ("Lamp", 0), ("Ribbon", 0)]):
        (nodes / f"video{n}").touch()
        (classes / f"video{n}").mkdir()
        (classes / f"video{n}" / "name").write_text(name + "\n")
        (classes / f"video{n}" / "index").write_text(f"{index}\n")
    (links / "usb-Laptop-video-index0").symlink_to(nodes / "video0")
    (links / "usb-Laptop-video-index1").symlink_to(nodes / "video1")
    (links / "usb-Lamp_1-video-index0").symlink_to(nodes / "video2")
    found = on_linux(links, classes)
    assert [(c.name, c.label) for c in found] == [("usb-Laptop", "Laptop"), ("usb-Lamp_1", "Lamp"), ("video3", "Ribbon")]
    assert on_linux(tmp_path / "none", tmp_path / "nothing") == ()

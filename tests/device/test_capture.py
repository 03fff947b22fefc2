"""A live source told by a script: what comes when, with a clock that only the script moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from fake_cameras import scene
from hypothesis import given
from hypothesis import strategies as st

from device.capture import Capture
from device.capture_channel import Came, Ended, Locked
from device.capture_health import NETWORK, USB, Health, Limits
from device.capture_look import Look, is_frame, look
from device.errors import Fault
from vision.reading import Frame


class Script:
    """A channel that plays (seconds until it comes, message), and a clock; None: from then on nothing comes for ever."""

    def __init__(self, steps: Sequence[tuple[float, Any]]) -> None:
        self.steps: Iterator[tuple[float, Any]] = iter(steps)
        self.now = 50.0
        self.due: tuple[float, Any] | None = None
        self.orders: list[str] = []
        self.closed = False

    def clock(self) -> float:
        return self.now

    def receive(self, timeout: float) -> Any:
        if self.due is None:
            step = next(self.steps, None)
            self.due = (float("inf"), None) if step is None else (self.now + step[0], step[1])
        at, message = self.due
        if at > self.now + timeout:
            self.now += timeout
            return None
        self.now, self.due = at, None
        return message

    def lock(self) -> None:
        self.orders.append("lock")

    def close(self) -> None:
        self.closed = True


def came(frame: Frame) -> Came:
    return Came(frame, look(frame))


def watched(steps: Sequence[tuple[float, Any]], limits: Limits = USB) -> tuple[list[float], Fault, Script, list[Fault]]:
    """Times of the frames that came through, how it ended, the script, what was told while waiting."""
    script, times, slow = Script(steps), [], []
    capture = Capture("camera 0", script, script.clock, limits, slow.append)
    with pytest.raises(Fault) as ended:
        for shot in capture:
            times.append(shot.t - 50.0)
    assert "\n" not in ended.value.en
    return times, ended.value, script, slow


def frames(count: int, every: float = 1 / 30, begin: int = 0) -> list[tuple[float, Any]]:
    return [(every, came(scene(begin + n))) for n in range(count)]


def test_frames_come_through_with_the_time_at_which_they_came() -> None:
    times, _, _, _ = watched([*frames(3, 0.5), (0.0, Ended())])
    assert times == pytest.approx([0.5, 1.0, 1.5])


def test_a_camera_that_blocks_for_ever_is_lost_within_three_seconds() -> None:
    times, fault, script, _ = watched(frames(10))
    assert fault.key == "camera_lost"
    assert "look at the cable" in fault.en
    assert script.now - 50.0 - times[-1] <= 3.0


def test_a_camera_that_repeats_its_last_frame_for_ever_is_lost_within_three_seconds() -> None:
    again = [(1 / 30, came(scene(9)))] * 300
    _times, fault, script, _ = watched([*frames(10), *again])
    assert fault.key == "camera_lost"
    assert "frozen" in fault.en
    assert script.now - 50.0 <= 10 / 30 + 3.0


def test_a_camera_that_turns_to_noise_is_lost_within_three_seconds_and_no_noise_is_watched() -> None:
    noise = [(1 / 30, came(np.random.default_rng(n).integers(0, 255, (240, 320, 3), dtype=np.uint8))) for n in range(120)]
    times, fault, script, _ = watched([*frames(10), *noise])
    assert fault.key == "camera_lost"
    assert "noise" in fault.en
    assert len(times) == 10
    assert script.now - 50.0 <= 10 / 30 + 3.0


def test_a_camera_that_is_gone_is_told_at_once() -> None:
    _, fault, script, _ = watched([*frames(3), (0.0, Ended())])
    assert fault.key == "camera_lost"
    assert script.now - 50.0 == pytest.approx(0.1)


def test_no_camera_is_said_within_three_seconds_while_a_slow_one_is_still_waited_for() -> None:
    times, _, _script, slow = watched([(8.0, came(scene(0))), (0.0, Ended())])
    assert [fault.key for fault in slow] == ["no_camera"]
    assert times == pytest.approx([8.0])


def test_a_camera_that_never_gives_a_picture_is_given_up() -> None:
    times, fault, script, slow = watched([])
    assert times == []
    assert fault.key == "no_camera"
    assert len(slow) == 1
    assert script.now - 50.0 == pytest.approx(USB.open_s)


def test_a_covered_lens_is_not_a_frozen_picture() -> None:
    black = np.full((240, 320, 3), 3, np.uint8)
    times, fault, _, _ = watched([(0.1, came(black))] * 80 + [(0.0, Ended())])
    assert len(times) == 80
    assert "look at the cable" in fault.en


def test_a_network_camera_may_repeat_a_picture_for_some_seconds() -> None:
    times, fault, _, _ = watched([*frames(2), *[(0.1, came(scene(1)))] * 90, *frames(2, begin=5), (0.0, Ended())], NETWORK)
    assert len(times) == 94
    assert "look at the cable" in fault.en


def test_a_frame_that_was_overtaken_is_no_fault() -> None:
    times, _, _, _ = watched([*frames(2), (0.1, Came(None, look(scene(3)))), *frames(2, begin=4), (0.0, Ended())])
    assert len(times) == 4


def test_what_the_camera_holds_is_told_to_whoever_asked() -> None:
    script = Script([*frames(1), (0.0, Locked({"exposure": 120.0})), *frames(1, begin=1), (0.0, Ended())])
    capture = Capture("camera 0", script, script.clock)
    held: list[dict[str, float]] = []
    capture.lock(held.append)
    with pytest.raises(Fault):
        list(capture)
    assert script.orders == ["lock"]
    assert held == [{"exposure": 120.0}]
    capture.close()
    assert script.closed


@given(st.lists(st.tuples(st.floats(0.0, 5.0), st.sampled_from(["new", "same", "noise", "flat"])), max_size=40))
def test_whatever_comes_a_fault_is_due_exactly_when_patience_ends(steps: list[tuple[float, str]]) -> None:
    health, t, mark = Health(0.0, USB), 0.0, 0
    for wait, kind in steps:
        t += wait
        mark += kind == "new"
        if health.fault("c", t) is not None:
            return
        health.came(t, Look(mark, kind == "flat", kind == "noise"))
        assert health.patience(t) > 0
    later = t + max(USB.open_s, USB.silent_s, USB.frozen_s) + 1
    fault = health.fault("c", later)
    assert fault is not None and fault.key in ("no_camera", "camera_lost")


def test_pictures_of_real_tables_are_no_garbage(pictures: Any) -> None:
    import cv2

    for path in sorted((pictures / "sim-dev").glob("s0?_t00.jpg")):
        frame = np.asarray(cv2.imread(str(path)), np.uint8)
        assert is_frame(frame)
        assert not look(frame).garbage, path.name


@pytest.mark.parametrize("thing", [None, np.zeros((0, 7), np.uint8), np.zeros((240, 320), np.uint8), np.zeros((240, 320, 3))])
def test_what_is_no_colour_picture_is_known(thing: object) -> None:
    assert not is_frame(thing)

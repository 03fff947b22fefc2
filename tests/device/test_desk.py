"""The camera's desk: choosing, calibrating, dragging the rim, a test throw, enrolling; refusals change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.cameras import Camera
from device.desk import Desk, Doing, SetUp
from device.errors import Refused
from device.preview import MOST_VIEWERS, Preview, jpeg
from device.shots import Shot
from vision.bowl import Bowl
from vision.reading import Die, Frame, Reading, Rim, Verdict
from vision.watcher import Seen

RIM = Rim(320.0, 180.0, 300.0, 282.0, 20.0)
LAMP = Camera("usb-Lamp_1", 2, "Lamp")


def bowl_picture(shift: int = 0) -> Frame:
    """A porcelain bowl on a green table."""
    frame = np.full((360, 640, 3), (70, 95, 60), np.uint8)
    rim = ((RIM.cx + shift, RIM.cy), (RIM.major * 1.0145, RIM.minor * 1.0145), RIM.angle_deg)
    cv2.ellipse(frame, rim, (205, 212, 216), -1)
    cv2.ellipse(frame, ((RIM.cx + shift, RIM.cy), (RIM.major * 0.97, RIM.minor * 0.97), RIM.angle_deg), (200, 208, 214), -1)
    return np.asarray(cv2.GaussianBlur(frame, (3, 3), 0), np.uint8)


def six(verdict: Verdict = Verdict.SURE) -> Reading:
    dice = tuple(
        Die(v, 0.999, (230.0 + 30 * v, 170.0, 22.0, 22.0), (241.0 + 30 * v, 181.0), True, False, ((v, 0.999),)) for v in range(1, 7)
    )
    return Reading(dice, RIM, verdict, "6 dice read")


class Reader:
    """Says what the test tells it."""

    def __init__(self) -> None:
        self.reading = Reading((), RIM, Verdict.EMPTY, "empty")
        self.bowls: list[Bowl] = []

    def read(self, frame: Frame, *, expect: int = 6) -> Reading:
        return self.reading


class FakeLookout:
    """Keeps what the desk asks of it."""

    def __init__(self) -> None:
        self.closed = False
        self.paused = False
        self.renewed = 0
        self.taking: Callable[[Seen, Frame], None] | None = None
        self.two = False

    def close(self) -> None:
        self.closed = True

    def renew(self) -> None:
        self.renewed += 1

    def divert(self, take: Any, two: bool = False) -> None:
        self.taking, self.two = take, two

    def lock(self, locked: Callable[[dict[str, float]], None]) -> None:
        locked({"exposure": 120.0})


class Room:
    """A desk with everything behind it played."""

    def __init__(self) -> None:
        self.reader = Reader()
        self.lookouts: list[FakeLookout] = []
        self.kept: list[SetUp] = []
        self.desk = Desk(SetUp("usb-Lamp_1"), Doing(self.look, self.kept.append, self.for_bowl, lambda: (LAMP,)))
        self.show(bowl_picture())

    def look(self, set_up: SetUp, preview: Preview) -> Any:
        self.lookouts.append(FakeLookout())
        return self.lookouts[-1]

    def for_bowl(self, bowl: Bowl) -> Reader:
        self.reader.bowls.append(bowl)
        return self.reader

    def show(self, frame: Frame) -> None:
        """The camera shows this for as long as anybody looks."""
        self.desk.preview.show(Shot(0, 0.0, frame))
        self.desk.preview.frames = lambda count, timeout: [frame] * count  # type: ignore[method-assign]

    def do(self, what: str, **more: Any) -> dict[str, Any]:
        return self.desk.do({"do": what, **more})


@pytest.fixture
def room() -> Iterator[Room]:
    room = Room()
    yield room
    room.desk.close()


def test_an_empty_bowl_is_calibrated_with_one_tap_and_the_camera_holds_its_light(room: Room) -> None:
    view = room.do("calibrate")
    assert abs(view["calibration"]["rim"]["cx"] - RIM.cx) < 3
    assert {"size", "tilt", "exposure", "glare", "flicker"} <= {mark["key"] for mark in view["calibration"]["marks"]}
    assert all(mark["zh"] and mark["en"] for mark in view["calibration"]["marks"])
    assert view["calibration"]["held"] == {"exposure": 120.0}
    assert room.lookouts[0].renewed == 1
    kept = room.kept[-1].calibration
    assert kept is not None and kept.held == {"exposure": 120.0}


def test_after_a_knock_one_tap_registers_the_bowl_where_it_is_now(room: Room) -> None:
    room.do("calibrate")
    room.lookouts[0].paused = True
    assert room.desk.view()["paused"]
    room.show(bowl_picture(40))
    assert abs(room.do("recalibrate")["calibration"]["rim"]["cx"] - RIM.cx - 40) < 3
    assert room.lookouts[0].renewed == 2


def test_two_dice_left_in_the_bowl_are_told_on_the_page(room: Room) -> None:
    clean = room.do("calibrate")["calibration"]["quality"]
    room.reader.reading = replace(six(), dice=six().dice[:2])
    told = room.do("calibrate")["calibration"]
    (mark,) = [mark for mark in told["marks"] if mark["key"] == "empty"]
    assert "2 things" in mark["en"] and not mark["good"]
    assert told["quality"] < clean


def test_dice_in_the_bowl_are_no_background(room: Room) -> None:
    room.reader.reading = six()
    with pytest.raises(Refused, match="take them out"):
        room.do("calibrate")
    assert room.desk.view()["calibration"] is None
    assert room.kept == []


def test_a_table_without_a_bowl_is_refused_with_the_reason(room: Room) -> None:
    room.show(np.full((360, 640, 3), 90, np.uint8))
    with pytest.raises(Refused, match="no bowl is seen") as refusal:
        room.do("calibrate")
    assert refusal.value.zh


def test_the_rim_as_it_was_dragged_is_kept(room: Room) -> None:
    drawn = replace(RIM, major=290.0, minor=270.0)
    view = room.do("rim", rim=drawn.as_json())
    assert view["calibration"]["rim"]["major"] == 290.0
    assert view["calibration"]["quality"] >= 50


@pytest.mark.parametrize("rim", [None, {}, {"cx": 1}, {**RIM.as_json(), "cx": -900}, {**RIM.as_json(), "minor": float("nan")}])
def test_a_rim_that_is_none_is_refused(room: Room, rim: Any) -> None:
    with pytest.raises(Refused):
        room.do("rim", rim=rim)
    assert room.kept == []


def test_a_test_throw_is_shown_and_not_scored(room: Room) -> None:
    assert room.do("test")["test"] == {"expect": 6, "waiting": True}
    take = room.lookouts[0].taking
    assert take is not None and not room.lookouts[0].two
    take(Seen("throw", 40, 1.3, 20, six()), bowl_picture())
    result = room.desk.view()["test"]
    assert (result["values"], result["verdict"], result["well"]) == ([1, 2, 3, 4, 5, 6], "sure", True)
    assert (room.desk.tested() or b"")[:2] == b"\xff\xd8"


def test_two_dice_are_read_for_the_start_and_a_test_can_be_called_off(room: Room) -> None:
    room.do("two")
    assert room.lookouts[0].two
    assert room.do("cancel")["test"] is None
    assert room.lookouts[0].taking is None


def test_the_dice_are_enrolled_in_the_calibrated_bowl(room: Room) -> None:
    with pytest.raises(Refused, match="calibrate"):
        room.do("enrol")
    room.do("calibrate")
    room.reader.reading = six()
    view = room.do("enrol", values=[1, 2, 3, 4, 5, 6])
    assert view["dice"]["seen"]["4"] == 1
    dice = room.kept[-1].dice
    assert dice is not None and dice.seen == (1, 1, 1, 1, 1, 1)
    with pytest.raises(Refused, match="was read as"):
        room.do("enrol", values=[1, 1, 3, 4, 5, 6])


def test_another_camera_begins_without_the_old_ones_calibration(room: Room) -> None:
    room.do("calibrate")
    view = room.do("choose", source="http://127.0.0.1:8080/video")
    assert room.lookouts[0].closed and len(room.lookouts) == 2
    assert (view["source"], view["calibration"]) == ("http://127.0.0.1:8080/video", None)


def test_the_password_of_an_address_is_shown_to_nobody(room: Room) -> None:
    view = room.do("choose", source="rtsp://me:secret@192.168.1.9/live")
    assert "secret" not in str(view)
    assert room.kept[-1].source == "rtsp://me:secret@192.168.1.9/live"


@pytest.mark.parametrize("source", [None, "", 3, "/etc/passwd", "usb-nothing", "file:///etc/passwd"])
def test_only_a_camera_that_is_there_or_an_address_can_be_chosen(room: Room, source: Any) -> None:
    with pytest.raises(Refused):
        room.do("choose", source=source)
    assert not room.lookouts[0].closed


@pytest.mark.parametrize("what", [None, 7, "explode"])
def test_what_the_desk_does_not_do_is_refused(room: Room, what: Any) -> None:
    with pytest.raises(Refused):
        room.desk.do({"do": what})


def test_at_most_two_pages_watch_and_a_third_is_told_so() -> None:
    preview = Preview()
    watching = [preview.jpegs() for _ in range(MOST_VIEWERS)]
    with pytest.raises(Refused):
        preview.jpegs()
    preview.show(Shot(0, 1.0, bowl_picture()))
    assert next(watching[0])[:2] == b"\xff\xd8"
    preview.close()
    assert list(watching[0]) == []
    preview.jpegs()  # the first one has gone
    watching[1].close()
    watching[1].close()
    preview.jpegs()
    with pytest.raises(Refused):
        preview.jpegs()


def test_a_preview_picture_is_small() -> None:
    wide = np.asarray(cv2.resize(bowl_picture(), (1920, 1080)), np.uint8)
    coded = jpeg(wide)
    shown = cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None and shown.shape == (360, 640, 3)
    assert len(coded) < 40_000


@pytest.mark.parametrize("what", ["calibrate", "recalibrate", "rim", "test", "two"])
def test_without_a_picture_everything_is_refused_at_once(what: str, room: Room) -> None:
    room.desk.preview.clear()

    def waited(count: int, timeout: float) -> list[Frame]:
        raise AssertionError("a picture was waited for")

    room.desk.preview.frames = waited  # type: ignore[method-assign]
    with pytest.raises(Refused) as no:
        room.do(what)
    assert no.value.key == "no_picture"
    with pytest.raises(Refused) as no:
        room.desk.jpegs()
    assert no.value.key == "no_picture"


def test_what_is_watched_is_called_a_recording_or_a_camera_and_so_is_its_silence(tmp_path: Path) -> None:
    (tmp_path / "party.mp4").write_bytes(b"")
    recordings = ("demo", str(tmp_path / "party.mp4"), str(tmp_path), str(tmp_path / "*.jpg"))
    for source in (*recordings, "0", "usb-Unplugged_1", "rtsp://192.168.1.7/live", None):
        room = Room()
        desk = Desk(SetUp(source), Doing(room.look, room.kept.append, room.for_bowl, tuple))
        assert desk.view()["recording"] == (source in recordings), source
        for asked in (lambda desk=desk: desk.do({"do": "test"}), desk.jpegs):
            with pytest.raises(Refused, match="recording" if source in recordings else "camera") as refused:
                asked()
            assert refused.value.key == "no_picture"
        desk.close()

"""The camera's desk: what the calibration page and the phone may see and do; one desk a table, from any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from device.cameras import Listing, plugged_in
from device.errors import Refused
from device.evidence import still_of
from device.hostile import address_shown
from device.lookout import Lookout
from device.preview import Preview, Viewer
from device.sources import is_recording
from vision import rim_trace
from vision.bowl import CREST, UNSURE_QUALITY, Bowl
from vision.calibration import Calibration, CalibrationError, calibrate, judge, littered, looks_filled
from vision.ellipse import scaled
from vision.enrolment import EnrolError, Enrolment, enrol
from vision.reading import DiceReader, Frame, Rim, Verdict
from vision.watcher import Seen

FRAMES, PATIENCE_S = 12, 3.0
TOGETHER = 4
"""So many frames make one calm picture: fewer and better pictures to look for the rim in."""
RIM_KEYS = ("cx", "cy", "major", "minor", "angle_deg")
NO_PICTURE = Refused("no_picture", "no picture comes from the camera: plug it in, or choose another", "没有画面：请插好或换一个摄像头")
NO_RECORDING = Refused("no_picture", "no picture comes from the recording: it may have ended", "录像没有画面：可能放完了")


@dataclass(frozen=True, slots=True)
class SetUp:
    """What a table's camera is set to: the source as the command line names it, the calibration, the enrolled dice."""

    source: str | None = None
    calibration: Calibration | None = None
    dice: Enrolment | None = None


@dataclass(frozen=True, slots=True)
class Doing:
    """What the desk needs done for it. look: opens a lookout for a set-up; keep: writes a set-up where the next evening finds it.

    reader: for pictures of this bowl.
    """

    look: Callable[[SetUp, Preview], Lookout | None]
    keep: Callable[[SetUp], None]
    reader: Callable[[Bowl], DiceReader]
    listing: Listing = plugged_in


class Desk:
    """Opens the lookout, and opens it anew where another camera is chosen."""

    def __init__(self, set_up: SetUp, doing: Doing, film: Callable[[str], bytes | None] = lambda _: None) -> None:
        self._set_up = set_up
        self._doing = doing
        self._film = film
        self._guard = threading.Lock()
        self._test: dict[str, Any] | None = None
        self._tested: bytes | None = None
        self.preview = Preview()
        self._lookout = doing.look(set_up, self.preview)

    def close(self) -> None:
        """Let the camera and every viewer go."""
        self.preview.close()
        if self._lookout is not None:
            self._lookout.close()

    # -- to see ------------------------------------------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        """What the page shows, as JSON values (docs/state.md, "The camera's desk")."""
        made = self._set_up.calibration
        frame = self.preview.newest
        return {
            "source": None if self._set_up.source is None else address_shown(self._set_up.source),
            "recording": self._recorded(),
            "cameras": [camera.as_json() for camera in self._doing.listing()],
            "size": None if frame is None else [int(frame.shape[1]), int(frame.shape[0])],
            "calibration": None if made is None else {**made.as_json(), "size": [made.width, made.height], "held": dict(made.held)},
            "paused": self._lookout is not None and self._lookout.paused,
            "dice": None if self._set_up.dice is None else self._set_up.dice.as_json(),
            "test": self._test,
        }

    def jpegs(self) -> Viewer:
        """The live picture; a third viewer raises Refused, and so does one while no picture comes."""
        if self.preview.newest is None:
            raise self._no_picture()
        return self.preview.jpegs()

    def film(self, name: str) -> bytes | None:
        """The film of a throw by the name of its still."""
        return self._film(name)

    def tested(self) -> bytes | None:
        """The picture of the last test throw."""
        return self._tested

    # -- to do -------------------------------------------------------------------------------------------------------

    def do(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do one thing and return the new view; raises Refused or Fault in one line, and then nothing was changed."""
        what = body.get("do")
        deeds: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "choose": self._choose,
            "calibrate": self._calibrate,
            "recalibrate": self._calibrate,
            "rim": self._rim,
            "test": lambda _: self._await_throw(6),
            "two": lambda _: self._await_throw(2),
            "cancel": lambda _: self._cancel(),
            "enrol": self._enrol,
        }
        if not isinstance(what, str) or what not in deeds:
            raise Refused("malformed", f'"do" must be one of: {", ".join(deeds)}', "指令有误")
        if not self._guard.acquire(blocking=False):
            raise Refused("busy", "the camera is being set up from another page: wait a moment", "另一个页面正在设置：请稍等")
        try:
            deeds[what](body)
        finally:
            self._guard.release()
        return self.view()

    def _choose(self, body: Mapping[str, Any]) -> None:
        source = body.get("source")
        if not isinstance(source, str) or not source.strip() or len(source) > 500 or not source.isprintable():
            raise Refused("malformed", '"source" must name a camera or an address', "请选择一个摄像头")
        known = {camera.name for camera in self._doing.listing()} | {str(c.device) for c in self._doing.listing()}
        if source not in known and not source.startswith(("http://", "https://", "rtsp://")):
            raise Refused("no_camera", f"{source}: no such camera is plugged in", f"没有找到摄像头 {source}")
        self._open(SetUp(source, None, self._set_up.dice))

    def _open(self, set_up: SetUp) -> None:
        if self._lookout is not None:
            self._lookout.close()
        self._set_up = set_up
        self._doing.keep(set_up)
        self._lookout = self._doing.look(set_up, self.preview)

    def _calibrate(self, _: Mapping[str, Any]) -> None:
        """The empty bowl as it is now: at first, and with one tap after a knock."""
        frames = self._frames()
        try:
            made = calibrate([calm(frames[k : k + TOGETHER]) for k in range(0, len(frames), TOGETHER)], frames)
        except CalibrationError as fault:
            raise Refused("no_bowl", str(fault), "没看到空碗：请把碗放到摄像头下，碗沿全在画面里，手拿开") from fault
        if made.quality < UNSURE_QUALITY // 2:
            raise Refused("no_bowl", "; ".join(made.reasons[:1]), "碗沿看不清：请看提示，或在画面上拖动碗沿")
        self._take(self._emptied(made))

    def _rim(self, body: Mapping[str, Any]) -> None:
        """The rim as the operator drew it."""
        frames = self._frames()
        height, width = frames[0].shape[:2]
        rim = rim_of(body.get("rim"), width, height)
        picture = calm(frames)
        ring = rim_trace.measure(rim_trace.lab(picture), scaled(rim, 1 / CREST))
        certainty = max(60, min(100, round(100 * ring.support)))
        made = judge(rim, picture, certainty, ("the rim was drawn by hand",), frames)
        self._take(self._emptied(made))

    def _emptied(self, made: Calibration) -> Calibration:
        # the very picture is the background later: dice in it would never be seen again
        reading = self._doing.reader(Bowl(made.rim, None, made.width, made.height)).read(made.background)
        if looks_filled(reading):
            raise Refused("not_empty", "there are dice in the bowl: take them out and try again", "碗里有骰子：请取出后再试")
        return littered(made, reading)

    def _take(self, made: Calibration) -> None:
        self._set_up = replace(self._set_up, calibration=made)
        self._doing.keep(self._set_up)
        if self._lookout is not None:
            self._lookout.renew()
            self._lookout.lock(self._hold)

    def _hold(self, held: dict[str, float]) -> None:
        """What the camera holds from now on belongs to the calibration."""
        made = self._set_up.calibration
        if made is not None and held:
            self._set_up = replace(self._set_up, calibration=replace(made, held=held))
            self._doing.keep(self._set_up)

    def _await_throw(self, expect: int) -> None:
        if self._lookout is None or self.preview.newest is None:
            raise self._no_picture()
        self._test = {"expect": expect, "waiting": True}
        self._lookout.divert(lambda seen, frame: self._threw(expect, seen, frame), two=expect == 2)

    def _threw(self, expect: int, seen: Seen, frame: Frame) -> None:
        assert seen.reading is not None
        self._tested = still_of(frame, seen.reading, outlined=True).jpeg
        self._test = {
            "expect": expect,
            "waiting": False,
            "values": list(seen.reading.values),
            "outside": seen.reading.outside,
            "verdict": str(seen.reading.verdict),
            "why": seen.reading.why,
            "well": seen.reading.verdict == Verdict.SURE,
            "still": "/api/camera/test.jpg",
        }

    def _cancel(self) -> None:
        self._test = None
        if self._lookout is not None:
            self._lookout.divert(None)

    def _enrol(self, body: Mapping[str, Any]) -> None:
        values = body.get("values")
        if values is not None and not (
            isinstance(values, list) and len(values) == 6 and all(type(v) is int and 1 <= v <= 6 for v in values)
        ):
            raise Refused("malformed", '"values" must be six values from 1 to 6', "请报六颗点数")
        made = self._set_up.calibration
        if made is None:
            raise Refused("not_calibrated", "calibrate with the empty bowl first", "请先用空碗校准")
        frames = self._frames()
        if frames[0].shape[:2] != (made.height, made.width):
            raise Refused("not_calibrated", "the picture has another size now: calibrate again", "画面大小变了：请重新校准")
        bowl = made.bowl(made.width, made.height)
        try:
            enrolment, missing = enrol([frames[len(frames) // 2]], self._doing.reader(bowl), values=values, bowl=bowl)
        except EnrolError as fault:
            raise Refused("enrol", str(fault), "骰子读不准：请平放六颗骰子，手拿开，再试一次") from fault
        self._set_up = replace(self._set_up, dice=enrolment)
        self._doing.keep(self._set_up)
        self._test = {"expect": 6, "waiting": False, "missing": list(missing), "enrolled": True}
        if self._lookout is not None:
            self._lookout.renew()

    def _recorded(self) -> bool:
        return self._set_up.source is not None and is_recording(self._set_up.source)

    def _no_picture(self) -> Refused:
        return NO_RECORDING if self._recorded() else NO_PICTURE

    def _frames(self) -> Sequence[Frame]:
        frames = [] if self.preview.newest is None else self.preview.frames(FRAMES, PATIENCE_S)
        if not frames or len({frame.shape for frame in frames}) > 1:
            raise self._no_picture()
        return frames


def calm(frames: Sequence[Frame]) -> Frame:
    """The frames' median: less noise, and what passed through is gone."""
    return np.asarray(np.median(np.stack(frames), axis=0), np.uint8)


def rim_of(value: object, width: int, height: int) -> Rim:
    """The ellipse that a page sent; raises Refused where it is none or does not lie in the picture."""
    try:
        assert isinstance(value, Mapping)
        rim = Rim(*(float(value[key]) for key in RIM_KEYS))
    except (AssertionError, KeyError, TypeError, ValueError):
        raise Refused("malformed", '"rim" must hold ' + ", ".join(RIM_KEYS), "碗沿数据有误") from None
    fits = 0 <= rim.cx <= width and 0 <= rim.cy <= height and 40 <= rim.minor <= rim.major <= 2 * max(width, height)
    if not fits:
        raise Refused("malformed", "the rim does not lie in the picture", "碗沿不在画面里")
    return rim

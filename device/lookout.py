"""The lookout: frames from a source through the watcher to the Table, on a thread of its own, and what is said when it fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from device.capture import Capture
from device.errors import Fault
from device.evidence import still_of
from device.hearer import Hearer
from device.preview import Preview
from device.question import asked_of
from device.recent import Moment, Recent
from device.restarts import Restarts
from device.sighting import Sighting
from device.sources import Shot, Source, paced
from device.standing import RECALIBRATE, Standing
from device.view import Notice
from vision.bowl import Bowl
from vision.calibration import CalibrationError
from vision.reading import Frame, Reading, Verdict
from vision.watcher import Seen, Watcher


class Held(Protocol):
    """Takes the last seconds before a throw, in case it is shown again."""

    def hold(self, name: str, moments: tuple[Moment, ...]) -> None:
        """The moments of the throw whose still has this name."""
        ...


Take = Callable[[Seen, Frame], None]


@dataclass(frozen=True, slots=True)
class Looking:
    """What a lookout needs of the world: the source, a watcher for frames like this one, time, and names for pictures.

    again: a recording begins anew at its end. sleep: waits some seconds; None: until then or until the lookout is closed.
    bowl: the calibrated one in frames like this, None where none is calibrated. preview, held: where frames and throws are shown.
    two: a watcher that expects two dice. each: told of every frame.
    """

    open_source: Callable[[], Source]
    watcher: Callable[[Frame], Watcher]
    clock: Callable[[], float]
    picture_name: Callable[[], str]
    again: bool = False
    sleep: Callable[[float], object] | None = None
    bowl: Callable[[Frame], Bowl | None] = lambda _: None
    preview: Preview | None = None
    held: Callable[[], Held | None] = lambda: None
    two: Callable[[Frame], Watcher] | None = None
    each: Callable[[Shot], None] | None = None


class Lookout:
    """Watches until `close`; a fault is told to the table, which goes on by hand, and the source is tried again."""

    def __init__(self, table: Hearer, looking: Looking) -> None:
        self._table = table
        self._looking = looking
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self.run, name="lookout", daemon=True)
        self._restarts = Restarts()
        self._renewed = self._came = False
        self._take: Take | None = None
        self._take_two = False
        self._source: Source | None = None
        self._standing: Standing | None = None
        self._recent = Recent()
        self._knocked = -1

    def open(self) -> Lookout:
        """Begin to watch."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)

    @property
    def paused(self) -> bool:
        """Whether nothing is credited until the camera is calibrated again."""
        return self._standing is not None and self._standing.paused

    def renew(self) -> None:
        """The set-up is another one from now on: the watcher begins anew with it."""
        self._renewed = True

    def divert(self, take: Take | None, two: bool = False) -> None:
        """The next throw goes to `take` and not to the table; None: the table again. two: of two dice."""
        begin_anew = two or self._take_two
        self._take, self._take_two = take, two
        if begin_anew:
            self._renewed = True

    def lock(self, locked: Callable[[dict[str, float]], None]) -> None:
        """Ask the camera to hold exposure, white balance and focus."""
        if isinstance(self._source, Capture):
            self._source.lock(locked)

    def run(self) -> None:
        """Watch one source after another until told to stop."""
        while not self._stop.is_set():
            if not self._once():
                return

    def _once(self) -> bool:
        """One opening of the source, to its end or fault; whether to open it again."""
        self._came = False
        try:
            self._source = source = self._looking.open_source()
        except Fault as fault:
            self.fault(fault)
            return self._wait()
        try:
            self._watch(source)
        except Fault as fault:
            self.fault(fault)
            return self._wait() if source.live or self._looking.again else False
        except Exception as crash:  # noqa: BLE001 - a reader that crashes costs its throw, never the evening
            self.fault(_crashed(crash))
            return self._wait() if source.live or self._looking.again else False
        finally:
            self._source = None
            source.close()
            if self._looking.preview is not None:
                self._looking.preview.clear()
        if self._looking.again or self._stop.is_set():
            return not self._stop.is_set()
        self._table.report("camera", "the recording has ended")
        self._table.tell(
            Notice("recording_ended", "录像放完了，可以手动继续", "the recording has ended; go on by hand")
        )
        return False

    def _wait(self) -> bool:
        """Wait as long as the budget says; whether to go on at all."""
        return not self._stop.wait(self._restarts.wait(time.monotonic(), self._came))

    def fault(self, fault: Fault) -> None:
        """Tell the table that no camera is there; the game goes on by hand."""
        self._table.report("camera", fault.en)
        self._table.saw(Sighting("cleared"))  # nobody is being read any more
        self._table.tell(Notice(fault.key, f"{fault.zh}；可以手动继续", f"{fault.en}; go on by hand"))

    def _shots(self, source: Source) -> Iterator[Shot]:
        return (
            iter(source)
            if source.live
            # a throw of a recording comes but once: on a slow machine it is played more slowly, and none is lost
            else paced(iter(source), self._looking.clock, self._looking.sleep or self._stop.wait, drop=False)
        )

    def _watch(self, source: Source) -> None:
        watcher: Watcher | None = None
        size: tuple[int, ...] = ()
        for shot in self._shots(source):
            if self._stop.is_set():
                return
            if self._looking.preview is not None:
                self._looking.preview.show(shot)
            if self._looking.each is not None:
                self._looking.each(shot)
            if shot.frame.shape != size or self._renewed:
                size, self._renewed = shot.frame.shape, False
                watcher = self._begin(shot.frame)
            if watcher is None:
                continue  # only shown, until somebody calibrates
            self._recent.see(shot.frame, shot.t, None if watcher.bowl is None else watcher.bowl.rim)
            for seen in watcher.feed(shot.frame, shot.index, shot.t):
                self._pass_on(seen, shot)
            assert self._standing is not None
            if self._standing.look(watcher, shot.frame, shot.t):
                self._renewed = True

    def _begin(self, frame: Frame) -> Watcher | None:
        """A watcher for frames like this one; None, and the table is told, where the calibration is for other ones."""
        make = self._looking.two if self._take_two and self._looking.two is not None else self._looking.watcher
        try:
            watcher, bowl = make(frame), self._looking.bowl(frame)
        except CalibrationError as fault:
            self._fault_of_calibration(fault)
            return None
        if not self._came:
            self._restarts.opened(time.monotonic())
            self._came = True
        self._table.report("camera", "ok")
        self._table.report("reader", "ok")
        self._table.tell(None)
        self._standing = Standing(bowl, self._table.tell)
        return watcher

    def _fault_of_calibration(self, fault: CalibrationError) -> None:
        self._table.report("camera", "ok")
        self._table.report("reader", str(fault))
        zh = "校准文件与摄像头画面大小不符：请重新校准；可以手动继续"
        self._table.tell(Notice("calibration", zh, f"{fault}; go on by hand", RECALIBRATE))

    def _pass_on(self, seen: Seen, shot: Shot) -> None:
        assert self._standing is not None
        self._standing.event(seen.event)
        if seen.event in ("dark", "bumped", "lost"):
            self._knocked = -1 if seen.event == "dark" else seen.frame
            self._table.saw(Sighting("cleared"))
            return
        # what was under way when the camera was knocked is asked about, not lost; later throws wait for a calibration
        if self._standing.paused and (seen.event not in ("throw", "changed") or seen.started_frame > self._knocked):
            return
        if seen.event == "throw" and self._take is not None:
            take, two = self._take, self._take_two
            self.divert(None)
            self._renewed = self._renewed or two
            take(seen, shot.frame)
            return
        sighted = sighting(seen.event, seen.reading, shot.frame, self._looking.picture_name)
        held = self._looking.held()
        if sighted.still is not None and held is not None:
            held.hold(sighted.still[0], self._recent.before(shot.t))
        self._table.saw(sighted)


def sighting(event: str, reading: Reading | None, frame: Frame, picture_name: Callable[[], str]) -> Sighting:
    """What the Table is told of a thing seen; a throw or a change comes with its proof."""
    if reading is None or event not in ("throw", "changed"):
        return Sighting(event)
    # where something is asked, the pages outline what they ask about
    still = still_of(frame, reading, outlined=reading.verdict == Verdict.SURE)
    name = picture_name()
    return Sighting(
        event,
        reading.values,
        reading.verdict == Verdict.SURE,
        asked_of(reading, name, still.size, still.offset, still.scale),
        (name, still.jpeg),
    )


def _crashed(crash: Exception) -> Fault:
    said = " ".join(f"{type(crash).__name__} {crash}".split())[:200]
    return Fault(
        "reader_crashed",
        f"the reader stumbled ({said}): it begins anew by itself; if it does so again, run bobing doctor",
        f"读数程序出错（{said}）：会自动重来；若再发生，请运行 bobing doctor",
    )

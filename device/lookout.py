"""The lookout: frames from a source through the watcher to the Table, on a thread of its own, and what is said when it fails."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from device.errors import Fault
from device.evidence import still_of
from device.question import asked_of
from device.sources import Shot, Source, paced
from device.table import Sighting, Table
from device.view import Notice
from vision.reading import Frame, Reading, Verdict
from vision.watcher import Seen, Watcher

RETRY_S = 3.0
TOLD = {
    "dark": Notice("dark", "太暗了，看不清碗里", "too dark to see into the bowl: more light, please"),
    "bumped": Notice("bumped", "摄像头被碰过：请重新校准", "the camera was moved: calibrate again"),
    "lost": Notice("lost", "找不到碗了", "the bowl is out of view"),
}


@dataclass(frozen=True, slots=True)
class Looking:
    """What a lookout needs of the world: the source, a watcher for frames like this one, time, and names for pictures.

    again: a recording begins anew at its end. sleep: waits some seconds; None: until then or until the lookout is closed.
    """

    open_source: Callable[[], Source]
    watcher: Callable[[Frame], Watcher]
    clock: Callable[[], float]
    picture_name: Callable[[], str]
    again: bool = False
    sleep: Callable[[float], object] | None = None


class Lookout:
    """Watches until `close`; a fault is told to the table, which goes on by hand, and the source is tried again."""

    def __init__(self, table: Table, looking: Looking) -> None:
        self._table = table
        self._looking = looking
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self.run, name="lookout", daemon=True)

    def open(self) -> Lookout:
        """Begin to watch."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)

    def run(self) -> None:
        """Watch one source after another until told to stop."""
        while not self._stop.is_set():
            if not self._once():
                return

    def _once(self) -> bool:
        """One opening of the source, to its end or fault; whether to open it again."""
        try:
            source = self._looking.open_source()
        except Fault as fault:
            self._fault(fault)
            return not self._stop.wait(RETRY_S)
        try:
            self._watch(source)
        except Fault as fault:
            self._fault(fault)
            return not self._stop.wait(RETRY_S) if source.live or self._looking.again else False
        finally:
            source.close()
        if self._looking.again or self._stop.is_set():
            return not self._stop.is_set()
        self._table.report("camera", "the recording has ended")
        self._table.tell(
            Notice("recording_ended", "录像放完了，可以手动继续", "the recording has ended; go on by hand")
        )
        return False

    def _fault(self, fault: Fault) -> None:
        self._table.report("camera", fault.en)
        self._table.tell(Notice(fault.key, f"{fault.zh}；可以手动继续", f"{fault.en}; go on by hand"))

    def _shots(self, source: Source) -> Iterator[Shot]:
        return (
            iter(source)
            if source.live
            else paced(iter(source), self._looking.clock, self._looking.sleep or self._stop.wait)
        )

    def _watch(self, source: Source) -> None:
        watcher: Watcher | None = None
        for shot in self._shots(source):
            if self._stop.is_set():
                return
            if watcher is None:
                watcher = self._looking.watcher(shot.frame)
                self._table.report("camera", "ok")
                self._table.report("reader", "ok")
                self._table.tell(None)
            for seen in watcher.feed(shot.frame, shot.index, shot.t):
                self._pass_on(seen, shot.frame)

    def _pass_on(self, seen: Seen, frame: Frame) -> None:
        if seen.event in TOLD:
            self._table.tell(TOLD[seen.event])
            return
        if seen.event == "cleared":
            self._table.tell(None)
        self._table.saw(sighting(seen.event, seen.reading, frame, self._looking.picture_name))


def sighting(event: str, reading: Reading | None, frame: Frame, picture_name: Callable[[], str]) -> Sighting:
    """What the Table is told of a thing seen; a throw or a change comes with its proof."""
    if reading is None or event not in ("throw", "changed"):
        return Sighting(event)
    still = still_of(frame, reading)
    name = picture_name()
    return Sighting(
        event,
        reading.values,
        reading.verdict == Verdict.SURE,
        asked_of(reading, name, still.size, still.offset, still.scale),
        (name, still.jpeg),
    )

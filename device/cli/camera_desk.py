"""The desk of a real table: its set-up from the settings, its lookout, and where both are kept."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from device.cli.output import CallError, WorldError, say
from device.cli.readers import Readers
from device.config import Config, Places, load, save
from device.desk import Desk, Doing, SetUp
from device.errors import Fault
from device.hearer import Hearer, Later
from device.lookout import Held, Looking, Lookout
from device.preview import Preview
from device.replays import BUDGET, SUFFIX, Replays
from device.shots import Shot, Source
from device.sources import Live, open_source
from device.stills import Stills
from device.table import Table
from device.view import Notice
from vision.bowl import Bowl
from vision.reading import Frame

NO_CAMERA = Notice(
    "no_camera", "没有摄像头：每一掷用手机或键盘来记", "no camera is set: each throw is entered on a phone or with the keyboard"
)
CALIBRATION, DICE = "bowl.calibration", "dice.json"


@dataclass(slots=True)
class Watching:
    """What a table's lookout is made of, whatever its set-up. clock: seconds; again: a recording begins anew at its end."""

    table: Hearer
    clock: Callable[[], float] = time.monotonic
    again: bool = False
    mains: int = 0
    held: Held | None = None
    each: Callable[[Shot], None] | None = None
    names: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    begun: int = 0
    live: tuple[str, Live] | None = None

    def lookout(self, source: str, readers: Callable[[], Readers], preview: Preview | None) -> Lookout:
        """A lookout, started; readers(): for the set-up as it is when a frame comes."""
        if self.live is None or self.live[0] != source:
            self.live = source, Live(mains=self.mains)
        live = self.live[1]

        def bowl(frame: Frame) -> Bowl | None:
            return readers().bowl(frame.shape[1], frame.shape[0])

        def opened() -> Source:
            calibration = readers().calibration
            live.locked = {} if calibration is None else dict(calibration.held)
            return open_source(source, time.monotonic, live, lambda untold: say(f"bobing: {untold.en}"))

        looking = Looking(
            open_source=opened,
            watcher=lambda frame: readers().watcher(frame, 6),
            clock=self.clock,
            picture_name=lambda: f"{self.begun:x}-{next(self.names)}",
            again=self.again,
            bowl=bowl,
            preview=preview,
            held=lambda: self.held,
            two=lambda frame: readers().watcher(frame, 2),
            each=self.each,
        )
        lookout = Lookout(self.table, looking)
        live.slow = lookout.fault
        return lookout.open()


def model(table: Hearer, calibration: str | None, dice: str | None) -> Readers | None:
    """The readers of these settings; None, and the table is told, where there are none to be had."""
    try:
        return Readers(calibration, no_bowl=False, dice=dice)
    except (CallError, WorldError) as fault:
        table.report("reader", str(fault))
        table.tell(Notice("reader", f"读数不可用：{fault}", f"the reader is not available: {fault}; go on by hand"))
        return None


class RealDesk:
    """The desk of the real table: there from the start, the table may follow; without a reader there is no desk."""

    def __init__(
        self,
        ending: ExitStack,
        config: Config,
        where: Places,
        later: Later,
        each: Callable[[Shot], None] | None = None,
    ) -> None:
        """later: what hears of throws, and passes them on to the table when that is open."""
        self._ending = ending
        self._where = where
        self._later = later
        self._films: Stills | None = None
        self._keeps = config.keep_pictures
        self.desk: Desk | None = None
        readers = model(self._later, config.calibration, config.dice)
        if readers is None:
            return
        self._watching = Watching(self._later, mains=config.mains, begun=int(time.time()), each=each)
        self._readers = readers
        self._now = SetUp(config.source, readers.calibration, readers.enrolment)
        # the enrolled dice are no measure of what lies in an empty bowl, nor of the next dice to be enrolled
        doing = Doing(self._look, self._keep, self._readers.set_up(None, None).for_bowl)
        self.desk = Desk(self._now, doing, self._film)
        ending.callback(self.desk.close)

    def film(self, table: Table) -> None:
        """The real table is open: its champions are filmed."""
        if self.desk is not None and self._keeps:
            self._films = Stills(self._where.data / "replays", BUDGET, SUFFIX)
            self._watching.held = replays = Replays(table, self._films).open()
            self._ending.callback(replays.close)

    def _film(self, name: str) -> bytes | None:
        return None if self._films is None else self._films.get(name)

    def _current(self) -> Readers:
        return self._readers.set_up(self._now.calibration, self._now.dice)

    def _look(self, set_up: SetUp, preview: Preview) -> Lookout | None:
        self._now = set_up
        if set_up.source is None or set_up.source == "demo":
            self._later.report("camera", "none")
            self._later.tell(NO_CAMERA)
            return None
        return self._watching.lookout(set_up.source, self._current, preview)

    def _keep(self, set_up: SetUp) -> None:
        self._now = set_up
        _keep(set_up, self._where)


def _keep(set_up: SetUp, where: Places) -> None:
    """The set-up onto the disk and into the settings; raises Fault."""
    config = replace(load(where.config), source=set_up.source)
    try:
        where.data.mkdir(parents=True, exist_ok=True)
        config = replace(config, calibration=_saved(set_up, where.data / CALIBRATION), dice=_dice(set_up, where.data / DICE))
    except OSError as fault:
        raise Fault(
            "unwritable", f"{where.data}: can't be written ({fault.strerror}): make room there", f"写不了 {where.data}"
        ) from fault
    save(where.config, config)


def _saved(set_up: SetUp, path: Path) -> str | None:
    if set_up.calibration is None:
        return None
    set_up.calibration.save(path)
    return str(path.resolve())


def _dice(set_up: SetUp, path: Path) -> str | None:
    if set_up.dice is None:
        return None
    set_up.dice.save(path)
    return str(path.resolve())



"""The camera's part of an appliance, made after the board is served: pictures and nets take seconds to load on a busy machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from device.config import Config, Places
from device.desk_to_come import DeskToCome
from device.hearer import Later
from device.table import Table
from device.view import Notice

if TYPE_CHECKING:
    from device.cli.camera_desk import RealDesk
    from device.shots import Shot


class CameraToCome:
    """Takes the real table whenever it is opened, and the camera's desk whenever it is made, in either order."""

    def __init__(self, config: Config, where: Places, each: Callable[[Shot], None] | None) -> None:
        self._config, self._where, self._each = config, where, each
        self._later = Later()
        self._guard = threading.Lock()
        self._real: RealDesk | None = None
        self._table: Table | None = None
        self.desk = DeskToCome()

    def attach(self, table: Table) -> None:
        """The real table is open: it hears of throws from now on, or as soon as a camera is there."""
        with self._guard:
            self._table, real = table, self._real
        self._later.attach(table)
        if real is not None:
            real.film(table)

    def come(self, ending: ExitStack) -> None:
        """Load the reader and open the camera; a fault is told to the table, which goes on by hand."""
        try:
            from device.cli.camera_desk import RealDesk
        except ImportError as lacking:
            words = f"OpenCV or a system library that it needs is missing ({lacking}): sudo apt-get install libgl1 libglib2.0-0"
            self._later.report("reader", words)
            self._later.tell(Notice("reader", f"读数不可用：{words}；可以手动继续", f"the reader is not available: {words}; go on by hand"))
            self.desk.settle(None)
            return
        real = RealDesk(ending, self._config, self._where, self._later, self._each)
        with self._guard:
            self._real, table = real, self._table
        if table is not None:
            real.film(table)
        self.desk.settle(real.desk)


def watch_demo(table: Table, clock: Callable[[], float], ending: ExitStack) -> None:
    """The bundled recording before a table, in a loop."""
    from device.cli.camera_desk import Watching, model
    from device.sources import demo_calibration

    readers = model(table, demo_calibration(), None)
    if readers is not None:
        watching = Watching(table, clock, again=True, begun=int(time.time()))
        ending.callback(watching.lookout("demo", lambda: readers, None).close)

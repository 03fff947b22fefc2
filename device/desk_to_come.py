"""The camera's desk as pages ask for it while the reader is still being loaded: who asks waits a while, or is told."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from device.errors import Fault

if TYPE_CHECKING:  # OpenCV takes its time, and the board does not wait for it
    from device.desk import Desk
    from device.preview import Viewer

PATIENCE_S = 20.0
NO_READER = Fault("no_reader", "the reader is not available: throws are entered by hand", "读数不可用：请手动记录")
LOADING = Fault("reader_loading", "the reader is still being loaded: look again in a moment", "读数程序还在载入：请稍候再看")


class DeskToCome:
    """Stands for a desk before it is there; every method from any thread raises Fault where there is none."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._known = threading.Event()
        self._desk: Desk | None = None
        self._patience_s = patience_s

    def settle(self, desk: Desk | None) -> None:
        """Here it is; None: there is no reader."""
        self._desk = desk
        self._known.set()

    def view(self) -> dict[str, Any]:
        """What the page shows."""
        return self._there().view()

    def do(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do one thing; raises Refused too."""
        return self._there().do(body)

    def jpegs(self) -> Viewer:
        """The live picture; raises Refused too."""
        return self._there().jpegs()

    def film(self, name: str) -> bytes | None:
        """The film of a throw; None where there is none, or none yet."""
        return None if self._desk is None else self._desk.film(name)

    def tested(self) -> bytes | None:
        """The picture of the last test throw."""
        return None if self._desk is None else self._desk.tested()

    def _there(self) -> Desk:
        if not self._known.wait(self._patience_s):
            raise LOADING
        if self._desk is None:
            raise NO_READER
        return self._desk

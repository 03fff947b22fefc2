"""Whoever listens to the lookout: the table, or before there is one a place that remembers what the table should know."""

from __future__ import annotations

import threading
from typing import Any, Protocol

from device.sighting import Sighting
from device.view import Notice


class Hearer(Protocol):
    """What the lookout needs of the table."""

    def saw(self, seen: Sighting) -> dict[str, Any]:
        """Something was seen."""
        ...

    def tell(self, notice: Notice | None) -> dict[str, Any]:
        """A fault or a hint in words, None: all is well."""
        ...

    def report(self, part: str, fault: str) -> None:
        """Health of a part: "ok" or the fault in words."""
        ...


class Later:
    """Hears for a table that is opened later: the camera may be set up while the demo still plays."""

    def __init__(self) -> None:
        self._table: Hearer | None = None
        self._notice: Notice | None = None
        self._health: dict[str, str] = {}
        self._guard = threading.Lock()

    def attach(self, table: Hearer) -> None:
        """Here is the table."""
        with self._guard:
            self._table = table
            notice, health = self._notice, dict(self._health)
        for part, fault in health.items():
            table.report(part, fault)
        table.tell(notice)

    def saw(self, seen: Sighting) -> dict[str, Any]:
        """Nobody plays yet: a throw is nobody's."""
        table = self._table
        return {} if table is None else table.saw(seen)

    def tell(self, notice: Notice | None) -> dict[str, Any]:
        """Remembered until there is a table."""
        with self._guard:
            self._notice, table = notice, self._table
        return {} if table is None else table.tell(notice)

    def report(self, part: str, fault: str) -> None:
        """Remembered until there is a table."""
        with self._guard:
            self._health[part], table = fault, self._table
        if table is not None:
            table.report(part, fault)

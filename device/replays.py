"""Films of champion throws: held in memory when a throw is told, made and kept once it takes the champion cake."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from device.errors import Fault
from device.following import Following
from device.recent import Moment, animated
from device.stills import Stills
from device.table import Table

BUDGET = 200_000_000
SUFFIX = ".webp"
HELD = 8
"""So many throws may wait for their answer before the film of the first one is lost."""


class Replays:
    """Follows one table on a thread of its own until `close`; `kept` holds the films."""

    def __init__(
        self, table: Table, kept: Stills, film: Callable[[tuple[Moment, ...]], bytes | None] = animated
    ) -> None:
        self._table = table
        self._kept = kept
        self._film = film
        self._held: dict[str, tuple[Moment, ...]] = {}
        self._guard = threading.Lock()
        self._following = Following(table, "replays", lambda _: self.look())

    def open(self) -> Replays:
        """Offer what is kept, and follow."""
        self._table.offer(self._kept.names())
        self._following.open()
        return self

    def close(self) -> None:
        """Stop following."""
        self._following.close()

    def hold(self, name: str, moments: tuple[Moment, ...]) -> None:
        """The moments of a throw whose still has this name."""
        with self._guard:
            self._held[name] = moments
            for oldest in list(self._held)[:-HELD]:
                del self._held[oldest]

    def look(self) -> None:
        """Make the films that the table's throws deserve by now."""
        for name in champions(self._table.state()):
            with self._guard:
                moments = self._held.pop(name, None)
            film = None if moments is None else self._film(moments)
            if film is not None:
                with suppress(Fault):  # a full disk costs the film, nothing else
                    self._kept.put(name, film)
                self._table.offer(self._kept.names())


def champions(state: dict[str, Any]) -> list[str]:
    """The names of the stills of throws that took the champion cake."""
    return [
        throw["still"].removeprefix("/stills/").removesuffix(".jpg")
        for throw in state["history"]
        if throw["champion"] == "new" and throw["still"]
    ]

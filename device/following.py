"""Following one table on a thread of its own: what is told is passed on, and nothing is missed without a word."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from device.stream import Message, Subscription

POLL_S = 5.0
ENDS_WITHIN_S = 10.0


class Followed(Protocol):
    """What a follower asks of a table."""

    def state(self) -> Mapping[str, Any]:
        """The state that pages see."""
        ...

    def subscribe(self, after: int | None) -> Subscription:
        """Follow what is stored."""
        ...


class Following:
    """Calls `each` with every message from `open` to `close`, and with None where it was too slow and some were missed."""

    def __init__(self, table: Followed, name: str, each: Callable[[Message | None], None]) -> None:
        self._table = table
        self._each = each
        self._stop = threading.Event()
        self._news = table.subscribe(None)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def open(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def close(self) -> None:
        """Stop following."""
        self._stop.set()
        self._news.close()
        if self._thread.is_alive():
            self._thread.join(timeout=ENDS_WITHIN_S)

    def _run(self) -> None:
        while not self._stop.is_set():
            message = self._news.get(POLL_S)
            if message is not None:
                self._each(message)
            elif self._news.closed and not self._stop.is_set():
                self._news = self._table.subscribe(None)  # it was too slow and let go
                self._each(None)

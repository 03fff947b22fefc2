"""One thread writes what happens to all pages that follow: two hundred threads that wake for every throw cost ten times as much.

A page's own thread writes all that may take long: the beginning, what the page missed, the rest of a block that a slow page did
not take. In between it rests here, and the lane writes each new block to its connection if that takes it at once.
"""

from __future__ import annotations

import os
import queue
import threading
from collections import deque
from typing import Protocol

from device.stream import Message, Subscription


class Wire(Protocol):
    """The connection of one page, below the server's own writing."""

    @property
    def usable(self) -> bool:
        """Whether blocks may be written to it directly: a plain socket, its answer sent in chunks."""
        ...

    @property
    def number(self) -> int:
        """Its file descriptor; writing to it never waits."""
        ...

    def finish(self, rest: bytes) -> None:
        """Write what is left of a chunk, for as long as the page takes; raises OSError where it takes nothing."""
        ...


class Lane:
    """Any number of pages may rest in it; its thread begins with the first of them and ends with `close`."""

    def __init__(self) -> None:
        self._news: queue.SimpleQueue[_Resting | None] = queue.SimpleQueue()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None

    def rest(self, subscription: Subscription, wire: Wire, seconds: float) -> tuple[bytes, list[Message]] | None:
        """Have what comes written to the wire until `seconds` are over, the page is slow or the subscription ends.

        Returns what the page's thread has to write itself: the rest of a chunk, and messages after it; None where something waits already.
        """
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="lane", daemon=True)
                self._thread.start()
        resting = _Resting(subscription, wire.number, self._news)
        if not subscription.divert(resting.take):
            return None
        resting.woken.wait(seconds)
        subscription.divert(None)
        return resting.leave()

    def close(self) -> None:
        """Write what has come so far, and end."""
        with self._guard:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._news.put(None)
            thread.join(1.0)

    def _run(self) -> None:
        while (resting := self._news.get()) is not None:
            resting.write()


class _Resting:
    """A page in the lane."""

    def __init__(self, subscription: Subscription, number: int, news: queue.SimpleQueue[_Resting | None]) -> None:
        self.woken = threading.Event()
        self._subscription = subscription
        self._number = number
        self._news = news
        self._waiting: deque[Message] = deque()
        self._rest = b""
        self._over = False
        self._guard = threading.Lock()

    def take(self, message: Message | None) -> None:
        """Something happened; None: the subscription has ended."""
        if message is None:
            self.woken.set()
        else:
            self._waiting.append(message)
            self._news.put(self)

    def write(self) -> None:
        """Write what waits; a page that does not take it at once is given back to its own thread."""
        with self._guard:  # once the page's thread has left, the number may be another connection's
            while self._waiting and not self._over:
                message = self._waiting.popleft()
                if not self._subscription.fresh(message):
                    continue
                try:
                    written = os.write(self._number, message.chunk)
                except OSError:  # it takes nothing now, or never again: its own thread finds out which
                    written = 0
                if written < len(message.chunk):
                    self._rest, self._over = message.chunk[written:], True
                    self.woken.set()

    def leave(self) -> tuple[bytes, list[Message]]:
        """Nothing is written from now on; what is left to write."""
        with self._guard:
            self._over = True
            return self._rest, [message for message in self._waiting if self._subscription.fresh(message)]

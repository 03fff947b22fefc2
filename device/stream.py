"""What the Table tells pages as it happens: stored events with their sequence, and passing phases without one."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from device.journal import Record

QUEUE_LIMIT = 256


@dataclass(frozen=True)
class Message:
    """One thing told to a page: `event` is "stored" or "phase"; seq is the journal sequence, None for passing things."""

    event: str
    data: dict[str, Any]
    seq: int | None = None

    @cached_property
    def block(self) -> bytes:
        """As server-sent event, made once for all pages; stored ones carry their sequence as id."""
        head = "" if self.seq is None else f"id: {self.seq}\n"
        data = json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))
        return f"{head}event: {self.event}\ndata: {data}\n\n".encode()

    @cached_property
    def chunk(self) -> bytes:
        """The block as one chunk of an HTTP/1.1 answer."""
        return b"%x\r\n%s\r\n" % (len(self.block), self.block)


def stored(record: Record) -> Message:
    """What is told of a record that is on the disk."""
    return Message("stored", {"seq": record.seq, "type": record.type, "version": record.seq}, record.seq)


class Subscription:
    """One page's bounded queue; a page that is too slow is closed and resumes by its last sequence."""

    def __init__(self, on_close: Callable[[Subscription], None], missed: Iterable[Message] = ()) -> None:
        """missed: what was told before this page came (back); it is delivered first, however much it is."""
        self._missed: Iterator[Message] | None = iter(missed)
        # two hundred of these are put to and taken from at every event: the plain queue costs a third of the bounded one
        self._queue: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._on_close = on_close
        self._last = 0
        self._take: Callable[[Message | None], None] | None = None
        self._guard = threading.Lock()
        self.closed = False

    def put(self, message: Message) -> None:
        """Hand a message over; a full queue closes the subscription."""
        with self._guard:
            if self.closed:
                return
            if self._take is not None:
                self._take(message)
                return
            if self._queue.qsize() < QUEUE_LIMIT - 1:  # one place is for the word that it is over
                self._queue.put(message)
                return
        self.close()

    def divert(self, take: Callable[[Message | None], None] | None) -> bool:
        """From now on hand messages to `take` (None at the end), at once and in order; None: to the queue again.

        False, and nothing is changed, where something waits to be taken from the queue first.
        """
        with self._guard:
            if take is not None and (self.closed or self._missed is not None or self._queue.qsize()):
                return False
            self._take = take
            return True

    def fresh(self, message: Message) -> bool:
        """Whether this page has not been told of it; asked once of each message, since then it has."""
        if message.seq is None:
            return True
        if message.seq <= self._last:  # what was stored while this page came may stand in both
            return False
        self._last = message.seq
        return True

    def get(self, timeout: float) -> Message | None:
        """The next message, or None after `timeout` seconds or when closed."""
        try:
            while True:
                message = self._next(timeout)
                if message is None or self.fresh(message):
                    return message
        except queue.Empty:
            return None

    def _next(self, timeout: float) -> Message | None:
        if self._missed is not None:
            missed = next(self._missed, None)
            if missed is not None:
                return missed
            self._missed = None
        return self._queue.get(timeout=timeout)

    def close(self) -> None:
        """Stop; wakes a waiting reader."""
        with self._guard:
            if self.closed:
                return
            self.closed = True
            take = self._take
        self._on_close(self)
        self._queue.put(None)
        if take is not None:
            take(None)

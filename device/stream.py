"""What the Table tells pages as it happens: stored events with their sequence, and passing phases without one."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from device.journal import Record

QUEUE_LIMIT = 256


@dataclass(frozen=True, slots=True)
class Message:
    """One thing told to a page: `event` is "stored" or "phase"; seq is the journal sequence, None for passing things."""

    event: str
    data: dict[str, Any]
    seq: int | None = None


def stored(record: Record) -> Message:
    """What is told of a record that is on the disk."""
    return Message("stored", {"seq": record.seq, "type": record.type, "version": record.seq}, record.seq)


class Subscription:
    """One page's bounded queue; a page that is too slow is closed and resumes by its last sequence."""

    def __init__(self, on_close: Callable[[Subscription], None], missed: Iterable[Message] = ()) -> None:
        """missed: what was told before this page came (back); it is delivered first, however much it is."""
        self._missed = iter(missed)
        self._queue: queue.Queue[Message | None] = queue.Queue(QUEUE_LIMIT)
        self._on_close = on_close
        self._last = 0
        self.closed = False

    def put(self, message: Message) -> None:
        """Hand a message over; a full queue closes the subscription."""
        try:
            self._queue.put_nowait(message)
        except queue.Full:
            self.close()

    def get(self, timeout: float) -> Message | None:
        """The next message, or None after `timeout` seconds or when closed."""
        try:
            while True:
                missed = next(self._missed, None)
                message = missed if missed is not None else self._queue.get(timeout=timeout)
                if message is None or message.seq is None:
                    return message
                if message.seq > self._last:  # what was stored while this page came may stand in both
                    self._last = message.seq
                    return message
        except queue.Empty:
            return None

    def close(self) -> None:
        """Stop; wakes a waiting reader."""
        if self.closed:
            return
        self.closed = True
        self._on_close(self)
        try:
            self._queue.put_nowait(None)
        except queue.Full:
            self._queue.get_nowait()
            self._queue.put_nowait(None)

"""The event stream: the Table's messages as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator

from device.errors import Fault
from device.stream import Message, Subscription

KEEP_ALIVE_SECONDS = 15.0
RETRY_MILLISECONDS = 1000


def encode(message: Message) -> str:
    """One message as an event block; stored ones carry their sequence as id."""
    head = "" if message.seq is None else f"id: {message.seq}\n"
    data = json.dumps(message.data, ensure_ascii=False, separators=(",", ":"))
    return f"{head}event: {message.event}\ndata: {data}\n\n"


def stream(subscription: Subscription, keep_alive: float = KEEP_ALIVE_SECONDS) -> Iterator[str]:
    """Event blocks until the subscription is closed; a comment after `keep_alive` quiet seconds.

    When the browser goes away the server closes this generator at the next write, which ends the subscription.
    """
    try:
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        while True:
            try:
                message = subscription.get(keep_alive)
            except Fault:  # the journal can't be read, or the table has ended
                return
            if message is not None:
                yield encode(message)
            elif subscription.closed:
                return
            else:
                yield ": still here\n\n"
    finally:
        subscription.close()

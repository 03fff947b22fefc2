"""The event stream: the Table's messages as server-sent events."""

from __future__ import annotations

from collections.abc import Iterator

from device.errors import Fault
from device.stream import Subscription
from web_ui.lane import Lane, Wire

KEEP_ALIVE_SECONDS = 15.0
RETRY_MILLISECONDS = 1000


def stream(
    subscription: Subscription,
    keep_alive: float = KEEP_ALIVE_SECONDS,
    lane: Lane | None = None,
    wire: Wire | None = None,
) -> Iterator[bytes]:
    """Event blocks until the subscription is closed; a comment after `keep_alive` quiet seconds.

    When the browser goes away the server closes this generator at the next write, which ends the subscription. lane, wire:
    where blocks are written to the connection directly while nothing is behind.
    """
    try:
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
        while True:
            direct = lane is not None and wire is not None and wire.usable
            try:
                message = subscription.get(0.0 if direct else keep_alive)
            except Fault:  # the journal can't be read, or the table has ended
                return
            if message is not None:
                yield message.block
            elif subscription.closed:
                return
            elif lane is not None and wire is not None and direct:
                left = lane.rest(subscription, wire, keep_alive)
                if left is None:
                    continue
                rest, late = left
                if rest:
                    wire.finish(rest)
                yield b"".join(message.block for message in late) or b": still here\n\n"
            else:
                yield b": still here\n\n"
    finally:
        subscription.close()

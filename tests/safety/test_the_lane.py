"""One thread writes to all pages that follow: each is told everything once and in order, however slow it is and whenever it comes."""

from __future__ import annotations

import re
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from device.stream import Message, Subscription
from web_ui.lane import Lane
from web_ui.sse import stream

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the lane is not used on Windows")
BLOCK = re.compile(rb"id: (\d+)\nevent: stored\n")


class Wire:
    """One end of a connection as the server has it: with a time limit, so that writing to its number never waits."""

    usable = True

    def __init__(self, link: socket.socket) -> None:
        self.link = link
        link.settimeout(20)
        self.number = link.fileno()

    def finish(self, rest: bytes) -> None:
        self.link.sendall(rest)


class Page:
    """A page that follows over a connection, its thread, and what it has read."""

    def __init__(self, lane: Lane, missed: tuple[Message, ...] = (), keep_alive: float = 20.0) -> None:
        mine, self.link = socket.socketpair()
        mine.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2048)
        self.wire = Wire(mine)
        self.closed: list[Subscription] = []
        self.line = Subscription(self.closed.append, missed)
        self.thread = threading.Thread(target=self._serve, args=(lane, keep_alive))
        self.thread.start()

    def _serve(self, lane: Lane, keep_alive: float) -> None:
        parts = stream(self.line, keep_alive, lane, self.wire)
        with suppress(OSError), closing(parts), self.wire.link:  # as cheroot does
            for part in parts:
                self.wire.link.sendall(b"%x\r\n%s\r\n" % (len(part), part))

    def told(self) -> list[int]:
        """Everything that was read until the server hung up, which must be whole chunks."""
        held = b""
        while part := self.link.recv(65536):
            held += part
        self.thread.join()
        self.link.close()
        content = b""
        while held:
            size, _, rest = held.partition(b"\r\n")
            assert rest[int(size, 16) : int(size, 16) + 2] == b"\r\n"
            content, held = content + rest[: int(size, 16)], rest[int(size, 16) + 2 :]
        return [int(found) for found in BLOCK.findall(content)]


def message(number: int) -> Message:
    return Message("stored", {"seq": number, "words": "饼" * 40}, number)


@pytest.fixture
def lane() -> Iterator[Lane]:
    one = Lane()
    yield one
    one.close()


def test_pages_that_come_at_any_moment_are_told_everything_once_and_in_order(lane: Lane) -> None:
    pages: list[tuple[int, Page]] = []
    for number in range(1, 121):
        if number % 10 == 1:
            missed = tuple(message(n) for n in range(1, number))
            pages.append((number, Page(lane, missed, keep_alive=0.001 if number % 20 == 1 else 20.0)))
        for _, page in pages:
            page.line.put(message(number))
    reading = {page: [] for _, page in pages}
    readers = [threading.Thread(target=lambda p=page: reading[p].extend(p.told())) for page in reading]
    for reader in readers:
        reader.start()
    for _, page in pages:
        page.line.close()
    for reader in readers:
        reader.join()
    assert all(told == list(range(1, 121)) for told in reading.values())


def test_a_page_that_reads_late_gets_every_block_whole_and_holds_nobody_up(lane: Lane) -> None:
    slow, quick = Page(lane), Page(lane)
    quick_told: list[int] = []
    reader = threading.Thread(target=lambda: quick_told.extend(quick.told()))
    reader.start()
    for number in range(1, 101):  # more than the slow page's connection holds
        slow.line.put(message(number))
        quick.line.put(message(number))
    quick.line.close()
    reader.join()
    assert quick_told == list(range(1, 101))
    slow.line.close()
    assert slow.told() == list(range(1, 101))


def test_a_page_that_has_gone_is_found_out_and_its_subscription_ends(lane: Lane) -> None:
    page = Page(lane)
    page.link.recv(65536)
    page.link.close()
    number = 0
    while page.thread.is_alive():
        number += 1
        page.line.put(message(number))
    assert page.line.closed and page.closed == [page.line]

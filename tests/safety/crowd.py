"""Many pages that follow a table over real sockets, on one thread; each notes what it was told and when."""

from __future__ import annotations

import re
import selectors
import socket
import time
from dataclasses import dataclass, field

STORED = re.compile(rb"id: (\d+)\nevent: stored\n")


@dataclass
class Viewer:
    """One page: the numbers it was told, the moments (monotonic seconds), the status it got."""

    link: socket.socket
    held: bytes = b""
    told: list[int] = field(default_factory=list)
    at: list[float] = field(default_factory=list)
    status: int = 0
    ended: bool = False

    def take(self, now: float) -> None:
        """Read what has come."""
        try:
            content = self.link.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            content = b""
        if not content:
            self.ended = True
            return
        self.held += content
        if not self.status and b"\r\n" in self.held:
            self.status = int(self.held.split(b" ", 2)[1])
        for found in STORED.finditer(self.held):
            self.told.append(int(found[1]))
            self.at.append(now)
        end = self.held.rfind(b"\n\n")
        if self.status and end >= 0:
            self.held = self.held[end:]


class Crowd:
    """Viewers that are read from as soon as something comes."""

    def __init__(self, host: str, port: int) -> None:
        self.address = (host, port)
        self.viewers: list[Viewer] = []
        self._selector = selectors.DefaultSelector()

    def come(self, count: int, after: int | None = None) -> list[Viewer]:
        """So many more pages."""
        new = [self._one(after) for _ in range(count)]
        self.viewers += new
        return new

    def _one(self, after: int | None) -> Viewer:
        link = socket.create_connection(self.address, timeout=20)
        last = "" if after is None else f"Last-Event-ID: {after}\r\n"
        link.sendall(f"GET /api/events HTTP/1.1\r\nHost: {self.address[0]}\r\n{last}\r\n".encode())
        link.setblocking(False)
        viewer = Viewer(link)
        self._selector.register(link, selectors.EVENT_READ, viewer)
        return viewer

    def read(self, seconds: float) -> None:
        """Read for at most so long, or until nothing comes any more."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            ready = self._selector.select(left)
            now = time.monotonic()
            for key, _ in ready:
                viewer: Viewer = key.data
                viewer.take(now)
                if viewer.ended:
                    self._selector.unregister(viewer.link)
                    viewer.link.close()

    def until(self, done: object, seconds: float = 30.0) -> None:
        """Read until done() is true; fails after a generous while."""
        assert callable(done)
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, "it did not come to it"
            self.read(0.02)

    def leave(self) -> None:
        """Everybody goes home."""
        for viewer in self.viewers:
            if not viewer.ended:
                self._selector.unregister(viewer.link)
                viewer.link.close()
                viewer.ended = True

"""Where a box made of Python is plugged in: a pseudo-terminal, or a loopback address where the system has none."""

from __future__ import annotations

import os
import select
import socket
from contextlib import suppress
from pathlib import Path
from typing import Protocol

HOST = "127.0.0.1"


class Channel(Protocol):
    """The box's end. name: what the other end is called as a serial port."""

    name: str

    def exchange(self, data: bytes, seconds: float) -> bytes | None:
        """Send, wait so long for something, and return what came; None while nobody has the other end open."""
        ...

    def close(self) -> None:
        """Take it away."""
        ...


class PtyChannel:
    """A pseudo-terminal, also found under `link` where one is given. Raises OSError, ImportError where there is none."""

    def __init__(self, link: Path | None = None) -> None:
        import pty
        import tty

        self._master, slave = pty.openpty()
        tty.setraw(self._master)
        self.name = os.ttyname(slave)
        os.close(slave)  # from now on a hang-up says that nobody has it open
        os.set_blocking(self._master, False)
        self._link = link
        if link is not None:
            try:
                link.symlink_to(self.name)
            except OSError:
                os.close(self._master)
                raise
            self.name = str(link)

    def exchange(self, data: bytes, seconds: float) -> bytes | None:
        """As Channel says."""
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        happened = dict(poll.poll(round(seconds * 1000))).get(self._master, 0)
        if happened & select.POLLHUP:
            return None
        with suppress(OSError):
            if data:
                os.write(self._master, data)
            if happened & select.POLLIN:
                return os.read(self._master, 4096)
        return b""

    def close(self) -> None:
        """As Channel says."""
        if self._link is not None:
            self._link.unlink(missing_ok=True)
        os.close(self._master)


class TcpChannel:
    """A loopback port; one program at a time. Raises OSError where the number can't be had (0: any)."""

    def __init__(self, number: int = 0) -> None:
        self._listener = socket.create_server((HOST, number))
        self.name = f"socket://{HOST}:{self._listener.getsockname()[1]}"
        self._peer: socket.socket | None = None

    def exchange(self, data: bytes, seconds: float) -> bytes | None:
        """As Channel says."""
        if self._peer is None:
            if not select.select([self._listener], [], [], seconds)[0]:
                return None
            self._peer, _ = self._listener.accept()
            self._peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return b""
        try:
            if data:
                self._peer.sendall(data)
            if not select.select([self._peer], [], [], seconds)[0]:
                return b""
            came = self._peer.recv(4096)
        except OSError:
            came = b""
        if came:
            return came
        self._peer.close()
        self._peer = None
        return None

    def close(self) -> None:
        """As Channel says."""
        if self._peer is not None:
            self._peer.close()
        self._listener.close()

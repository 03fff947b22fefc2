"""A quiet threaded web server for one app: one thread a request, so that event streams can stay open."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server


class QuietHandler(WSGIRequestHandler):
    """Serves without writing a line for each request; faults still reach the log."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""


class Server:
    """Serves a WSGI app at host:port (0 picks a free one) on a thread of its own until `close`.

    Raises OSError at once where the port is taken or the host is not ours.
    """

    def __init__(self, app: Callable[..., Any], host: str, port: int) -> None:
        # werkzeug prints and exits on a busy port unless it is given a socket; the command line words that fault
        self._socket = listen(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._server = make_server(
            host, self.port, app, threaded=True, request_handler=QuietHandler, fd=self._socket.fileno()
        )
        self._thread = threading.Thread(target=self._server.serve_forever, name="web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop taking requests; open event streams end with the process or with the Table."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._socket.close()


def own_names(host: str) -> list[str]:
    """The names and addresses by which browsers may call a server that listens at `host` (every one of ours where it listens at all)."""
    if host not in ("0.0.0.0", "::", ""):
        return [host]
    name = socket.gethostname()
    names = {name, f"{name}.local", name.partition(".")[0]}
    with suppress(OSError):
        names |= {str(entry[4][0]).partition("%")[0] for entry in socket.getaddrinfo(name, None)}
    for family, anywhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        # the address that packets would leave from; nothing is sent
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((anywhere, 9))
            names.add(probe.getsockname()[0])
    return sorted(names)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket for IPv4 or IPv6; raises OSError where the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # on Windows this option would let two servers share one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener

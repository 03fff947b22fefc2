"""The web server: a fixed number of threads, so that neither many pages nor slow ones can make it grow; ends within a second.

The pages that follow (server-sent events) hold a thread each; the others share what is left. Threads = places + SPARE, of
which the last come up while the first serve already.
"""

from __future__ import annotations

import os
import socket
import ssl
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from cheroot.server import HTTPConnection
from cheroot.ssl.builtin import BuiltinSSLAdapter
from cheroot.wsgi import Gateway_10
from cheroot.wsgi import Server as WSGIServer

from web_ui.api import MAX_BODY
from web_ui.streams import WIRE, Streams

SPARE = 16
SLOW_S = 10
"""A browser that takes or sends nothing for so long is dropped."""
END_S = 0.4
GROWTH = 4
BACKLOG = 128
MAX_HEADER = 32 * 1024


class App(Protocol):
    """A WSGI app whose pages may follow."""

    streams: Streams

    def __call__(self, environ: Any, start_response: Any) -> Any:
        """Answer one request."""
        ...


class Server:
    """Serves an app at host:port (0 picks a free one) on threads of its own until `close`.

    certificate: PEM files of a certificate and its key, for https. fault: told of what went wrong inside, with its traceback.
    Raises OSError at once where the port is taken or the host is not ours, or a certificate can't be read.
    """

    def __init__(
        self,
        app: App,
        host: str,
        port: int,
        certificate: tuple[Path, Path] | None = None,
        fault: Callable[[str], None] | None = None,
    ) -> None:
        self._streams = app.streams
        adapter = None if certificate is None else _Adapter(str(certificate[0]), str(certificate[1]))
        self._server = _Serving(listen(host, port), app, app.streams.places + SPARE, fault)
        self._server.ssl_adapter = adapter
        self.port: int = self._server.listener.getsockname()[1]
        self._server.prepare()
        self._thread = threading.Thread(target=self._server.serve, name="web", daemon=True)
        self._thread.start()
        # two hundred threads take seconds to come up on a busy machine, and the board needs a few
        self._growing = threading.Thread(target=self._server.grow, name="web-grow", daemon=True)
        self._growing.start()

    def close(self) -> None:
        """Let the pages that follow go, then stop; a browser that takes nothing is not waited for."""
        self._streams.close()
        self._server.grown.set()
        self._growing.join(END_S)
        stopping = threading.Thread(target=self._server.stop, name="web-stop", daemon=True)
        stopping.start()
        stopping.join(END_S)
        self._server.hang_up()
        stopping.join(1.0)
        self._thread.join(1.0)


class _Adapter(BuiltinSSLAdapter):
    """TLS whose handshake is the worker's affair: who sends nothing must not hold up the one thread that accepts."""

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        """The connection, its handshake still to come."""
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, {"wsgi.url_scheme": "https", "HTTPS": "on"}


class _Wire:
    """A connection below cheroot's own writing (web_ui/lane.py)."""

    def __init__(self, request: Any) -> None:
        self._request = request

    @property
    def usable(self) -> bool:
        """Not with TLS, which must not be written to by two threads, and not on Windows, where sockets are no files."""
        return os.name != "nt" and bool(self._request.chunked_write) and type(self._request.conn.socket) is socket.socket

    @property
    def number(self) -> int:
        """Its file descriptor; cheroot's sockets have a time limit, and such ones never block."""
        return int(self._request.conn.socket.fileno())

    def finish(self, rest: bytes) -> None:
        """Write the rest of a chunk as it is."""
        self._request.conn.wfile.write(rest)


class _Gateway(Gateway_10):
    """Tells the app of its connection, too."""

    def get_environ(self) -> Any:
        """What the app is told of a request."""
        length = self.req.inheaders.get(b"Content-Length", b"0")
        if self.req.chunked_read or not (length.isdigit() and int(length) <= MAX_BODY):
            # what the app leaves unread of a body cheroot would read into memory, whoever sent it: rather hang up
            self.req.close_connection = True
        told: Any = super().get_environ()  # type: ignore[no-untyped-call]
        return {**told, WIRE: _Wire(self.req)}


class _Connection(HTTPConnection):
    """A connection that its server can find again."""

    def __init__(self, server: _Serving, sock: Any, makefile: Any) -> None:
        super().__init__(server, sock, makefile)
        self.silent = True
        server.connections_open.add(self)


class _Serving(WSGIServer):
    """cheroot's server on a socket that is listening already."""

    ConnectionClass = _Connection
    max_request_header_size = MAX_HEADER

    def __init__(
        self, listener: socket.socket, app: App, threads: int, fault: Callable[[str], None] | None
    ) -> None:
        self.listener = listener
        self.connections_open: weakref.WeakSet[_Connection] = weakref.WeakSet()
        self._fault = fault
        self._most = threads
        self.grown = threading.Event()
        super().__init__(
            listener.getsockname()[:2],
            app,
            numthreads=min(SPARE, threads),
            max=threads,
            server_name="bobing",
            request_queue_size=BACKLOG,
            timeout=SLOW_S,
            shutdown_timeout=0,
        )
        self.gateway = _Gateway

    def bind(self, *_: object) -> socket.socket:
        """Take the socket that was made before, whose fault the command line has worded."""
        self.socket = self.listener
        self.bind_addr = self.listener.getsockname()[:2]
        return self.listener

    def grow(self) -> None:
        """Have all threads there are to be, a few at a time, unless `grown` says that it is over."""
        for _ in range(0, self._most, GROWTH):
            if self.grown.is_set():
                return
            self.requests.grow(GROWTH)
        self.grown.set()

    def process_conn(self, conn: _Connection) -> None:
        """Give a connection a thread, but not before something was said on it: browsers open more than they use."""
        if conn.silent:
            conn.silent = False
            self.put_conn(conn)
        else:
            super().process_conn(conn)

    def error_log(self, msg: str = "", level: int = 20, traceback: bool = False) -> None:
        """What went wrong inside; what a browser did wrong is no news."""
        if level >= 40 and self._fault is not None and not isinstance(sys.exception(), ssl.SSLError | ConnectionError):
            import traceback as trace

            self._fault(f"{msg}\n{trace.format_exc()}" if traceback else msg)

    def hang_up(self) -> None:
        """End every connection that is still open."""
        for connection in list(self.connections_open):
            with suppress(OSError, AttributeError):
                connection.socket.shutdown(socket.SHUT_RDWR)


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
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener

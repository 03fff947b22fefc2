"""The web server holds so many pages and no more, lets each go when it goes, and ends at once."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from crowd import Crowd

from device.journal import Journal
from device.stream import QUEUE_LIMIT
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import PRESETS
from web_ui.app import TableApp, create_app
from web_ui.server import SPARE, Server

THROWS = ([4, 4, 4, 1, 2, 3], [1, 2, 3, 4, 5, 6], [4, 1, 2, 3, 5, 5], [1, 1, 2, 2, 3, 3])


class Served:
    """A real table behind a real server on loopback."""

    def __init__(self, folder: Path, places: int) -> None:
        self.table = Table(
            Journal.open(folder / "journal.db"), None, Setting(), PRESETS["xiamen"], time.time, lambda n: 0
        ).open()
        self.give("start", players=["甲", "乙", "丙"])
        self.app: TableApp = create_app(self.table, places=places)
        self._others = set(threading.enumerate())  # of a server of an earlier test that is about to end, too
        self.server = Server(self.app, "127.0.0.1", 0)
        self.port = self.server.port

    def give(self, command: str, **more: Any) -> dict[str, Any]:
        return self.table.command({"command": command, "version": self.table.state()["version"], **more})

    def get(self, path: str, **headers: str) -> Any:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        return urllib.request.urlopen(request, timeout=20)

    def threads(self) -> int:
        return sum(1 for thread in threading.enumerate() if thread.name.startswith("CP Server") and thread not in self._others)

    def close(self) -> None:
        self.server.close()
        self.table.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    served: list[Served] = []

    def one(places: int = 4) -> Served:
        served.append(Served(tmp_path, places))
        return served[-1]

    yield one
    for each in served:
        each.close()


def test_one_page_too_many_is_told_when_to_look_again_and_the_others_notice_nothing(serve: Any) -> None:
    served = serve(3)
    crowd = Crowd("127.0.0.1", served.port)
    crowd.come(3)
    crowd.until(lambda: served.app.streams.taken == 3)
    with pytest.raises(urllib.error.HTTPError) as full:
        served.get("/api/events")
    assert (full.value.code, full.value.headers["Retry-After"]) == (503, "5")
    assert json.load(full.value)["key"] == "full"
    assert json.load(served.get("/api/state"))["version"] == 1
    served.give("throw", dice=THROWS[0])
    crowd.until(lambda: all(viewer.told == [2] for viewer in crowd.viewers))
    crowd.leave()


def test_a_place_is_free_again_when_its_page_has_gone(serve: Any) -> None:
    served = serve(2)
    for _ in range(3):
        crowd = Crowd("127.0.0.1", served.port)
        crowd.come(2)
        crowd.until(lambda: served.app.streams.taken == 2)
        crowd.leave()
        end = time.monotonic() + 20
        while served.app.streams.taken and time.monotonic() < end:
            served.give("throw", dice=THROWS[3])  # what is written finds out that nobody reads
        assert served.app.streams.taken == 0


def test_looking_at_the_head_alone_takes_no_place(serve: Any) -> None:
    served = serve(6)
    for _ in range(5):
        link = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
        link.request("HEAD", "/api/events")
        assert link.getresponse().status == 200
        link.close()
    end = time.monotonic() + 10
    while served.app.streams.taken and time.monotonic() < end:
        served.get("/healthz").read()
    assert served.app.streams.taken == 0


def test_a_page_that_comes_back_is_told_all_that_it_missed_and_nothing_twice(serve: Any) -> None:
    served = serve(4)
    crowd = Crowd("127.0.0.1", served.port)
    [viewer] = crowd.come(1, after=0)
    for dice in THROWS:
        served.give("throw", dice=dice)
    crowd.until(lambda: viewer.told == [1, 2, 3, 4, 5])
    crowd.leave()
    for dice in THROWS * 3:
        served.give("throw", dice=dice)
    [back] = crowd.come(1, after=viewer.told[-1])
    served.give("throw", dice=THROWS[0])
    crowd.until(lambda: len(back.told) == 13)
    assert back.told == list(range(6, 19))
    crowd.leave()


def test_a_page_that_reads_nothing_is_dropped_and_costs_no_more_than_its_queue(serve: Any) -> None:
    served = serve(4)
    line = served.table.subscribe(None)  # a page that never reads
    crowd = Crowd("127.0.0.1", served.port)
    [viewer] = crowd.come(1)
    crowd.until(lambda: served.app.streams.taken == 1)
    for _ in range(QUEUE_LIMIT // 2 + 1):
        served.give("throw", dice=THROWS[3])
        served.give("undo")
        crowd.read(0)
    assert line.closed and line._queue.qsize() <= QUEUE_LIMIT
    crowd.until(lambda: viewer.told and viewer.told[-1] == served.table.state()["version"])
    assert viewer.told == list(range(2, 2 + len(viewer.told)))
    crowd.leave()


def test_the_server_ends_at_once_with_pages_open_and_a_stalled_one_among_them(serve: Any, figure: Any) -> None:
    served = serve(6)
    crowd = Crowd("127.0.0.1", served.port)
    crowd.come(3)
    half = socket.create_connection(("127.0.0.1", served.port))
    half.sendall(b"POST /api/commands HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\nContent-Type: application/json\r\n\r\n{")
    crowd.until(lambda: served.app.streams.taken == 3)
    begun = time.monotonic()
    served.server.close()
    took = time.monotonic() - begun
    crowd.until(lambda: all(viewer.ended for viewer in crowd.viewers))
    half.close()
    assert served.app.streams.taken == 0
    figure(f"ended {took:.2f} s after it was told to, with three pages open and a request half sent")
    assert took < 10.0  # the bar is one second; a busy machine is no fault
    assert served.threads() == 0


def test_the_number_of_threads_is_fixed(serve: Any) -> None:
    served = serve(5)
    assert served.server._server.grown.wait(60)
    assert served.threads() == 5 + SPARE
    links = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(60)]
    assert json.load(served.get("/api/state"))["version"] == 1
    assert served.threads() == 5 + SPARE
    for link in links:
        link.close()


@pytest.mark.parametrize(
    "content",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 40_000 + b"\r\n\r\n",
        b"GARBAGE\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/commands HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST /api/commands HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /%00%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
def test_nonsense_is_answered_or_dropped_and_the_next_is_served(serve: Any, content: bytes) -> None:
    served = serve(2)
    link = socket.create_connection(("127.0.0.1", served.port), timeout=20)
    link.sendall(content)
    link.shutdown(socket.SHUT_WR)
    said = b""
    try:
        while part := link.recv(65536):
            said += part
    except OSError:
        pass
    link.close()
    assert b"Traceback" not in said
    assert not said or int(said.split(b" ", 2)[1]) < 500 or b" 505 " in said[:20]
    assert json.load(served.get("/api/state"))["version"] == 1


def test_a_body_over_256_kb_is_refused_before_it_is_read(serve: Any) -> None:
    served = serve(2)
    link = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    link.putrequest("POST", "/api/commands")
    link.putheader("Content-Type", "application/json")
    link.putheader("Content-Length", str(10**9))
    link.endheaders()
    link.send(b"{")
    assert link.getresponse().status == 413
    link.close()


def test_with_a_certificate_of_our_own_it_speaks_https_and_a_mute_caller_holds_nobody_up(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl here: sudo apt-get install openssl")
    key, certificate = tmp_path / "key.pem", tmp_path / "table.pem"
    words = f"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout {key} -out {certificate} -subj /CN=localhost"
    subprocess.run([openssl, *words.split(), "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
    table = Table(Journal.open(None), None, Setting(), PRESETS["xiamen"], time.time, lambda n: 0).open()
    faults: list[str] = []
    server = Server(create_app(table, places=2), "127.0.0.1", 0, (certificate, key), faults.append)
    mute = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(5)]
    plain = socket.create_connection(("127.0.0.1", server.port))
    plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    trust = ssl.create_default_context(cafile=str(certificate))
    with urllib.request.urlopen(f"https://localhost:{server.port}/api/state", timeout=20, context=trust) as answer:
        assert json.load(answer)["version"] == 0
    for link in [*mute, plain]:
        link.close()
    server.close()
    table.close()


def test_what_a_browser_did_wrong_does_not_drive_what_happened_out_of_the_log(serve: Any) -> None:
    served, told = serve(2), list[str]()
    served.server._server._fault = told.append
    for fault in (ssl.SSLEOFError(8, "EOF"), ConnectionResetError(), BrokenPipeError(), OSError(24, "too many open files"), KeyError("odd")):
        try:
            raise fault
        except (OSError, KeyError):
            served.server._server.error_log("while processing", 40, traceback=True)
    assert ["too many open files" in line or "odd" in line for line in told] == [True, True]


LARGE = 256_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up in /proc: run this test on Linux")
@pytest.mark.parametrize("head", [
    b"POST /api/commands HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nContent-Length: %d\r\n\r\n",
    b"POST /healthz HTTP/1.1\r\nHost: evil.example\r\nContent-Length: %d\r\n\r\n",
    b"GET /static/seal.svg HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n",
    b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n",
])  # fmt: skip
def test_what_nobody_wants_to_read_is_not_taken_into_memory(serve: Any, head: bytes) -> None:
    """A stranger's body is as large as the stranger likes; the table of a small computer must not die of it."""
    served = serve(2)
    served.get("/api/state").read()
    link = socket.create_connection(("127.0.0.1", served.port), timeout=20)
    before = peak()
    with contextlib.suppress(OSError):  # it hangs up
        link.sendall(head % LARGE)
        for _ in range(LARGE // 1_000_000):
            link.sendall(bytes(1_000_000))
        link.recv(65536)
    link.close()
    assert json.load(served.get("/api/state"))["version"] == 1
    assert peak() - before < LARGE // 8


def peak() -> int:
    """The most memory that this process has held, in bytes."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found
    return int(found[1]) * 1024


def test_a_body_that_was_not_read_is_never_taken_for_a_request(serve: Any) -> None:
    """A page elsewhere can send any body to the table's own machine; in it may stand what looks like the console's request."""
    served = serve(2)
    body = json.dumps({"command": "throw", "version": 1, "dice": THROWS[0]}).encode()
    inner = b"POST /api/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    told = (
        b"Content-Length: %d\r\n\r\n" % len(inner), b"Content-Length: %d\r\n\r\n" % (len(inner) + 10**6), b"Content-Length: -4\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(inner),
    )  # fmt: skip
    for path in (b"/api/commands", b"/healthz", b"/static/seal.svg", b"/nowhere", b"/"):
        for method in (b"POST", b"GET", b"HEAD"):
            for size in told:
                link = socket.create_connection(("127.0.0.1", served.port), timeout=20)
                with contextlib.suppress(OSError):
                    link.sendall(method + b" " + path + b" HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n" + size + inner)
                    link.shutdown(socket.SHUT_WR)
                    while link.recv(65536):
                        pass
                link.close()
    assert served.table.state()["version"] == 1

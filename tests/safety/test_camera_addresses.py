"""Whoever answers at a camera's address leads the table nowhere else: not to another address, not to a file."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.capture_child import Wish
from device.errors import Fault
from device.grabber import CameraGrabber
from device.sources import open_source

PICTURE = cv2.imencode(".jpg", np.full((120, 160, 3), 90, np.uint8))[1].tobytes()


class Phone(BaseHTTPRequestHandler):
    """A phone's camera at /video; /elsewhere, /file and /list.m3u8 would lead away from it."""

    asked: list[str]
    video: Path

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.asked.append(self.path)
        leads = {"/elsewhere": "/video", "/file": self.video.as_uri()}.get(self.path)
        if leads is not None:
            self.send_response(302)
            self.send_header("Location", leads)
            self.end_headers()
        elif self.path == "/list.m3u8":
            self.send_response(200)
            self.send_header("Content-Type", "application/vnd.apple.mpegurl")
            self.end_headers()
            self.wfile.write(f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{self.video.as_uri()}\n#EXT-X-ENDLIST\n".encode())
        else:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=f")
            self.end_headers()
            for _ in range(20):
                self.wfile.write(b"--f\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(PICTURE), PICTURE))


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[str]:
    Phone.asked, Phone.video = [], tmp_path / "x.avi"
    writer = cv2.VideoWriter(str(Phone.video), cv2.VideoWriter.fourcc(*"MJPG"), 10, (160, 120))
    for _ in range(10):
        writer.write(np.full((120, 160, 3), 50, np.uint8))
    writer.release()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Phone)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_the_phone_itself_is_seen(phone: str) -> None:
    grabber = CameraGrabber(Wish(f"{phone}/video"))
    assert grabber.read() is not None


@pytest.mark.parametrize("path", ["/elsewhere", "/file", "/list.m3u8"])
def test_where_it_leads_nobody_follows(phone: str, path: str) -> None:
    with pytest.raises(OSError, match="opened"):
        CameraGrabber(Wish(phone + path))
    assert set(Phone.asked) == {path}


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://10.0.0.9/x", "gopher://10.0.0.9", "concat:/etc/passwd", "tcp://10.0.0.9:1"])
def test_other_kinds_of_address_are_no_cameras(address: str) -> None:
    with pytest.raises(Fault) as fault:
        open_source(address, lambda: 0.0)
    assert "\n" not in fault.value.en

"""A phone's camera app as a source: MJPEG over HTTP on the loopback, through a real capturing process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import pytest
from fake_cameras import scene

from device.errors import Fault
from device.sources import open_source

LENGTH = 40


class Phone(BaseHTTPRequestHandler):
    """Serves a stream of JPEG pictures, as camera apps do, and hangs up after a while."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        gate = threading.Event()
        for n in range(LENGTH):
            jpeg = cv2.imencode(".jpg", scene(n))[1].tobytes()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
            self.wfile.write(head.encode() + jpeg + b"\r\n")
            gate.wait(0.01)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def phone() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Phone)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/video"
    server.shutdown()
    server.server_close()


def test_a_phones_stream_is_watched_and_lost_when_it_hangs_up(phone: str) -> None:
    source = open_source(phone, time.monotonic)
    assert source.live
    seen = []
    try:
        with pytest.raises(Fault) as ended:
            for shot in source:
                seen.append(shot.frame.shape)
    finally:
        source.close()
    assert seen and set(seen) == {(240, 320, 3)}
    assert ended.value.key == "camera_lost"

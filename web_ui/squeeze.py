"""Answers made small for the way through the room: text is sent gzipped to who takes it, streams and pictures as they are."""

from __future__ import annotations

import gzip
from typing import Any

from flask import Flask, Response, current_app, request

VARIES = "Accept-Encoding"
KINDS = ("text/html", "text/css", "text/javascript", "application/javascript", "application/json", "image/svg+xml")
LEAST = 1000
LEVEL = 5


class Once:
    """The table's state as an answer: two hundred pages ask for the same one after every throw, and it is written out once."""

    def __init__(self) -> None:
        self._made: tuple[object, bytes, bytes] = (None, b"", b"")

    def answer(self, state: dict[str, Any]) -> Response:
        """This state, which nobody changes any more; gzipped to who takes it."""
        whose, plain, small = self._made
        if whose is not state:
            plain = current_app.json.dumps(state, separators=(",", ":")).encode() + b"\n"
            small = gzip.compress(plain, LEVEL, mtime=0)
            self._made = (state, plain, small)
        taken = len(plain) >= LEAST and "gzip" in request.headers.get(VARIES, "")
        response = Response(small if taken else plain, mimetype="application/json")
        if taken:
            response.headers["Content-Encoding"] = "gzip"
            response.vary.add(VARIES)
        return response


def install(app: Flask) -> None:
    """Gzip what is worth it; a partial or unchanged answer and an event stream are left alone."""

    def small(response: Response) -> Response:
        taken = "gzip" in request.headers.get(VARIES, "")
        if (
            not taken
            or response.status_code != 200
            or response.mimetype not in KINDS
            or "Content-Encoding" in response.headers
        ):
            return response
        response.direct_passthrough = False
        body = response.get_data()
        if len(body) < LEAST:
            return response
        response.set_data(gzip.compress(body, LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        response.vary.add(VARIES)
        etag, _ = response.get_etag()
        if etag:
            response.set_etag(etag, weak=True)
        return response

    app.after_request(small)

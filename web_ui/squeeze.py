"""Answers made small for the way through the room: text is sent gzipped to who takes it, streams and pictures as they are."""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

KINDS = ("text/html", "text/css", "text/javascript", "application/javascript", "application/json", "image/svg+xml")
LEAST = 1000
LEVEL = 5


def install(app: Flask) -> None:
    """Gzip what is worth it; a partial or unchanged answer and an event stream are left alone."""

    def small(response: Response) -> Response:
        taken = "gzip" in request.headers.get("Accept-Encoding", "")
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
        response.vary.add("Accept-Encoding")
        etag, _ = response.get_etag()
        if etag:
            response.set_etag(etag, weak=True)
        return response

    app.after_request(small)

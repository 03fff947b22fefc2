"""One tap: what helps somebody far away to find a fault, as a file. Who asks must be the administrator."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from flask import Blueprint, Response

from web_ui.answers import refusal
from web_ui.api import fresh
from web_ui.pairing import body_of


@runtime_checkable
class Diagnosable(Protocol):
    """A table that can say what it knows about itself."""

    def diagnostics(self, pictures: bool) -> bytes:
        """The bundle as a ZIP; with the last stills where their owner agreed."""
        ...


def create_diagnostics(table: object) -> Blueprint:
    """The route `/api/diagnostics`: `{"pictures": false}`."""
    routes = Blueprint("diagnostics", __name__)

    @routes.post("/api/diagnostics")
    def bundle() -> Response:
        body = body_of()
        if isinstance(body, Response):
            return body
        if not isinstance(table, Diagnosable):
            return refusal(404, "none", "this table keeps no log", "本桌没有日志")
        pictures = body.get("pictures", False)
        if not isinstance(pictures, bool):
            return refusal(400, "pictures", "pictures is true or false", "pictures 须为 true 或 false")
        response = fresh(Response(table.diagnostics(pictures), mimetype="application/zip"))
        response.headers["Content-Disposition"] = 'attachment; filename="bobing-diagnostics.zip"'
        return response

    return routes

"""The camera's page and what it asks of the desk: `/calibrate`, its JSON, the live picture, and films of champion throws."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify, request

from device.errors import Fault, Refused
from device.pairing import Role
from web_ui.answers import refusal
from web_ui.api import BadBody, fresh, object_of
from web_ui.guard import lasting, may
from web_ui.pages import owners_language, shown
from web_ui.table import TableLike
from web_ui.words import catalogue

FILM_NAME = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_\-]{0,119})\.webp", re.ASCII)
BOUNDARY = "frame"
NO_PICTURE = "no_picture"
"""Refused since no camera gives pictures now: not the asker's fault."""


class Viewer(Protocol):
    """A page's live picture as JPEGs."""

    def __iter__(self) -> Iterator[bytes]:
        """The pictures as they come."""
        ...

    def close(self) -> None:
        """The page has gone."""
        ...


class DeskLike(Protocol):
    """What the page asks of the camera's desk; `device.desk` has the real one."""

    def view(self) -> dict[str, Any]:
        """Cameras, calibration, dice and test throw as docs/state.md describes them; raises Fault where no reader is there (yet)."""
        ...

    def do(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do one thing; raises Refused or Fault, and then nothing was changed."""
        ...

    def jpegs(self) -> Viewer:
        """The live picture; raises Refused where two watch already or no picture comes, Fault as `view`."""
        ...

    def film(self, name: str) -> bytes | None:
        """The film of a throw, by the name of its still."""
        ...

    def tested(self) -> bytes | None:
        """The picture of the last test throw."""
        ...


def create_camera(table: TableLike, desk: DeskLike | None) -> Blueprint:
    """The routes of the camera; without a desk (no reader is installed) they say so."""
    camera = Blueprint("camera", __name__)

    def missing() -> Response:
        return refusal(
            503, "no_reader", "the reader is not available: throws are entered by hand", "读数不可用：请手动记录"
        )

    @camera.get("/calibrate")
    def calibrate() -> Response:
        state = table.state()
        language = owners_language(state)
        words = catalogue(language, "page.calibrate", "calibrate.", "hant.")
        view = None
        if desk is not None:
            with suppress(Fault):
                view = desk.view()
        return shown("calibrate.html", language, {"view": view, "words": words, "language": language, "demo": state["demo"]})

    @camera.get("/api/camera")
    def view() -> Response:
        try:
            return missing() if desk is None else fresh(jsonify(desk.view()))
        except Fault as fault:
            return refusal(503, fault.key, fault.en, fault.zh)

    @camera.post("/api/camera")
    def do() -> Response:
        if desk is None:
            return missing()
        try:
            body = object_of(request.get_data())
            if "://" in str(body.get("source", "")) and not may(Role.ADMIN):
                return refusal(403, "role", "only the administrator may have the table open an address", "只有总管理员可以设定网络地址")
            return fresh(jsonify(desk.do(body)))
        except BadBody as bad:
            return refusal(400, bad.key, bad.en, bad.zh)
        except Refused as no:
            return refusal(503 if no.key == NO_PICTURE else 400, no.key, no.en, no.zh)
        except Fault as fault:
            return refusal(503, fault.key, fault.en, fault.zh)

    @camera.get("/api/camera/live.mjpg")
    def live() -> Response:
        if desk is None:
            return missing()
        try:
            pictures = desk.jpegs()
        except (Refused, Fault) as no:
            return refusal(503, no.key, no.en, no.zh)
        response = Response(_parts(iter(pictures), lasting(Role.OPERATOR)), mimetype=f"multipart/x-mixed-replace; boundary={BOUNDARY}")
        response.call_on_close(pictures.close)
        response.headers["X-Accel-Buffering"] = "no"
        return fresh(response)

    @camera.get("/api/camera/test.jpg")
    def tested() -> Response:
        return _picture(None if desk is None else desk.tested(), "image/jpeg")

    @camera.get("/replays/<name>")
    def film(name: str) -> Response:
        named = FILM_NAME.fullmatch(name)
        return _picture(desk.film(named[1]) if named and desk is not None else None, "image/webp")

    return camera


def _parts(pictures: Iterator[bytes], allowed: Callable[[], bool]) -> Iterator[bytes]:
    for jpeg in pictures:
        if not allowed():
            return
        head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
        yield head.encode() + jpeg + b"\r\n"


def _picture(content: bytes | None, kind: str) -> Response:
    if content is None:
        return refusal(404, "still", "there is no such picture", "没有这张图")
    response = Response(content, mimetype=kind)
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response

"""The web side of one table: pages, API and manners joined into a Flask app."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Flask, Response, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import HTTPException

from device.pairing import Pairing
from web_ui import guard, squeeze
from web_ui.answers import refusal
from web_ui.api import MAX_BODY, create_api
from web_ui.camera import DeskLike, create_camera
from web_ui.diagnostics import create_diagnostics
from web_ui.follow import create_follow
from web_ui.keep import create_keep
from web_ui.keys import create_keys
from web_ui.pages import create_pages
from web_ui.pairing import create_pairing
from web_ui.streams import PLACES, Streams
from web_ui.table import TableLike

FAULTS = {
    404: ("not_found", "there is nothing at this address", "这个地址没有内容"),
    405: ("method", "this address does not take that method", "这个地址不接受这种请求"),
    413: ("too_large", "the body is larger than 256 kB", "内容超过 256 kB"),
    500: ("internal", "the table stumbled; look at its log", "程序出错，请看日志"),
}


class ChineseJSON(DefaultJSONProvider):
    """JSON as people read it: Chinese stays Chinese, and keys keep their order (tiers are a ranking)."""

    ensure_ascii = False
    sort_keys = False


class TableApp(Flask):
    """The app of one table, with the pages that follow it."""

    streams: Streams


def create_app(
    table: TableLike,
    *,
    hosts: Iterable[str] = (),
    desk: DeskLike | None = None,
    pairing: Pairing | None = None,
    viewers_see_pictures: bool = True,
    places: int = PLACES,
) -> TableApp:
    """The app that shows and serves one table.

    hosts: further host names or addresses (without port) by which browsers may reach it, besides loopback.
    desk: the camera's, None where there is no reader. pairing: of phones, None where only this machine is served.
    viewers_see_pictures: whether who is not paired sees the stills of throws. places: so many pages may follow at once.
    """
    app = TableApp("web_ui", static_folder="static", template_folder="templates")
    app.json = ChineseJSON(app)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    names = tuple(hosts)
    guard.install(app, names, pairing, viewers_see_pictures)
    app.streams = Streams(places)
    squeeze.install(app)
    app.register_blueprint(create_api(table, app.streams))
    app.register_blueprint(create_pages(table, names))
    app.register_blueprint(create_follow(names))
    app.register_blueprint(create_keep(table))
    app.register_blueprint(create_keys(table))
    app.register_blueprint(create_pairing(pairing, names))
    app.register_blueprint(create_diagnostics(table))
    app.register_blueprint(create_camera(table, desk))
    app.register_error_handler(HTTPException, plain_fault)
    return app


def plain_fault(fault: HTTPException) -> Response:
    """An HTTP fault as one line: JSON for the API, plain text for a person."""
    status = fault.code or 500
    key, en, zh = FAULTS.get(status, (str(status), fault.name, fault.name))
    if status == 304 or request.path.startswith(("/api/", "/stills/", "/replays/", "/healthz")):
        return refusal(status, key, en, zh)
    return Response(f"{zh} / {en}\n", status=status, mimetype="text/plain")

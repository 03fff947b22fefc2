"""The JSON API: state, event stream, commands, stills, health and its own description."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from flask import Blueprint, Response, jsonify, request

from device.errors import Fault, Refused, Stale
from web_ui import openapi, sse
from web_ui.answers import refusal
from web_ui.squeeze import Once
from web_ui.streams import WIRE, Streams
from web_ui.table import TableLike

MAX_BODY = 256 * 1024
RETRY_S = 5
STILL_NAME = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_\-]{0,119})\.jpg", re.ASCII)
SEQUENCE = re.compile(r"[0-9]{1,18}", re.ASCII)


class BadBody(ValueError):
    """The body of a command is not what it should be; `key` and both sentences go back to the caller."""

    def __init__(self, key: str, en: str, zh: str) -> None:
        super().__init__(en)
        self.key, self.en, self.zh = key, en, zh


def create_api(table: TableLike, streams: Streams) -> Blueprint:
    """The routes under /api, /stills and /healthz for one table, which `streams` follow."""
    api = Blueprint("api", __name__)

    told = Once()

    @api.get("/api/state")
    def state() -> Response:
        return fresh(told.answer(table.state()))

    @api.get("/api/throws")
    def throws() -> Response:
        games = table.games()
        return fresh(jsonify({"throws": games[-1]["history"] if games else []}))

    @api.get("/api/events")
    def events() -> Response:
        last = request.headers.get("Last-Event-ID") or request.args.get("after")
        if last and not SEQUENCE.fullmatch(last):
            return refusal(400, "after", "Last-Event-ID and after must be a journal number", "续传编号必须是数字")
        place = streams.enter(table.subscribe(int(last) if last else None))
        if place is None:
            full = refusal(503, "full", "too many pages follow: this one looks again by itself", "观看的人太多：本页会自己再试")
            full.headers["Retry-After"] = str(RETRY_S)
            return full
        response = Response(sse.stream(place.subscription, lane=streams.lane, wire=request.environ.get(WIRE)), mimetype="text/event-stream")
        response.call_on_close(place.free)  # also for HEAD, where the generator is never begun
        response.headers["X-Accel-Buffering"] = "no"
        return fresh(response)

    @api.post("/api/commands")
    def commands() -> Response:
        try:
            return fresh(jsonify(table.command(parse(request.get_data()))))
        except BadBody as bad:
            return refusal(400, bad.key, bad.en, bad.zh)
        except Stale as late:
            return refusal(409, late.key, late.en, late.zh, state=late.state)
        except Refused as no:
            return refusal(400, no.key, no.en, no.zh)
        except Fault as fault:
            return refusal(503, fault.key, fault.en, fault.zh)

    @api.get("/stills/<name>")
    def stills(name: str) -> Response:
        named = STILL_NAME.fullmatch(name)
        picture = table.still(named[1]) if named else None
        if picture is None:
            return refusal(404, "still", "there is no such picture", "没有这张图")
        response = Response(picture, mimetype="image/jpeg")
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return response

    @api.get("/healthz")
    def healthz() -> Response:
        return fresh(jsonify(table.health()))

    @api.get("/api/docs")
    def docs() -> Response:
        return fresh(jsonify(openapi.document()))

    return api


def fresh(response: Response) -> Response:
    """An answer that nobody may keep."""
    response.headers["Cache-Control"] = "no-store"
    return response


def object_of(body: bytes) -> dict[str, Any]:
    """The JSON object in a request's body; raises BadBody."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        raise BadBody("json", "the body is not valid JSON", "内容不是有效的 JSON") from None
    if not isinstance(value, dict):
        raise BadBody("json", "the body must be a JSON object", "内容必须是一个 JSON 对象")
    return value


def parse(body: bytes) -> dict[str, Any]:
    """The command in a request's body: an object with a command's name and the version its sender saw; raises BadBody."""
    value = object_of(body)
    if not isinstance(value.get("command"), str):
        raise BadBody("command", 'name the command: {"command": "confirm", …}', "缺少 command（操作名）")
    if type(value.get("version")) is not int:
        raise BadBody(
            "version", "send the version of the state that you saw, a whole number", "缺少 version（所见牌面的版本号）"
        )
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)

"""The description of who may do what: pairing, diagnostics, and the answers that the guard gives on every route."""

from __future__ import annotations

import re
from typing import Any

from device.pairing import Role
from web_ui.guard import CONSOLE_WORD, COOKIE, WORD
from web_ui.roles import ROLES

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}


def _answer(text: str, schema: Schema | None, media: str = "application/json") -> Schema:
    return {"description": text, "content": {media: {"schema": schema} if schema else {}}}


def _body(required: list[str], **properties: Schema) -> Schema:
    schema = {"type": "object", "required": required, "properties": properties}
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def paths(no: Schema) -> Schema:
    """The paths of pairing and diagnostics; no: the schema of a refusal."""
    view = {
        "type": "object",
        "required": ["role", "offer", "sessions", "reachable"],
        "properties": {
            "role": {"enum": ["operator", "admin"]},
            "offer": {"type": ["object", "null"]},
            "sessions": {"type": "array", "items": {"type": "object"}},
            "reachable": {"type": "boolean"},
        },
    }
    none = _answer("this table pairs no phones", no)
    return {
        "/pair": {"get": {"summary": "the page on which a phone is paired", "responses": {"200": _answer("page", TEXT, "text/html")}}},
        "/pair.svg": {
            "get": {
                "summary": "the code on show as a QR",
                "responses": {"200": _answer("the code", None, "image/svg+xml"), "404": _answer("no code is on show, or no phone could open its address", no)},
            }
        },
        "/api/pair": {
            "post": {
                "summary": "give the code that is on show; the answer sets the cookie",
                "requestBody": _body(["code"], code=TEXT, name=TEXT),
                "responses": {
                    "200": _answer("paired", {"type": "object"}),
                    "400": _answer("no code in it", no),
                    "403": _answer("the code is not good", no),
                    "404": none,
                    "413": _answer("larger than 256 kB", no),
                    "415": _answer("not application/json", no),
                    "429": _answer("too many wrong codes: Retry-After says how long to wait", no),
                    "503": _answer("it could not be kept", no),
                },
            }
        },
        "/api/pairing": {
            "get": {"summary": "the code on show, and what is paired", "responses": {"200": _answer("pairing", view), "404": none}},
            "post": {
                "summary": "show a code, take it away, end what is paired",
                "requestBody": _body(
                    ["do"], do={"enum": ["offer", "withdraw", "revoke"]}, role={"enum": ["operator", "admin"]}, id=TEXT
                ),
                "responses": {
                    "200": _answer("pairing", view),
                    "400": _answer("not known", no),
                    "404": _answer("nothing is paired under that number", no),
                    "413": _answer("larger than 256 kB", no),
                    "415": _answer("not application/json", no),
                    "503": _answer("it could not be kept", no),
                },
            },
        },
        "/api/diagnostics": {
            "post": {
                "summary": "what helps to find a fault, as a file without names; pictures only by consent",
                "requestBody": _body([], pictures={"type": "boolean"}),
                "responses": {
                    "200": _answer("a ZIP", None, "application/zip"),
                    "400": _answer("not known", no),
                    "404": _answer("this table keeps no log", no),
                    "413": _answer("larger than 256 kB", no),
                    "415": _answer("not application/json", no),
                },
            }
        },
    }


SCHEMES: Schema = {
    "phone": {
        "type": "apiKey", "in": "cookie", "name": COOKIE,
        "description": "a paired phone's key, set by POST /api/pair; programs and browsers on the table's own machine need none",
    },
    "page": {
        "type": "apiKey", "in": "header", "name": WORD,
        "description": "the word in <meta name=\"bobing-token\"> of GET /pair, fetched with the same cookie; changes need it, and an Origin header",
    },
    "console": {
        "type": "apiKey", "in": "header", "name": CONSOLE_WORD,
        "description": "the word in running.json of the table's data folder: whoever can read that is the administrator",
    },
}  # fmt: skip
"""How the guard knows who asks (docs/state.md, "From a program")."""


def _secured(method: str, role: Role) -> list[Schema]:
    """What a request may carry, any one of these together; the empty one: nothing, where anybody or this machine asks."""
    if role == Role.VIEWER:
        return [{}] if method == "GET" else [{"page": []}, {}]
    return [{"phone": []} if method == "GET" else {"phone": [], "page": []}, {"console": []}, {}]


def guarded(described: Schema, no: Schema) -> Schema:
    """The paths with the guard's own answers: a foreign host, a role that lacks, a page that is not ours."""
    for key, role in ROLES.items():
        method, rule = key.split(" ")
        entry = described.get(re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule), {}).get(method.lower())
        if entry is None:
            continue
        entry["security"] = _secured(method, role)
        entry["x-role"] = role.name.lower()
        answers = entry["responses"]
        answers.setdefault("400", _answer("not one of the table's names", no))
        if "<" in rule or rule == "/qr.svg":
            answers.setdefault("404", _answer("there is no such thing", no))
        if role > Role.VIEWER:
            answers.setdefault("401", _answer("who asks is not paired", no))
            answers.setdefault("403", _answer("who asks may not do this", no))
        elif method != "GET":
            answers.setdefault("403", _answer("sent by a page that is not ours", no))
    return described

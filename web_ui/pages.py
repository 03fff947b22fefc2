"""The pages: the TV board and the phone, rendered with the state and the words they start from."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, render_template, request

from device.pairing import Role
from rules.bobing.houserules import CHOICES, PRESETS
from web_ui.api import fresh
from web_ui.follow import reachable
from web_ui.guard import may
from web_ui.table import TableLike
from web_ui.words import catalogue, language_of, negotiate

TV_WORDS = (
    *(
        "phase.",
        "tv.",
        "legend.",
        "ended.",
        "tier.",
        "gloss.",
        "kind.",
        "kgloss.",
        "champion.",
        "chased",
        "rules.",
        "line.",
    ),
    *("odds.", "fair.", "fact.", "near.", "demo.", "still.", "hant.", "phone.failed", "page.tv", "pair.tv", "pair.left", "pair.alone"),
)
"""What the board says; it has no use for the rest, and an old TV is spared reading it."""
BRUSH = {"zh-TW": "fonts/brush.hant.woff2"}
SPRITE = {"zh-TW": "sprite.hant.svg"}


def shown(template: str, language: str, start: dict[str, Any], **more: Any) -> Response:
    """A page in one language; `start` is what its script begins with."""
    words = start["words"]
    look = {"brush": BRUSH.get(language, "fonts/brush.woff2"), "sprite": SPRITE.get(language, "sprite.svg")}
    return fresh(make_response(render_template(template, start=start, language=language, t=words, **look, **more)))


def owners_language(state: dict[str, Any]) -> str:
    """The language of whoever holds the phone: asked for, remembered, or the browser's; else the table's."""
    asked = language_of(request.args.get("lang")) or language_of(request.cookies.get("language"))
    return asked or negotiate(request.headers.get("Accept-Language"), str(state.get("language")))


def create_pages(table: TableLike, hosts: tuple[str, ...] = ()) -> Blueprint:
    """The routes `/`, `/phone` and `/setup` for one table. hosts: further names of this machine."""
    pages = Blueprint("pages", __name__)

    def follow() -> dict[str, str]:
        address = reachable(request.host, hosts)
        return {"address": f"{address or request.host}/phone", "qr": "/qr.svg" if address else ""}

    @pages.get("/")
    def tv() -> Response:
        state = table.state()
        if not state["over"]:  # the board shows the last few; an old TV is spared the rest
            state = {**state, "history": state["history"][:5]}
        language = language_of(request.args.get("lang")) or language_of(str(state.get("language"))) or "zh-CN"
        start = {"state": state, "words": catalogue(language, *TV_WORDS), "language": language, "follow": follow()}
        return shown("tv.html", language, start, theme=state.get("tv", {}).get("theme", "dark"))

    @pages.get("/phone")
    def phone() -> Response:
        state = table.state()
        language = owners_language(state)
        operates = may(Role.OPERATOR)
        start = {"state": state, "words": catalogue(language), "language": language, "may": operates}
        start["operator"] = operates and request.args.get("follow") != "1"
        return shown("phone.html", language, start)

    @pages.get("/setup")
    def setup() -> Response:
        state = table.state()
        language = owners_language(state)
        presets = {name: rules.switches() for name, rules in PRESETS.items()}
        start = {
            "state": state,
            "words": catalogue(language),
            "language": language,
            "presets": presets,
            # a demo is played by its own rules; the evening begins with the table's
            "rules": (None if state["demo"] else state["rules"]) or table.usual_rules(),
            "choices": {name: list(values) for name, values in CHOICES.items()},
            "follow": follow(),
        }
        return shown("setup.html", language, start)

    return pages

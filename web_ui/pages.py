"""The pages: the TV board and the phone, rendered with the state and the words they start from."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template, request

from web_ui.api import fresh
from web_ui.table import TableLike
from web_ui.words import catalogue, language_of, negotiate


def create_pages(table: TableLike) -> Blueprint:
    """The routes `/` and `/phone` for one table."""
    pages = Blueprint("pages", __name__)

    def page(template: str, state: dict[str, object], language: str) -> Response:
        start = {"state": state, "words": catalogue(language), "language": language}
        return fresh(make_response(render_template(template, start=start, language=language, t=start["words"])))

    @pages.get("/")
    def tv() -> Response:
        state = table.state()
        asked = language_of(request.args.get("lang"))
        return page("tv.html", state, asked or language_of(str(state.get("language"))) or "zh-CN")

    @pages.get("/phone")
    def phone() -> Response:
        state = table.state()
        asked = language_of(request.args.get("lang"))
        header = request.headers.get("Accept-Language")
        return page("phone.html", state, asked or negotiate(header, str(state.get("language"))))

    return pages

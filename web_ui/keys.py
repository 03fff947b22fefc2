"""Keys in the board's page as buttons of the table: presenters and USB arcade buttons act as keyboards."""

from __future__ import annotations

import json
from typing import Protocol, runtime_checkable

from flask import Blueprint, Response, request

from web_ui.answers import refusal
from web_ui.guard import LOOPBACK

BUTTONS = ("A", "B", "C", "D")
EDGES = {"down": True, "up": False, "gone": None}
"""gone: the page has lost sight of its keys; what it held down is void."""
MAX_AGE_MS = 60_000


@runtime_checkable
class Pressable(Protocol):
    """A table that listens to buttons."""

    def press(self, button: str, down: bool | None, age: int) -> None:
        """A button went down or up `age` ms ago; None: what was held is void."""
        ...


def create_keys(table: object) -> Blueprint:
    """The route `/api/button`: `{"button": "A", "edge": "down", "age": 12}`, from browsers on this machine only."""
    keys = Blueprint("keys", __name__)

    @keys.post("/api/button")
    def button() -> Response | tuple[str, int]:
        if request.remote_addr not in LOOPBACK:
            return refusal(
                403,
                "not_here",
                "keys count in the board's page on the table's own machine",
                "只有本机上的牌面可以用按键",
            )
        try:
            body = json.loads(request.get_data().decode("utf-8"))
            which, edge, age = body["button"], EDGES[body["edge"]], body["age"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return refusal(
                400, "button", 'send {"button": "A", "edge": "down", "up" or "gone", "age": ms}', "按键内容有误"
            )
        if which not in BUTTONS or type(age) is not int or not 0 <= age <= MAX_AGE_MS:
            return refusal(400, "button", f"button is one of A to D, age from 0 to {MAX_AGE_MS} ms", "按键内容有误")
        if not isinstance(table, Pressable):
            return refusal(404, "button", "this table listens to no buttons", "本桌没有按键")
        table.press(which, edge, age)
        return "", 204

    return keys

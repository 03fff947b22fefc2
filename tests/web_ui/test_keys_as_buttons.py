"""Keys of the board's page reach the table as edges of buttons, from this machine only; a refused press is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from web_ui.app import create_app


class Listening:
    """A table that notes what it is told of buttons."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bool | None, int]] = []

    def press(self, button: str, down: bool | None, age: int) -> None:
        self.heard.append((button, down, age))


@pytest.fixture
def table() -> Listening:
    return Listening()


@pytest.fixture
def client(table: Any) -> FlaskClient:
    return create_app(table).test_client()


def send(client: FlaskClient, body: Any, **more: Any) -> int:
    return client.post("/api/button", data=json.dumps(body), content_type="application/json", **more).status_code


def test_edges_are_passed_on_with_their_age(client: FlaskClient, table: Listening) -> None:
    for edge in ("down", "up", "gone"):
        assert send(client, {"button": "A", "edge": edge, "age": 12}) == 204
    assert table.heard == [("A", True, 12), ("A", False, 12), ("A", None, 12)]


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "A",
        {},
        {"button": "A"},
        {"button": "E", "edge": "down", "age": 1},
        {"button": "A", "edge": "press", "age": 1},
        {"button": "A", "edge": "down", "age": -1},
        {"button": "A", "edge": "down", "age": True},
        {"button": "A", "edge": [], "age": 1},
        {"button": ["A"], "edge": "down", "age": 1},
        {"button": "A", "edge": "down", "age": 1e9},
    ],
)
def test_anything_else_is_refused_in_words(client: FlaskClient, table: Listening, body: Any) -> None:
    assert send(client, body) == 400
    assert table.heard == []


def test_keys_elsewhere_in_the_house_do_not_count(client: FlaskClient, table: Listening) -> None:
    body = {"button": "A", "edge": "down", "age": 1}
    assert send(client, body, environ_overrides={"REMOTE_ADDR": "192.168.1.7"}) in (401, 403)
    assert send(client, body, headers={"Origin": "http://elsewhere.example"}) == 403
    assert table.heard == []


def test_a_table_without_buttons_says_so() -> None:
    assert send(create_app(object()).test_client(), {"button": "A", "edge": "down", "age": 1}) == 404  # type: ignore[arg-type]

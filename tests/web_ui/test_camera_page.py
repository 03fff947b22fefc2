"""The camera's page and its API over a scripted desk: what is passed on, what is refused, and that the page serves both sizes."""

from __future__ import annotations

from typing import Any

import pytest
from played_desk import RIM, Desk

from device.errors import Refused
from web_ui.app import create_app
from web_ui.words import LANGUAGES


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def client(table: Any, desk: Desk) -> Any:
    return create_app(table, desk=desk).test_client()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_every_language_and_has_no_sentence_missing(client: Any, language: str) -> None:
    text = client.get(f"/calibrate?lang={language}").get_data(as_text=True)
    assert "Lamp" in text
    assert ">calibrate." not in text


def test_what_a_page_asks_is_passed_to_the_desk(client: Any, desk: Desk) -> None:
    assert client.post("/api/camera", json={"do": "rim", "rim": RIM}).json["calibration"]["quality"] == 87
    assert desk.asked == [{"do": "rim", "rim": RIM}]


@pytest.mark.parametrize(("body", "status", "key"), [({"do": "dance"}, 400, "malformed"), ({"do": "explode"}, 503, "unwritable"), ([1], 400, "json")])
def test_what_the_desk_refuses_is_said_in_one_line(client: Any, body: Any, status: int, key: str) -> None:
    answer = client.post("/api/camera", json=body)
    assert (answer.status_code, answer.json["key"]) == (status, key)


def test_another_sites_page_can_not_set_the_camera_up(client: Any, desk: Desk) -> None:
    answer = client.post("/api/camera", json={"do": "calibrate"}, headers={"Origin": "http://elsewhere.example"})
    assert answer.status_code == 403
    assert desk.asked == []


def test_the_live_picture_is_a_stream_of_jpegs_and_makes_room_when_the_page_goes(client: Any, desk: Desk) -> None:
    answer = client.get("/api/camera/live.mjpg")
    assert answer.mimetype == "multipart/x-mixed-replace"
    assert answer.get_data().count(b"Content-Type: image/jpeg") == 2
    answer.close()
    assert desk.viewing.closed


def test_a_third_viewer_is_told_so(client: Any, desk: Desk) -> None:
    desk.full = True
    assert client.get("/api/camera/live.mjpg").json["key"] == "viewers"


def test_films_are_served_by_name_and_nothing_else_is(client: Any) -> None:
    assert client.get("/replays/a-1.webp").mimetype == "image/webp"
    for name in ("b.webp", "a-1.jpg", "..%2Fjournal.db"):
        assert client.get(f"/replays/{name}").status_code == 404
    assert client.get("/api/camera/test.jpg").status_code == 404


def test_without_a_reader_the_page_and_the_api_say_so(table: Any) -> None:
    client = create_app(table).test_client()
    assert client.get("/calibrate").status_code == 200
    assert client.get("/api/camera").json["key"] == "no_reader"
    assert client.post("/api/camera", json={"do": "calibrate"}).status_code == 503


def test_a_camera_that_gives_no_picture_is_no_fault_of_who_asks(table: Any, desk: Desk, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> Any:
        raise Refused("no_picture", "no picture comes from the camera", "没有画面")

    monkeypatch.setattr(desk, "do", none)
    monkeypatch.setattr(desk, "jpegs", none)
    for answer in (client.post("/api/camera", json={"do": "calibrate"}), client.get("/api/camera/live.mjpg")):
        assert (answer.status_code, answer.json["key"]) == (503, "no_picture")

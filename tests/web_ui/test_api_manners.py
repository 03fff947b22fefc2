"""The JSON API keeps its rules: what it takes, what it refuses and in which words."""

from __future__ import annotations

import gzip
import json
import re
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from device.errors import Fault, Refused
from device.stream import Message, Subscription
from web_ui import sse
from web_ui.app import create_app
from web_ui.openapi import COMMANDS, STATE, document

JSON = {"Content-Type": "application/json"}
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def client(table: Any) -> FlaskClient:
    return create_app(table, hosts=["table.local", "192.168.1.7", "fe80::1"]).test_client()


def confirm(table: Any, **more: Any) -> dict[str, Any]:
    return {"command": "confirm", "version": table.state()["version"], **more}


def test_the_state_is_given_as_the_table_has_it_and_nobody_keeps_it(client: FlaskClient, table: Any) -> None:
    answer = client.get("/api/state")
    assert answer.json == table.state()
    assert answer.headers["Cache-Control"] == "no-store"
    assert "甲" in answer.get_data(as_text=True)
    assert list(answer.json["tiers"][0]) == list(table.state()["tiers"][0])


def test_a_command_answers_with_the_new_state(client: FlaskClient, table: Any) -> None:
    table.ask()
    answer = client.post("/api/commands", json=confirm(table, dice=[1, 2, 3, 4, 5, 6]))
    assert answer.status_code == 200
    assert answer.json == table.state()
    assert table.commands[-1]["dice"] == [1, 2, 3, 4, 5, 6]


def test_a_stale_command_brings_the_present_state(client: FlaskClient, table: Any) -> None:
    answer = client.post("/api/commands", json={"command": "undo", "version": 0})
    assert answer.status_code == 409
    assert answer.json["key"] == "stale"
    assert answer.json["state"] == table.state()


def test_a_refusal_is_said_in_the_callers_language(client: FlaskClient, table: Any) -> None:
    table.refuse = Refused("no_question", "there is nothing to confirm", "现在没有要确认的")
    english = client.post("/api/commands", json=confirm(table), headers={"Accept-Language": "en-GB"})
    chinese = client.post("/api/commands", json=confirm(table), headers={"Accept-Language": "zh-Hans-CN,en;q=0.5"})
    assert (english.status_code, english.json["key"], english.json["error"]) == (
        400,
        "no_question",
        "there is nothing to confirm",
    )
    assert chinese.json["error"] == "现在没有要确认的"


def test_a_fault_of_the_world_is_503(client: FlaskClient, table: Any) -> None:
    table.refuse = Fault("disk", "the disk is full; make room in the data folder", "磁盘已满，请腾出空间")
    assert client.post("/api/commands", json=confirm(table)).status_code == 503


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"7",
        b"null",
        b'{"version": 1}',
        b'{"command": 5, "version": 1}',
        b'{"command": "undo"}',
        b'{"command": "undo", "version": "1"}',
        b'{"command": "undo", "version": true}',
        b'{"command": "undo", "version": 1.5}',
        b'{"command": "throw", "version": NaN}',
        b'{"command": "\\ud800", "version": 1}',
        b"[" * 100_000,
        b'{"command": "undo", "version": ' + b"9" * 5000 + b"}",
    ],
)
def test_a_bad_body_is_one_line_and_reaches_no_table(client: FlaskClient, table: Any, body: bytes) -> None:
    answer = client.post("/api/commands", data=body, headers=JSON)
    assert answer.status_code == 400
    assert "\n" not in answer.json["error"] and answer.json["key"]
    assert table.commands == []


def test_only_json_is_taken(client: FlaskClient, table: Any) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = client.post("/api/commands", data=json.dumps(confirm(table)), headers={"Content-Type": kind})
        assert (answer.status_code, answer.json["key"]) == (415, "json")
    table.ask()
    answer = client.post(
        "/api/commands", data=json.dumps(confirm(table)), headers={"Content-Type": "application/json; charset=utf-8"}
    )
    assert answer.status_code == 200


def test_a_body_over_256_kb_is_refused(client: FlaskClient, table: Any) -> None:
    answer = client.post("/api/commands", json=confirm(table, pad="x" * 256 * 1024))
    assert (answer.status_code, answer.json["key"]) == (413, "too_large")


@pytest.mark.parametrize(
    "host",
    ["localhost", "127.0.0.1:8000", "[::1]:8000", "table.local:80", "TABLE.LOCAL.", "192.168.1.7", "[fe80::1]:9"],
)
def test_the_tables_own_names_are_served(client: FlaskClient, host: str) -> None:
    assert client.get("/api/state", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "[::1", "192.168.1.8", ""]
)
def test_foreign_host_names_are_refused(client: FlaskClient, host: str) -> None:
    answer = client.get("/api/state", headers={"Host": host})
    assert answer.status_code == 400
    assert answer.json["key"] == "host"


def test_changes_come_from_the_tables_own_pages_only(client: FlaskClient, table: Any) -> None:
    table.ask()
    for origin in ("http://evil.example", "null", "https://localhost", "http://localhost:81"):
        answer = client.post("/api/commands", json=confirm(table), headers={"Origin": origin, "Host": "localhost"})
        assert (answer.status_code, answer.json["key"]) == (403, "origin")
    assert (
        client.post(
            "/api/commands", json=confirm(table), headers={"Origin": "http://localhost", "Host": "localhost"}
        ).status_code
        == 200
    )


def test_every_answer_forbids_inline_script_and_things_from_elsewhere(client: FlaskClient) -> None:
    for path in ("/", "/phone", "/api/state", "/nowhere", "/static/js/tv.js"):
        answer = client.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy and "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        answer.close()


def test_stills_are_pictures_of_that_name_only(client: FlaskClient) -> None:
    picture = client.get("/stills/sanhong.jpg")
    assert picture.mimetype == "image/jpeg" and picture.data[:2] == b"\xff\xd8"
    assert client.get("/stills/sanhong.jpg", headers={"If-None-Match": picture.headers["ETag"]}).status_code == 304
    for name in ("none.jpg", "..%2Fconftest.py", ".hidden", "a/b.jpg", "x" * 200 + ".jpg"):
        assert client.get(f"/stills/{name}").status_code == 404


def test_what_is_not_there_is_one_line(client: FlaskClient) -> None:
    assert client.get("/api/nothing").json["key"] == "not_found"
    assert client.get("/api/commands").json["key"] == "method"
    assert client.get("/nothing").get_data(as_text=True).count("\n") == 1


def test_health_is_said_in_words(client: FlaskClient, table: Any) -> None:
    assert client.get("/healthz").json == table.health()


def test_the_description_names_every_route_and_no_other(table: Any) -> None:
    app = create_app(table)
    routes = {
        (re.sub(r"<(?:int:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.endpoint != "static"
    }
    described = {(path, method) for path, methods in document()["paths"].items() for method in methods}
    assert routes == described


def test_the_description_names_every_command_of_the_contract(client: FlaskClient) -> None:
    text = (ROOT / "docs" / "state.md").read_text(encoding="utf-8")
    rows = text.split("| command | fields |")[1].splitlines()[2:]
    named = {name for row in rows if row.startswith("|") for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named == set(COMMANDS)
    answer = client.get("/api/docs")
    assert answer.json == document()


def test_the_described_state_is_the_state_that_is_given(client: FlaskClient) -> None:
    assert set(STATE["required"]) == set(client.get("/api/state").json)


def test_every_reference_in_the_description_leads_somewhere() -> None:
    text = json.dumps(document())
    names = set(re.findall(r'"#/components/schemas/(\w+)"', text))
    assert names <= set(document()["components"]["schemas"])


# the event stream


def subscription() -> Subscription:
    return Subscription(lambda _: None)


def test_stored_messages_carry_their_sequence_and_passing_ones_do_not() -> None:
    stored = Message("stored", {"seq": 18, "name": "甲\n乙"}, 18)
    assert stored.block.decode() == 'id: 18\nevent: stored\ndata: {"seq":18,"name":"甲\\n乙"}\n\n'
    assert stored.chunk == b"%x\r\n%s\r\n" % (len(stored.block), stored.block)
    assert Message("phase", {"phase": "reading"}).block == b'event: phase\ndata: {"phase":"reading"}\n\n'


def test_a_quiet_line_is_kept_open_by_a_comment_and_ends_with_its_subscription() -> None:
    line = subscription()
    stream = sse.stream(line, keep_alive=0.0)
    assert next(stream).startswith(b"retry:")
    assert next(stream).startswith(b":")
    line.put(Message("phase", {"phase": "reading"}))
    assert next(stream).startswith(b"event: phase")
    line.close()
    assert list(stream) == []


def test_a_browser_that_goes_away_ends_its_subscription() -> None:
    line = subscription()
    stream = sse.stream(line)
    next(stream)
    stream.close()
    assert line.closed


def test_a_stream_resumes_after_the_last_event_that_was_seen(client: FlaskClient, table: Any) -> None:
    version = table.state()["version"]
    table.throw("yixiu")
    table.throw("erju")
    for answer in (
        client.get(f"/api/events?after={version}", buffered=False),
        client.get("/api/events?after=0", headers={"Last-Event-ID": str(version)}, buffered=False),
    ):
        blocks = answer.iter_encoded()
        assert answer.mimetype == "text/event-stream"
        got = [next(blocks).decode() for _ in range(3)]
        assert [b.split("\n")[0] for b in got[1:]] == [f"id: {version + 1}", f"id: {version + 2}"]
        answer.close()
    assert table.subscriptions == []


def test_a_line_that_the_browser_drops_ends_at_the_next_message(table: Any, address: str) -> None:
    with urllib.request.urlopen(f"{address}/api/events?after=0") as answer:
        assert answer.readline().startswith(b"retry")
        assert len(table.subscriptions) == 1
    until = time.monotonic() + 10
    while table.subscriptions and time.monotonic() < until:
        table.phase("reading")
    assert table.subscriptions == []


@pytest.mark.parametrize("after", ["x", "-1", "1.5", "٣", "9" * 30])
def test_a_journal_number_that_is_none_is_refused(client: FlaskClient, table: Any, after: str) -> None:
    answer = client.get("/api/events", query_string={"after": after})
    assert (answer.status_code, answer.json["key"]) == (400, "after")
    assert table.subscriptions == []


def test_the_state_is_written_out_once_for_all_who_ask_and_anew_when_it_is_another(client: FlaskClient, table: Any) -> None:
    first = client.get("/api/state")
    assert first.json == table.state() and b'": ' not in first.get_data().split(b'"notice"')[0]
    small = client.get("/api/state", headers={"Accept-Encoding": "gzip"})
    assert small.headers["Content-Encoding"] == "gzip" and "Accept-Encoding" in small.headers["Vary"]
    assert gzip.decompress(small.get_data()) == first.get_data()
    table.throw("yixiu")
    assert client.get("/api/state").json == table.state() != first.json

"""Whatever comes over the network or the serial line: no 500, no traceback, no wrong state."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from people import Camera

from device.journal import Journal
from device.pairing import Pairing
from device.table import Table
from device.view import Setting
from firmware_bridge.codec import encode
from firmware_bridge.machine import Machine
from firmware_bridge.ports import Port, Search
from firmware_bridge.talk import Pressed
from rules.bobing.houserules import PRESETS
from web_ui.app import TableApp, create_app
from web_ui.openapi import document

ENDLESS = ("/api/events", "/api/camera/live.mjpg")
"""Streams: asked for with a wrong number only, since a right one never ends."""
OPERATIONS = [
    (method.upper(), path) for path, methods in document()["paths"].items() if path not in ENDLESS for method in methods
]
QUICK: Any = {
    "deadline": None, "database": None, "phases": (Phase.explicit, Phase.generate, Phase.shrink),
    "suppress_health_check": list(HealthCheck),
}  # fmt: skip


class Room:
    """A real table with a game in memory, and its pages."""

    def __init__(self) -> None:
        self.table = Table(Journal.open(None), None, Setting(), PRESETS["xiamen"], lambda: 0.0, lambda n: 0)
        self.table.command({"command": "start", "version": 0, "players": ["甲", "乙", "丙"]})
        pairing = Pairing(None, time.monotonic, time.time, random.Random(1).randbytes)
        self.app: TableApp = create_app(self.table, pairing=pairing, desk=Camera())
        self.client = self.app.test_client(use_cookies=False)

    def must_be_well(self) -> None:
        """The state is what its records add up to, and no cake was made or lost."""
        state = self.table.state()
        records = list(self.table._journal.since(0))
        assert [record.seq for record in records] == list(range(1, state["version"] + 1))
        for tier in state["tiers"]:
            won = sum(player["cakes"][tier["tier"]] for player in state["players"])
            assert tier["left"] + won + state["scramble"].get(tier["tier"], 0) == tier["total"]


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    room = Room()
    yield room
    room.table.close()


def answered(answer: Any, path: str) -> None:
    """A refusal is JSON in two languages where programs ask; nothing is ever a fault of ours."""
    text = answer.get_data().decode(errors="replace")  # a picture is an answer too
    assert answer.status_code < 500 or answer.json["key"] in ("no_reader",), text
    assert "Traceback" not in text
    if answer.status_code >= 400 and path.startswith("/api/"):
        assert set(answer.json) >= {"error", "key", "zh", "en"} and "\n" not in answer.json["error"]


@pytest.fixture(scope="module")
def described(room: Room) -> Any:
    return schemathesis.openapi.from_wsgi("/api/docs", room.app)


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=[f"{method} {path}" for method, path in OPERATIONS])
def test_what_the_description_allows_is_answered_as_it_says(
    room: Room, described: Any, count: Any, figure: Any, method: str, path: str
) -> None:
    tries = count(12 if path == "/api/commands" else 2, 2500)
    asked = 0

    @settings(max_examples=tries, **QUICK)
    @given(case=described[path][method].as_strategy())
    def ask(case: Any) -> None:
        nonlocal asked
        asked += 1
        if isinstance(case.body, dict) and "version" in case.body:
            case.body["version"] = room.table.state()["version"]  # else all but a few would be too late
        answer = case.call()
        assert answer.status_code < 500, answer.content
        case.validate_response(answer, checks=[schemathesis.checks.CHECKS.get_one("status_code_conformance")])

    ask()
    room.must_be_well()
    figure(f"{asked} requests by schemathesis")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
COMMANDS = tuple(sorted(document()["components"]["schemas"]))
NAMES = st.sampled_from([name.removeprefix("Command_") for name in COMMANDS if name.startswith("Command_")])
KEYS = st.sampled_from([
    "dice", "throw", "jump", "player", "players", "rules", "prizes", "first", "gift", "tier", "n", "cakes", "add", "rename", "move",
    "sit_out", "return", "leave", "volume", "language", "scene",
])  # fmt: skip
DICE = st.lists(st.integers(0, 7), max_size=7)
VALUES = JSON | DICE | st.sampled_from(["p1", "甲", "xiamen", "yixiu", {"add": {"name": "丁"}}, {"name": "p9"}])


def test_any_command_at_all_is_done_or_refused(room: Room, count: Any, figure: Any) -> None:
    asked: dict[int, int] = {}

    @settings(max_examples=count(150, 60_000), **QUICK)
    @given(name=NAMES, fields=st.dictionaries(KEYS, VALUES, max_size=4))
    def ask(name: str, fields: dict[str, Any]) -> None:
        if room.table.state()["over"]:  # a game that has ended refuses all but a new one
            room.client.post("/api/commands", json={"command": "start", "version": room.table.state()["version"], "players": ["甲", "乙"]})
        body = {**fields, "command": name, "version": room.table.state()["version"]}
        answer = room.client.post("/api/commands", data=json.dumps(body), content_type="application/json")
        asked[answer.status_code] = asked.get(answer.status_code, 0) + 1
        answered(answer, "/api/commands")

    ask()
    room.must_be_well()
    figure(f"{sum(asked.values())} commands: {asked}")


def test_any_bytes_anywhere_are_answered_kindly(room: Room, count: Any, figure: Any) -> None:
    asked: dict[int, int] = {}
    paths = st.sampled_from([path for _, path in OPERATIONS] + ["/api/events", "/", "/static/"]) | st.text(max_size=30)

    @settings(max_examples=count(150, 40_000), **QUICK)
    @given(
        method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "HEAD", "OPTIONS"]),
        path=paths,
        more=st.text(max_size=12),
        body=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()),
        kind=st.sampled_from(["application/json", "text/plain", "", "application/json; charset=utf-16", "multipart/form-data"]),
        last=st.sampled_from(["x", "-1", "1e9", "\u00b2", "9" * 40]),
    )
    def ask(method: str, path: str, more: str, body: bytes, kind: str, last: str) -> None:
        where = "/" + quote(path.replace("{name}", more).replace("{number}", more or "1"), safe="/").lstrip("/")
        if where in ENDLESS:
            where += "?after=" + quote(last)
        language = "".join(sign for sign in more if " " <= sign <= "\xff")
        answer = room.client.open(where, method=method, data=body, content_type=kind, headers={"Accept-Language": language})
        asked[answer.status_code] = asked.get(answer.status_code, 0) + 1
        answered(answer, where if method != "HEAD" else "")
        answer.close()

    ask()
    room.must_be_well()
    figure(f"{sum(asked.values())} requests: {asked}")


def noise(chance: random.Random, size: int) -> bytes:
    """Bytes as a loose cable makes them: any, or lines of the protocol with one byte changed."""
    if chance.random() < 0.5:
        return chance.randbytes(size)
    line = bytearray(encode(chance.choice(["E 1 A D 0", "H 1 2 3 4", "B 0 0", "EVENT A DOWN 12", "HELLO 1 0 FFFF 0 0"])))
    line[chance.randrange(len(line) - 1)] ^= 1 << chance.randrange(8)
    return bytes(line)


def test_noise_on_the_serial_line_is_no_box_and_no_press(count: Any, figure: Any) -> None:
    chance = random.Random(9600)
    size, pressed, fed, now = count(40_000, 1_000_000), 0, 0, 0.0
    port = Port("/dev/ttyUSB0", 0x1A86, 0x7523, "77")
    machine = Machine("abcd", Search())
    while fed < size:
        if machine.port is None:
            machine.opened(port, now)
        part = noise(chance, chance.randrange(1, 200))
        fed += len(part)
        now += len(part) / 11_520
        machine.received(part, now)
        machine.tick(now)
        pressed += sum(isinstance(news, Pressed) for news in machine.take_news())
        assert machine.hello is None and machine.state != "linked"
        if machine.must_close:
            machine.closed()
            now += 10.0
    assert pressed == 0
    figure(f"{fed} bytes of noise: no traceback, no box, no press")


def test_the_whole_table_survives_it_on_disk(tmp_path: Path, count: Any) -> None:
    """The journal of a table that was asked all kinds of things opens again to the same board."""
    table = Table(Journal.open(tmp_path / "journal.db"), None, Setting(), PRESETS["xiamen"], lambda: 0.0, lambda n: 0)
    client = create_app(table).test_client()
    chance = random.Random(5)
    client.post("/api/commands", json={"command": "start", "version": 0, "players": ["=甲", "+1", "\u4e19"]})
    for _ in range(count(60, 3000)):
        body = {"command": chance.choice(["throw", "undo", "redo", "skip"]), "version": table.state()["version"]}
        if body["command"] == "throw":
            body["dice"] = [chance.randint(1, 6) for _ in range(6)]
        client.post("/api/commands", json=body)
    before = table.state()
    table.close()
    again = Table(Journal.open(tmp_path / "journal.db"), None, Setting(), PRESETS["xiamen"], lambda: 0.0, lambda n: 0)
    assert again.state() == before
    again.close()

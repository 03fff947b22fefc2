"""Deny by default: every route has a role, and each channel keeps out who lacks it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from people import LAN, House, Person

from device.pairing import Role
from web_ui.roles import ROLES, needed

COMMAND = {"command": "undo", "version": 1}


@pytest.fixture
def house() -> House:
    return House()


def rules(house: House) -> list[str]:
    return sorted(
        f"{method} {rule.rule}"
        for rule in house.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    )


def test_every_route_has_a_declared_role_and_every_declared_one_is_a_route(house: House) -> None:
    assert rules(house) == sorted(ROLES)


def test_a_route_that_nobody_declared_is_refused_to_everybody(house: House) -> None:
    house.app.add_url_rule("/forgotten", "forgotten", lambda: "secret")
    for person in (house.stranger(), house.paired(Role.ADMIN), house.console()):
        answer = person.get("/forgotten")
        assert (answer.status_code, answer.json["key"]) == (403, "undeclared")
        assert person.client.head("/forgotten", headers={"Host": "localhost"}).status_code == 403


def path_of(rule: str) -> str:
    path = rule.replace("<name>", "x.webp" if "replays" in rule else "x.jpg").replace("<sheet>", "results")
    return re.sub(r"<int:number>", "1", path).replace("<path:filename>", "seal.svg")


@pytest.mark.parametrize("key", sorted(ROLES))
@pytest.mark.parametrize("who", ["stranger", "operator", "admin", "console"])
def test_a_route_lets_in_exactly_whom_it_should(house: House, key: str, who: str) -> None:
    method, rule = key.split(" ")
    if key == "POST /api/button" and who != "console":
        return  # keys count on the table's own machine only; its own test says so
    role = {"stranger": Role.VIEWER, "operator": Role.OPERATOR, "admin": Role.ADMIN, "console": Role.ADMIN}[who]
    person: Person = {"stranger": house.stranger, "console": house.console}.get(who, lambda: house.paired(role))()
    answer = person.ask(method, path_of(rule))
    refused = answer.status_code in (401, 403) and answer.json.get("key") in ("unpaired", "role")
    assert refused == (role < ROLES[key]), answer.get_data(as_text=True)
    if refused:
        assert answer.status_code == (401 if who == "stranger" else 403)
    answer.close()


# one test for each channel


def test_the_pages_of_the_operator_and_of_the_camera_show_a_stranger_how_to_pair(house: House) -> None:
    for path in ("/setup", "/keep", "/calibrate"):
        answer = house.stranger().get(path, Accept="text/html")
        assert answer.status_code == 401
        assert 'id="give"' in answer.get_data(as_text=True)
    assert house.paired(Role.OPERATOR).get("/calibrate", Accept="text/html").status_code == 200
    assert house.paired(Role.ADMIN).get("/calibrate", Accept="text/html").status_code == 200


def test_the_phones_page_is_the_operators_only_after_pairing(house: House) -> None:
    def operator(person: Person) -> bool:
        return '"operator": true' in person.get("/phone").get_data(as_text=True)

    assert not operator(house.stranger())
    assert operator(house.paired(Role.OPERATOR)) and operator(house.console())


def test_commands_are_the_operators(house: House) -> None:
    assert house.stranger().post("/api/commands", COMMAND).status_code == 401
    assert house.table.commands == []
    assert house.paired(Role.OPERATOR).post("/api/commands", COMMAND).status_code == 200
    assert len(house.table.commands) == 1


def test_everybody_may_follow_the_stream(house: House) -> None:
    answer = house.stranger().get("/api/events?after=0")
    assert answer.status_code == 200
    answer.close()
    assert house.table.lines == []


def test_the_live_picture_is_for_who_operates(house: House) -> None:
    assert house.stranger().get("/api/camera/live.mjpg").status_code == 401
    assert house.paired(Role.OPERATOR).get("/api/camera/live.mjpg").status_code == 200


def test_an_address_for_the_table_to_open_is_the_administrators(house: House) -> None:
    """An operator may choose among the cameras that are plugged in; an address would let a phone send the table anywhere."""
    far = {"do": "choose", "source": "http://192.168.1.9/video"}
    refused = house.paired(Role.OPERATOR).post("/api/camera", far)
    assert (refused.status_code, refused.json["key"]) == (403, "role")
    assert house.paired(Role.OPERATOR).post("/api/camera", {"do": "choose", "source": "usb-Lamp_1"}).status_code == 200
    assert house.paired(Role.ADMIN).post("/api/camera", far).status_code == 200


@pytest.mark.parametrize("path", ["/stills/x.jpg", "/replays/x.webp"])
def test_stills_and_replays_are_for_everybody_unless_the_table_says_otherwise(path: str) -> None:
    assert House().stranger().get(path).status_code == 200
    private = House(viewers_see_pictures=False)
    assert private.stranger().get(path).status_code == 401
    assert private.paired(Role.OPERATOR).get(path).status_code == 200
    assert needed("HEAD", "/stills/<name>", False) == Role.OPERATOR


@pytest.mark.parametrize("path", ["/keep/1/standings.csv", "/keep/1/throws.csv", "/keep/1/game.json", "/keep/1/results"])
def test_what_is_exported_is_for_operators(house: House, path: str) -> None:
    assert house.stranger().get(path).status_code == 401
    assert house.paired(Role.OPERATOR).get(path).status_code == 200


def test_the_diagnostics_are_the_administrators(house: House) -> None:
    assert house.stranger().post("/api/diagnostics", {}).status_code == 401
    assert house.paired(Role.OPERATOR).post("/api/diagnostics", {}).status_code == 403
    assert house.paired(Role.ADMIN).post("/api/diagnostics", {}).status_code == 200


# changes come from our own pages


@pytest.mark.parametrize(
    ("headers", "key"),
    [
        ({"Origin": None}, "origin"),
        ({"Origin": "null"}, "origin"),
        ({"Origin": "http://evil.example"}, "origin"),
        ({"Origin": f"{LAN}:81"}, "origin"),
        ({"Origin": LAN.replace("http", "https")}, "origin"),
        ({"X_Bobing_Token": None}, "page_word"),
        ({"X_Bobing_Token": "0" * 64}, "page_word"),
        ({"X_Bobing_Token": "é"}, "page_word"),
    ],
)
def test_a_change_needs_our_own_origin_and_our_pages_word(house: House, headers: dict[str, Any], key: str) -> None:
    for person in (house.paired(Role.OPERATOR), house.console()):
        answer = person.post("/api/commands", COMMAND, **headers)
        if headers == {"Origin": None} and person.address == "127.0.0.1":
            continue  # a program on this machine, see below
        assert (answer.status_code, answer.json["key"]) == (403, key)
    assert house.table.commands == [] or key == "origin"


def test_the_word_of_one_phone_is_no_word_for_another(house: House) -> None:
    one, other = house.paired(Role.OPERATOR), house.paired(Role.OPERATOR)
    assert one.post("/api/commands", COMMAND, X_Bobing_Token=other.word()).status_code == 403


def test_a_program_on_this_machine_needs_neither_but_a_browser_there_does(house: House) -> None:
    client = house.app.test_client(use_cookies=False)
    assert client.post("/api/commands", json=COMMAND).status_code == 200
    for mark in ("Sec-Fetch-Site", "Referer", "Cookie"):
        assert client.post("/api/commands", json=COMMAND, headers={mark: "x"}).status_code == 403
    assert client.post("/api/commands", data="{}", headers={"Content-Type": "text/plain"}).status_code == 415


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "text/plain; application/json"])
def test_what_a_form_of_another_page_can_send_changes_nothing_anywhere(house: House, kind: str) -> None:
    """A browser that is old enough names neither itself nor where a form came from; what it can't send is JSON."""
    program = house.app.test_client(use_cookies=False)
    paired = house.paired(Role.ADMIN)
    for key in (key for key in ROLES if not key.startswith("GET ")):
        path = key.split(" ")[1]
        body = json.dumps({**COMMAND, "button": "A", "edge": "down", "age": 0, "do": "offer"})
        answers = [program.post(path, data=body, content_type=kind), paired.post(path, None, Content_Type=kind)]
        assert [answer.status_code for answer in answers] == [415, 415], key
    assert house.table.commands == [] and house.pairing.offered() is None


@pytest.mark.parametrize("mark", ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"])
def test_what_a_proxy_on_this_machine_passes_on_is_not_the_console(house: House, mark: str) -> None:
    assert house.app.test_client().get("/calibrate", headers={mark: "10.0.0.1"}).status_code == 401


def test_a_foreign_name_that_leads_here_is_refused_before_anything_else(house: House) -> None:
    for host in ("evil.example", "192.168.1.7.evil.example"):
        answer = house.app.test_client().get("/", headers={"Host": host})
        assert (answer.status_code, answer.json["key"]) == (400, "host")


def test_the_console_is_known_by_a_name_of_this_machine_only(house: House) -> None:
    # another name of the table, asked for from this machine: a page that was lured here is nobody
    answer = house.app.test_client().get("/calibrate", headers={"Host": "192.168.1.7"})
    assert answer.status_code == 401


def test_the_description_says_for_every_route_who_may_and_by_which_key(house: House) -> None:
    described = house.stranger().get("/api/docs").json
    schemes = described["components"]["securitySchemes"]
    for key, role in ROLES.items():
        method, rule = key.split(" ")
        entry = described["paths"].get(re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule), {}).get(method.lower())
        if entry is None:
            continue  # static files
        assert entry["x-role"] == role.name.lower()
        named = {name for choice in entry["security"] for name in choice}
        assert named <= set(schemes)
        assert ("phone" in named) == (role > Role.VIEWER)
        assert ("page" in named) == (method != "GET")

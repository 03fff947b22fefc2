"""A phone is let in by a code that is short-lived, good once, shown only when asked for, and hard to guess."""

from __future__ import annotations

import itertools
import json
import re
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from people import House, Pictures

from device.errors import Fault, Refused
from device.host import Host
from device.hostile import is_plain, plain
from device.journal import Journal
from device.lockout import FREE, Lockout, network
from device.pairing import CODE_S, MOST_SESSIONS, MOST_WRONG, UNSEEN_S, Locked, Pairing, Role
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import PRESETS


@pytest.fixture
def house() -> House:
    return House()


def wrong(house: House) -> str:
    offered = house.pairing.offered()
    return "000000" if offered is None or offered[0].code != "000000" else "111111"


def test_a_right_code_gives_a_cookie_that_no_script_and_no_other_site_gets(house: House) -> None:
    person = house.stranger()
    answer = person.post("/api/pair", {"code": house.pairing.offer(Role.OPERATOR).code, "name": "甲的手机"})
    assert answer.json["role"] == "operator" and answer.json["name"] == "甲的手机"
    cookie = answer.headers["Set-Cookie"]
    token = re.match(r"bobing=([0-9a-f]{64});", cookie)
    assert token and "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Path=/" in cookie
    assert token[1] not in answer.get_data(as_text=True)


def test_a_code_is_good_once(house: House) -> None:
    code = house.pairing.offer(Role.OPERATOR).code
    assert house.stranger().post("/api/pair", {"code": code}).status_code == 200
    assert house.stranger().post("/api/pair", {"code": code}).status_code == 403


def test_a_code_is_good_for_two_minutes_and_until_the_next(house: House) -> None:
    first = house.pairing.offer(Role.OPERATOR).code
    second = house.pairing.offer(Role.OPERATOR).code
    assert house.stranger().post("/api/pair", {"code": first}).status_code == 403
    house.clock.now += CODE_S
    assert house.stranger("192.168.1.51").post("/api/pair", {"code": second}).status_code == 403


def test_without_a_code_on_show_none_is_good(house: House) -> None:
    for code in ("", "000000", "None"):
        assert house.stranger().post("/api/pair", {"code": code}).json["key"] == "wrong_code"


def test_five_wrong_codes_lock_an_address_out_for_a_minute_and_longer_each_time(house: House) -> None:
    house.pairing.offer(Role.OPERATOR)
    waited = []
    for _ in range(3):
        for _ in range(FREE):
            house.pairing.offer(Role.OPERATOR)
            assert house.stranger().post("/api/pair", {"code": wrong(house)}).status_code == 403
        right = house.pairing.offer(Role.OPERATOR).code
        answer = house.stranger().post("/api/pair", {"code": right})
        assert (answer.status_code, answer.json["key"]) == (429, "locked")
        waited.append(int(answer.headers["Retry-After"]))
        house.clock.now += waited[-1]
    assert waited == [60, 120, 240]
    assert house.stranger().post("/api/pair", {"code": house.pairing.offer(Role.OPERATOR).code}).status_code == 200


def test_who_asks_on_while_locked_out_fills_no_log(house: House) -> None:
    noted: list[Any] = []
    house.pairing.note = lambda *what, **more: noted.append((what, more["locked"]))
    for _ in range(50):
        house.stranger().post("/api/pair", {"code": "999999"})
    assert noted == [(("pair_wrong",), 0)] * (FREE - 1) + [(("pair_wrong",), 60)]


def test_a_locked_neighbour_locks_nobody_else(house: House) -> None:
    code = house.pairing.offer(Role.OPERATOR).code
    for _ in range(FREE):
        house.stranger("192.168.1.66").post("/api/pair", {"code": "999999"})
    assert house.stranger("192.168.1.67").post("/api/pair", {"code": code}).status_code == 200


def test_a_code_dies_of_many_wrong_tries_from_many_addresses(house: House) -> None:
    code = house.pairing.offer(Role.OPERATOR).code
    for n in range(MOST_WRONG):
        house.stranger(f"10.0.0.{n}").post("/api/pair", {"code": "999999"})
    assert house.stranger().post("/api/pair", {"code": code}).status_code == 403


@given(st.lists(st.booleans(), max_size=60), st.floats(0, 100))
def test_nobody_gets_more_than_five_tries_in_a_minute(tries: list[bool], pause: float) -> None:
    lockout, now, taken = Lockout(), 0.0, []
    for _ in tries:
        if lockout.waits("10.0.0.1", now) == 0:
            lockout.wrong("10.0.0.1", now)
            taken.append(now)
        now += pause
    assert all(b - a >= 60 for a, b in zip(taken[4::5], taken[5::5], strict=False))


def test_one_device_has_many_ipv6_addresses_and_counts_once() -> None:
    assert network("2001:db8::1") == network("2001:db8::ffff:1") != network("2001:db8:0:1::1")
    assert network("::ffff:10.0.0.1") == network("10.0.0.1")


def test_the_code_is_shown_to_operators_only_and_the_administrators_to_administrators(house: House) -> None:
    operator, admin = house.paired(Role.OPERATOR), house.paired(Role.ADMIN)
    assert operator.post("/api/pairing", {"do": "offer", "role": "admin"}).status_code == 403
    shown = operator.post("/api/pairing", {"do": "offer"}).json["offer"]
    assert re.fullmatch(r"\d{6}", shown["code"]) and shown["address"] == "http://192.168.1.7/pair"
    assert operator.get("/pair.svg").status_code == 200
    assert house.stranger().get("/api/pairing").status_code == 401
    assert house.stranger().get("/pair.svg").status_code == 401
    assert admin.post("/api/pairing", {"do": "offer", "role": "admin"}).json["offer"]["role"] == "admin"
    assert operator.get("/api/pairing").json["offer"] is None
    assert (operator.get("/pair.svg").status_code, admin.get("/pair.svg").status_code) == (404, 200)


def test_what_is_read_before_a_pairing_is_ended_opens_nothing_after_it(house: House) -> None:
    operator, admin = house.paired(Role.OPERATOR), house.paired(Role.ADMIN)
    code = operator.post("/api/pairing", {"do": "offer"}).json["offer"]["code"]
    sessions = {one["role"]: one for one in admin.get("/api/pairing").json["sessions"]}
    admin.post("/api/pairing", {"do": "revoke", "id": sessions["operator"]["id"]})
    assert operator.post("/api/pair", {"code": code}).json["key"] == "wrong_code"
    assert operator.get("/api/pairing").status_code == 401


@pytest.mark.parametrize("who", ["operator", "admin", "console"])
def test_a_live_picture_ends_with_the_pairing_that_asked_for_it(house: House, monkeypatch: pytest.MonkeyPatch, who: str) -> None:
    monkeypatch.setattr(Pictures, "__iter__", lambda _: itertools.repeat(b"\xff\xd8"))
    house.paired(Role.ADMIN)
    person = house.console() if who == "console" else house.paired(Role[who.upper()])
    pictures = person.get("/api/camera/live.mjpg").response
    assert b"image/jpeg" in next(pictures) and b"image/jpeg" in next(pictures)
    for session in house.pairing.sessions():
        house.pairing.revoke(session.id)
    assert (next(pictures, None) is None) == (who != "console")


def test_what_is_paired_is_listed_and_ended(house: House) -> None:
    operator, admin = house.paired(Role.OPERATOR), house.paired(Role.ADMIN)
    sessions = {one["role"]: one for one in admin.get("/api/pairing").json["sessions"]}
    assert sessions["admin"]["own"] and "hash" not in sessions["admin"]
    assert operator.post("/api/pairing", {"do": "revoke", "id": sessions["admin"]["id"]}).status_code == 403
    assert admin.post("/api/pairing", {"do": "revoke", "id": sessions["operator"]["id"]}).status_code == 200
    assert operator.get("/api/pairing").status_code == 401
    assert admin.post("/api/pairing", {"do": "revoke", "id": "none"}).status_code == 404


def test_a_clock_that_is_put_right_ends_no_pairing(house: House) -> None:
    house.clock.now = 1_793_000_000.0
    operator = house.paired(Role.OPERATOR)
    for now in (0.0, 1_793_000_060.0, 1_793_000_000.0 - 400 * 86400, 1_793_000_120.0):
        house.clock.now = now
        assert operator.get("/api/pairing").status_code == 200


def test_a_phone_that_could_not_be_kept_is_not_let_in_and_may_try_its_code_again(tmp_path: Path, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    pairing = Pairing(tmp_path / "pairing.json", house.clock, house.clock, lambda n: bytes(n))
    code = pairing.offer(Role.OPERATOR).code

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("device.pairing.write_whole", full)
        with pytest.raises(Fault, match="No space left"):
            pairing.pair(code, "10.0.0.1", "x")
        assert pairing.sessions() == []
    token, session = pairing.pair(code, "10.0.0.1", "x")
    assert pairing.who(token) == session and pairing.offered() is None


def test_an_operator_may_leave(house: House) -> None:
    operator = house.paired(Role.OPERATOR)
    own = next(one["id"] for one in operator.get("/api/pairing").json["sessions"] if one["own"])
    operator.post("/api/pairing", {"do": "revoke", "id": own})
    assert operator.get("/api/pairing").status_code == 401


def make(file: Path | None, house: House) -> Pairing:
    numbers = itertools.count(7)
    return Pairing(file, house.clock, house.clock, lambda n: next(numbers).to_bytes(n, "big"))


def test_phones_stay_paired_over_a_restart_and_the_file_helps_no_thief(tmp_path: Path, house: House) -> None:
    file = tmp_path / "pairing.json"
    pairing = make(file, house)
    token, session = pairing.pair(pairing.offer(Role.OPERATOR).code, "10.0.0.1", "甲")
    again = make(file, house)
    assert again.who(token) == session and again.word("x") == pairing.word("x")
    assert token not in file.read_text(encoding="utf-8")
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert all(again.who(other) is None for other in (None, "", session.hash, token[:-1], token.upper() + "x"))


def test_a_phone_that_was_not_seen_for_a_month_is_nobody(tmp_path: Path, house: House) -> None:
    pairing = make(tmp_path / "pairing.json", house)
    token, _ = pairing.pair(pairing.offer(Role.OPERATOR).code, "10.0.0.1", "甲")
    house.clock.now += UNSEEN_S - 10
    assert pairing.who(token) is not None  # which counts as seen
    house.clock.now += UNSEEN_S + 10
    assert pairing.who(token) is None


def test_the_list_of_phones_does_not_grow_for_ever(house: House) -> None:
    for _ in range(MOST_SESSIONS + 5):
        house.pairing.pair(house.pairing.offer(Role.OPERATOR).code, "10.0.0.1", "x")
        house.clock.now += 1
    assert len(house.pairing.sessions()) == MOST_SESSIONS


@pytest.mark.parametrize("content", ["", "{", "[]", '{"secret": "00", "sessions": []}', '{"secret": 5, "sessions": [{}]}'])
def test_a_damaged_file_lets_nobody_in_and_is_one_line(tmp_path: Path, house: House, content: str) -> None:
    file = tmp_path / "pairing.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(Fault) as fault:
        make(file, house)
    assert "\n" not in fault.value.en


@pytest.mark.parametrize("body", [{}, {"code": 5}, {"code": ["1"]}, {"code": "1", "name": 5}, []])
def test_what_is_no_code_is_refused_in_words(house: House, body: Any) -> None:
    answer = house.stranger().post("/api/pair", body)
    assert answer.status_code == 400 and answer.json["en"]


def test_the_name_of_a_phone_is_hostile(house: House) -> None:
    house.pairing.pair(house.pairing.offer(Role.OPERATOR).code, "10.0.0.1", "\u202eevil\x00\n<script>" + "z\u0300" * 90)
    name = house.pairing.sessions()[0].name
    assert len(name) <= 24 and is_plain(name) and name.startswith("evil <script>")
    page = house.console().get("/pair").get_data(as_text=True)
    assert "<script>z" not in page


@given(st.text(max_size=200), st.integers(1, 40))
def test_plain_text_is_short_visible_and_stays_as_it_is(text: str, most: int) -> None:
    shown = plain(text, most)
    assert len(shown) <= most and plain(shown, most) == shown
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u2028]", shown)


def test_names_of_people_are_left_as_they_are() -> None:
    for name in ("甲", "Zoë", "Nguyễn Văn", "👨‍👩‍👧", "محمد", "O'Neil-Smith"):
        assert is_plain(name)
        assert plain(name, 24) == name


def test_many_guessers_find_a_code_hardly_ever(house: House) -> None:
    """Twenty tries of a million for each code that somebody asked for."""
    assert MOST_WRONG / 10**6 <= 2e-5
    with pytest.raises(Refused):
        house.pairing.pair("12345", "10.0.0.1", "")
    assert issubclass(Locked, Refused)
    assert json.dumps(house.pairing.sessions()) == "[]"


def test_a_and_b_on_the_box_ask_for_a_code_once(house: House) -> None:
    table = Table(Journal.open(None), None, Setting(), PRESETS["xiamen"], lambda: 0.0, lambda n: 0).open()
    host = Host(lambda: table, table, False, pairing=house.pairing)
    for held in (False, True, True):
        host.show_box({"pairing": held})
    first = house.pairing.offered()
    assert first is not None and first[0].role == Role.OPERATOR
    assert host.state()["pairing"] == 1
    host.show_box({"pairing": False})
    host.show_box({"pairing": True})
    assert host.state()["pairing"] == 2
    table.close()

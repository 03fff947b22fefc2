"""A phone is paired as people do it: it follows, asks for a code at the table, types it, and operates; the board shows the code."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from onlooker import PHONE, TV, complaints, end, resize, wait

from device.pairing import Pairing, Role
from web_ui.app import create_app
from web_ui.server import Server

ANSWERED = """return performance.getEntriesByName(arguments[0] + "/api/pairing").some((asked) => asked.responseEnd > 0)"""
ROOM = "127.0.0.2"
"""An address of this machine that is none of its loopback names: who calls it is a stranger."""


class Offered:
    """The scripted table with a pairing: it counts the codes as the real host does."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.pairing = Pairing(None, time.monotonic, time.time, random.Random(6).randbytes)
        self.pairing.listen(lambda number: table.set(pairing=number))


@pytest.fixture
def room(table: Any) -> Iterator[tuple[Offered, str, str]]:
    """The pairing, the address for strangers, and the one of the table's own machine."""
    offered = Offered(table)
    servers = [
        Server(create_app(table, hosts=[ROOM, "192.168.1.20"], pairing=offered.pairing, places=8), host, 0) for host in (ROOM, "127.0.0.1")
    ]
    yield offered, f"http://{ROOM}:{servers[0].port}", f"http://127.0.0.1:{servers[1].port}"
    for server in servers:
        end(server)


@pytest.fixture
def look(browser: Any) -> Iterator[Callable[[str, tuple[int, int]], Any]]:
    def opened(address: str, size: tuple[int, int]) -> Any:
        browser.get_log("browser")
        resize(browser, size)
        browser.get(address)
        return browser

    yield opened
    browser.delete_all_cookies()
    browser.get("about:blank")


def shown(browser: Any, selector: str) -> str:
    script = "const e = document.querySelector(arguments[0]); return e && !e.closest('[hidden]') ? e.innerText : ''"
    return str(browser.execute_script(script, selector))


def test_a_stranger_follows_pairs_and_then_operates(room: Any, look: Any, table: Any) -> None:
    offered, address, _ = room
    browser = look(f"{address}/phone", PHONE)
    wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")
    assert browser.execute_script("return document.querySelector('#tools').hidden")
    browser.get(f"{address}/pair")
    wait(lambda: shown(browser, "#give"))
    browser.execute_script("document.querySelector('#code').value = '000 000'; document.querySelector('#give button').click()")
    wait(lambda: "配对码不对" in shown(browser, "#said") or "not good" in shown(browser, "#said"))
    code = offered.pairing.offer(Role.OPERATOR).code
    browser.get("about:blank")
    browser.get(f"{address}/pair#{code}")  # as the QR leads there
    wait(lambda: browser.execute_script("return document.querySelector('#code').value") == code)
    assert browser.current_url.endswith("/pair")
    browser.execute_script("document.querySelector('#give button').click()")
    wait(lambda: "/phone" in browser.current_url)
    wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")
    assert not browser.execute_script("return document.querySelector('#tools').hidden")
    assert browser.execute_script("return document.cookie").find("bobing=") < 0
    browser.execute_script("document.querySelector('#tools button').click()")
    wait(lambda: table.commands)
    assert [c for c in complaints(browser) if "403" not in str(c) and "401" not in str(c)] == []


def test_the_board_of_the_tables_own_machine_shows_the_code_and_one_elsewhere_does_not(room: Any, look: Any) -> None:
    offered, address, own = room
    for where, sees in ((own, True), (address, False)):
        browser = look(f"{where}/", TV)
        wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")  # noqa: B023
        code = offered.pairing.offer(Role.OPERATOR).code
        if sees:
            wait(lambda: code[:3] in shown(browser, "#pairing"))  # noqa: B023
            offered.pairing.withdraw()
            wait(lambda: not shown(browser, "#pairing"))  # noqa: B023
        else:
            # it asks, is told nothing, and has nothing to draw once the answer is there and what waited for it has run
            wait(lambda: browser.execute_script(ANSWERED, address))  # noqa: B023
            browser.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => setTimeout(done));")
            assert shown(browser, "#pairing") == ""


@pytest.mark.parametrize(("language", "words"), [("zh-CN", "手机连不到本机"), ("zh-TW", "手機連不到本機"), ("en", "No phone can reach this machine")])
def test_a_table_that_no_phone_can_reach_says_so_and_shows_no_code_that_leads_nowhere(
    served: Any, look: Any, table: Any, language: str, words: str
) -> None:
    offered = Offered(table)
    table.set(language=language)
    address = served(table, pairing=offered.pairing)
    for path, where in ((f"/pair?lang={language}", "#manage"), (f"/?lang={language}", "#pairing")):
        browser = look(address + path, PHONE if where == "#manage" else TV)
        offered.pairing.offer(Role.OPERATOR)
        wait(lambda browser=browser, where=where: words in shown(browser, where))
        said = shown(browser, where)
        assert "--host 0.0.0.0" in said and not re.search(r"\d{3} \d{3}", said)
        assert browser.execute_script("return document.querySelectorAll(arguments[0] + ' img').length", where) == 0
    answer = browser.execute_async_script("const done = arguments[0]; fetch('/pair.svg').then((a) => a.json().then((s) => done([a.status, s.key])));")
    assert answer == [404, "not_reachable"]


def test_who_wants_to_operate_is_led_to_where_the_phone_is_paired(room: Any, look: Any) -> None:
    _, strange, own = room
    for address, way in ((strange, "/pair"), (own, "/phone")):
        browser = look(f"{address}/phone?follow=1&lang=zh-CN", PHONE)
        wait(lambda browser=browser: shown(browser, "#now .way"))
        link = browser.execute_script("const a = document.querySelector('#now .way'); return [a.textContent, a.getAttribute('href')]")
        assert link == ["我来操作", way]

"""axe finds no serious fault on any page, in either light, and the set-up path and the paper work."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import evening
import pytest
from axe import serious
from onlooker import PAGES, PHONE, TV, complaints, end, picture, resize, wait

from device.table import Table
from web_ui.app import create_app
from web_ui.server import Server


@pytest.fixture
def served(tmp_path: Path, browser: Any) -> Iterator[Callable[..., tuple[Table, str]]]:
    """Real tables that have been told an evening, with their pages' address."""
    opened: list[tuple[Table, Server]] = []

    def serve(name: str = "xiamen", told: int = 20) -> tuple[Table, str]:
        table = evening.new_table(tmp_path / str(len(opened)))
        for number, line in enumerate(list(evening.lines(name))[:told]):
            evening.tell(table, line, number)
        server = Server(create_app(table, hosts=("192.168.1.20",), places=PAGES), "127.0.0.1", 0)
        opened.append((table, server))
        return table, f"http://127.0.0.1:{server.port}"

    yield serve
    browser.get("about:blank")
    for table, server in opened:
        table.close()
        end(server)


def ready(browser: Any) -> None:
    wait(lambda: browser.execute_script("return document.readyState") == "complete")
    wait(lambda: browser.execute_script("return !document.fonts || document.fonts.status === 'loaded'"))


@pytest.mark.parametrize("path", ["/?theme=light", "/?lang=en"])
def test_the_board_has_no_serious_fault(served: Any, browser: Any, path: str) -> None:
    _, address = served()
    resize(browser, TV)
    browser.get(address + path)
    ready(browser)
    assert serious(browser) == []


@pytest.mark.parametrize("told", [4, 80])
def test_a_question_and_the_closing_ceremony_have_no_serious_fault(served: Any, browser: Any, told: int) -> None:
    table, address = served(told=told)
    resize(browser, TV)
    browser.get(address + "/")
    ready(browser)
    assert serious(browser) == [], table.state()["phase"]


def test_the_phone_has_no_serious_fault(served: Any, browser: Any) -> None:
    table, address = served(told=4)
    resize(browser, PHONE)
    browser.get(address + "/phone?lang=zh-CN")
    ready(browser)
    assert serious(browser) == []  # a question
    evening.give(table, "confirm")
    wait(lambda: browser.execute_script("return document.querySelectorAll('.history li').length") == 3)
    assert serious(browser) == []
    for name in ("tab-rules", "tab-table"):
        browser.execute_script("document.getElementById(arguments[0]).click()", name)
        assert serious(browser) == [], name
    for opener in ("#tools button:last-child", ".history button"):
        browser.execute_script("document.querySelector(arguments[0]).click()", opener)
        assert serious(browser) == [], opener
        browser.execute_script("document.querySelector('dialog').close()")
    browser.get(address + "/phone?follow=1&lang=en")
    ready(browser)
    assert serious(browser) == []


def test_the_path_from_the_unpacked_box_to_the_first_throw(served: Any, browser: Any) -> None:
    table, address = served(told=0)
    resize(browser, PHONE)
    browser.get_log("browser")
    browser.get(address + "/setup?lang=zh-CN")
    ready(browser)
    js = browser.execute_script
    wait(lambda: js("return document.body.dataset.linked") == "yes")

    def tap(label: str) -> None:
        assert js(
            "const b = Array.from(document.querySelectorAll('button')).filter((b) => b.firstChild && b.firstChild.textContent"
            ".trim() === arguments[0]).pop(); if (b) b.click(); return Boolean(b);",
            label,
        ), label

    def at(title: str) -> None:
        wait(lambda: js("return document.querySelector('#step h2').textContent") == title)
        if title in ("攝影機", "規矩", "禮品"):
            assert serious(browser) == [], title
        wide = js("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]

    at("语言")
    tap("繁體中文")
    wait(lambda: "lang=zh-TW" in browser.current_url and js("return document.body.dataset.linked") == "yes")
    assert table.state()["language"] == "zh-TW"
    at("攝影機")
    wait(lambda: js("return document.querySelector('.health').textContent") == "還沒有攝影機")
    assert js("return document.querySelector('.way').getAttribute('href')") == "/calibrate"
    # without a camera there is nothing to do for bowl, dice and test throw: one line says so
    assert "每一擲在手機上點六顆骰子來記" in js("return document.querySelector('#step').innerText")
    assert js("return document.querySelectorAll('.dot').length") == 7
    tap("下一步")
    at("座中諸位")
    names = Path(table_folder(table)) / "names.csv"
    names.write_text('\ufeff姓名,电话\n甲,1\n"乙",2\n丙,3\n', encoding="utf-8")
    browser.find_element("css selector", "#file").send_keys(str(names))
    wait(lambda: js("return document.querySelector('#names').value") == "甲\n乙\n丙")
    picture(browser, "phone-09-setup-players")
    tap("下一步")
    at("規矩")
    cards = js("return Array.from(document.querySelectorAll('.card')).map((c) => c.innerText)")
    assert len(cards) == 6 and "餅博完了再擲到：追餅" in cards[3]
    js("document.querySelectorAll('.card')[3].click(); document.querySelector('.every').open = true")
    tap("接著博到有")
    tap("再擲一次比點數")
    picture(browser, "phone-10-setup-rules")
    tap("下一步")
    at("禮品")
    js(
        "const set = (id, v) => { const i = document.getElementById(id); i.value = v; i.dispatchEvent(new Event('input')); };"
        "set('n-yixiu', 10); set('v-yixiu', 2.5); set('p-yixiu', '毛巾'); set('g-sanhong', '茶葉\\n雨傘');"
    )
    wait(lambda: js("return document.querySelector('.budget').textContent") == "共 41 個，合計 25")
    picture(browser, "phone-11-setup-prizes")
    tap("下一步")
    at("按鈕盒")
    tap("下一步")
    at("開局")
    tap("擲兩顆")
    tap("乙")
    js("document.querySelector('[data-pair=\"1+2\"]').click()")
    tap("開局！")
    wait(lambda: "/phone" in browser.current_url)
    state = table.state()
    assert [p["name"] for p in state["players"]] and state["turn"]["name"] == "甲"  # from 乙, three: 乙 丙 甲
    assert (state["rules"]["preset"], state["rules"]["switches"]["no_champion"]) == ("chase", "sum")
    assert state["tiers"][5]["total"] == 10 and state["tiers"][5]["prize"]["name"] == "毛巾"
    assert state["tiers"][2]["prize"]["gifts"] == ["茶葉", "雨傘"]
    assert complaints(browser) == []


def table_folder(table: Table) -> Path:
    """Where a test's table keeps its pictures: a place to write in."""
    stills = table._stills
    assert stills is not None
    return stills._folder


def test_just_play_is_one_tap(served: Any, browser: Any) -> None:
    table, address = served(told=0)
    resize(browser, PHONE)
    browser.get(address + "/setup?lang=en")
    ready(browser)
    wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")
    picture(browser, "phone-12-setup-first")
    browser.execute_script("document.querySelector('#go .wide').click()")
    wait(lambda: table.state()["phase"] == "throw" and len(table.state()["players"]) == 4)


def test_what_is_printed_fits_its_paper(served: Any, browser: Any) -> None:
    table, address = served(told=80)
    assert table.state()["over"]
    resize(browser, (900, 1280))
    pages = {"results": 1, "prizes": 1, "vouchers": 6, "certificate": 1}
    for sheet, count in pages.items():
        browser.get(f"{address}/keep/1/{sheet}?lang=zh-CN")
        ready(browser)
        if sheet == "certificate":
            assert serious(browser) == []
        pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) == count, sheet
        picture(browser, f"paper-{sheet}")
    text = browser.execute_script("return document.body.innerText")
    assert "状元及第" in text and table.state()["champion"]["name"] in text
    assert re.search(r"农历\s*丙午年八月十一", text)  # the evening's clock begins on 21 September 2026
    browser.get(f"{address}/keep?lang=zh-CN")
    assert "第 1 局" in browser.execute_script("return document.body.innerText")
    assert serious(browser) == []


def test_the_prize_list_names_the_gifts_that_were_taken(served: Any) -> None:
    table, _ = served(told=0)
    prizes = {"sanhong": {"gifts": ["茶叶", "雨伞"]}, "yixiu": {"name": "毛巾", "value": 5}}
    evening.give(table, "start", players=["甲", "乙"], prizes=prizes)
    for dice in ([4, 4, 4, 1, 2, 3], [4, 1, 2, 3, 3, 6], [4, 4, 4, 1, 2, 3]):
        evening.give(table, "throw", dice=dice)
    evening.give(table, "gift", throw=1, gift="雨伞")
    rows = create_app(table).test_client().get("/keep/1/standings.csv").get_data(as_text=True).splitlines()
    assert rows[1].startswith("1,甲,0,0,2") and rows[1].endswith("雨伞 x 1; 三红 x 1")
    assert rows[2].endswith("毛巾 x 1")


def test_tables_to_download_are_taken_for_no_formula(served: Any) -> None:
    table, _ = served(told=0)
    evening.give(table, "start", players=["=1+1", "@SUM(A1)", "-3", "丙"])
    evening.give(table, "throw", dice=[4, 1, 2, 3, 3, 6])
    client = create_app(table).test_client()
    for name in ("standings", "throws"):
        answer = client.get(f"/keep/1/{name}.csv")
        assert answer.data.startswith(b"\xef\xbb\xbf")
        rows = answer.get_data(as_text=True).lstrip("\ufeff").splitlines()
        assert any("'=1+1" in row for row in rows)
        assert not any(re.search(r"(^|,)\"?[=+\-@]", row) for row in rows), rows
    assert client.get("/keep/1/game.json").json["players"][0]["name"] == "=1+1"
    assert client.get("/keep/2/results").status_code == 404
    assert client.get("/keep/1/anything").status_code == 404

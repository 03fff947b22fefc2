"""Every scene in every language on every screen: nothing is cut, nothing overlaps, nothing lies hidden under what has to be told."""

from __future__ import annotations

import base64
import random
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from onlooker import AUDIT, PHONE, SETTLE, Board, complaints, resize, wait
from scenes import CALL, LONE, LONG, NO_CAMERA, SCENES, TOLD, demo, ended, played

from device.pairing import Pairing, Role
from web_ui.words import catalogue, turned

LANGUAGES = ("zh-CN", "zh-TW", "en")
SMALL = (1366, 768)
HALF = (960, 540)
"""Large enough to see through, and quickly photographed."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES)
def test_the_board_can_be_read_whatever_is_told(show: Any, new_table: Any, scene: str, language: str) -> None:
    table = SCENES[scene](new_table)
    table.set(language=language)
    board = show(table, hosts=("192.168.1.20",))
    for name, told in TOLD.items():
        table.set(**{"notice": None, "unsaved": 0, "box": None, **told})
        words = turned(told["notice"]["en" if language == "en" else "zh"], catalogue(language)) if told else ""
        wait(lambda words=words: len(board.text("#notice")) == len(words))
        board.must_be_legible()
        if name == "much":
            resize(board.browser, SMALL)
            board.must_be_legible()
        if scene == "prizes":
            board.js("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))")
            board.must_be_legible()


def offering(served: Any, table: Any, hosts: tuple[str, ...]) -> str:
    """The address of a table that shows a code for phones, which reach it by one of these hosts."""
    pairing = Pairing(None, time.monotonic, time.time, random.Random(6).randbytes)
    pairing.offer(Role.OPERATOR)
    table.set(pairing=1)
    return str(served(table, pairing=pairing, hosts=hosts))


@pytest.mark.usefixtures("long_results")
@pytest.mark.parametrize(("language", "hosts"), [("en", ("192.168.1.20",)), ("en", ()), ("zh-TW", ())])
@pytest.mark.parametrize("scene", ["lobby", "few", "crowd", "question", "crowd asks", "ceremony", "ceremony of many"])
def test_the_code_for_phones_covers_nothing_that_is_told_and_leads_somewhere_or_says_that_no_phone_can_come(
    served: Any, browser: Any, new_table: Any, scene: str, language: str, hosts: tuple[str, ...]
) -> None:
    table = SCENES[scene](new_table)
    table.set(language=language)
    board = Board(browser, table, offering(served, table, hosts))
    wait(lambda: board.text("#pairing"))
    assert ("192.168.1.20" in board.text("#pairing")) == bool(hosts) == bool(board.js("return document.querySelector('#pairing img')"))
    assert ("--host 0.0.0.0" in board.text("#pairing")) == (not hosts)
    for told in TOLD.values():
        table.set(**{"notice": None, "unsaved": 0, "box": None, **told})
        wait(lambda told=told: bool(board.text("#notice")) == bool(told))
        read = "".join(board.must_be_legible())
        following = board.text("#next") if table.state()["phase"] == "throw" else ""
        assert not following or following.split("\n")[-1][:3] in read
    if scene == "few":
        table.throw("jump")
        wait(lambda: board.text(".hand-word"))
        board.must_be_legible()


@pytest.mark.usefixtures("long_results")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["sijin", "sihong", "jump"])
def test_a_result_can_be_read_while_something_is_told(show: Any, new_table: Any, kind: str, language: str) -> None:
    table = played(new_table, LONE)
    table.set(language=language, notice=LONG, unsaved=12, box=CALL)
    board = show(table)
    table.throw(kind)
    wait(lambda: board.text(".hand-word"))
    board.must_be_legible()


# what the phone shows, and what one taps to come there
PHONES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "lobby": (SCENES["lobby"], ""),
    "play": (lambda new: demo(played(new, LONE)), ""),
    "past": (SCENES["few"], "document.querySelector('.history button').click()"),
    "several": (SCENES["few"], "document.querySelector('.history button').click(); document.querySelector('dialog .line button').click()"),
    "more": (SCENES["few"], "document.querySelector('#tools button:last-child').click()"),
    "another": (
        SCENES["few"],
        "document.querySelector('#tools button:last-child').click(); document.querySelectorAll('dialog .line')[1].firstChild.click()",
    ),
    "two dice": (SCENES["lobby"], "Array.from(document.querySelectorAll('#now button')).pop().click()"),
    "player": (SCENES["few"], "document.querySelector('.standing').click()"),
    "rules": (SCENES["few"], "document.getElementById('tab-rules').click()"),
    "odds": (SCENES["few"], "document.getElementById('tab-odds').click()"),
    "question": (SCENES["question"], ""),
    "jump": (SCENES["jump"], ""),
    "over": (SCENES["ceremony"], ""),
}
STRIP = "(() => { const p = document.querySelector('#past').getBoundingClientRect(); return p.height > 0 && p.height < 150; })()"


def phone(browser: Any, address: str) -> None:
    browser.get_log("browser")
    resize(browser, PHONE)
    browser.get(address)
    wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")


def fits(browser: Any) -> None:
    browser.execute_async_script(SETTLE)
    found = browser.execute_script(AUDIT, True)
    faults = {fault: found[fault] for fault in ("cut", "clash", "covered", "wide") if found[fault]}
    assert not faults, faults
    assert complaints(browser) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", PHONES)
def test_the_phone_can_be_read_in_every_scene(served: Any, browser: Any, new_table: Any, scene: str, language: str) -> None:
    make, taps = PHONES[scene]
    table = make(new_table)
    table.set(notice=NO_CAMERA)
    table.health = lambda: {"camera": "none", "reader": "none", "journal": "ok", "box": "none"}
    phone(browser, f"{served(table)}/phone?lang={language}")
    browser.execute_script(taps)
    fits(browser)
    assert browser.execute_script("return document.querySelector('#tools').getBoundingClientRect().bottom") <= PHONE[1]
    # what was is there to be read, or not there at all: never a strip of it
    assert not browser.execute_script(f"return {STRIP}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_follower_reads_who_threw(served: Any, browser: Any, new_table: Any, language: str) -> None:
    table = played(new_table, LONE)
    table.set(notice=NO_CAMERA)
    phone(browser, f"{served(table)}/phone?follow=1&lang={language}")
    fits(browser)
    seen = browser.execute_script(
        "return Array.from(document.querySelectorAll('.history .name')).map((n) => n.scrollWidth <= n.clientWidth + 1 && n.clientWidth > 10)"
    )
    assert len(seen) == len(table.state()["history"]) and all(seen)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/setup", "/pair", "/keep", "/keep/1/results", "/keep/1/prizes", "/keep/1/vouchers", "/keep/1/certificate"])
def test_the_other_pages_can_be_read(served: Any, browser: Any, table: Any, path: str, language: str) -> None:
    ended(table)
    browser.get_log("browser")
    resize(browser, PHONE)
    table.health = lambda: {"camera": "none", "reader": "none", "journal": "ok", "box": "none"}
    browser.get(f"{offering(served, table, ())}{path}?lang={language}")
    wait(lambda: browser.execute_script("return document.readyState") == "complete")
    fits(browser)


def alpha(browser: Any) -> Any:
    """How opaque the page is, pixel by pixel, as a program that streams it takes it."""
    browser.execute_async_script(SETTLE)
    for _ in range(2):  # the first one brings the frame that the second one shows
        shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    picture = cv2.imdecode(np.frombuffer(base64.b64decode(shot["data"]), np.uint8), cv2.IMREAD_UNCHANGED)
    return picture[..., 3]


@pytest.mark.usefixtures("long_results")
@pytest.mark.parametrize("query", ["?obs=1", "?obs=1&theme=light"])
def test_for_streaming_every_scene_stays_transparent(show: Any, browser: Any, new_table: Any, query: str) -> None:
    browser.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}})
    try:
        for name in ("lobby", "play", "question", "ceremony"):
            board = show(SCENES[name](new_table), query, HALF)
            board.must_be_legible()
            assert transparent(browser, 0.1 if name == "ceremony" else 0.25), name
        table = played(new_table, LONE)
        board = show(table, query, HALF)
        for kind, word in (("yixiu", "一秀"), ("sihong", "状元"), ("liubohei", "六博黑"), ("jump", "跳猴")):
            table.throw(kind)
            wait(lambda word=word: board.text(".hand-word") == word)
            board.must_be_legible()
            assert transparent(browser, 0.25), kind
        table.throw("sihong", quiet=True)
        table._state["last"].update(kind="liubohong", text="六博红")
        table.store()
        wait(lambda: board.text(".hand-word") == "六博红")
        assert transparent(browser, 0.25), "liubohong"
    finally:
        browser.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", {})


def transparent(browser: Any, much: float) -> bool:
    """At least so much of the stage above the guests lets through what is behind, and so do its upper corners."""
    seen = alpha(browser)
    return bool((seen[: seen.shape[0] * 4 // 5] == 0).mean() > much and not seen[:9, :9].any() and not seen[:9, -9:].any())

"""axe finds no serious fault in any scene of the board and in any state of the phone, sheets and questions included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe import serious
from onlooker import PHONE, complaints, resize, wait
from scenes import FAMILY, LONE, NO_CAMERA, SCENES, TOLD, ended, played


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_of_the_board(show: Any, new_table: Any, scene: str, theme: str) -> None:
    table = SCENES[scene](new_table)
    table.set(**TOLD["much"])
    board = show(table, f"?theme={theme}", hosts=("192.168.1.20",))
    assert serious(board.browser) == []
    if scene == "prizes":
        board.js("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))")
        assert serious(board.browser) == []


@pytest.mark.usefixtures("long_results")
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_result(show: Any, new_table: Any, theme: str) -> None:
    table = played(new_table, LONE)
    board = show(table, f"?theme={theme}")
    for kind, word in (("none", "落空"), ("yixiu", "一秀"), ("sihong", "状元"), ("liubohei", "六博黑"), ("jump", "跳猴")):
        table.throw(kind)
        wait(lambda word=word: board.text(".hand-word") == word)
        assert serious(board.browser) == [], kind


def scrambled(new_table: Any) -> Any:
    table = ended(played(new_table, FAMILY))
    table.set(scramble={"duitang": 1, "yixiu": 4}, ended_by="grab")
    return table


def gifts(new_table: Any) -> Any:
    table = played(new_table, FAMILY)
    tiers = table.state()["tiers"]
    for tier in tiers:
        tier["prize"] = {"name": "", "value": 0, "gifts": ["茶叶", "雨伞", "保温杯"]}
    table.set(tiers=tiers)
    return table


# what a phone shows, what is tapped one after another to come there, and by whom
STATES: dict[str, tuple[Callable[[Any], Any], list[str], str]] = {
    "lobby": (SCENES["lobby"], [], ""),
    "begin": (SCENES["lobby"], ["#now .main"], ""),
    "two dice": (SCENES["lobby"], ["#now .wide"], ""),
    "play": (SCENES["few"], [], ""),
    "gift": (gifts, [], ""),
    "large": (SCENES["crowd"], [], ""),
    "past throw": (gifts, [".history button"], ""),
    "several dice": (SCENES["few"], [".history button", "dialog .line button"], ""),
    "was a jump": (SCENES["few"], [".history li:nth-child(2) button", "dialog .line button:last-child"], ""),
    "by hand": (SCENES["few"], ["#now .line button"], ""),
    "jump": (SCENES["few"], ["#now .line button:last-child"], ""),
    "more": (SCENES["few"], ["#tools button:last-child"], ""),
    "seats": (SCENES["few"], ["#tools button:last-child", "dialog .line button:last-child"], ""),
    "player": (SCENES["few"], [".standing"], ""),
    "question": (SCENES["question"], [], ""),
    "question, a die tapped": (SCENES["question"], [".picks .pick"], ""),
    "jump asked": (SCENES["jump"], [], ""),
    "rules": (SCENES["few"], ["#tab-rules"], ""),
    "odds": (SCENES["few"], ["#tab-odds"], ""),
    "scramble": (scrambled, [], ""),
    "who are you": (SCENES["crowd"], [], "&follow=1"),
    "mine": (SCENES["few"], ["#mine button"], "&follow=1"),
}


@pytest.mark.parametrize("state", STATES)
def test_every_state_of_the_phone(served: Any, browser: Any, new_table: Any, state: str) -> None:
    make, taps, query = STATES[state]
    table = make(new_table)
    table.set(notice=NO_CAMERA)
    table.health = lambda: {"camera": "none", "reader": "none", "journal": "ok", "box": "none"}
    browser.get_log("browser")
    resize(browser, PHONE)
    browser.get(f"{served(table)}/phone?lang=zh-CN{query}")
    wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")
    for selector in taps:
        assert browser.execute_script("const b = document.querySelector(arguments[0]); if (b) b.click(); return Boolean(b)", selector), selector
    assert serious(browser) == []
    assert complaints(browser) == []

"""Many people, and people with long names: on the TV with something to be told, and in the hand."""

from __future__ import annotations

from typing import Any

import pytest
from onlooker import AUDIT, PHONE, SETTLE, complaints, resize, wait
from scenes import TOLD, ended, played, prizes

TEAM = "厦门市思明区滨海第一小学"
"""Twelve characters, as a team at a company's party has."""
DIGITS = "〇一二三四五六七八九"


def names(count: int, long: bool = False) -> list[str]:
    """So many different names, of three characters or of twelve."""
    return [f"{TEAM[:-2] if long else '座'}{DIGITS[k // 10]}{DIGITS[k % 10]}" for k in range(count)]


def cut_short(board: Any) -> list[Any]:
    """Names that the strip of guests does not show whole."""
    cut = "return Array.from(document.querySelectorAll('.guest-name')).filter((n) => n.scrollHeight > n.clientHeight + 1 || n.scrollWidth > n.clientWidth + 1).map((n) => n.textContent)"
    return list(board.js(cut))


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("count", [21, 40])
def test_more_than_twenty_guests_and_a_line_to_be_told_have_room(show: Any, new_table: Any, count: int, told: str) -> None:
    table = played(new_table, names(count))
    table.set(**TOLD[told])
    board = show(table)
    texts = board.must_be_legible()
    assert set(names(count)) <= set(texts)
    table.throw("sijin")
    wait(lambda: board.text(".hand-word") == "四进")
    board.must_be_legible()
    table.ask()
    wait(lambda: board.text(".question-word") == "请确认")
    board.must_be_legible()
    ended(table)
    wait(lambda: board.text(".scroll-title"))
    assert set(names(count)) <= set(board.must_be_legible())


@pytest.mark.parametrize("told", ["nothing", "much"])
@pytest.mark.parametrize("count", [5, 20, 40])
def test_all_winners_of_all_prizes_fit_the_list(show: Any, new_table: Any, count: int, told: str) -> None:
    table = new_table(names(count)).play(*["yixiu"] * 32, *["erju"] * 16, *["sijin"] * 8, *["sanhong"] * 4, *["duitang"] * 2, "sihong")
    prizes(table)
    table.set(**TOLD[told])
    board = show(table)
    board.js("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))")
    shown = "".join(board.must_be_legible())
    winners = [player["name"] for player in table.state()["players"] if any(player["cakes"].values())]
    assert "礼单" in shown and [name for name in winners if name not in shown] == []


@pytest.mark.parametrize("count", [2, 6, 8, 9, 10, 12, 13, 20])
def test_a_name_of_twelve_characters_is_shown_whole(show: Any, new_table: Any, count: int) -> None:
    table = played(new_table, names(count, long=True))
    board = show(table)
    texts = board.must_be_legible()
    assert set(names(count, long=True)) <= set(texts) and cut_short(board) == []
    table.throw("chajinhua")
    wait(lambda: board.text(".hand-word") == "插金花")
    board.must_be_legible()
    board.browser.refresh()
    wait(lambda: board.js("return document.body.dataset.linked") == "yes")
    board.must_be_legible()
    ended(table)
    wait(lambda: board.text(".scroll-title"))
    assert set(names(count, long=True)) <= set(board.must_be_legible())


def test_forty_long_names_are_shown_as_far_as_they_go_and_the_list_at_the_end_has_them_whole(show: Any, new_table: Any) -> None:
    table = played(new_table, names(40, long=True))
    board = show(table)
    board.still_image()
    found = board.js(AUDIT)
    assert found["small"] == [] and found["clash"] == [] and found["covered"] == []
    assert set(found["cut"]) <= set(names(40, long=True))
    ended(table)
    wait(lambda: board.text(".scroll-title"))
    assert set(names(40, long=True)) <= set(board.must_be_legible())


def hand(browser: Any, address: str, query: str) -> Any:
    """A phone in somebody's hand; what it shows fits."""
    browser.get_log("browser")
    resize(browser, PHONE)
    browser.get(f"{address}/phone?{query}")
    wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")
    return browser.execute_script


def fits(browser: Any) -> None:
    browser.execute_async_script(SETTLE)
    found = browser.execute_script(AUDIT, True)
    assert {fault: found[fault] for fault in ("cut", "clash", "covered", "wide") if found[fault]} == {}
    assert complaints(browser) == []


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_one_of_forty_follows_along(served: Any, browser: Any, new_table: Any, language: str, long: bool) -> None:
    table = played(new_table, names(40, long))
    js = hand(browser, served(table), f"follow=1&lang={language}")
    fits(browser)
    mine = names(40, long)[29]
    js("Array.from(document.querySelectorAll('#mine button')).filter((b) => b.textContent === arguments[0])[0].click()", mine)
    wait(lambda: js("const n = document.querySelector('.mine-name'); return n && n.textContent") == mine)
    fits(browser)
    # two columns: everybody's cakes are little more than a page
    tall = js("return document.querySelector('#standings').getBoundingClientRect().height")
    assert tall < (1700 if long else 1200)


LAST = "const b = document.querySelector('.just'), r = b.getBoundingClientRect(); return r.top > 0 && r.bottom <= innerHeight"


@pytest.mark.parametrize("count", [7, 12, 40])
def test_in_a_large_party_the_last_throw_is_put_right_without_scrolling_in_two_taps(served: Any, browser: Any, new_table: Any, count: int) -> None:
    table = played(new_table, names(count))
    last = table.state()["last"]
    js = hand(browser, served(table), "lang=zh-CN")
    fits(browser)
    assert js(LAST) and js("return document.querySelector('.just').innerText").startswith(last["name"])
    js("document.querySelector('.just').click()")
    js("document.querySelector(`dialog [aria-label='1 → 4']`).click()")
    wait(lambda: table.commands and table.commands[-1]["command"] == "correct")
    assert table.commands[-1]["throw"] == last["number"] and table.commands[-1]["dice"] == [4, 2, 3, 4, 5, 6]


def test_where_the_throws_can_be_seen_anyway_the_last_one_is_not_told_twice(served: Any, browser: Any, new_table: Any) -> None:
    js = hand(browser, served(played(new_table, names(4))), "lang=zh-CN")
    assert js("return document.querySelectorAll('.just').length") == 0
    assert js("return document.querySelector('#history-how').textContent") == "点哪一掷，就改哪一掷"

"""Somebody who has never seen the page holds the phone: each way is short, and what is meant is where one looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import evening
import pytest
from onlooker import PHONE, TV, complaints, resize, wait
from scenes import FAMILY, ended, played

from device.prizes import prizes
from device.table import Table
from web_ui.keep import vouchers


@pytest.fixture
def party(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Real tables, a game begun with these names."""
    made: list[Table] = []

    def begin(*names: str, **more: Any) -> Table:
        made.append(evening.new_table(tmp_path / str(len(made))))
        evening.give(made[-1], "start", players=list(names), **more)
        return made[-1]

    yield begin
    for table in made:
        table.close()


class Finger:
    """A phone and the taps it gets."""

    def __init__(self, browser: Any, address: str, query: str = "lang=zh-CN") -> None:
        self.browser, self.js = browser, browser.execute_script
        browser.get_log("browser")
        resize(browser, PHONE)
        browser.get(f"{address}/phone?{query}")
        wait(lambda: self.js("return document.body.dataset.linked") == "yes")

    def tap(self, selector: str, says: str = "") -> None:
        """The first control there that can be seen and says so."""
        found = self.js(
            "const b = Array.from(document.querySelectorAll(arguments[0])).filter((b) => b.getClientRects().length && !b.disabled"
            " && (b.innerText.trim() === arguments[1] || !arguments[1]))[0]; if (b) b.click(); return Boolean(b);",
            selector,
            says,
        )
        assert found, (selector, says)


def test_whichever_elder_throws_the_two_dice_a_game_begins_in_two_taps(served: Any, browser: Any, party: Any) -> None:
    table = party("甲", "乙", "丙")
    evening.give(table, "end")
    finger = Finger(browser, served(table))
    finger.tap("#now .people button", "丙")
    finger.tap("dialog [data-pair='1+2']")
    wait(lambda: table.state()["phase"] == "throw")
    assert table.state()["first"] == "two dice 1+2 counted from player 3"
    assert complaints(browser) == []


def test_in_a_large_party_the_elder_of_the_game_before_is_marked_already(served: Any, browser: Any, party: Any) -> None:
    names = [f"客{k}" for k in range(12)]
    table = party(*names, first={"elder": "客7", "dice": [3, 4]})
    evening.give(table, "end")
    finger = Finger(browser, served(table))
    finger.tap("#now button", "长辈掷两颗定先手")
    finger.tap("dialog [data-pair='1+2']")
    wait(lambda: table.state()["phase"] == "throw")
    assert table.state()["first"] == "two dice 1+2 counted from player 8"


def test_the_keyboard_goes_straight_to_what_is_asked(served: Any, browser: Any, table: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    table.ask()
    finger = Finger(browser, served(table))
    keys = browser.find_element("css selector", "body")
    keys.send_keys(Keys.TAB)
    assert finger.js("return document.activeElement.innerText") == "直接到眼下要做的"
    assert finger.js("return document.activeElement.getBoundingClientRect().top") >= 0
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    browser.switch_to.active_element.send_keys(Keys.TAB)
    assert finger.js("return document.querySelector('#now').contains(document.activeElement) && document.activeElement.tagName") == "BUTTON"


def test_a_phone_held_across_shows_picture_and_answers_at_once(served: Any, browser: Any, table: Any) -> None:
    table.ask()
    finger = Finger(browser, served(table))
    resize(browser, (844, 390))
    seen = "return Array.from(document.querySelectorAll('.picture, .likely button')).map((b) => b.getBoundingClientRect()).filter((r) => r.top >= 0 && r.bottom <= innerHeight && r.width > 60).length"
    wait(lambda: finger.js(seen) == 3)


def test_a_sheet_says_first_what_it_is_about(served: Any, browser: Any, table: Any) -> None:
    finger = Finger(browser, served(table))
    for opener in (".standing", ".history button", "#tools button:last-child"):
        finger.tap(opener)
        assert finger.js("return document.activeElement.id") == "sheet-title", opener
        finger.js("document.querySelector('dialog').close()")


def test_who_reads_a_sheet_keeps_the_place_when_somebody_throws(served: Any, browser: Any, table: Any) -> None:
    finger = Finger(browser, served(table))
    finger.tap(".standing")
    finger.js("document.querySelector('#sheet-title').dataset.old = 'yes'")
    table.throw("yixiu")
    wait(lambda: finger.js("return !document.querySelector('#sheet-title').dataset.old"))
    assert finger.js("return document.activeElement.id") == "sheet-title"


def test_the_values_a_die_may_have_stand_in_rows_and_what_it_was_taken_for_is_marked(served: Any, browser: Any, table: Any) -> None:
    finger = Finger(browser, served(table))
    finger.tap(".history button")
    cells = finger.js(
        "return Array.from(document.querySelectorAll('.column button, .column .as-is')).map((c) => [c.textContent, Math.round(c.getBoundingClientRect().top), c.className])"
    )
    for value in "123456":
        assert len([c for c in cells if c[0] == value]) == 6 and len({c[1] for c in cells if c[0] == value}) == 1
    taken = finger.js("return Array.from(document.querySelectorAll('.as-is')).map((c) => Number(c.textContent))")
    assert taken == table.state()["last"]["dice"]
    named = finger.js("return document.querySelectorAll('.column')[2].getAttribute('aria-label')")
    assert named == f"第 3 颗，{taken[2]} 点"


def test_the_golden_list_has_a_column_for_each_tier(show: Any, new_table: Any) -> None:
    board = show(ended(played(new_table, FAMILY)), "", TV)
    wait(lambda: board.text(".scroll-title"))
    places = board.js(
        "return Array.from(document.querySelectorAll('.roll .token svg use')).map((u) => [u.getAttribute('href'), Math.round(u.closest('svg').getBoundingClientRect().left)])"
    )
    columns = {tier: {left for name, left in places if name == tier} for tier, _ in places}
    assert len(columns) >= 4 and all(len(lefts) == 1 for lefts in columns.values())
    assert len({min(lefts) for lefts in columns.values()}) == len(columns)
    assert board.js("return document.querySelectorAll('.is-champion .roll-place .cake').length") == 1


def test_a_gift_that_was_taken_long_ago_is_not_offered_again(served: Any, browser: Any, party: Any) -> None:
    table = party("甲", "乙", prizes={"sanhong": {"gifts": ["茶叶", "雨伞"]}})
    reds, nothing = [4, 4, 4, 1, 2, 3], [1, 2, 3, 3, 5, 6]
    evening.give(table, "throw", dice=reds)
    evening.give(table, "gift", throw=1, gift="雨伞")
    for _ in range(45):
        evening.give(table, "throw", dice=nothing)
    evening.give(table, "throw", dice=reds)
    assert all(thrown["gift"] is None for thrown in table.state()["history"])  # the one that took it is told no more
    finger = Finger(browser, served(table))
    assert finger.js("return Array.from(document.querySelectorAll('#now .people button')).map((b) => b.textContent)") == ["茶叶"]


def test_paper_says_which_prizes_are_still_to_be_chosen(party: Any) -> None:
    table = party("甲", "乙", prizes={"sanhong": {"gifts": ["茶叶", "雨伞"]}, "yixiu": {"name": "毛巾"}})
    for dice in ([4, 4, 4, 1, 2, 3], [4, 1, 2, 3, 3, 6], [4, 4, 4, 1, 2, 3]):
        evening.give(table, "throw", dice=dice)
    evening.give(table, "gift", throw=1, gift="雨伞")
    game, tiers = table.games()[0], {"sanhong": "三红", "yixiu": "一秀"}
    tiers = {**dict.fromkeys(("zhuangyuan", "duitang", "sijin", "erju"), ""), **tiers}
    assert prizes(game, tiers, "{name}（礼品自选）")["p1"] == [("雨伞", 1), ("三红（礼品自选）", 1)]
    assert [one["prize"] for one in vouchers(game, tiers, "{name}（礼品自选）")] == ["雨伞", "三红（礼品自选）", "毛巾"]

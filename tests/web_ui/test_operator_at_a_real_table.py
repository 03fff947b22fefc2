"""The operator's thumb and a real table: everything in at most two taps, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import evening
import pytest
from onlooker import PAGES, PHONE, complaints, end, picture, resize, wait
from played_desk import TwoDice

from device.table import Table
from web_ui.app import create_app
from web_ui.server import Server


class Hand:
    """A phone in a hand; every tap is counted."""

    def __init__(self, browser: Any, table: Table, query: str = "?lang=zh-CN", path: str = "/phone", desk: Any = None) -> None:
        self.browser, self.table, self.taps = browser, table, 0
        self.server = Server(create_app(table, desk=desk, places=PAGES), "127.0.0.1", 0)
        resize(browser, PHONE)
        browser.get_log("browser")
        browser.get(f"http://127.0.0.1:{self.server.port}{path}{query}")
        wait(lambda: self.js("return document.body.dataset.linked") == "yes")

    def js(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def tap(self, label: str, within: str = "body") -> None:
        """Tap the last control that says so: its first words, or its name for a screen reader."""
        found = self.js(
            "const all = Array.from(document.querySelectorAll(arguments[1] + ' button')).filter((b) => b.getClientRects().length"
            " && !b.disabled && ((b.firstChild && b.firstChild.textContent.trim() === arguments[0])"
            " || (b.getAttribute('aria-label') || '').split(',')[0] === arguments[0]));"
            "if (!all.length) return false; all.pop().click(); return true;",
            label,
            within,
        )
        assert found, f"nothing says {label}"
        self.taps += 1

    def came(self, what: Callable[[dict[str, Any]], bool], taps: int) -> None:
        """The table came to be so, in so many taps; the count begins anew."""
        wait(lambda: what(self.table.state()))
        assert self.taps <= taps
        self.taps = 0
        wait(lambda: self.js("return !document.body.classList.contains('is-busy')"))
        wait(lambda: not self.js("return document.querySelector('dialog') && document.querySelector('dialog').open"))

    def close(self) -> None:
        self.js("const d = document.querySelector('dialog'); if (d && d.open) d.close();")
        self.taps = 0


@pytest.fixture
def hold(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Hand]]:
    """Puts a phone into somebody's hand, at a real table that has been told the first lines of an evening."""
    opened: list[tuple[Table, Hand]] = []

    def put(name: str = "xiamen", told: int = 12, **more: Any) -> Hand:
        table = evening.new_table(tmp_path / str(len(opened)))
        for number, line in enumerate(list(evening.lines(name))[:told]):
            evening.tell(table, line, number)
        opened.append((table, Hand(browser, table, **more)))
        return opened[-1][1]

    yield put
    browser.get("about:blank")
    for table, hand in opened:
        table.close()
        end(hand.server)


def player(state: dict[str, Any], name: str) -> dict[str, Any]:
    return next(p for p in state["players"] if p["name"] == name)


def test_everything_is_two_taps_away(hold: Any) -> None:
    hand = hold()
    table = hand.table
    throws, turn = table.state()["throws"], table.state()["turn"]["name"]
    picture(hand.browser, "phone-01-operator")
    hand.tap("过")
    hand.came(lambda s: s["turn"]["name"] != turn, 1)
    hand.tap("撤销")
    hand.came(lambda s: s["turn"]["name"] == turn, 1)
    hand.tap("恢复")
    hand.came(lambda s: s["turn"]["name"] != turn, 1)
    hand.tap("撤销")
    hand.came(lambda s: s["turn"]["name"] == turn, 1)
    hand.tap("跳猴")
    hand.tap("是跳猴")
    hand.came(lambda s: s["last"]["jump"], 2)
    hand.tap("撤销")
    hand.came(lambda s: s["throws"] == throws, 1)
    hand.tap("阿公")
    picture(hand.browser, "phone-02-player")
    hand.tap("旁观")
    hand.came(lambda s: player(s, "阿公")["status"] == "sitting_out", 2)
    hand.tap("阿公")
    hand.tap("回来")
    hand.came(lambda s: player(s, "阿公")["status"] == "playing", 2)
    hand.tap("春娇")
    hand.tap("停一轮")
    hand.came(lambda s: player(s, "春娇")["skip"], 2)
    hand.tap("更多")
    picture(hand.browser, "phone-03-more")
    hand.tap("暂停")
    hand.came(lambda s: s["phase"] == "paused", 2)
    hand.tap("继续")
    hand.came(lambda s: s["phase"] != "paused", 1)
    hand.tap("更多")
    hand.tap("静音")
    wait(lambda: table.state()["tv"]["mute"])
    hand.close()
    hand.tap("更多")
    hand.tap("机会", "dialog")
    wait(lambda: table.state()["tv"]["scene"] == "odds")
    assert hand.taps == 2
    hand.close()
    hand.tap("更多")
    hand.tap("散席")
    hand.came(lambda s: s["over"], 2)
    hand.tap("撤销")
    hand.came(lambda s: not s["over"], 1)
    assert complaints(hand.browser) == []


def test_a_fresh_pair_of_eyes_corrects_a_die_undoes_two_throws_and_moves_one(hold: Any) -> None:
    hand = hold()
    table = hand.table
    number = table.state()["last"]["number"]
    hand.js("document.querySelectorAll('.history button')[0].click()")
    hand.taps = 1
    wrong = table.state()["last"]["dice"][0]
    picture(hand.browser, "phone-04-correct")
    hand.tap(f"{wrong} → 3")
    hand.came(lambda s: bool(s["last"]["corrected"]) and s["last"]["dice"][0] == 3, 2)
    wait(lambda: hand.js("return document.querySelector('#tools small').textContent").startswith(f"更正第 {number} 掷"))
    wait(lambda: not hand.js("return document.querySelector('dialog').open"))
    throws = table.state()["throws"]
    hand.tap("撤销")  # the correction
    wait(lambda: not table.state()["last"]["corrected"])
    for _ in range(2):
        version = table.state()["version"]
        wait(
            lambda version=version: hand.js(
                "return !document.querySelector('#tools button').disabled && !document.querySelector('[aria-busy]')"
            )
        )
        hand.tap("撤销")
        wait(lambda version=version: table.state()["version"] > version)
    assert table.state()["throws"] == throws - 2
    last = table.state()["last"]
    other = next(p["name"] for p in table.state()["players"] if p["id"] != last["player"])
    wait(lambda: hand.js("return document.querySelector('.history .number').textContent") == str(last["number"]))
    hand.taps = 0
    hand.js("document.querySelectorAll('.history button')[0].click()")
    hand.taps += 1
    hand.tap(other, "dialog .people")
    hand.came(lambda s: s["last"]["name"] == other, 2)


def test_players_join_change_names_and_are_dragged_to_other_seats(hold: Any) -> None:
    hand = hold()
    table = hand.table
    hand.tap("更多")
    hand.tap("座次")
    picture(hand.browser, "phone-05-seats")
    hand.js("const i = document.querySelector('#add'); i.value = '小宝';")
    hand.tap("入座")
    wait(lambda: table.state()["players"][-1]["name"] == "小宝")
    shown = "return Array.from(document.querySelectorAll('.order-item')).map((i) => i.innerText)"

    def page_shows(place: int) -> bool:
        rows = hand.js(shown)
        return len(rows) == 6 and "小宝" in rows[place] and not hand.js("return document.body.classList.contains('is-busy')")

    wait(lambda: page_shows(-1))
    hand.tap("小宝往前")
    wait(lambda: table.state()["players"][-2]["name"] == "小宝")
    first = table.state()["players"][0]["name"]
    wait(lambda: page_shows(-2))
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.common.action_chains import ActionChains

    def dragged() -> bool:
        """The page may draw the list anew just as the finger comes down: then it is tried again, as a person would."""
        if table.state()["players"][0]["name"] == first:
            try:
                items = hand.browser.find_elements("css selector", ".order-item .handle")
                ActionChains(hand.browser).click_and_hold(items[0]).move_by_offset(0, 70).move_by_offset(0, 70).release().perform()
            except StaleElementReferenceException:
                ActionChains(hand.browser).reset_actions()
        return bool(table.state()["players"][2]["name"] == first)

    wait(dragged)
    hand.close()
    hand.tap("志明")
    hand.js("document.querySelector('#rename').value = '志明哥'")
    hand.tap("改名")
    hand.came(lambda s: any(p["name"] == "志明哥" for p in s["players"]), 2)


def test_the_scramble_is_written_down_tap_by_tap(hold: Any) -> None:
    hand = hold("lights_out", 5)
    assert hand.js("return document.querySelector('.now .ask-line').textContent") == "灯亮了！谁抢到什么？"
    picture(hand.browser, "phone-06-scramble")
    hand.tap("丙", ".scramble")
    hand.came(lambda s: s["champion"] is not None and s["champion"]["name"] == "丙", 1)
    wait(lambda: "对堂 2 个" in hand.js("return document.querySelector('.scramble').innerText"))
    hand.tap("对堂 2 个")
    hand.tap("甲", ".scramble")
    hand.came(lambda s: player(s, "甲")["cakes"]["duitang"] == 1, 2)


def test_the_winner_chooses_among_the_named_gifts(hold: Any) -> None:
    hand = hold(told=7)
    assert "小美挑哪一样？" in hand.js("return document.querySelector('.now').innerText")
    hand.tap("保温杯")
    hand.came(lambda s: s["last"]["gift"] == "保温杯", 1)
    wait(lambda: "挑哪一样" not in hand.js("return document.querySelector('.now').innerText"))


NAMES = "const n = document.querySelector('#names'); n.value = '甲\\n乙\\n丙'; n.dispatchEvent(new Event('input'))"


def by_two_dice(hold: Any) -> tuple[TwoDice, Any]:
    """The sheet for the start by two dice is open, with three names, and the camera has been asked."""
    desk = TwoDice()
    hand = hold(told=0, desk=desk)
    for part in ("camera", "reader"):
        hand.table.report(part, "ok")
    hand.tap("长辈掷两颗定先手")
    hand.js(NAMES)
    wait(lambda: desk.asked == [{"do": "two"}])
    return desk, hand


def test_two_dice_that_the_camera_reads_begin_a_game_in_two_taps(hold: Any) -> None:
    desk, hand = by_two_dice(hold)
    desk.fall(2, 3)
    wait(lambda: "2 + 3 = 5" in hand.js("return document.querySelector('.two-said').textContent"))
    picture(hand.browser, "phone-13-two-dice")
    hand.tap("乙", "dialog .people")
    hand.came(lambda s: bool(s["turn"]) and s["turn"]["name"] == "丙", 2)  # from 乙, five: 乙 丙 甲 乙 丙
    assert "2+3" in hand.table.state()["first"]


def test_dice_that_are_not_read_for_certain_are_tapped(hold: Any) -> None:
    desk, hand = by_two_dice(hold)
    desk.fall(2, 3, well=False)
    wait(lambda: hand.js("return document.querySelector('.two-said').textContent") == "这两颗没看清，请点一下是哪两颗")
    hand.tap("2 + 6")
    hand.came(lambda s: bool(s["turn"]) and s["turn"]["name"] == "乙", 2)  # from 甲, eight


def test_a_sheet_that_is_closed_lets_the_camera_go(hold: Any) -> None:
    desk = TwoDice()
    hand = hold(told=0, desk=desk)
    for part in ("camera", "reader"):
        hand.table.report(part, "ok")
    hand.tap("长辈掷两颗定先手")
    wait(lambda: desk.asked == [{"do": "two"}])
    hand.tap("取消")
    wait(lambda: desk.asked == [{"do": "two"}, {"do": "cancel"}])


def test_without_a_camera_the_pair_is_one_tap(hold: Any) -> None:
    hand = hold(told=0)
    hand.tap("长辈掷两颗定先手")
    hand.js(NAMES)
    hand.tap("开局", "dialog")  # nobody is taken for the first before the dice are known
    assert hand.js("return document.querySelector('dialog .fault').textContent") == "掷出哪两颗？点一下"
    hand.taps = 1
    hand.tap("1 + 2")
    hand.came(lambda s: bool(s["turn"]) and s["turn"]["name"] == "丙", 2)
    assert complaints(hand.browser) == []


def test_another_game_says_what_it_ends_and_ends_it(hold: Any) -> None:
    hand = hold()
    left = sum(tier["left"] for tier in hand.table.state()["tiers"])
    hand.tap("更多")
    hand.tap("再开一局")
    told = hand.js("return document.querySelector('dialog .warning').textContent")
    assert f"桌上还有 {left} 个饼" in told
    hand.js("document.querySelector('#names').value = ''")
    hand.tap("散席，另开一局", "dialog")
    assert hand.js("return document.querySelector('dialog .fault').textContent") == "请先写下至少一位的名字"
    assert not hand.table.state()["over"] and hand.table.state()["throws"] > 0
    hand.js(NAMES)
    hand.taps = 2
    hand.tap("散席，另开一局", "dialog")
    hand.came(lambda s: s["throws"] == 0 and [p["name"] for p in s["players"]] == ["甲", "乙", "丙"], 3)
    assert [len(game["players"]) for game in hand.table.games()] == [5, 3]
    assert complaints(hand.browser) == []


def test_two_operators_at_once_never_corrupt_anything(hold: Any) -> None:
    hand = hold()
    table = hand.table
    hand.js(
        "window.fetch = ((real) => (url, how) => how && how.method === 'POST' ? (window.later = () => real(url, how), new Promise((done) => { window.go = () => real(url, how).then(done); })) : real(url, how))(window.fetch)"
    )
    hand.tap("过")
    wait(lambda: hand.js("return Boolean(window.go)"))
    before = table.state()
    evening.give(table, "skip")  # the other one was quicker
    after = table.state()
    hand.js("window.go()")
    wait(
        lambda: (
            hand.js("return document.querySelector('#toast').textContent") == "别人先点了一步，这是现在的样子，请再看一眼"
        )
    )
    assert table.state()["version"] == after["version"] == before["version"] + 1
    assert after["turn"]["name"] in hand.js("return document.querySelector('#top-line').textContent")
    # the refusal (409) is what the browser tells its own log, nothing else
    assert all("409" in line["message"] for line in complaints(hand.browser))


def test_a_follower_sees_only_what_is_to_follow(hold: Any) -> None:
    hand = hold(query="?follow=1&lang=zh-CN")
    assert hand.js("return document.querySelector('#tools').hidden")
    hand.tap("小美")
    wait(lambda: hand.js("return document.querySelector('.mine-name').textContent") == "小美")
    text = hand.js("return document.querySelector('#mine').innerText")
    assert "三红 1 个" in text
    picture(hand.browser, "phone-07-follower")
    for name, words in (("规则", "作废，掷的人停一轮"), ("机会", "今晚的骰子公道吗")):
        hand.tap(name)
        wait(lambda words=words: words in hand.js("return document.querySelector('main').innerText"))
        picture(hand.browser, f"phone-08-{'rules' if name == '规则' else 'odds'}")
    assert complaints(hand.browser) == []


def test_a_tab_and_a_sheet_are_reached_with_the_keyboard(hold: Any) -> None:
    hand = hold()
    from selenium.webdriver.common.keys import Keys

    hand.js("document.querySelector('#tab-table').focus()")
    hand.browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert hand.js("return document.activeElement.id") == "tab-rules"
    hand.js("Array.from(document.querySelectorAll('#tools button')).pop().focus()")
    hand.browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait(lambda: hand.js("return document.querySelector('dialog').open"))
    assert hand.js("return document.querySelector('dialog').contains(document.activeElement)")
    hand.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    wait(lambda: not hand.js("return document.querySelector('dialog').open"))
    assert hand.js("return document.activeElement.textContent") == "更多"


def test_all_throws_of_a_long_game_can_be_put_right(hold: Any) -> None:
    hand = hold(told=70)
    throws = hand.table.state()["throws"]
    assert throws > 40
    hand.tap("更早的")
    wait(lambda: hand.js("return document.querySelectorAll('.history button').length") == throws)
    hand.js("Array.from(document.querySelectorAll('.history button')).pop().click()")
    assert hand.js("return document.querySelector('dialog h2').textContent").startswith("更正第 1 掷")

"""The operator's phone in a real browser at 390 x 844: what one thumb can put right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from onlooker import PHONE, complaints, resize, wait

# every control that can be pressed is large enough for a thumb, and nothing runs off the side
AUDIT = """
const small = [], off = [];
document.querySelectorAll('button, select, textarea, input, a.way').forEach((b) => {
  const r = b.getBoundingClientRect();
  if (!r.width || !r.height) return;
  if (r.height < 44 || r.width < 44) small.push((b.innerText || b.getAttribute('aria-label')) + ' ' + r.width + 'x' + r.height);
  if (r.left < 0 || r.right > innerWidth + 0.5) off.push(b.innerText || b.getAttribute('aria-label'));
  if (!b.innerText.trim() && !b.getAttribute('aria-label') && b.tagName === 'BUTTON') off.push('a button without a name');
});
return {small: small, off: off, wide: document.documentElement.scrollWidth > innerWidth};
"""


class Phone:
    """The page under a thumb."""

    def __init__(self, browser: Any, table: Any, address: str, language: str) -> None:
        self.browser, self.table = browser, table
        browser.get_log("browser")
        resize(browser, PHONE)
        browser.get(f"{address}/phone?lang={language}")
        wait(lambda: self.js("return document.body.dataset.linked") == "yes")

    def js(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def find(self, label: str, then: str) -> Any:
        """Do something with the last button that says so (its first line, or its name for a screen reader), in one go: the page
        may redraw at any moment."""
        return self.js(
            "const b = Array.from(document.querySelectorAll('button')).filter((b) => b.getClientRects().length && "
            "(b.innerText.trim().split('\\n')[0] === arguments[0] || b.getAttribute('aria-label') === arguments[0])).pop();"
            "if (!b) throw new Error('no button says ' + arguments[0]);" + then,
            label,
        )

    def tap(self, label: str) -> None:
        self.find(label, "b.click()")

    def is_disabled(self, label: str) -> bool:
        return bool(self.find(label, "return b.disabled"))

    def text(self, selector: str) -> str:
        return str(
            self.js(
                "const e = document.querySelector(arguments[0]); return e && !e.hidden ? e.innerText : ''", selector
            )
        )

    def asked(self, **command: Any) -> None:
        """The table got exactly this command."""
        wait(
            lambda: (
                self.table.commands and {k: v for k, v in self.table.commands[-1].items() if k != "version"} == command
            )
        )

    def must_fit_a_thumb(self) -> None:
        assert self.js(AUDIT) == {"small": [], "off": [], "wide": False}
        assert complaints(self.browser) == []


@pytest.fixture
def hold(browser: Any, served: Any) -> Callable[..., Phone]:
    """Opens the phone's page for a table."""
    return lambda table, language="zh-CN": Phone(browser, table, served(table), language)


def test_one_tap_answers_which_of_two_values_it_is(hold: Any, table: Any) -> None:
    table.ask()
    phone = hold(table)
    assert phone.text(".ask-line") == "看不清最右边那颗：是 4 还是 6？"
    phone.must_fit_a_thumb()
    phone.tap("6 点")
    phone.asked(command="confirm", dice=[5, 6, 5, 2, 3, 6])


def test_a_wrong_die_is_tapped_and_put_right(hold: Any, table: Any) -> None:
    table.ask()
    phone = hold(table)
    phone.js("document.querySelectorAll('.picks .pick')[4].click()")
    order = phone.js(
        "return Array.from(document.querySelectorAll('.pad .pick')).map((b) => b.getAttribute('aria-label'))"
    )
    assert order == ["3 点", "5 点", "1 点", "2 点", "4 点", "6 点"]
    phone.must_fit_a_thumb()
    phone.js("document.querySelectorAll('.pad .pick')[1].click()")
    phone.js("document.querySelector('.likely button').click()")
    phone.asked(command="confirm", dice=[5, 6, 5, 2, 5, 4])


def test_a_jump_and_a_rethrow_are_one_tap(hold: Any, table: Any) -> None:
    table.ask()
    phone = hold(table)
    phone.tap("重掷")
    phone.asked(command="rethrow")
    wait(lambda: phone.text("#top-word") == "请取出骰子")
    table.ask(id=9, verdict="jump", values=[], dice=[], zh="一颗在碗外：是跳猴吗？")
    wait(lambda: phone.text(".ask-line") == "一颗在碗外：是跳猴吗？")
    assert phone.text(".now .main").split("\n") == ["跳猴", f"这一掷作废，{table.state()['turn']['name']}下一轮停掷"]
    phone.tap("跳猴")
    phone.asked(command="jump")


@pytest.mark.parametrize(("rule", "cost"), [("void", "这一掷作废"), ("rethrow", "这一掷作废，重掷一次")])
def test_a_jump_costs_what_the_rules_of_the_table_say(hold: Any, table: Any, rule: str, cost: str) -> None:
    table.ask(verdict="jump", values=[], dice=[])
    table._state["rules"]["switches"]["jump"] = rule
    phone = hold(table)
    assert phone.text(".now .main small") == cost


def seen(table: Any, count: int) -> Any:
    """The first dice of the usual question."""
    table.ask()
    return table.state()["question"]["dice"][:count]


def test_the_missing_die_is_one_tap(hold: Any, table: Any) -> None:
    table.ask(id=9, verdict="incomplete", dice=seen(table, 5), values=[2, 3, 5, 5, 6], zh="只看见 5 颗")
    phone = hold(table)
    assert phone.js(
        "return [document.querySelectorAll('.picks .pick').length, document.querySelectorAll('.blank').length]"
    ) == [5, 1]
    buttons = phone.js("return Array.from(document.querySelectorAll('.now button:not(.pick)')).map((b) => b.innerText)")
    assert buttons == [f"跳猴\n这一掷作废，{table.state()['turn']['name']}下一轮停掷", "重掷", "手动记一掷"]
    assert phone.js("return document.querySelector('.now .main')") is None
    phone.must_fit_a_thumb()
    phone.js("document.querySelectorAll('.pad .pick')[3].click()")
    phone.asked(command="confirm", dice=[5, 6, 5, 2, 3, 4])


def test_several_missing_dice_are_tapped_one_by_one(hold: Any, table: Any) -> None:
    table.ask(id=9, verdict="incomplete", dice=seen(table, 4), values=[2, 5, 5, 6], zh="只看见 4 颗")
    phone = hold(table)
    assert phone.text(".now .label") == "还少 2 颗，依次点它们的点数"
    phone.js("document.querySelectorAll('.pad .pick')[0].click()")
    assert table.commands == []
    phone.js("document.querySelectorAll('.picks .pick')[0].click()")  # one that was seen may be put right on the way
    phone.js("document.querySelectorAll('.pad .pick')[1].click()")
    phone.js("document.querySelectorAll('.pad .pick')[5].click()")
    phone.asked(command="confirm", dice=[3, 6, 5, 2, 1, 6])


def test_a_jump_outside_a_question_is_asked_once_in_the_words_of_what_it_costs(hold: Any, table: Any) -> None:
    phone = hold(table)
    phone.tap("跳猴")
    assert f"这一掷作废，{table.state()['turn']['name']}下一轮停掷" in phone.text("dialog")
    phone.tap("不是")
    assert table.commands == []
    phone.tap("跳猴")
    phone.tap("是跳猴")
    phone.asked(command="jump")


def test_the_pressed_button_says_that_it_is_being_recorded(hold: Any, table: Any) -> None:
    table.ask()
    phone = hold(table)
    phone.js("window.fetch = () => new Promise((done) => { window.arrive = done; })")
    phone.tap("重掷")
    assert phone.text("button[aria-busy]") == "记录中…"
    phone.js('window.arrive(new Response(\'{"error": "no"}\', {status: 400}))')
    wait(lambda: phone.js("return !document.querySelector('[aria-busy]')"))
    phone.tap("重掷")


def test_six_taps_record_a_throw_by_hand(hold: Any, table: Any) -> None:
    phone = hold(table)
    phone.tap("手动记一掷")
    assert phone.is_disabled("记下")
    for value in (4, 4, 4, 1, 2, 6):
        phone.js("document.querySelectorAll('dialog .pad .pick')[arguments[0] - 1].click()", value)
    phone.must_fit_a_thumb()
    phone.tap("记下")
    phone.asked(command="throw", dice=[4, 4, 4, 1, 2, 6])
    wait(lambda: not phone.js("return document.querySelector('dialog').open"))


def test_any_past_throw_can_be_put_right(hold: Any, table: Any) -> None:
    thrown = table.state()["history"][1]
    phone = hold(table)
    phone.js("document.querySelectorAll('.history button')[1].click()")
    assert phone.text("dialog h2") == f"更正第 {thrown['number']} 掷 · {thrown['name']}"
    phone.must_fit_a_thumb()
    other = 2 if thrown["dice"][0] == 1 else 1
    phone.js("document.querySelector('.column').querySelector(`[aria-label='${arguments[0]}']`).click()", f"{thrown['dice'][0]} → {other}")
    phone.asked(command="correct", throw=thrown["number"], dice=[other, *thrown["dice"][1:]])


def test_several_wrong_dice_of_a_past_throw_are_put_right_together(hold: Any, table: Any) -> None:
    thrown = table.state()["history"][1]
    phone = hold(table)
    phone.js("document.querySelectorAll('.history button')[1].click()")
    phone.tap("几颗都不对")
    phone.must_fit_a_thumb()
    assert phone.is_disabled("改成这样")
    phone.js("document.querySelectorAll('dialog .picks .pick')[0].click()")
    phone.js("document.querySelectorAll('dialog .pad .pick')[5].click()")
    assert phone.text(".changes") == f"改动：{thrown['dice'][0]} → 6"
    assert phone.js("return document.querySelectorAll('.is-changed').length") == 1
    phone.tap("还原")
    assert phone.is_disabled("改成这样")
    phone.js("document.querySelectorAll('dialog .picks .pick')[0].click()")
    phone.js("document.querySelectorAll('dialog .pad .pick')[5].click()")
    phone.tap("改成这样")
    phone.asked(command="correct", throw=thrown["number"], dice=[6, *thrown["dice"][1:]])


def test_a_throw_can_be_given_to_whom_it_belongs_or_called_a_jump(hold: Any, table: Any) -> None:
    thrown = table.state()["history"][0]
    phone = hold(table)
    phone.js("document.querySelectorAll('.history button')[0].click()")
    phone.tap("丁")
    phone.asked(command="correct", throw=thrown["number"], player="p4")
    wait(lambda: not phone.js("return document.querySelector('dialog').open"))
    phone.js("document.querySelectorAll('.history button')[0].click()")
    phone.tap("其实是跳猴")
    assert f"第 {thrown['number']} 掷作废" in phone.text("dialog") and "要退回：三红 1 个" in phone.text("dialog")
    phone.tap("是跳猴")
    phone.asked(command="correct", throw=thrown["number"], jump=True)


def test_a_game_begins_from_a_pasted_list(hold: Any, new_table: Any) -> None:
    table = new_table([])
    phone = hold(table)
    phone.must_fit_a_thumb()
    phone.tap("开局")
    phone.tap("开局")
    assert phone.text(".fault") == "请先写下至少一位的名字"
    phone.js("document.querySelector('#names').value = ' 甲\\n乙、甲 '")
    phone.tap("开局")
    assert phone.text(".fault") == "名字不能相同：甲"
    phone.js(
        "document.querySelector('#names').value = '甲\\n乙，丙\\n'; document.querySelector('#rules').value = 'chase'"
    )
    phone.must_fit_a_thumb()
    phone.tap("开局")
    phone.asked(command="start", players=["甲", "乙", "丙"], rules="chase", first=None)
    wait(lambda: phone.text("#top-word") == "请掷")


def test_the_end_is_two_taps_and_says_what_is_lost(hold: Any, table: Any) -> None:
    left = sum(tier["left"] for tier in table.state()["tiers"])
    phone = hold(table)
    phone.tap("更多")
    assert f"桌上还有 {left} 个饼" in phone.find("散席", "return b.innerText")
    phone.tap("散席")
    phone.asked(command="end")
    wait(lambda: phone.text("#top-word") == "散席")


def test_undo_says_what_it_undoes_and_lies_under_the_thumb_with_redo_and_pass(hold: Any, table: Any) -> None:
    table.set(undoes={"zh": "乙二举这一掷", "en": "the throw of 乙, 二举"})
    phone = hold(table)
    assert phone.find("撤销", "return b.innerText") == "撤销\n乙二举这一掷"
    for label, command in (("撤销", "undo"), ("过", "skip")):
        phone.tap(label)
        phone.asked(command=command)
        wait(lambda: phone.js("return !document.body.classList.contains('is-busy')"))
    assert phone.is_disabled("恢复")
    phone.tap("更多")
    phone.must_fit_a_thumb()
    phone.tap("暂停")
    phone.asked(command="pause")


def test_a_tap_that_came_too_late_is_told_kindly_and_shows_the_new_state(hold: Any, table: Any) -> None:
    phone = hold(table)
    table._state["version"] += 1  # somebody else was first, and this page has not heard of it
    table._state["phase"] = "paused"
    phone.tap("撤销")
    wait(lambda: phone.text("#toast") == "别人先点了一步，这是现在的样子，请再看一眼")
    assert phone.text("#top-word") == "暂停"
    assert table.commands == []


def test_the_phone_speaks_its_owners_language(hold: Any, table: Any) -> None:
    table.ask()
    phone = hold(table, "en")
    assert phone.text(".ask-line") == "The rightmost die is not clear: is it a 4 or a 6?"
    assert phone.text(".history .hand") == "三红 · three reds"
    phone.must_fit_a_thumb()


@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_the_header_stays_on_one_line(hold: Any, new_table: Any, language: str) -> None:
    table = new_table(["Alexandra Konstantin", "乙"])
    table.set(
        demo=True, notice={"key": "camera_lost", "zh": "摄像头没有画面，先手动记", "en": "no picture: go on by hand"}
    )
    phone = hold(table, language)
    table.phase("clear")
    word = {"zh-CN": "请取出骰子", "en": "Take out the dice"}[language]
    wait(lambda: phone.text("#top-word") == word and phone.text("#top-notice"))
    lines = phone.js(
        "return ['#top-word', '#top-line'].map((s) => { const e = document.querySelector(s);"
        " return e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).fontSize); })"
    )
    assert max(lines) < 2
    assert phone.js("return document.querySelector('#top-line').getBoundingClientRect().right") <= 390


def test_the_demo_says_that_it_answers_by_itself(hold: Any, table: Any) -> None:
    table.set(demo=True)
    table.ask()
    phone = hold(table)
    assert phone.text(".now .hint") == "演示会自己回答，等几秒就好"
    phone.must_fit_a_thumb()


def test_a_new_throw_arrives_by_itself(hold: Any, table: Any) -> None:
    phone = hold(table)
    number = table.state()["throws"]
    table.throw("duitang")
    wait(lambda: phone.text(".history .number") == str(number + 1))
    assert phone.text(".history .hand") == "对堂"


def test_from_the_demo_a_real_game_is_one_tap_away(hold: Any, table: Any) -> None:
    table.set(demo=True)
    phone = hold(table)
    assert phone.text(".ask-line") == "演示中：这里的操作不会留下"
    phone.tap("开真的一局")
    phone.js("document.querySelector('#names').value = '甲\\n乙'")
    phone.tap("开局")
    phone.asked(command="start", players=["甲", "乙"], rules="xiamen", first=None)
    wait(lambda: phone.text(".ask-line") == "等 甲 掷骰")


def test_dice_that_were_moved_after_the_result_are_asked_about(hold: Any, table: Any) -> None:
    table.ask(verdict="sure", about=12, zh="骰子被碰过，现在不同了：要改吗？")
    phone = hold(table)
    assert phone.text(".ask-line") == "骰子被碰过，现在不同了：要改吗？"
    phone.must_fit_a_thumb()
    phone.tap("不改，照原来的")
    phone.asked(command="rethrow")


def test_leaning_dice_offer_to_throw_again_first(hold: Any, table: Any) -> None:
    table.ask(verdict="cocked", zh="有骰子斜靠或叠着：重掷？")
    phone = hold(table)
    assert phone.js("return document.querySelector('.now .main').innerText") == "重掷"
    phone.tap("重掷")
    phone.asked(command="rethrow")

"""Every scene of whole evenings, from what `watch` recorded: what a person reads on the TV, and that all of it can be read.

With BOBING_SCENES set to a folder (`make scenes`) each scene is kept there as a picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import evening
import pytest
from onlooker import Board, picture, wait

from device.table import Table

LAN = ("192.168.1.20",)

@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Opens real tables."""
    opened: list[Table] = []

    def make(rules: str = "xiamen") -> Table:
        opened.append(evening.new_table(tmp_path / str(len(opened)), rules))
        return opened[-1]

    yield make
    for table in opened:
        table.close()


class Evening:
    """A recorded evening, told line by line while somebody looks at the board."""

    def __init__(self, show: Callable[..., Board], table: Table, name: str, *, query: str = "") -> None:
        self.table, self.told = table, 0
        self.lines = list(evening.lines(name))
        self.board = show(table, query, hosts=LAN)

    def until(self, what: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Tell lines until the state is such; returns it."""
        while self.told < len(self.lines):
            state = evening.tell(self.table, self.lines[self.told], self.told)
            self.told += 1
            if what(state):
                return state
        raise AssertionError("the evening never came to it")

    def reads(self, name: str, *texts: str, hand: str = "") -> list[str]:
        """The board comes to say all of these, legibly, the hand largest where one is named; the scene is kept as a picture."""
        board = self.board
        wait(lambda: not hand or board.text(".hand-word") == hand)
        wait(lambda: all(text in board.js("return document.body.innerText") for text in texts))
        # pictures that are on their way are part of what is looked at
        wait(lambda: board.js("return Array.from(document.images).every((i) => i.complete)"))
        seen = board.must_be_legible()
        picture(board.browser, name)
        return seen

    def board_again(self) -> None:
        """Results are skipped, as a person would wait for them to pass."""
        self.board.browser.refresh()
        wait(lambda: self.board.js("return document.body.dataset.linked") == "yes")


def last(state: dict[str, Any], **is_: Any) -> bool:
    return bool(state["last"]) and all(state["last"][key] == value for key, value in is_.items())


def test_the_lobby_shows_the_code_to_follow_along(show: Any, tables: Any) -> None:
    board = show(tables(), hosts=LAN)
    wait(lambda: board.js("return document.querySelector('.invitation .qr').naturalWidth") > 0)
    texts = board.must_be_legible()
    assert {"请开局", "扫码跟看"} <= set(texts)
    assert any("192.168.1.20" in text for text in texts)
    picture(board.browser, "tv-01-waiting")


@pytest.mark.usefixtures("long_results")
def test_an_evening_by_the_rules_of_xiamen(show: Any, tables: Any) -> None:
    night = Evening(show, tables(), "xiamen")
    night.until(lambda s: s["phase"] == "throw")
    texts = night.reads("tv-02-first-throw", "请掷", "跳猴作废、停一轮", "饼博完就散席")
    assert night.table.state()["first"].startswith("two dice")
    night.table.tell(None)
    night.until(lambda s: last(s, kind="yixiu"))
    night.reads("tv-04-result-yixiu", hand="一秀")
    state = night.until(lambda s: s["phase"] == "question")
    texts = night.reads("tv-03-question", "请确认", "看不清一颗：是 4 还是 6？", "还是")
    assert {"4", "6"} <= set(texts) and state["question"]["still"]
    night.until(lambda s: last(s, kind="sanhong"))
    night.reads("tv-05-result-sanhong", "探花", hand="三红")
    night.until(lambda s: last(s, jump=True))
    night.reads("tv-06-jump", "此掷作废", hand="跳猴")
    state = night.until(lambda s: last(s, champion="new"))
    night.reads("tv-07-new-champion", "带5", "新科状元", hand="状元")
    night.until(lambda s: last(s, kind="duitang"))
    night.reads("tv-08-result-duitang", hand="对堂")
    before = state["champion"]["name"]
    state = night.until(lambda s: last(s, champion="new"))
    texts = night.reads("tv-09-champion-passes", "带7", before, state["champion"]["name"], hand="状元")
    state = night.until(lambda s: last(s, champion="lugu"))
    night.reads("tv-10-lugu", state["champion"]["name"], state["last"]["name"], hand="禄骨")
    assert night.board.js("return document.querySelectorAll('.passing .passing-cake').length") == 1
    night.until(lambda s: s["throws"] >= 24 and s["last"]["still"])
    night.board_again()
    night.reads("tv-11-play", "请掷", "接着")
    for scene, word in (
        ("odds", "下一掷的机会"),
        ("fairness", "今晚的骰子公道吗"),
        ("fact", "博饼小知识"),
        ("qr", "扫码跟看"),
    ):
        evening.give(night.table, "tv", scene=scene)
        night.reads(f"tv-12-{scene}", word)
    evening.give(night.table, "tv", scene="auto", theme="light")
    wait(lambda: night.board.js("return document.body.dataset.theme") == "light")
    night.reads("tv-13-light", "请掷")
    evening.give(night.table, "tv", theme="dark")
    night.until(lambda s: sum(t["left"] for t in s["tiers"][1:]) == 3)
    night.board_again()
    night.reads("tv-14-nearly", "快博完了！还剩", "估计再")
    state = night.until(lambda s: s["over"])
    night.board_again()
    texts = night.reads("tv-15-ceremony", "今夜状元", state["champion"]["name"], "金榜", "饼已博完")
    night.board.js("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))")
    night.reads("tv-16-prizes", "礼单", "电饭煲", "毛巾")
    assert {player["name"] for player in state["players"]} <= set(texts)


# notes whose cake is taken away, however short the moment
WATCH_GIVERS = """
window.givers = [];
new MutationObserver(() => document.querySelectorAll('.is-giver .guest-name').forEach((n) => window.givers.push(n.textContent)))
  .observe(document.getElementById('guests'), {subtree: true, attributes: true});
"""


def test_a_chased_cake_goes_from_one_player_to_another(show: Any, tables: Any) -> None:
    night = Evening(show, tables("chase"), "chase")
    night.until(lambda s: s["throws"] == 2)
    night.board_again()
    night.board.js(WATCH_GIVERS)
    night.until(lambda s: last(s, kind="yixiu") and bool(s["last"]["chased"]))
    night.reads("tv-17-chase", "追饼！从乙追来一秀", hand="一秀")
    wait(lambda: "乙" in night.board.js("return window.givers"))
    wait(lambda: night.board.js("return document.querySelectorAll('.flights .flying').length") == 0)
    wait(lambda: night.board.js("return document.querySelectorAll('.guest')[1].querySelectorAll('.token').length") == 0)


@pytest.mark.usefixtures("long_results")
def test_six_blacks_put_the_lights_out_until_the_scramble_is_written_down(show: Any, tables: Any) -> None:
    night = Evening(show, tables(), "lights_out")
    night.until(lambda s: last(s, kind="liubohei"))
    night.reads("tv-18-lights-out", "熄灯抢饼", hand="六博黑")
    assert night.board.js("return document.body.dataset.scene") == "dark"
    night.board_again()
    night.reads("tv-19-scramble", "抢饼！", "抢到的饼还没记完")
    state = night.until(lambda s: s["scramble"]["zhuangyuan"] == 0)
    night.reads("tv-19-scramble", "今夜状元", state["champion"]["name"])


@pytest.mark.usefixtures("long_results")
def test_six_reds_turn_everything_to_lacquer(show: Any, tables: Any) -> None:
    night = Evening(show, tables(), "six_reds")
    night.until(lambda s: last(s, kind="liubohong"))
    night.reads("tv-20-six-reds", hand="六博红")
    assert night.board.js("return document.body.dataset.scene") == "crimson"


@pytest.mark.parametrize(("size", "name"), [((3840, 2160), "4k"), ((1366, 768), "small")])
def test_other_screens_show_the_same(show: Any, table: Any, size: tuple[int, int], name: str) -> None:
    board = show(table, "", size)
    board.still_image()
    assert board.js("return document.querySelector('.stage').getBoundingClientRect().width") >= size[0] * 0.99
    rem = board.js("return parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert rem == pytest.approx(size[0] / 19.2, rel=0.01)
    assert board.js(OVERSCAN) == []


# what is read lies within the middle 95 % of the screen
OVERSCAN = """
const out = [], w = innerWidth * 0.0245, h = innerHeight * 0.0245;
document.querySelectorAll('#side *, #guests *, #tiers *, #crown *').forEach((e) => {
  if (e.children.length || !e.textContent.trim()) return;
  const r = e.getBoundingClientRect();
  if (r.width && (r.left < w || r.right > innerWidth - w || r.top < h || r.bottom > innerHeight - h)) out.push(e.textContent);
});
return out;
"""


@pytest.mark.usefixtures("long_results")
@pytest.mark.parametrize("count", [14, 20, 30])
def test_a_crowd_is_not_cramped(show: Any, new_table: Any, count: int) -> None:
    names = [f"{'甲乙丙丁戊己庚辛壬癸'[k % 10]}{'家伯叔姑'[k // 10]}" for k in range(count)]
    table = new_table(names).play(*(["yixiu", "erju", "none", "sijin"] * 12), "sihong", "jump")
    board = show(table)
    texts = board.must_be_legible()
    assert set(names) <= set(texts)
    rows = board.js(
        "return new Set(Array.from(document.querySelectorAll('.guest')).map((g) => g.getBoundingClientRect().top)).size"
    )
    assert rows == -(-count // 10)
    if count == 20:
        picture(board.browser, "tv-21-twenty-players")
    table.throw("sanhong")
    wait(lambda: board.text(".hand-word") == "三红")
    board.must_be_legible()


def test_who_asked_for_less_motion_gets_fades(show: Any, table: Any, browser: Any) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    )
    try:
        board = show(table)
        left = {tier["tier"]: tier["left"] for tier in table.state()["tiers"]}
        table.throw("sihong")
        wait(lambda: board.text(".hand-word") == "状元")
        names = board.js("return document.getAnimations().map((a) => a.animationName)")
        assert set(names) <= {"appear", None}  # None: the side fades
        table.throw("erju")
        wait(lambda: board.js("return document.querySelectorAll('.place-erju .cake').length") == left["erju"] - 1)
        assert board.js("return document.querySelectorAll('.flying').length") == 0
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_for_streaming_nothing_lies_behind(show: Any, table: Any) -> None:
    board = show(table, "?obs=1")
    for selector in ("body", ".stage", "html"):
        assert (
            board.js("return getComputedStyle(document.querySelector(arguments[0])).backgroundImage", selector)
            == "none"
        )
        assert (
            board.js("return getComputedStyle(document.querySelector(arguments[0])).backgroundColor", selector)
            == "rgba(0, 0, 0, 0)"
        )
    board.must_be_legible()


def test_taiwan_reads_traditional_characters_and_names_stay_as_they_are(show: Any, new_table: Any) -> None:
    table = new_table(["范后里", "阿嬤"]).play("yixiu", "erju", "sihong")
    table._state["last"].update(zh="状元带7：四个 4；状元归范后里")
    table.set(language="zh-TW")
    board = show(table)
    texts = board.must_be_legible()
    assert {"請擲", "輪到", "范后里", "狀元帶7：四個 4；", "狀元歸范后里"} <= set(texts)
    picture(board.browser, "tv-22-taiwan")

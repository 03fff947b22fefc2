"""The TV board in a real browser: what a person reads in each scene, and that all of it can be read."""

from __future__ import annotations

from typing import Any

import pytest
from onlooker import wait

from device.stream import Message

FAMILY = [
    *("爷爷", "奶奶", "爸爸", "妈妈", "大伯", "伯母", "小明", "小红", "表姐", "阿强"),
    "欧阳克明",
    "Alexandra Konstantin",
]
ENGLISH = ["Anna", "Ben", "Chen Wei", "Margarethe", "Oliver", "Wu"]
FRONT = ["yixiu", "erju", "none", "yixiu", "sijin", "sanhong", "yixiu"]


def game(new_table: Any, names: list[str], throws: int, *last: str) -> Any:
    return new_table(names).play(*(FRONT[k % len(FRONT)] for k in range(throws)), *last)


def test_the_lobby_invites(show: Any, new_table: Any) -> None:
    texts = show(new_table([])).must_be_legible()
    assert "请开局" in texts and "状元未定" in texts
    assert any("/phone" in text for text in texts)


def test_the_board_tells_whose_turn_it_is_what_is_left_and_who_leads(show: Any, table: Any) -> None:
    table.set(demo=True)
    board = show(table)
    texts = board.must_be_legible()
    assert {"请掷", "轮到", "第 6 轮", "演示", "带7"} <= set(texts)
    assert board.text("#turn-name") == table.state()["turn"]["name"]
    assert board.text("#crown").split()[-1] == table.state()["champion"]["name"]
    for tier in table.state()["tiers"]:
        places = board.js(f"return document.querySelectorAll('.place-{tier['tier']} .cake').length")
        assert places == tier["left"]
    assert board.js("return document.querySelectorAll('.place').length") == 63
    assert board.js("return document.querySelector('.last img').naturalWidth") > 0


@pytest.mark.parametrize("count", [1, 4, 8, 10, 12])
def test_every_size_of_a_party_can_be_read(show: Any, new_table: Any, count: int) -> None:
    table = game(new_table, FAMILY[:count], 40, "sihong", "jump", "duitang")
    texts = show(table).must_be_legible()
    assert {name for name in FAMILY[:count] if " " not in name} <= set(texts)


def test_long_names_are_never_cut(show: Any, new_table: Any) -> None:
    names = [
        "上官婉儿的小表妹",
        "Wolfeschlegelstein",
        "欧阳娜娜",
        "Maximilian Alexander",
        "诸葛孔明先生",
        "司马",
        "夏侯惇将军",
        "Anne-Marie",
    ]
    show(game(new_table, names, 30, "wuzi", "sanhong")).must_be_legible()


def test_the_board_speaks_english(show: Any, new_table: Any) -> None:
    table = game(new_table, ENGLISH, 25, "sihong", "sanhong")
    table.set(language="en")
    board = show(table)
    texts = board.must_be_legible()
    assert {"Throw", "three reds", "Round 5"} <= set(texts)
    board.table.throw("sijin")
    wait(lambda: board.text(".result-gloss") == "sì jìn · four alike")
    board.must_be_legible()


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("none", "落空"),
        ("yixiu", "一秀"),
        ("sijin", "四进"),
        ("sanhong", "三红"),
        ("duitang", "对堂"),
        ("sihong", "状元"),
        ("wuzi", "五子"),
        ("chajinhua", "插金花"),
        ("liubohei", "六博黑"),
        ("jump", "跳猴"),
    ],
)
def test_a_result_grows_over_the_board_in_calligraphic_size(show: Any, table: Any, kind: str, word: str) -> None:
    board = show(table)
    thrower = table.state()["turn"]["name"]
    table.throw(kind)
    wait(lambda: board.text(".hand-word") == word)
    texts = board.must_be_legible()
    assert {word, thrower} <= set(texts)
    assert board.js("return parseFloat(getComputedStyle(document.querySelector('.hand-word')).fontSize)") >= 200
    assert board.js("return document.querySelectorAll('.result .dice:not(.leap) .die').length") == (
        0 if kind == "jump" else 6
    )


def test_a_won_cake_travels_to_its_winner_and_leaves_a_seal(show: Any, new_table: Any) -> None:
    table = new_table(["甲", "乙"])
    board = show(table)
    table.throw("yixiu")
    wait(lambda: board.js("return document.querySelectorAll('.flights .flying').length") == 1)
    wait(lambda: board.text(".place-yixiu .seal") == "甲")
    assert board.js("return document.querySelectorAll('.flights .flying').length") == 0
    assert board.text(".guest .token") == "1"
    assert board.js("return document.querySelectorAll('.place-yixiu .cake').length") == 31
    board.must_be_legible()


def test_the_next_throw_cuts_the_show_short_and_nothing_is_lost(show: Any, table: Any) -> None:
    board = show(table)
    table.throw("sihong")
    wait(lambda: board.text(".hand-word") == "状元")
    table.throw("erju")
    wait(lambda: board.text(".hand-word") == "二举")
    left = {tier["tier"]: tier["left"] for tier in table.state()["tiers"]}
    wait(lambda: board.js("return document.querySelectorAll('.place-erju .cake').length") == left["erju"])


@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_before_the_first_throw_the_hands_are_shown(show: Any, new_table: Any, language: str) -> None:
    table = new_table(FAMILY[:5])
    table.set(language=language, notice={"key": "no_camera", "zh": "没有摄像头", "en": "no camera"})
    board = show(table)
    board.must_be_legible()
    assert board.js("return document.querySelectorAll('.legend .die').length") == 20
    table.set(notice=None)
    wait(lambda: board.text("#notice") == "")
    assert {"大伯" if language == "zh-CN" else "Next"} <= set(board.must_be_legible())


def test_passing_phases_change_the_one_big_word(show: Any, table: Any) -> None:
    board = show(table)
    for phase, word in (("reading", "读数中"), ("clear", "请取出骰子"), ("paused", "暂停"), ("throw", "请掷")):
        table.phase(phase)
        wait(lambda word=word: board.text("#word") == word)
        board.must_be_legible()


def test_a_question_shows_the_picture_the_doubtful_die_and_both_values_until_it_is_answered(
    show: Any, table: Any
) -> None:
    board = show(table)
    table.ask()
    wait(lambda: board.text(".question-line") == "看不清最右边那颗：是 4 还是 6？")
    texts = board.must_be_legible()
    assert {"请确认", "4", "6", "还是"} <= set(texts)
    frame = board.js(
        "const o = document.querySelector('.outline').getBoundingClientRect(), p = document.querySelector('.outlined')"
        ".getBoundingClientRect(); return [o.left > p.left, o.right < p.right, o.top > p.top, o.bottom < p.bottom, o.width > 60]"
    )
    assert frame == [True] * 5
    board.browser.switch_to.active_element.send_keys("\n")
    wait(lambda: table.commands and table.commands[-1]["command"] == "confirm")
    wait(lambda: board.text(".question-line") == "")
    assert board.text("#word") == "请取出骰子"


def test_other_questions_are_put_in_words(show: Any, table: Any) -> None:
    board = show(table)
    dice = [dict(one) for one in table_question(table)]
    dice[0]["in_bowl"] = False
    table.ask(id=4, verdict="jump", dice=dice, values=[2, 3, 4, 5, 6], outside=1, zh="一颗在碗外：是跳猴吗？", en="…")
    wait(lambda: board.text(".question-line") == "一颗在碗外：是跳猴吗？")
    board.must_be_legible()
    table.ask(
        id=5, verdict="incomplete", dice=dice[1:4], values=[2, 5, 6], still=None, zh="只看见三颗：请看碗边", en="…"
    )
    wait(lambda: board.text(".question-line") == "只看见三颗：请看碗边")
    board.must_be_legible()


def test_the_demo_says_that_it_answers_by_itself(show: Any, table: Any) -> None:
    table.set(demo=True)
    board = show(table)
    table.ask()
    wait(lambda: board.text(".question-how") == "演示会自己回答，等几秒就好")
    board.must_be_legible()


def table_question(table: Any) -> Any:
    table.ask()
    return table.state()["question"]["dice"]


def test_the_end_shows_the_golden_list(show: Any, new_table: Any) -> None:
    table = game(new_table, FAMILY[:10], 60, "sihong")
    table.set(over=True, phase="over", ended_by="all_out", turn=None)
    texts = show(table).must_be_legible()
    assert {"金榜", "饼已博完", "今夜状元", table.state()["champion"]["name"]} <= set(texts)


def test_a_fault_is_said_in_words_while_the_game_goes_on(show: Any, table: Any) -> None:
    board = show(table)
    table.set(notice={"key": "camera_lost", "zh": "摄像头没有画面，先手动记", "en": "…"})
    wait(lambda: board.text("#notice") == "摄像头没有画面，先手动记")
    board.must_be_legible()


def test_the_page_resumes_after_its_line_was_cut(show: Any, table: Any) -> None:
    board = show(table)
    for line in list(table.subscriptions):
        line.close()
    table.throw("erju")
    wait(lambda: board.text(".result-name") == table.state()["last"]["name"])
    wait(lambda: board.text("#notice") == "")


def test_a_page_shows_what_changed_while_it_was_on_its_way(show: Any, table: Any) -> None:
    """What is not stored is told to those who listen, and a page that is still loading does not yet."""
    subscribe = table.subscribe

    def late(after: int | None) -> Any:
        table.subscribe = subscribe
        table._state["odds"]["expected_throws"] = 3.0
        table.phase("clear")
        return subscribe(after)

    table.set(odds={**table.state()["odds"], "expected_throws": None}, tiers=[{**t, "left": min(t["left"], 1)} for t in table.state()["tiers"]])
    table.subscribe = late
    board = show(table)
    wait(lambda: "估计再" in board.text("#nearly"))
    assert board.js("return document.body.dataset.phase") == "clear"


def test_a_change_of_language_is_followed(show: Any, table: Any) -> None:
    board = show(table)
    table.set(language="en")
    wait(lambda: board.text("#word") == "Throw")


def test_custom_stocks_keep_the_idea(show: Any, new_table: Any) -> None:
    table = new_table(["甲", "乙"])
    totals = {"zhuangyuan": 2, "duitang": 4, "sanhong": 8, "sijin": 16, "erju": 32, "yixiu": 64}
    tiers = table.state()["tiers"]
    for tier in tiers:
        n = totals[tier["tier"]]
        tier.update(total=n, left=n, seals=[None] * n)
    table.set(tiers=tiers)
    board = show(table)
    texts = board.must_be_legible()
    assert "64" in texts
    foot = board.js(
        "return Math.max(...Array.from(document.querySelectorAll('.place')).map((p) => p.getBoundingClientRect().bottom))"
    )
    assert foot <= board.js("return document.querySelector('.guests').getBoundingClientRect().top")


def test_a_game_of_many_throws_leaves_nothing_behind(show: Any, new_table: Any) -> None:
    table = new_table(["甲", "乙", "丙"])
    board = show(table)
    nodes = []
    for _ in range(2):
        for k in range(20):
            table.throw("none" if k % 3 else "jump")
        version = table.state()["throws"]
        wait(
            lambda version=version: (
                board.text(".last-name")
                and board.js("return document.querySelector('.result').dataset.throw") == str(version)
            )
        )
        nodes.append(board.js("return document.querySelectorAll('*').length"))
    assert nodes[1] <= nodes[0] + 20


def test_phases_that_are_not_known_do_no_harm(show: Any, table: Any) -> None:
    board = show(table)
    table.tell(Message("phase", {"phase": "reading"}))
    wait(lambda: board.text("#word") in ("读数中", "请掷"))


LONG_ZH = "状元带5：四个 4，另两颗 2 加 3；不及欧阳克明的五子带4，状元不动；各人掷数已满，本局结束"
LONG_EN = (
    "状元带5 (four reds with 5): four 4s, the others 2 and 3; does not beat Konstantin's five alike with 4: "
    "the champion cake stays; everybody has had all turns: the game is over"
)


@pytest.mark.parametrize("language", ["zh-CN", "en"])
@pytest.mark.parametrize("champion", ["behind", "lugu", "new"])
def test_the_longest_reason_fits_the_plate_and_the_side(show: Any, table: Any, language: str, champion: str) -> None:
    table.set(language=language)
    board = show(table)
    table.throw("sihong", quiet=True)
    table._state["last"].update(zh=LONG_ZH, en=LONG_EN, champion=champion)
    table.store()
    wait(lambda: board.text(".hand-word") == ("禄骨" if champion == "lugu" else "状元"))
    board.must_be_legible()
    assert board.js("return document.querySelector('.result-why').textContent") == (LONG_ZH if language == "zh-CN" else LONG_EN)
    ring = board.js(
        "const w = document.querySelector('.plate-words'), s = Array.from(w.children).map((c) => c.getBoundingClientRect());"
        "const p = document.querySelector('.guests').getBoundingClientRect(); return Math.max(...s.map((r) => r.bottom)) <= p.top"
    )
    assert ring
    board.browser.refresh()
    wait(lambda: board.text(".why"))
    board.must_be_legible()


@pytest.mark.parametrize("count", [4, 8, 12, 20])
def test_who_misses_a_turn_is_plain(show: Any, new_table: Any, count: int) -> None:
    names = (FAMILY + [f"{name}二" for name in FAMILY])[:count]
    table = new_table(names).play("yixiu", "jump")
    board = show(table)
    board.must_be_legible()
    inside = board.js(
        "const m = document.querySelector('.mark'), r = m.getBoundingClientRect(), g = m.closest('.guest').getBoundingClientRect();"
        "return [m.closest('.guest').querySelector('.guest-name').textContent, r.left >= g.left, r.right <= g.right, r.bottom <= g.bottom]"
    )
    assert inside == [names[1], True, True, True]

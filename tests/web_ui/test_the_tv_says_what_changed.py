"""The board never changes unsaid: an undo, a redo and a correction are told for some seconds, and a muted TV shows that it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import evening
import pytest
from onlooker import wait
from scenes import TOLD

from device.table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = evening.new_table(tmp_path)
    evening.give(made, "start", players=["甲", "乙", "丙"])
    for dice in ([4, 1, 2, 3, 3, 6], [4, 4, 1, 2, 3, 6], [1, 2, 3, 3, 5, 6]):
        evening.give(made, "throw", dice=dice)
    yield made
    made.close()


@pytest.mark.usefixtures("long_results")
def test_what_was_undone_done_again_and_put_right_is_told(show: Any, table: Table) -> None:
    board = show(table)
    assert board.text("#news") == ""
    evening.give(table, "undo")
    wait(lambda: board.text("#news") == "撤回：丙落空这一掷")
    board.must_be_legible()
    evening.give(table, "throw", dice=[4, 4, 4, 1, 6, 6])
    wait(lambda: board.js("return document.querySelector('.result').dataset.throw") == "3")
    assert board.text("#news") == ""
    evening.give(table, "correct", throw=2, player="p1")
    wait(lambda: board.text("#news") == "更正第 2 掷：乙二举 → 甲二举")
    evening.give(table, "undo")
    wait(lambda: board.text("#news") == "撤回：更正第 2 掷：乙二举 → 甲二举")
    evening.give(table, "redo")
    wait(lambda: board.text("#news") == "恢复：更正第 2 掷：乙二举 → 甲二举")


def test_after_some_seconds_what_changed_is_told_no_more(show: Any, browser: Any, table: Table) -> None:
    soon = "const soon = window.setTimeout; window.setTimeout = (what, ms) => (ms === 8000 ? ((window.later = what), 0) : soon(what, ms));"
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": soon})
    try:
        board = show(table)
        evening.give(table, "undo")
        wait(lambda: board.text("#news"))
        board.js("window.later()")
        assert board.text("#news") == "" and not board.js("return document.body.classList.contains('has-band')")
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


@pytest.mark.usefixtures("long_results")
@pytest.mark.parametrize("language", ["zh-CN", "zh-TW", "en"])
def test_beside_a_notice_it_can_be_read_too(show: Any, new_table: Any, language: str) -> None:
    table = new_table(["欧阳克明", "Alexandra Konstantin", "小明"]).play("yixiu", "erju", "none")
    table.set(language=language, **TOLD["no camera"])
    board = show(table)
    words = {"zh": "更正第 2 掷：Alexandra Konstantin二举 → 欧阳克明二举", "en": "correction of throw 2: Alexandra Konstantin, 二举 → 欧阳克明, 二举"}
    history = table.state()["history"]
    history[1].update(player="p1", name="欧阳克明")
    table.set(history=history, undoes=words)
    wait(lambda: "2" in board.text("#news"))
    board.must_be_legible()


@pytest.mark.parametrize("language", ["zh-CN", "zh-TW", "en"])
def test_a_muted_tv_shows_that_it_is(show: Any, new_table: Any, language: str) -> None:
    table = new_table(["甲", "乙"]).play("yixiu", "none")
    table.set(language=language, demo=True)
    board = show(table)
    assert board.text("#unmute") == ""
    board.js("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'm'}))")
    wait(lambda: board.text("#unmute") == {"zh-CN": "静音", "zh-TW": "靜音", "en": "muted"}[language])
    board.must_be_legible()
    board.js("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'm'}))")
    wait(lambda: board.text("#unmute") == "")

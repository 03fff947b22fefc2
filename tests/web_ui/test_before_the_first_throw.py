"""Before the first throw the board shows rules, hands and who comes next: all of it, however much of it there is, whatever is told."""

from __future__ import annotations

from typing import Any

import pytest
from onlooker import AUDIT, picture, resize, wait
from scenes import LONG, TOLD

from rules.bobing.houserules import PRESETS
from web_ui.words import catalogue, turned

SMALL = (1366, 768)
GUESTS = ["Margarethe", "B", "爷爷", "Wolfeschlegelstein", "奶奶", "C", "小明", "Alexandra Konstantin", "丁", "E", "欧阳克明", "F", "G", "甲家"]
TIMES = {"jump": "void_and_skip", "sold_out": "chase", "own_rolls": "best", "closing": "clock:90"}
RULES = {
    "short": {"preset": "short", "switches": {"jump": "void"}},
    "long": {"preset": "xiamen", "switches": PRESETS["xiamen"].switches()},
    "longest": {"preset": "fifteen", "switches": {**PRESETS["fifteen"].switches(), **TIMES}},
}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("count", [2, 4, 12, 14, 1])
@pytest.mark.parametrize("language", ["zh-CN", "zh-TW", "en"])
def test_rules_hands_and_who_comes_next_stand_clear_of_what_is_told(show: Any, new_table: Any, language: str, count: int, rules: str) -> None:
    table = new_table(GUESTS[:count])
    table.set(language=language, rules=RULES[rules])
    board = show(table)
    for told in (*TOLD.values(), {"notice": LONG, "unsaved": 12}):
        table.set(**{"notice": None, "unsaved": 0, "box": None, **told})
        words = turned(told["notice"]["en" if language == "en" else "zh"], catalogue(language)) if told else ""
        wait(lambda words=words: len(board.text("#notice")) == len(words))
        for size in ((1920, 1080), SMALL):
            resize(board.browser, size)
            board.must_be_legible()
            assert board.js("return document.querySelectorAll('.legend-row').length") == 6
            assert bool(board.text("#next")) == (count > 1)
    picture(board.browser, f"first-{language}-{count}-{rules}")


def test_whoever_looks_sees_words_that_lie_under_what_is_told(show: Any, new_table: Any) -> None:
    table = new_table(["A", "B"])
    table.set(**TOLD["no camera"])
    board = show(table)
    wait(lambda: board.text("#notice"))
    board.js("const n = document.querySelector('#next'); n.style.position = 'absolute'; n.style.top = '7.75rem'; n.style.zIndex = 0")
    found = board.js(AUDIT)
    assert "B" in found["covered"], found

"""The set-up path begins with what the table has: its rules and its language, not the usual ones and the phone's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import evening
import pytest
from onlooker import PHONE, complaints, resize, wait

from device.table import Table

HOUSE = {"preset": "chase", "no_champion": "sum", "stock": [1, 2, 4, 8, 16, 20]}
PRESSED = "const one = document.querySelector('#step [aria-pressed=true]'); return one && one.firstChild.textContent"
TAP = "Array.from(document.querySelectorAll('button')).filter((b) => b.firstChild && b.firstChild.textContent.trim() === arguments[0]).pop().click()"


def walk(browser: Any, served: Any, table: Any, step: int) -> Any:
    """Open the path, in English, at one of its dots."""
    browser.get_log("browser")
    resize(browser, PHONE)
    address = served(table)
    browser.get(address + "/setup?lang=en")
    browser.execute_script("sessionStorage.clear()")
    browser.get(address + "/setup?lang=en")
    js = browser.execute_script
    wait(lambda: js("return document.body.dataset.linked") == "yes" and js("return document.querySelectorAll('.dot').length") == 7)
    js("document.querySelectorAll('.dot')[arguments[0]].click()", step)
    return js


@pytest.fixture
def table(tmp_path: Path) -> Any:
    made = evening.new_table(tmp_path, "chase")
    yield made
    made.close()


def begin(js: Any, table: Table, label: str) -> dict[str, Any]:
    """Go to the last step and begin; the rules of the game that runs then."""
    js("document.querySelectorAll('.dot')[6].click()")
    before = table.state()["version"]
    js(TAP, label)
    wait(lambda: table.state()["version"] > before and not table.state()["over"] and table.state()["phase"] == "throw")
    return dict(table.state()["rules"])


def test_a_table_where_nothing_was_played_begins_with_the_rules_of_its_settings(served: Any, browser: Any, table: Table) -> None:
    js = walk(browser, served, table, 2)
    js("const n = document.querySelector('#names'); n.value = 'A\\nB'; n.dispatchEvent(new Event('input'))")
    js("document.querySelectorAll('.dot')[3].click()")
    assert js(PRESSED) == "Chase"
    rules = begin(js, table, "Begin!")
    assert rules == table.usual_rules() and rules["preset"] == "chase"
    assert complaints(browser) == []


@pytest.mark.parametrize("over", [False, True])
def test_another_game_begins_with_the_rules_of_the_one_before_switches_too(served: Any, browser: Any, table: Table, over: bool) -> None:
    evening.give(table, "start", players=["A", "B"], rules=HOUSE)
    before = table.state()["rules"]
    if over:
        evening.give(table, "end")
    js = walk(browser, served, table, 3)
    assert js(PRESSED) == "Chase" and "(changed)" in js("return document.querySelector('.every > summary').textContent")
    js("document.querySelectorAll('.dot')[4].click()")
    assert js("return document.querySelector('#n-yixiu').value") == "20"
    assert begin(js, table, "Begin!" if over else "End it and begin") == before
    assert before["preset"] == "chase" and before["switches"]["no_champion"] == "sum"


def fake(new_table: Any, **fields: Any) -> Any:
    """A scripted table without a camera."""
    made = new_table(["A", "B"])
    made.health = lambda: {"camera": "none", "reader": "none", "journal": "ok", "box": "none"}
    made.set(**fields)
    return made


def test_a_demo_s_rules_are_not_the_evening_s(served: Any, browser: Any, new_table: Any) -> None:
    made = fake(new_table, demo=True, rules={"preset": "short", "switches": {}})
    assert walk(browser, served, made, 3)(PRESSED) == "Xiamen (the usual)"


@pytest.mark.parametrize(("language", "named"), [("zh-CN", "简体中文"), ("zh-TW", "繁體中文"), ("en", "English")])
def test_the_first_step_begins_with_the_table_s_language(served: Any, browser: Any, new_table: Any, language: str, named: str) -> None:
    js = walk(browser, served, fake(new_table, language=language), 0)
    assert js(PRESSED) == named and js("return document.querySelectorAll('#step .is-chosen').length") == 1


def test_readme_says_where_prizes_are_entered() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    row = next(line for line in readme.splitlines() if line.startswith("| `/setup` |"))
    assert "prizes" in row and "rules" in row and "players" in row

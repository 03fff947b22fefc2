"""What the board says about chances agrees with the rules' own figures, and is said so that anybody understands it."""

from __future__ import annotations

import re
from typing import Any

import evening
import pytest
from onlooker import wait
from scenes import FAMILY, TOLD, played

from rules.bobing.houserules import PRESETS, house_rules
from rules.bobing.odds import Odds
from web_ui.words import LANGUAGES, catalogue

FACES = {"liubohong": "1/46656", "liubohei": "1/9331", "duitang": "1/65"}


@pytest.fixture
def table(tmp_path: Any) -> Any:
    made = evening.new_table(tmp_path)
    evening.give(made, "start", players=["甲", "乙", "丙"])
    yield made
    made.close()


@pytest.mark.parametrize("preset", PRESETS)
def test_the_chance_of_a_champion_is_the_rules_own(tmp_path: Any, preset: str) -> None:
    made = evening.new_table(tmp_path, preset)
    evening.give(made, "start", players=["甲", "乙"], rules=preset)
    odds = Odds(house_rules(preset))
    assert made.state()["odds"]["champion"] == pytest.approx(odds.beats(None), abs=1e-12)
    made.close()


def test_the_rarest_hand_is_told_to_the_throw(served: Any, browser: Any, table: Any) -> None:
    browser.get(f"{served(table)}/phone?lang=zh-CN")
    wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")
    browser.execute_script("document.getElementById('tab-odds').click()")
    text = browser.execute_script("return document.getElementById('in-odds').innerText")
    words = catalogue("zh-CN")
    for kind, chance in FACES.items():
        assert re.search(rf"{words['kind.' + kind]}\s+{chance}\b", text), (kind, text)


def test_facts_agree_with_the_rules() -> None:
    kinds = Odds(house_rules("xiamen")).kinds()
    straight = round(1 / kinds["duitang"])
    assert straight == 65 and "六十五掷" in catalogue("zh-CN")["fact.6"] and "65" in catalogue("en")["fact.6"]
    assert round(kinds["none"] * 10) == 3 and "三掷里有一掷" in catalogue("zh-CN")["fact.11"]
    assert 2.5 < 1 / kinds["yixiu"] < 3.5 and "三掷就有一次" in catalogue("zh-CN")["fact.12"]
    assert round(1 / kinds["liubohong"]) == 46656 and "46,656" in catalogue("en")["fact.2"]


def test_a_verdict_on_the_dice_says_it_in_words_before_it_gives_the_figure(show: Any, table: Any) -> None:
    for k in range(12):
        evening.give(table, "throw", dice=[1, 2, 3, 3, 5, 6] if k % 2 else [1, 2, 5, 5, 4, 6])
    evening.give(table, "tv", scene="fairness")
    board = show(table)
    said = board.text(".is-fair")
    # 72 dice: 12 12 12 6 18 12, so χ² is 6
    assert said == "掷出 72 颗，公道。100 副公平的骰子有 31 副更偏（χ² 6.0）"


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_word(language: str) -> None:
    others = {"zh-CN": "相机|粒|按键盒|小话", "zh-TW": "相機|粒|按鍵盒|碗沿|依次|質量|視頻|屏幕|默認|信息", "en": r"\bLap\b|\blap\b"}[language]
    assert [key for key, text in catalogue(language).items() if not key.startswith("hant.") and re.search(others, text)] == []


PANELS = ("recent", "odds", "fairness", "fact", "qr", "standings")
FACES_SEEN = {"fair": [24, 23, 24, 27, 20, 20], "odd": [30, 23, 24, 30, 12, 19], "rare": [27, 23, 24, 37, 8, 19]}


# the clock that turns the panels is the only one so slow: here a test turns it
BY_ITSELF = """
const every = window.setInterval;
window.setInterval = (what, ms, ...more) => (ms === 14000 ? ((window.turnByItself = what), 0) : every(what, ms, ...more));
"""
SMALL = (1280, 720)


@pytest.fixture
def turned_by_hand(browser: Any) -> Any:
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": BY_ITSELF})
    yield
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def with_chances(table: Any) -> Any:
    """As much as a running game has to tell: every chance, enough dice for a verdict."""
    odds = Odds(house_rules("xiamen"))
    told = {"beats": odds.beats((1, 7)), "champion": odds.beats(None), "kinds": odds.kinds(), "expected_throws": 41.2}
    table.set(odds=told, faces=FACES_SEEN["odd"])
    return table


@pytest.mark.usefixtures("turned_by_hand")
@pytest.mark.parametrize("size", [(1920, 1080), SMALL])
@pytest.mark.parametrize("language", LANGUAGES)
def test_who_comes_next_is_read_under_every_panel_that_turns_by_itself(show: Any, new_table: Any, language: str, size: Any) -> None:
    table = with_chances(played(new_table, FAMILY))
    table.set(language=language, **TOLD["no camera"])
    board = show(table, "", size, hosts=("192.168.1.20",))
    wait(lambda: board.text("#notice"))
    seen = set()
    for _ in range(8):
        panel = board.js("return document.querySelector('#recent').dataset.panel")
        seen.add(panel)
        read = board.must_be_legible()
        assert catalogue(language)["tv.next"] in read and "奶奶" in board.text("#next"), (panel, read)
        board.js("window.turnByItself()")
    assert seen == set(PANELS)


@pytest.mark.parametrize("told", ["nothing", "no camera"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_between_throws_every_sentence_is_told_to_its_end(show: Any, new_table: Any, language: str, told: str) -> None:
    table = played(new_table, FAMILY)
    table.set(language=language, **TOLD[told])
    board = show(table, hosts=("192.168.1.20",))
    for panel in PANELS:
        for faces in FACES_SEEN.values() if panel == "fairness" else [[0] * 6]:
            table.set(faces=faces, tv={**table.state()["tv"], "scene": panel})
            wait(lambda: board.js("return document.body.dataset.linked") == "yes")
            wait(lambda panel=panel: board.js("return document.querySelector('#recent').dataset.panel") == panel)
            board.must_be_legible()
            if panel == "fairness":
                wait(lambda faces=faces: board.js("return Array.from(document.querySelectorAll('.face b')).map((b) => Number(b.textContent))") == faces)
                assert "χ²" in board.text("#recent"), (language, faces)
            elif panel == "qr":
                assert "192.168.1.20" in board.text("#recent")
            elif panel == "fact":
                assert any(board.text(".is-fact") == text for key, text in catalogue(language).items() if key.startswith("fact."))

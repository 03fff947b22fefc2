"""What pages say holds at the moment they say it: what is not final is called so, and one name has one number."""

from __future__ import annotations

from typing import Any

import pytest
from onlooker import wait
from scenes import BOX, FAMILY, asked, ended, played

from rules.bobing.houserules import house_rules
from rules.bobing.odds import Odds
from web_ui.app import create_app
from web_ui.keep import SHEETS
from web_ui.words import LANGUAGES, catalogue


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sheet_of_a_running_game_is_called_not_final(table: Any, sheet: str, language: str) -> None:
    words = catalogue(language)

    def printed() -> str:
        return create_app(table).test_client().get(f"/keep/1/{sheet}?lang={language}", base_url="http://127.0.0.1").get_data(as_text=True)

    assert words["print.not_final"] in printed()
    assert sheet != "vouchers" or words["print.not_final_short"] in printed()
    ended(table)
    assert words["print.not_final"] not in printed() and words["print.not_final_short"] not in printed()
    assert sheet != "results" or words["tv.final_how"] in printed()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_leaders_tell_why_the_champion_stands_first(show: Any, new_table: Any, language: str) -> None:
    table = new_table(FAMILY).play("erju", "erju", "sihong", "none", "none", "erju")
    table.set(language=language, tv={**table.state()["tv"], "scene": "standings"})
    board = show(table)
    first, second = board.js("return Array.from(document.querySelectorAll('#recent .recent-row')).slice(0, 2).map((row) => row.textContent)")
    word = catalogue(language)["tv.champion"]
    assert first.startswith("爸爸") and word in first and "0" in first
    assert second.startswith("爷爷") and word not in second
    board.must_be_legible()


def test_a_champions_chance_is_told_once_and_no_other_goes_by_its_name(show: Any, browser: Any, served: Any, new_table: Any) -> None:
    odds = Odds(house_rules("xiamen"))
    table = new_table(FAMILY).play("erju", "none")
    told = {"beats": odds.beats(None), "champion": odds.beats(None), "kinds": odds.kinds(), "expected_throws": None}
    table.set(odds=told, tv={**table.state()["tv"], "scene": "odds"})
    board = show(table)
    assert board.text("#recent").count("1/84") == 1 and "状元" in board.text("#recent")
    browser.get(f"{served(table)}/phone?lang=zh-CN")
    wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")
    browser.execute_script("document.getElementById('tab-odds').click()")
    names = browser.execute_script("return Array.from(document.querySelectorAll('.chance span:first-child')).map((e) => e.textContent)")
    assert "状元" not in names and "四个四" in names and len(set(names)) == len(names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_ending_the_game_says_who_is_champion_then(served: Any, browser: Any, new_table: Any, language: str) -> None:
    words = catalogue(language)
    for table, who in ((new_table(FAMILY).play("erju"), ""), (played(new_table, FAMILY), "妈妈")):
        who = who and table.state()["champion"]["name"]
        browser.get(f"{served(table)}/phone?lang={language}")
        wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")
        browser.execute_script("document.querySelector('#tools button:last-child').click()")
        said = browser.execute_script("return document.querySelector('dialog').innerText")
        assert (words["phone.end_champion"].replace("{name}", who) if who else words["phone.end_nobody"]) in said
        assert (words["phone.end_nobody"] in said) is not bool(who)


def test_a_certificate_says_nothing_of_the_night() -> None:
    for language, night in (("en", "moon"), ("zh-CN", "中秋|今夜|月"), ("zh-TW", "中秋|今夜|月")):
        text = catalogue(language)["print.cert.text"]
        assert not [word for word in night.split("|") if word in text]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("hosts", [(), ("192.168.1.20",)])
def test_a_question_names_only_what_is_there_to_answer_it_with(show: Any, new_table: Any, hosts: tuple[str, ...], language: str) -> None:
    table = asked(played(new_table, FAMILY))
    linked, other = {**BOX, "buttons": {"A": "confirm"}}, {**BOX, "buttons": {"A": "rethrow"}}
    table.set(language=language)
    board = show(table, hosts=hosts)
    button, phone = ("big button", "tap on the phone") if language == "en" else ("大按", "手机上" if language == "zh-CN" else "手機上")
    # it comes and goes while the question stands
    for box, there in ((None, False), (linked, True), ({**linked, "state": "lost"}, False), (linked, True), (other, False)):
        table.set(box=box)
        wait(lambda there=there: (button in board.text(".question-how")) == there)
        how = board.text(".question-how")
        assert (phone in how) == bool(hosts) and ("/phone" in how) == (not hosts)
        board.must_be_legible()


def test_a_jump_names_who_misses_a_turn(served: Any, browser: Any, new_table: Any) -> None:
    table = played(new_table, FAMILY)
    table.ask(verdict="jump")
    browser.get(f"{served(table)}/phone?lang=en")
    wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")
    wait(lambda: f"{table.state()['turn']['name']} misses the next turn" in browser.execute_script("return document.body.innerText"))

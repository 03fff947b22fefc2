"""A picture that is not there any more (a backup came back without them): words say so, and everything stands as where there never was one."""

from __future__ import annotations

from typing import Any

import pytest
from onlooker import AUDIT, PHONE, SETTLE, picture, resize, wait
from scenes import FAMILY, LONE, LONG, NO_CAMERA, demo, ended, played

GONE = {"zh-CN": "照片已经不在了", "zh-TW": "照片已經不在了", "en": "The picture is not there any more"}
LANGUAGES = tuple(GONE)
PICTURES = "return document.querySelectorAll('img[data-still], image, .proof, .outlined, .outline, .cert-proof').length"


def bare(table: Any) -> Any:
    """The table, all of its pictures gone."""
    table.still = lambda name: None
    return table


def legible(browser: Any, scrolls: bool = False) -> list[str]:
    browser.execute_async_script(SETTLE)
    found = browser.execute_script(AUDIT, scrolls)
    faults = {fault: found[fault] for fault in ("cut", "clash", "covered") if found[fault]}
    assert not faults, faults
    assert scrolls or not found["small"], found["small"]
    return list(found["texts"])


def said(board: Any, language: str, within: str) -> None:
    wait(lambda: board.text(f"{within} .no-still") == GONE[language])
    assert board.js(PICTURES) == 0
    assert GONE[language] in legible(board.browser)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tv_says_of_the_last_throw_that_its_picture_is_gone(show: Any, new_table: Any, language: str) -> None:
    table = bare(played(new_table, LONE))
    table.set(language=language)
    board = show(table)
    for notice in (None, NO_CAMERA, LONG):
        table.set(notice=notice)
        wait(lambda notice=notice: bool(board.text("#notice")) == bool(notice))
        said(board, language, "#last")
        assert board.js("return document.querySelector('#last').classList.contains('no-proof')")


@pytest.mark.parametrize("fields", [{}, {"verdict": "jump", "zh": "一颗在碗外：是跳猴吗？", "en": "One die lies outside the bowl: did it jump?"}])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tv_asks_without_the_picture_that_is_gone(show: Any, new_table: Any, language: str, fields: dict[str, Any]) -> None:
    table = bare(played(new_table, FAMILY))
    table.set(language=language, notice=NO_CAMERA)
    table.ask(**fields)
    board = show(table)
    said(board, language, "#question")
    assert board.js("return document.querySelector('#question').classList.contains('no-proof')")
    picture(board.browser, f"gone-question-{language}-{len(fields)}")
    table.set(question=None, phase="throw")
    wait(lambda: board.text("#question") == "")


@pytest.mark.usefixtures("long_results")
@pytest.mark.parametrize("kind", ["yixiu", "sihong", "chajinhua", "jump"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_throw_is_told_without_the_picture_that_is_gone(show: Any, new_table: Any, language: str, kind: str) -> None:
    table = bare(demo(played(new_table, LONE)))
    table.set(language=language)
    board = show(table)
    table.throw(kind)
    table._state["last"]["replay"] = "/replays/none.gif"
    wait(lambda: board.text(".hand-word"))
    wait(lambda: board.text("#result .no-still"))
    picture(board.browser, f"gone-result-{language}-{kind}")
    if kind != "jump":  # whose plate is tilted, and the frames of tilted lines overlap
        said(board, language, "#result")
    assert board.text("#result .no-still") == GONE[language] and board.js(PICTURES) == 0
    assert board.js("return document.body.classList.contains('has-result')")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_ceremony_stands_without_the_picture_that_is_gone(show: Any, new_table: Any, language: str) -> None:
    table = bare(ended(played(new_table, FAMILY)))
    table.set(language=language)
    board = show(table)
    said(board, language, "#ceremony")
    picture(board.browser, f"gone-ceremony-{language}")


def test_a_picture_that_only_the_line_kept_away_is_shown_once_the_line_is_there_again(show: Any, table: Any) -> None:
    kept = table.still
    board = show(table)
    board.js("window.asked = window.fetch; window.fetch = (to, how) => /still/.test(to) ? Promise.reject(new Error('no line')) : window.asked(to, how)")
    bare(table).throw("yixiu")
    wait(lambda: board.text("#last .no-still") == "这里看不到照片")
    table.still = kept
    for line in list(table.subscriptions):
        line.close()
    wait(lambda: not table.subscriptions or board.js("return document.querySelectorAll('#last .proof').length"))
    table.throw("erju")
    wait(lambda: board.js("const i = document.querySelector('#last .proof img'); return i && i.naturalWidth > 0"))


def phone(browser: Any, address: str, language: str) -> Any:
    resize(browser, PHONE)
    browser.get(f"{address}/phone?lang={language}")
    wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")
    return browser.execute_script


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_phone_asks_without_the_picture_that_is_gone(served: Any, browser: Any, new_table: Any, language: str) -> None:
    table = bare(played(new_table, LONE))
    table.ask()
    js = phone(browser, served(table), language)
    wait(lambda: js("const n = document.querySelector('#now .no-still'); return n && n.textContent") == GONE[language])
    assert js(PICTURES) == 0 and not js("return document.querySelector('.picture') || document.body.classList.contains('is-pictured')")
    assert GONE[language] in legible(browser, True)
    picture(browser, f"gone-phone-{language}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_past_throw_is_put_right_without_the_picture_that_is_gone(served: Any, browser: Any, new_table: Any, language: str) -> None:
    js = phone(browser, served(bare(played(new_table, LONE))), language)
    for _ in range(2):  # the second time it is known before the sheet opens
        js("document.querySelector('.history button').click()")
        wait(lambda: js("const n = document.querySelector('dialog .no-still'); return n && n.textContent") == GONE[language])
        assert js(PICTURES) == 0 and GONE[language] in legible(browser, True)
        picture(browser, f"gone-sheet-{language}")
        js("document.querySelector('dialog').close()")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_certificate_stands_without_the_picture_that_is_gone(served: Any, browser: Any, new_table: Any, language: str) -> None:
    address = served(bare(ended(played(new_table, LONE))))
    resize(browser, PHONE)
    browser.get(f"{address}/keep/1/certificate?lang={language}")
    wait(lambda: browser.execute_script("return document.readyState") == "complete")
    assert browser.execute_script(PICTURES) == 0
    assert GONE[language] in legible(browser, True)
    picture(browser, f"gone-certificate-{language}")

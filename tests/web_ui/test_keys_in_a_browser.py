"""A presenter's keys in the board's page, in a real browser: edges reach the table in order; a refused press can be read."""

from __future__ import annotations

import queue
from typing import Any

import pytest
from onlooker import wait

BOX = {
    "state": "none",
    "zh": "",
    "en": "",
    "id": None,
    "keys": True,
    "refused": None,
    "call": None,
    "pairing": False,
    "buttons": {"A": "confirm", "B": "undo", "C": "next", "D": "free"},
}
KEY = """
const target = arguments[1] === "blur" ? window : document.body;
target.dispatchEvent(arguments[1] === "blur" ? new Event("blur") : new KeyboardEvent(arguments[1],
  {key: arguments[0], bubbles: true, cancelable: true, repeat: arguments[2] || false, ctrlKey: arguments[3] || false}));
"""


@pytest.fixture
def heard(table: Any) -> queue.Queue[tuple[str, bool | None]]:
    told: queue.Queue[tuple[str, bool | None]] = queue.Queue()
    table.press = lambda button, down, age: told.put((button, down))
    table.set(box=BOX)
    return told


def test_a_presenters_keys_are_buttons(show: Any, table: Any, heard: queue.Queue[Any]) -> None:
    board = show(table)
    for key in ("PageDown", "PageUp", "b", ".", "Enter", " "):
        board.browser.execute_script(KEY, key, "keydown")
        board.browser.execute_script(KEY, key, "keydown", True)  # it repeats while it is held
        board.browser.execute_script(KEY, key, "keyup")
    expected = [(button, down) for button in "ABCCAA" for down in (True, False)]
    assert [heard.get(timeout=20) for _ in expected] == expected


def test_other_keys_shortcuts_and_free_buttons_are_left_alone(show: Any, table: Any, heard: queue.Queue[Any]) -> None:
    board = show(table)
    for key, ctrl in (("F5", False), ("x", False), ("b", True)):
        board.browser.execute_script(KEY, key, "keydown", False, ctrl)
        board.browser.execute_script(KEY, key, "keyup", False, ctrl)
    board.browser.execute_script(KEY, "PageUp", "keydown")
    assert heard.get(timeout=20) == ("B", True)
    board.browser.execute_script(KEY, "", "blur")
    assert heard.get(timeout=20) == ("B", None)


def test_where_keys_are_switched_off_none_is_taken(show: Any, table: Any, heard: queue.Queue[Any]) -> None:
    table.set(box={**BOX, "keys": False})
    board = show(table)
    board.browser.execute_script(KEY, "PageDown", "keydown")
    table.set(box=BOX)
    wait(lambda: board.js("return document.getElementById('box-line').hidden"))
    assert heard.empty()


def test_a_box_that_needs_a_hand_can_be_read(show: Any, table: Any, heard: queue.Queue[Any]) -> None:
    table.set(box={**BOX, "state": "lost", "zh": "盒子断开了：请重新插上", "en": "gone"})
    assert show(table).text("#box-line") == "盒子断开了：请重新插上"


def test_a_press_that_was_refused_can_be_read(show: Any, table: Any, heard: queue.Queue[Any]) -> None:
    refused = {"n": 1, "source": "box", "button": "A", "key": "nothing", "zh": "还没有要确认的一掷", "en": "nothing"}
    table.set(box={**BOX, "refused": refused})
    board = show(table)
    assert board.text("#box-line") == "A · 还没有要确认的一掷"
    assert "A · 还没有要确认的一掷" in board.must_be_legible()

"""No test looks at what another one left open."""

from __future__ import annotations

from typing import Any

import pytest
from onlooker import wait


@pytest.mark.parametrize("turn", ["first", "second"])
def test_every_test_begins_with_an_empty_window(browser: Any, address: str, turn: str) -> None:
    assert browser.current_url == "about:blank"
    assert browser.get_cookies() == browser.get_log("browser") == []
    browser.get(f"{address}/phone?{turn}")
    wait(lambda: browser.execute_script("return document.body.dataset.linked") == "yes")
    browser.execute_script("document.cookie = 'left=behind; path=/'")

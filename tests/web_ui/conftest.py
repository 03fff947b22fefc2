"""What the pages' tests look with, and at: a browser, and servers of scripted and real tables."""

from __future__ import annotations

import itertools
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from onlooker import CHROMIUM_FLAGS, PAGES, Board, end, staying
from scripted_table import FakeTable

from web_ui.app import create_app
from web_ui.server import Server


@pytest.fixture
def table() -> FakeTable:
    """Four players in the middle of a game."""
    middle = itertools.islice(itertools.cycle(["yixiu", "erju", "none", "yixiu", "sijin", "sanhong", "yixiu"]), 19)
    return FakeTable(["甲", "乙", "丙", "丁"]).play(*middle, "sihong", "erju", "sanhong")


@pytest.fixture
def new_table() -> Callable[[list[str]], FakeTable]:
    """Makes further tables with the names given."""
    return FakeTable


@pytest.fixture
def address(table: FakeTable) -> Iterator[str]:
    """A real server on loopback that shows the table."""
    server = Server(create_app(table, places=PAGES), "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.port}"
    for subscription in list(table.subscriptions):
        subscription.close()
    end(server)


@pytest.fixture(scope="session")
def window() -> Iterator[Any]:
    """Debian's Chromium without a window; skips with the line that installs it, which under CI=true is a failure."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("no chromium here: sudo apt-get install chromium chromium-driver")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in [*CHROMIUM_FLAGS, f"--user-data-dir={profile}"]:
            options.add_argument(flag)
        chrome = webdriver.Chrome(options=options, service=Service(driver))
        try:
            yield chrome
        finally:
            chrome.quit()


@pytest.fixture
def browser(window: Any) -> Any:
    """The window as nobody has used it: a page that an earlier test left open goes on asking for its table, and complains that it is gone."""
    window.get("about:blank")
    window.get_log("browser")
    window.execute_cdp_cmd("Network.clearBrowserCookies", {})
    return window


@pytest.fixture
def long_results(browser: Any) -> Iterator[None]:
    """A result stays until it is skipped, so that it can be looked at however busy the machine is."""
    with staying(browser):
        yield


@pytest.fixture
def show(browser: Any, served: Any) -> Callable[..., Board]:
    """Puts a table on the screen."""

    def put(table: Any, *look: Any, hosts: tuple[str, ...] = ()) -> Board:
        return Board(browser, table, served(table, hosts=hosts), *look)

    return put


@pytest.fixture
def served(browser: Any) -> Iterator[Callable[..., str]]:
    """Serves tables for the browser, scripted or real ones; their addresses."""
    opened: list[tuple[Any, Server]] = []

    def serve(table: Any, **more: Any) -> str:
        opened.append((table, Server(create_app(table, places=PAGES, **more), "127.0.0.1", 0)))
        return f"http://127.0.0.1:{opened[-1][1].port}"

    yield serve
    browser.get("about:blank")
    for table, server in opened:
        let_go(table)
        end(server)


def let_go(table: Any) -> None:
    """End the event streams of a table, the scripted or the real one."""
    if isinstance(table, FakeTable):
        for line in list(table.subscriptions):
            line.close()
    else:
        table.release()

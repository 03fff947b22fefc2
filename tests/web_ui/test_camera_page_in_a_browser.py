"""The camera's page in a real browser, on a phone and on a laptop: the rim is dragged, what is wrong is read, nothing runs off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from onlooker import PAGES, complaints, end, resize, wait
from played_desk import RIM, Desk

from web_ui.app import create_app
from web_ui.server import Server
from web_ui.words import LANGUAGES, catalogue

SIZES = {"phone": (390, 844), "laptop": (1280, 800)}
DRAG = """
const dot = document.querySelector('[data-name="middle"]'), overlay = document.getElementById('overlay');
const r = dot.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2;
const give = (target, type, x, y) => target.dispatchEvent(new PointerEvent(type, {bubbles: true, pointerId: 1, clientX: x, clientY: y}));
overlay.setPointerCapture = () => {};
give(dot, 'pointerdown', x, y);
give(overlay, 'pointermove', x + 20, y + 10);
give(overlay, 'pointerup', x + 20, y + 10);
return overlay.getBoundingClientRect().width;
"""


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def address(table: Any, desk: Desk) -> Iterator[str]:
    server = Server(create_app(table, desk=desk, places=PAGES), "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.port}"
    end(server)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_the_page_says_what_to_move_and_fits(browser: Any, address: str, size: str, language: str) -> None:
    browser.get_log("browser")
    resize(browser, SIZES[size])
    browser.get(f"{address}/calibrate?lang={language}")
    wait(lambda: browser.execute_script("return document.querySelectorAll('.marks .is-bad').length") == 1)
    words = browser.execute_script("return document.querySelector('.marks').innerText")
    assert words.splitlines()[1].startswith("Costs most: Bring the camera nearer" if language == "en" else "扣分最多：请把摄像头移近")
    assert words.count("most" if language == "en" else "最多") == 1
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    small = browser.execute_script(
        "return Array.from(document.querySelectorAll('button, input')).filter((b) => b.getClientRects().length && b.offsetHeight < 44).length"
    )
    assert small == 0
    assert complaints(browser) == []


def test_the_rim_is_dragged_and_saved(browser: Any, address: str, desk: Desk) -> None:
    resize(browser, SIZES["phone"])
    browser.get(f"{address}/calibrate?lang=en")
    wait(lambda: browser.execute_script("return !!document.querySelector('[data-name=\"middle\"]')"))
    width = browser.execute_script(DRAG)
    browser.execute_script("document.getElementById('save').click()")
    wait(lambda: len(desk.asked) == 1)
    rim = desk.asked[0]["rim"]
    assert rim["cx"] == pytest.approx(RIM["cx"] + 20 * 640 / width, abs=2)
    assert rim["cy"] == pytest.approx(RIM["cy"] + 10 * 640 / width, abs=2)
    assert rim["major"] == RIM["major"]


WHY = """
const said = document.getElementById('no-picture'), shown = document.getElementById('picture').getClientRects().length;
return said.hidden || shown ? '' : said.textContent;
"""
WORKS = "return Array.from(document.querySelectorAll('.step button')).filter((b) => !b.disabled).map((b) => b.textContent)"


@pytest.mark.parametrize(
    ("source", "demo", "said"),
    [(None, False, "There is no camera yet"), ("usb-Lamp_1", False, "No picture comes"), (None, True, "The demo plays a recording")],
)
def test_without_a_picture_the_true_reason_is_said_and_no_button_promises_more(
    browser: Any, table: Any, address: str, desk: Desk, source: Any, demo: bool, said: str
) -> None:
    seen = desk.view()
    desk.view = lambda: {**seen, "source": source, "size": None, "calibration": None}  # type: ignore[method-assign]
    table.set(demo=demo)
    browser.get_log("browser")
    browser.get(f"{address}/calibrate?lang=en")
    wait(lambda: browser.execute_script(WHY).startswith(said))
    assert browser.execute_script(WORKS) == ["Lamp", "Use this", "Look again"]
    assert complaints(browser) == []


CHOICES = "return document.querySelector('#steps .step').innerText"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("source", "recording", "demo", "key"), [
    ("party.mp4", True, False, "calibrate.recording"), (None, False, True, "calibrate.no_camera_demo"),
    ("usb-Lamp_1", False, False, "calibrate.none"), (None, False, False, "calibrate.none"),
])  # fmt: skip
def test_that_no_camera_is_plugged_in_is_said_only_where_one_is_missed(
    browser: Any, table: Any, address: str, desk: Desk, source: str | None, recording: bool, demo: bool, key: str, language: str
) -> None:
    seen = desk.view()
    desk.view = lambda: {**seen, "source": source, "recording": recording, "cameras": [], "calibration": None}  # type: ignore[method-assign]
    table.set(demo=demo)
    browser.get_log("browser")
    browser.get(f"{address}/calibrate?lang={language}")
    words = catalogue(language)
    wait(lambda: words[key].replace("{source}", str(source)) in browser.execute_script(CHOICES))
    assert (words["calibrate.none"] in browser.execute_script(CHOICES)) == (key == "calibrate.none")


def test_a_third_page_is_told_that_two_watch_already(browser: Any, address: str, desk: Desk) -> None:
    desk.full = True
    browser.get(f"{address}/calibrate?lang=en")
    wait(lambda: browser.execute_script(WHY) == "Two pages watch the camera already: close one")
    browser.get("about:blank")
    browser.get_log("browser")


def test_after_a_knock_the_phone_calibrates_again_with_one_tap(browser: Any, table: Any, address: str, desk: Desk) -> None:
    table.set(notice={"key": "bumped", "zh": "摄像头被碰过：请重新校准", "en": "the camera was moved: calibrate again", "action": "recalibrate"})
    browser.get_log("browser")
    resize(browser, SIZES["phone"])
    browser.get(f"{address}/phone?lang=en")
    wait(lambda: browser.execute_script("return !!document.querySelector('#top-notice button')"))
    browser.execute_script("document.querySelector('#top-notice button').click()")
    wait(lambda: len(desk.asked) == 1)
    assert desk.asked == [{"do": "recalibrate"}]

"""An evening of three hundred throws on one page, and what is heard of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import evening
import pytest
from onlooker import wait

from device.table import Table

# notes every stored event that reaches the page
LISTEN = """
window.seqs = [];
const Real = window.EventSource;
window.EventSource = function (url) {
  const source = new Real(url);
  source.addEventListener('stored', (e) => window.seqs.push(Number(e.lastEventId)));
  return source;
};
"""
# an audio machine that only writes down what it is asked to sound
AUDIO = """
window.tones = []; window.spoken = []; window.gains = [];
const param = () => ({value: 0, setValueAtTime(v) { this.value = v; }, exponentialRampToValueAtTime() {}});
window.AudioContext = function () {
  this.state = arguments.length || window.startsSuspended ? 'suspended' : 'running';
  this.currentTime = 0; this.destination = {};
  this.resume = () => { this.state = 'running'; return Promise.resolve(); };
  this.createGain = () => { const g = {gain: param(), connect() {}, disconnect() {}}; window.gains.push(g); return g; };
  this.createOscillator = () => { const o = {frequency: param(), connect() {}, disconnect() {}, start() { window.tones.push([o.type, o.frequency.value]); }, stop() {}}; return o; };
};
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
Object.defineProperty(window, 'speechSynthesis', {value: {
  getVoices: () => [{localService: false, lang: 'zh-CN', name: 'far'}, {localService: window.hasVoice !== false, lang: 'zh-CN', name: 'near'}],
  cancel() {}, speak: (u) => window.spoken.push([u.text, u.voice.name])}});
"""
THROWS = {
    "none": [1, 2, 3, 3, 5, 6],
    "yixiu": [4, 1, 2, 3, 3, 6],
    "sihong": [4, 4, 4, 4, 2, 5],
    "liubohei": [6] * 6,
}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A real table with three players."""
    made = evening.new_table(tmp_path)
    evening.give(made, "start", players=["甲", "乙", "丙"])
    yield made
    made.close()


@pytest.fixture
def prepared(browser: Any) -> Iterator[Any]:
    """Runs scripts before those of the page."""
    added: list[str] = []

    def add(script: str) -> None:
        answer = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        added.append(answer["identifier"])

    yield add
    for identifier in added:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": identifier})


def used(browser: Any) -> tuple[int, int]:
    """Bytes of the page's own memory and its nodes, what nobody holds any more left out."""
    for _ in range(2):
        browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    browser.execute_cdp_cmd("Performance.enable", {})
    metrics = {m["name"]: m["value"] for m in browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
    return int(metrics["JSHeapUsedSize"]), int(metrics["Nodes"])


def test_three_hundred_throws_leave_memory_steady_and_drop_no_event(show: Any, table: Table, prepared: Any) -> None:
    prepared(LISTEN)
    board = show(table)
    first = table.state()["version"] + 1
    seen = []
    for part in range(3):
        for k in range(100):
            evening.give(table, "throw", dice=THROWS["none" if k % 5 else "yixiu"])
            if k == 50:
                table.release()  # the line is cut in the middle
        version = table.state()["version"]
        wait(lambda version=version: board.js("return window.seqs[window.seqs.length - 1]") == version)
        wait(lambda: board.js("return document.querySelector('.result').dataset.throw") == str(table.state()["throws"]))
        board.browser.execute_script("document.dispatchEvent(new Event('x'))")
        seen.append(used(board.browser))
        assert part == len(seen) - 1
    assert board.js("return window.seqs") == list(range(first, first + 300))
    assert seen[2][0] < seen[0][0] * 1.25 + 500_000, seen
    assert seen[2][1] < seen[0][1] * 1.25 + 300, seen


def test_each_hand_has_its_tune_and_the_champion_a_gong(show: Any, table: Table, prepared: Any) -> None:
    prepared(AUDIO)
    board = show(table)
    counts = {}
    for kind in ("none", "yixiu", "sihong"):
        board.js("window.tones.length = 0; window.spoken.length = 0")
        name = table.state()["turn"]["name"]
        evening.give(table, "throw", dice=THROWS[kind])
        wait(lambda: board.js("return window.spoken.length"))
        counts[kind] = board.js("return window.tones.length")
        text, voice = board.js("return window.spoken[0]")
        assert voice == "near" and text.startswith(name)
    assert counts["none"] < counts["yixiu"] < counts["sihong"]
    low = board.js("return window.tones.filter((t) => t[0] === 'sine' && t[1] < 110).length")
    assert low > 0, "a gong is low"


def test_a_voice_elsewhere_is_never_used_and_mute_is_mute(show: Any, table: Table, prepared: Any) -> None:
    prepared("window.hasVoice = false;" + AUDIO)
    board = show(table)
    evening.give(table, "throw", dice=THROWS["yixiu"])
    wait(lambda: board.js("return window.tones.length"))
    assert board.js("return window.spoken.length") == 0
    evening.give(table, "tv", mute=True)
    wait(lambda: board.js("return window.gains[0].gain.value") == 0)
    board.js("window.tones.length = 0")
    evening.give(table, "throw", dice=THROWS["yixiu"])
    wait(lambda: board.js("return document.querySelector('.result').dataset.throw") == "2")
    assert board.js("return window.tones.length") == 0
    evening.give(table, "tv", mute=False, volume=50)
    wait(lambda: board.js("return window.gains[0].gain.value") == 0.25)


def test_the_click_is_asked_for_only_where_the_browser_needs_it(show: Any, table: Table, prepared: Any) -> None:
    prepared("window.startsSuspended = true;" + AUDIO)
    board = show(table)
    assert board.text("#unmute") == "点一下屏幕，打开声音"
    board.must_be_legible()
    board.js("document.body.click()")
    wait(lambda: board.text("#unmute") == "")


def test_where_sound_runs_nobody_is_asked_to_click(show: Any, table: Table) -> None:
    assert show(table).text("#unmute") == ""


def test_fairness_is_the_chi_squared_of_five_degrees(show: Any, table: Table) -> None:
    board = show(table)
    found = board.browser.execute_async_script(
        "const done = arguments[0]; import('/static/js/odds.js').then((m) => done([m.survival(9.236), m.survival(11.070),"
        " m.survival(15.086), m.fairness([10, 10, 10, 10, 10, 10]), m.fairness([30, 5, 5, 5, 5, 10]), m.fairness([1, 1, 1, 1, 1, 1])]))"
    )
    assert found[:3] == pytest.approx([0.10, 0.05, 0.01], abs=2e-4)
    assert [one["verdict"] for one in found[3:]] == ["fair", "rare", "few"]
    assert found[4]["chi"] == pytest.approx(50.0)

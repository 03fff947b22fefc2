"""What `bobing run` says at its start: what it does not use, and what it can't find; the board is served all the same."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from device.cli.appliance import _Stopping

ROOT = Path(__file__).resolve().parents[2]


class Said:
    """One `bobing run` and the lines that it says."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "bobing.py"), "run", "--port", "0", *words], stderr=subprocess.PIPE, text=True
        )
        self.lines: list[str] = []
        self.address = ""

    def until(self, word: str) -> str:
        """The next line with this word in it; the lines before it are kept."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line)
            if "http://" in line:
                self.address = line.split("http://")[1].split("/")[0]
            if word in line:
                return line
        raise AssertionError(f"{word!r} was never said: {self.lines}")

    def state(self) -> Any:
        with urllib.request.urlopen(f"http://{self.address}/api/state", timeout=60) as answer:
            return json.load(answer)

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Any]:
    running: list[Said] = []

    def one(*words: str) -> Said:
        running.append(Said("--data", str(tmp_path / "table"), *words))
        return running[-1]

    yield one
    for each in running:
        each.end()


def test_players_and_rules_that_are_not_used_are_said_with_what_to_do(run: Any) -> None:
    first = run("--players", "甲,乙")
    first.until("the board is at")
    assert not any("not used" in line for line in first.lines)
    first.end()
    same = run("--players", "乙,甲", "--rules", "xiamen")
    same.until("the board is at")
    assert not any("not used" in line for line in same.lines)
    same.end()
    other = run("--players", "丙,丁", "--rules", "chase")
    line = other.until("not used")
    assert all(word in line for word in ("--players", "--rules", "甲、乙", "xiamen", "--data"))
    other.until("the board is at")
    assert [player["name"] for player in other.state()["players"]] == ["甲", "乙"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--source", "nosuch.mp4"), "nosuch.mp4"),
        (("--source", "97"), "camera 97"),
        (("--box", "/dev/ttyNoSuchBox"), "/dev/ttyNoSuchBox"),
    ],
)
def test_what_is_not_there_is_one_plain_line_and_the_game_goes_on_by_hand(run: Any, words: tuple[str, ...], said: str) -> None:
    table = run("--players", "甲,乙", *words)
    line = table.until(said)
    assert line.startswith("bobing: ") and ("by hand" in line or "plug" in line)
    if not table.address:
        table.until("the board is at")
    assert table.state()["phase"] == "throw"


def test_a_calibration_that_is_not_there_is_one_plain_line(run: Any, tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "bobing.toml").write_text('[camera]\ncalibration = "nosuch.calibration"\n', encoding="utf-8")
    table = run("--players", "甲,乙")
    assert "bobing calibrate" in table.until("nosuch.calibration")
    assert table.state()["phase"] == "throw"


@pytest.mark.skipif(sys.platform == "win32", reason="signals to one thread are POSIX's")
def test_whoever_wants_it_to_end_is_heard_whichever_thread_the_signal_comes_to() -> None:
    for which in (signal.SIGTERM, signal.SIGINT):
        with ExitStack() as ending:
            stopping = _Stopping(ending)
            other = threading.Thread(target=lambda which=which: signal.pthread_kill(threading.get_ident(), which))
            other.start()
            other.join()  # it has come before anybody waits
            stopping.wait()
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL

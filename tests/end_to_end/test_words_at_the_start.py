"""What `bobing run` says at its start: what it does not use, and what it can't find; the board is served all the same."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import bobing
from device.cli.appliance import _Stopping
from device.config import Config
from web_ui import server

ROOT = Path(__file__).resolve().parents[2]


class Said:
    """One `bobing run` and the lines that it says."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "bobing.py"), "run", "--port", "0", *words], stderr=subprocess.PIPE, text=True
        )
        self.lines: list[str] = []
        self.address = ""
        self.rest = ""

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

    def post(self, **body: Any) -> tuple[int, Any]:
        """A command for the state as it is now: the status and what is answered."""
        content = json.dumps({"version": self.state()["version"], **body}).encode()
        request = urllib.request.Request(f"http://{self.address}/api/commands", content, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.rest += self.process.communicate(timeout=60)[1] or ""


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


def test_players_and_rules_of_the_settings_that_are_not_used_are_said_like_those_of_the_command_line(run: Any, tmp_path: Path) -> None:
    settings = tmp_path / "table" / "bobing.toml"
    settings.parent.mkdir()

    def started(table: str, said: tuple[str, ...], *words: str) -> Said:
        settings.write_text(f"[table]\n{table}\n", encoding="utf-8")
        running: Said = run(*words)
        running.until("the board is at")
        lines = [line for line in running.lines if "not used" in line]
        assert len(lines) == (1 if said else 0)
        assert all(word in lines[0] for word in said)
        return running

    chase, both = 'rules = "chase"', 'players = ["甲", "乙 "]'
    running = started(f"{chase}\n{both}", ())
    assert running.post(command="throw", dice=[4, 4, 4, 1, 2, 3])[0] == 200
    assert running.post(command="player", add={"name": "丙"})[0] == 200
    running.end()
    started(f"{chase}\n{both}", ()).end()  # somebody has come since: it is the same game
    started(chase, ()).end()
    started('language = "en"', ()).end()  # says nothing of rules
    words = ("a game of", "甲", "乙", "丙", "by the rules chase is going on here (1 throw);", "on the phone")
    started('rules = "xiamen"', (f"bobing: the rules of {settings} are not used: ", *words)).end()
    started('players = ["丁", "戊"]', (f"bobing: the players of {settings} are not used: ", *words)).end()
    started('rules = "xiamen"\nplayers = ["丁", "戊"]', (f"the players and the rules of {settings} are not used: ", *words)).end()
    started('rules = "xiamen"', (f"bobing: --players and the rules of {settings} are not used: ", *words), "--players", "丁,戊").end()
    started('rules = "xiamen"', ("bobing: --rules is not used: ", *words), "--rules", "short").end()
    started('rules = "xiamen"', (), "--rules", "chase")


@pytest.mark.skipif(sys.platform != "linux", reason="where nobody may make a folder is a place of Linux's")
@pytest.mark.parametrize(
    ("folder", "key", "words"), [("/proc/bobing-evening", "folder_not_made", "can't be made"), ("/proc", "folder_not_writable", "can't write in")]
)
def test_a_demo_says_that_no_game_can_be_played_after_it_and_a_start_is_refused_in_both_languages(run: Any, folder: str, key: str, words: str) -> None:
    demo = run("--data", folder)
    line = demo.until("no game of your own")
    assert words in line and folder in line and "--data" in line
    demo.until("the board is at")
    for _ in range(2):
        status, told = demo.post(command="start", players=["甲", "乙"])
        assert (status, told["key"]) == (400, key)
        assert words in told["en"] and folder in told["en"] and folder in told["zh"] and "--data" in told["zh"]
    assert demo.state()["demo"]
    demo.end()
    assert not any("Traceback" in line for line in [*demo.lines, demo.rest])


def test_a_demo_in_a_folder_that_can_be_made_says_nothing_of_it_and_makes_none(run: Any, tmp_path: Path) -> None:
    demo = run()
    demo.until("the board is at")
    assert not any("no game of your own" in line for line in demo.lines)
    assert not (tmp_path / "table").exists()


def test_a_start_that_failed_in_the_world_can_be_given_again_when_that_is_mended(run: Any, tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "stills").write_text("in the way")
    demo = run()
    demo.until("the board is at")
    status, told = demo.post(command="start", players=["甲", "乙"])
    assert (status, told["key"]) == (503, "stills_unwritable")
    (tmp_path / "table" / "stills").unlink()
    status, told = demo.post(command="start", players=["甲", "乙"])
    assert status == 200 and not told["demo"]


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


def test_house_rules_beside_the_settings_are_the_tables_wherever_it_is_started_from(run: Any, tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "bobing.toml").write_text('[table]\nrules = "house.toml"\nplayers = ["甲", "乙"]\n', encoding="utf-8")
    (tmp_path / "table" / "house.toml").write_text('preset = "chase"\nsets = 2\n', encoding="utf-8")
    table = run()
    table.until("the board is at")
    state = table.state()
    assert state["phase"] == "throw" and (state["rules"]["preset"], state["rules"]["switches"]["sets"]) == ("chase", 2)


def test_a_table_that_others_may_look_at_says_where_they_find_it_after_where_this_machine_does(run: Any) -> None:
    table = run("--players", "甲,乙", "--host", "0.0.0.0")
    assert "http://127.0.0.1:" in table.until("the board is at")
    assert table.state()["phase"] == "throw"
    port = table.address.partition(":")[2]
    line = table.until("phones and TVs")
    assert (line.rstrip().endswith(f":{port}/") and table.state()["phase"] == "throw") or "in no network" in line


@pytest.mark.parametrize(
    ("host", "secure", "there"),
    [("0.0.0.0", False, "http://192.0.2.2:8166/"), ("0.0.0.0", True, "https://192.0.2.2:8166/"), ("::", False, "http://192.0.2.2:8166/"),
     ("192.0.2.7", False, "http://192.0.2.7:8166/"), ("127.0.0.1", False, None)],
)  # fmt: skip
def test_others_are_sent_to_an_address_of_this_machine_that_is_not_its_own_alone(
    host: str, secure: bool, there: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = ["127.0.1.1", "192.0.2.2", "2001:db8::2", "table", "table.local"]
    monkeypatch.setattr(server, "own_names", lambda host: every if host in ("0.0.0.0", "::") else [host])
    pair = {"certificate": "table.pem", "key": "table.key"} if secure else {}
    assert bobing._elsewhere(Config(host=host, **pair), 8166) == there


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

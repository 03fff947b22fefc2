"""The appliance as a process: played over HTTP, killed in the middle, started again: the same board."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
THROWS = [
    [4, 4, 4, 1, 2, 3],
    [4, 1, 2, 3, 5, 5],
    [1, 2, 3, 4, 5, 6],
    [4, 4, 4, 4, 2, 5],
    [2, 2, 2, 2, 4, 4],
    [1, 1, 2, 2, 3, 3],
]


class Running:
    """One `bobing run`, on a port of its own choice."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "bobing.py"), "run", "--port", "0", *words], stderr=subprocess.PIPE, text=True
        )
        self.address = ""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            found = re.search(r"http://\S+?/", line)
            if found:
                self.address = found.group()
                break
        assert self.address, "the appliance printed no address"

    def get(self, path: str) -> Any:
        """JSON from a path."""
        with urllib.request.urlopen(self.address + path) as answer:
            return json.load(answer)

    def give(self, command: str, **more: Any) -> tuple[int, Any]:
        """Status and answer of a command for the state as it is."""
        body = {"command": command, "version": self.get("api/state")["version"], **more}
        request = urllib.request.Request(
            self.address + "api/commands", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as fault:
            return fault.code, json.load(fault)

    def end(self, how: signal.Signals) -> int:
        """End the process; returns its exit status."""
        self.process.send_signal(how)
        with contextlib.suppress(ValueError):
            self.process.communicate(timeout=60)
        return self.process.returncode


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Any]:
    """Starts appliances on this test's data folder and makes sure that none is left."""
    running: list[Running] = []

    def start(*words: str) -> Running:
        running.append(Running("--data", str(tmp_path), *words))
        return running[-1]

    yield start
    for one in running:
        if one.process.poll() is None:
            one.end(signal.SIGKILL)


def board(state: dict[str, Any]) -> dict[str, Any]:
    """The state without what is computed in the background."""
    return {key: value for key, value in state.items() if key not in ("odds", "notice")}


def test_after_a_kill_in_the_middle_of_a_game_the_board_is_the_same(evening: Any) -> None:
    first = evening("--players", "甲,乙,丙")
    for dice in THROWS:
        assert first.give("throw", dice=dice)[0] == 200
    assert first.give("correct", throw=2, dice=[4, 4, 2, 3, 5, 5])[0] == 200
    assert first.give("undo")[0] == 200
    before = first.get("api/state")
    first.end(signal.SIGKILL)
    second = evening()
    after = second.get("api/state")
    assert board(after) == board(before)
    assert after["throws"] == len(THROWS)
    assert second.give("redo")[1]["history"][-2]["kind"] == "erju"


def test_a_polite_end_is_no_fault_and_loses_nothing(evening: Any) -> None:
    first = evening("--players", "甲,乙")
    assert first.give("throw", dice=THROWS[0])[0] == 200
    assert first.end(signal.SIGTERM) == 0
    assert evening().get("api/state")["last"]["kind"] == "sanhong"


def test_two_appliances_can_not_write_one_journal(evening: Any, tmp_path: Path) -> None:
    evening("--players", "甲,乙")
    second = subprocess.run(
        [sys.executable, str(ROOT / "bobing.py"), "run", "--port", "0", "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 1
    assert len(second.stderr.strip().splitlines()) == 1


def test_a_set_up_table_without_a_camera_goes_on_by_hand_and_never_with_demo_throws(evening: Any) -> None:
    state = evening("--players", "甲,乙", "--source", "/dev/none").get("api/state")
    assert state["demo"] is False
    assert state["turn"]["name"] == "甲"


def test_a_fresh_install_plays_the_demo_and_gives_way_to_the_first_real_game(evening: Any, tmp_path: Path) -> None:
    first = evening()
    assert first.get("api/state")["demo"] is True
    status, state = first.give("start", players=["甲", "乙"])
    assert status == 200
    assert state["demo"] is False and state["turn"]["name"] == "甲"
    assert first.give("throw", dice=THROWS[0])[0] == 200
    first.end(signal.SIGKILL)
    again = evening().get("api/state")
    assert again["demo"] is False
    assert again["throws"] == 1


def test_a_command_for_an_old_state_is_409_with_the_new_state_and_nonsense_is_400(evening: Any) -> None:
    table = evening("--players", "甲,乙")
    old = table.get("api/state")["version"]
    assert table.give("throw", dice=THROWS[0])[0] == 200
    body = json.dumps({"command": "throw", "version": old, "dice": THROWS[1]}).encode()
    request = urllib.request.Request(table.address + "api/commands", body, {"Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(request)
    assert refusal.value.code == 409
    assert json.load(refusal.value)["state"]["throws"] == 1
    assert table.give("throw", dice=[7])[0] == 400

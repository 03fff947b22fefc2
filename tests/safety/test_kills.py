"""The plug is pulled at any moment of a running game: every throw that was answered is there, none twice."""

from __future__ import annotations

import random
import signal
import threading
import time
import urllib.error
from http.client import HTTPException
from pathlib import Path
from typing import Any

from appliance import THROWS, Appliance

RESTART_S = 5.0


class Hand:
    """Somebody who plays on as fast as the table answers, and remembers what it answered."""

    def __init__(self, table: Appliance, chance: random.Random) -> None:
        self.table, self.chance = table, chance
        self.answered: dict[str, Any] | None = None
        self.asked = 0
        self._going = threading.Condition()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def begin(self) -> Hand:
        self._thread.start()
        return self

    def until(self, asked: int) -> None:
        """Returns as the hand's command of this number is on its way."""
        with self._going:
            assert self._going.wait_for(lambda: self.asked >= asked or not self._thread.is_alive(), timeout=60)

    def stop(self) -> None:
        self._thread.join(timeout=60)

    def _play(self) -> None:
        try:
            while True:
                command: dict[str, Any] = {"command": "undo"}
                if self.chance.random() < 0.85:
                    command = {"command": "throw", "dice": self.chance.choice(THROWS)}
                command["version"] = self.table.get("/api/state")["version"]
                with self._going:
                    self.asked += 1
                    self._going.notify_all()
                status, state = self.table.post("/api/commands", command)
                if status == 200:
                    self.answered = state
        except (OSError, urllib.error.URLError, HTTPException, ValueError):
            return  # the plug was pulled


def told(state: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The throws of a state, oldest first."""
    return [(t["number"], t["player"], tuple(t["dice"] or ()), t["jump"]) for t in reversed(state["history"])]


def test_after_a_kill_at_any_moment_every_answered_throw_is_there_and_none_twice(
    tmp_path: Path, count: Any, figure: Any
) -> None:
    chance = random.Random(2026)
    kills, longest, acts = count(2, 300), 0.0, 0
    # a long game: the evening goes on over many kills
    (tmp_path / "bobing.toml").write_text('[table]\nplayers = ["甲", "乙", "丙"]\nrules = "contest"\n', encoding="utf-8")
    before: dict[str, Any] | None = None
    for number in range(kills):
        begun = time.monotonic()
        table = Appliance(tmp_path)
        state = table.get("/api/state")
        took = time.monotonic() - begun
        longest = max(longest, took)
        if before is not None:
            # at most the one command that was under way has come to it, whole
            assert state["version"] - before["version"] in (0, 1, 2)
            if state["version"] == before["version"]:
                assert told(state) == told(before) and state["players"] == before["players"]
            else:
                assert abs(state["throws"] - before["throws"]) <= 1
                known = {throw[0]: throw for throw in told(before)}
                both = min(state["throws"], before["throws"])
                assert all(known.get(throw[0], throw) == throw for throw in told(state) if throw[0] <= both)
        assert [t[0] for t in told(state)] == sorted({t[0] for t in told(state)})
        if state["phase"] in ("over", "lobby"):
            status, state = table.give("start", players=["甲", "乙", "丙"], rules="contest")
            assert status == 200
        hand = Hand(table, random.Random(number)).begin()
        hand.until(chance.randrange(1, 60))
        table.end(signal.SIGKILL)
        hand.stop()
        acts += hand.asked
        before = hand.answered or state
    table = Appliance(tmp_path)
    assert table.get("/api/state")["version"] >= (before or {"version": 0})["version"]
    assert table.get("/healthz")["journal"] == "ok"
    table.end()
    assert not list(tmp_path.glob("*.damaged-*"))
    figure(f"{kills} kills in {acts} commands: nothing lost, nothing twice; the longest restart {longest:.1f} s")
    if kills > 20:
        assert longest <= RESTART_S


def test_the_restart_under_open_pages_brings_them_back_with_what_they_missed(tmp_path: Path) -> None:
    from crowd import Crowd

    table = Appliance(tmp_path, "--players", "甲,乙")
    crowd = Crowd("127.0.0.1", table.port)
    [viewer] = crowd.come(1, after=0)
    table.give("throw", dice=THROWS[0])
    crowd.until(lambda: viewer.told == [1, 2])
    table.end(signal.SIGKILL)
    crowd.until(lambda: viewer.ended)
    again = Appliance(tmp_path)
    again.give("throw", dice=THROWS[1])
    back = Crowd("127.0.0.1", again.port)
    [returned] = back.come(1, after=viewer.told[-1])
    back.until(lambda: returned.told == [3])
    again.end()

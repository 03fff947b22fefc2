"""Plays the part of the people while the demo runs: starts games and answers questions, after a while to look at them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from device.errors import Refused, Stale
from device.table import Table

PLAYERS = ("阿公", "阿嬷", "志明", "春娇", "小美")
ANSWER_AFTER_S = 6.0
RESTART_AFTER_S = 15.0
STEP_S = 0.5


class HeldClock:
    """A clock that stands still while `held`: the people of the demo wait with the next throw until a question is answered."""

    def __init__(self, clock: Callable[[], float], held: Callable[[], bool]) -> None:
        self._clock = clock
        self._held = held
        self._last = clock()
        self._stood = 0.0

    def __call__(self) -> float:
        """Seconds, those spent waiting left out."""
        now = self._clock()
        if self._held():
            self._stood += now - self._last
        self._last = now
        return now - self._stood


def waits_for(state: dict[str, Any]) -> str:
    """What a person would be thinking about: further throws behind an open question do not start it anew."""
    return f"{state['phase']}:{state['question']['id'] if state['question'] else state['version']}"


class DemoDirector:
    """Runs on a thread of its own until `close`. wait(seconds) → True when it is time to stop."""

    def __init__(self, table: Table, wait: Callable[[float], bool] | None = None) -> None:
        self._table = table
        self._stop = threading.Event()
        self._wait = wait or self._stop.wait
        self._thread = threading.Thread(target=self.run, name="demo", daemon=True)

    def open(self) -> DemoDirector:
        """Start a game and go on."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop playing."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def run(self) -> None:
        """Look at the table twice a second; act when a person would long have acted."""
        seen, since = "", 0.0
        while not self._wait(STEP_S):
            state = self._table.state()
            now = waits_for(state)
            since = since + STEP_S if now == seen else 0.0
            seen = now
            self.act(state, since)

    def act(self, state: dict[str, Any], since: float) -> None:
        """What to do in this state that has lasted for `since` seconds."""
        if state["phase"] == "lobby" or (state["phase"] == "over" and since >= RESTART_AFTER_S):
            self._give(state, "start", players=list(PLAYERS))
        elif state["phase"] == "question" and since >= ANSWER_AFTER_S:
            question = state["question"]
            if question["about"] is not None or question["verdict"] in ("cocked", "incomplete"):
                self._give(state, "rethrow")
            elif question["verdict"] == "jump":
                self._give(state, "jump")
            elif len(question["values"]) == 6:
                self._give(state, "confirm")
            else:
                self._give(state, "rethrow")

    def _give(self, state: dict[str, Any], command: str, **more: Any) -> None:
        with suppress(Refused, Stale):  # a person was quicker
            self._table.command({"command": command, "version": state["version"], **more})

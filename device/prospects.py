"""What may still come in a game: the odds of its rules at once, the number of throws to expect once that is worked out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from rules.bobing.game import Game
from rules.bobing.odds import Forecast, Odds

REST_S = 0.001
"""After each slice of the work: the table and its pages come first."""


class Prospects:
    """Of one game at a time; `look` takes up another. Nothing is worked out before `begin`."""

    def __init__(self, ready: Callable[[], None] = lambda: None, rest: Callable[[], None] = lambda: time.sleep(REST_S)) -> None:
        """ready: called, on the thread that worked it out, once `expected` has something to tell."""
        self.odds: Odds | None = None
        self._forecast: Forecast | None = None
        self._ready = ready
        self._rest = rest
        self._begun = False

    def look(self, game: Game | None) -> None:
        """Take up another game."""
        self.odds = None if game is None else Odds(game.rules)
        self._forecast = None
        if self._begun:
            self._solve()

    def begin(self) -> None:
        """Work out the throws to expect, for this game and for every later one."""
        if not self._begun:
            self._begun = True
            self._solve()

    def expected(self, game: Game | None) -> float | None:
        """The number of throws to expect; None while it is worked out."""
        return None if game is None or self._forecast is None else self._forecast.expected_throws(game.ledger)

    def _solve(self) -> None:
        """On a thread of its own, since it may take seconds."""
        odds = self.odds
        if odds is None:
            return

        def solve() -> None:
            forecast = Forecast(odds)
            for _ in forecast.solving():
                if self.odds is not odds:
                    return  # another game has begun
                self._rest()
            if self.odds is odds:
                self._forecast = forecast
                self._ready()

        threading.Thread(target=solve, name="forecast", daemon=True).start()

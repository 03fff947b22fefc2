"""What may still come in a game: the odds of its rules at once, the number of throws to expect once that is worked out."""

from __future__ import annotations

import threading

from rules.bobing.game import Game
from rules.bobing.odds import Forecast, Odds


class Prospects:
    """Of one game at a time; `look` begins anew."""

    def __init__(self) -> None:
        self.odds: Odds | None = None
        self._forecast: Forecast | None = None

    def look(self, game: Game | None) -> None:
        """Take up another game; the forecast is solved on a thread of its own, since it may take seconds."""
        self.odds = None if game is None else Odds(game.rules)
        self._forecast = None
        if self.odds is None or game is None:
            return
        forecast = Forecast(self.odds)

        def solve() -> None:
            forecast.expected_throws(game.ledger)
            self._forecast = forecast

        threading.Thread(target=solve, name="forecast", daemon=True).start()

    def expected(self, game: Game | None) -> float | None:
        """The number of throws to expect; None while it is worked out."""
        return None if game is None or self._forecast is None else self._forecast.expected_throws(game.ledger)

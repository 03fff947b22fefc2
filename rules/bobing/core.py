"""The steps of a game and whose turn it is: what undo restores."""

from __future__ import annotations

from dataclasses import dataclass

from .award import Outcome
from .events import Event
from .ledger import OVER, Ledger, Seat


@dataclass(frozen=True, slots=True)
class Step:
    """An event of the game with what it led to; outcome only for a throw.

    turn: whose turn it was when it happened. skipped: for a throw or pass, whose skips were used up just before it. Both
    stay as they happened, whatever is corrected later.
    """

    event: Event
    ledger: Ledger
    outcome: Outcome | None
    turn: str | None
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Core:
    """What undo restores: the steps so far and whose turn it is in normal play (None after a throw that ended the game)."""

    start: Ledger
    steps: tuple[Step, ...] = ()
    turn: str | None = None

    @property
    def ledger(self) -> Ledger:
        """The ledger of this moment."""
        return self.steps[-1].ledger if self.steps else self.start

    @property
    def thrower(self) -> str | None:
        """Whose throw comes next; None when the game is over or nobody throws."""
        ledger = self.ledger
        if ledger.phase == OVER:
            return None
        if ledger.extra is not None:
            return ledger.extra.queue[0] if ledger.extra.queue else None
        return self.turn

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What became of each throw that stands, in order."""
        return tuple(step.outcome for step in self.steps if step.outcome is not None)

    def step_of_throw(self, number: int) -> int | None:
        """Index of the step that holds the throw with this number (from 1)."""
        for i, step in enumerate(self.steps):
            if step.outcome is not None and step.outcome.number == number:
                return i
        return None

    def seats_at_throw(self, number: int) -> tuple[Seat, ...]:
        """Who sat at the table when the throw with this number was made; nobody where there is no such throw."""
        at = self.step_of_throw(number)
        return () if at is None else self.steps[at].ledger.seats

"""A game as a value: its steps, whose turn it is, and what undo and redo lead to. `evolve` folds one event into it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .core import Core, Step
from .events import Event, Paused, Prize, Redone, Resumed, Started, TakenBack, ThrowCorrected, Undone
from .houserules import HouseRules
from .ledger import OVER, Ledger, opened
from .turns import corrected, played, taken_back

__all__ = ["Core", "Game", "Past", "Step", "evolve"]


@dataclass(frozen=True, slots=True)
class Past:
    """The cores before each undoable event: a linked list, so that a long game costs a pointer an event."""

    core: Core
    earlier: Past | None


@dataclass(frozen=True, slots=True)
class Game:
    """A running or finished game; None stands for the table before its first game."""

    rules: HouseRules
    core: Core
    prizes: tuple[tuple[str, Prize], ...] = ()
    first: str = ""
    paused: bool = False
    past: Past | None = field(default=None, compare=False, repr=False)
    future: Past | None = field(default=None, compare=False, repr=False)

    @property
    def ledger(self) -> Ledger:
        """The ledger of this moment."""
        return self.core.ledger

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.core.ledger.phase == OVER


def evolve(game: Game | None, event: Event) -> Game:
    """The game after an event; a `Started` begins a new one whatever was before."""
    if isinstance(event, Started):
        core = Core(opened(event.rules, event.players), (), event.players[0][0])
        return Game(event.rules, core, event.prizes, event.first)
    if game is None:
        raise TypeError("a game starts with Started")
    match event:
        case Paused() | Resumed():
            return replace(game, paused=isinstance(event, Paused))
        case Undone():
            past = game.past
            if past is None:
                return game
            return replace(game, core=past.core, past=past.earlier, future=Past(game.core, game.future))
        case Redone():
            future = game.future
            if future is None:
                return game
            return replace(game, core=future.core, future=future.earlier, past=Past(game.core, game.past))
    core = _changed(game.core, event, game.rules)
    if not event.undoable:
        return replace(game, core=core)
    return replace(game, core=core, past=Past(game.core, game.past), future=None)


def _changed(core: Core, event: Event, rules: HouseRules) -> Core:
    match event:
        case ThrowCorrected():
            return corrected(core, event, rules)
        case TakenBack():
            return taken_back(core, rules)
    return played(core, event, rules)

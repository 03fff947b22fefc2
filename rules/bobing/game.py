"""A game as a value: its steps, whose turn it is, and what undo and redo lead to. `evolve` folds one event into it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .award import Outcome
from .events import (
    Event,
    Passed,
    Paused,
    PlayerLeft,
    PlayerSatOut,
    Prize,
    Redone,
    Resumed,
    SkipUsed,
    Started,
    TakenBack,
    ThrowCorrected,
    Thrown,
    TimeUp,
    Undone,
)
from .fold import fold
from .houserules import HouseRules
from .ledger import EXTRA, OVER, PLAY, PLAYING, Ledger, opened


@dataclass(frozen=True, slots=True)
class Step:
    """An event of the game with what it led to; outcome only for a throw."""

    event: Event
    ledger: Ledger
    outcome: Outcome | None


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
            return _reopened(_corrected(core, event, rules), rules)
        case TakenBack():
            return _reopened(_taken_back(core, rules), rules)
    after = _appended(core, event, rules)
    match event:
        case Thrown():
            again = after.steps[-1].outcome is not None and _throws_again(after.steps[-1].outcome, rules)
            return after if again else _advanced(after, event.player, rules)
        case Passed():
            return _advanced(after, event.player, rules)
        case PlayerSatOut() | PlayerLeft() if after.turn == event.player:
            return _advanced(after, event.player, rules)
        case TimeUp():
            return after
    return _reopened(after, rules)


def _throws_again(outcome: Outcome, rules: HouseRules) -> bool:
    return outcome.void == "jump" and rules.jump == "rethrow"


def _appended(core: Core, event: Event, rules: HouseRules) -> Core:
    ledger, outcome = fold(core.ledger, event, rules, len(core.steps), core.turn)
    return replace(core, steps=(*core.steps, Step(event, ledger, outcome)))


def _advanced(core: Core, player: str, rules: HouseRules) -> Core:
    """The turn goes to the next player after `player`; skips that are due are used up on the way."""
    if core.ledger.phase != PLAY:
        return replace(core, turn=None)
    seats = core.ledger.seats
    at = core.ledger.index(player)
    order = [seat for seat in (*seats[at + 1 :], *seats[: at + 1]) if seat.status == PLAYING]
    if rules.closing_kind == "throws" and not core.ledger.fired:
        order = [seat for seat in order if seat.turns < rules.closing_number] or order
    for seat in order:
        if not seat.skip:
            return replace(core, turn=seat.id)
        core = _appended(core, SkipUsed(seat.id), rules)
        if core.ledger.phase != PLAY:
            return replace(core, turn=None)
    return replace(core, turn=order[0].id if order else None)


def _reopened(core: Core, rules: HouseRules) -> Core:
    """A game that is open again without a turn: it goes to the next after whoever acted last."""
    if core.ledger.phase != PLAY or core.turn is not None:
        return core
    for step in reversed(core.steps):
        if isinstance(step.event, Thrown | Passed | SkipUsed):
            if step.outcome is not None and _throws_again(step.outcome, rules):
                return replace(core, turn=step.event.player)
            return _advanced(core, step.event.player, rules)
    active = core.ledger.active
    return replace(core, turn=active[0].id if active else None)


def _refolded(core: Core, events: list[Event], start: int, rules: HouseRules) -> Core:
    """The core with its steps from `start` on evaluated again for these events; nobody's turn is moved."""
    steps = list(core.steps[:start])
    ledger = steps[-1].ledger if steps else core.start
    for event in events:
        ledger, outcome = fold(ledger, event, rules, len(steps), core.turn)
        steps.append(Step(event, ledger, outcome))
    return replace(core, steps=tuple(steps))


def _corrected(core: Core, event: ThrowCorrected, rules: HouseRules) -> Core:
    at = core.step_of_throw(event.number)
    if at is None:
        return core
    old = core.steps[at].event
    assert isinstance(old, Thrown)
    new = Thrown(
        event.player or old.player,
        event.dice if event.dice is not None else old.dice,
        event.jump if event.jump is not None else (old.jump and event.dice is None),
        corrected=True,
        still=old.still,
    )
    return _refolded(core, [new, *(step.event for step in core.steps[at + 1 :])], at, rules)


def _taken_back(core: Core, rules: HouseRules) -> Core:
    at = next((i for i in range(len(core.steps) - 1, -1, -1) if isinstance(core.steps[i].event, Thrown)), None)
    if at is None:
        return core
    thrown = core.steps[at].event
    assert isinstance(thrown, Thrown)
    kept = [s.event for s in core.steps[at + 1 :] if not isinstance(s.event, Passed | SkipUsed)]
    back = _refolded(core, kept, at, rules)
    seat = next((s for s in back.ledger.seats if s.id == thrown.player and s.status == PLAYING), None)
    return replace(back, turn=thrown.player) if seat and back.ledger.phase != EXTRA else replace(back, turn=None)

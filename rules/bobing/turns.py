"""How an event moves the game on: what it is worth, whose turn comes then, and the past evaluated again after a correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from .award import Outcome
from .core import Core, Step
from .events import Event, Passed, PlayerLeft, PlayerSatOut, SkipMarked, SkipUsed, ThrowCorrected, Thrown, TimeUp
from .fold import fold
from .houserules import HouseRules
from .ledger import PLAY, PLAYING, Seat


def played(core: Core, event: Event, rules: HouseRules) -> Core:
    """The core after an event of the game; the turn goes on where the event uses it up."""
    after = _appended(core, event, rules)
    match event:
        case Thrown() | Passed():
            return _moved_on(after, rules)
        case PlayerSatOut() | PlayerLeft() if after.turn == event.player:
            return _advanced(after, event.player, rules)
        case SkipMarked() if after.turn == event.player and after.ledger.phase == PLAY:
            # only once a throw was taken back or corrected can the marked turn have come already
            return _advanced(_appended(after, SkipUsed(event.player), rules), event.player, rules)
        case TimeUp():
            return after
    return _reopened(after, rules)


def corrected(core: Core, event: ThrowCorrected, rules: HouseRules) -> Core:
    """The core with one throw set right and everything after it evaluated again."""
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
    return _again(core, at, [replace(core.steps[at], event=new), *core.steps[at + 1 :]], rules)


def taken_back(core: Core, rules: HouseRules) -> Core:
    """The core without its last throw and the turns that were passed or skipped after it."""
    at = next((i for i in range(len(core.steps) - 1, -1, -1) if isinstance(core.steps[i].event, Thrown)), None)
    if at is None:
        return core
    since = [step for step in core.steps[at + 1 :] if not isinstance(step.event, Passed | SkipUsed)]
    start = next((i for i in range(at - 1, -1, -1) if isinstance(core.steps[i].event, Thrown | Passed)), 0)
    return _again(core, start, [*core.steps[start:at], *since], rules)


def lap(core: Core, rules: HouseRules) -> int:
    """Which round the table is in, from 1: it grows whenever the turn passes the last seat, whomever a throw is given to later."""
    found, at, used, ledger = 1, None, False, core.start
    for turn, step in (*((step.turn, step) for step in core.steps), (core.turn, None)):
        if turn is not None:
            if at is not None and (used or turn != at):
                found += ledger.index(turn) <= ledger.index(at)
            at, used = turn, False
        if step is not None:
            ledger = step.ledger
            used = used or (isinstance(step.event, Thrown | Passed | SkipUsed) and not _throws_again(step.outcome, rules))
    return found


def _appended(core: Core, event: Event, rules: HouseRules) -> Core:
    ledger, outcome = fold(core.ledger, event, rules, len(core.steps), core.turn)
    skipped = _just_skipped(core) if isinstance(event, Thrown | Passed) else ()
    return replace(core, steps=(*core.steps, Step(event, ledger, outcome, core.turn, skipped)))


def _just_skipped(core: Core) -> tuple[str, ...]:
    """Whose skips were used up since the last throw or pass."""
    since = takewhile(lambda step: not isinstance(step.event, Thrown | Passed), reversed(core.steps))
    return tuple(step.event.player for step in since if isinstance(step.event, SkipUsed))[::-1]


def _throws_again(outcome: Outcome | None, rules: HouseRules) -> bool:
    return outcome is not None and outcome.void == "jump" and rules.jump == "rethrow"


def _moved_on(core: Core, rules: HouseRules) -> Core:
    """The turn goes on after the throw or pass that is the last step, unless it is thrown again."""
    step = core.steps[-1]
    if _throws_again(step.outcome, rules) or not isinstance(step.event, Thrown | Passed):
        return core
    return _advanced(core, step.turn or step.event.player, rules)


def _due(core: Core, after: str, rules: HouseRules) -> Seat | None:
    """Whose turn comes after this player's, skips not looked at."""
    at = core.ledger.index(after)
    seats = core.ledger.seats
    order = [seat for seat in (*seats[at + 1 :], *seats[: at + 1]) if seat.status == PLAYING]
    if rules.closing_kind == "throws" and not core.ledger.fired:
        order = [seat for seat in order if seat.turns < rules.closing_number] or order
    return order[0] if order else None


def _advanced(core: Core, player: str, rules: HouseRules) -> Core:
    """The turn goes to the next player after `player`; skips that are due are used up on the way."""
    while core.ledger.phase == PLAY:
        seat = _due(core, player, rules)
        if seat is None or not seat.skip:
            return replace(core, turn=seat.id if seat else None)
        core = _appended(replace(core, turn=seat.id), SkipUsed(seat.id), rules)
        player = seat.id
    return replace(core, turn=None)


def _reopened(core: Core, rules: HouseRules) -> Core:
    """A game that is open without a turn: it goes to the next after whoever acted last."""
    if core.ledger.phase != PLAY or core.turn is not None:
        return core
    for step in reversed(core.steps):
        if isinstance(step.event, Thrown | Passed | SkipUsed):
            if _throws_again(step.outcome, rules) and core.ledger.seat(step.event.player).status == PLAYING:
                return replace(core, turn=step.event.player)
            return _advanced(core, step.turn or step.event.player, rules)
    active = core.ledger.active
    return replace(core, turn=active[0].id if active else None)


def _again(core: Core, start: int, steps: Sequence[Step], rules: HouseRules) -> Core:
    """The core with its steps from `start` on replaced by these, evaluated again; nobody's turn is moved.

    The turn goes as the corrected throws make it go, so that the past equals the game played right. Where a throw that
    was made would not have been due then, the turn comes to its player as it did, with the skips that were used up then.
    """
    turn = core.steps[start].turn if start < len(core.steps) else core.turn
    core = replace(core, steps=core.steps[:start], turn=turn)
    acted, since = core, list[Event]()  # as it was just after the last throw or pass, and what happened since
    for step in steps:
        event = step.event
        if isinstance(event, SkipUsed):
            continue
        if not isinstance(event, Thrown | Passed):
            since.append(event)
            core = played(core, event, rules)
            continue
        owner = step.turn or event.player
        if acted.ledger.phase == PLAY and core.turn != owner:
            core = acted
            for kept in (*(SkipUsed(player) for player in step.skipped), *since):
                core = _appended(core, kept, rules)
            core = replace(core, turn=owner)
        core = _appended(core, event, rules)
        core = replace(core, steps=(*core.steps[:-1], replace(core.steps[-1], turn=step.turn, skipped=step.skipped)))
        acted, since = core, []
        core = _moved_on(core, rules)
    return _reopened(core, rules)

"""One event folded into the ledger. Total: an event that a correction has made pointless changes nothing and says so."""

from __future__ import annotations

from dataclasses import replace

from .award import Outcome, settle
from .closing import between_laps, closed, ends_lap, extra_round, extra_throw
from .events import (
    Ended,
    Event,
    GiftNoted,
    GivenBack,
    Passed,
    PlayerAdded,
    PlayerLeft,
    PlayerMoved,
    PlayerRenamed,
    PlayerReturned,
    PlayerSatOut,
    ScrambleAssigned,
    SkipMarked,
    SkipUsed,
    Thrown,
    TimeUp,
)
from .hand import score
from .houserules import HouseRules
from .ledger import EXTRA, LEFT, OVER, PLAY, PLAYING, SITTING_OUT, Ledger, Seat, shifted
from .names import DUITANG, TIERS


def fold(
    ledger: Ledger, event: Event, rules: HouseRules, order: int, turn: str | None
) -> tuple[Ledger, Outcome | None]:
    """The ledger after an event, and for a throw what became of it.

    order: place of the event in the game, growing. turn: whose turn it is (tells where the lap stands).
    """
    match event:
        case Thrown():
            return _thrown(ledger, event, rules, order, turn or event.player)
        case Passed() | SkipUsed():
            return _turn_gone(ledger, event, rules, turn or event.player), None
        case SkipMarked():
            index = ledger.index(event.player)
            return ledger.with_seat(index, replace(ledger.seats[index], skip=True)), None
        case PlayerAdded():
            seat = Seat(event.player, event.name)
            return extra_round(_at_lap(_seated(ledger, seat, event.before), event.player, turn)), None
        case PlayerRenamed():
            index = ledger.index(event.player)
            return ledger.with_seat(index, replace(ledger.seats[index], name=event.name)), None
        case PlayerMoved():
            seat = ledger.seat(event.player)
            others = replace(ledger, seats=tuple(s for s in ledger.seats if s.id != event.player))
            return _seated(others, seat, event.before), None
        case PlayerReturned():
            return extra_round(_at_lap(_with_status(ledger, event.player, PLAYING), event.player, turn)), None
        case PlayerSatOut():
            return _gone(ledger, event.player, SITTING_OUT, rules, turn), None
        case PlayerLeft():
            return _gone(ledger, event.player, LEFT, rules, turn), None
        case GiftNoted():
            known = event.number <= ledger.throws
            gifts = (*(g for g in ledger.gifts if g[0] != event.number), (event.number, event.gift))
            return replace(ledger, gifts=gifts) if known else ledger, None
        case ScrambleAssigned():
            return _assigned(ledger, event), None
        case GivenBack():
            return closed(_given_back(ledger, event), rules), None
        case TimeUp():
            return closed(replace(ledger, time_up=True), rules, between_laps(ledger, turn)), None
        case Ended():
            return replace(
                ledger, phase=OVER, ended_by="operator", extra=None
            ) if ledger.phase != OVER else ledger, None
    raise TypeError(f"{type(event).__name__} is no event of a running game")


def _thrown(ledger: Ledger, event: Thrown, rules: HouseRules, order: int, turn: str) -> tuple[Ledger, Outcome]:
    outcome = Outcome(ledger.throws + 1, event.player, event.dice, event.jump, corrected=event.corrected)
    ledger = replace(ledger, throws=ledger.throws + 1)
    jumped = event.dice is None or (event.jump and rules.jump != "off")
    hand = None if jumped or event.dice is None else score(event.dice, rules)
    if ledger.phase == OVER:
        outcome = replace(outcome, void="after_end")
    elif ledger.phase == EXTRA:
        ledger, outcome = extra_throw(ledger, rules, order, outcome, hand)
    else:
        index = ledger.index(event.player)
        again = jumped and rules.jump == "rethrow"
        if not again:
            ledger = ledger.with_seat(index, replace(ledger.seats[index], turns=ledger.seats[index].turns + 1))
        if hand is None:
            outcome = replace(outcome, void="jump")
            if rules.jump == "void_and_skip":
                outcome = replace(outcome, skip_next=True)
                ledger = ledger.with_seat(index, replace(ledger.seats[index], skip=True))
        else:
            ledger, outcome = settle(ledger, index, hand, rules, order, outcome)
        ledger = closed(ledger, rules, ends_lap(ledger, turn)) if not again else ledger
    ended_by = ledger.ended_by if ledger.phase == OVER and outcome.void != "after_end" else ""
    return ledger, replace(outcome, ended_by=ended_by, left=ledger.stock, holder=ledger.holder)


def _turn_gone(ledger: Ledger, event: Passed | SkipUsed, rules: HouseRules, turn: str) -> Ledger:
    if ledger.phase == OVER:
        return ledger
    if ledger.phase == EXTRA:
        return _out_of_extra(ledger, event.player) if isinstance(event, Passed) else ledger
    index = ledger.index(event.player)
    seat = ledger.seats[index]
    skip = seat.skip and not isinstance(event, SkipUsed)
    return closed(
        ledger.with_seat(index, replace(seat, turns=seat.turns + 1, skip=skip)), rules, ends_lap(ledger, turn)
    )


def _gone(ledger: Ledger, player: str, status: str, rules: HouseRules, turn: str | None) -> Ledger:
    """A player throws no more; a lap that waited only for that turn is finished."""
    left = _out_of_extra(_with_status(ledger, player, status), player)
    return closed(left, rules, turn == player and ends_lap(left, player))


def _out_of_extra(ledger: Ledger, player: str) -> Ledger:
    """A player who does not throw in the extra round any more."""
    if ledger.extra is None:
        return ledger
    queue = tuple(p for p in ledger.extra.queue if p != player)
    return extra_round(replace(ledger, extra=replace(ledger.extra, queue=queue)))


def _with_status(ledger: Ledger, player: str, status: str) -> Ledger:
    index = ledger.index(player)
    return ledger.with_seat(index, replace(ledger.seats[index], status=status))


def _seated(ledger: Ledger, seat: Seat, before: str | None) -> Ledger:
    index = len(ledger.seats) if before is None else ledger.index(before)
    return replace(ledger, seats=(*ledger.seats[:index], seat, *ledger.seats[index:]))


def _at_lap(ledger: Ledger, player: str, turn: str | None) -> Ledger:
    """Give a player who joins or comes back as many turns as are due at that seat, so that laps stay even."""
    others = [s for s in ledger.active if s.id != player]
    index = ledger.index(player)
    if not others:
        return ledger
    if turn is None or turn == player:
        due = max(s.turns for s in others)
    else:
        at = ledger.index(turn)
        due = ledger.seats[at].turns
        if index < at and any(s.turns > due for s in others):
            due += 1
    seat = ledger.seats[index]
    return ledger.with_seat(index, replace(seat, turns=max(seat.turns, due)))


def _assigned(ledger: Ledger, event: ScrambleAssigned) -> Ledger:
    tier = TIERS.index(event.tier)
    n = min(event.n, ledger.scramble[tier])
    index = ledger.index(event.player)
    scrambled = replace(ledger, scramble=shifted(ledger.scramble, tier, -n))
    return scrambled.with_seat(index, ledger.seats[index].plus(tier, n))


def _given_back(ledger: Ledger, event: GivenBack) -> Ledger:
    index = ledger.index(event.player)
    seat = ledger.seats[index]
    stock = ledger.stock
    for tier, asked in enumerate(event.cakes):
        n = min(asked, seat.cakes[tier])
        if tier == DUITANG:
            seat = replace(seat, flowers=max(0, seat.flowers - n))
        seat = seat.plus(tier, -n)
        stock = shifted(stock, tier, n)
    return replace(ledger.with_seat(index, seat), stock=stock, phase=PLAY, ended_by="", fired=False, extra=None)

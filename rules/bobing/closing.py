"""When a game is over: all out, N throws, the clock, the end of a lap; and the extra throws where there is no champion."""

from __future__ import annotations

from dataclasses import replace

from .award import Outcome
from .hand import Hand
from .houserules import HouseRules
from .ledger import EXTRA, OVER, PLAY, PLAYING, Extra, ExtraThrow, Ledger, Standing


def ends_lap(ledger: Ledger, player: str) -> bool:
    """Whether the lap is finished once this player's turn is used up: nobody who throws sits further on.

    Seats decide, not counted turns: those may differ for good after a correction or a change of seats.
    """
    return not any(seat.status == PLAYING for seat in ledger.seats[ledger.index(player) + 1 :])


def between_laps(ledger: Ledger, turn: str | None) -> bool:
    """Whether a lap has been finished and the next one has not begun."""
    active = ledger.active
    return bool(active) and active[0].id == turn and any(seat.turns for seat in active)


def turns_done(ledger: Ledger, rules: HouseRules) -> bool:
    """Whether everybody who throws has had the N turns of `throws:N`."""
    active = ledger.active
    return bool(active) and all(seat.turns >= rules.closing_number for seat in active)


def _rule_fires(ledger: Ledger, rules: HouseRules, lap: bool) -> bool:
    kind = rules.closing_kind
    if kind == "throws":
        return turns_done(ledger, rules)
    if kind == "clock":
        return lap and ledger.time_up
    return kind == "lap" and lap and ledger.sold_out


def closed(ledger: Ledger, rules: HouseRules, lap: bool = False) -> Ledger:
    """The ledger with the closing rules applied; called after everything that may end a game. lap: a lap is just finished."""
    if ledger.phase != PLAY:
        return ledger
    has_champion = bool(ledger.champions)
    if ledger.sold_out and has_champion and rules.closing_kind != "lap":
        return replace(ledger, phase=OVER, ended_by="all_out")
    if ledger.fired:
        return replace(ledger, phase=OVER, ended_by=rules.closing_kind) if has_champion else ledger
    if not ledger.active or not _rule_fires(ledger, rules, lap):
        return ledger
    if has_champion:
        return replace(ledger, phase=OVER, ended_by=rules.closing_kind)
    if rules.no_champion == "play_on":
        return replace(ledger, fired=True)
    return replace(ledger, phase=EXTRA, extra=Extra(tuple(seat.id for seat in ledger.active)))


def extra_throw(
    ledger: Ledger, rules: HouseRules, order: int, outcome: Outcome, hand: Hand | None
) -> tuple[Ledger, Outcome]:
    """One extra throw of `no_champion = "sum"`; hand None: void (a jump). It earns no cakes."""
    extra = ledger.extra
    player = outcome.player
    if extra is None or player not in extra.queue:
        return ledger, replace(outcome, void="not_in_turn", extra=True)
    if hand is None and rules.jump == "rethrow":
        return ledger, replace(outcome, void="jump", extra=True)
    standing = None
    total = None
    if hand is not None:
        total = sum(hand.dice)
        if hand.rank is not None and not (hand.kind == "liubohei" and rules.liubohei == "grab"):
            standing = Standing(player, hand.dice, hand.kind, hand.carry, hand.rank, order)
    queue = tuple(p for p in extra.queue if p != player)
    dice = hand.dice if hand is not None else None
    thrown = (*extra.thrown, ExtraThrow(player, dice, total, standing))
    after = extra_round(replace(ledger, extra=Extra(queue, thrown)))
    return after, replace(outcome, hand=hand, void="" if hand else "jump", extra=True)


def extra_round(ledger: Ledger) -> Ledger:
    """Decide a round of extra throws once everybody has thrown: a champion throw, else the largest sum, else again."""
    extra = ledger.extra
    if extra is None or extra.queue:
        return ledger
    if not extra.thrown:
        return replace(ledger, extra=Extra(tuple(seat.id for seat in ledger.active)))
    best = max((t.standing for t in extra.thrown if t.standing is not None), key=lambda s: s.strength, default=None)
    if best is None:
        largest = max((t.total for t in extra.thrown if t.total is not None), default=None)
        tied = [t for t in extra.thrown if t.total == largest]
        if largest is None or len(tied) > 1:
            there = tuple(seat.id for seat in ledger.active if any(seat.id == t.player for t in tied))
            return extra_round(replace(ledger, extra=Extra(there)))
        best = Standing(tied[0].player, tied[0].dice, "sum", largest, (0, largest), 0)
    winner = ledger.index(best.player)
    seat = replace(ledger.seats[winner], standing=best)
    return replace(ledger.with_seat(winner, seat), phase=OVER, ended_by="sum", extra=None)

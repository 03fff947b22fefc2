"""Chances, exactly: each kind under the active rules, beating the holder, and how long the cakes still last.

All three come from the 462 distinct throws of six dice with their multiplicities out of 46,656. The expected number of
throws is an exact dynamic programme over the stock that is left (`Forecast`); it treats throws as if none jumped.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from math import factorial, prod

from .hand import Hand, score
from .houserules import HouseRules
from .ledger import Ledger
from .names import DUITANG, LOWER

ALL_THROWS = 6**6
_MAX_STATES = 400_000


class Odds:
    """The chances under one set of house rules."""

    def __init__(self, rules: HouseRules) -> None:
        self.rules = rules
        self.hands: tuple[tuple[Hand, int], ...] = tuple(
            (score(dice, rules), factorial(6) // prod(factorial(n) for n in Counter(dice).values()))
            for dice in combinations_with_replacement(range(1, 7), 6)
        )

    def kinds(self) -> dict[str, float]:
        """Probability of each kind that can occur; they sum to 1."""
        weights: Counter[str] = Counter()
        for hand, weight in self.hands:
            weights[hand.kind] += weight
        return {kind: weight / ALL_THROWS for kind, weight in weights.items()}

    def beats(self, rank: tuple[int, int] | None) -> float:
        """Chance that the next throw ranks above `rank` (None: that it is a champion throw at all)."""
        better = sum(w for hand, w in self.hands if hand.rank is not None and (rank is None or hand.rank > rank))
        return better / ALL_THROWS


class Forecast:
    """Expected throws until all lower cakes are out and there is a champion, for any stock up to the full one.

    An exact dynamic programme: a state is (cakes left in each lower tier, is there a champion); a throw either leaves it or
    moves it down. Solved once a rules set from the empty table upwards, on demand. Where the stock is so large that the table
    of states would not fit (over 400,000), there is no forecast (None).
    """

    def __init__(self, odds: Odds) -> None:
        self.rules = odds.rules
        self._moves = self._merged(odds)
        self._sizes = tuple(self.rules.cakes[t] + 1 for t in LOWER)
        self._table: list[float] | None = None

    def _merged(self, odds: Odds) -> list[tuple[tuple[int, ...], bool, bool, int]]:
        """(cakes of each lower tier asked for, champion?, sweeps the table?, weight), equal effects added up."""
        merged: Counter[tuple[tuple[int, ...], bool, bool]] = Counter()
        for hand, weight in odds.hands:
            merged[_effect(hand, self.rules)] += weight
        return [(need, champion, sweep, weight) for (need, champion, sweep), weight in merged.items()]

    def expected_throws(self, ledger: Ledger) -> float | None:
        """Expected further throws from this ledger; 0 when over; None where it is not known (a stock too large to solve)."""
        if ledger.phase == "over":
            return 0.0
        if prod(self._sizes) * 2 > _MAX_STATES or any(ledger.stock[t] > self.rules.cakes[t] for t in LOWER):
            return None
        if self._table is None:
            self._table = self._solved()
        index = 0
        for size, tier in zip(self._sizes, LOWER, strict=True):
            index = index * size + ledger.stock[tier]
        return self._table[index * 2 + (1 if ledger.champions else 0)]

    def _solved(self) -> list[float]:
        sizes = self._sizes
        strides = [prod(sizes[i + 1 :]) for i in range(len(sizes))]
        table = [0.0] * (prod(sizes) * 2)
        left = [0] * len(sizes)
        for index in range(prod(sizes)):
            rest = index
            for i, stride in enumerate(strides):
                left[i], rest = divmod(rest, stride)
            for has in (1, 0):
                if index or not has:
                    table[index * 2 + has] = self._step(table, index, left, strides, has)
        return table

    def _step(self, table: list[float], index: int, left: list[int], strides: list[int], has: int) -> float:
        moved = 0
        total = float(ALL_THROWS)
        for need, champion, sweep, weight in self._moves:
            if sweep:
                moved += weight
                if not self.rules.six_ends:
                    total += weight * table[1 if champion or has else 0] if index else 0.0
                continue
            to = index
            for n, have, stride in zip(need, left, strides, strict=True):
                if n:
                    to -= (n if n < have else have) * stride
            state = to * 2 + (1 if champion else has)
            if state != index * 2 + has:
                moved += weight
                total += weight * table[state]
        return total / moved if moved else float("inf")


def _effect(hand: Hand, rules: HouseRules) -> tuple[tuple[int, ...], bool, bool]:
    """What a hand does to the table: cakes asked of each lower tier, champion or not, whole table swept (or game ended) or not."""
    champion = hand.rank is not None
    need = tuple(hand.awards[t] for t in LOWER)
    if hand.kind == "liubohong":
        if rules.liubohong == "nothing":
            return (0,) * len(LOWER), False, False
        return need, champion, rules.six_ends or rules.liubohong in ("everything", "remaining", "share_rest")
    if hand.kind == "biandijin":
        return need, champion, True
    if hand.kind == "liubohei" and hand.dice[0] in rules.liubohei_faces:
        if rules.liubohei == "nothing":
            return (0,) * len(LOWER), False, False
        return need, champion, rules.six_ends or rules.liubohei in ("grab", "share")
    if hand.kind == "chajinhua":
        return (min(hand.awards[DUITANG], 2), *need[1:]), champion, False
    return need, champion, False

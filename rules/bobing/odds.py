"""Chances, exactly: each kind under the active rules, beating the holder, and how long the cakes still last.

All three come from the 462 distinct throws of six dice with their multiplicities out of 46,656. The expected number of
throws is an exact dynamic programme over the stock that is left (`Forecast`); it treats throws as if none jumped and as if
no 插金花 stood in another's way, and it looks at the cakes alone, not at turns, laps or the clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import factorial, prod

from .hand import Hand, rules_say_nothing, score
from .houserules import HouseRules
from .ledger import Ledger
from .names import LOWER

ALL_THROWS = 6**6
_MAX_STATES = 400_000
_SLICE = 64  # stocks: about a millisecond
_Need = tuple[int, ...]
_SWEEPING = ("everything", "remaining", "share_rest", "share")


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
        better = sum(
            weight
            for hand, weight in self.hands
            if hand.rank is not None and (rank is None or hand.rank > rank) and not is_grab(hand, self.rules)
        )
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

    def _merged(self, odds: Odds) -> list[tuple[_Need, bool, bool, int]]:
        """Effects of all throws with their weights, equal effects added up."""
        merged: Counter[tuple[_Need, bool, bool]] = Counter()
        for hand, weight in odds.hands:
            merged[_effect(hand, self.rules)] += weight
        return [(need, champion, ends, weight) for (need, champion, ends), weight in merged.items()]

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

    def solving(self) -> Iterator[None]:
        """Solve it a millisecond of work at a time, for whoever has other things to do; afterwards every answer is at once."""
        if self._table is None and prod(self._sizes) * 2 <= _MAX_STATES:
            table: list[float] = []
            yield from self._solve(table)
            self._table = table

    def _solved(self) -> list[float]:
        table: list[float] = []
        for _ in self._solve(table):
            pass
        return table

    def _solve(self, table: list[float]) -> Iterator[None]:
        sizes = self._sizes
        strides = [prod(sizes[i + 1 :]) for i in range(len(sizes))]
        table += [0.0] * (prod(sizes) * 2)
        left = [0] * len(sizes)
        for index in range(prod(sizes)):
            if index % _SLICE == 0:
                yield
            rest = index
            for i, stride in enumerate(strides):
                left[i], rest = divmod(rest, stride)
            for has in (1, 0):
                if index or not has:
                    table[index * 2 + has] = self._step(table, index, left, strides, has)

    def _step(self, table: list[float], index: int, left: list[int], strides: list[int], has: int) -> float:
        moved = 0
        total = float(ALL_THROWS)
        for need, champion, ends, weight in self._moves:
            if ends:
                moved += weight
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


def is_grab(hand: Hand, rules: HouseRules) -> bool:
    """Whether this throw turns the bowl over (六博黑 `grab`): it makes nobody champion and ends the game."""
    return hand.kind == "liubohei" and rules.liubohei == "grab" and hand.dice[0] in rules.liubohei_faces


def _effect(hand: Hand, rules: HouseRules) -> tuple[_Need, bool, bool]:
    """What a hand does to the table: cakes asked of each lower tier, makes a champion or not, ends the game or not."""
    need = tuple(hand.awards[t] for t in LOWER)
    six = hand.kind in ("liubohong", "liubohei", "biandijin") and not rules_say_nothing(hand.kind, rules)
    if hand.kind == "liubohei" and hand.dice[0] not in rules.liubohei_faces:
        six = False
    does = {"liubohong": rules.liubohong, "liubohei": rules.liubohei, "biandijin": "remaining"}.get(hand.kind)
    if six and does in _SWEEPING:
        need = tuple(rules.cakes[t] for t in LOWER)
    return need, hand.rank is not None, is_grab(hand, rules) or (six and rules.six_ends)

"""Who has what at one moment: seats, stock, standing throws, and whether the game is open.

A ledger never changes; the fold of each event makes the next one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .houserules import HouseRules
from .names import LOWER, ZHUANGYUAN

Cakes = tuple[int, ...]
NO_CAKES: Cakes = (0, 0, 0, 0, 0, 0)

PLAYING, SITTING_OUT, LEFT = "playing", "sitting_out", "left"
PLAY, EXTRA, OVER = "play", "extra", "over"


@dataclass(frozen=True, slots=True)
class Standing:
    """A throw that stands for the champion cake. order: grows with time, so that equal throws go to the earlier."""

    player: str
    dice: tuple[int, ...] | None
    kind: str
    carry: int | None
    rank: tuple[int, int]
    order: int

    @property
    def strength(self) -> tuple[int, int, int]:
        """Sorts standings from weak to strong."""
        return (*self.rank, -self.order)


@dataclass(frozen=True, slots=True)
class Seat:
    """A player in the order of play. cakes: six numbers (a champion cake stands here only when it was assigned by hand).

    flowers: how many of the 对堂 came with an own 插金花. skip: the coming turn is still to be skipped. turns: turns used up.
    """

    id: str
    name: str
    status: str = PLAYING
    cakes: Cakes = NO_CAKES
    flowers: int = 0
    skip: bool = False
    turns: int = 0
    standing: Standing | None = None

    def plus(self, tier: int, n: int) -> Seat:
        """The seat with n more cakes of a tier (n may be negative); flowers never exceed the 对堂 that are left."""
        cakes = shifted(self.cakes, tier, n)
        return replace(self, cakes=cakes, flowers=min(self.flowers, cakes[1]))


@dataclass(frozen=True, slots=True)
class ExtraThrow:
    """One throw of an extra round. total: sum of the six dice, None where it was void. standing: where it is a champion throw."""

    player: str
    dice: tuple[int, ...] | None
    total: int | None
    standing: Standing | None


@dataclass(frozen=True, slots=True)
class Extra:
    """One round of extra throws where no champion was found: who is still to throw, in order, and what the others threw."""

    queue: tuple[str, ...]
    thrown: tuple[ExtraThrow, ...] = ()


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything that counts at one moment.

    stock[0] stays on the table until a scramble takes it: while there is a holder, the views show it as the holder's once over.
    fired: a closing rule has come without a champion and play goes on. throws: how many throws stand.
    """

    seats: tuple[Seat, ...]
    stock: Cakes
    scramble: Cakes = NO_CAKES
    phase: str = PLAY
    ended_by: str = ""
    fired: bool = False
    time_up: bool = False
    extra: Extra | None = None
    throws: int = 0
    gifts: tuple[tuple[int, str], ...] = ()

    def index(self, player: str) -> int:
        """Place of a player in the order of play; raises KeyError."""
        for i, seat in enumerate(self.seats):
            if seat.id == player:
                return i
        raise KeyError(player)

    def seat(self, player: str) -> Seat:
        """The seat of a player; raises KeyError."""
        return self.seats[self.index(player)]

    def with_seat(self, index: int, seat: Seat) -> Ledger:
        """The ledger with one seat replaced."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))

    @property
    def active(self) -> tuple[Seat, ...]:
        """Those who throw, in the order of play."""
        return tuple(seat for seat in self.seats if seat.status == PLAYING)

    @property
    def sold_out(self) -> bool:
        """Whether every tier below the champion is empty on the table."""
        return not any(self.stock[tier] for tier in LOWER)

    @property
    def champions(self) -> tuple[Standing, ...]:
        """The holders, best first, as many as there are champion cakes on the table; after a scramble, those it made champion."""
        standing = sorted(
            (s.standing for s in self.seats if s.standing is not None), key=lambda s: s.strength, reverse=True
        )
        holders = standing[: self.stock[ZHUANGYUAN]]
        grabbed = [Standing(s.id, None, "scramble", None, (-1, 0), 0) for s in self.seats if s.cakes[ZHUANGYUAN]]
        return (*grabbed, *holders)

    @property
    def holder(self) -> Standing | None:
        """Who has the champion cake now."""
        champions = self.champions
        return champions[0] if champions else None


def shifted(cakes: Cakes, tier: int, n: int) -> Cakes:
    """Six numbers with one of them changed by n."""
    return (*cakes[:tier], cakes[tier] + n, *cakes[tier + 1 :])


def opened(rules: HouseRules, players: tuple[tuple[str, str], ...]) -> Ledger:
    """The ledger before the first throw. players: (id, name) in the order of play."""
    return Ledger(seats=tuple(Seat(pid, name) for pid, name in players), stock=rules.cakes)


def shown_stock(ledger: Ledger) -> Cakes:
    """The stock as the table sees it: a champion cake has left it when the game is over and it has a champion."""
    if ledger.phase != OVER:
        return ledger.stock
    held = sum(1 for s in ledger.champions if s.kind != "scramble")
    return shifted(ledger.stock, ZHUANGYUAN, -held)


def shown_cakes(ledger: Ledger, seat: Seat) -> Cakes:
    """A player's cakes as the table sees them: when the game is over, with the champion cake."""
    if ledger.phase != OVER:
        return seat.cakes
    won = sum(1 for s in ledger.champions if s.kind != "scramble" and s.player == seat.id)
    return shifted(seat.cakes, ZHUANGYUAN, won)

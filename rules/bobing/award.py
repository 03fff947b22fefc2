"""What a scored throw takes: from the stock, by chase, by 六博红; and what it does to the champion cake."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .hand import Hand, rules_say_nothing
from .houserules import HouseRules
from .ledger import LEFT, NO_CAKES, OVER, Cakes, Ledger, Seat, Standing, shifted
from .names import DUITANG, LOWER, TIERS, ZHUANGYUAN


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one throw; enough to explain it.

    void: "" or why it earned nothing ("jump", "after_end", "not_in_turn"). won, missed: six numbers. chased: (tier, from whom).
    taken: (from whom, tier, n), what 六博红 or 插金花 took from others. returned: 对堂 that 禄骨 put back on the table.
    champion: "" | "new" | "kept" | "lower" | "lugu" | "behind". ended_by: why the game was over at this throw, or "".
    """

    number: int
    player: str
    dice: tuple[int, ...] | None
    jump: bool
    hand: Hand | None = None
    void: str = ""
    won: Cakes = NO_CAKES
    missed: Cakes = NO_CAKES
    chased: tuple[tuple[int, str], ...] = ()
    taken: tuple[tuple[str, int, int], ...] = ()
    returned: int = 0
    champion: str = ""
    holder: Standing | None = None
    ended_by: str = ""
    left: Cakes = NO_CAKES
    corrected: bool = False
    extra: bool = False
    skip_next: bool = False
    flower_blocked: bool = False


class _Award:
    """The arithmetic of one throw on a working copy of the seats and the stock."""

    def __init__(self, ledger: Ledger, thrower: int, rules: HouseRules) -> None:
        self.seats = list(ledger.seats)
        self.stock = list(ledger.stock)
        self.scramble = list(ledger.scramble)
        self.thrower = thrower
        self.rules = rules
        self.won = [0] * 6
        self.missed = [0] * 6
        self.chased: list[tuple[int, str]] = []
        self.taken: list[tuple[str, int, int]] = []

    def give(self, tier: int, n: int) -> None:
        self.seats[self.thrower] = self.seats[self.thrower].plus(tier, n)
        self.won[tier] += n

    def take(self, tier: int, n: int, chase: bool) -> None:
        """n cakes of a tier from the stock; what is missing is chased where the house says so, else it is void."""
        there = min(n, self.stock[tier])
        if there:
            self.stock[tier] -= there
            self.give(tier, there)
        for _ in range(n - there):
            if not (
                chase and self.rules.sold_out == "chase" and TIERS[tier] in self.rules.chase_tiers and self.chase(tier)
            ):
                self.missed[tier] += 1

    def reachable(self, seat: Seat, tier: int) -> int:
        """How many cakes of a tier can be taken from a player: none from one who went home, no protected 对堂."""
        if seat.status == LEFT:
            return 0
        kept = seat.flowers if tier == DUITANG and self.rules.chajinhua_protected else 0
        return seat.cakes[tier] - kept

    def chase(self, tier: int) -> bool:
        """One cake from the nearest other player, backwards in the order of play; False where nobody holds one."""
        for step in range(1, len(self.seats)):
            index = (self.thrower - step) % len(self.seats)
            if self.reachable(self.seats[index], tier) > 0:
                self.seats[index] = self.seats[index].plus(tier, -1)
                self.chased.append((tier, self.seats[index].id))
                self.give(tier, 1)
                return True
        return False

    def take_from_others(self, tier: int, most: int) -> int:
        """Up to `most` cakes that others have won, the nearest player backwards first; returns how many."""
        got = 0
        for step in range(1, len(self.seats)):
            index = (self.thrower - step) % len(self.seats)
            n = min(self.reachable(self.seats[index], tier), most - got)
            if n > 0:
                self.seats[index] = self.seats[index].plus(tier, -n)
                self.taken.append((self.seats[index].id, tier, n))
                self.give(tier, n)
                got += n
        return got

    def sweep(self) -> None:
        """All lower cakes that are on the table."""
        for tier in LOWER:
            self.give(tier, self.stock[tier])
            self.stock[tier] = 0

    def put_up(self, tiers: tuple[int, ...]) -> None:
        """Cakes leave the table for the scramble, or are set aside as shared by all."""
        for tier in tiers:
            self.scramble[tier] += self.stock[tier]
            self.stock[tier] = 0

    def six_reds(self) -> None:
        mode = self.rules.liubohong
        if mode == "share_rest":
            self.take(DUITANG, self.stock[DUITANG], chase=False)
            self.put_up(LOWER)
        elif mode in ("everything", "remaining"):
            self.sweep()
            if mode == "everything":
                for tier in LOWER:
                    self.take_from_others(tier, sum(s.cakes[tier] for s in self.seats))

    def flower(self, blocked: bool) -> None:
        """插金花: the 对堂 on the table (and others' where the house says so); none behind another standing 插金花."""
        due = self.rules.chajinhua_duitang
        if blocked:
            self.missed[DUITANG] += due
            return
        before = self.won[DUITANG]
        self.take(DUITANG, min(due, self.stock[DUITANG]), chase=False)
        if self.rules.chajinhua_takes_won:
            self.take_from_others(DUITANG, due - (self.won[DUITANG] - before))
        got = self.won[DUITANG] - before
        self.missed[DUITANG] += due - got
        seat = self.seats[self.thrower]
        self.seats[self.thrower] = replace(seat, flowers=seat.flowers + got)


def _is_six_end(hand: Hand, rules: HouseRules) -> bool:
    if hand.kind == "liubohei":
        return rules.liubohei != "nothing" and hand.dice[0] in rules.liubohei_faces
    return hand.kind == "biandijin" or (hand.kind == "liubohong" and not rules_say_nothing(hand.kind, rules))


def _stand(award: _Award, hand: Hand, order: int) -> None:
    """Enter a champion throw as the thrower's standing one, as `own_rolls` says."""
    if hand.rank is None:
        return
    seat = award.seats[award.thrower]
    new = Standing(seat.id, hand.dice, hand.kind, hand.carry, hand.rank, order)
    old = seat.standing
    if old is None or award.rules.own_rolls == "last" or new.rank > old.rank:
        award.seats[award.thrower] = replace(seat, standing=new)


def _champion_change(player: str, hand: Hand, before: tuple[Standing, ...], after: tuple[Standing, ...]) -> str:
    """What a champion throw did to its thrower's hold on a champion cake (with several sets there are several holders)."""
    if hand.rank is None:
        return ""
    held = next((s for s in before if s.player == player), None)
    holds = next((s for s in after if s.player == player), None)
    if holds is None:
        return "behind" if held is None else "lugu"
    if held is None:
        return "new"
    return "lower" if holds.rank < held.rank else "kept"


def settle(
    ledger: Ledger, thrower: int, hand: Hand, rules: HouseRules, order: int, outcome: Outcome
) -> tuple[Ledger, Outcome]:
    """Credit a valid throw in normal play: the ledger after it, and what became of it."""
    award = _Award(ledger, thrower, rules)
    player = ledger.seats[thrower].id
    before = ledger.champions
    blocked = False
    grabbed = False
    full_black = hand.kind == "liubohei" and hand.dice[0] in rules.liubohei_faces
    if hand.kind == "liubohong":
        award.six_reds()
    elif hand.kind == "biandijin":
        award.sweep()
    elif full_black and rules.liubohei == "share":
        award.put_up(LOWER)
    elif full_black and rules.liubohei == "grab":
        grabbed = True
        award.put_up((ZHUANGYUAN, *LOWER))
        award.seats = [replace(s, standing=None) for s in award.seats]
    elif hand.kind == "chajinhua":
        blocked = any(
            s.standing is not None and s.standing.kind == "chajinhua"
            for i, s in enumerate(ledger.seats)
            if i != thrower
        )
        award.flower(blocked)
    else:
        for tier in LOWER:
            if hand.awards[tier]:
                award.take(tier, hand.awards[tier], chase=True)
    if not grabbed:
        _stand(award, hand, order)
    after_ledger = replace(ledger, seats=tuple(award.seats), stock=tuple(award.stock), scramble=tuple(award.scramble))
    champion = "" if grabbed else _champion_change(player, hand, before, after_ledger.champions)
    returned = 0
    if champion == "lugu" and not rules.lugu_keeps_duitang:
        seat = after_ledger.seats[thrower]
        returned = seat.flowers
        after_ledger = replace(
            after_ledger.with_seat(thrower, seat.plus(DUITANG, -returned)),
            stock=shifted(after_ledger.stock, DUITANG, returned),
        )
    if grabbed or (rules.six_ends and _is_six_end(hand, rules)):
        after_ledger = replace(after_ledger, phase=OVER, ended_by="grab" if grabbed else "six")
    return after_ledger, replace(
        outcome,
        hand=hand,
        won=tuple(award.won),
        missed=tuple(award.missed),
        chased=tuple(award.chased),
        taken=tuple(award.taken),
        returned=returned,
        champion=champion,
        flower_blocked=blocked,
    )

"""A second, deliberately naive reading of the rules: a whole game in the lines of `replay`, evaluated again from the start each time."""

import copy

from oracle import LOWER, TIERS, house, score


class Fault(Exception):
    """A line of a replay that is wrong; carries the line's number."""

    def __init__(self, line, what):
        super().__init__(f"line {line}: {what}")
        self.line = line


class Game:
    """Everything on the table after some items, worked out from the start.

    An item is a dict: `who` (seat), `passed` (seats whose turns were skipped just before it), and either `pass` or
    `dice` and `jump`.
    """

    def __init__(self, rules, seats, items):
        self.rules = rules
        self.seats = seats
        self.stock = {t: k * rules["sets"] for t, k in zip(TIERS, rules["stock"], strict=True)}
        self.cakes = [dict.fromkeys(TIERS, 0) for _ in range(seats)]
        self.by_chajinhua = [0] * seats  # of a seat's duitang, how many a chajinhua brought
        self.scramble = dict.fromkeys(TIERS, 0)
        self.standing = [None] * seats
        self.skip = [False] * seats
        self.turns = [0] * seats
        self.last = None  # the seat whose turn was the last, None before any
        self.again = None  # the seat that throws once more (rethrow)
        self.over = False
        self.grabbed = False
        self.fired = False
        self.extra = None  # seats still to throw in this extra round, None in normal play
        self.round = []
        self.number = 0
        self.void = []
        for item in items:
            self.play(item)
        self.trail = []
        self.turn = None if self.over else self.find_turn()
        if self.over:
            for who, _ in zip(self.holders(), range(self.stock["zhuangyuan"]), strict=False):
                self.stock["zhuangyuan"] -= 1
                self.cakes[who]["zhuangyuan"] += 1

    # whose turn

    def find_turn(self):
        if self.extra is not None:
            return self.extra[0]
        turn, skipped = self.next_turn()
        self.pass_over(skipped)
        self.trail = skipped
        return None if self.over else self.extra[0] if self.extra is not None else turn

    def next_turn(self):
        """Who is to throw now, and whose turns are skipped before that."""
        if self.again is not None:
            return self.again, []
        at = -1 if self.last is None else self.last
        skip = list(self.skip)
        turns = list(self.turns)
        skipped = []
        while True:
            at = (at + 1) % self.seats
            while self.all_turns_had(turns[at]) and not all(self.all_turns_had(n) for n in turns):
                at = (at + 1) % self.seats
            if not skip[at]:
                return at, skipped
            skip[at] = False
            turns[at] += 1
            skipped.append(at)

    def all_turns_had(self, turns):
        closing = self.rules["closing"]
        return closing.startswith("throws:") and not self.fired and turns >= int(closing[7:])

    def pass_over(self, seats):
        for seat in seats:
            if not self.over and self.extra is None:
                self.skip[seat] = False
                self.end_of_turn(seat)

    def end_of_turn(self, who):
        self.turns[who] += 1
        self.last = who
        self.again = None
        self.close(who)

    def close(self, who):
        if self.over or self.extra is not None:
            return
        closing = self.rules["closing"]
        champion = bool(self.holders())
        empty = not any(self.stock[t] for t in LOWER)
        if empty and champion and closing != "lap":
            self.over = True
        if closing == "lap" and empty and who == self.seats - 1:
            self.fired = True
        if closing.startswith("throws:") and min(self.turns) >= int(closing[7:]):
            self.fired = True
        if self.fired and champion:
            self.over = True
        if self.fired and not champion and self.rules["no_champion"] == "sum":
            self.extra = list(range(self.seats))
            self.round = []

    # one item

    def play(self, item):
        who = item["who"]
        if not self.over and self.extra is None:
            # nobody's turn is moved: where it would go elsewhere now, or to nobody, what was skipped then stays skipped
            turn, skipped = self.next_turn()
            trial = copy.copy(self)
            trial.skip, trial.turns = list(self.skip), list(self.turns)
            trial.pass_over(skipped)
            due = turn == who and not trial.over and trial.extra is None
            self.pass_over(skipped if due else item["passed"])
        if "pass" in item:
            if self.over:
                return
            if self.extra is not None:
                if who in self.extra:
                    self.extra.remove(who)
                    self.end_of_round()
                return
            self.end_of_turn(who)
            return
        self.number += 1
        if self.over:
            self.void.append(self.number)
            return
        jump = item["jump"] and self.rules["jump"] != "off"
        if self.extra is not None:
            self.extra_throw(item, jump)
            return
        if jump:
            if self.rules["jump"] == "rethrow":
                self.last = who
                self.again = who
                return
            if self.rules["jump"] == "void_and_skip":
                self.skip[who] = True
            self.end_of_turn(who)
            return
        self.credit(who, item["dice"])
        self.end_of_turn(who)

    def extra_throw(self, item, jump):
        who = item["who"]
        if who not in self.extra:
            self.void.append(self.number)
            return
        if jump and self.rules["jump"] == "rethrow":
            return
        self.extra.remove(who)
        if not jump:
            self.round.append((who, item["dice"], self.number))
        else:
            self.round.append((who, None, self.number))
        self.end_of_round()

    def end_of_round(self):
        if self.extra:
            return
        if not self.round:
            self.extra = list(range(self.seats))
            return
        best = None
        for who, dice, number in self.round:
            if dice is None:
                continue
            s = score(dice, self.rules)
            if s["kind"] == "liubohei" and self.rules["liubohei"] == "grab":
                continue
            if s["rank"] is not None and (best is None or s["rank"] > best[0]):
                best = (s["rank"], who, dice, s["kind"], s["carry"], number)
        if best is None:
            sums = {who: sum(dice) if dice else 0 for who, dice, _ in self.round}
            top = max(sums.values(), default=0)
            tied = [who for who in sums if sums[who] == top]
            if len(tied) != 1 or top == 0:
                self.extra = sorted(tied)
                self.round = []
                return
            who, dice, number = next(r for r in self.round if r[0] == tied[0])
            best = (None, who, dice, "sum", top, number)
        self.standing = [None] * self.seats
        self.standing[best[1]] = best
        self.over = True

    # the champion

    def holders(self):
        """Seats with a standing throw, the best first, ties to the earlier throw."""
        have = [seat for seat in range(self.seats) if self.standing[seat]]
        return sorted(have, key=lambda s: ([-x for x in self.standing[s][0] or [0]], self.standing[s][5]))

    def stand(self, who, dice, s):
        mine = self.standing[who]
        if mine is not None and self.rules["own_rolls"] == "best" and mine[0] >= s["rank"]:
            return
        cakes = self.stock["zhuangyuan"]
        held = who in self.holders()[:cakes]
        self.standing[who] = (s["rank"], who, dice, s["kind"], s["carry"], self.number)
        lugu = held and who not in self.holders()[:cakes]
        if lugu and not self.rules["lugu_keeps_duitang"]:
            back = min(self.by_chajinhua[who], self.cakes[who]["duitang"])
            self.cakes[who]["duitang"] -= back
            self.stock["duitang"] += back
            self.by_chajinhua[who] = 0

    # cakes

    def credit(self, who, dice):
        rules = self.rules
        s = score(dice, rules)
        kind = s["kind"]
        if kind == "liubohei":
            effect = rules["liubohei"]
            if effect == "nothing":
                return
            if dice[0] not in rules["liubohei_faces"]:
                if s["rank"] is not None:
                    self.stand(who, dice, s)
                return
            if effect == "grab":
                for t in TIERS:
                    self.scramble[t] += self.stock[t]
                    self.stock[t] = 0
                self.standing = [None] * self.seats
                self.over = self.grabbed = True
                return
            if effect == "share":
                for t in LOWER:
                    self.scramble[t] += self.stock[t]
                    self.stock[t] = 0
        if kind == "liubohong":
            effect = rules["liubohong"]
            if effect == "nothing":
                return
            if effect == "everything":
                for other in range(self.seats):
                    if other == who:
                        continue
                    for t in LOWER:
                        kept = self.protected(other) if t == "duitang" else 0
                        self.cakes[who][t] += self.cakes[other][t] - kept
                        self.cakes[other][t] = kept
                    self.by_chajinhua[other] = self.protected(other)
            if effect in ("everything", "remaining"):
                self.sweep(who)
            if effect == "share_rest":
                self.cakes[who]["duitang"] += self.stock["duitang"]
                self.stock["duitang"] = 0
                for t in LOWER:
                    self.scramble[t] += self.stock[t]
                    self.stock[t] = 0
        if kind == "biandijin":
            self.sweep(who)
        if kind == "chajinhua":
            taken = any(
                self.standing[other] and self.standing[other][3] == "chajinhua"
                for other in range(self.seats)
                if other != who
            )
            if not taken:
                self.take_duitang(who)
        elif kind not in ("liubohong", "liubohei", "biandijin"):
            for t in LOWER:
                for _ in range(s["awards"].get(t, 0)):
                    self.award(who, t)
        if s["rank"] is not None:
            self.stand(who, dice, s)
        if rules["six_ends"] and kind in ("liubohong", "liubohei", "biandijin"):
            self.over = True

    def sweep(self, who):
        for t in LOWER:
            self.cakes[who][t] += self.stock[t]
            self.stock[t] = 0

    def protected(self, who):
        return min(self.by_chajinhua[who], self.cakes[who]["duitang"]) if self.rules["chajinhua_protected"] else 0

    def behind(self, who):
        return [(who - k) % self.seats for k in range(1, self.seats)]

    def take_duitang(self, who):
        want = self.rules["chajinhua_duitang"]
        got = min(want, self.stock["duitang"])
        self.stock["duitang"] -= got
        if self.rules["chajinhua_takes_won"]:
            for other in self.behind(who):
                more = min(want - got, self.cakes[other]["duitang"] - self.protected(other))
                self.cakes[other]["duitang"] -= more
                self.by_chajinhua[other] = min(self.by_chajinhua[other], self.cakes[other]["duitang"])
                got += more
        self.cakes[who]["duitang"] += got
        self.by_chajinhua[who] += got

    def award(self, who, tier):
        if self.stock[tier]:
            self.stock[tier] -= 1
            self.cakes[who][tier] += 1
            return
        if self.rules["sold_out"] != "chase" or tier not in self.rules["chase_tiers"]:
            return
        for other in self.behind(who):
            kept = self.protected(other) if tier == "duitang" else 0
            if self.cakes[other][tier] > kept:
                self.cakes[other][tier] -= 1
                self.cakes[who][tier] += 1
                self.by_chajinhua[other] = min(self.by_chajinhua[other], self.cakes[other]["duitang"])
                return


class Lines:
    """The lines of a replay, taken one after another; a refused one raises Fault and changes nothing."""

    def __init__(self, head):
        self.rules = house(head["rules"])
        self.names = head["players"]
        self.items = []
        self.number = 1

    def game(self):
        return Game(self.rules, len(self.names), self.items)

    def answer(self):
        return summary(self.game(), self.names)

    def take(self, line):
        items = self.items
        throws = [i for i, item in enumerate(items) if "pass" not in item]
        self.number += 1
        if "undo" in line:
            if throws:
                del items[throws[-1] :]
            return
        if "correct" in line:
            if not 1 <= line["correct"] <= len(throws):
                raise Fault(self.number, "no such throw")
            check(self.number, line, self.rules)
            item = items[throws[line["correct"] - 1]]
            item["jump"] = bool(line.get("jump"))
            item["dice"] = line.get("dice")
            return
        game = self.game()
        if game.over:
            raise Fault(self.number, "the game is over")
        if "skip" in line:
            items.append({"who": game.turn, "passed": game.trail, "pass": True})
            return
        check(self.number, line, self.rules)
        items.append({"who": game.turn, "passed": game.trail, "jump": bool(line.get("jump")), "dice": line.get("dice")})


def replay(objects):
    """The answer of `bobing replay` for a list of already decoded lines, no blank ones among them."""
    lines = Lines(objects[0])
    for line in objects[1:]:
        lines.take(line)
    return lines.answer()


def check(number, line, rules):
    if line.get("jump") and (rules["jump"] != "off" or "dice" in line):
        return
    dice = line.get("dice")
    if not isinstance(dice, list) or len(dice) != 6 or any(type(d) is not int or not 1 <= d <= 6 for d in dice):
        raise Fault(number, "six dice of 1 to 6 are needed")


def summary(game, names):
    cakes = game.rules["stock"][0] * game.rules["sets"]
    champions = [
        {"player": names[s[1]], "dice": s[2], "kind": s[3], "carry": s[4]}
        for s in (game.standing[seat] for seat in game.holders()[:cakes])
    ]
    answer = {
        "over": game.over,
        "throws": game.number,
        "turn": None if game.turn is None else names[game.turn],
        "stock": game.stock,
        "players": [
            {"name": name, "cakes": game.cakes[seat], "skip": game.skip[seat]} for seat, name in enumerate(names)
        ],
        "champion": champions[0] if champions else None,
        "scramble": game.scramble,
    }
    if cakes > 1:
        answer["champions"] = champions
    return answer

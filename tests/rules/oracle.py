"""A second, deliberately naive reading of the rules: plain mutable Python, everything evaluated again each time.

It was written from the specification alone, before and apart from `rules.bobing`, and shares nothing with it. It
knows the score of one throw and the whole of `replay`; it is slow and does not care.
"""

from collections import Counter

TIERS = ["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu"]
LOWER = TIERS[1:]

XIAMEN = {
    "ladder": ["sihong", "wuzi", "wuhong", "chajinhua", "liubohong"],
    "sijin_bundle": True,
    "wuzi_four_yixiu": False,
    "duitang_patterns": "straight",
    "chajinhua_duitang": 2,
    "chajinhua_protected": False,
    "chajinhua_takes_won": False,
    "lugu_keeps_duitang": True,
    "liubohong": "everything",
    "liubohei": "grab",
    "liubohei_faces": [1, 2, 3, 5, 6],
    "biandijin": False,
    "six_ends": True,
    "own_rolls": "last",
    "sold_out": "nothing",
    "chase_tiers": [],
    "closing": "all_out",
    "no_champion": "play_on",
    "jump": "void_and_skip",
    "titles": "A",
    "stock": [1, 2, 4, 8, 16, 32],
    "sets": 1,
    "wuzi_compare": "carry",
    "liubohei_compare": "equal",
}
WITH_LIUBOHEI = ["sihong", "wuzi", "wuhong", "chajinhua", "liubohei", "liubohong"]
PRESETS = {
    "xiamen": {},
    "short": {"sijin_bundle": False, "own_rolls": "best", "jump": "rethrow"},
    "contest": {
        "ladder": WITH_LIUBOHEI,
        "chajinhua_protected": True,
        "liubohong": "remaining",
        "liubohei": "share",
    },
    "chase": {
        "sijin_bundle": False,
        "own_rolls": "best",
        "sold_out": "chase",
        "chase_tiers": LOWER,
        "jump": "rethrow",
        "titles": "D",
    },
    "fifteen": {
        "ladder": ["sihong", "wuzi", "wuhong", "liubohei", "biandijin", "liubohong", "chajinhua"],
        "wuzi_four_yixiu": True,
        "chajinhua_protected": True,
        "biandijin": True,
        "own_rolls": "best",
        "sold_out": "chase",
        "chase_tiers": LOWER,
        "liubohei_faces": [2, 3, 5, 6],
        "jump": "rethrow",
        "titles": "D",
    },
    "company": {
        "ladder": WITH_LIUBOHEI,
        "liubohong": "champion",
        "liubohei": "champion",
        "six_ends": False,
        "jump": "void",
        "closing": "throws:6",
        "no_champion": "sum",
    },
}


class Fault(Exception):
    """A line of a replay that is wrong; carries the line's number."""

    def __init__(self, line, what):
        super().__init__(f"line {line}: {what}")
        self.line = line


def house(value):
    """All switches of a preset's name or of an object with an optional `preset` and some switches."""
    if isinstance(value, str):
        value = {"preset": value}
    value = dict(value)
    rules = dict(XIAMEN)
    rules.update(PRESETS[value.pop("preset", "xiamen")])
    rules.update(value)
    return rules


# one throw


def kind_of(dice, rules):
    """The first row of the table that the dice fit."""
    n = Counter(dice)
    fours = n[4]
    most = max(n.values())
    if fours == 6:
        return "liubohong"
    if n[1] == 6 and rules["biandijin"]:
        return "biandijin"
    if most == 6:
        return "liubohei"
    if fours == 4 and n[1] == 2:
        return "chajinhua"
    if fours == 5:
        return "wuhong"
    if most == 5:
        return "wuzi"
    if fours == 4:
        return "sihong"
    patterns = rules["duitang_patterns"]
    if isinstance(patterns, str):
        patterns = [patterns]
    if any(looks_like(sorted(dice), pattern) for pattern in patterns):
        return "duitang"
    if fours == 3:
        return "sanhong"
    if most == 4:
        return "sijin"
    if fours == 2:
        return "erju"
    if fours == 1:
        return "yixiu"
    return "none"


def looks_like(d, pattern):
    pairs = d[0] == d[1] and d[2] == d[3] and d[4] == d[5] and d[0] < d[2] < d[4]
    if pattern == "straight":
        return d == [1, 2, 3, 4, 5, 6]
    if pattern == "three_pairs_run":
        return pairs and d[0] + 1 == d[2] and d[2] + 1 == d[4]
    if pattern == "three_pairs":
        return pairs
    if pattern == "two_triples":
        return d[0] == d[2] and d[3] == d[5] and d[0] != d[3]
    raise ValueError(pattern)


def score(dice, rules):
    """What `bobing score` says of a throw, without its text."""
    kind = kind_of(dice, rules)
    n = Counter(dice)
    carry = None
    if kind == "wuhong":
        carry = sum(dice) - 5 * 4
    if kind == "wuzi":
        face = [f for f in n if n[f] == 5][0]
        carry = sum(dice) - 5 * face
    if kind == "sihong":
        carry = sum(dice) - 4 * 4
    rank = None
    ignored = kind in ("liubohong", "liubohei") and rules[kind] == "nothing"
    if kind in rules["ladder"] and not ignored:
        second = carry or 0
        if kind == "wuzi" and rules["wuzi_compare"] == "face":
            second = face * 10 + carry
        if kind == "liubohei" and rules["liubohei_compare"] == "face":
            second = dice[0]
        rank = [rules["ladder"].index(kind), second]
    awards = {}
    if kind in ("chajinhua", "wuhong", "wuzi", "sihong") or rank is not None:
        awards["zhuangyuan"] = 1
    if kind == "chajinhua" and rules["chajinhua_duitang"]:
        awards["duitang"] = rules["chajinhua_duitang"]
    if kind == "wuzi" and carry == 4 and rules["wuzi_four_yixiu"]:
        awards["yixiu"] = 1
    if kind in ("duitang", "sanhong", "sijin", "erju", "yixiu"):
        awards[kind] = 1
    if kind == "sijin" and rules["sijin_bundle"]:
        if n[4] == 1:
            awards["yixiu"] = 1
        if n[4] == 2:
            awards["erju"] = 1
    return {"kind": kind, "carry": carry, "awards": awards, "rank": rank}


# a whole game


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
        if self.again is not None:
            return self.again
        at = 0 if self.last is None else (self.last + 1) % self.seats
        while self.skip[at]:
            self.skipped(at)
            self.trail.append(at)
            if self.over:
                return None
            if self.extra is not None:
                return self.extra[0]
            at = (at + 1) % self.seats
        return at

    def skipped(self, who):
        self.skip[who] = False
        self.end_of_turn(who)

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
        for seat in item["passed"]:
            if not self.over and self.extra is None:
                self.skipped(seat)
        if "pass" in item:
            if self.over:
                return
            if self.extra is not None:
                if who in self.extra:
                    self.extra.remove(who)
                    self.end_of_round()
                return
            self.skipped(who)
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
        best = None
        for who, dice, number in self.round:
            if dice is None:
                continue
            s = score(dice, self.rules)
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
            who, dice, number = [r for r in self.round if r[0] == tied[0]][0]
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


def replay(objects):
    """The answer of `bobing replay` for a list of already decoded lines, blank ones not counted in."""
    head = objects[0]
    rules = house(head["rules"])
    names = head["players"]
    items = []
    for number, line in enumerate(objects[1:], start=2):
        game = Game(rules, len(names), items)
        throws = [i for i, item in enumerate(items) if "pass" not in item]
        if "undo" in line:
            if throws:
                del items[throws[-1] :]
        elif "correct" in line:
            if not 1 <= line["correct"] <= len(throws):
                raise Fault(number, "no such throw")
            item = items[throws[line["correct"] - 1]]
            check(number, line, rules)
            item["jump"] = bool(line.get("jump"))
            item["dice"] = line.get("dice")
        elif game.over:
            raise Fault(number, "the game is over")
        elif "skip" in line:
            items.append({"who": game.turn, "passed": game.trail, "pass": True})
        else:
            check(number, line, rules)
            items.append(
                {"who": game.turn, "passed": game.trail, "jump": bool(line.get("jump")), "dice": line.get("dice")}
            )
    return summary(Game(rules, len(names), items), names)


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
    if game.rules["sets"] > 1:
        answer["champions"] = champions
    return answer

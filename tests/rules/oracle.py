"""A second, deliberately naive reading of the rules: house rules and the score of one throw.

It was written from the specification alone, before and apart from `rules.bobing`, and shares nothing with it. Whole
games are in `oracle_game.py`.
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
        face = next(f for f in n if n[f] == 5)
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
    if rank is not None:
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

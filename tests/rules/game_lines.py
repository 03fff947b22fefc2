"""Games written down briefly, and random ones weighted towards what is rare in life."""

import json
import random

import oracle
import oracle_game

from rules.bobing.replay import replay, summary

LADDER_KINDS = ["sihong", "wuzi", "wuhong", "chajinhua", "liubohei", "biandijin", "liubohong"]
PATTERNS = ["straight", "three_pairs_run", "three_pairs", "two_triples"]
NONE = "112235"
YIXIU = "411223"


def dice(text):
    return [int(d) for d in text]


def line(short):
    """A replay line: `"444411"` is a throw, `"jump"`, `"undo"`, `"skip"` themselves, `(3, "112233")` and `(3, "jump")` a correction."""
    if isinstance(short, dict):
        return short
    if isinstance(short, tuple):
        number, what = short
        return {"correct": number, "jump": 1} if what == "jump" else {"correct": number, "dice": dice(what)}
    return {short: 1} if short.isalpha() else {"dice": dice(short)}


def game(rules, players, *shorts):
    """The engine's game after these lines. players: one character each."""
    head = {"rules": rules, "players": list(players)}
    return replay([json.dumps(one) for one in (head, *map(line, shorts))])


def played(rules, players, *shorts):
    """The engine's answer after these lines."""
    return summary(game(rules, players, *shorts))


def cakes(answer, name):
    """A player's cakes without the tiers of which there are none."""
    held = next(p["cakes"] for p in answer["players"] if p["name"] == name)
    return {tier: n for tier, n in held.items() if n}


def left(answer):
    """The stock without the tiers of which none is left."""
    return {tier: n for tier, n in answer["stock"].items() if n}


def holder(answer):
    """Who holds the champion cake, with what: `("甲", "sihong", 7)`; None where nobody does."""
    c = answer["champion"]
    return c and (c["player"], c["kind"], c["carry"])


def skips(answer):
    return [p["name"] for p in answer["players"] if p["skip"]]


def random_rules(chance):
    """House rules with many switches moved, small stocks more often than not."""
    rules = {"preset": chance.choice(list(oracle.PRESETS)), "chase_tiers": list(oracle.LOWER)}

    def maybe(probability, key, make):
        if chance.random() < probability:
            rules[key] = make()

    def flip():
        return chance.random() < 0.5

    def ladder():
        sure = {"liubohong", chance.choice(LADDER_KINDS[:4])}
        kinds = [k for k in LADDER_KINDS if k in sure or chance.random() < 0.8]
        if flip():
            chance.shuffle(kinds)
        return kinds

    def stock():
        lower = [chance.choice([0, 0, 1, 1, 2, 3]) for _ in range(5)]
        return [chance.choice([1, 1, 1, 2]), *(lower if any(lower) else [1, 0, 0, 0, 0])]

    maybe(0.3, "ladder", ladder)
    for key in ("sijin_bundle", "wuzi_four_yixiu", "chajinhua_protected", "chajinhua_takes_won"):
        maybe(0.4, key, flip)
    for key in ("lugu_keeps_duitang", "biandijin", "six_ends"):
        maybe(0.4, key, flip)
    maybe(
        0.3,
        "duitang_patterns",
        lambda: chance.choice(PATTERNS) if flip() else chance.sample(PATTERNS, chance.randint(1, 4)),
    )
    maybe(0.3, "chajinhua_duitang", lambda: chance.randint(0, 2))
    maybe(0.5, "liubohong", lambda: chance.choice(["everything", "remaining", "share_rest", "champion", "nothing"]))
    maybe(0.5, "liubohei", lambda: chance.choice(["grab", "share", "champion", "nothing"]))
    maybe(0.3, "liubohei_faces", lambda: chance.sample([1, 2, 3, 5, 6], chance.randint(0, 5)))
    maybe(0.5, "own_rolls", lambda: chance.choice(["last", "best"]))
    maybe(0.5, "sold_out", lambda: chance.choice(["nothing", "chase"]))
    maybe(0.3, "chase_tiers", lambda: chance.sample(oracle.LOWER, chance.randint(0, 5)))
    maybe(0.6, "closing", lambda: chance.choice(["all_out", "lap", "clock:5", *(f"throws:{n}" for n in range(1, 6))]))
    maybe(0.5, "no_champion", lambda: chance.choice(["play_on", "sum"]))
    maybe(0.6, "jump", lambda: chance.choice(["void_and_skip", "void", "rethrow", "off"]))
    maybe(0.2, "wuzi_compare", lambda: chance.choice(["carry", "face"]))
    maybe(0.2, "liubohei_compare", lambda: chance.choice(["equal", "face"]))
    maybe(0.8, "stock", stock)
    maybe(0.2, "sets", lambda: chance.randint(1, 3))
    return rules


def random_dice(chance, rare=0.7):
    """Six dice, with probability `rare` of a shape that wins something big."""
    f, g, h = (chance.randint(1, 6) for _ in range(3))
    if chance.random() >= rare:
        thrown = [chance.randint(1, 6) for _ in range(6)]
    else:
        shapes = [
            [4] * 6, [f] * 6, [4, 4, 4, 4, 1, 1], [4, 4, 4, 4, 1, 1], [4, 4, 4, 4, f, g], [4, 4, 4, 4, f, g],
            [4] * 5 + [f], [f] * 5 + [g], [1, 2, 3, 4, 5, 6], [f] * 4 + [g, h], [4, 4, 4, f, g, h],
            [f, f, g, g, h, h], [f] * 3 + [g] * 3,
        ]  # fmt: skip
        thrown = chance.choice(shapes)
    chance.shuffle(thrown)
    return thrown


def random_lines(chance, rules, fixes=0.25, rare=0.7, most=25):
    """Lines of a game that the second reading accepts; `fixes` of them are undos, skips and corrections."""
    players = "甲乙丙丁戊"[: chance.choice([1, 2, 2, 3, 3, 4])]
    lines = [{"rules": rules, "players": list(players)}]
    second = oracle_game.Lines(lines[0])
    jumps = chance.choice([0.05, 0.25])
    for _ in range(chance.randint(most // 2, most)):
        throws = sum("pass" not in item for item in second.items)
        new = _random_line(chance, fixes, jumps, rare, throws)
        try:
            second.take(new)
        except oracle_game.Fault:
            if chance.random() < 0.5:
                break
        else:
            lines.append(new)
    return lines


def _random_line(chance, fixes, jumps, rare, throws):
    if throws and chance.random() < fixes:
        kind = chance.choice(["undo", "undo", "skip", "correct", "correct", "correct"])
        if kind != "correct":
            return {kind: 1}
        number = chance.randint(1, throws) if chance.random() < 0.6 else throws
        if chance.random() < 0.4:
            return {"correct": number, "jump": 1}
        return {"correct": number, "dice": random_dice(chance, rare)}
    if chance.random() < jumps:
        return {"jump": 1, "dice": random_dice(chance, rare)} if chance.random() < 0.5 else {"jump": 1}
    return {"dice": random_dice(chance, rare)}


def chance(seed):
    return random.Random(seed)

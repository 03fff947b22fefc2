"""Chances against plain counting, against the engine itself one throw ahead, and against games really played."""

from collections import Counter
from itertools import product
from math import isclose

import game_lines
import pytest

from rules.bobing import commands as c
from rules.bobing.decide import decide
from rules.bobing.game import evolve
from rules.bobing.hand import score
from rules.bobing.houserules import PRESETS, house_rules
from rules.bobing.ledger import OVER, opened
from rules.bobing.odds import ALL_THROWS, Forecast, Odds

SMALL = {"stock": [1, 1, 0, 1, 1, 2]}


def started(rules, players):
    return evolve(None, decide(None, c.Start(tuple(players), rules))[0])


def thrown(game, dice):
    return evolve(game, decide(game, c.Throw(tuple(dice)))[0])


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_chances_of_the_kinds_are_the_counts_and_sum_to_one(preset):
    rules = house_rules(preset)
    counts = Counter(score(dice, rules).kind for dice in product(range(1, 7), repeat=6))
    kinds = Odds(rules).kinds()
    assert isclose(sum(kinds.values()), 1)
    assert {kind: round(p * ALL_THROWS) for kind, p in kinds.items()} == counts


def test_the_chance_of_a_champion_throw_is_the_count_of_those():
    odds = Odds(house_rules("xiamen"))
    assert isclose(odds.beats(None), (360 + 150 + 30 + 15 + 1) / ALL_THROWS)
    assert isclose(odds.beats((3, 0)), 1 / ALL_THROWS)
    assert odds.beats((4, 0)) == 0
    assert isclose(odds.beats((2, 6)), 16 / ALL_THROWS)
    assert isclose(odds.beats((2, 5)), (16 + 6) / ALL_THROWS)


def test_a_grab_beats_nobody_although_it_stands_on_the_ladder():
    odds = Odds(house_rules("fifteen"))
    assert isclose(odds.beats((2, 6)), (1 + 1 + 15) / ALL_THROWS)


@pytest.mark.parametrize("seed", range(6))
def test_the_chance_to_beat_the_holder_is_how_often_the_engine_moves_the_cake(seed):
    chance = game_lines.chance(f"beats {seed}")
    rules = house_rules(
        {**game_lines.random_rules(chance), "stock": [1, 2, 4, 8, 16, 32], "sets": 1, "closing": "all_out"}
    )
    odds = Odds(rules)
    game = started(rules, "甲乙")
    while game.ledger.holder is None and not game.over:
        game = thrown(started(rules, "甲乙"), game_lines.random_dice(chance))
    if game.over:
        game = started(rules, "甲乙")
        game = thrown(game, (1, 1, 2, 2, 3, 5))
    rank = game.ledger.holder.rank if game.ledger.holder else None
    moved = 0
    for hand, weight in odds.hands:
        holder = thrown(game, hand.dice).ledger.holder
        moved += weight * (holder is not None and holder.player == "p2")
    assert isclose(odds.beats(rank), moved / ALL_THROWS)


def test_one_yixiu_and_a_champion_are_awaited_as_long_as_computed_by_hand():
    given = {"stock": [1, 0, 0, 0, 0, 1], "six_ends": False, "liubohong": "champion", "liubohei": "nothing"}
    rules = house_rules(given)
    yixiu = (17400 + 600) / ALL_THROWS  # 四进带一秀 brings one too
    champion = (360 + 150 + 30 + 15 + 1) / ALL_THROWS
    both = (1 + yixiu / champion + champion / yixiu) / (yixiu + champion)
    forecast = Forecast(Odds(rules))
    game = started(rules, "甲")
    assert isclose(forecast.expected_throws(game.ledger), both)
    assert isclose(forecast.expected_throws(thrown(game, (4, 1, 1, 2, 2, 3)).ledger), 1 / champion)
    assert isclose(forecast.expected_throws(thrown(game, (4, 4, 4, 4, 1, 2)).ledger), 1 / yixiu)


@pytest.mark.parametrize("seed", range(10))
def test_what_is_expected_now_is_one_throw_more_than_what_is_expected_then(seed):
    """One player, so that nobody stands in the way of a 插金花: the law holds exactly, the engine makes the step."""
    chance = game_lines.chance(f"one step {seed}")
    given = game_lines.random_rules(chance) | {"closing": "all_out", "stock": [1, 1, 1, 2, 1, 2], "sets": 1}
    rules = house_rules(given)
    forecast = Forecast(Odds(rules))
    game = started(rules, "甲")
    for _ in range(3):
        if game.over:
            break
        later = 0.0
        for hand, weight in Odds(rules).hands:
            then = forecast.expected_throws(thrown(game, hand.dice).ledger)
            assert then is not None
            later += weight * then
        assert isclose(forecast.expected_throws(game.ledger), 1 + later / ALL_THROWS), given
        game = thrown(game, game_lines.random_dice(chance, rare=0.5))


def test_games_really_played_last_about_as_long_as_expected():
    rules = house_rules(SMALL)
    chance = game_lines.chance("evenings")
    lengths = []
    for _ in range(100):
        game = started(rules, "甲")
        while not game.over:
            game = thrown(game, game_lines.random_dice(chance, rare=0))
        lengths.append(game.ledger.throws)
    mean = sum(lengths) / len(lengths)
    spread = (sum((n - mean) ** 2 for n in lengths) / len(lengths)) ** 0.5
    expected = Forecast(Odds(rules)).expected_throws(opened(rules, (("p1", "甲"),)))
    assert abs(mean - expected) < 4 * spread / len(lengths) ** 0.5


def test_when_it_is_over_no_throw_is_expected_and_a_huge_stock_is_not_forecast():
    rules = house_rules(SMALL)
    over = thrown(started(rules, "甲"), (4,) * 6)
    assert over.ledger.phase == OVER and Forecast(Odds(rules)).expected_throws(over.ledger) == 0
    huge = house_rules({"stock": [1, 9999, 9999, 9999, 9999, 9999]})
    assert Forecast(Odds(huge)).expected_throws(started(huge, "甲").ledger) is None

"""Every one of the 46,656 throws, under every preset and under random house rules, against a second reading of the spec."""

import itertools
from collections import Counter

import game_lines
import oracle
import pytest

from rules.bobing.hand import score
from rules.bobing.houserules import PRESETS, house_rules

ALL = list(itertools.product(range(1, 7), repeat=6))
DISTINCT = list(itertools.combinations_with_replacement(range(1, 7), 6))


def as_oracle(dice, rules):
    hand = score(dice, rules).as_json()
    return {key: hand[key] for key in ("kind", "carry", "awards", "rank")}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_all_46656_hands_of_a_preset_agree_with_the_second_reading(preset):
    rules, second = house_rules(preset), oracle.house(preset)
    assert sorted(PRESETS) == sorted(oracle.PRESETS)
    wrong = [dice for dice in ALL if as_oracle(dice, rules) != oracle.score(dice, second)]
    assert wrong == []


def test_the_counts_of_the_table_are_exact_for_xiamen():
    rules = house_rules("xiamen")
    counts = Counter(score(dice, rules).kind for dice in ALL)
    assert counts == {
        "liubohong": 1,
        "liubohei": 5,
        "chajinhua": 15,
        "wuhong": 30,
        "wuzi": 150,
        "sihong": 360,
        "duitang": 720,
        "sanhong": 2500,
        "sijin": 1875,
        "erju": 9300,
        "yixiu": 17400,
        "none": 14300,
    }
    assert counts.total() == 46656


def test_the_bundles_of_four_alike_have_the_counts_of_the_table():
    rules = house_rules("xiamen")
    awards = Counter(
        tuple(hand["awards"]) for hand in (score(dice, rules).as_json() for dice in ALL) if hand["kind"] == "sijin"
    )
    assert awards == {("sijin",): 1200, ("sijin", "yixiu"): 600, ("sijin", "erju"): 75}


def test_six_ones_are_biandijin_where_the_house_has_it_and_one_less_liubohei():
    rules = house_rules("fifteen")
    counts = Counter(score(dice, rules).kind for dice in ALL)
    assert (counts["biandijin"], counts["liubohei"]) == (1, 4)


@pytest.mark.parametrize("seed", range(8))
def test_all_distinct_hands_agree_under_random_house_rules(seed):
    chance = game_lines.chance(seed)
    for _ in range(25):
        given = game_lines.random_rules(chance)
        rules, second = house_rules(given), oracle.house(given)
        wrong = [dice for dice in DISTINCT if as_oracle(dice, rules) != oracle.score(dice, second)]
        assert wrong == [], given


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_order_of_the_dice_changes_nothing_but_their_echo(preset):
    rules = house_rules(preset)
    chance = game_lines.chance(preset)
    for dice in DISTINCT:
        mixed = tuple(chance.sample(dice, 6))
        one, other = score(dice, rules), score(mixed, rules)
        assert other.dice == mixed
        assert (one.kind, one.carry, one.awards, one.rank, one.text) == (
            other.kind,
            other.carry,
            other.awards,
            other.rank,
            other.text,
        )


def test_a_champion_hand_says_one_champion_cake_exactly_where_it_has_a_rank():
    for preset in PRESETS:
        rules = house_rules(preset)
        for dice in DISTINCT:
            hand = score(dice, rules)
            assert hand.awards[0] == (hand.rank is not None)

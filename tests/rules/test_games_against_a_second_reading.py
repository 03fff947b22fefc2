"""Whole games against a second reading of the spec: random rules, rare hands, sold-out stocks, jumps, undos, corrections."""

import json

import game_lines
import oracle
import oracle_game
import pytest

from rules.bobing.replay import ReplayError, replay, summary


def engine(lines):
    return summary(replay([json.dumps(one) for one in lines]))


def shown(lines):
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in lines)


@pytest.mark.parametrize("seed", range(16))
def test_short_games_under_random_rules_end_alike(seed):
    chance = game_lines.chance(f"short {seed}")
    for _ in range(60):
        lines = game_lines.random_lines(chance, game_lines.random_rules(chance))
        assert engine(lines) == oracle_game.replay(lines), shown(lines)


@pytest.mark.parametrize("preset", sorted(oracle.PRESETS))
def test_games_with_the_full_stock_of_a_preset_end_alike(preset):
    chance = game_lines.chance(preset)
    for rare, most in ((0, 500), (0.02, 150), (0.3, 100), (0.3, 100)):
        lines = game_lines.random_lines(chance, preset, fixes=0.02, rare=rare, most=most)
        assert engine(lines) == oracle_game.replay(lines), shown(lines)


@pytest.mark.parametrize("preset", sorted(oracle.PRESETS))
def test_games_with_a_small_stock_of_a_preset_end_alike(preset):
    chance = game_lines.chance(f"small {preset}")
    for _ in range(40):
        rules = {"preset": preset, "stock": [1, *(chance.randint(0, 2) for _ in range(4)), 1]}
        lines = game_lines.random_lines(chance, rules, fixes=0.15)
        assert engine(lines) == oracle_game.replay(lines), shown(lines)


@pytest.mark.parametrize("closing", ["throws:1", "throws:3", "lap"])
@pytest.mark.parametrize("no_champion", ["play_on", "sum"])
def test_games_with_a_closing_rule_and_few_champion_throws_end_alike(closing, no_champion):
    chance = game_lines.chance(f"{closing} {no_champion}")
    for _ in range(40):
        rules = {
            "preset": chance.choice(["xiamen", "contest", "short"]),
            "stock": [1, 1, 1, 0, 0, 1],
            "closing": closing,
            "no_champion": no_champion,
        }
        lines = game_lines.random_lines(chance, rules, fixes=0.2, rare=0.3)
        assert engine(lines) == oracle_game.replay(lines), shown(lines)


@pytest.mark.parametrize("jump", ["void_and_skip", "void", "rethrow", "off"])
def test_games_with_many_jumps_and_corrections_end_alike(jump):
    chance = game_lines.chance(jump)
    for _ in range(60):
        rules = {**game_lines.random_rules(chance), "jump": jump}
        lines = game_lines.random_lines(chance, rules, fixes=0.5, most=14)
        assert engine(lines) == oracle_game.replay(lines), shown(lines)


def test_the_first_wrong_line_is_the_same_for_both():
    chance = game_lines.chance("wrong lines")
    for _ in range(150):
        lines = game_lines.random_lines(chance, game_lines.random_rules(chance), most=10)
        lines.insert(chance.randint(1, len(lines)), {"correct": chance.randint(1, 12), "dice": [1, 2, 3, 3, 3, 3]})
        lines.append({"dice": [4, 4, 4, 4, 4, 4]})
        lines.append({"skip": 1})
        try:
            expected = oracle_game.replay(lines)
        except oracle_game.Fault as fault:
            with pytest.raises(ReplayError, match=rf"^line {fault.line}: "):
                engine(lines)
        else:
            assert engine(lines) == expected, shown(lines)

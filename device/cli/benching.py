"""`bobing bench`: the speed of each stage on this machine, in CPU time of one thread."""

from __future__ import annotations

import itertools
import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from device.cli.output import OK, emit, line, say
from device.play import Play
from device.view import Setting, state
from rules.bobing import commands as c
from rules.bobing.decide import decide
from rules.bobing.game import Game, evolve
from rules.bobing.hand import score, six_dice
from rules.bobing.houserules import HouseRules, house_rules
from rules.bobing.odds import Forecast, Odds
from rules.bobing.replay import replay

SEED = 63
THROWS = 1500
PLAYERS = ("甲", "乙", "丙", "丁", "戊", "己")
ENDLESS = {"preset": "xiamen", "six_ends": False, "liubohei": "champion", "stock": [1, 400, 400, 400, 400, 400]}


def _cpu(work: Callable[[], Any], repeat: int = 1) -> float:
    """Median CPU milliseconds of one call."""
    spent = []
    for _ in range(repeat):
        begun = time.process_time()
        work()
        spent.append((time.process_time() - begun) * 1000)
    return statistics.median(spent)


def _stream() -> None:
    rules = HouseRules()
    dumps = json.JSONEncoder(ensure_ascii=False).encode
    for dice in itertools.product(range(1, 7), repeat=6):
        dumps(score(six_dice(json.loads(json.dumps(dice))), rules).as_json())


def _lines() -> list[str]:
    chance = random.Random(SEED)
    throws = [json.dumps({"dice": [chance.randint(1, 6) for _ in range(6)]}) for _ in range(THROWS)]
    return [json.dumps({"rules": ENDLESS, "players": PLAYERS}), *throws]


def _one_command(game: Game) -> None:
    for event in decide(game, c.Throw((1, 2, 3, 5, 6, 4))):
        evolve(game, event)


def _rules_rows() -> list[tuple[str, float, str]]:
    game = replay(_lines())
    thrown = evolve(game, decide(game, c.Throw((1, 2, 3, 5, 6, 4)))[0])
    return [
        ("score: 46,656 hands through JSON", _cpu(_stream), "ms"),
        ("replay: 1,500 throws", _cpu(lambda: replay(_lines())), "ms"),
        ("one throw decided and evolved at 1,500 throws", _cpu(lambda: _one_command(game), 200), "ms"),
        ("undo at 1,500 throws", _cpu(lambda: evolve(thrown, decide(thrown, c.Undo())[0]), 50), "ms"),
        ("correction of the first of 1,500 throws", _cpu(lambda: _correct_first(game), 5), "ms"),
        (
            "the state that pages see, at 1,500 throws",
            _cpu(lambda: state(Play(game=game), Setting(), None, None), 5),
            "ms",
        ),
        ("expected throws: solving the full stock", _cpu(lambda: _forecast(house_rules("xiamen"))), "ms"),
    ]


def _correct_first(game: Game) -> None:
    evolve(game, decide(game, c.Correct(1, dice=(4, 4, 4, 4, 1, 1)))[0])


def _forecast(rules: HouseRules) -> None:
    game = evolve(None, decide(None, c.Start(PLAYERS, rules))[0])
    Forecast(Odds(rules)).expected_throws(game.ledger)


def _vision_rows() -> list[tuple[str, float, str]]:
    from device.cli.bench_vision import vision_rows

    return vision_rows(_cpu)


def _box_rows() -> list[tuple[str, float, str]]:
    from device.cli.bench_box import box_rows
    from firmware_bridge.emulation import MAKE, emulator

    program = emulator()
    if program is None:
        say(f"bobing: the box is not measured: {MAKE}")
        return []
    return box_rows(program)


def run_bench(as_json: bool) -> int:
    """Measure every stage once or a few times; CPU time, so that other programs matter little, but for the box, which lives by the clock."""
    for name, value, unit in (*_rules_rows(), *_vision_rows(), *_box_rows()):
        if as_json:
            emit({"stage": name, "value": round(value, 3), "unit": unit})
        else:
            line(f"{name:58} {value:10.3f} {unit}")
    return OK

"""A whole game from lines (bobing-rules.md section 7): a header, then throws, jumps, undos, skips and corrections."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from . import commands as c
from .decide import decide
from .errors import DiceError, NotAllowed, RulesError
from .game import Game, evolve
from .hand import six_dice
from .houserules import house_rules
from .ledger import Ledger, Standing, shown_cakes, shown_stock
from .names import TIERS

MAX_LINES = 30_000


class ReplayError(ValueError):
    """A line of the replay is wrong; the text names its number."""


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise ReplayError(f"line {number}: not JSON") from fault
    if not isinstance(value, dict):
        raise ReplayError(f"line {number}: an object in braces is needed")
    return value


def _flag(value: Any) -> bool:
    return value is True or (isinstance(value, int) and value == 1)


def _known(given: Mapping[str, Any], *allowed: str) -> None:
    for key in given:
        if key not in allowed:
            raise NotAllowed("unknown_key", f"{key!r} is not known here; allowed: {', '.join(allowed)}", "")


def _command(given: Mapping[str, Any]) -> c.Command:
    """The command of one line; raises NotAllowed or DiceError."""
    for word in ("jump", "undo", "skip"):
        if word in given and not _flag(given[word]):
            raise NotAllowed("flag", f'"{word}" can only be 1', "")
    if "correct" in given:
        _known(given, "correct", "dice", "jump")
        number = given["correct"]
        if isinstance(number, bool) or not isinstance(number, int):
            raise NotAllowed("flag", '"correct" names a throw by its number', "")
        dice = six_dice(given["dice"]) if "dice" in given else None
        return c.Correct(number, dice=dice, jump="jump" in given)
    if "undo" in given:
        _known(given, "undo")
        return c.TakeBack()
    if "skip" in given:
        _known(given, "skip")
        return c.Skip()
    if "jump" in given:
        _known(given, "jump", "dice")
        dice_given = given.get("dice")
        if dice_given is not None and not (
            isinstance(dice_given, list) and all(isinstance(d, int) and not isinstance(d, bool) for d in dice_given)
        ):
            raise DiceError("dice must be a list of values from 1 to 6")
        return c.Jump(None if dice_given is None else tuple(dice_given))
    _known(given, "dice")
    if "dice" not in given:
        raise NotAllowed("nothing", 'a line needs "dice", "jump", "undo", "skip" or "correct"', "")
    return c.Throw(six_dice(given["dice"]))


def _opening(line: str, number: int) -> Game:
    given = _object(line, number)
    try:
        _known(given, "rules", "players")
        players = given.get("players")
        if not isinstance(players, list):
            raise NotAllowed("players", '"players" must be a list of names in the order of play', "")
        rules = house_rules(given.get("rules", "xiamen"), "rules")
        return evolve(None, decide(None, c.Start(tuple(players), rules))[0])
    except (NotAllowed, RulesError) as fault:
        raise ReplayError(f"line {number}: {fault}") from fault


def replay(lines: Iterable[str]) -> Game:
    """The game that these lines lead to; raises ReplayError naming the first bad line."""
    game: Game | None = None
    number = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if number > MAX_LINES:
            raise ReplayError(f"line {number}: a replay holds at most {MAX_LINES} lines")
        if game is None:
            game = _opening(line, number)
            continue
        try:
            command = _command(_object(line, number))
            if isinstance(command, c.TakeBack) and not game.ledger.throws:
                continue
            for event in decide(game, command):
                # a replay undoes by `TakenBack` alone, so what `Undone` would need is let go
                game = replace(evolve(game, event), past=None)
        except (NotAllowed, DiceError) as fault:
            raise ReplayError(f"line {number}: {fault}") from fault
    if game is None:
        raise ReplayError("line 1: the first line must name rules and players; the file is empty")
    return game


def _tiers(cakes: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(TIERS, cakes, strict=True))


def champion_as_json(ledger: Ledger, standing: Standing) -> dict[str, Any]:
    """A holder with exactly the four keys of section 7; dice null for one made champion by a scramble."""
    return {
        "player": ledger.seat(standing.player).name,
        "dice": None if standing.dice is None else list(standing.dice),
        "kind": standing.kind,
        "carry": standing.carry,
    }


def summary(game: Game) -> dict[str, Any]:
    """The answer of `bobing replay`: where the game stands now."""
    ledger = game.ledger
    thrower = game.core.thrower
    champions = [champion_as_json(ledger, s) for s in ledger.champions]
    answer: dict[str, Any] = {
        "over": game.over,
        "throws": ledger.throws,
        "turn": None if thrower is None else ledger.seat(thrower).name,
        "stock": _tiers(shown_stock(ledger)),
        "players": [
            {"name": seat.name, "cakes": _tiers(shown_cakes(ledger, seat)), "skip": seat.skip} for seat in ledger.seats
        ],
        "champion": champions[0] if champions else None,
        "scramble": _tiers(ledger.scramble),
    }
    if game.rules.cakes[0] > 1:
        answer["champions"] = champions
    return answer

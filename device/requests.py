"""JSON from a page → a command of the game; every fault is one plain line and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from device.errors import Refused
from device.hostile import is_plain
from rules.bobing import commands as c
from rules.bobing.errors import DiceError, RulesError
from rules.bobing.events import Prize
from rules.bobing.game import Game
from rules.bobing.hand import Dice, six_dice
from rules.bobing.houserules import HouseRules, house_rules
from rules.bobing.names import TIERS

MAX_GIFTS = 200
MAX_TEXT = 60
MAX_NAME = 24
"""Longer names fit on no board."""
MAX_PLAYERS = 40


def _bad(en: str, zh: str = "") -> Refused:
    return Refused("malformed", en, zh or "指令有误")


def _only(body: Mapping[str, Any], *allowed: str) -> None:
    for key in body:
        if key not in ("command", "version", *allowed):
            raise _bad(f"{key!r} is not known to {body['command']!r}; it takes {', '.join(allowed) or 'nothing'}")


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_TEXT:
        raise _bad(f"{what} must be text of 1 to {MAX_TEXT} characters")
    _shown(value, what)
    return value.strip()


def _shown(text: str, what: str) -> None:
    if not is_plain(text):
        raise _bad(f"{what} has characters that can't be seen or turn the line round", "文字里有看不见的字符")


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _bad(f"{what} must be a whole number")
    return value


def _name(value: Any) -> Any:
    """A name that fits the board; what else is wrong with it the rules say."""
    if not isinstance(value, str):
        return value
    if len(value.strip()) > MAX_NAME:
        raise Refused(
            "name_long", f"a player's name has more than {MAX_NAME} characters: {value.strip()[:MAX_NAME]}…", "姓名太长"
        )
    if re.fullmatch(r"p[0-9]+", value.strip()):
        raise Refused(
            "name_is_id", f"{value.strip()} is how the table numbers its seats: choose another name", "请换一个名字"
        )
    return value.strip()


def dice_of(value: Any) -> Dice:
    """Six dice from a page; raises Refused."""
    try:
        return six_dice(value)
    except DiceError as fault:
        raise Refused("dice_wrong", str(fault), "请报六颗点数，每颗 1 到 6") from fault


def player_of(game: Game | None, value: Any) -> str:
    """A player's id from an id or a name; raises Refused."""
    seats = () if game is None else game.ledger.seats
    for seat in seats:
        if value == seat.id:
            return seat.id
    for seat in seats:
        if value == seat.name:
            return seat.id
    raise Refused("unknown_player", f"nobody at this table is called {value!r}", "座上没有这个人")


def rules_of(value: Any, default: HouseRules) -> HouseRules:
    """House rules from a preset's name or an object; None: the table's."""
    if value is None:
        return default
    try:
        return house_rules(value, "rules")
    except RulesError as fault:
        raise Refused("rules_wrong", str(fault), "规则有误") from fault


def _prize(tier: str, value: Any) -> Prize:
    if not isinstance(value, Mapping):
        raise _bad(f"the prize of {tier} must be an object with name, value, gifts")
    for key in value:
        if key not in ("name", "value", "gifts"):
            raise _bad(f"{key!r} is not known to a prize; it takes name, value, gifts")
    name = value.get("name", "")
    worth = value.get("value", 0)
    gifts = value.get("gifts", [])
    if not isinstance(name, str) or len(name) > MAX_TEXT:
        raise _bad(f"the prize's name of {tier} must be text of at most {MAX_TEXT} characters")
    _shown(name, f"the prize's name of {tier}")
    if isinstance(worth, bool) or not isinstance(worth, int | float) or not 0 <= worth < 1e9:
        raise _bad(f"the prize's value of {tier} must be a number from 0")
    if not isinstance(gifts, list) or len(gifts) > MAX_GIFTS:
        raise _bad(f"the gifts of {tier} must be a list of at most {MAX_GIFTS} names")
    return Prize(name.strip(), worth, tuple(_text(g, "a gift") for g in gifts))


def prizes_of(value: Any) -> tuple[tuple[str, Prize], ...]:
    """Prizes by tier from a page; None: none named."""
    if value is None:
        return ()
    if not isinstance(value, Mapping):
        raise _bad("prizes must be an object by tier")
    for tier in value:
        if tier not in TIERS:
            raise _bad(f"{tier!r} is no tier; allowed: {', '.join(TIERS)}")
    return tuple((tier, _prize(tier, value[tier])) for tier in TIERS if tier in value)


def _first(value: Any, names: list[Any], draw: Callable[[int], int]) -> c.First | None:
    if value is None:
        return None
    if value == "random":
        return c.First(draw=draw(len(names)))
    if isinstance(value, Mapping):
        if set(value) == {"player"} and value["player"] in names:
            return c.First(player=names.index(value["player"]))
        if set(value) == {"elder", "dice"} and value["elder"] in names:
            dice = value["dice"]
            if isinstance(dice, list) and len(dice) == 2 and all(type(d) is int and 1 <= d <= 6 for d in dice):
                return c.First(elder=names.index(value["elder"]), dice=tuple(dice))
            raise _bad("the start needs two dice from 1 to 6", "开局须掷两颗骰子")
    raise _bad(
        'first must be null, "random", {"player": name} or {"elder": name, "dice": [a, b]} with names of this table'
    )


def start_of(body: Mapping[str, Any], default: HouseRules, draw: Callable[[int], int]) -> c.Start:
    """The start of a game. draw(n): a whole number from 0 to n-1, the randomness of a drawn starter."""
    _only(body, "players", "rules", "prizes", "first")
    names = body.get("players")
    if not isinstance(names, list) or not names:
        raise _bad("players must be a list of names in the order of play", "请按顺序给出玩家姓名")
    if len(names) > MAX_PLAYERS:
        raise Refused("too_many_players", f"at most {MAX_PLAYERS} players fit at a table", f"最多 {MAX_PLAYERS} 人一桌")
    clean = [_name(n) for n in names]
    rules = rules_of(body.get("rules"), default)
    first = body.get("first")
    if first is None and rules.start == "random":
        first = "random"
    return c.Start(tuple(clean), rules, prizes_of(body.get("prizes")), _first(first, clean, draw))


def _player_command(body: Mapping[str, Any], game: Game | None) -> c.Command:
    _only(body, "add", "rename", "move", "sit_out", "return", "leave")
    asked = [k for k in ("add", "rename", "move", "sit_out", "return", "leave") if k in body]
    if len(asked) != 1:
        raise _bad("player takes one of add, rename, move, sit_out, return, leave")
    given = body[asked[0]]
    if not isinstance(given, Mapping):
        raise _bad(f"{asked[0]} takes an object")
    before = None if given.get("before") is None else player_of(game, given["before"])
    if asked[0] == "add":
        if game is not None and len(game.ledger.seats) >= MAX_PLAYERS:
            raise Refused(
                "too_many_players", f"at most {MAX_PLAYERS} players fit at a table", f"最多 {MAX_PLAYERS} 人一桌"
            )
        return c.AddPlayer(_name(given.get("name", "")), before)
    player = player_of(game, given.get("player"))
    match asked[0]:
        case "rename":
            return c.RenamePlayer(player, _name(given.get("name", "")))
        case "move":
            return c.MovePlayer(player, before)
        case "sit_out":
            return c.SitOut(player)
        case "return":
            return c.Return(player)
    return c.Leave(player)


def _correct(body: Mapping[str, Any], game: Game | None) -> c.Command:
    _only(body, "throw", "dice", "jump", "player")
    number = _whole(body.get("throw"), "throw")
    if "jump" in body and body["jump"] is not True:
        raise _bad("jump can only be true; to say it was no jump, give the dice")
    return c.Correct(
        number,
        dice=dice_of(body["dice"]) if "dice" in body else None,
        jump="jump" in body,
        player=player_of(game, body["player"]) if "player" in body else None,
    )


def _give_back(body: Mapping[str, Any], game: Game | None) -> c.Command:
    _only(body, "player", "cakes")
    cakes = body.get("cakes")
    if not isinstance(cakes, Mapping) or any(tier not in TIERS for tier in cakes):
        raise _bad(f"cakes must be an object by tier; tiers: {', '.join(TIERS)}")
    return c.GiveBack(player_of(game, body.get("player")), tuple(_whole(cakes.get(t, 0), t) for t in TIERS))


_PLAIN: dict[str, type] = {
    "undo": c.Undo,
    "redo": c.Redo,
    "pause": c.Pause,
    "resume": c.Resume,
    "end": c.End,
}


def command_of(body: Mapping[str, Any], game: Game | None) -> c.Command:
    """The game command of a page's JSON, for all that need no question (`start`, `confirm`, `rethrow` are the Table's)."""
    name = body["command"]
    if name in _PLAIN:
        _only(body)
        command: c.Command = _PLAIN[name]()
        return command
    match name:
        case "throw":
            _only(body, "dice")
            return c.Throw(dice_of(body.get("dice")))
        case "skip":
            _only(body, "player")
            return c.Skip(None if body.get("player") is None else player_of(game, body["player"]))
        case "correct":
            return _correct(body, game)
        case "player":
            return _player_command(body, game)
        case "gift":
            _only(body, "throw", "gift")
            return c.NoteGift(_whole(body.get("throw"), "throw"), _text(body.get("gift"), "gift"))
        case "assign":
            _only(body, "tier", "n", "player")
            return c.Assign(str(body.get("tier")), _whole(body.get("n"), "n"), player_of(game, body.get("player")))
        case "give_back":
            return _give_back(body, game)
    raise Refused("unknown_command", f"{name!r} is no command of the table", "没有这个指令")

"""Who sits where: names that can be used, and who starts."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from .commands import First
from .errors import NotAllowed
from .houserules import HouseRules

MAX_NAME = 200
MAX_PLAYERS = 1000
"""What a game can hold; a table with a board and people round it sets narrower limits of its own (device)."""


def clean_name(given: object) -> str:
    """A player's name as it will be shown; refuses empty, overlong and invisible ones."""
    if not isinstance(given, str):
        raise NotAllowed("name_wrong", "a player's name must be text", "姓名须是文字")
    name = " ".join(given.split())
    if not name:
        raise NotAllowed("name_empty", "a player's name is empty", "姓名不能为空")
    if len(name) > MAX_NAME:
        raise NotAllowed(
            "name_long", f"a player's name has more than {MAX_NAME} characters: {name[:MAX_NAME]}…", "姓名太长"
        )
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for c in name):
        raise NotAllowed("name_invisible", "a player's name holds invisible characters", "姓名含有看不见的字符")
    return name


def clean_names(given: Sequence[object]) -> tuple[str, ...]:
    """The names of a table, in order: one or more, distinct."""
    names = tuple(clean_name(n) for n in given)
    if not names:
        raise NotAllowed("no_players", "name at least one player", "至少要有一位玩家")
    if len(names) > MAX_PLAYERS:
        raise NotAllowed(
            "too_many_players", f"at most {MAX_PLAYERS} players fit at a table", f"最多 {MAX_PLAYERS} 人一桌"
        )
    for i, name in enumerate(names):
        if name in names[:i]:
            raise NotAllowed("name_twice", f"two players are called {name}", f"有两位都叫{name}")
    return names


def starter(first: First | None, players: int, rules: HouseRules) -> tuple[int, str]:
    """Place of the starter in the list of players (from 0), and a line for the log.

    Two dice: counting that many seats from the elder, the elder being one, in the direction of counting (section 3).
    """
    if first is None:
        return 0, ""
    if first.elder is not None:
        if len(first.dice) != 2 or not all(1 <= d <= 6 for d in first.dice):
            raise NotAllowed("two_dice", "the start needs two dice from 1 to 6", "开局须掷两颗骰子")
        if not 0 <= first.elder < players:
            raise NotAllowed("unknown_player", "the elder is not at this table", "长者不在座")
        step = sum(first.dice) - 1
        same = rules.count_direction == rules.direction
        at = (first.elder + (step if same else -step)) % players
        return at, f"two dice {first.dice[0]}+{first.dice[1]} counted from player {first.elder + 1}"
    if first.draw is not None:
        at = first.draw % players
        return at, f"drawn at random: {first.draw} of {players}"
    if first.player is not None and 0 <= first.player < players:
        return first.player, "chosen"
    raise NotAllowed("unknown_player", "the starter is not at this table", "起手的人不在座")

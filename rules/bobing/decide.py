"""decide(game, command) → events, or NotAllowed with the reason in words. It changes nothing."""

from __future__ import annotations

from collections.abc import Callable

from . import commands as c
from . import events as e
from .errors import DiceError, NotAllowed
from .game import Game
from .hand import six_dice
from .ledger import EXTRA, LEFT, PLAYING, SITTING_OUT, Seat
from .names import TIERS, ZHUANGYUAN
from .seating import MAX_PLAYERS, clean_name, clean_names, starter

SIX_ALIKE = ("liubohong", "liubohei", "biandijin")


def decide(game: Game | None, command: c.Command) -> tuple[e.Event, ...]:
    """The events that a command leads to in this state; raises NotAllowed or DiceError."""
    if isinstance(command, c.Start):
        return _start(game, command)
    if game is None:
        raise NotAllowed("no_game", "no game is running: start one", "还没有开局")
    return _DECIDERS[type(command)](game, command)


def _start(game: Game | None, command: c.Start) -> tuple[e.Event, ...]:
    if game is not None and not game.over and game.ledger.throws:
        raise NotAllowed("game_running", "a game is running: end it first", "本局还在进行：请先结束")
    names = clean_names(command.players)
    at, how = starter(command.first, len(names), command.rules)
    seats = [(f"p{i + 1}", name) for i, name in enumerate(names)]
    return (e.Started(command.rules, tuple(seats[at:] + seats[:at]), command.prizes, how),)


def _seat(game: Game, player: str) -> Seat:
    for seat in game.ledger.seats:
        if seat.id == player:
            return seat
    raise NotAllowed("unknown_player", f"nobody at this table is called {player}", f"座上没有{player}")


def _thrower(game: Game) -> str:
    if game.over:
        raise NotAllowed("over", "the game is over", "本局已经结束")
    if game.paused:
        raise NotAllowed("paused", "the game is paused: resume it first", "已暂停：请先继续")
    thrower = game.core.thrower
    if thrower is None:
        raise NotAllowed("nobody", "nobody is there to throw", "没有人可以掷")
    return thrower


def _still_played(game: Game) -> None:
    """Who sits where, who is there and what lies on the table stays as it was at the end; undo takes the end itself back."""
    if game.over:
        raise NotAllowed("over", "the game is over: undo its end first, or start a new one", "本局已经结束：请先撤销散席，或另开一局")


def _ended_by_six_alike(game: Game) -> bool:
    """Whether a throw of six alike has just ended the game: only then may the table agree to go on (bobing-rules.md, section 5)."""
    last = next((o for o in reversed(game.core.outcomes) if o.void != "after_end"), None)
    return (
        last is not None
        and last.hand is not None
        and last.hand.kind in SIX_ALIKE
        and last.ended_by == game.ledger.ended_by
    )


def _throw(game: Game, command: c.Throw) -> tuple[e.Event, ...]:
    return (e.Thrown(_thrower(game), six_dice(command.dice), still=command.still),)


def _jumped_dice(game: Game, dice: tuple[int, ...] | None) -> tuple[int, ...] | None:
    if game.rules.jump == "off":
        if dice is None:
            raise NotAllowed(
                "jump_off",
                'jump = "off": say the six dice if the throw counts',
                "本桌跳猴由人决定：若算数，请报六颗点数",
            )
        return six_dice(dice)
    if dice is not None and len(dice) == 6:
        return six_dice(dice)
    if dice is not None and (len(dice) > 6 or not all(1 <= d <= 6 for d in dice)):
        raise DiceError("at most six dice from 1 to 6 can be given with a jump")
    return None


def _jump(game: Game, command: c.Jump) -> tuple[e.Event, ...]:
    return (e.Thrown(_thrower(game), _jumped_dice(game, command.dice), jump=True, still=command.still),)


def _skip(game: Game, command: c.Skip) -> tuple[e.Event, ...]:
    thrower = _thrower(game)
    if command.player is None or command.player == thrower:
        return (e.Passed(thrower),)
    seat = _seat(game, command.player)
    if seat.status != PLAYING or seat.skip or game.ledger.phase == EXTRA:
        raise NotAllowed("no_skip", f"{seat.name} has no coming turn to skip", f"{seat.name}没有可跳过的一轮")
    return (e.SkipMarked(seat.id),)


def _correct(game: Game, command: c.Correct) -> tuple[e.Event, ...]:
    if not 1 <= command.number <= game.ledger.throws:
        raise NotAllowed(
            "no_such_throw",
            f"there is no throw {command.number}; {game.ledger.throws} stand",
            f"没有第 {command.number} 掷",
        )
    if (command.dice is not None) + command.jump + (command.player is not None) != 1:
        raise NotAllowed("correct_one", "correct one thing: dice, jump or player", "一次只改一样：点数、跳猴或玩家")
    if command.player is not None:
        seat = _seat(game, command.player)
        if all(there.id != seat.id for there in game.core.seats_at_throw(command.number)):
            raise NotAllowed("not_there_yet", f"{seat.name} had not joined at that throw", f"那时{seat.name}还没入座")
        return (e.ThrowCorrected(command.number, player=seat.id),)
    if command.dice is not None:
        return (e.ThrowCorrected(command.number, dice=six_dice(command.dice)),)
    if game.rules.jump == "off":
        raise NotAllowed(
            "jump_off", 'jump = "off": say the six dice if the throw counts', "本桌跳猴由人决定：请报六颗点数"
        )
    return (e.ThrowCorrected(command.number, jump=True),)


def _take_back(game: Game, _: c.TakeBack) -> tuple[e.Event, ...]:
    if not game.ledger.throws:
        raise NotAllowed("nothing_to_undo", "there is no throw to take back", "没有可撤回的一掷")
    return (e.TakenBack(),)


def _undo(game: Game, _: c.Undo) -> tuple[e.Event, ...]:
    if game.past is None:
        raise NotAllowed("nothing_to_undo", "there is nothing to undo", "没有可撤销的")
    return (e.Undone(),)


def _redo(game: Game, _: c.Redo) -> tuple[e.Event, ...]:
    if game.future is None:
        raise NotAllowed("nothing_to_redo", "there is nothing to do again", "没有可重做的")
    return (e.Redone(),)


def _other_names(game: Game, player: str | None) -> set[str]:
    return {seat.name for seat in game.ledger.seats if seat.id != player}


def _fresh_name(game: Game, given: object, player: str | None) -> str:
    name = clean_name(given)
    if name in _other_names(game, player):
        raise NotAllowed("name_twice", f"somebody is called {name} already", f"已经有人叫{name}")
    return name


def _add(game: Game, command: c.AddPlayer) -> tuple[e.Event, ...]:
    _still_played(game)
    if len(game.ledger.seats) >= MAX_PLAYERS:
        raise NotAllowed(
            "too_many_players", f"at most {MAX_PLAYERS} players fit at a table", f"最多 {MAX_PLAYERS} 人一桌"
        )
    before = None if command.before is None else _seat(game, command.before).id
    used = max(int(seat.id[1:]) for seat in game.ledger.seats)
    return (e.PlayerAdded(f"p{used + 1}", _fresh_name(game, command.name, None), before),)


def _rename(game: Game, command: c.RenamePlayer) -> tuple[e.Event, ...]:
    seat = _seat(game, command.player)
    return (e.PlayerRenamed(seat.id, _fresh_name(game, command.name, seat.id)),)


def _move(game: Game, command: c.MovePlayer) -> tuple[e.Event, ...]:
    _still_played(game)
    seat = _seat(game, command.player)
    if command.before == seat.id:
        raise NotAllowed("same_seat", "a player can't sit before themselves", "不能坐在自己前面")
    before = None if command.before is None else _seat(game, command.before).id
    return (e.PlayerMoved(seat.id, before),)


def _status(
    allowed: tuple[str, ...], event: Callable[[str], e.Event]
) -> Callable[[Game, c.SitOut | c.Return | c.Leave], tuple[e.Event, ...]]:
    def deciding(game: Game, command: c.SitOut | c.Return | c.Leave) -> tuple[e.Event, ...]:
        _still_played(game)
        seat = _seat(game, command.player)
        if seat.status not in allowed:
            raise NotAllowed(
                "status_same", f"{seat.name} is already {seat.status.replace('_', ' ')}", f"{seat.name}已是如此"
            )
        return (event(seat.id),)

    return deciding


def _gift(game: Game, command: c.NoteGift) -> tuple[e.Event, ...]:
    outcome = next((o for o in game.core.outcomes if o.number == command.number), None)
    if outcome is None:
        raise NotAllowed("no_such_throw", f"there is no throw {command.number}", f"没有第 {command.number} 掷")
    won = {TIERS[t] for t, n in enumerate(outcome.won) if n}
    if outcome.champion in ("new", "kept", "lower"):
        won.add(TIERS[ZHUANGYUAN])
    offered = [gift for tier, prize in game.prizes if tier in won for gift in prize.gifts]
    given = [gift for number, gift in game.ledger.gifts if number != command.number]
    left = offered.count(command.gift) - given.count(command.gift)
    if left < 1:
        raise NotAllowed(
            "no_such_gift", f"{command.gift} is not a gift that this throw can take", f"这一掷不能拿{command.gift}"
        )
    return (e.GiftNoted(command.number, command.gift),)


def _assign(game: Game, command: c.Assign) -> tuple[e.Event, ...]:
    if command.tier not in TIERS:
        raise NotAllowed("no_such_tier", f"{command.tier} is no tier; allowed: {', '.join(TIERS)}", "没有这一级")
    there = game.ledger.scramble[TIERS.index(command.tier)]
    if not 1 <= command.n <= there:
        raise NotAllowed("scramble_left", f"{there} of {command.tier} are left to assign", f"还可分 {there} 个")
    return (e.ScrambleAssigned(command.tier, command.n, _seat(game, command.player).id),)


def _give_back(game: Game, command: c.GiveBack) -> tuple[e.Event, ...]:
    if not _ended_by_six_alike(game):
        _still_played(game)
    seat = _seat(game, command.player)
    if game.ledger.phase == EXTRA:
        raise NotAllowed("extra_round", "cakes can't go back during the extra throws", "加掷时不能还饼")
    if len(command.cakes) != 6 or not any(command.cakes) or any(n < 0 for n in command.cakes):
        raise NotAllowed("give_back_what", "say which cakes go back", "请说明还哪些饼")
    for tier, n in enumerate(command.cakes):
        if n > seat.cakes[tier] and tier == ZHUANGYUAN:
            raise NotAllowed(
                "give_back_champion",
                "the champion cake is held, not taken, until the game is over: only one that was grabbed can go back",
                "状元饼终局才归人：只有抢来的才能还",
            )
        if n > seat.cakes[tier]:
            raise NotAllowed(
                "give_back_more",
                f"{seat.name} has {seat.cakes[tier]} of {TIERS[tier]}, not {n}",
                f"{seat.name}没有这么多",
            )
    return (e.GivenBack(seat.id, command.cakes),)


def _pause(game: Game, _: c.Pause) -> tuple[e.Event, ...]:
    if game.paused or game.over:
        raise NotAllowed("not_running", "the game is not running", "现在没有在进行")
    return (e.Paused(),)


def _resume(game: Game, _: c.Resume) -> tuple[e.Event, ...]:
    _still_played(game)
    if not game.paused:
        raise NotAllowed("not_paused", "the game is not paused", "没有暂停")
    return (e.Resumed(),)


def _end(game: Game, _: c.End) -> tuple[e.Event, ...]:
    if game.over:
        raise NotAllowed("over", "the game is over", "本局已经结束")
    return (e.Ended(),)


def _ring(game: Game, _: c.RingClock) -> tuple[e.Event, ...]:
    if game.over or game.ledger.time_up or game.rules.closing_kind != "clock":
        return ()
    return (e.TimeUp(),)


_DECIDERS: dict[type, Callable[..., tuple[e.Event, ...]]] = {
    c.Throw: _throw,
    c.Jump: _jump,
    c.Skip: _skip,
    c.Correct: _correct,
    c.TakeBack: _take_back,
    c.Undo: _undo,
    c.Redo: _redo,
    c.AddPlayer: _add,
    c.RenamePlayer: _rename,
    c.MovePlayer: _move,
    c.SitOut: _status((PLAYING,), e.PlayerSatOut),
    c.Return: _status((SITTING_OUT, LEFT), e.PlayerReturned),
    c.Leave: _status((PLAYING, SITTING_OUT), e.PlayerLeft),
    c.NoteGift: _gift,
    c.Assign: _assign,
    c.GiveBack: _give_back,
    c.Pause: _pause,
    c.Resume: _resume,
    c.End: _end,
    c.RingClock: _ring,
}

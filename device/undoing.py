"""What undo would take back and redo would bring again, in words: the difference between two moments of a game."""

from __future__ import annotations

from collections.abc import Mapping

from rules.bobing import events as e
from rules.bobing.core import Core, Step
from rules.bobing.game import Game
from rules.bobing.names import TIER_ZH, TIERS

Words = dict[str, str]


def undoes(game: Game, names: Mapping[str, str]) -> Words | None:
    """What `undo` takes back: {"zh", "en"}; None where nothing is left to undo."""
    return None if game.past is None else _told(game.past.core, game.core, names)


def redoes(game: Game, names: Mapping[str, str]) -> Words | None:
    """What `redo` brings again: {"zh", "en"}; None where nothing was undone."""
    return None if game.future is None else _told(game.core, game.future.core, names)


def _told(before: Core, after: Core, names: Mapping[str, str]) -> Words:
    """The command that led from one moment to the next."""
    if len(after.steps) > len(before.steps) and all(
        a.event is b.event for a, b in zip(before.steps, after.steps, strict=False)
    ):
        return _step(after.steps[len(before.steps)], names)
    changed = [
        (old, new)
        for old, new in zip(_throws(before), _throws(after), strict=False)
        if old.event != new.event and new.outcome is not None
    ]
    if changed and len(_throws(before)) == len(_throws(after)):
        old, new = changed[0]
        assert new.outcome is not None
        number, was, now = new.outcome.number, _hand(old, names), _hand(new, names)
        return _words(f"更正第 {number} 掷：{was[0]} → {now[0]}", f"correction of throw {number}: {was[1]} → {now[1]}")
    return _words("收回一掷", "a throw taken back")


def _throws(core: Core) -> list[Step]:
    return [step for step in core.steps if step.outcome is not None]


def _words(zh: str, en: str) -> Words:
    return {"zh": zh, "en": en}


def _hand(step: Step, names: Mapping[str, str]) -> tuple[str, str]:
    outcome = step.outcome
    assert outcome is not None
    name = names.get(outcome.player, "")
    if outcome.hand is None:
        return f"{name}跳猴", f"{name}, 跳猴"
    if outcome.hand.kind == "none":
        return f"{name}落空", f"{name}, nothing"
    return f"{name}{outcome.hand.text}", f"{name}, {outcome.hand.text}"


def _step(step: Step, names: Mapping[str, str]) -> Words:
    event = step.event
    if isinstance(event, e.Thrown):
        zh, en = _hand(step, names)
        return _words(f"{zh}这一掷", f"the throw of {en}")
    if isinstance(event, e.Ended):
        return _words("散席", "the end of the game")
    if isinstance(event, e.GiftNoted):
        return _words(f"礼物“{event.gift}”", f"the gift '{event.gift}'")
    name = names.get(getattr(event, "player", ""), "")
    match event:
        case e.Passed():
            return _words(f"{name}过一手", f"{name} passes")
        case e.SkipMarked():
            return _words(f"{name}停一轮", f"{name} skips a turn")
        case e.PlayerAdded():
            return _words(f"{event.name}入座", f"{event.name} joins")
        case e.PlayerRenamed():
            return _words(f"改名为{event.name}", f"the name {event.name}")
        case e.PlayerMoved():
            return _words(f"{name}换座位", f"{name} changes seats")
        case e.PlayerSatOut():
            return _words(f"{name}旁观", f"{name} sits out")
        case e.PlayerReturned():
            return _words(f"{name}回来", f"{name} comes back")
        case e.PlayerLeft():
            return _words(f"{name}离席", f"{name} leaves")
        case e.ScrambleAssigned():
            tier = TIER_ZH[event.tier]
            return _words(f"{name}抢得{tier} {event.n} 个", f"{name} grabbed {event.n} {tier}")
        case e.GivenBack():
            cakes = [(TIER_ZH[t], n) for t, n in zip(TIERS, event.cakes, strict=True) if n]
            return _words(
                f"{name}放回" + "、".join(f"{t} {n} 个" for t, n in cakes),
                f"{name} gives back " + ", ".join(f"{n} {t}" for t, n in cakes),
            )
    return _words("上一步", "the last step")

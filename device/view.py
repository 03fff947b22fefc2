"""The state that pages see (docs/state.md), made from the table's memory; pure, so that equal memories show equal boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from device.play import Play
from device.screen import Screen
from device.seals import seal_characters, seals
from device.undoing import redoes, undoes
from rules.bobing.award import Outcome
from rules.bobing.events import Prize, Thrown
from rules.bobing.game import Game, Step
from rules.bobing.ledger import Ledger, Seat, Standing, shown_cakes, shown_stock
from rules.bobing.names import TIER_ZH, TIERS, title
from rules.bobing.odds import Odds
from rules.bobing.turns import lap
from rules.bobing.why import hand_en, hand_zh, why

HISTORY = 40


@dataclass(frozen=True, slots=True)
class Notice:
    """A fault or a hint in words, shown until it is mended. action: what one tap would do about it, "" for nothing."""

    key: str
    zh: str
    en: str
    action: str = ""

    def as_json(self) -> dict[str, str]:
        """As docs/state.md prints it."""
        words = {"key": self.key, "zh": self.zh, "en": self.en}
        return {**words, "action": self.action} if self.action else words


@dataclass(frozen=True, slots=True)
class Setting:
    """What the state says beside the game: language, demo or not, the passing phase that the camera sees, a notice.

    seen: "" | "reading" | "clear". screen: how the TV looks and sounds. box: the button box as `device/box_desk.py` shows it.
    """

    language: str = "zh-CN"
    confirm: str = "unsure"
    demo: bool = False
    seen: str = ""
    notice: Notice | None = None
    replays: frozenset[str] = frozenset()
    screen: Screen = field(default_factory=Screen)
    box: Mapping[str, Any] | None = None
    unsaved: int = 0
    pairing: int = 0


def phase(play: Play, seen: str) -> str:
    """The one state that the big word names."""
    if play.game is None:
        return "lobby"
    if play.question is not None:
        return "question"
    if play.game.over:
        return "over"
    if play.game.paused:
        return "paused"
    return seen or "throw"


def state(
    play: Play, setting: Setting, odds: Odds | None, expected_throws: float | None, history: int = HISTORY
) -> dict[str, Any]:
    """The whole state as JSON values. expected_throws: from the forecast once it is solved; history: how many throws are told."""
    out: dict[str, Any] = {
        "version": play.version,
        "demo": setting.demo,
        "language": setting.language,
        "confirm": setting.confirm,
        "phase": phase(play, setting.seen),
        "unsaved": setting.unsaved,
        "pairing": setting.pairing,
        "notice": None if setting.notice is None else setting.notice.as_json(),
        "question": None if play.question is None else play.question.as_json(),
        "waiting": max(0, len(play.questions) - 1),
        "tv": setting.screen.as_json(),
        "box": None if setting.box is None else dict(setting.box),
    }
    game = play.game
    if game is None:
        return {**out, **_EMPTY}
    ledger = game.ledger
    names = {seat.id: seat.name for seat in ledger.seats}
    throws = [step for step in game.core.steps if step.outcome is not None]
    shown = [_throw(step, game, ledger, names, setting.replays) for step in throws[-history:]][::-1]
    thrower = game.core.thrower
    marks = seal_characters(names)
    champions = [_champion(s, names) for s in ledger.champions]
    return {
        **out,
        "turn": None if thrower is None else {"id": thrower, "name": names[thrower]},
        "lap": lap(game.core, game.rules),
        "first": game.first,
        "rules": {"preset": game.rules.preset, "switches": game.rules.switches()},
        "tiers": _tiers(game),
        "players": [_player(seat, ledger, marks[seat.id]) for seat in ledger.seats],
        "champion": champions[0] if champions else None,
        "champions": champions,
        "throws": ledger.throws,
        "last": shown[0] if shown else None,
        "history": shown,
        "gifts": [[number, gift] for number, gift in ledger.gifts],
        "scramble": dict(zip(TIERS, ledger.scramble, strict=True)),
        "over": game.over,
        "ended_by": ledger.ended_by if game.over else None,
        "extra": ledger.extra is not None,
        "can_undo": game.past is not None,
        "can_redo": game.future is not None,
        "undoes": undoes(game, names),
        "redoes": redoes(game, names),
        "faces": faces(throws),
        "started": play.started_wall,
        "odds": _odds(ledger, odds, expected_throws),
    }


_EMPTY: dict[str, Any] = {
    "turn": None,
    "lap": 0,
    "first": "",
    "rules": None,
    "tiers": [],
    "players": [],
    "champion": None,
    "champions": [],
    "throws": 0,
    "last": None,
    "history": [],
    "gifts": [],
    "scramble": dict.fromkeys(TIERS, 0),
    "over": False,
    "ended_by": None,
    "extra": False,
    "can_undo": False,
    "can_redo": False,
    "undoes": None,
    "redoes": None,
    "faces": [0] * 6,
    "started": 0.0,
    "odds": None,
}


def faces(throws: Sequence[Step]) -> list[int]:
    """How often each face, 1 to 6, came in the throws that count; jumps are left out, since not all their dice were thrown fairly."""
    seen = Counter(
        d for step in throws if step.outcome and step.outcome.dice and not step.outcome.jump for d in step.outcome.dice
    )
    return [seen[face] for face in range(1, 7)]


def _tiers(game: Game) -> list[dict[str, Any]]:
    prizes = dict(game.prizes)
    left = shown_stock(game.ledger)
    placed = seals(game)
    out = []
    for tier, name in enumerate(TIERS):
        prize = prizes.get(name, Prize())
        out.append(
            {
                "tier": name,
                "name": TIER_ZH[name],
                "total": game.rules.cakes[tier],
                "left": left[tier],
                "seals": placed[tier],
                "prize": {"name": prize.name, "value": prize.value, "gifts": list(prize.gifts)},
            }
        )
    return out


def _player(seat: Seat, ledger: Ledger, seal: str) -> dict[str, Any]:
    return {
        "id": seat.id,
        "name": seat.name,
        "seal": seal,
        "status": seat.status,
        "skip": seat.skip,
        "turns": seat.turns,
        "cakes": dict(zip(TIERS, shown_cakes(ledger, seat), strict=True)),
        "champion": any(s.player == seat.id for s in ledger.champions),
    }


def _champion(standing: Standing, names: dict[str, str]) -> dict[str, Any]:
    return {
        "id": standing.player,
        "name": names[standing.player],
        "dice": None if standing.dice is None else list(standing.dice),
        "kind": standing.kind,
        "carry": standing.carry,
        "text": hand_zh(standing.kind, standing.carry),
        "en": hand_en(standing.kind, standing.carry),
    }


def _void_text(outcome: Outcome) -> tuple[str, str]:
    return ("跳猴", "a die jumped out") if outcome.void == "jump" else ("不算", "void")


def _throw(
    step: Step, game: Game, ledger: Ledger, names: dict[str, str], replays: frozenset[str] = frozenset()
) -> dict[str, Any]:
    outcome, event = step.outcome, step.event
    assert outcome is not None and isinstance(event, Thrown)
    hand = outcome.hand
    reason = why(outcome, game.rules, names)
    zh, en = _void_text(outcome)
    gift = next((gift for number, gift in ledger.gifts if number == outcome.number), None)
    return {
        "number": outcome.number,
        "player": outcome.player,
        "name": names[outcome.player],
        "dice": None if outcome.dice is None else list(outcome.dice),
        "jump": outcome.jump,
        "void": outcome.void or None,
        "kind": hand.kind if hand else None,
        "carry": hand.carry if hand else None,
        "rank": list(hand.rank) if hand and hand.rank else None,
        "text": hand.text if hand else zh,
        "text_en": hand_en(hand.kind, hand.carry) if hand else en,
        "title": title(hand.kind, game.rules.titles) if hand else "",
        "won": _some(outcome.won),
        "missed": _some(outcome.missed),
        "chased": [{"tier": TIERS[tier], "from": player} for tier, player in outcome.chased],
        "champion": outcome.champion or None,
        "ended_by": outcome.ended_by or None,
        "zh": reason.zh,
        "en": reason.en,
        "gift": gift,
        "corrected": outcome.corrected,
        "extra": outcome.extra,
        "still": f"/stills/{event.still}.jpg" if event.still else None,
        "replay": f"/replays/{event.still}.webp" if event.still in replays else None,
    }


def _some(cakes: tuple[int, ...]) -> dict[str, int]:
    return {tier: n for tier, n in zip(TIERS, cakes, strict=True) if n}


def _odds(ledger: Ledger, odds: Odds | None, expected_throws: float | None) -> dict[str, Any] | None:
    if odds is None:
        return None
    holder = ledger.holder
    rank = None if holder is None or holder.kind in ("sum", "scramble") else holder.rank
    return {
        "beats": round(odds.beats(rank), 12),
        "champion": round(odds.beats(None), 12),
        "kinds": {kind: round(p, 12) for kind, p in odds.kinds().items()},
        "expected_throws": None if expected_throws is None else round(expected_throws, 1),
    }

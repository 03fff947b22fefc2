"""What the stored records add up to: the game and the questions that are open. A restart is this, over the whole journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from device.journal import Record
from device.question import Question, question_from
from rules.bobing.events import Paused, Resumed, Started
from rules.bobing.game import Game, evolve
from rules.bobing.wire import from_json, is_game_event

ASKED, ANSWERED = "Asked", "Answered"


@dataclass(frozen=True, slots=True)
class Play:
    """The table's memory. version: sequence of the last record. started_wall, paused_s: for the closing clock."""

    game: Game | None = None
    questions: tuple[Question, ...] = ()
    version: int = 0
    started_wall: float = 0.0
    paused_at: float | None = None
    paused_s: float = 0.0
    last_wall: float = 0.0

    @property
    def question(self) -> Question | None:
        """The question to answer first."""
        return self.questions[0] if self.questions else None

    def played_s(self, wall: float) -> float:
        """Seconds of play since the start, pauses left out."""
        resting = 0.0 if self.paused_at is None else max(0.0, wall - self.paused_at)
        return max(0.0, wall - self.started_wall - self.paused_s - resting)


def applied(play: Play, record: Record) -> Play:
    """The table's memory after one more record; records of a type that is not known here are passed over."""
    play = replace(play, version=record.seq, last_wall=record.wall)
    if record.type == ASKED:
        return replace(play, questions=(*play.questions, question_from(record.seq, record.data)))
    if record.type == ANSWERED:
        return replace(play, questions=tuple(q for q in play.questions if q.id != record.data["id"]))
    if not is_game_event(record.type):
        return play
    event = from_json(record.type, record.data)
    play = replace(play, game=evolve(play.game, event))
    match event:
        case Started():
            return replace(play, questions=(), started_wall=record.wall, paused_s=0.0, paused_at=None)
        case Paused():
            return replace(play, paused_at=record.wall)
        case Resumed() if play.paused_at is not None:
            rested = max(0.0, record.wall - play.paused_at)
            return replace(play, paused_at=None, paused_s=play.paused_s + rested)
    return play


def remembered(records: Iterable[Record]) -> Play:
    """The table's memory after all records; games before the last one count for nothing in it and are passed over."""
    last: list[Record] = []
    for record in records:
        if record.type == Started.__name__:
            last.clear()
        last.append(record)
    play = Play()
    for record in last:
        play = applied(play, record)
    return play


def closed_by_the_end(play: Play, items: Sequence[tuple[str, Mapping[str, Any]]], wall: float) -> list[tuple[str, dict[str, Any]]]:
    """Try events on the memory, which raises before anything is stored; and the answers to the questions that are left open
    where they end the game."""
    for kind, data in items:
        play = applied(play, Record(play.version + 1, kind, json.loads(json.dumps(data)), wall))
    if play.game is None or not play.game.over:
        return []
    return [(ANSWERED, {"id": question.id, "answer": "over"}) for question in play.questions if question.about is None]

"""The Table: the one writer. Commands and throws come through a queue to one thread; each leads to events, which are on
disk before anybody is told; state is what the events add up to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import Any

from device import games
from device.errors import Fault, Refused, Stale
from device.journal import Journal
from device.journal_patient import PatientJournal
from device.one_thread import OneThread
from device.play import ANSWERED, ASKED, applied, closed_by_the_end, remembered
from device.prospects import Prospects
from device.question import Question
from device.requests import command_of, dice_of, start_of
from device.screen import tuned
from device.sighting import Sighting as Sighting
from device.stills import Passing, Stills
from device.stream import Message, Subscription, stored
from device.view import Notice, Setting, state
from rules.bobing import commands as c
from rules.bobing.decide import decide
from rules.bobing.errors import DiceError, NotAllowed
from rules.bobing.events import Thrown
from rules.bobing.houserules import HouseRules
from rules.bobing.wire import to_json

TICK_S = 1.0
NOT_THERE = {
    "camera": "no camera is set: throws are entered by hand",
    "reader": "nothing to read: no picture has come from a camera",
    "journal": "",
    "box": "no box is plugged in: the table is played without one",
}
"""What is said of a part that is not there, which is no fault."""
ANSWERS = ("confirm", "jump", "rethrow", "throw")
"""What answers an open question."""
WAITS = ("skip", "end", "undo", "redo", "correct", "start", "give_back", "assign")
"""What would move the turn or the cakes under an open question: it waits for the answer."""


class Table:
    """One bowl with its people. Start it with `open`, end it with `close`; every other method may be called from any thread."""

    def __init__(
        self,
        journal: Journal,
        stills: Stills | Passing | None,
        setting: Setting,
        rules: HouseRules,
        wall: Callable[[], float],
        draw: Callable[[int], int],
    ) -> None:
        """wall: unix seconds; draw(n): a whole number from 0 to n-1. Nothing else here knows time or chance."""
        self._journal = PatientJournal(journal)
        self._stills = stills
        self._setting = setting
        self._rules = rules
        self._wall = wall
        self._draw = draw
        self._play = remembered(journal.since(0))
        self._prospects = Prospects(self._foreseen)
        self._faults: dict[str, str] = {}
        self._notices: dict[str, Notice | None] = {}
        self._subscribers: list[Subscription] = []
        self._guard = threading.Lock()
        self._past: tuple[tuple[int, str] | None, list[dict[str, Any]]] = (None, [])
        self._past_guard = threading.Lock()
        self._sighted: Thrown | None = None  # what the throw that the camera reported last was credited as
        self._sighted_question = 0
        self._thread = OneThread("table", self._watched_tick, TICK_S)
        self._prospects.look(self._play.game)
        self._state = self._view()

    # -- from any thread -------------------------------------------------------------------------------------------

    def open(self) -> Table:
        """Begin to take commands."""
        self._thread.open()
        return self

    def close(self) -> None:
        """Finish what is queued, then stop; pages are let go and the journal is closed."""
        self._thread.close()
        self.release()
        self._journal.close()

    @property
    def unsaved(self) -> int:
        """How many records are in memory only."""
        return self._journal.unsaved

    def release(self) -> None:
        """Let every page go that follows; they come back and find what is served then."""
        for subscription in list(self._subscribers):
            subscription.close()

    def state(self) -> dict[str, Any]:
        """The whole state as docs/state.md describes it."""
        return self._state

    def usual_rules(self) -> dict[str, Any]:
        """The rules of a game that is begun without naming any, as the state names a game's."""
        return {"preset": self._rules.preset, "switches": self._rules.switches()}

    def command(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do one command and return the new state; raises Refused, Stale or Fault, and then nothing was changed."""
        return self._thread.ask(lambda: self._command(body))

    def saw(self, seen: Sighting) -> dict[str, Any]:
        """The lookout saw something; returns when it is stored."""
        return self._thread.ask(lambda: self._saw(seen))

    def tick(self) -> dict[str, Any]:
        """Look at the clock now: closing rule `clock` may be due. The table does so by itself once a second."""
        return self._thread.ask(self._tick)

    def tell(self, notice: Notice | None, part: str = "camera") -> dict[str, Any]:
        """Show a fault or a hint of a part ("camera", "journal"), or take it away (None); the camera's stands before the journal's."""
        return self._thread.ask(lambda: self._noticed(part, notice))

    def offer(self, replays: frozenset[str]) -> None:
        """The films of throws that can be shown again, by the names of their stills."""
        self._thread.ask(lambda: self._set(replays=replays))

    def show_box(self, box: Mapping[str, Any] | None) -> None:
        """What the pages see of the button box (docs/state.md, "box")."""
        self._thread.ask(lambda: self._set(box=box))

    def show_pairing(self, number: int) -> None:
        """That a code for phones is on show, the number-th; the code itself is for those who may see it."""
        self._thread.ask(lambda: self._set(pairing=number))

    def report(self, part: str, fault: str) -> None:
        """Health of a part ("camera", "reader", "box"): "ok" or the fault in words."""
        self._faults[part] = fault

    def foresee(self) -> None:
        """From now on work out how many throws are to be expected; it takes seconds, so the board is shown first."""
        self._thread.ask(self._prospects.begin)

    def _foreseen(self) -> None:
        with suppress(Fault):  # the table may have stopped meanwhile
            self._thread.ask(self._told)

    def subscribe(self, after: int | None) -> Subscription:
        """Follow what happens; with `after`, the stored events of a higher sequence come first."""
        with self._guard:
            subscription = Subscription(self._unsubscribe, () if after is None else self._missed(after))
            self._subscribers.append(subscription)
        return subscription

    def still(self, name: str) -> bytes | None:
        """The JPEG of that name, or None where there is no such picture."""
        return None if self._stills is None else self._stills.get(name)

    def games(self) -> list[dict[str, Any]]:
        """Every game of this table's journal, each with all its throws; the last one may still be running."""
        with self._past_guard:  # forty phones that look back at once must not read forty evenings forty times
            now = (self._play.version, self._setting.language)
            if self._past[0] != now:
                self._past = now, [games.as_json(past, now[1]) for past in games.games(self._journal.since(0))]
            return self._past[1]

    def health(self) -> dict[str, str]:
        """Camera, reader, journal and box: each "ok", or in words why not."""
        held = self._journal.notice()
        waits = {} if held is None else {"journal": held.en}
        known = {part: said for part, said in self._faults.items() if said != "none"}
        return {**NOT_THERE, "journal": "ok"} | known | waits

    # -- on the table's own thread ---------------------------------------------------------------------------------

    def _watched_tick(self) -> None:
        """The clock's look; a fault is told and tried again, since the one writer must not die of it."""
        try:
            self._tick()
        except Fault as fault:
            self._faults["journal"] = fault.en
        except Exception as fault:  # noqa: BLE001 - the table's thread lives on; the fault is shown in /healthz
            self._faults["table"] = f"the clock stumbled: {fault}"
        else:
            self._faults.pop("table", None)

    def _tick(self) -> dict[str, Any]:
        self._catch_up()
        game = self._play.game
        if self._play.question is not None:
            return self._state  # a throw made before the bell is answered first
        if game is None or game.over or game.paused or game.rules.closing_kind != "clock" or game.ledger.time_up:
            return self._state
        if self._play.played_s(self._wall()) < game.rules.closing_number * 60:
            return self._state
        return self._store(self._events(c.RingClock()))

    def _events(self, command: c.Command) -> list[tuple[str, dict[str, Any]]]:
        try:
            return [to_json(event) for event in decide(self._play.game, command)]
        except NotAllowed as fault:
            raise Refused(fault.key, fault.en, fault.zh) from fault
        except DiceError as fault:
            raise Refused("dice_wrong", str(fault), "请报六颗点数，每颗 1 到 6") from fault

    def _command(self, body: Mapping[str, Any]) -> dict[str, Any]:
        name = body.get("command")
        if not isinstance(name, str):
            raise Refused("malformed", '"command" is missing: say which command', "缺少指令")
        version = body.get("version")
        if isinstance(version, bool) or not isinstance(version, int):
            raise Refused("malformed", '"version" is missing: say which state you saw', "缺少版本号")
        if version != self._play.version:
            raise Stale(self._state)
        if name == "tv":
            return self._set(**tuned(self._setting.screen, self._setting.language, body))
        question = self._play.question
        if question is not None:
            if name in ANSWERS:
                return self._answered(question, body)
            if name in WAITS or (name == "player" and not {"add", "rename"} & set(body)):
                raise Refused(
                    "question_open", "a throw waits to be confirmed: answer it first", "有一掷待确认：请先回答"
                )
        if name == "start":
            return self._store(self._events(start_of(body, self._rules, self._draw)))
        if name in ("confirm", "rethrow"):
            raise Refused("no_question", "nothing waits to be confirmed", "现在没有要确认的")
        if name == "jump":
            return self._store(self._events(c.Jump()))
        return self._store(self._events(command_of(body, self._play.game)))

    def _answered(self, question: Question, body: Mapping[str, Any]) -> dict[str, Any]:
        """Answer the question; a throw credited by it is what the dice in the bowl stand for from now on."""
        state = self._store(self._answer(question, body))
        if question.id == self._sighted_question:
            self._sighted = self._last_thrown() if question.about is None and body["command"] != "rethrow" else None
        return state

    def _last_thrown(self) -> Thrown | None:
        """The event of the last throw that stands."""
        game = self._play.game
        events = () if game is None else (step.event for step in reversed(game.core.steps))
        return next((event for event in events if isinstance(event, Thrown)), None)

    def _answer(self, question: Question, body: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        name = body["command"]
        for key in body:
            if key not in ("command", "version", "dice") or (key == "dice" and name not in ("confirm", "throw")):
                raise Refused("malformed", f"{key!r} is not known to {name!r}", "指令有误")
        answered = (ANSWERED, {"id": question.id, "answer": name})
        if name == "rethrow":
            return [answered]
        if name == "jump":
            if question.about is not None:
                return [*self._events(c.Correct(question.about, jump=True)), answered]
            values = tuple(d.value for d in question.dice if d.value is not None)
            return [*self._events(c.Jump(values[:6] or None, question.still)), answered]
        dice = dice_of(body["dice"]) if "dice" in body or name == "throw" else None
        try:
            command = question.confirmed(dice)
        except DiceError as fault:
            raise Refused("dice_wrong", str(fault), "请报六颗点数，每颗 1 到 6") from fault
        return [answered] if command is None else [*self._events(command), answered]

    def _saw(self, seen: Sighting) -> dict[str, Any]:
        match seen.event:
            case "throw":
                return self._saw_throw(seen)
            case "changed":
                return self._saw_change(seen)
            case "cleared":
                return self._set(seen="")
            case "hand":
                return self._set(seen="reading") if self._setting.seen != "clear" else self._state
            case "found":
                return self._set(seen="clear")
        return self._state

    def _saw_throw(self, seen: Sighting) -> dict[str, Any]:
        game = self._play.game
        self._setting = replace(self._setting, seen="clear")
        self._sighted, self._sighted_question = None, 0
        if game is None or game.over or game.paused or game.core.thrower is None:
            return self._told()
        self._keep(seen)
        still = seen.still[0] if seen.still else ""
        if seen.sure and self._setting.confirm == "unsure" and self._play.question is None:
            state = self._store(self._events(c.Throw(seen.values, still)))
            self._sighted = self._last_thrown()
            return state
        return self._asked(dict(seen.asked or {}))

    def _asked(self, asked: dict[str, Any], *before: tuple[str, dict[str, Any]]) -> dict[str, Any]:
        state = self._store([*before, (ASKED, asked)])
        self._sighted_question = self._play.version
        return state

    def _saw_change(self, seen: Sighting) -> dict[str, Any]:
        """Dice were moved after the report. The question about that throw is asked anew; if it was credited and still stands
        as the camera saw it, a person is asked; a throw that was undone, corrected, thrown again or ignored is left alone."""
        play = self._play
        if play.game is None or play.game.paused:
            return self._state
        asked = dict(seen.asked or {})
        latest = next((q for q in play.questions if q.id == self._sighted_question), None)
        if latest is not None:
            self._keep(seen)
            if latest.about is not None:
                asked["about"] = latest.about
            return self._asked(asked, (ANSWERED, {"id": latest.id, "answer": "moved"}))
        steps = play.game.core.steps
        about = next((s.outcome for s in steps if s.outcome is not None and s.event is self._sighted), None)
        if about is None or (about.dice is not None and tuple(sorted(about.dice)) == tuple(sorted(seen.values))):
            return self._state
        self._keep(seen)
        return self._asked({**asked, "about": about.number})

    def _keep(self, seen: Sighting) -> None:
        if seen.still is not None and self._stills is not None:
            try:
                self._stills.put(*seen.still)
            except Fault as fault:  # a throw is worth more than its picture
                self._faults["stills"] = fault.en

    def _noticed(self, part: str, notice: Notice | None) -> dict[str, Any]:
        self._notices[part] = notice
        return self._set(notice=self._notices.get("camera") or self._notices.get("journal"))

    def _set(self, **change: Any) -> dict[str, Any]:
        setting = replace(self._setting, **change)
        if setting == self._setting:
            return self._state
        self._setting = setting
        return self._told()

    def _told(self) -> dict[str, Any]:
        self._state = self._view()
        self._publish([Message("phase", {"phase": self._state["phase"]})])
        return self._state

    def _store(self, items: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
        """Events onto the disk, then into the state, then to the pages; what can't be folded is never stored."""
        if not items:
            return self._state
        wall = self._wall()
        items = [*items, *closed_by_the_end(self._play, items, wall)]
        self._catch_up()
        with self._guard:
            records = self._journal.append(items, wall)
            for record in records:
                self._play = applied(self._play, record)
        if any(record.type == "Started" for record in records):
            self._setting = replace(self._setting, seen="")
            self._prospects.look(self._play.game)
        self._state = self._view()
        if self._journal.unsaved:  # never told as stored before it is
            return self._told()
        self._publish([stored(record) for record in records])
        return self._state

    def _catch_up(self) -> None:
        """What is in memory only goes onto the disk as soon as that takes it, and is then told as stored."""
        if self._journal.unsaved:
            with self._guard:
                taken = self._journal.catch_up()
            if taken:
                self._told()
                self._publish([stored(record) for record in taken])

    def _publish(self, messages: list[Message]) -> None:
        with self._guard:
            subscribers = list(self._subscribers)
        for subscription in subscribers:
            for message in messages:
                subscription.put(message)

    def _missed(self, after: int) -> Iterator[Message]:
        """What is on the disk by now, read only when it is asked for: a page that stalls costs no memory."""
        last = self._journal.stored_seq
        return (stored(record) for record in takewhile(lambda record: record.seq <= last, self._journal.since(after)))

    def _unsubscribe(self, subscription: Subscription) -> None:
        with self._guard:
            if subscription in self._subscribers:
                self._subscribers.remove(subscription)

    def _view(self) -> dict[str, Any]:
        setting, unsaved = self._setting, self._journal.unsaved
        if unsaved:
            setting = replace(setting, unsaved=unsaved, notice=self._journal.notice())
        return state(self._play, setting, self._prospects.odds, self._prospects.expected(self._play.game))

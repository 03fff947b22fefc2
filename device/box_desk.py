"""The desk of the box: edges from every input become commands of the table; what happens at the table goes to lamp and piezo."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from device.box_feedback import lamp_for, tune_for
from device.box_gestures import Gesture, Gestures
from device.box_roles import MOVED_ON, Call, Give, Meant, No, Roles, Thanks, meant
from device.errors import Fault, Refused, Stale
from device.stream import Subscription
from firmware_bridge.commands import Command, Tune, lamp, tune
from firmware_bridge.events import Edge, Gone
from firmware_bridge.talk import Done, Linked
from firmware_bridge.words import Words

STEP_S = 0.02
SEEN_S = 0.15
"""A board that is younger can't have been seen by whoever pressed: eyes and a TV need this long."""
BOX = "box"
"""The source whose lamp and piezo answer."""
SHOWN_S = 5.0
"""How long the TV shows a refusal."""
CALL_S, PAIRING_S = 60.0, 120.0

Heard = Edge | Gone | Linked | Done | Words


class Board(Protocol):
    """What the desk asks of the table."""

    def state(self) -> dict[str, Any]:
        """The state that pages see."""
        ...

    def command(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do a command; raises Refused, Stale or Fault."""
        ...

    def subscribe(self, after: int | None) -> Subscription:
        """Follow what is stored."""
        ...

    def show_box(self, box: Mapping[str, Any] | None) -> None:
        """What the pages see of the box (docs/state.md, "box")."""
        ...

    def report(self, part: str, fault: str) -> None:
        """Health of the box."""
        ...


class BoxDesk:
    """Runs on a thread of its own from `open` to `close`. `hear` takes what inputs say, from any thread, and never waits.

    send: to the box, where there is one. clock: monotonic seconds.
    """

    def __init__(
        self,
        board: Board,
        roles: Roles,
        clock: Callable[[], float],
        send: Callable[[Command], None] | None = None,
        keys: bool = True,
    ) -> None:
        """keys: those of the board's page are listened to."""
        self._board = board
        self._roles = roles
        self._clock = clock
        self._send = send
        self._inbox: queue.SimpleQueue[Heard | None] = queue.SimpleQueue()
        self._gestures = Gestures()
        self._before = board.state()
        self._subscription = board.subscribe(None)
        self._seen: deque[tuple[float, int]] = deque([(float("-inf"), self._before["version"])], maxlen=64)
        self._types: list[str] = []
        self._linked = False
        self._lamp: Command | None = None
        self._words: Words | None = None
        self._box: dict[str, Any] = {
            "state": "none", "zh": "", "en": "", "id": None, "buttons": dict(roles.buttons), "keys": keys,
            "refused": None, "call": None, "pairing": False,
        }
        self._until: dict[str, float] = {}
        self._refusals = 0
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)
        self._show()

    def open(self) -> BoxDesk:
        """Begin to listen."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop listening."""
        self._inbox.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)
        self._subscription.close()

    def serve(self, send: Callable[[Command], None]) -> None:
        """From now on there is a box to send to."""
        self._send = send

    def hear(self, thing: Heard) -> None:
        """An input has said something."""
        self._inbox.put(thing)

    def step(self, now: float, thing: Heard | None = None) -> None:
        """One turn: what an input said, what has happened at the table, what is over."""
        self._follow(now)
        if thing is not None:
            self._take(thing, now)
        for gesture in self._gestures.tick(now):
            self._act(gesture, now)
        self._expire(now)

    def _run(self) -> None:
        while True:
            try:
                thing = self._inbox.get(timeout=STEP_S)
            except queue.Empty:
                thing = None
            else:
                if thing is None:
                    return
            try:
                self.step(self._clock(), thing)
            except Fault as fault:  # the table is being closed
                self._board.report("box", fault.en)
            except Exception as fault:  # noqa: BLE001 - the next press must be heard; what happened is shown in /healthz
                self._board.report("box", f"the desk of the box stumbled: {fault}")

    def _take(self, thing: Heard, now: float) -> None:
        match thing:
            case Edge():
                for gesture in self._gestures.feed(thing):
                    self._act(gesture, now)
            case Gone(source):
                self._gestures.gone(source)
                self._linked = self._linked and source != BOX
            case Linked(hello):
                self._linked = True
                self._box["id"] = hello.id
                self._lamp = None  # a box that was just plugged in is dark
                self._light(self._board.state())
            case Words():
                self._told(thing)
            case Done(command, None) if command == self._lamp:
                self._lamp = None  # lit anew at the next look; a tune that was lost is not played late
            case Done():
                pass

    def _told(self, words: Words) -> None:
        self._words = words
        linked = words.key == "linked"
        self._board.report("box", "ok" if linked else "none" if words.key == "searching" else words.en)
        self._box |= {"state": "linked" if linked else words.key, "zh": words.zh, "en": words.en}
        if not linked:
            self._box["id"] = None
        self._show()

    def _act(self, gesture: Gesture, now: float) -> None:
        self._answer(meant(gesture, self._roles, self._board.state(), now), gesture, now)

    def _answer(self, asked: Meant, gesture: Gesture, now: float) -> None:
        match asked:
            case Give(body):
                self._give(body, gesture, now)
            case Thanks():
                self._sound(Tune.ACCEPTED)
            case Call(what):
                self._call(what, now)
            case No():
                self._refuse(asked, gesture, now)

    def _give(self, body: Mapping[str, Any], gesture: Gesture, now: float) -> None:
        """The command is for the board that was seen when the finger went down."""
        try:
            self._board.command({**body, "version": self._version_at(gesture.began - SEEN_S)})
        except Stale:
            self._refuse(MOVED_ON, gesture, now)
        except (Refused, Fault) as no:
            self._refuse(No(no.key, no.zh, no.en), gesture, now)
        else:
            self._drop("refused")
        self._follow(now)

    def _version_at(self, when: float) -> int:
        return next((version for at, version in reversed(self._seen) if at <= when), self._seen[0][1])

    def _call(self, what: str, now: float) -> None:
        self._sound(Tune.ACCEPTED)
        if what == "pairing":
            self._box["pairing"] = True
            self._until["pairing"] = now + PAIRING_S
        else:
            self._box["call"] = {"zh": "请管理员过来一下", "en": "the operator is wanted at the table"}
            self._until["call"] = now + CALL_S
        self._show()

    def _refuse(self, no: No, gesture: Gesture, now: float) -> None:
        """Never silently swallowed: it sounds, and the TV says why."""
        self._refusals += 1
        self._sound(Tune.REFUSED)
        self._box["refused"] = {
            "n": self._refusals, "source": gesture.source, "button": gesture.button, "key": no.key, "zh": no.zh, "en": no.en
        }
        self._until["refused"] = now + SHOWN_S
        self._show()

    def _expire(self, now: float) -> None:
        for what in [what for what, until in self._until.items() if now >= until]:
            self._drop(what)

    def _drop(self, what: str) -> None:
        if self._until.pop(what, None) is not None:
            self._box[what] = False if what == "pairing" else None
            self._show()

    def _show(self) -> None:
        self._board.show_box(dict(self._box))

    def _follow(self, now: float) -> None:
        """What was stored since the last look: the lamp follows the state, a tune what happened."""
        if self._subscription.closed:  # the demo has given way to the table, or we were too slow: take up what is there now
            self._subscription = self._board.subscribe(None)
            self._before = self._board.state()
            self._types.clear()
            self._seen.append((now, self._before["version"]))
            if self._words is not None:
                self._told(self._words)
            self._show()
        told = self._before["version"]
        while (message := self._subscription.get(0)) is not None:
            if message.event == "stored":
                self._types.append(str(message.data["type"]))
                told = message.data["version"]
        state = self._board.state()
        if state["version"] != self._seen[-1][1]:
            self._seen.append((now, state["version"]))
        if told == state["version"]:  # else more is on its way, and belongs together
            sound = tune_for(self._types, self._before, state) if self._types else None
            if sound is not None:
                self._sound(sound)
            self._types.clear()
            self._before = state
        self._light(state)

    def _light(self, state: Mapping[str, Any]) -> None:
        wanted = lamp(lamp_for(state))
        if wanted != self._lamp and self._linked and self._send is not None:
            self._lamp = wanted
            self._send(wanted)

    def _sound(self, which: Tune) -> None:
        if self._linked and self._send is not None:
            self._send(tune(which))

"""`bobing box test`: walks a person through each button, lamp and tone of a box."""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Callable
from typing import Any

from device.cli.boxes import new_session, port_of
from device.cli.output import OK, WORLD, WorldError, emit, line, say
from firmware_bridge.commands import Command, Lamp, Tune, lamp, tone, tune
from firmware_bridge.events import Edge
from firmware_bridge.link import Link
from firmware_bridge.machine import Machine
from firmware_bridge.ports import Search
from firmware_bridge.system import named
from firmware_bridge.talk import Done, Linked
from firmware_bridge.words import Words

LINK_S = 8.0
PRESS_S = 30.0
BUTTONS = {"A": "the big button", "B": "button B", "C": "button C", "D": "button D"}
LAMPS = {Lamp.ON: "shine", Lamp.SLOW: "blink slowly", Lamp.FAST: "blink fast", Lamp.OFF: "stay dark"}
SOUNDS: dict[str, Command] = {
    "a low tone": tone(220, 800), "a high tone": tone(1760, 800),
    **{f"the tune for {name}": tune(which) for name, which in (
        ("accepted", Tune.ACCEPTED), ("refused", Tune.REFUSED), ("the next player", Tune.NEXT), ("undo", Tune.UNDO),
        ("跳猴", Tune.JUMP), ("状元", Tune.CHAMPION))},
}


class Walk:
    """One test of one box. answers: the next line that the person types, "" at the end of input."""

    def __init__(self, link: Link, heard: queue.Queue[Any], answers: Callable[[], str]) -> None:
        self._link = link
        self._heard = heard
        self._answers = answers
        self.results: list[tuple[str, bool, str]] = []
        """(what, whether it is good, why not)."""

    def run(self) -> None:
        """Every button, then the lamp, then the sounds."""
        for button, name in BUTTONS.items():
            self._button(button, name)
        for mode, does in LAMPS.items():
            self._ask(f"lamp: {does}", lamp(mode), f"does the big button {does}?")
        for name, command in SOUNDS.items():
            self._ask(name, command, f"did you hear {name}?")

    def _until(self, seconds: float, holds: Callable[[Any], bool]) -> Any:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                thing = self._heard.get(timeout=left)
            except queue.Empty:
                return None
            if isinstance(thing, Words) and thing.key != "linked":
                raise WorldError(f"box test: {thing.en}")
            if holds(thing):
                return thing
        return None

    def _button(self, button: str, name: str) -> None:
        say(f"press {name} and let it go")
        edge = self._until(PRESS_S, lambda thing: isinstance(thing, Edge) and thing.down)
        if edge is None:
            self.results.append((name, False, f"no press came within {PRESS_S:.0f} s: is it wired to its pin and GND?"))
            return
        up = self._until(PRESS_S, lambda t: isinstance(t, Edge) and not t.down and t.button == edge.button)
        if edge.button != button:
            self.results.append((name, False, f"button {edge.button} answered: two wires are exchanged"))
        elif up is None:
            self.results.append((name, False, "it was not let go: is it stuck, or wired to be closed?"))
        else:
            self.results.append((name, True, ""))

    def _ask(self, what: str, command: Command, question: str) -> None:
        self._link.command(command)
        done = self._until(LINK_S, lambda thing: isinstance(thing, Done) and thing.command == command)
        if done is None or done.code != 0:
            self.results.append((what, False, "the box did not carry it out: flash it again"))
            return
        say(f"{question} (y or n, Enter; r: once more)")
        answer = self._answers().strip().lower()
        while answer == "r":
            self._link.command(command)
            answer = self._answers().strip().lower()
        good = answer in ("y", "yes", "j", "是", "对")
        self.results.append((what, good, "" if good else "seen or heard by nobody: check its wires"))


def run_walk(spec: str | None, as_json: bool) -> int:
    """Test the box at a port; status 1 where anything is not as it should be."""
    port = port_of(spec, "box test")
    heard: queue.Queue[Any] = queue.Queue()
    machine = Machine(new_session(), Search(port.device))
    link = Link(machine, named(port.device), time.monotonic, heard.put).open()
    try:
        walk = Walk(link, heard, sys.stdin.readline)
        linked = _linked(heard)
        say(f"box {linked.hello.id}, firmware {linked.hello.firmware}, at {port.device}")
        walk.run()
    finally:
        link.close()
    for what, good, why in walk.results:
        if as_json:
            emit({"part": what, "ok": good, "why": why})
        else:
            line(f"{'ok   ' if good else 'WRONG'} {what}{': ' + why if why else ''}")
    return OK if all(good for _, good, _ in walk.results) else WORLD


def _linked(heard: queue.Queue[Any]) -> Linked:
    """Wait for the box; raises WorldError with the last that was told."""
    told = "no box answers: bobing boxes --ask"
    end = time.monotonic() + LINK_S
    while (left := end - time.monotonic()) > 0:
        try:
            thing = heard.get(timeout=left)
        except queue.Empty:
            break
        if isinstance(thing, Linked):
            return thing
        if isinstance(thing, Words) and thing.key not in ("searching", "linked"):
            told = thing.en
    raise WorldError(f"box test: {told}")

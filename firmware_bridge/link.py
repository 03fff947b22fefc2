"""The link to a real port: one thread that drives the machine. It opens, reads, writes and closes; the machine decides."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import serial

from firmware_bridge.commands import Command
from firmware_bridge.events import Edge, Gone
from firmware_bridge.machine import Machine
from firmware_bridge.ports import Port
from firmware_bridge.system import group_of, number_of, open_port, reason_of
from firmware_bridge.talk import Done, Held, Linked, News, Pressed, Unlinked
from firmware_bridge.words import Words

LOOK_S = 0.1


class Link:
    """A box as a source of edges. Start with `open`, end with `close`; `command` may be called from any thread.

    heard: gets each Edge, Gone, Done and Linked, and Words when they change, on the link's thread; it must not wait.
    """

    def __init__(
        self,
        machine: Machine,
        listing: Callable[[], Sequence[Port]],
        clock: Callable[[], float],
        heard: Callable[[Edge | Gone | Done | Linked | Words], None],
        source: str = "box",
        opener: Callable[[str], Any] = open_port,
    ) -> None:
        self._machine = machine
        self._listing = listing
        self._clock = clock
        self._heard = heard
        self._source = source
        self._opener = opener
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._serial: Any = None
        self._told: Words | None = None
        self._down: frozenset[str] = frozenset()
        self._thread = threading.Thread(target=self._run, name="box", daemon=True)

    def open(self) -> Link:
        """Begin to look for the box."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Say good-bye to the box and let the port go."""
        self._stop.set()
        self._wake()
        if self._thread.is_alive():
            self._thread.join(timeout=3.0)

    def command(self, command: Command) -> None:
        """Have something done by the box; what became of it is heard as Done."""
        self._commands.put(command)
        self._wake()

    def _wake(self) -> None:
        port = self._serial
        if port is not None:
            with suppress(OSError, AttributeError, serial.SerialException):
                port.cancel_read()

    def _run(self) -> None:
        while not self._stop.is_set():
            if self._serial is None:
                self._look()
            else:
                self._exchange()
            self._tell()
        if self._serial is not None:
            self._machine.talk.part()
            with suppress(OSError, serial.SerialException):
                self._serial.write(self._machine.talk.take_out())
                self._serial.flush()
            self._shut()
            self._tell()

    def _look(self) -> None:
        now = self._clock()
        try:
            there = self._listing()
        except OSError:  # a port that vanishes while the system lists it
            there = []
        port = self._machine.look(there, now)
        if port is None:
            self._hand_over(now)
            self._stop.wait(LOOK_S)
            return
        try:
            self._serial = self._opener(port.device)
        except (OSError, ValueError, serial.SerialException) as fault:
            self._machine.open_failed(port, number_of(fault), reason_of(fault), group_of(port.device), self._clock())
            self._stop.wait(LOOK_S)
            return
        self._machine.opened(port, self._clock())

    def _hand_over(self, now: float) -> None:
        while not self._commands.empty():
            self._machine.command(self._commands.get_nowait(), now)

    def _exchange(self) -> None:
        """One turn: what came in, what is due, what goes out. A fault of the port is a pulled cable."""
        port = self._serial
        try:
            data = port.read(max(1, port.in_waiting))
            now = self._clock()
            if data:
                self._machine.received(data, now)
            self._hand_over(now)
            self._machine.tick(now)
            out = self._machine.talk.take_out()
            if out:
                port.write(out)
        except (OSError, serial.SerialException):  # in_waiting raises a plain OSError after a cable was pulled
            self._shut()
            return
        if self._machine.must_close:
            self._shut()

    def _shut(self) -> None:
        with suppress(OSError, serial.SerialException):
            self._serial.close()
        self._serial = None
        self._machine.closed()

    def _tell(self) -> None:
        for news in self._machine.take_news():
            self._pass_on(news)
        if self._machine.words != self._told:
            self._told = self._machine.words
            self._heard(self._told)

    def _pass_on(self, news: News) -> None:
        match news:
            case Pressed(button, down, age):
                self._down = self._down | {button} if down else self._down - {button}
                self._heard(Edge(self._source, button, down, age, self._clock()))
            case Held(buttons) if self._down - set(buttons):  # a release was lost with what the box dropped as stale
                self._down = frozenset()
                self._heard(Gone(self._source))
            case Unlinked():
                self._down = frozenset()
                self._heard(Gone(self._source))
            case Done() | Linked():
                self._heard(news)

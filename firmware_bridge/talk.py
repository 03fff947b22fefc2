"""Talking with what is at one port: greeting, presses taken over once and in order, commands until they are answered.

Rules of this file: no I/O; time is an argument (monotonic seconds). After each call take what is to be sent (`take_out`) and what
has happened (`take_news`). One Talk lives as long as its program: a box that comes back is recognised, and nothing is told twice.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.codec import PROTOCOL, Answer, Beat, Event, Hello, LineReader, after, encode, is_own, said
from firmware_bridge.commands import Command

GREET_S = 0.25
GIVE_UP_S = 4.0
NONSENSE_S, NONSENSE_LINES = 1.0, 8
PING_S = 0.5
SILENCE_S = 2.5
RESEND_S, TRIES = 0.1, 12
MOST_WAITING = 32


class TalkState(StrEnum):
    """closed: no port; hello: greeting; linked: presses count; failed: this is no box for us (see `failure`)."""

    CLOSED = "closed"
    HELLO = "hello"
    LINKED = "linked"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Linked:
    """The box answers. hello: what it said of itself."""

    hello: Hello


@dataclass(frozen=True, slots=True)
class Unlinked:
    """The box is gone or begins anew: what was held down is void."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button went down or up, told once. age: ms before it was taken over."""

    button: str
    down: bool
    age: int


@dataclass(frozen=True, slots=True)
class Held:
    """What the box says is held down now."""

    buttons: str


@dataclass(frozen=True, slots=True)
class Done:
    """A command was carried out (code 0), refused (its code), or never answered (None)."""

    command: Command
    code: int | None


News = Linked | Unlinked | Pressed | Held | Done


@dataclass(slots=True)
class _Pending:
    command: Command
    seq: int
    sent_at: float
    tries: int


class Talk:
    """The host's side of protocol 1. session: four upper-case hex digits, drawn once by the program."""

    def __init__(self, session: str, resend_s: float = RESEND_S) -> None:
        self.session = session
        self.state = TalkState.CLOSED
        self.failure = ""
        """Why it is FAILED: "version", "echo", "nonsense", "silent" or, after it was linked, "lost"."""
        self.hello: Hello | None = None
        self.reader = LineReader()
        self._out = bytearray()
        self._news: list[News] = []
        self._waiting: deque[Command] = deque()
        self._pending: _Pending | None = None
        self._resend_s = resend_s
        self._seq = 0
        self._last_event = 0
        self._up = 0
        self._rebooted = False
        self._since = self._greeted_at = self._heard_at = self._pinged_at = 0.0

    def begin(self, now: float) -> None:
        """A port was opened."""
        self.reader = LineReader()
        self._out.clear()
        self.failure = ""
        self._since = now
        self._greet(now)

    def end(self) -> None:
        """The port is closed, or the cable gone. Commands that wait are given up."""
        self._unlink()
        self.state = TalkState.CLOSED
        self._out.clear()
        for command in self._waiting:
            self._news.append(Done(command, None))
        self._waiting.clear()
        if self._pending is not None:
            self._news.append(Done(self._pending.command, None))
            self._pending = None

    def received(self, data: bytes, now: float) -> None:
        """Bytes came from the port."""
        for line in self.reader.feed(data):
            if not line.checked:
                continue
            if is_own(line.body):
                if self.state is TalkState.HELLO:
                    self._fail("echo")
                continue
            self._heard_at = now
            self._said(line.body, now)

    def tick(self, now: float) -> None:
        """Time has passed: call it at least every 20 ms."""
        if self.state is TalkState.HELLO:
            spent = now - self._since
            strangers = self.reader.bad + self.reader.plain >= NONSENSE_LINES and not self.reader.good
            if spent >= GIVE_UP_S or (spent >= NONSENSE_S and strangers):
                self._fail("nonsense" if strangers else "silent")
            elif now - self._greeted_at >= GREET_S:
                self._greet(now)
        elif self.state is TalkState.LINKED:
            if now - self._heard_at > SILENCE_S:
                self._fail("lost")
                return
            if now - self._pinged_at >= PING_S:
                self._pinged_at = now
                self._out += encode("PG")
            self._press_on(now)

    def command(self, command: Command, now: float) -> None:
        """Have a command done; the news tell what became of it. Without a link it is given up at once."""
        if self.state is not TalkState.LINKED or len(self._waiting) >= MOST_WAITING:
            self._news.append(Done(command, None))
            return
        self._waiting.append(command)
        self._press_on(now)

    def part(self) -> None:
        """Say good-bye, before the port is closed in peace."""
        if self.state is TalkState.LINKED:
            self._out += encode("BY", again=True)

    def take_out(self) -> bytes:
        """What is to be sent."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def take_news(self) -> list[News]:
        """What has happened since this was asked last."""
        news, self._news = self._news, []
        return news

    def _greet(self, now: float) -> None:
        self.state = TalkState.HELLO
        self._greeted_at = now
        self._out += encode(f"HI {self.session} {PROTOCOL}", again=True)

    def _fail(self, why: str) -> None:
        self._unlink()
        self.state = TalkState.FAILED
        self.failure = why

    def _unlink(self) -> None:
        if self.state is TalkState.LINKED:
            self._news.append(Unlinked())

    def _said(self, body: str, now: float) -> None:
        match said(body):
            case Hello() as hello:
                self._greeted(hello, now)
            case Event() as event if self.state is TalkState.LINKED:
                self._out += encode(f"AK {event.seq}")
                if event.seq != self._last_event:
                    self._last_event = event.seq
                    self._news.append(Pressed(event.button, event.down, event.age))
            case Beat() as beat if self.state is TalkState.LINKED:
                if beat.up < self._up:  # its banner was lost: it has begun anew and knows no session
                    self._begun_anew(now)
                    return
                self._up = beat.up
                if not beat.queued:
                    self._news.append(Held(beat.held))
            case Answer() as answer if self.state is TalkState.LINKED:
                pending = self._pending
                if pending is not None and pending.seq == answer.seq:
                    self._pending = None
                    self._news.append(Done(pending.command, answer.code))
                    self._press_on(now)

    def _greeted(self, hello: Hello, now: float) -> None:
        if self.state is TalkState.FAILED:
            return
        if hello.protocol != PROTOCOL:
            self.hello = hello
            self._fail("version")
        elif hello.kind == "B" or hello.session != self.session:
            self._begun_anew(now)
        elif self.state is TalkState.HELLO and hello.kind in ("N", "R"):
            # an R after a boot: the N before it was lost on its way
            if hello.kind == "N" or self._rebooted or hello.up < self._up:
                self._last_event = 0
                self._seq = 0
                if self._pending is not None:
                    self._waiting.appendleft(self._pending.command)
                    self._pending = None
            self._rebooted = False
            self._up = hello.up
            self.hello = hello
            self.state = TalkState.LINKED
            self._pinged_at = now
            self._news.append(Linked(hello))
            self._press_on(now)

    def _begun_anew(self, now: float) -> None:
        self._unlink()
        if self.state is TalkState.LINKED:
            self._since = now
        self._rebooted = True
        self._up = 0
        self._greet(now)

    def _press_on(self, now: float) -> None:
        """One command at a time: send it, send it again, give it up."""
        if self._pending is None:
            if not self._waiting:
                return
            self._seq = after(self._seq) if self._seq else 1
            self._pending = _Pending(self._waiting.popleft(), self._seq, now, 1)
            self._out += encode(self._pending.command.body(self._seq))
        elif now - self._pending.sent_at >= self._resend_s:
            if self._pending.tries >= TRIES:
                self._news.append(Done(self._pending.command, None))
                self._pending = None
                self._press_on(now)
                return
            self._pending.sent_at = now
            self._pending.tries += 1
            self._out += encode(self._pending.command.body(self._pending.seq), again=True)

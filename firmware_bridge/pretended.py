"""A box made of Python: it speaks protocol 1 as the firmware does, for people and machines without one. No I/O; time is an argument."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from firmware_bridge.codec import BODY_MAX, PROTOCOL, LineReader, after, encode
from firmware_bridge.commands import Lamp, Tune
from firmware_bridge.events import BUTTONS

FIRMWARE = "0.1.0"
RESEND_S, STALE_S, SILENCE_S, BEAT_S = 0.06, 3.0, 3.5, 1.0
ROOM = 7
TONES, LONGEST = range(31, 8001), 5000


@dataclass(frozen=True, slots=True)
class Shown:
    """What somebody beside the box would see or hear. what: "lamp", "lamp2", "tone", "tune", "link" or "unheard" (a press nobody took)."""

    what: str
    value: int
    ms: int = 0


class PretendedBox:
    """The box's side of protocol 1. Take what it sends with `take_out` and what it shows with `take_shown`."""

    def __init__(self, now: float, id_: str = "FFFF", protocol: int = PROTOCOL) -> None:
        self.id = id_
        self._protocol = protocol
        self._reader = LineReader()
        self._out = bytearray()
        self._shown: list[Shown] = []
        self._events: deque[tuple[str, bool, float]] = deque()
        self._seq = 1
        self._sent_at: float | None = None
        self._last: tuple[int, int] | None = None
        self.power_on(now)

    def power_on(self, now: float) -> None:
        """As after its cable was plugged in, or a reset."""
        self._begun = now
        self._session = "-"
        self._linked = self._strict = False
        self._heard_at = self._beat_at = now
        self._dropped = 0
        self._held = 0
        self._clear()
        self._out.clear()
        self._reader = LineReader()
        self._hello("B", now)

    def press(self, button: str, down: bool, now: float) -> None:
        """A finger."""
        bit = 1 << BUTTONS.index(button)
        if bool(self._held & bit) == down:
            return
        self._held ^= bit
        if not self._linked:
            if down:
                self._shown.append(Shown("unheard", 110, 60))
        elif len(self._events) == ROOM:
            self._dropped += 1
        else:
            self._events.append((button, down, now))
        self.tick(now)

    def received(self, data: bytes, now: float) -> None:
        """Bytes from the host."""
        for line in self._reader.feed(data):
            if self._strict and not line.checked:
                self._reader.bad += 1
            else:
                self._obey(line.body, line.checked, now)
        self.tick(now)

    def tick(self, now: float) -> None:
        """Time has passed."""
        if self._linked and now - self._heard_at > SILENCE_S:
            self._link(False)
        while self._events and now - self._events[0][2] > STALE_S:
            self._dropped += 1
            self._advance()
        if self._linked and self._events and (self._sent_at is None or now - self._sent_at >= RESEND_S):
            button, down, at = self._events[0]
            age = max(0, round((now - at) * 1000))
            self._out += encode(f"EV {self._seq} {button} {'D' if down else 'U'} {age}", again=self._sent_at is not None)
            self._sent_at = now
        if self._linked and now - self._beat_at >= BEAT_S:
            self._beat(now)

    def take_out(self) -> bytes:
        """What is to be sent."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def take_shown(self) -> list[Shown]:
        """What was to be seen and heard since this was asked last."""
        shown, self._shown = self._shown, []
        return shown

    def _say(self, body: str) -> None:
        if len(body) <= BODY_MAX:
            self._out += encode(body)

    def _up(self, now: float) -> int:
        return round((now - self._begun) * 1000)

    def _hello(self, kind: str, now: float) -> None:
        self._say(f"HELLO {self._session} {self._protocol} {FIRMWARE} DICEBOX {self.id} {self._up(now)} {kind}")

    def _beat(self, now: float) -> None:
        self._say(f"HB {self._up(now)} {self._held:X} {len(self._events)} {self._reader.bad % 65536} {self._dropped}")
        self._beat_at = now

    def _clear(self) -> None:
        self._events.clear()
        self._seq = 1
        self._sent_at = None
        self._last = None

    def _advance(self) -> None:
        self._events.popleft()
        self._seq = after(self._seq)
        self._sent_at = None

    def _link(self, linked: bool, strict: bool = False) -> None:
        if linked != self._linked:
            self._shown.append(Shown("link", int(linked)))
        self._linked, self._strict = linked, strict

    def _obey(self, body: str, checked: bool, now: float) -> None:
        match body.split(" "):
            case ["HI", session, protocol] if _hex4(session) and protocol.isdecimal():
                self._greeted(session, protocol, checked, now)
                return
            case ["?"]:
                self._hello("?", now)
            case ["BY"]:
                self._session = "-"
                self._clear()
                self._link(False)
                return
            case ["AK", seq]:
                if self._events and self._sent_at is not None and seq == str(self._seq):
                    self._advance()
            case ["PG"]:
                if self._session == "-":
                    self._hello("?", now)
                self._beat(now)
            case [verb, number, *values] if number.isdecimal() and 1 <= int(number) <= 9999:
                if self._last is None or self._last[0] != int(number):
                    self._last = (int(number), self._do(verb, values))
                code = self._last[1]
                self._say(f"NO {number} {code}" if code else f"OK {number}")
            case _:
                self._reader.bad += 1
        self._heard_at = now
        if checked and self._session != "-" and not self._linked:
            self._link(True, True)

    def _greeted(self, session: str, protocol: str, checked: bool, now: float) -> None:
        if int(protocol) != self._protocol:
            self._hello("?", now)
            return
        kind = "R" if session == self._session else "N"
        if kind == "N":
            self._session = session
            self._clear()
        self._link(True, checked)
        self._heard_at = self._beat_at = now
        self._hello(kind, now)

    def _do(self, verb: str, values: list[str]) -> int:
        """Do a command: 0, or the code of the refusal (1 unknown, 2 bad value)."""
        numbers = [int(value) if value.isdecimal() and len(value) <= 5 else -1 for value in values]
        match verb, numbers:
            case "BZ", [hz, ms] if (hz == 0 or hz in TONES) and 0 <= ms <= LONGEST:
                self._shown.append(Shown("tone", hz, ms))
            case "TN", [number] if number in list(Tune):
                self._shown.append(Shown("tune", number))
            case "LD", [1 | 2 as number, mode] if mode in list(Lamp):
                self._shown.append(Shown("lamp" if number == 1 else "lamp2", mode))
            case "ID", [_] if _hex4(values[0]):
                self.id = values[0]
            case ("BZ" | "TN" | "LD" | "ID"), _:
                return 2
            case _:
                return 1
        return 0


def _hex4(text: str) -> bool:
    return len(text) == 4 and all(sign in "0123456789ABCDEF" for sign in text)

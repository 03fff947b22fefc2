"""Lines of protocol 1: `BODY*HHHH` and LF. BODY is 1 to 56 characters from space to tilde without `*`; HHHH its checksum.

Rules of this file: no I/O and no time. A line that does not hold is dropped and counted, and nothing is said of it. A resend
begins with an empty line, so that what a broken line left in the receiver's buffer does not spoil it too.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass

from firmware_bridge.events import BUTTONS

PROTOCOL = 1
BODY_MAX = 56
LAST_SEQ = 9999
LINE_MAX = BODY_MAX + 5
_NUMBER = re.compile(r"[0-9]{1,10}", re.ASCII)
_HEX4 = re.compile(r"[0-9A-F]{4}", re.ASCII)


def checksum(body: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 1021, start FFFF; `123456789` → 29B1."""
    return binascii.crc_hqx(body, 0xFFFF)


def encode(body: str, again: bool = False) -> bytes:
    """A body as the line that is sent; again: a resend. Raises ValueError for a body that is none."""
    text = body.encode("ascii")
    if not 1 <= len(text) <= BODY_MAX or b"*" in text or not all(0x20 <= byte <= 0x7E for byte in text):
        raise ValueError(f"no body of a line: {body!r}")
    return (b"\n" if again else b"") + text + b"*%04X\n" % checksum(text)


def after(seq: int) -> int:
    """The number that follows: 1 to 9999, then 1 again."""
    return 1 if seq == LAST_SEQ else seq + 1


@dataclass(frozen=True, slots=True)
class Line:
    """A line that holds. checked: it had a checksum (that of a line without one is the receiver's to bear)."""

    body: str
    checked: bool


class LineReader:
    """Bytes as they come → lines that hold; counts: `good` with a checksum, `plain` without, `bad` dropped."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._spoiled = False
        self.good = 0
        self.plain = 0
        self.bad = 0

    def feed(self, data: bytes) -> list[Line]:
        """The lines that these bytes complete."""
        found = []
        for piece in _pieces(data):
            ends = piece.endswith(b"\n")
            self._add(piece[:-1] if ends else piece)
            if ends:
                line = self._whole()
                if line is not None:
                    found.append(line)
        return found

    def _add(self, piece: bytes) -> None:
        if len(self._line) + len(piece) > LINE_MAX + 1:  # one more for a CR
            self._spoiled = True
        if not self._spoiled:
            self._line += piece

    def _whole(self) -> Line | None:
        text, spoiled = bytes(self._line), self._spoiled
        self._line.clear()
        self._spoiled = False
        text = text.removesuffix(b"\r")
        if not text and not spoiled:
            return None
        line = None if spoiled else _held(text)
        if line is None:
            self.bad += 1
        elif line.checked:
            self.good += 1
        else:
            self.plain += 1
        return line


def _pieces(data: bytes) -> list[bytes]:
    """The data parted after each LF, which is kept; bytes.splitlines would part at CR too."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _held(text: bytes) -> Line | None:
    if not all(0x20 <= byte <= 0x7E for byte in text):
        return None
    body, star, given = text.partition(b"*")
    if not 1 <= len(body) <= BODY_MAX:
        return None
    if star and given != b"%04X" % checksum(body):
        return None
    return Line(body.decode("ascii"), bool(star))


@dataclass(frozen=True, slots=True)
class Hello:
    """A box says who it is. session "-": none; kind: B booted, N new session, R resumed, ? asked; id FFFF: none was given it."""

    session: str
    protocol: int
    firmware: str
    name: str
    id: str
    up: int
    kind: str


@dataclass(frozen=True, slots=True)
class Event:
    """A button went down or up, `age` ms before this was sent."""

    seq: int
    button: str
    down: bool
    age: int


@dataclass(frozen=True, slots=True)
class Beat:
    """A box lives. up: ms since power on; held: letters of the buttons that are down; bad, dropped: lines and events, ever."""

    up: int
    held: str
    queued: int
    bad: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A command was done (code 0) or refused: 1 unknown, 2 bad value."""

    seq: int
    code: int


@dataclass(frozen=True, slots=True)
class Log:
    """A remark, never acted on."""

    text: str


Said = Hello | Event | Beat | Answer | Log


def said(body: str) -> Said | None:
    """What a box means by the body of a checked line; None where it is none of its words."""
    verb, _, rest = body.partition(" ")
    if verb == "#":
        return Log(rest)
    fields = rest.split(" ")
    try:
        match verb, fields:
            case "HELLO", [session, protocol, firmware, name, id_, up, kind]:
                if (session == "-" or _HEX4.fullmatch(session)) and _HEX4.fullmatch(id_) and kind in ("B", "N", "R", "?"):
                    return Hello(session, _whole(protocol), firmware, name, id_, _whole(up), kind)
            case "EV", [seq, button, edge, age]:
                if len(button) == 1 and button in BUTTONS and edge in ("D", "U"):
                    return Event(_seq(seq), button, edge == "D", _whole(age))
            case "HB", [up, held, queued, bad, dropped]:
                if re.fullmatch(r"[0-9A-F]", held):
                    mask = int(held, 16)
                    letters = "".join(letter for bit, letter in enumerate(BUTTONS) if mask >> bit & 1)
                    return Beat(_whole(up), letters, _whole(queued), _whole(bad), _whole(dropped))
            case "OK", [seq]:
                return Answer(_seq(seq), 0)
            case "NO", [seq, code]:
                return Answer(_seq(seq), _whole(code))
    except ValueError:
        return None
    return None


def _whole(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _seq(text: str) -> int:
    seq = _whole(text)
    if not 1 <= seq <= LAST_SEQ:
        raise ValueError(text)
    return seq


def is_own(body: str) -> bool:
    """Whether a line is one that only a host says: who hears it back talks to an echo."""
    return body.partition(" ")[0] in ("HI", "PG", "AK", "BY", "?", "BZ", "TN", "LD", "ID")

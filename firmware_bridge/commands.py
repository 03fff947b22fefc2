"""What a box can be told to do: bodies of commands, each with a place for its number."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from firmware_bridge.codec import LAST_SEQ


class Tune(IntEnum):
    """Tunes that are stored in the box."""

    ACCEPTED = 0
    REFUSED = 1
    NEXT = 2
    UNDO = 3
    JUMP = 4
    CHAMPION = 5


class Lamp(IntEnum):
    """How a lamp shines."""

    OFF = 0
    ON = 1
    SLOW = 2
    FAST = 3


@dataclass(frozen=True, slots=True)
class Command:
    """verb and what follows the number."""

    verb: str
    values: tuple[int | str, ...]

    def body(self, seq: int) -> str:
        """The body of its line."""
        if not 1 <= seq <= LAST_SEQ:
            raise ValueError(seq)
        return " ".join(map(str, (self.verb, seq, *self.values)))


def tone(hz: int, ms: int) -> Command:
    """A tone of 31 to 8000 Hz (0: silence) for at most 5000 ms."""
    return Command("BZ", (hz, ms))


def tune(which: Tune) -> Command:
    """A stored tune."""
    return Command("TN", (int(which),))


def lamp(mode: Lamp, number: int = 1) -> Command:
    """Lamp 1 is the big button's; 2 an optional one."""
    return Command("LD", (number, int(mode)))


def store_id(name: str) -> Command:
    """The box's own number, four upper-case hex digits, kept without power; FFFF: none."""
    return Command("ID", (name,))

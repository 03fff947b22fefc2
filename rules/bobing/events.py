"""What happened at the table: frozen events, the only truth. State is what `evolve` makes of them.

Player ids ("p1", "p2", …) never change; names may. Throw numbers count the throws that stand, from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .houserules import HouseRules


@dataclass(frozen=True, slots=True)
class Prize:
    """What a tier's cake stands for tonight: its own name, a value for the budget, and named gifts to give out."""

    name: str = ""
    value: float = 0
    gifts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; `undoable` marks those that `undo` takes back."""

    undoable: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Started(Event):
    """A game begins. players: (id, name) in the order of play, the starter first; first: how the starter was found, for the log."""

    undoable: ClassVar[bool] = False
    rules: HouseRules
    players: tuple[tuple[str, str], ...]
    prizes: tuple[tuple[str, Prize], ...] = ()
    first: str = ""


@dataclass(frozen=True, slots=True)
class Thrown(Event):
    """A player threw. dice: as thrown, None where nobody read them (only with jump). corrected: set right afterwards.

    still: name of the picture that is the proof, "" where there is none; the rules carry it and never look at it.
    """

    player: str
    dice: tuple[int, ...] | None
    jump: bool = False
    corrected: bool = False
    still: str = ""


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """The player whose turn it was let it go."""

    player: str


@dataclass(frozen=True, slots=True)
class SkipMarked(Event):
    """The coming turn of a player is to be skipped, as the operator says."""

    player: str


@dataclass(frozen=True, slots=True)
class SkipUsed(Event):
    """A turn was skipped because of an earlier jump; `evolve` adds it, the journal never holds it."""

    player: str


@dataclass(frozen=True, slots=True)
class ThrowCorrected(Event):
    """The throw with this number was something else: other dice, a jump, or another player's."""

    number: int
    dice: tuple[int, ...] | None = None
    jump: bool | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    """The last throw that stands was taken back, with the turns passed or skipped after it."""


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The last command that changed the game was undone."""

    undoable: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Redone(Event):
    """What was undone last was done again."""

    undoable: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class PlayerAdded(Event):
    """A player joined, seated before another one (None: at the end of the order of play)."""

    player: str
    name: str
    before: str | None = None


@dataclass(frozen=True, slots=True)
class PlayerRenamed(Event):
    """A player is called differently now."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class PlayerMoved(Event):
    """A player changed seats (before None: to the end of the order of play)."""

    player: str
    before: str | None = None


@dataclass(frozen=True, slots=True)
class PlayerSatOut(Event):
    """A player stays at the table, keeps the cakes and throws no more until coming back."""

    player: str


@dataclass(frozen=True, slots=True)
class PlayerReturned(Event):
    """A player who sat out or left throws again."""

    player: str


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A player went home and took the cakes along: nobody can chase them."""

    player: str


@dataclass(frozen=True, slots=True)
class GiftNoted(Event):
    """Which of a tier's named gifts the winner of this throw took."""

    number: int
    gift: str


@dataclass(frozen=True, slots=True)
class ScrambleAssigned(Event):
    """Who grabbed how many cakes of a tier from what 六博黑 put up."""

    tier: str
    n: int
    player: str


@dataclass(frozen=True, slots=True)
class GivenBack(Event):
    """A player put cakes back on the table (courtesy after a six-alike throw); the game is open again. cakes: six numbers."""

    player: str
    cakes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TimeUp(Event):
    """The time of closing rule `clock` is over: the running lap is finished."""

    undoable: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """The game rests."""

    undoable: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """The game goes on."""

    undoable: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The operator closed the game; the holder of this moment is the champion."""

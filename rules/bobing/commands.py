"""What somebody asks of the game: frozen commands, named as people at the table would say them."""

from __future__ import annotations

from dataclasses import dataclass

from .events import Prize
from .houserules import HouseRules


@dataclass(frozen=True, slots=True)
class First:
    """How the starter is found: counted from the elder by two dice, drawn at random (the draw is given), or named.

    elder, player: places in the list of players, from 0. draw: a whole number from 0, chosen by whoever holds the randomness.
    """

    player: int | None = None
    elder: int | None = None
    dice: tuple[int, ...] = ()
    draw: int | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a game. players: names in the order of play."""

    players: tuple[str, ...]
    rules: HouseRules
    prizes: tuple[tuple[str, Prize], ...] = ()
    first: First | None = None


@dataclass(frozen=True, slots=True)
class Throw:
    """Whoever's turn it is threw these six dice, all in the bowl. still: name of the picture of it."""

    dice: tuple[int, ...]
    still: str = ""


@dataclass(frozen=True, slots=True)
class Jump:
    """A die of this throw left the bowl. dice: what the dice show, six or fewer, None where nobody read them. still: as in Throw."""

    dice: tuple[int, ...] | None = None
    still: str = ""


@dataclass(frozen=True, slots=True)
class Skip:
    """The current player lets the turn go; for another player (id): the coming turn will be skipped."""

    player: str | None = None


@dataclass(frozen=True, slots=True)
class Correct:
    """A throw that stands was something else: exactly one of dice, jump, player (id)."""

    number: int
    dice: tuple[int, ...] | None = None
    jump: bool = False
    player: str | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take the last throw that stands back."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo the last command that changed the game."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Do again what was undone last."""


@dataclass(frozen=True, slots=True)
class AddPlayer:
    """Somebody joins, seated before another player (id), else last."""

    name: str
    before: str | None = None


@dataclass(frozen=True, slots=True)
class RenamePlayer:
    """A player (id) is called differently."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class MovePlayer:
    """A player (id) changes seats: before another one, or last."""

    player: str
    before: str | None = None


@dataclass(frozen=True, slots=True)
class SitOut:
    """A player (id) stays but throws no more until coming back."""

    player: str


@dataclass(frozen=True, slots=True)
class Return:
    """A player (id) who sat out or left throws again."""

    player: str


@dataclass(frozen=True, slots=True)
class Leave:
    """A player (id) goes home with the cakes won."""

    player: str


@dataclass(frozen=True, slots=True)
class NoteGift:
    """The winner of a throw took this named gift of the tier."""

    number: int
    gift: str


@dataclass(frozen=True, slots=True)
class Assign:
    """n cakes of a tier that were put up went to this player (id)."""

    tier: str
    n: int
    player: str


@dataclass(frozen=True, slots=True)
class GiveBack:
    """A player (id) puts cakes back on the table. cakes: six numbers from the champion cake down."""

    player: str
    cakes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pause:
    """Rest."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on."""


@dataclass(frozen=True, slots=True)
class End:
    """Close the game now."""


@dataclass(frozen=True, slots=True)
class RingClock:
    """The minutes of closing rule `clock` are over (said by whoever holds the clock)."""


Command = (
    Start
    | Throw
    | Jump
    | Skip
    | Correct
    | TakeBack
    | Undo
    | Redo
    | AddPlayer
    | RenamePlayer
    | MovePlayer
    | SitOut
    | Return
    | Leave
    | NoteGift
    | Assign
    | GiveBack
    | Pause
    | Resume
    | End
    | RingClock
)

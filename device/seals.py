"""Whose seal is in which hole of the pyramid: a cake's place stays where it was when other cakes are won."""

from __future__ import annotations

from collections.abc import Mapping

from rules.bobing.game import Game
from rules.bobing.ledger import NO_CAKES, Ledger, shown_cakes
from rules.bobing.names import TIERS

SCRAMBLE = "scramble"


def _owned(ledger: Ledger) -> dict[str, tuple[int, ...]]:
    owned = {seat.id: shown_cakes(ledger, seat) for seat in ledger.seats}
    owned[SCRAMBLE] = ledger.scramble
    return owned


def _cakes(ledger: Ledger) -> tuple[object, ...]:
    """What must be equal for nobody's cakes to have moved: cheap to compare, throw by throw."""
    return (ledger.phase, ledger.scramble, *[seat.cakes for seat in ledger.seats])


def seals(game: Game) -> list[list[str | None]]:
    """For each tier, as many places as it has cakes: the player's id, "scramble", or None while the cake is on the table.

    A cake that is chased changes hands in its place; a new one takes the first free place.
    """
    places: list[list[str | None]] = [[None] * total for total in game.rules.cakes]
    before, seen = _owned(game.core.start), _cakes(game.core.start)
    for step in game.core.steps:
        now = _cakes(step.ledger)
        if now == seen:
            continue
        after, seen = _owned(step.ledger), now
        for tier in range(len(TIERS)):
            if any(after[who][tier] != before.get(who, NO_CAKES)[tier] for who in after):
                _moved(places[tier], tier, before, after)
        before = after
    return places


def _moved(
    row: list[str | None], tier: int, before: dict[str, tuple[int, ...]], after: dict[str, tuple[int, ...]]
) -> None:
    freed: list[int] = []
    gains: list[tuple[str, int]] = []
    for owner, cakes in after.items():
        change = cakes[tier] - (before[owner][tier] if owner in before else 0)
        if change < 0:
            mine = [i for i, who in enumerate(row) if who == owner]
            freed.extend(mine[change:])
        elif change > 0:
            gains.append((owner, change))
    for place in freed:
        row[place] = None
    for owner, n in gains:
        free = [*freed, *(i for i, who in enumerate(row) if who is None and i not in freed)]
        for place in free[:n]:
            row[place] = owner
        freed = [place for place in freed if row[place] is None]


def seal_characters(names: Mapping[str, str]) -> dict[str, str]:
    """One character a player for the seal (by id), as distinct as the names allow: the given name's end first, as seals have it."""
    taken: set[str] = set()
    marks: dict[str, str] = {}
    for player, name in names.items():
        letters = [c for c in name if not c.isspace()]
        wished = [c.upper() for c in letters] if name.isascii() else letters[::-1]
        mark = next((c for c in wished if c not in taken), wished[0])
        taken.add(mark)
        marks[player] = mark
    return marks

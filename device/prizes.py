"""What each player of a game takes home, for every list of prizes alike. A game is the JSON object of docs/state.md."""

from __future__ import annotations

from typing import Any

Game = dict[str, Any]


def championship(game: Game, player: dict[str, Any]) -> str:
    """A table's cell on the champion cake: "yes", while the game runs only "holds", else ""."""
    return "" if not player["champion"] else "yes" if game["over"] else "holds"


def prizes(game: Game, tiers: dict[str, str], choose: str = "{name}") -> dict[str, list[tuple[str, int]]]:
    """What each player (by id) takes home: named gifts one by one, the rest by the prize's name, else the tier's (`tiers`).

    choose: how to say of a prize that its winner has still to choose among the named gifts.
    """
    out: dict[str, list[tuple[str, int]]] = {}
    for player in game["players"]:
        mine: dict[str, int] = {}
        for tier in game["tiers"]:
            left = player["cakes"][tier["tier"]]
            for gift in _gifts(game, player["id"], tier):
                if left:
                    mine[gift] = mine.get(gift, 0) + 1
                    left -= 1
            if left:
                name = tier["prize"]["name"] or tiers[tier["tier"]]
                name = choose.replace("{name}", name) if tier["prize"]["gifts"] else name
                mine[name] = mine.get(name, 0) + left
        out[player["id"]] = list(mine.items())
    return out


def _gifts(game: Game, player: str, tier: dict[str, Any]) -> list[str]:
    """The named gifts of a tier that were noted for throws of this player."""
    named = tier["prize"]["gifts"]
    return [t["gift"] for t in game["history"] if t["player"] == player and t["gift"] in named]

"""`bobing export`: the journal, standings and prize list, for people's spreadsheets and other programs."""

from __future__ import annotations

import csv
import sys
from datetime import UTC, datetime
from pathlib import Path

from device.cells import safe
from device.cli.output import OK, emit
from device.config import places
from device.games import games
from device.journal import FILE_NAME, Journal
from device.play import Play
from device.view import Setting, state
from rules.bobing.events import Prize
from rules.bobing.game import Game
from rules.bobing.names import TIERS
from rules.bobing.replay import summary


def _games(journal: Journal) -> list[tuple[float, Game]]:
    """Each game of the journal as it ended or stands, with the unix time of its start."""
    return [(past.started, past.play.game) for past in games(journal.since(0)) if past.play.game is not None]


def _started(wall: float) -> str:
    return datetime.fromtimestamp(wall, UTC).astimezone().isoformat(timespec="seconds")


def _standings(games: list[tuple[float, Game]]) -> None:
    out = csv.writer(sys.stdout)
    out.writerow(
        ["game", "started", "over", "player", *TIERS, "champion", "prizes", "value"]
    )  # champion: "holds" while the game runs
    for number, (wall, game) in enumerate(games, 1):
        prizes = dict(game.prizes)
        told = summary(game)
        for player in told["players"]:
            cakes = player["cakes"]
            named = [f"{prizes[t].name or t} x {n}" for t, n in cakes.items() if n and t in prizes]
            value = sum(prizes.get(t, Prize()).value * n for t, n in cakes.items())
            holders = {c["player"] for c in told.get("champions", [told["champion"]]) if c}
            champion = "yes" if cakes["zhuangyuan"] else "holds" if player["name"] in holders else ""
            row = [number, _started(wall), "yes" if game.over else "no", player["name"], *cakes.values(), champion]
            out.writerow([safe(cell) for cell in (*row, "; ".join(named), value)])


def run_export(kind: str, data: str | None) -> int:
    """csv: standings and prizes; json: every game with its throws; jsonl: the journal's records as they were stored."""
    where = places(None if data is None else Path(data))
    journal = Journal.view(where.data / FILE_NAME)
    try:
        if kind == "jsonl":
            for record in journal.since(0):
                emit({"seq": record.seq, "type": record.type, "data": record.data, "wall": record.wall})
        elif kind == "csv":
            _standings(_games(journal))
        else:
            told = [
                {
                    "started": _started(wall),
                    **summary(game),
                    "history": state(Play(game=game), Setting(), None, None)["history"],
                }
                for wall, game in _games(journal)
            ]
            emit({"games": told})
    finally:
        journal.close()
    return OK

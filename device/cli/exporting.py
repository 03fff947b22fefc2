"""`bobing export`: the journal, standings and prize list, for people's spreadsheets and other programs."""

from __future__ import annotations

import csv
import sys
from datetime import UTC, datetime
from pathlib import Path

from device.cells import safe
from device.cli.output import OK, emit
from device.config import places
from device.games import as_json, games
from device.journal import FILE_NAME, Journal
from device.play import Play
from device.prizes import championship, prizes
from device.view import Setting, state
from rules.bobing.game import Game
from rules.bobing.names import TIERS
from rules.bobing.replay import summary


def _games(journal: Journal) -> list[tuple[float, Game]]:
    """Each game of the journal as it ended or stands, with the unix time of its start."""
    return [(past.started, past.play.game) for past in games(journal.since(0)) if past.play.game is not None]


def _started(wall: float) -> str:
    return datetime.fromtimestamp(wall, UTC).astimezone().isoformat(timespec="seconds")


def _standings(journal: Journal) -> None:
    out = csv.writer(sys.stdout)
    out.writerow(["game", "started", "over", "player", *TIERS, "champion", "prizes", "value"])
    for past in games(journal.since(0)):
        game = as_json(past, "zh-CN")
        taken = prizes(game, {tier["tier"]: tier["name"] for tier in game["tiers"]})
        worth = {tier["tier"]: tier["prize"]["value"] for tier in game["tiers"]}
        for player in game["players"]:
            cakes = player["cakes"]
            named = "; ".join(f"{name} x {n}" for name, n in taken[player["id"]])
            value = sum(worth[t] * cakes[t] for t in TIERS)
            held = (*(cakes[t] for t in TIERS), championship(game, player))
            row = [past.number, _started(past.started), "yes" if game["over"] else "no", player["name"], *held, named, value]
            out.writerow([safe(cell) for cell in row])


def run_export(kind: str, data: str | None) -> int:
    """csv: standings and prizes; json: every game with its throws; jsonl: the journal's records as they were stored."""
    where = places(None if data is None else Path(data))
    journal = Journal.view(where.data / FILE_NAME)
    try:
        if kind == "jsonl":
            for record in journal.since(0):
                emit({"seq": record.seq, "type": record.type, "data": record.data, "wall": record.wall})
        elif kind == "csv":
            _standings(journal)
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

"""What is kept of an evening: old games, and what one prints of them (results, prizes, vouchers, the certificate)."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from device.cells import safe
from device.prizes import Game, championship, prizes
from rules.bobing.names import TIERS
from web_ui.api import STILL_NAME, fresh
from web_ui.pages import owners_language, shown
from web_ui.table import TableLike
from web_ui.words import catalogue, counted, turned

SHEETS = ("results", "prizes", "vouchers", "certificate")


def create_keep(table: TableLike) -> Blueprint:
    """The routes `/keep`, `/keep/<number>/<sheet>` and the tables to download."""
    keep = Blueprint("keep", __name__)

    def game(number: int) -> Game:
        found = next((one for one in table.games() if one["number"] == number), None)
        return found if found is not None else abort(404)

    def kept(still: str) -> bool:
        named = STILL_NAME.fullmatch(still.rpartition("/")[2])
        return named is not None and table.still(named[1]) is not None

    def start() -> dict[str, Any]:
        language = owners_language(table.state())
        return {
            "words": catalogue(language, "print.", "tier.", "kind.", "rules.", "tv.", "hant.", "still."),
            "language": language,
        }

    @keep.get("/keep")
    def index() -> Response:
        begin = start()
        told = [{**one, "day": day(one["began"])} for one in reversed(table.games())]
        return shown("keep.html", begin["language"], begin, games=told, sheets=SHEETS, counted=counted)

    @keep.get("/keep/<int:number>/<sheet>")
    def printed(number: int, sheet: str) -> Response:
        if sheet not in SHEETS:
            abort(404)
        one, begin = game(number), start()
        tiers, choose = tiers_in(begin["words"]), begin["words"]["print.choose"]
        still = proof(one) or ""
        told = {
            "game": one,
            "day": day(one["began"]),
            "sheet": sheet,
            "tiers": TIERS,
            "ranked": ranked(one),
            "prizes": prizes(one, tiers, choose),
            "vouchers": vouchers(one, tiers, choose),
            "proof": still,
            "kept": kept(still),
            "zh": begin["language"] != "en",
            "counted": counted,
            "local": lambda text: turned(text, begin["words"]),
        }
        return shown("print.html", begin["language"], begin, **told)

    @keep.get("/keep/<int:number>/standings.csv")
    def standings_table(number: int) -> Response:
        one = game(number)
        taken = prizes(one, {tier["tier"]: tier["name"] for tier in one["tiers"]})
        rows: list[list[Any]] = [["place", "player", *TIERS, "champion", "prizes"]]
        for place, player in enumerate(ranked(one), 1):
            won = "; ".join(f"{name} x {n}" for name, n in taken[player["id"]])
            rows.append([place, player["name"], *(player["cakes"][t] for t in TIERS), championship(one, player), won])
        return download(rows, f"bobing-{number}-standings.csv")

    @keep.get("/keep/<int:number>/throws.csv")
    def throws_table(number: int) -> Response:
        rows: list[list[Any]] = [["throw", "player", "dice", "hand", "won", "champion", "gift", "corrected", "why"]]
        whole = game(number)
        tiers = {tier["tier"]: tier["name"] for tier in whole["tiers"]}
        for one in reversed(whole["history"]):
            won = "; ".join(f"{tiers[tier]} x {n}" for tier, n in one["won"].items())
            dice = " ".join(str(d) for d in one["dice"] or ())
            corrected = "yes" if one["corrected"] else ""
            language = request.accept_languages.best_match(["zh", "en"], "zh")
            told = [one["number"], one["name"], dice, one["text"], won, one["champion"] or "", one["gift"] or ""]
            rows.append([*told, corrected, one[str(language)]])
        return download(rows, f"bobing-{number}-throws.csv")

    @keep.get("/keep/<int:number>/game.json")
    def whole(number: int) -> Response:
        response = fresh(jsonify(game(number)))
        response.headers["Content-Disposition"] = f'attachment; filename="bobing-{number}.json"'
        return response

    return keep


def day(wall: float) -> str:
    """The date of a moment in unix seconds, as this machine's place counts days."""
    return datetime.fromtimestamp(wall).strftime("%Y-%m-%d")


def download(rows: list[list[Any]], name: str) -> Response:
    """A table that spreadsheets open rightly: UTF-8 with its mark, no cell that is taken for a formula."""
    text = io.StringIO()
    csv.writer(text).writerows([[safe(cell) for cell in row] for row in rows])
    response = fresh(Response("\ufeff" + text.getvalue(), mimetype="text/csv"))
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def ranked(game: Game) -> list[dict[str, Any]]:
    """Players as the golden list has them: the champion first, then tier by tier from the top."""
    return sorted(game["players"], key=lambda p: (not p["champion"], *(-p["cakes"][t] for t in TIERS)))


def tiers_in(words: dict[str, str]) -> dict[str, str]:
    """The tiers' names in the language of a page."""
    return {tier: words[f"tier.{tier}"] for tier in TIERS}


def vouchers(game: Game, tiers: dict[str, str], choose: str = "{name}") -> list[dict[str, Any]]:
    """One voucher for each thing that somebody takes home, player by player."""
    all_prizes = prizes(game, tiers, choose)
    return [
        {"name": player["name"], "prize": name, "of": n}
        for player in ranked(game)
        for name, count in all_prizes[player["id"]]
        for n in range(1, count + 1)
    ]


def proof(game: Game) -> str | None:
    """The picture of the throw that made the champion, where there is one."""
    champion = game["champion"]
    if champion is None:
        return None
    thrown = [
        t for t in game["history"] if t["player"] == champion["id"] and t["dice"] == champion["dice"] and t["still"]
    ]
    return thrown[0]["still"] if thrown else None

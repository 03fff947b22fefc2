"""The tables of one game agree, whichever way they are taken away: from the page or with `bobing export`."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import evening
import pytest

from device.cli.exporting import run_export
from device.journal import FILE_NAME, Journal
from device.stills import Stills
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import house_rules
from web_ui.app import create_app

PRIZES = {"yixiu": {"name": "牙膏", "value": 5}, "erju": {"name": "", "value": 10, "gifts": ["雨伞", "茶杯"]}}
COMMON = ("player", "zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu", "champion", "prizes")


@pytest.fixture
def table(tmp_path: Path) -> Any:
    made = Table(
        Journal.open(tmp_path / FILE_NAME), Stills(tmp_path / "stills"), Setting(), house_rules("xiamen"), lambda: 1_790_000_000.0, lambda n: 0
    ).open()
    evening.give(made, "start", players=["甲", "乙"], prizes=PRIZES)
    for dice in ([4, 4, 4, 4, 1, 2], [4, 4, 1, 2, 3, 6], [4, 4, 4, 1, 6, 6], [4, 1, 2, 3, 3, 6]):
        evening.give(made, "throw", dice=dice)
    evening.give(made, "gift", throw=2, gift="雨伞")
    yield made
    made.close()


def told(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


@pytest.mark.parametrize("over", [False, True])
def test_standings_are_the_same_from_the_page_and_from_the_command_line(table: Any, tmp_path: Path, capsys: Any, over: bool) -> None:
    if over:
        evening.give(table, "end")
    page = create_app(table).test_client()
    here = told(page.get("/keep/1/standings.csv", base_url="http://127.0.0.1").get_data(as_text=True))
    assert run_export("csv", str(tmp_path)) == 0
    there = told(capsys.readouterr().out)
    keys = [[{key: row[key] for key in COMMON} for row in sorted(rows, key=lambda row: row["player"])] for rows in (here, there)]
    assert keys[0] == keys[1]
    by_name = {row["player"]: row for row in there}
    assert by_name["甲"]["champion"] == ("yes" if over else "holds") and by_name["乙"]["champion"] == ""
    assert by_name["甲"]["prizes"] == ("状元 x 1; 三红 x 1" if over else "三红 x 1")
    assert by_name["乙"]["prizes"] == "雨伞 x 1; 牙膏 x 1" and by_name["乙"]["value"] == "15"


def test_a_tier_has_one_name_in_all_tables(table: Any) -> None:
    rows = told(create_app(table).test_client().get("/keep/1/throws.csv", base_url="http://127.0.0.1").get_data(as_text=True))
    assert [row["won"] for row in rows] == ["", "二举 x 1", "三红 x 1", "一秀 x 1"]

"""What people open in a spreadsheet is never a formula: not the cell, and not what a spreadsheet of another country makes of it."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from device.cells import safe
from device.hostile import plain
from web_ui.keep import download

FORMULA = tuple("=+-@＝＋－＠")
HOSTILE = (st.text(st.sampled_from("=+-@＝＋;,\"' 甲a1"), max_size=12) | st.text(max_size=12)).map(lambda text: plain(text, 24))
"""What a name can be: no line breaks, no tabs (device/hostile.py)."""


@settings(max_examples=300, deadline=None)
@given(st.lists(HOSTILE, min_size=1, max_size=4))
@example(["a;=1+1;b"])
@example(["＝1+1"])
@example(['a;"=1+1"'])
def test_no_cell_is_a_formula_whatever_the_spreadsheet_parts_cells_at(names: list[str]) -> None:
    text = download([[1, *names]], "x.csv").get_data().decode("utf-8").lstrip("\ufeff")
    for delimiter in (",", ";"):
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            assert not any(cell.startswith(FORMULA) for cell in row)


@pytest.mark.parametrize("cell", [5, -5, 1.5, "甲", "王小明", "", "a; b", "一等奖 x 2; 二等奖 x 1"])
def test_what_is_no_formula_is_left_as_it_is(cell: object) -> None:
    assert safe(cell) == cell

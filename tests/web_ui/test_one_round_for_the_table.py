"""The round in the headings is the table's own: whoever a throw is given to, it never runs backwards but by an undo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import evening

NONE = [1, 2, 3, 3, 5, 6]


def dealt(folder: Path, *names: str, rules: str = "xiamen") -> Any:
    table = evening.new_table(folder, rules)
    evening.give(table, "start", players=list(names))
    return table


def test_a_throw_given_to_another_leaves_the_round_as_it_is(tmp_path: Path) -> None:
    table = dealt(tmp_path, "甲", "乙", "丙")
    seen = [table.state()["lap"]]
    for _ in range(4):
        evening.give(table, "throw", dice=NONE)
        seen.append(table.state()["lap"])
    assert seen == [1, 1, 1, 2, 2]
    evening.give(table, "correct", throw=4, player="p3")
    assert table.state()["lap"] == 2
    rest = [evening.give(table, "throw", dice=NONE)["lap"] for _ in range(5)]
    assert rest == [2, 3, 3, 3, 4]
    table.close()


def test_at_the_end_the_round_is_that_of_the_last_throw(tmp_path: Path) -> None:
    table = dealt(tmp_path, "甲", "乙")
    for _ in range(3):
        evening.give(table, "throw", dice=NONE)
    assert evening.give(table, "end")["lap"] == 2
    table.close()

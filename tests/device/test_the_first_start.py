"""The start that makes a demo give way to the real table: refused, it can be given again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from table_talk import give

from device.errors import Refused
from device.host import Host
from device.journal import Journal
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import PRESETS


def test_a_first_start_that_is_refused_leaves_the_demo_and_the_next_one_begins_the_game(make: Callable[..., Table]) -> None:
    opened: list[Table] = []

    def real() -> Table:
        opened.append(make())
        return opened[-1]

    demo = Table(Journal.open(None), None, Setting(demo=True), PRESETS["xiamen"], lambda: 0.0, lambda n: 0).open()
    try:
        host = Host(real, demo, True)
        for players in ([], ["甲", "甲"], ["p1"]):
            with pytest.raises(Refused):
                host.command({"command": "start", "version": 0, "players": players})
            assert host.state()["demo"]
        state = host.command({"command": "start", "version": 0, "players": ["甲", "乙"]})
        assert not state["demo"] and [player["name"] for player in state["players"]] == ["甲", "乙"]
        assert give(opened[0], "throw", dice=[4, 4, 4, 1, 2, 3])["throws"] == 1
        assert len(opened) == 1
    finally:
        demo.close()

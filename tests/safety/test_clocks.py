"""The clock of the room is wrong, is put right, jumps a day or an hour: the game does not mind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.journal import Journal
from device.steady import JUMP_S, SteadyWall
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import PRESETS

DAY, HOUR = 86_400.0, 3_600.0


class Room:
    """A room with a wall clock that can be moved and a monotonic one that can't."""

    def __init__(self) -> None:
        self.wall, self.clock = 1_793_000_000.0, 50.0

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.clock += seconds


@pytest.fixture
def room() -> Room:
    return Room()


def table_in(room: Room, folder: Path) -> Table:
    wall: Callable[[], float] = SteadyWall(lambda: room.wall, lambda: room.clock)
    return Table(Journal.open(folder / "journal.db"), None, Setting(), PRESETS["xiamen"], wall, lambda n: 0)


@pytest.mark.parametrize("jump", [DAY, -DAY, HOUR, -HOUR, 400 * DAY, -1_793_000_000.0])
def test_a_jump_of_the_clock_neither_ends_a_game_nor_prolongs_it(tmp_path: Path, room: Room, jump: float) -> None:
    table = table_in(room, tmp_path)
    rules = {"preset": "xiamen", "closing": "clock:30"}
    table.command({"command": "start", "version": 0, "players": ["甲", "乙"], "rules": rules})
    room.passes(60)
    room.wall += jump
    assert table.tick()["over"] is False
    for _ in range(28):
        room.passes(60)
        assert not table.tick()["over"]
    room.passes(120)
    table.command({"command": "throw", "version": table.state()["version"], "dice": [4, 4, 4, 4, 1, 2]})
    table.close()


@given(st.lists(st.tuples(st.floats(0, 600), st.floats(-DAY, DAY)), max_size=30))
def test_the_time_never_goes_further_than_what_has_passed(steps: list[tuple[float, float]]) -> None:
    room = Room()
    wall = SteadyWall(lambda: room.wall, lambda: room.clock)
    last = wall()
    for passed, jump in steps:
        room.passes(passed)
        room.wall += jump
        now = wall()
        assert abs(now - last - passed) <= JUMP_S + 1e-3
        last = now


def test_records_keep_their_order_whatever_the_clock_says(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        for wall in (5e9, 0.0, -1e6, 1e9):
            journal.append([("Thrown", {"wall": wall})], wall)
        assert [record.data["wall"] for record in journal.since(0)] == [5e9, 0.0, -1e6, 1e9]
    with Journal.open(tmp_path / "journal.db") as journal:
        assert journal.last_seq == 4

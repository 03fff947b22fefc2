"""What takes long at a start comes after the board: the reader, the camera, the forecast; old games cost nothing."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from table_talk import give, started

from device.chronicle import Chronicle
from device.cli.camera_to_come import CameraToCome
from device.config import Config, places
from device.desk_to_come import LOADING, NO_READER, DeskToCome
from device.errors import Fault
from device.journal import FILE_NAME, Journal
from device.log import Log
from device.play import Play, applied, remembered
from device.prospects import Prospects
from device.table import Table
from device.view import Notice
from rules.bobing.odds import Forecast, Odds


def test_who_asks_for_the_camera_while_it_comes_is_told_so_and_then_served() -> None:
    coming = DeskToCome(patience_s=0.0)
    with pytest.raises(Fault) as fault:
        coming.view()
    assert fault.value is LOADING
    assert coming.film("a") is None and coming.tested() is None
    coming.settle(None)
    for ask in (coming.view, coming.jpegs, lambda: coming.do({"do": "cancel"})):
        with pytest.raises(Fault) as fault:
            ask()
        assert fault.value is NO_READER


def test_who_asks_a_moment_too_early_waits_for_the_camera() -> None:
    coming, shown = DeskToCome(), []
    asking = threading.Thread(target=lambda: shown.append(coming.view()))
    asking.start()

    class There:
        def view(self) -> dict[str, Any]:
            return {"source": "usb-Lamp_1"}

    coming.settle(There())  # type: ignore[arg-type]
    asking.join()
    assert shown == [{"source": "usb-Lamp_1"}]


def test_the_memory_of_many_games_is_that_of_the_last(make: Callable[..., Table], tmp_path: Path) -> None:
    table = started(make())
    for _ in range(3):
        give(table, "throw", dice=[4, 4, 4, 1, 2, 3])
        give(table, "pause")
        give(table, "resume")
        give(table, "end")
        give(table, "start", players=["丁", "戊"])
    give(table, "throw", dice=[4, 4, 4, 1, 2, 3])
    give(table, "undo")
    with Journal.view(tmp_path / FILE_NAME) as journal:
        records = list(journal.since(0))
    whole = Play()
    for record in records:
        whole = applied(whole, record)
    assert remembered(records) == whole
    assert remembered(()) == Play()


def test_nothing_is_foreseen_before_the_board_stands_and_then_what_was_foreseen_is_exact(make: Callable[..., Table]) -> None:
    small = {"preset": "xiamen", "stock": [1, 1, 1, 1, 1, 1]}
    of_others = set(threading.enumerate())  # an earlier table's forecast may still be at work

    def foreseeing() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "forecast" and thread not in of_others]

    table = started(make(), rules=small)
    assert not foreseeing()
    game = table._play.game
    assert game is not None
    done = threading.Event()
    prospects = Prospects(rest=done.set)
    prospects.look(game)
    assert prospects.expected(game) is None and not done.is_set()
    prospects.begin()
    for thread in foreseeing():
        thread.join()
    assert done.is_set()
    assert prospects.expected(game) == Forecast(Odds(game.rules)).expected_throws(game.ledger)


def test_without_the_libraries_of_the_reader_the_game_goes_on_by_hand(
    make: Callable[..., Table], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "device.cli.camera_desk", None)
    table = started(make())
    coming = CameraToCome(Config(source="0"), places(tmp_path), None)
    coming.attach(table)
    with ExitStack() as ending:
        coming.come(ending)
    assert "libgl1" in table.health()["reader"] and table.state()["notice"]["key"] == "reader"
    with pytest.raises(Fault):
        coming.desk.view()
    assert give(table, "throw", dice=[4, 4, 4, 1, 2, 3])["throws"] == 1


def test_each_kind_of_fault_is_said_once_at_the_console(make: Callable[..., Table]) -> None:
    table, said = make(), []
    lost = Notice("camera_lost", "没有摄像头", "no camera")
    table.tell(lost)
    chronicle = Chronicle(table, Log(None, lambda: 0.0), said.append)
    chronicle._look()
    for notice in (None, lost, Notice("dark", "太暗", "too dark"), Notice("reader", "读数", "no reader")):
        table.tell(notice)
        chronicle._look()
    for state in ("searching", "missing", "linked", "missing"):
        table.show_box({"state": state, "zh": "盒子", "en": f"box {state}"})
        chronicle._look()
    assert said == ["no camera", "no reader", "box missing"]
    chronicle.close()

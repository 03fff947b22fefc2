"""A part dies, or two hands act at once: the game goes on, says what is wrong, and nothing counts twice."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "device"))

import fake_cameras as fakes
from table_talk import give, started

from device.capture import Capture
from device.capture_channel import ChildChannel
from device.capture_child import Wish
from device.capture_health import Limits
from device.errors import Fault, Stale
from device.journal import Journal
from device.lookout import Looking, Lookout
from device.shots import Shot
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import PRESETS


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(Journal.open(tmp_path / "journal.db"), None, Setting(), PRESETS["xiamen"], time.time, lambda n: 0).open()
    yield started(table)
    table.close()


class Frames:
    """Grey frames for ever, from a camera."""

    name, live = "camera 0", True

    def __iter__(self) -> Iterator[Shot]:
        return iter([Shot(n, n / 30, np.full((90, 160, 3), 90, np.uint8)) for n in range(5)])

    def close(self) -> None:
        pass


class Crashing:
    """A reader that dies of a frame."""

    def see(self, *_: object) -> Any:
        raise RuntimeError("the model\nran out of memory")

    def __getattr__(self, name: str) -> Any:
        return self.see


def test_a_reader_that_crashes_is_told_and_begun_anew_while_the_game_goes_on_by_hand(table: Table) -> None:
    opened: list[int] = []

    def source() -> Any:
        opened.append(1)
        return Frames()

    lookout = Lookout(table, Looking(source, lambda _: Crashing(), lambda: 0.0, lambda: "s"))  # type: ignore[arg-type,return-value]
    lookout._wait = lambda: len(opened) < 3  # type: ignore[method-assign]
    lookout.run()
    assert len(opened) == 3
    notice = table.state()["notice"]
    assert notice["key"] == "reader_crashed"
    assert "\n" not in notice["en"] + notice["zh"]
    assert give(table, "throw", dice=[4, 4, 4, 1, 2, 3])["throws"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by signals here: run this test on Linux or macOS")
def test_a_capturing_process_that_the_system_kills_is_a_lost_camera_and_not_the_end(table: Table) -> None:
    patient = Limits(first_s=60.0, open_s=120.0, silent_s=60.0, frozen_s=60.0)
    camera = Capture("camera 0", ChildChannel(fakes.Good, Wish(0)), time.monotonic, patient)
    try:
        with pytest.raises(Fault) as lost:
            for shot in camera:
                if shot.index == 2:  # as the kernel does when memory runs out
                    os.kill(camera._channel._process.pid, signal.SIGKILL)  # type: ignore[attr-defined]
    finally:
        camera.close()
    assert lost.value.key == "camera_lost"


def at_once(count: int, act: Any) -> list[Any]:
    """What `count` people got who all acted at the same moment."""
    together = threading.Barrier(count)
    got: list[Any] = [None] * count

    def one(n: int) -> None:
        together.wait()
        try:
            got[n] = act(n)
        except Stale as stale:
            got[n] = stale

    hands = [threading.Thread(target=one, args=(n,)) for n in range(count)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    return got


def test_a_double_press_counts_once(table: Table) -> None:
    version = table.state()["version"]
    body = {"command": "throw", "version": version, "dice": [4, 4, 4, 1, 2, 3]}
    got = at_once(8, lambda _: table.command(body))
    assert sum(not isinstance(answer, Stale) for answer in got) == 1
    assert table.state()["throws"] == 1
    assert all(answer.state["throws"] == 1 for answer in got if isinstance(answer, Stale))


def test_two_operators_at_once_never_both_win_and_the_loser_sees_what_is(table: Table) -> None:
    for turn in range(20):
        version = table.state()["version"]
        commands = [{"command": "throw", "dice": [1, 1, 2, 2, 3, 3]}, {"command": "skip"}]
        got = at_once(2, lambda n: table.command({**commands[n], "version": version}))  # noqa: B023
        assert sum(isinstance(answer, Stale) for answer in got) == 1, turn
        assert table.state()["version"] == version + 1

"""A day and a night of play before a camera, the clock made faster: memory stays, and no thread and no file is left behind."""

from __future__ import annotations

import gc
import itertools
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.cli.readers import Readers
from device.demo_director import ANSWER_AFTER_S, RESTART_AFTER_S, DemoDirector
from device.journal import Journal
from device.lookout import Looking, Lookout
from device.shots import Shot, Source
from device.sources import demo_calibration, demo_file, open_source
from device.steady import SteadyWall
from device.stills import Stills
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import PRESETS

BUDGET = 2_000_000  # bytes of stills: so few that the oldest go all day long
TALK_S = 200.0
"""Between two runs of the recording, whose fourteen throws follow upon each other faster than people throw: so it is one in 19 s."""
WARM_S = 3600.0


class Some:
    """The first frames of a recording."""

    def __init__(self, source: Source, frames: int) -> None:
        self._source, self._frames = source, frames
        self.name, self.live = source.name, source.live

    def __iter__(self) -> Iterator[Shot]:
        return itertools.islice(iter(self._source), self._frames)

    def close(self) -> None:
        self._source.close()


def resident() -> int:
    """Bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(sys.platform != "linux", reason="memory and files are counted in /proc: run this test on Linux")
def test_a_day_and_a_night_before_the_camera_leave_nothing_behind(tmp_path: Path, count: Any, figure: Any) -> None:
    minutes = count(0, 24 * 60)
    frames = 10**9 if minutes else 45
    now = [0.0]
    wall = SteadyWall(lambda: 1_793_000_000.0 + now[0], lambda: now[0])
    table = Table(
        Journal.open(tmp_path / "journal.db"), Stills(tmp_path / "stills", BUDGET), Setting(demo=True), PRESETS["xiamen"], wall, lambda n: n - 1
    ).open()
    director = DemoDirector(table, lambda _: True)
    director.act(table.state(), 0.0)
    readers = Readers(demo_calibration(), no_bowl=False)
    names = itertools.count()
    told = table.saw

    def saw(sighting: Any) -> Any:
        state = told(sighting)
        if state["phase"] == "question":
            director.act(state, now[0] + ANSWER_AFTER_S)
        return table.state()

    table.saw = saw  # type: ignore[method-assign]

    def passes(seconds: float) -> None:
        now[0] += max(seconds, 0.0)

    def once() -> None:
        """The recording once, then the pause until the next."""
        looking = Looking(
            open_source=lambda: Some(open_source(str(demo_file()), lambda: 0.0), frames),  # type: ignore[return-value,arg-type]
            watcher=lambda frame: readers.watcher(frame, 6),
            clock=lambda: now[0],
            sleep=passes,
            picture_name=lambda: f"s-{next(names)}",
        )
        Lookout(table, looking).run()
        now[0] += TALK_S
        if table.state()["over"]:
            director.act(table.state(), now[0])
            now[0] += RESTART_AFTER_S + 1
            director.act(table.state(), now[0])

    loops = 0
    # the first hour is to get warm: films, questions, the end of a game come at their time, and the allocator keeps what they once needed
    while loops < 2 or (frames > 10**6 and now[0] < WARM_S):
        once()
        loops += 1
    gc.collect()
    memory, threads, open_files = resident(), set(threading.enumerate()), files()
    while (loops < 4 and frames < 10**6) or (frames > 10**6 and now[0] < minutes * 60):
        once()
        loops += 1
    gc.collect()
    grown = resident() / memory - 1
    figure(
        f"{now[0] / 3600:.2f} simulated hours, {loops} times the recording, {table.state()['version']} records: memory {memory / 1e6:.0f} MB "
        f"→ {resident() / 1e6:.0f} MB ({100 * grown:+.1f} %), threads {len(threads)} → {threading.active_count()}, files {open_files} → {files()}"
    )
    assert grown <= 0.05
    assert {thread for thread in threading.enumerate() if thread.name != "forecast"} <= threads
    assert files() <= open_files + 1
    table.close()

"""Two hundred pages follow one table: nothing is lost, one more is refused kindly, and who does not read costs little."""

from __future__ import annotations

import statistics
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from appliance import THROWS, Appliance
from crowd import Crowd

PLACES, STALLED = 200, 20
EVERY_S = 2.0


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc: run this test on Linux")
def test_two_hundred_pages_are_told_every_throw(tmp_path: Path, count: Any, figure: Any) -> None:
    throws = count(4, 300)
    table = Appliance(tmp_path, "--players", "甲,乙,丙")
    try:
        crowd = Crowd("127.0.0.1", table.port)
        readers = crowd.come(PLACES - STALLED)
        crowd.until(lambda: all(viewer.status == 200 for viewer in readers))
        # what the table works out at its beginning takes memory too, however late it gets to it
        crowd.until(lambda: table.get("/api/state")["odds"]["expected_throws"] is not None)
        before = table.memory()
        stalled = Crowd("127.0.0.1", table.port)
        stalled.come(STALLED)
        crowd.until(lambda: "full" in _refused(table))
        sent: dict[int, float] = {}
        first = table.get("/api/state")["version"]
        memory: list[int] = []
        for n in range(throws):
            begun = time.monotonic()  # what follows asks for the version first: the delay is counted from before that
            status, state = table.give("throw", dice=THROWS[n % len(THROWS)])
            if status == 400:  # that game is over: the evening goes on with the next
                status, state = table.give("start", players=["甲", "乙", "丙"])
            assert status == 200
            sent[state["version"]] = begun
            crowd.until(lambda: all(v.told and v.told[-1] == state["version"] for v in readers))  # noqa: B023
            if throws > 20:
                crowd.read(max(0.0, EVERY_S - (time.monotonic() - begun)))
            memory.append(table.memory())
        told = list(range(first + 1, state["version"] + 1))
        assert all(viewer.told == told for viewer in readers)
        late = sorted(at - sent[seq] for v in readers for seq, at in zip(v.told, v.at, strict=True) if seq in sent)
        p99 = late[int(len(late) * 0.99) - 1]
        grown = memory[-1] - memory[min(len(memory) - 1, 5)]
        figure(
            f"{len(readers)} readers, {STALLED} stalled, {throws} throws: p50 {1000 * statistics.median(late):.0f} ms, p99 "
            f"{1000 * p99:.0f} ms, worst {1000 * late[-1]:.0f} ms from the command to the page; memory {before / 1e6:.0f} MB before the stalled, "
            f"{memory[0] / 1e6:.0f} MB at the first throw, {memory[-1] / 1e6:.0f} MB at the last (grown {grown / 1e6:+.1f} MB)"
        )
        assert memory[0] - before <= 10_000_000
        if throws > 20:
            assert p99 <= 0.1
            assert grown <= 0.05 * memory[5] + 2_000_000
        crowd.leave()
        stalled.leave()
    finally:
        begun = time.monotonic()
        assert table.end() == 0
        figure(f"ended {time.monotonic() - begun:.2f} s after it was told to")


def _refused(table: Appliance) -> str:
    try:
        with urllib.request.urlopen(table.address + "/api/events", timeout=20):
            return ""
    except urllib.error.HTTPError as fault:
        assert (fault.code, fault.headers["Retry-After"]) == (503, "5")
        return fault.read().decode()

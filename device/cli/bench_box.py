"""How quick the box is on this machine: the real firmware on an emulated chip, by the clock, through a pseudo-terminal and the link."""

from __future__ import annotations

import queue
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware_bridge.commands import tone
from firmware_bridge.emulation import EmulatedChip
from firmware_bridge.events import Edge, Gone
from firmware_bridge.firmware_files import kept
from firmware_bridge.link import Link
from firmware_bridge.machine import Machine
from firmware_bridge.ports import Port, Search
from firmware_bridge.system import node_of
from firmware_bridge.talk import Done, Linked

PATIENCE_S = 20.0
Row = tuple[str, float, str]


class _Bench:
    """An emulated box and its link; `until` waits for a thing and says when it came."""

    def __init__(self, program: Path, folder: Path) -> None:
        self._heard: queue.Queue[tuple[float, Any]] = queue.Queue()
        self.port = folder / "box"
        self.chip = EmulatedChip(program, [kept("atmega328p").file], self.port, self._said)
        listing = self._ports
        self.link = Link(Machine("BE4C", Search()), listing, time.monotonic, self._note).open()
        self.until(lambda thing: isinstance(thing, Linked))

    def _ports(self) -> list[Port]:
        return [Port(str(self.port), 0x1A86, node=node_of(str(self.port)))] if self.port.exists() else []

    def _note(self, thing: Any) -> None:
        self._heard.put((time.monotonic(), thing))

    def _said(self, line: str) -> None:
        self._heard.put((time.monotonic(), line))

    def until(self, holds: Callable[[Any], bool]) -> float:
        """When a thing was heard for which this holds; raises queue.Empty where none comes."""
        while True:
            at, thing = self._heard.get(timeout=PATIENCE_S)
            if holds(thing):
                return at

    def after(self, deed: Callable[[], None], *holds: Callable[[Any], bool]) -> list[float]:
        """Milliseconds from a deed to each of what follows it."""
        begun = time.monotonic()
        deed()
        return [(self.until(hold) - begun) * 1000 for hold in holds]

    def close(self) -> None:
        self.link.close()
        self.chip.close()


def box_rows(program: Path, times: int = 60) -> list[Row]:
    """Wall-clock figures, each over so many presses (a quarter of them for cables)."""
    with tempfile.TemporaryDirectory(prefix="bobing-bench-") as folder:
        bench = _Bench(program, Path(folder))
        try:
            return _rows(bench, times)
        finally:
            bench.close()


def _rows(bench: _Bench, times: int) -> list[Row]:
    rows: list[Row] = []

    def add(name: str, spent: list[float]) -> None:
        ordered = sorted(spent)
        rows.append((f"box: {name}, median of {len(spent)}", statistics.median(spent), "ms"))
        rows.append((f"box: {name}, p95", ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))], "ms"))

    presses = []
    for _ in range(times):
        presses += bench.after(lambda: bench.chip.tell("press A 40"), lambda t: isinstance(t, Edge) and t.down)
        bench.until(lambda t: isinstance(t, Edge) and not t.down)
    add("press -> event in Python", presses)
    answers = [
        bench.after(lambda: bench.link.command(tone(880, 20)), lambda t: isinstance(t, Done))[0] for _ in range(times // 2)
    ]
    add("command -> done", answers)
    sounds = []
    for _ in range(max(2, times // 4)):
        bench.until(lambda t: isinstance(t, str) and t.startswith("tone") and t.endswith(" 0"))
        sounds += bench.after(lambda: bench.link.command(tone(880, 20)), lambda t: isinstance(t, str) and t.startswith("buzz"))
    add("command -> first edge at the piezo", sounds)
    pulled, plugged = [], []
    for _ in range(max(2, times // 6)):
        pulled += bench.after(lambda: bench.chip.tell("unplug"), lambda t: isinstance(t, Gone))
        plugged += bench.after(lambda: bench.chip.tell("plug"), lambda t: isinstance(t, Linked))
    add("cable pulled -> told", pulled)
    add("plugged in -> linked", plugged)
    return rows

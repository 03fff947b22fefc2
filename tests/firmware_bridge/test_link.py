"""The link with pyserial, by the clock: the real firmware behind a pseudo-terminal, pulled and plugged, opened twice, flashed."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from firmware_bridge.commands import Lamp, lamp, tone
from firmware_bridge.emulation import EmulatedChip
from firmware_bridge.events import Edge, Gone
from firmware_bridge.link import Link
from firmware_bridge.machine import Machine
from firmware_bridge.ports import Port, Search
from firmware_bridge.system import node_of, open_port
from firmware_bridge.talk import Done, Linked
from firmware_bridge.words import Words

PATIENCE_S = 60.0
"""Not a bar: how long a busy machine may take before a test gives up."""


class Heard:
    """What a link has said, to be waited for."""

    def __init__(self) -> None:
        self._queue: queue.Queue[Any] = queue.Queue()
        self.all: list[Any] = []

    def __call__(self, thing: Any) -> None:
        self._queue.put(thing)

    def next(self, kind: type, holds: Callable[[Any], bool] = lambda thing: True) -> Any:
        end = monotonic() + PATIENCE_S
        while True:
            thing = self._queue.get(timeout=max(0.01, end - monotonic()))
            self.all.append(thing)
            if isinstance(thing, kind) and holds(thing):
                return thing


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def lines() -> Heard:
    return Heard()


@pytest.fixture
def live(emulator: Path, firmware: Path, tmp_path: Path, lines: Heard) -> Iterator[EmulatedChip]:
    chip = EmulatedChip(emulator, [firmware], tmp_path / "ttyUSB0", lines)
    yield chip
    chip.close()


@pytest.fixture
def link(tmp_path: Path, heard: Heard) -> Iterator[Link]:
    """A link that searches this test's folder, as the system's list of USB ports."""

    def listing() -> list[Port]:
        return [Port(str(file), 0x1A86, node=node_of(str(file))) for file in sorted(tmp_path.glob("tty*"))]

    made = Link(Machine("7F3A", Search()), listing, monotonic, heard).open()
    yield made
    made.close()


def test_presses_and_commands_go_both_ways(live: EmulatedChip, link: Link, heard: Heard, lines: Heard) -> None:
    assert heard.next(Linked).hello.name == "DICEBOX"
    live.tell("press A 40")
    down, up = heard.next(Edge), heard.next(Edge)
    assert [(e.source, e.button, e.down) for e in (down, up)] == [("box", "A", True), ("box", "A", False)]
    link.command(tone(880, 100))
    link.command(lamp(Lamp.ON))
    assert [heard.next(Done).code, heard.next(Done).code] == [0, 0]
    assert lines.next(str, lambda line: line.startswith("buzz"))
    assert lines.next(str, lambda line: line.startswith("lamp") and line.endswith(" 1"))


def test_a_pulled_cable_is_told_and_the_box_is_found_under_another_name(
    live: EmulatedChip, link: Link, heard: Heard, tmp_path: Path
) -> None:
    heard.next(Linked)
    for name in ("ttyUSB0", "ttyACM7"):
        live.tell("unplug")
        heard.next(Gone)
        assert heard.next(Words, lambda words: words.key == "lost")
        live.tell(f"plug {tmp_path / name}")
        heard.next(Linked)
        live.tell("press B 40")
        assert heard.next(Edge).button == "B"


def test_a_second_opener_is_told_that_the_port_is_in_use(live: EmulatedChip, link: Link, heard: Heard) -> None:
    heard.next(Linked)
    with pytest.raises(OSError, match="exclusively lock") as refused:
        open_port(str(live.port))
    assert refused.value.errno == 11
    other = Heard()
    second = Link(Machine("0001", Search()), lambda: [Port(str(live.port), 0x1A86)], monotonic, other).open()
    try:
        assert other.next(Words, lambda words: words.key == "busy")
    finally:
        second.close()
    live.tell("press A 40")
    assert heard.next(Edge).button == "A"


def test_a_link_that_is_closed_lets_the_box_know(live: EmulatedChip, link: Link, heard: Heard, lines: Heard) -> None:
    heard.next(Linked)
    lines.next(str, lambda line: line.startswith("opened"))
    link.close()
    lines.next(str, lambda line: line.startswith("closed"))
    live.tell("press C 40")  # nobody hears it: the box says so
    assert lines.next(str, lambda line: line.startswith("tone") and line.endswith(" 110"))


def test_two_boxes_at_once(emulator: Path, firmware: Path, tmp_path: Path) -> None:
    chips, links, heards = [], [], []
    try:
        for name in ("one", "two"):
            heards.append(Heard())
            chips.append(EmulatedChip(emulator, [firmware], tmp_path / name, lambda line: None))
            port = Port(str(tmp_path / name), 0x0403)
            machine = Machine("000" + str(len(chips)), Search())
            links.append(Link(machine, lambda port=port: [port], monotonic, heards[-1], name).open())  # type: ignore[misc]
            heards[-1].next(Linked)
        for chip, button in zip(chips, "CD", strict=True):
            chip.tell(f"press {button} 40")
        assert [(e.source, e.button) for e in (heard.next(Edge) for heard in heards)] == [("one", "C"), ("two", "D")]
    finally:
        for thing in (*links, *chips):
            thing.close()


def test_damage_on_the_cable_loses_no_press(live: EmulatedChip, link: Link, heard: Heard) -> None:
    heard.next(Linked)
    live.tell("damage 10000 63")
    for _ in range(15):
        live.tell("press A 60")
        assert [heard.next(Edge).down, heard.next(Edge).down] == [True, False]


def test_a_frozen_chip_is_given_up_and_taken_back(live: EmulatedChip, link: Link, heard: Heard) -> None:
    heard.next(Linked)
    live.tell("freeze")
    heard.next(Gone)
    live.tell("thaw")
    heard.next(Linked)

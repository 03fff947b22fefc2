"""Prints what the tests only hold to a limit: latencies of the real firmware in emulated time, the same on every machine.

    make emulator && .venv/bin/python tests/firmware_bridge/figures.py
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from emulated import MS, Cable, Chip, optiboot
from socket_row import GPS, PRINTER, ChipDevice, Echo, Sockets

from firmware_bridge.commands import tone
from firmware_bridge.emulation import emulator
from firmware_bridge.firmware_files import kept
from firmware_bridge.machine import Machine
from firmware_bridge.ports import Search
from firmware_bridge.talk import Pressed, TalkState

Row = tuple[str, list[float]]


def presses(cable: Cable, damage: float, count: int) -> list[float]:
    """Milliseconds from the pin to the host's news of each press."""
    cable.damage = damage
    spent = []
    for _ in range(count):
        began, told = cable.now, len(cable.presses())
        cable.chip.press("A", 60)
        cable.run(300 + cable.chance.randrange(100))
        spent += [(at - began) * 1000 for at, news in cable.news if isinstance(news, Pressed)][told : told + 1]
    return spent


def to_the_last_bit(cable: Cable) -> list[float]:
    """Milliseconds from the pin to the last bit of the event's line."""
    chance, spent = random.Random(1), []
    for _ in range(200):
        cable.run(80 + chance.random())
        first, offset = len(cable.chip.sent), chance.randrange(1000)
        began = cable.chip.now + offset
        cable.chip.press("A", 40, after_us=offset)
        cable.run(60)
        line = next(at for at, byte in cable.chip.sent[first:] if byte == ord("\n"))
        spent.append((line + 87 - began) / MS)
    return spent


def commands(cable: Cable) -> tuple[list[float], list[float]]:
    """Milliseconds to the answer, and to the first edge at the piezo."""
    answers, sounds = [], []
    for i in range(50):
        began, done, heard = cable.chip.now, len(cable.done()), len(cable.chip.told("buzz"))
        cable.command(tone(500 + i, 30))
        cable.run(200, lambda done=done: len(cable.done()) > done)  # type: ignore[misc]
        answers.append((cable.chip.now - began) / MS)
        cable.run(150)
        sounds.append((cable.chip.told("buzz")[heard][0] - began) / MS)
    return answers, sounds


def linking(make: Callable[..., Chip]) -> Iterator[Row]:
    """Seconds in milliseconds: plugged in, with Optiboot, restarted, frozen, behind strangers."""
    for name, images, resets in (("plugged in -> linked", (), False), ("the same behind Optiboot", (optiboot(),), True)):
        sockets = Sockets(Machine("7F3A", Search()))
        sockets.run(0.05)
        sockets.plug("/dev/ttyUSB0", ChipDevice(make(*images), resets=resets))
        began = sockets.now
        sockets.run(5, sockets.linked)
        yield name, [(sockets.now - began) * 1000]
    cable = Cable(make()).link()
    cable.run(500)
    cable.chip.tell("reset")
    began = cable.now
    cable.run(5)
    cable.run(1000, lambda: cable.talk.state is TalkState.LINKED)
    yield "restart of the chip -> linked", [(cable.now - began) * 1000]
    thing, sockets = ChipDevice(make()), Sockets(Machine("7F3A", Search()))
    sockets.plug("/dev/ttyUSB0", thing)
    sockets.run(1, sockets.linked)
    thing.frozen, began = True, sockets.now
    sockets.run(5, lambda: not sockets.linked())
    yield "chip frozen -> told", [(sockets.now - began) * 1000]
    sockets = Sockets(Machine("7F3A", Search()))
    for i, device in enumerate((GPS, Echo(), PRINTER, ChipDevice(make()))):
        sockets.plug(f"/dev/ttyUSB{i}", device)
    began = sockets.now
    sockets.run(10, sockets.linked)
    yield "fourth port, after a GPS, an echo and a printer", [(sockets.now - began) * 1000]


def main() -> int:
    """One line a figure."""
    program = emulator()
    if program is None:
        sys.stderr.write("the emulated box is not built: make emulator\n")
        return 1
    chips: list[Chip] = []

    def make(*images: Path) -> Chip:
        chips.append(Chip(program, kept("atmega328p").file, *images))
        return chips[-1]

    try:
        rows: list[Row] = [("pin -> last bit of the line", to_the_last_bit(Cable(make()).link()))]
        answers, sounds = commands(Cable(make()).link())
        rows += [("command -> done", answers), ("command -> first edge at the piezo", sounds)]
        for damage in (0.0, 0.001, 0.01, 0.02, 0.05):
            rows.append((f"press -> host, {damage:.1%} of bytes damaged", presses(Cable(make()).link(), damage, 100)))
        rows += linking(make)
    finally:
        for chip in chips:
            chip.close()
    for name, spent in rows:
        ordered = sorted(spent)
        p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
        sys.stdout.write(f"{name:50} n {len(spent):3}  median {statistics.median(spent):8.2f}  p95 {p95:8.2f}  max {ordered[-1]:8.2f} ms\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

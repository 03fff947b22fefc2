"""A row of sockets in emulated time: what is plugged in there talks to the machine; nobody waits and nothing is real but the firmware."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Protocol

from emulated import Chip

from firmware_bridge.events import Edge
from firmware_bridge.machine import Machine
from firmware_bridge.ports import Port
from firmware_bridge.pretended import PretendedBox
from firmware_bridge.talk import News, Pressed


class Device(Protocol):
    """Something at a port: bytes in, bytes out."""

    def opened(self, now: float) -> None: ...

    def exchange(self, data: bytes, now: float) -> bytes: ...


class ChipDevice:
    """The real firmware; `resets`: opening the port restarts it, as on an Uno."""

    def __init__(self, chip: Chip, resets: bool = False) -> None:
        self.chip = chip
        self._resets = resets
        self._ahead: float | None = None
        self.frozen = False

    def opened(self, now: float) -> None:
        if self._resets:
            self.chip.tell("reset")

    def exchange(self, data: bytes, now: float) -> bytes:
        if self._ahead is None:
            self._ahead = now - self.chip.now / 1e6
        due = round((now - self._ahead) * 1e6) - self.chip.now
        if self.frozen:
            self._ahead = now - self.chip.now / 1e6
            return b""
        self.chip.feed(data)
        return self.chip.run(due) if due > 0 else b""


class Pretender:
    """A box of Python."""

    def __init__(self, box: PretendedBox) -> None:
        self.box = box

    def opened(self, now: float) -> None:
        self.box.power_on(now)

    def exchange(self, data: bytes, now: float) -> bytes:
        self.box.received(data, now)
        return self.box.take_out()


class Echo:
    """It repeats what it hears."""

    def opened(self, now: float) -> None:
        pass

    def exchange(self, data: bytes, now: float) -> bytes:
        return data


class Talker:
    """It says its lines again and again, whatever it hears."""

    def __init__(self, lines: list[bytes], every_s: float) -> None:
        self._lines, self._every, self._next, self._n = lines, every_s, 0.0, 0

    def opened(self, now: float) -> None:
        self._next = now

    def exchange(self, data: bytes, now: float) -> bytes:
        out = b""
        while now >= self._next:
            out += self._lines[self._n % len(self._lines)]
            self._n += 1
            self._next += self._every
        return out


GPS = Talker([
    b"$GPGGA,092725.00,4717.11399,N,00833.91590,E,1,8,1.01,499.6,M,48.0,M,,0*5B\r\n",
    b"$GPGSA,A,3,23,29,07,08,09,18,26,28,,,,,1.94,1.18,1.54*0D\r\n",
    b"$GPRMC,083559.00,A,4717.11437,N,00833.91522,E,0.004,77.52,091202,,,A*57\r\n",
    b"$GPVTG,77.52,T,,M,0.004,N,0.008,K,A*06\r\n",
], 0.1)
PRINTER = Talker([b"start\n", b"echo:Marlin 2.1\n", b"echo: Free Memory: 4000\n", b"echo:busy: processing\n"], 0.09)


class Sockets:
    """Drives the machine as the link does, 1 ms at a time."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.now = 100.0
        self.plugged: dict[str, tuple[Port, Device]] = {}
        self.faults: dict[str, int] = {}
        self.opened: list[str] = []
        self.news: list[tuple[float, News]] = []
        self._opened: Device | None = None
        self._looked = 0.0
        self._node = 0

    def plug(self, device: str, thing: Device, vendor: int | None = 0x1A86, serial: str = "") -> None:
        self._node += 1
        self.plugged[device] = (Port(device, vendor, 0x7523, serial, node=(self._node,)), thing)

    def unplug(self, device: str) -> None:
        del self.plugged[device]

    def run(self, seconds: float, until: Callable[[], bool] | None = None) -> bool:
        """Let time pass, or until something holds; returns whether it does."""
        for _ in range(round(seconds * 1000)):
            self.now += 0.001
            self._turn()
            self.news += [(self.now, news) for news in self.machine.take_news()]
            if until is not None and until():
                return True
        return until is None or until()

    def linked(self) -> bool:
        return self.machine.state == "linked"

    def edges(self) -> list[Edge]:
        return [Edge("box", n.button, n.down, n.age, at) for at, n in self.news if isinstance(n, Pressed)]

    def _turn(self) -> None:
        machine = self.machine
        if machine.port is None:
            if self.now - self._looked < 0.1:
                return
            self._looked = self.now
            port = machine.look([port for port, _ in self.plugged.values()], self.now)
            if port is None:
                return
            fault = self.faults.get(port.device, 0)
            if fault:
                machine.open_failed(port, fault, errno.errorcode[fault], "dialout", self.now)
                return
            self.opened.append(port.device)
            self._opened = self.plugged[port.device][1]
            self._opened.opened(self.now)
            machine.opened(port, self.now)
            return
        entry = self.plugged.get(machine.port.device)
        if entry is None or entry[1] is not self._opened:
            machine.closed()
            return
        data = entry[1].exchange(machine.talk.take_out(), self.now)
        if data:
            machine.received(data, self.now)
        machine.tick(self.now)
        if machine.must_close:
            entry[1].exchange(machine.talk.take_out(), self.now)
            machine.closed()

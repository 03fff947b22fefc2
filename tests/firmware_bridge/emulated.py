"""Tools for tests on the emulated chip: what must be installed, how it is built, and how it is run in emulated time."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

import pytest

from firmware_bridge.commands import Command
from firmware_bridge.talk import Done, News, Pressed, Talk, TalkState

HERE = Path(__file__).parent
FIRMWARE = Path(os.environ.get("BOBING_FIRMWARE_SOURCE") or HERE.parents[1] / "firmware_bridge" / "firmware")
INSTALL = "sudo apt-get install gcc make gcc-avr avr-libc binutils-avr libsimavr-dev libelf-dev avrdude arduino-core-avr"
SESSION = "7F3A"
MS = 1000


def needs(*programs: str) -> None:
    """Skip where one of these programs or the emulator's library is not installed."""
    lacking = [program for program in programs if shutil.which(program) is None]
    if not Path("/usr/include/simavr/sim_avr.h").exists():
        lacking.append("libsimavr-dev")
    if lacking:
        pytest.skip(f"{', '.join(lacking)} is not installed: {INSTALL}")


def built_emulator(folder: Path) -> Path:
    """The emulator, built from its source (or as a run of tests within tests has it already)."""
    if "BOBING_BOX_EMULATOR" in os.environ:
        return Path(os.environ["BOBING_BOX_EMULATOR"])
    needs("make", "cc")
    made = folder / "box-emulator"
    subprocess.run(["make", "-s", f"OUT={made}"], cwd=HERE / "emulator", check=True, timeout=120)
    return made


def built_firmware(folder: Path, source: Path = FIRMWARE) -> Path:
    """The firmware, built from its source (or built already); returns the hex of the 328P."""
    if "BOBING_BUILT_FIRMWARE" in os.environ:
        return Path(os.environ["BOBING_BUILT_FIRMWARE"])
    needs("make", "avr-gcc")
    subprocess.run(["make", "-s", f"BUILD={folder}"], cwd=source, check=True, timeout=120, stdout=subprocess.DEVNULL)
    return folder / "bobing-box-atmega328p.hex"


def optiboot() -> Path:
    """The bootloader of an Arduino Uno as Debian ships it."""
    found = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders/optiboot/optiboot_atmega328.hex")
    if not found.exists():
        pytest.skip(f"optiboot is not installed: {INSTALL}")
    return found


class Chip:
    """The emulated box in emulated time: it runs only when it is told to. Times are microseconds since power on."""

    def __init__(self, emulator: Path, *images: Path) -> None:
        self._process = subprocess.Popen(
            [emulator, "step", *images], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in: IO[bytes] = self._process.stdin
        self._lines = _lines_of(self._process.stdout.fileno())
        self.now = 0
        self.sent: list[tuple[int, int]] = []
        """(time, byte) of all that the chip sent."""
        self.reports: list[tuple[str, int, int]] = []
        """(lamp | lamp2 | link | buzz | tone | reset, time, value)."""
        self.edges: list[int] = []
        """Rising edges at the piezo, in cycles of 1/16 microsecond."""

    def tell(self, text: str) -> None:
        """A command of the emulator (see its main.c)."""
        self._in.write(text.encode() + b"\n")

    def run(self, us: int) -> bytes:
        """Run on; returns what the chip sent meanwhile."""
        self.tell(f"run {us}")
        first = len(self.sent)
        for line in self._lines():
            what, *fields = line.split()
            if what == "ok":
                self.now = int(fields[0])
                break
            if what == "tx":
                self.sent.append((int(fields[0]), int(fields[1], 16)))
            elif what == "edge":
                self.edges.append(int(fields[0]))
            else:
                assert what != "unknown", line
                self.reports.append((what, int(fields[0]), int(fields[1])))
        return bytes(byte for _, byte in self.sent[first:])

    def feed(self, data: bytes) -> None:
        """Bytes for the chip's receiver."""
        if data:
            self.tell("feed " + data.hex())

    def press(self, button: str, ms: float = 40, after_us: int = 0) -> None:
        """A clean press from `after_us` on."""
        self.tell(f"pin {button} 0 {after_us}")
        self.tell(f"pin {button} 1 {after_us + round(ms * MS)}")

    def told(self, what: str) -> list[tuple[int, int]]:
        """(time, value) of one kind of report."""
        return [(at, value) for kind, at, value in self.reports if kind == what]

    def close(self) -> None:
        """End the emulator."""
        self._process.kill()
        self._process.wait()
        self._in.close()
        if self._process.stdout is not None:
            self._process.stdout.close()


def _lines_of(file: int) -> Callable[[], Sequence[str]]:
    """Lines as they come in; each call returns those of one answer, `ok` the last."""
    rest = b""

    def lines() -> Sequence[str]:
        nonlocal rest
        while b"\nok " not in b"\n" + rest or not rest.endswith(b"\n"):
            data = os.read(file, 1 << 20)
            assert data, "the emulator has ended"
            rest += data
        found = rest.decode().splitlines()
        rest = b""
        return found

    return lines


class Cable:
    """A chip and the host's talk in one emulated time, with what a cable does to bytes on their way.

    damage: share of bytes changed, both ways. cut: called with each of the box's bursts, returns what is left of it.
    """

    def __init__(self, chip: Chip, step_us: int = MS, session: str = SESSION) -> None:
        self.chip = chip
        self.talk = Talk(session)
        self.news: list[tuple[float, News]] = []
        self.damage = 0.0
        self.chance = random.Random(4)
        self.to_host: Callable[[bytes], bytes] = lambda data: data
        self.step_us = step_us
        self.talk.begin(self.now)

    @property
    def now(self) -> float:
        """Seconds of emulated time, as the host's clock."""
        return self.chip.now / 1e6

    def _spoilt(self, data: bytes) -> bytes:
        if not self.damage:
            return data
        return bytes(
            byte ^ self.chance.randrange(1, 256) if self.chance.random() < self.damage else byte for byte in data
        )

    def run(self, ms: float, until: Callable[[], bool] | None = None) -> bool:
        """Let both live for so long, or until something holds; returns whether it does."""
        end = self.chip.now + round(ms * MS)
        while self.chip.now < end:
            self.chip.feed(self._spoilt(self.talk.take_out()))
            data = self._spoilt(self.to_host(self.chip.run(min(self.step_us, end - self.chip.now))))
            if data:
                self.talk.received(data, self.now)
            self.talk.tick(self.now)
            self.news += [(self.now, news) for news in self.talk.take_news()]
            if until is not None and until():
                return True
        return until is None or until()

    def link(self) -> Cable:
        """Power on and greet."""
        assert self.run(1000, lambda: self.talk.state is TalkState.LINKED)
        return self

    def presses(self) -> list[Pressed]:
        """What the host was told of buttons."""
        return [news for _, news in self.news if isinstance(news, Pressed)]

    def done(self) -> list[Done]:
        """What became of the commands."""
        return [news for _, news in self.news if isinstance(news, Done)]

    def command(self, command: Command) -> None:
        """Have the box do something."""
        self.talk.command(command, self.now)


def edges_of(text: str) -> list[tuple[str, bool]]:
    """("A", True) … of a text as "A+ A- B+"."""
    return [(word[0], word[1] == "+") for word in text.split()]

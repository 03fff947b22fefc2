"""The inputs of one appliance: the box on its cable, keys in the board's page, Linux input devices; all end at one desk."""

from __future__ import annotations

import json
import secrets
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from device.box_desk import Board, BoxDesk, Heard
from device.box_roles import Roles
from device.config import Config
from device.errors import Fault
from device.files import write_whole
from firmware_bridge.emulation import MAKE, EmulatedChip, emulator
from firmware_bridge.evdev import InputDevice
from firmware_bridge.events import Edge, Gone
from firmware_bridge.firmware_files import kept
from firmware_bridge.link import Link
from firmware_bridge.machine import Machine
from firmware_bridge.ports import Search
from firmware_bridge.system import Glance, named, ports
from firmware_bridge.talk import Linked

AUTO, NONE, EMULATED = "auto", "none", "emulated"
REMEMBERED = "box.json"
PAGE = "tv"


class Inputs:
    """Opened for one board (table or host); `begin` looks for the box, now or when a real table begins."""

    def __init__(self, board: Board, config: Config, folder: Path, ending: ExitStack) -> None:
        """folder: where the port of the last box is remembered. Raises Fault where an emulated box is asked for and not built."""
        self._config = config
        self._folder = folder
        self._ending = ending
        self._begun = False
        self._guard = threading.Lock()
        self._machine: Machine | None = None
        roles = Roles(config.buttons, config.box_hold, config.box_together)
        self.desk = BoxDesk(board, roles, time.monotonic, keys=config.box_keys)
        ending.callback(self.desk.open().close)
        if sys.platform == "linux":
            for device in config.box_evdev:
                ending.callback(InputDevice(device, time.monotonic, self.desk.hear).open().close)
        self.chip = self._emulated() if config.box_port == EMULATED else None

    def begin(self) -> None:
        """Look for the box from now on."""
        with self._guard:
            if self._begun or self._config.box_port == NONE:
                return
            self._begun = True
        spec = str(self.chip.port) if self.chip is not None else self._config.box_port
        wanted = None if spec in (None, AUTO) else spec
        search = Search(wanted, _remembered(self._folder), self._config.box_never)
        self._machine = Machine(f"{secrets.randbelow(0x10000):04X}", search, self._config.box_id or "")
        glance = Glance(time.monotonic, ports)
        link = Link(self._machine, glance if wanted is None else named(wanted, glance), time.monotonic, self._heard)
        self.desk.serve(link.command)
        self._ending.callback(link.open().close)

    def press(self, button: str, down: bool | None, age: int) -> None:
        """A key in the board's page; down None: the page has lost sight of its keys."""
        if self._config.box_keys:
            now = time.monotonic()
            self.desk.hear(Gone(PAGE) if down is None else Edge(PAGE, button, down, age, now))

    def _heard(self, thing: Heard) -> None:
        if isinstance(thing, Linked) and self._machine is not None and self.chip is None:
            _remember(self._folder, self._machine.search.remembered)
        self.desk.hear(thing)

    def _emulated(self) -> EmulatedChip:
        program = emulator()
        if program is None:
            raise Fault("no_emulator", f"the emulated box is not built: {MAKE}", f"还没有编译模拟盒：{MAKE}")
        folder = self._ending.enter_context(tempfile.TemporaryDirectory(prefix="bobing-box-"))
        chip = EmulatedChip(program, [kept("atmega328p").file], Path(folder) / "box", _shown)
        self._ending.callback(chip.close)
        return chip


def hands(chip: EmulatedChip, lines: Callable[[], str]) -> None:
    """Presses typed by a developer, on a thread of their own: `a`, `b 2500` (milliseconds), `a+b`. lines: the next, "" at the end."""

    def read() -> None:
        while text := lines():
            for command in typed(text):
                with suppress(OSError, ValueError):
                    chip.tell(command)

    threading.Thread(target=read, name="hands", daemon=True).start()


def typed(text: str) -> list[str]:
    """The emulator's commands for a line of `hands`; none for anything else."""
    letters, _, ms = text.strip().upper().partition(" ")
    buttons = letters.split("+")
    if not all(len(button) == 1 and button in "ABCD" for button in buttons) or not (ms or "80").isdecimal():
        return []
    return [f"press {button} {ms or 80}" for button in buttons]


def _shown(line: str) -> None:
    what, _, rest = line.partition(" ")
    value = rest.rpartition(" ")[2]
    if what == "tone":
        sys.stderr.write(f"box: {'silent' if value == '0' else f'tone {value} Hz'}\n")
    elif what == "lamp":
        sys.stderr.write(f"box: lamp {'on' if value == '1' else 'off'}\n")


def _remembered(folder: Path) -> str:
    with suppress(OSError, ValueError, TypeError, KeyError):
        return str(json.loads((folder / REMEMBERED).read_text(encoding="utf-8"))["port"])
    return ""


def _remember(folder: Path, port: str) -> None:
    """A convenience: where it can't be written the box is found all the same."""
    if port and port != _remembered(folder) and folder.is_dir():
        with suppress(OSError):
            write_whole(folder / REMEMBERED, (json.dumps({"port": port}) + "\n").encode())

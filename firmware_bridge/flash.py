"""Flashing a board with avrdude, and asking it afterwards who it is."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import serial

from firmware_bridge.codec import Hello
from firmware_bridge.commands import Command
from firmware_bridge.ports import Port
from firmware_bridge.system import open_port
from firmware_bridge.talk import Done, Talk, TalkState

ANSWER_S = 8.0
FLASH_S = 120.0
MICRO = {(0x1B4F, 0x9205), (0x1B4F, 0x9206), (0x2341, 0x8036), (0x2341, 0x8037), (0x2A03, 0x8036), (0x2A03, 0x8037)}
"""USB numbers of boards with a 32U4."""


@dataclass(frozen=True, slots=True)
class Board:
    """How a board is flashed. rates: of its bootloader, tried in turn; touch: it enters that when its port is opened at 1200 baud."""

    name: str
    chip: str
    part: str
    programmer: str
    rates: tuple[int, ...]
    touch: bool = False


UNO = Board("uno", "atmega328p", "atmega328p", "arduino", (115200, 57600))
"""Uno and Nano; a Nano with the old bootloader speaks at 57600 baud."""
PRO_MICRO = Board("micro", "atmega32u4", "atmega32u4", "avr109", (57600,), touch=True)
BOARDS = {board.name: board for board in (UNO, PRO_MICRO)}


def board_of(port: Port) -> Board:
    """What a port's USB numbers say of the board; an Uno or Nano where they say nothing."""
    return PRO_MICRO if (port.vendor, port.product) in MICRO else UNO


class FlashFailed(Exception):
    """avrdude has not flashed the board; `said` is its last word."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


def flash(avrdude: str, board: Board, device: str, image: Path, told: Callable[[str], None]) -> None:
    """Write the image; told: each attempt in words. Raises FlashFailed, OSError where avrdude can't run.

    Each rate is tried twice: on a busy machine a board's first answers can come too late for avrdude.
    """
    said = ""
    for rate in board.rates * 2:
        told(f"flashing {image.name} to {device} at {rate} baud")
        # -D: an Arduino's bootloader erases page by page
        erase = ["-D"] if board.programmer == "arduino" else []
        command = [avrdude, "-p", board.part, "-c", board.programmer, "-P", device, "-b", str(rate), *erase]
        try:
            done = subprocess.run(
                [*command, "-U", f"flash:w:{image}:i"], capture_output=True, text=True, errors="replace", timeout=FLASH_S
            )
        except subprocess.TimeoutExpired:
            said = f"no answer within {FLASH_S:.0f} s"
            continue
        if done.returncode == 0:
            return
        said = _last_word(done.stderr.splitlines())
    raise FlashFailed(said)


def _last_word(lines: Sequence[str]) -> str:
    told = [line.strip() for line in lines if "error" in line.lower() or "not in sync" in line]
    wanted = [line for line in told if "TIOCM" not in line]  # a pseudo-terminal has no modem lines
    return wanted[-1] if wanted else "no board answered"


def touch(device: str) -> None:
    """Open and close the port at 1200 baud: a 32U4 then restarts into its bootloader. Raises OSError, serial.SerialException."""
    port = serial.Serial(device, 1200)
    with suppress(OSError, serial.SerialException):
        port.dtr = False
    port.close()


def ask(
    device: str,
    session: str,
    clock: Callable[[], float],
    patience_s: float = ANSWER_S,
    opener: Callable[[str], Any] = open_port,
    then: Command | None = None,
) -> Hello | str:
    """Open a port, greet, and close it again: who is there, or why nobody is (a reason of `words.no_box`, or "version").

    then: a command for the box, which must be done for the answer to count ("silent" otherwise). Raises OSError, SerialException.
    """
    port = opener(device)
    talk = Talk(session)
    begun = clock()
    done = then is None
    try:
        talk.begin(begun)
        while (now := clock()) - begun < patience_s:
            talk.received(port.read(max(1, port.in_waiting)), now)
            talk.tick(now)
            if talk.state is TalkState.FAILED:
                if talk.failure in ("version", "echo", "nonsense"):
                    return talk.failure
                talk.begin(now)
            if talk.state is TalkState.LINKED and then is not None:
                talk.command(then, now)
                then = None
            done = done or any(isinstance(news, Done) and news.code == 0 for news in talk.take_news())
            if talk.state is TalkState.LINKED and done and talk.hello is not None:
                talk.part()
                port.write(talk.take_out())
                port.flush()
                return talk.hello
            out = talk.take_out()
            if out:
                port.write(out)
    finally:
        with suppress(OSError, serial.SerialException):
            port.close()
    return "silent"

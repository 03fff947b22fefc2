"""`bobing box flash`: the kept firmware onto a board, and the proof that it answers as a box."""

from __future__ import annotations

import re
import shutil
import time

from device.cli.boxes import fault_of, new_session, port_of
from device.cli.output import OK, CallError, WorldError, emit, line, say
from firmware_bridge import words
from firmware_bridge.codec import Hello
from firmware_bridge.commands import store_id
from firmware_bridge.firmware_files import DamagedFirmware, Firmware, kept
from firmware_bridge.flash import BOARDS, PRO_MICRO, Board, FlashFailed, ask, board_of, flash, touch
from firmware_bridge.ports import KNOWN, Port
from firmware_bridge.system import open_port, ports

NO_AVRDUDE = "avrdude is not installed: sudo apt-get install avrdude (macOS: brew install avrdude)"
REAPPEAR_S = 8.0


def run_flash(spec: str | None, board_name: str | None, id_: str | None, as_json: bool) -> int:
    """Flash, then ask the box who it is; raises WorldError with what to do. id_: a number to store in it."""
    if id_ is not None and (not re.fullmatch(r"[0-9A-F]{4}", id_) or id_ == "FFFF"):
        raise CallError(f"box flash: --id {id_}: four digits 0-9 A-F, as A001")
    avrdude = shutil.which("avrdude")
    if avrdude is None:
        raise WorldError(f"box flash: {NO_AVRDUDE}")
    port = port_of(spec, "box flash")
    board = board_of(port) if board_name is None else BOARDS[board_name]
    try:
        firmware = kept(board.chip)
    except DamagedFirmware as fault:
        raise WorldError(f"box flash: {fault}") from fault
    _free(port.device)
    device = _bootloader(port) if board.touch else port.device
    try:
        flash(avrdude, board, device, firmware.file, lambda text: say(f"bobing: {text}"))
    except FlashFailed as fault:
        raise WorldError(
            f"box flash: avrdude could not flash {port.device} ({fault.said}): is it an {_kinds(board)}? take out a "
            "capacitor between RESET and GND, and close other programs that use the port"
        ) from fault
    except OSError as fault:
        raise WorldError(f"box flash: avrdude can't be run ({fault.strerror or fault})") from fault
    hello = _answers(_again(port) if board.touch else port.device, firmware, id_)
    told = {"port": port.device, "board": board.name, "firmware": hello.firmware, "sha256": firmware.sha256, "id": id_ or hello.id}
    if as_json:
        emit(told)
    else:
        line(f"{port.device}: firmware {hello.firmware} is flashed and answers as box {told['id']}")
    return OK


def _kinds(board: Board) -> str:
    return "Pro Micro or Leonardo" if board is PRO_MICRO else "Uno or Nano (a Pro Micro: --board micro)"


def _free(device: str) -> None:
    """Before anything is written: whether the port can be had."""
    try:
        open_port(device).close()
    except (OSError, ValueError) as fault:
        raise WorldError(f"box flash: {fault_of(device, fault).en}") from fault


def _bootloader(port: Port) -> str:
    """The port of a 32U4's bootloader, which appears for eight seconds under a name of its own."""
    before = {found.device: found.node for found in ports()}
    try:
        touch(port.device)
    except OSError as fault:
        raise WorldError(f"box flash: {fault_of(port.device, fault).en}") from fault
    end = time.monotonic() + REAPPEAR_S
    while time.monotonic() < end:
        for found in ports():
            if found.vendor in KNOWN and before.get(found.device) != found.node:
                return found.device
        time.sleep(0.1)
    raise WorldError(f"box flash: {port.device} does not enter its bootloader: press RESET twice and try again at once")


def _again(port: Port) -> str:
    """A 32U4 that has left its bootloader comes back under its old name or another."""
    end = time.monotonic() + REAPPEAR_S
    while time.monotonic() < end:
        for found in ports():
            if board_of(found) is PRO_MICRO:
                return found.device
        time.sleep(0.1)
    return port.device


def _answers(device: str, firmware: Firmware, id_: str | None) -> Hello:
    try:
        answer = ask(device, new_session(), time.monotonic, then=None if id_ is None else store_id(id_))
    except (OSError, ValueError) as fault:
        raise WorldError(f"box flash: flashed, but {fault_of(device, fault).en}") from fault
    if isinstance(answer, str):
        why = "it speaks another protocol" if answer == "version" else words.no_box(device, answer).en
        raise WorldError(f"box flash: flashed, but {why}: unplug the board, plug it in, and run bobing boxes --ask")
    if answer.firmware != firmware.version:
        raise WorldError(f"box flash: flashed, but firmware {answer.firmware} answers instead of {firmware.version}: try again")
    return answer

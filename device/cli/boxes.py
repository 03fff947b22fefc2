"""`bobing boxes`: serial ports by stable names, which of them may be a box, and who answers there."""

from __future__ import annotations

import secrets
import sys
import time
from pathlib import Path

import firmware_bridge
from device.cli.output import OK, WorldError, emit, line
from device.config import Config
from firmware_bridge import words
from firmware_bridge.codec import Hello
from firmware_bridge.emulation import MAKE, emulator
from firmware_bridge.evdev import choices
from firmware_bridge.flash import ask
from firmware_bridge.ports import KNOWN, Port, Search
from firmware_bridge.system import group_of, named, number_of, ports, reason_of
from firmware_bridge.words import Words

WHY_NOT = {
    "no_usb": "no USB port: it is never asked",
    "unknown_vendor": "not of a maker whose boards become boxes: it is asked only where it is named",
    "blocked": "named in [box] never: it is left alone",
    "": "may be a box",
}


UDEV = Path(firmware_bridge.__file__).parent / "udev" / "72-bobing-box.rules"


def run_udev() -> int:
    """The rules for Linux that keep ModemManager off a box, to be piped into a file."""
    sys.stdout.write(UDEV.read_text(encoding="utf-8"))
    return OK


def new_session() -> str:
    """Four hex digits by which a box tells this program from another."""
    return f"{secrets.randbelow(0x10000):04X}"


def fault_of(device: str, fault: Exception) -> Words:
    """Why a port can't be opened, in words."""
    number = number_of(fault)
    if number in words.BUSY:
        return words.busy(device)
    if number in words.PERMISSION:
        return words.permission(device, group_of(device))
    return words.unopened(device, reason_of(fault))


def port_of(spec: str | None, what: str) -> Port:
    """The port that was named, or the only one that may be a box; raises WorldError."""
    if spec is not None:
        found = [port for port in named(spec)() if port.is_called(spec)]
        if not found:
            raise WorldError(f"{what}: {words.missing(spec).en}")
        return found[0]
    candidates = [port for port in ports() if not Search().why_not(port)]
    if not candidates:
        raise WorldError(f"{what}: no board is plugged in: plug it in with a cable that carries data, or name its port")
    if len(candidates) > 1:
        names = ", ".join(port.device for port in candidates)
        raise WorldError(f"{what}: several ports may be the board: name one of {names}")
    return candidates[0]


def who_is_at(device: str, patience_s: float = 6.0) -> Hello | Words:
    """Open a port and greet: the box that answers, or why none does."""
    try:
        answer = ask(device, new_session(), time.monotonic, patience_s)
    except (OSError, ValueError) as fault:
        return fault_of(device, fault)
    if isinstance(answer, Hello):
        return answer
    if answer == "version":
        return Words("version", f"the box at {device} has another firmware: bobing box flash", "固件版本不合")
    return words.no_box(device, answer)


def box_health(config: Config) -> tuple[bool | None, str]:
    """For the doctor: whether the box that the settings ask for answers (None: none is asked for), and a line that says so.

    What may be a box is opened and greeted, which restarts most boards.
    """
    if config.box_port == "none":
        return None, "none is wanted"
    if config.box_port == "emulated":
        return (True, "emulated") if emulator() else (False, f"the emulated box is not built: {MAKE}")
    if config.box_port in (None, "auto"):
        search = Search(never=config.box_never)
        candidates = [port for port in ports() if not search.why_not(port)]
        if not candidates:
            return None, "none is plugged in; phones and keys do without"
    else:
        try:
            candidates = [port_of(config.box_port, "box")]
        except WorldError as fault:
            return False, str(fault)
    told = ""
    for port in candidates:
        answer = who_is_at(port.device)
        if isinstance(answer, Hello):
            return True, f"box {answer.id}, firmware {answer.firmware}, at {port.device}"
        if answer.key == "busy":
            return None, f"{port.device} is in use: by the table that is running, or another program"
        told = answer.en
    return False, told


def run_boxes(config: Config, asked: bool, as_json: bool) -> int:
    """One line a port; with `asked` each that may be a box is opened (which restarts most boards) and greeted."""
    search = Search(never=config.box_never)
    found = ports()
    for port in found:
        why = search.why_not(port)
        answer = who_is_at(port.device) if asked and not why else None
        if as_json:
            emit(_object(port, why, answer))
        else:
            line(f"{port.device:16} {'' if port.name == port.device else port.name:28} {_sentence(port, why, answer)}")
    for device in choices():
        if as_json:
            emit({"input": device})
        else:
            line(f"{device}  an input device: [box] evdev can name it")
    if not found and not as_json:
        line("no serial port is there; a table is played without a box, or with keys in the board's page")
    return OK


def _object(port: Port, why: str, answer: Hello | Words | None) -> dict[str, object]:
    told: dict[str, object] = {
        "port": port.device, "name": port.name, "maker": KNOWN.get(port.vendor or 0), "candidate": not why, "why": WHY_NOT[why]
    }
    if isinstance(answer, Hello):
        told["box"] = {"name": answer.name, "id": answer.id, "firmware": answer.firmware, "protocol": answer.protocol}
    elif answer is not None:
        told["box"], told["fault"] = None, answer.en
    return told


def _sentence(port: Port, why: str, answer: Hello | Words | None) -> str:
    if isinstance(answer, Hello):
        return f"button box {answer.id}, firmware {answer.firmware}"
    if answer is not None:
        return answer.en
    return f"{KNOWN[port.vendor]}: {WHY_NOT['']}" if not why and port.vendor in KNOWN else WHY_NOT[why]

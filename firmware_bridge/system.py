"""This machine's serial ports: what is plugged in, who may open it, and opening it for nobody but us."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import serial
from serial.tools import list_ports

from firmware_bridge.ports import Port

BAUD_RATE = 115200
READ_S = 0.01
FULL_LOOK_S = 2.0
WRITE_S = 0.5
EMULATED = re.compile(r"socket://127\.0\.0\.1:[0-9]{1,5}", re.ASCII)
"""What `bobing box emulate --tcp` offers."""


def ports() -> list[Port]:
    """The serial ports that are there, by device name."""
    found = [
        Port(
            entry.device,
            entry.vid,
            entry.pid,
            entry.serial_number or "",
            entry.location or "",
            entry.description or "",
            node_of(entry.device),
        )
        for entry in list_ports.comports()
    ]
    return sorted(found, key=lambda port: port.device)


class Glance:
    """The listing for a search ten times a second: the system is asked anew only where its device files have changed, or after a while.

    A full look costs half a millisecond a port, and many machines have thirty-two that are nothing.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        full: Callable[[], list[Port]] = ports,
        files: Callable[[], frozenset[tuple[str, int]] | None] | None = None,
    ) -> None:
        """files: names and inodes of device files, None where the system has none (then each look is a full one)."""
        self._clock = clock
        self._full = full
        self._files = files or device_files
        self._seen: frozenset[tuple[str, int]] | None = None
        self._found: list[Port] = []
        self._at = -math.inf

    def __call__(self) -> list[Port]:
        """The ports that are there."""
        seen, now = self._files(), self._clock()
        if seen is None or seen != self._seen or now - self._at >= FULL_LOOK_S:
            self._found, self._seen, self._at = self._full(), seen, now
        return self._found


def device_files(folder: str = "/dev") -> frozenset[tuple[str, int]] | None:
    """Name and inode of each device file that may be a serial port; None where there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            return frozenset((entry.name, entry.inode()) for entry in entries if entry.name.startswith(("tty", "cu.")))
    except OSError:
        return None


def named(device: str, others: Callable[[], list[Port]] = ports) -> Callable[[], list[Port]]:
    """A listing that also shows one port by its path, which the system may not list (a link, a pseudo-terminal)."""

    def listing() -> list[Port]:
        found = others()
        if any(port.is_called(device) for port in found):
            return found
        if "://" in device:
            return [*found, Port(device)]
        return [*found, Port(device, node=node_of(device))] if Path(device).exists() else found

    return listing


def node_of(device: str) -> tuple[int, ...]:
    """What differs when a device was plugged anew; empty where the system has no device files."""
    try:
        entry = Path(device).stat()
    except OSError:
        return ()
    return (entry.st_dev, entry.st_ino, entry.st_ctime_ns)


def group_of(device: str) -> str:
    """The group that may open the port; "" where it is not known."""
    try:
        return Path(device).group()
    except (OSError, KeyError, NotImplementedError, AttributeError):
        return ""


def open_port(device: str) -> Any:
    """The open port, for nobody but us (a serial.Serial); raises OSError, ValueError or serial.SerialException."""
    if "://" in device and not EMULATED.fullmatch(device):
        # pyserial knows other kinds, which lead to other machines or write what they hear into a file
        raise ValueError("this is no serial port, and no emulated box on this machine (socket://127.0.0.1:8064)")
    port = serial.serial_for_url(
        device, BAUD_RATE, timeout=READ_S, write_timeout=WRITE_S, exclusive=None if "://" in device else True
    )
    # FTDI adapters hold bytes back for 16 ms otherwise; not every port can be told
    with suppress(OSError, ValueError, NotImplementedError, AttributeError):
        port.set_low_latency_mode(True)
    return port


def reason_of(fault: Exception) -> str:
    """The system's words for a fault at opening; a file or device that is no port at all is called that."""
    if "ioctl" in str(fault):  # what a terminal is asked for and nothing else knows; pyserial keeps no number of it
        return "it is no serial port"
    return getattr(fault, "strerror", None) or str(fault)


def number_of(fault: Exception) -> int:
    """The errno of a fault at opening; 0 where there is none."""
    number = getattr(fault, "errno", None)
    if not isinstance(number, int):
        return 0
    return number

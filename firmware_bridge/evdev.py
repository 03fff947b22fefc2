"""Linux input devices as buttons: a presenter, a USB arcade button, a quiz buzzer that the operator chose. No library is needed."""

from __future__ import annotations

import errno
import os
import select
import struct
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from firmware_bridge.events import Edge, Gone
from firmware_bridge.words import Words

EVENT = struct.Struct("llHHi")
"""Seconds, microseconds, type, code, value: the kernel's input_event."""
EV_KEY = 1
EVIOCGRAB = 0x40044590
EVIOCSCLOCKID = 0x400445A0
CLOCK_MONOTONIC = 1
RETRY_S = 1.0
KEYS: Mapping[int, str] = {
    28: "A", 57: "A", 109: "A", 96: "A",  # Enter, space, PageDown, Enter of the number pad
    104: "B", 14: "B",  # PageUp, Backspace
    48: "C", 52: "C",  # b and . of presenters
    63: "D", 1: "D",  # F5, Escape
    288: "A", 289: "B", 290: "C", 291: "D",  # the first buttons of a joystick or buzzer
    304: "A", 305: "B", 307: "C", 308: "D",  # those of a gamepad
}
"""Key codes of linux/input-event-codes.h and the buttons they are."""


def unreadable(device: str) -> Words:
    """The input device may not be read."""
    return Words(
        "input_permission",
        f"{device} may not be read: sudo usermod -aG input $USER, then log out and in again",
        f"没有权限读取 {device}：请运行 sudo usermod -aG input $USER，然后注销并重新登录",
    )


def control(file: int, request: int, value: int) -> None:
    """Ask the kernel for something; not every kernel or device can."""
    import fcntl

    if request == EVIOCGRAB:
        fcntl.ioctl(file, request, value)
    else:
        fcntl.ioctl(file, request, struct.pack("i", value))


class InputDevice:
    """One input device, taken for ourselves alone, on a thread of its own; unplugged and plugged in again it is taken again.

    clock: monotonic seconds, the kernel's own. heard: gets Edge, Gone and Words, on that thread.
    """

    def __init__(
        self,
        device: str,
        clock: Callable[[], float],
        heard: Callable[[Edge | Gone | Words], None],
        keys: Mapping[int, str] = KEYS,
        control: Callable[[int, int, int], None] = control,
    ) -> None:
        self.source = f"evdev:{device.rpartition('/')[2]}"
        self._device = device
        self._clock = clock
        self._heard = heard
        self._keys = keys
        self._control = control
        self._told = False
        self._stop, self._wake = os.pipe()
        self._thread = threading.Thread(target=self._run, name="evdev", daemon=True)

    def open(self) -> InputDevice:
        """Begin to listen."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Give the device back."""
        os.write(self._wake, b".")
        if self._thread.is_alive():
            self._thread.join(timeout=3.0)
        os.close(self._wake)
        os.close(self._stop)

    def _run(self) -> None:
        while True:
            try:
                file = os.open(self._device, os.O_RDONLY | os.O_NONBLOCK)
            except OSError as fault:
                if fault.errno in (errno.EACCES, errno.EPERM) and not self._told:
                    self._told = True
                    self._heard(unreadable(self._device))
                if self._stopped(RETRY_S):
                    return
                continue
            try:
                over = self._listen(file)
            finally:
                os.close(file)
                self._heard(Gone(self.source))
            if over or self._stopped(RETRY_S):
                return

    def _stopped(self, seconds: float) -> bool:
        return bool(select.select([self._stop], [], [], seconds)[0])

    def _listen(self, file: int) -> bool:
        """Until the device is gone (False) or we are told to stop (True)."""
        for request, value in ((EVIOCGRAB, 1), (EVIOCSCLOCKID, CLOCK_MONOTONIC)):
            with suppress(OSError):
                self._control(file, request, value)
        rest = b""
        while True:
            ready, _, _ = select.select([file, self._stop], [], [])
            if self._stop in ready:
                return True
            try:
                data = os.read(file, EVENT.size * 64)
            except OSError:
                return False
            if not data:
                return False
            rest += data
            while len(rest) >= EVENT.size:
                self._event(*EVENT.unpack_from(rest))
                rest = rest[EVENT.size :]

    def _event(self, seconds: int, micros: int, kind: int, code: int, value: int) -> None:
        button = self._keys.get(code)
        if kind != EV_KEY or button is None or value not in (0, 1):  # 2: the key repeats
            return
        now = self._clock()
        age = max(0, round((now - seconds - micros / 1e6) * 1000))
        self._heard(Edge(self.source, button, value == 1, age, now))


def choices(folder: Path = Path("/dev/input/by-id")) -> list[str]:
    """Stable names of the input devices that send keys."""
    with suppress(OSError):
        return sorted(str(file) for file in folder.iterdir() if "event" in file.name)
    return []

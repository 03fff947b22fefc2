"""Linux input devices as buttons; a pipe plays the device, since a machine for tests has none."""

from __future__ import annotations

import os
import queue
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.evdev import EV_KEY, EVENT, EVIOCGRAB, InputDevice, choices
from firmware_bridge.events import Edge, Gone
from firmware_bridge.words import Words

if sys.platform != "linux":
    pytest.skip("input devices are read on Linux only", allow_module_level=True)

WAIT_S = 20


class Keyboard:
    """A device with keys: what is written to it is what the kernel would say."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "usb-presenter-event-kbd"
        os.mkfifo(self.path)
        self.heard: queue.Queue[Any] = queue.Queue()
        self.asked: queue.Queue[tuple[int, int]] = queue.Queue()
        self.device = InputDevice(
            str(self.path), lambda: 50.0, self.heard.put, control=lambda _, request, value: self.asked.put((request, value))
        ).open()
        self.end = os.open(self.path, os.O_WRONLY)

    def key(self, code: int, value: int, kind: int = EV_KEY, at: float = 50.0) -> None:
        os.write(self.end, EVENT.pack(int(at), round((at % 1) * 1e6), kind, code, value))

    def next(self) -> Any:
        return self.heard.get(timeout=WAIT_S)


@pytest.fixture
def keyboard(tmp_path: Path) -> Iterator[Keyboard]:
    made = Keyboard(tmp_path)
    yield made
    made.device.close()
    os.close(made.end)


def test_keys_are_buttons_with_their_age(keyboard: Keyboard) -> None:
    keyboard.key(109, 1, at=49.9)
    keyboard.key(109, 0)
    source = "evdev:usb-presenter-event-kbd"
    assert keyboard.next() == Edge(source, "A", True, 100, 50.0)
    assert keyboard.next() == Edge(source, "A", False, 0, 50.0)


def test_the_device_is_taken_for_us_alone_and_by_our_clock(keyboard: Keyboard) -> None:
    keyboard.key(28, 1)
    assert keyboard.next().button == "A"
    assert keyboard.asked.get(timeout=WAIT_S) == (EVIOCGRAB, 1)
    assert keyboard.asked.get(timeout=WAIT_S)[1] == 1


def test_repeats_other_keys_and_other_events_are_nothing(keyboard: Keyboard) -> None:
    keyboard.key(28, 2)
    keyboard.key(30, 1)
    keyboard.key(28, 1, kind=4)
    keyboard.key(104, 1)
    assert keyboard.next().button == "B"


def test_half_an_event_waits_for_its_rest(keyboard: Keyboard) -> None:
    data = EVENT.pack(50, 0, EV_KEY, 48, 1)
    os.write(keyboard.end, data[:7])
    os.write(keyboard.end, data[7:])
    assert keyboard.next().button == "C"


def test_a_device_that_is_pulled_is_gone_and_taken_again(keyboard: Keyboard) -> None:
    keyboard.key(57, 1)
    assert keyboard.next().down
    os.close(keyboard.end)
    assert keyboard.next() == Gone("evdev:usb-presenter-event-kbd")
    keyboard.end = os.open(keyboard.path, os.O_WRONLY)
    keyboard.key(57, 1)
    while isinstance(found := keyboard.next(), Gone):
        pass
    assert found.button == "A"


def test_one_that_may_not_be_read_is_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    heard: queue.Queue[Any] = queue.Queue()
    monkeypatch.setattr("firmware_bridge.evdev.os.open", refuse)
    device = InputDevice("/dev/input/event0", lambda: 1.0, heard.put).open()
    told = heard.get(timeout=WAIT_S)
    device.close()
    assert isinstance(told, Words)
    assert "sudo usermod -aG input $USER" in told.en


def test_devices_to_choose_from_have_stable_names(tmp_path: Path) -> None:
    for name in ("usb-presenter-event-kbd", "usb-presenter-mouse", "usb-buzz-event-joystick"):
        (tmp_path / name).touch()
    assert [Path(found).name for found in choices(tmp_path)] == ["usb-buzz-event-joystick", "usb-presenter-event-kbd"]
    assert choices(tmp_path / "none") == []

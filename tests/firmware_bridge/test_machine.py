"""The host's state machine in emulated time: which port it asks, what it makes of the answer, what it tells people."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest
from emulated import Chip, optiboot
from socket_row import GPS, PRINTER, ChipDevice, Echo, Pretender, Sockets, Talker

import firmware_bridge
from firmware_bridge.machine import Machine
from firmware_bridge.ports import KNOWN, Port, Search
from firmware_bridge.pretended import PretendedBox
from firmware_bridge.system import Glance, device_files
from firmware_bridge.talk import Linked

MakeChip = Callable[..., Chip]


def row(search: Search | None = None, box_id: str = "") -> Sockets:
    return Sockets(Machine("7F3A", search or Search(), box_id))


def pretender(id_: str = "FFFF", protocol: int = 1) -> Pretender:
    return Pretender(PretendedBox(0.0, id_, protocol))


def test_a_box_plugged_in_is_linked_within_half_a_second(new_chip: MakeChip) -> None:
    sockets = row()
    assert not sockets.run(0.3, sockets.linked)
    sockets.plug("/dev/ttyUSB0", ChipDevice(new_chip()))
    assert sockets.run(0.5, sockets.linked)
    assert "DICEBOX" in sockets.machine.words.en


def test_unplugged_and_plugged_in_again_also_under_another_name(new_chip: MakeChip) -> None:
    sockets = row()
    for device in ("/dev/ttyUSB0", "/dev/ttyUSB0", "/dev/ttyUSB1", "/dev/ttyACM3"):
        thing = ChipDevice(new_chip())
        sockets.plug(device, thing)
        assert sockets.run(0.5, sockets.linked)
        thing.chip.press("A")
        sockets.run(0.2)
        sockets.unplug(device)
        assert sockets.run(0.2, lambda: sockets.machine.state == "search")
        assert sockets.machine.words.key == "lost"
    assert len(sockets.edges()) == 8


def test_an_uno_with_the_real_optiboot_that_restarts_at_each_opening(new_chip: MakeChip) -> None:
    sockets = row()
    sockets.plug("/dev/ttyACM0", ChipDevice(new_chip(optiboot()), resets=True))
    assert sockets.run(2.5, sockets.linked)


def test_a_slow_bootloader_is_waited_for() -> None:
    class Slow(Pretender):
        def opened(self, now: float) -> None:
            self.awake = now + 1.6

        def exchange(self, data: bytes, now: float) -> bytes:
            if now < self.awake:
                self.box.power_on(now)
                self.box.take_out()
                return b""
            return super().exchange(data, now)

    sockets = row()
    sockets.plug("/dev/ttyUSB0", Slow(PretendedBox(0.0)))
    assert sockets.run(2.5, sockets.linked)


def test_a_frozen_box_is_noticed_within_three_seconds_and_found_again(new_chip: MakeChip) -> None:
    sockets, thing = row(), ChipDevice(new_chip())
    sockets.plug("/dev/ttyUSB0", thing)
    assert sockets.run(0.5, sockets.linked)
    thing.frozen = True
    assert sockets.run(3.0, lambda: not sockets.linked())
    thing.frozen = False
    assert sockets.run(1.5, sockets.linked)


def test_the_box_is_found_as_the_fourth_port_after_strangers(new_chip: MakeChip) -> None:
    sockets = row()
    sockets.plug("/dev/ttyUSB0", GPS)
    sockets.plug("/dev/ttyUSB1", Echo())
    sockets.plug("/dev/ttyUSB2", PRINTER)
    sockets.plug("/dev/ttyUSB3", ChipDevice(new_chip()))
    assert sockets.run(5.0, sockets.linked)
    assert sockets.opened == ["/dev/ttyUSB0", "/dev/ttyUSB1", "/dev/ttyUSB2", "/dev/ttyUSB3"]


def test_strangers_are_asked_once_and_not_again_until_they_are_plugged_anew() -> None:
    sockets = row()
    sockets.plug("/dev/ttyUSB0", PRINTER)
    sockets.run(30)
    assert sockets.opened == ["/dev/ttyUSB0"]
    sockets.plug("/dev/ttyUSB0", PRINTER)
    sockets.run(3)
    assert len(sockets.opened) == 2


def test_only_usb_ports_of_known_vendors_are_ever_opened() -> None:
    sockets = row(Search(never=("ttyUSB7", "1a86:7523:77")))
    sockets.plug("/dev/ttyS0", pretender(), vendor=None)
    sockets.plug("/dev/ttyACM5", pretender(), vendor=0x1234)
    sockets.plug("/dev/ttyUSB7", pretender())
    sockets.plug("/dev/ttyUSB8", pretender(), serial="77")
    sockets.run(2)
    assert sockets.opened == []
    assert sockets.machine.words.key == "searching"


def test_the_box_of_last_time_is_asked_first() -> None:
    sockets = row(Search(remembered="1a86:7523:B2"))
    sockets.plug("/dev/ttyUSB0", PRINTER)
    sockets.plug("/dev/ttyUSB9", pretender(), serial="B2")
    assert sockets.run(0.5, sockets.linked)
    assert sockets.opened == ["/dev/ttyUSB9"]


def test_a_port_that_was_named_is_the_only_one() -> None:
    sockets = row(Search(wanted="ttyUSB1"))
    sockets.plug("/dev/ttyUSB0", pretender())
    sockets.run(1)
    assert sockets.machine.words.key == "missing"
    sockets.plug("/dev/ttyUSB1", pretender(), vendor=None)
    assert sockets.run(0.5, sockets.linked)
    assert sockets.opened == ["/dev/ttyUSB1"]


def test_a_box_of_another_protocol_is_refused_shown_and_never_linked() -> None:
    sockets = row()
    sockets.plug("/dev/ttyUSB0", pretender(protocol=2))
    sockets.run(9)
    assert sockets.machine.state == "refused"
    assert "protocol 2" in sockets.machine.words.en
    assert "bobing box flash" in sockets.machine.words.en
    assert not any(isinstance(news, Linked) for _, news in sockets.news)
    assert len(sockets.opened) == 1
    sockets.plug("/dev/ttyUSB0", pretender())  # flashed, and plugged in anew
    assert sockets.run(0.5, sockets.linked)


def test_another_tables_box_is_refused() -> None:
    sockets = row(box_id="A001")
    sockets.plug("/dev/ttyUSB0", pretender("B002"))
    sockets.run(1)
    assert (sockets.machine.state, sockets.machine.words.key) == ("refused", "other_box")
    sockets.plug("/dev/ttyUSB1", pretender("A001"))
    assert sockets.run(1, sockets.linked)


@pytest.mark.parametrize(("number", "key", "words"), [
    (errno.EACCES, "permission", "sudo usermod -aG dialout $USER"),
    (errno.EIO, "unopened", "EIO"),
])
def test_what_keeps_a_port_shut_is_told_with_what_to_do(number: int, key: str, words: str) -> None:
    sockets = row()
    sockets.plug("/dev/ttyUSB0", pretender())
    sockets.faults["/dev/ttyUSB0"] = number
    sockets.run(1.5)
    assert sockets.machine.words.key == key
    assert words in sockets.machine.words.en
    del sockets.faults["/dev/ttyUSB0"]
    assert sockets.run(2, sockets.linked)


def test_a_busy_port_is_tried_again_and_told_after_three_seconds() -> None:
    sockets = row()
    sockets.plug("/dev/ttyUSB0", pretender())
    sockets.faults["/dev/ttyUSB0"] = errno.EAGAIN
    sockets.run(2.5)
    assert sockets.machine.words.key == "searching"
    sockets.run(1.5)
    assert sockets.machine.words.key == "busy"
    del sockets.faults["/dev/ttyUSB0"]
    assert sockets.run(1, sockets.linked)


def test_a_port_that_vanishes_at_once_points_to_brltty() -> None:
    sockets = row()
    sockets.plug("/dev/ttyUSB0", Talker([b""], 1.0))
    sockets.run(1.2)
    sockets.unplug("/dev/ttyUSB0")
    sockets.run(0.5)
    assert sockets.machine.words.key == "brltty"
    assert "sudo apt-get remove brltty" in sockets.machine.words.en


def test_a_box_that_is_gone_is_spoken_of_for_a_minute() -> None:
    sockets = row()
    sockets.plug("/dev/ttyUSB0", pretender())
    assert sockets.run(0.5, sockets.linked)
    sockets.run(5)
    sockets.unplug("/dev/ttyUSB0")
    sockets.run(50)
    assert sockets.machine.words.key == "lost"
    sockets.run(15)
    assert sockets.machine.words.key == "searching"


def test_a_stable_name_is_the_chips_number_or_the_socket() -> None:
    assert Port("/dev/ttyUSB0", 0x0403, 0x6001, "A50285BI").name == "0403:6001:A50285BI"
    assert Port("/dev/ttyUSB0", 0x1A86, 0x7523, "", "1-2.4").name == "1a86:7523:1-2.4"
    assert Port("/dev/ttyS0").name == "/dev/ttyS0"


def test_the_rules_for_linux_name_every_vendor_that_is_asked() -> None:
    rules = (Path(firmware_bridge.__file__).parent / "udev" / "72-bobing-box.rules").read_text(encoding="utf-8")
    for vendor in KNOWN:
        [rule] = [line for line in rules.splitlines() if f'"{vendor:04x}"' in line]
        assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in rule


def test_the_system_is_asked_anew_only_when_its_device_files_change_or_after_a_while() -> None:
    now, files, looks = [0.0], [frozenset({("ttyS0", 1)})], []

    def full() -> list[Port]:
        looks.append(now[0])
        return [Port(f"/dev/{name}") for name, _ in files[0]]

    glance = Glance(lambda: now[0], full, lambda: files[0])
    for _ in range(10):
        now[0] += 0.1
        glance()
    assert len(looks) == 1
    files[0] = files[0] | {("ttyUSB0", 2)}
    assert "/dev/ttyUSB0" in [port.device for port in glance()]
    files[0] = frozenset({("ttyS0", 1), ("ttyUSB0", 3)})  # plugged in anew between two looks
    glance()
    assert len(looks) == 3
    now[0] += 2.1
    glance()
    assert len(looks) == 4


def test_device_files_are_listed_by_name_and_inode(tmp_path: Path) -> None:
    for name in ("ttyUSB0", "cu.usbserial", "null"):
        (tmp_path / name).touch()
    files = device_files(str(tmp_path))
    assert files is not None
    assert {name for name, _ in files} == {"ttyUSB0", "cu.usbserial"}
    assert device_files(str(tmp_path / "none")) is None

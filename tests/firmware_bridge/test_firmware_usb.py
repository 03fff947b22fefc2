"""The Pro Micro's firmware on an emulated 32U4: it enumerates as one serial port, and the box speaks through it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from emulated import FIRMWARE, HERE, needs

from firmware_bridge.codec import LineReader, encode

IN, OUT = 0x80, 0x00
CLASS_IN, CLASS_OUT = 0xA1, 0x21


class UsbHost:
    """The other end of the cable."""

    def __init__(self, program: Path, image: Path) -> None:
        self._process = subprocess.Popen([program, image], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def _ask(self, text: str) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def get(self, kind: int, request: int, value: int, length: int, index: int = 0) -> bytes | None:
        """A control read; None: refused."""
        answer = self._ask(f"get {kind:x} {request:x} {value:x} {index:x} {length:x}")
        return None if answer == "stalled" else bytes.fromhex(answer.removeprefix("got").strip())

    def set(self, kind: int, request: int, value: int, data: bytes = b"") -> bool:
        """A control write; whether it was taken."""
        return self._ask(f"set {kind:x} {request:x} {value:x} {data.hex()}") == "done"

    def say(self, *bodies: str) -> None:
        """Lines to the box."""
        data = b"\n" + b"".join(encode(body) for body in bodies)
        assert self._ask(f"say {data.hex()}") == "done"

    def hear(self, ms: int) -> list[str]:
        """What the box says meanwhile."""
        data = bytes.fromhex(self._ask(f"hear {ms}").removeprefix("heard").strip())
        return [line.body for line in LineReader().feed(data)]

    def pin(self, button: str, level: int) -> None:
        """A finger."""
        assert self._ask(f"pin {button} {level}") == "done"

    def close(self) -> None:
        """Pull the cable."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def plug_in(self, opened: bool = True) -> None:
        """What a system does with a new serial port, and a program that opens it."""
        assert self.set(OUT, 5, 7)  # address
        assert self.set(OUT, 9, 1)  # configuration
        assert self.set(CLASS_OUT, 0x20, 0, bytes([0, 0xC2, 1, 0, 0, 0, 8]))  # 115200 8N1
        assert self.set(CLASS_OUT, 0x22, 3 if opened else 0)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("make", "cc")
    made = tmp_path_factory.mktemp("micro") / "micro-emulator"
    subprocess.run(["make", "-s", "micro", f"MICRO={made}"], cwd=HERE / "emulator", check=True, timeout=120)
    return made


@pytest.fixture
def host(program: Path) -> Iterator[UsbHost]:
    made = UsbHost(program, FIRMWARE / "bobing-box-atmega32u4.hex")
    yield made
    made.close()


def test_it_says_what_it_is(host: UsbHost) -> None:
    device = host.get(IN, 6, 0x0100, 64)
    assert device is not None
    assert (len(device), device[8:12]) == (18, bytes([0x4F, 0x1B, 0x06, 0x92]))
    assert host.set(OUT, 5, 7)
    configuration = host.get(IN, 6, 0x0200, 255)
    assert configuration is not None
    assert len(configuration) == int.from_bytes(configuration[2:4], "little") == 67  # more than one packet
    assert host.get(IN, 6, 0x0200, 9) == configuration[:9]
    assert (host.get(IN, 6, 0x0302, 255, 0x409) or b"")[2:].decode("utf-16-le") == "Button box"


def test_what_it_does_not_know_is_refused_and_the_next_is_answered(host: UsbHost) -> None:
    assert host.get(IN, 6, 0x0600, 10) is None
    assert host.get(IN, 6, 0x0305, 255) is None
    assert host.get(IN, 0, 0, 2) == b"\0\0"


def test_it_remembers_the_line_coding(host: UsbHost) -> None:
    host.plug_in()
    assert host.get(IN, 8, 0, 1) == b"\x01"
    assert host.get(CLASS_IN, 0x21, 0, 7) == bytes([0, 0xC2, 1, 0, 0, 0, 8])


def test_the_box_speaks_through_it(host: UsbHost) -> None:
    host.plug_in()
    host.say("HI 7F3A 1")
    [hello] = host.hear(20)
    assert hello.startswith("HELLO 7F3A 1 0.1.0 DICEBOX FFFF ") and hello.endswith(" N")
    for n, button in enumerate("ABCD"):
        host.pin(button, 0)
        assert f"EV {2 * n + 1} {button} D 0" in host.hear(30)
        host.say(f"AK {2 * n + 1}")
        host.pin(button, 1)
        assert f"EV {2 * n + 2} {button} U 0" in host.hear(40)
        host.say(f"AK {2 * n + 2}")
    host.say("LD 1 1 1", "LD 2 2 1")
    assert [word for word in host.hear(20) if word[:2] in ("OK", "NO")] == ["OK 1", "NO 2 2"]  # it has no second lamp


def test_what_nobody_listens_to_is_not_kept_for_the_next(host: UsbHost) -> None:
    host.plug_in(opened=False)
    assert host.set(CLASS_OUT, 0x22, 3)
    host.say("HI 7F3A 1")
    host.hear(20)
    host.pin("A", 0)
    host.hear(1)
    assert host.set(CLASS_OUT, 0x22, 0)  # the program closes the port
    host.hear(300)
    host.pin("A", 1)
    assert host.set(CLASS_OUT, 0x22, 3)
    host.say("HI 0001 1")
    assert [word.split()[0] for word in host.hear(20)][-1] == "HELLO"

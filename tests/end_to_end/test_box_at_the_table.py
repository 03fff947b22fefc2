"""The button box as people have it: flashed, tested, plugged into a running table; the chip is emulated, its firmware is the real one."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from emulated import needs, optiboot

from device.cli.bench_box import box_rows
from device.cli.boxes import box_health
from device.config import Config
from firmware_bridge.emulation import EmulatedChip
from firmware_bridge.firmware_files import kept

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 300.0
"""Not a bar: how long a busy machine may take before a test gives up."""


class Program:
    """One command of bobing with its streams at hand."""

    def __init__(self, *words: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "bobing.py"), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, bufsize=1, env={**os.environ, **environment},
        )
        self.said: list[str] = []
        self._lines: queue.Queue[str] = queue.Queue()
        for stream in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream: Any) -> None:
        for line in stream:
            self._lines.put(line.strip())
        self._lines.put("")

    def until(self, pattern: str) -> str:
        """The next line that holds this."""
        end = monotonic() + PATIENCE_S
        while True:
            try:
                line = self._lines.get(timeout=max(0.01, end - monotonic()))
            except queue.Empty:
                raise AssertionError(f"{pattern!r} was not said, but {self.said[-8:]}") from None
            self.said.append(line)
            if re.search(pattern, line):
                return line

    def drain(self) -> None:
        """Forget what was said so far."""
        while not self._lines.empty():
            self.said.append(self._lines.get())

    def type(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def end(self) -> int:
        """Its exit status; it is told to stop."""
        with contextlib.suppress(OSError):
            self.process.terminate()
        return self.process.wait(timeout=PATIENCE_S)


class Table(Program):
    """A running appliance."""

    def __init__(self, folder: Path, *words: str, **environment: str) -> None:
        super().__init__("run", "--port", "0", "--data", str(folder), *words, **environment)
        found = re.search(r"http://\S+?/", self.until("http://"))
        assert found is not None
        self.address = found.group()

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.address + path) as answer:
            return json.load(answer)

    def state_when(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The state, as soon as something holds in it; follows the event stream as the pages do."""
        end = monotonic() + PATIENCE_S
        with urllib.request.urlopen(self.address + "api/events", timeout=PATIENCE_S) as stream:
            while monotonic() < end:
                state = self.get("api/state")
                if holds(state):
                    return dict(state)
                while not stream.readline().startswith(b"event:"):
                    assert monotonic() < end, state
        raise AssertionError("it never held")


@pytest.fixture
def begun() -> Iterator[list[Program]]:
    programs: list[Program] = []
    yield programs
    for program in programs:
        if program.process.poll() is None:
            program.end()


@pytest.fixture
def bootloader_chip(emulator: Path, tmp_path: Path) -> Iterator[EmulatedChip]:
    """A new board: the real Optiboot and no program."""
    blank = tmp_path / "blank.hex"
    blank.write_text(":02000000FFCF30\n:00000001FF\n")  # rjmp to itself is what nobody would call a box
    chip = EmulatedChip(emulator, [blank, optiboot()], tmp_path / "ttyUSB0", lambda line: None)
    chip.tell("resets 1")
    yield chip
    chip.close()


@pytest.fixture
def chip(emulator: Path, tmp_path: Path) -> Iterator[EmulatedChip]:
    made = EmulatedChip(emulator, [kept("atmega328p").file], tmp_path / "ttyUSB0", lambda line: None)
    yield made
    made.close()


def test_a_press_confirms_the_throw_that_waits_and_lamp_and_tune_follow(
    emulator: Path, tmp_path: Path, begun: list[Program]
) -> None:
    demo = ROOT / "device" / "demo"
    (tmp_path / "bobing.toml").write_text(
        f'[table]\nconfirm = "always"\nplayers = ["甲", "乙"]\n'
        f"[camera]\nsource = {json.dumps(str(demo / 'demo.mp4'))}\ncalibration = {json.dumps(str(demo / 'demo.calibration'))}\n",
        encoding="utf-8",
    )
    table = Table(tmp_path, "--box", "emulated", BOBING_BOX_EMULATOR=str(emulator))
    begun.append(table)
    waiting = table.state_when(lambda state: state["question"] is not None)
    assert (waiting["throws"], waiting["turn"]["name"]) == (0, "甲")
    table.state_when(lambda state: state["box"]["state"] == "linked")
    table.drain()
    for _ in range(4):  # it blinks fast, for an answer is needed; and an eye has had time to see the question
        table.until("box: lamp on")
    table.type("a")
    while "1047" not in table.until("box: tone (1047|220) Hz"):
        table.type("a")  # the next throw was reported while the finger was down: the board had moved on
    table.until("box: tone 1319 Hz")  # accepted
    after = table.state_when(lambda state: state["question"] is None or state["throws"] == 1)
    assert (after["throws"], after["last"]["dice"], after["turn"]["name"]) == (
        1, waiting["question"]["values"], "乙"
    )
    assert table.get("healthz")["box"] == "ok"
    assert table.end() == 0


def test_a_new_board_is_flashed_by_the_real_avrdude_through_the_real_bootloader(
    bootloader_chip: EmulatedChip, begun: list[Program]
) -> None:
    needs("avrdude")
    program = Program("box", "flash", str(bootloader_chip.port), "--id", "A001", "--json")
    begun.append(program)
    told = json.loads(program.until("^{"))
    assert program.process.wait(timeout=PATIENCE_S) == 0
    firmware = kept("atmega328p")
    assert told == {
        "port": str(bootloader_chip.port), "board": "uno", "firmware": firmware.version, "sha256": firmware.sha256, "id": "A001",
    }


def test_each_part_of_a_good_box_is_found_good(chip: EmulatedChip, begun: list[Program]) -> None:
    program = Program("box", "test", str(chip.port))
    begun.append(program)
    for button, words in (("A", "press the big button"), ("B", "press button B"), ("C", "button C"), ("D", "button D")):
        program.until(words)
        chip.tell(f"press {button} 60")
    for _ in range(12):
        program.until(r"\(y or n")
        program.type("y")
    program.until("ok +the tune for 状元")
    assert program.process.wait(timeout=PATIENCE_S) == 0
    assert not any("WRONG" in line for line in program.said)


def test_exchanged_wires_and_a_silent_piezo_are_named(chip: EmulatedChip, begun: list[Program]) -> None:
    program = Program("box", "test", str(chip.port), "--json")
    begun.append(program)
    for button, words in (("A", "press the big button"), ("C", "press button B"), ("C", "button C"), ("D", "button D")):
        program.until(words)
        chip.tell(f"press {button} 60")
    for i in range(12):
        program.until(r"\(y or n")
        program.type("y" if i < 4 else "n")
    program.until("状元")
    assert program.process.wait(timeout=PATIENCE_S) == 1
    results = [json.loads(line) for line in program.said if line.startswith("{")]
    wrong = {result["part"]: result["why"] for result in results if not result["ok"]}
    assert wrong["button B"] == "button C answered: two wires are exchanged"
    assert "a low tone" in wrong and "the big button" not in wrong


@pytest.mark.parametrize("way", ["pty", "tcp"])
def test_a_box_of_python_is_a_box_for_the_table(tmp_path: Path, begun: list[Program], way: str) -> None:
    box = Program("box", "emulate", *([str(tmp_path / "box")] if way == "pty" else ["--tcp", "0"]), "--json")
    begun.append(box)
    port = json.loads(box.until('"port"'))["port"]
    table = Table(tmp_path, "--players", "甲,乙", "--box", port)
    begun.append(table)
    table.state_when(lambda state: (state["box"] or {}).get("state") == "linked")
    box.until('"shown": "lamp", "value": 2')  # slow: please throw
    box.type("c")
    assert table.state_when(lambda state: state["turn"]["name"] == "乙")
    box.until('"shown": "tune", "value": 2')
    box.type("d")
    refused = table.state_when(lambda state: state["box"]["refused"] is not None)["box"]["refused"]
    assert (refused["button"], refused["key"]) == ("D", "free")
    box.until('"shown": "tune", "value": 1')
    box.end()
    assert table.state_when(lambda state: state["box"]["state"] in ("lost", "missing"))


def test_a_table_whose_box_is_not_there_is_played_all_the_same(tmp_path: Path, begun: list[Program]) -> None:
    table = Table(tmp_path, "--players", "甲,乙", "--box", str(tmp_path / "none"))
    begun.append(table)
    state = table.state_when(lambda state: (state["box"] or {}).get("state") == "missing")
    assert state["phase"] == "throw"
    assert "there is no" in table.get("healthz")["box"]


def test_an_emulated_box_that_is_not_built_is_one_plain_line(tmp_path: Path, begun: list[Program]) -> None:
    program = Program("run", "--port", "0", "--data", str(tmp_path), "--box", "emulated",
                      BOBING_BOX_EMULATOR=str(tmp_path / "nothing"))
    begun.append(program)
    assert "make emulator" in program.until("bobing: ")
    assert program.process.wait(timeout=PATIENCE_S) == 1


@pytest.mark.parametrize(("words", "status", "says"), [
    (["box", "flash", "nowhere"], 1, "there is no nowhere"),
    (["box", "flash", "--id", "a001"], 2, "four digits"),
    (["box", "flash", "x", "--board", "mega"], 2, "invalid choice"),
    (["box", "test", "nowhere"], 1, "there is no nowhere"),
    (["box", "emulate", "--id", "x"], 2, "four digits"),
    (["box", "emulate", "--tcp", "70000"], 2, "a number from 0"),
    (["box", "emulate", "/nowhere/at/all"], 1, "no port can be made"),
    (["box"], 2, "flash|test|emulate"),
    (["boxes", "--port", "1"], 2, "unrecognized"),
])
def test_a_wrong_call_is_one_plain_line(words: list[str], status: int, says: str) -> None:
    done = subprocess.run([sys.executable, str(ROOT / "bobing.py"), *words], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == status
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_ports_are_listed_with_stable_names() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "bobing.py"), "boxes", "--json"], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode == 0
    for line in done.stdout.splitlines():
        assert set(json.loads(line)) in ({"port", "name", "maker", "candidate", "why"}, {"input"})


def test_the_bench_of_the_box_has_a_figure_for_each_row(emulator: Path) -> None:
    rows = box_rows(emulator, times=4)
    told = " ".join(name for name, _, _ in rows)
    assert all(word in told for word in ("press", "done", "piezo", "pulled", "plugged"))
    assert all(value > 0 for _, value, _ in rows)


def test_the_doctor_hears_from_the_box(chip: EmulatedChip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = box_health(Config(box_port=str(chip.port)))
    assert good == (True, f"box FFFF, firmware 0.1.0, at {chip.port}")
    assert box_health(Config(box_port="none"))[0] is None
    assert box_health(Config(box_port=str(tmp_path / "nothing")))[0] is False
    monkeypatch.setattr("device.cli.boxes.ports", list)
    assert box_health(Config())[0] is None
    monkeypatch.setenv("BOBING_BOX_EMULATOR", str(tmp_path / "nothing"))
    ok, said = box_health(Config(box_port="emulated"))
    assert (ok, "make emulator" in said) == (False, True)

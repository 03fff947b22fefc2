"""The inputs of an appliance: what the settings say of the box, which port was the box's last time, what a developer types."""

from __future__ import annotations

import json
import queue
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from table_talk import started

from device.box_inputs import REMEMBERED, Inputs, typed
from device.config import Config, ConfigError, load, save
from device.errors import Fault
from device.table import Table
from firmware_bridge.ports import Port
from firmware_bridge.pretended import PretendedBox

WAIT_S = 20.0


class NoForecast:
    """The odds of the evening are another matter, and take a second to solve at each start."""

    def __init__(self, odds: object) -> None: ...

    def expected_throws(self, ledger: object) -> None: ...


class Serial:
    """What pyserial would open: a box of Python."""

    def __init__(self) -> None:
        self.box = PretendedBox(monotonic(), "A001")
        self.shown: queue.Queue[Any] = queue.Queue()
        self.in_waiting = 0

    def read(self, size: int) -> bytes:
        self.box.tick(monotonic())
        return self.box.take_out()

    def write(self, data: bytes) -> None:
        self.box.received(data, monotonic())
        for shown in self.box.take_shown():
            self.shown.put(shown)

    def flush(self) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def table(make: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr("device.prospects.Forecast", NoForecast)
    return started(make())


@pytest.fixture
def ending() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Serial:
    """A Nano with the firmware is plugged in."""
    made = Serial()
    monkeypatch.setattr("device.box_inputs.ports", lambda: [Port("/dev/ttyUSB0", 0x1A86, 0x7523, "N7")])
    monkeypatch.setattr("firmware_bridge.link.Link.__init__.__defaults__", ("box", lambda device: made))
    return made


def settled(table: Table, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The state when something holds in it."""
    with ExitStack() as stack:
        following = table.subscribe(None)
        stack.callback(following.close)
        end = monotonic() + WAIT_S
        while not holds(table.state()):
            assert monotonic() < end, table.state()["box"]
            following.get(0.5)
    return table.state()


def test_a_box_is_found_by_itself_and_remembered(table: Table, plugged: Serial, tmp_path: Path, ending: ExitStack) -> None:
    inputs = Inputs(table, Config(button_a="next"), tmp_path, ending)
    assert table.state()["box"]["state"] == "none"
    inputs.begin()
    inputs.begin()
    shown = settled(table, lambda state: state["box"]["state"] == "linked")["box"]
    assert (shown["id"], shown["buttons"]["A"]) == ("A001", "next")
    assert json.loads((tmp_path / REMEMBERED).read_text(encoding="utf-8")) == {"port": "1a86:7523:N7"}
    for down in (True, False):
        plugged.box.press("A", down, monotonic())
    assert settled(table, lambda state: state["turn"]["name"] == "乙")


def test_no_box_is_looked_for_where_the_settings_say_so(table: Table, plugged: Serial, tmp_path: Path, ending: ExitStack) -> None:
    Inputs(table, Config(box_port="none"), tmp_path, ending).begin()
    Inputs(table, Config(box_never=("ttyUSB0",)), tmp_path, ending).begin()
    settled(table, lambda state: state["box"]["state"] == "searching")
    assert plugged.shown.empty()
    assert table.health()["box"].startswith("no box is plugged in")


def test_keys_of_the_page_are_buttons_unless_switched_off(table: Table, tmp_path: Path, ending: ExitStack) -> None:
    off = Inputs(table, Config(box_port="none", box_keys=False), tmp_path, ending)
    on = Inputs(table, Config(box_port="none"), tmp_path, ending)
    for inputs in (off, on):
        inputs.press("C", True, 0)
        inputs.press("C", False, 0)
    assert settled(table, lambda state: state["turn"]["name"] == "乙")["turn"]["name"] == "乙"
    on.press("C", True, 0)
    on.press("C", None, 0)
    on.press("D", True, 0)
    on.press("D", False, 0)
    assert settled(table, lambda state: state["box"]["refused"] is not None)["box"]["refused"]["source"] == "tv"
    assert table.state()["turn"]["name"] == "乙"


def test_an_emulated_box_needs_the_emulator(
    table: Table, tmp_path: Path, ending: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOBING_BOX_EMULATOR", str(tmp_path / "none"))
    with pytest.raises(Fault, match="make emulator"):
        Inputs(table, Config(box_port="emulated"), tmp_path, ending)


@pytest.mark.parametrize(("text", "commands"), [
    ("a\n", ["press A 80"]), ("B 2500", ["press B 2500"]), ("a+b", ["press A 80", "press B 80"]), ("", []), ("e", []), ("ab", []),
    ("a x", []), ("quit", []),
])
def test_what_a_developer_types_is_a_press_or_nothing(text: str, commands: list[str]) -> None:
    assert typed(text) == commands


def test_the_settings_of_the_box_are_kept(tmp_path: Path) -> None:
    config = Config(
        box_port="auto", box_id="A001", box_never=("ttyUSB3",), box_keys=False, box_evdev=("/dev/input/by-id/x",), box_hold="free",
        box_together="operator", button_d="jump",
    )
    save(tmp_path / "bobing.toml", config)
    assert load(tmp_path / "bobing.toml") == config


@pytest.mark.parametrize("line", ['id = "a001"', 'id = "FFFF"', "id = 1", "keys = 1", 'keys = "yes"', "never = 3", 'hold = "undo"',
                                  'a = "party"', 'together = ""', "evdev = [1]"])
def test_a_wrong_setting_is_named_with_what_is_allowed(tmp_path: Path, line: str) -> None:
    (tmp_path / "bobing.toml").write_text(f"[box]\n{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"\[box\] \w+ can't be .*allowed"):
        load(tmp_path / "bobing.toml")


def test_lamp_and_tunes_reach_the_box(table: Table, plugged: Serial, tmp_path: Path, ending: ExitStack) -> None:
    inputs = Inputs(table, Config(), tmp_path, ending)
    inputs.begin()
    lamp = next(shown for shown in iter(lambda: plugged.shown.get(timeout=WAIT_S), None) if shown.what == "lamp")
    assert lamp.value == 2
    inputs.press("B", True, 0)
    inputs.press("B", False, 0)
    tune = next(shown for shown in iter(lambda: plugged.shown.get(timeout=WAIT_S), None) if shown.what == "tune")
    assert tune.value == 1

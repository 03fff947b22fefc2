"""Settings, which may come out of somebody else's backup, lead neither out of the room nor to a file that is none, and never to less than was asked for."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from device.cli.appliance import Options
from device.cli.output import CallError
from device.config import Config, ConfigError, load, places, save
from device.errors import Fault
from device.pairing import Pairing
from device.rulesfile import load_rules
from device.sources import open_source
from firmware_bridge.system import open_port


@pytest.mark.parametrize("port", [
    "socket://10.0.0.9:80", "socket://localhost.example:80", "socket://127.0.0.1:80/logging=debug", "rfc2217://10.0.0.9:80",
    "spy:///dev/ttyS0?file={}", "spy://{}?file={}", "alt:///dev/ttyS0?class=Serial", "hwgrep://.*", "loop://", "SPY://x?file={}",
])  # fmt: skip
def test_a_box_is_a_port_of_this_machine_and_nothing_is_written_for_it(port: str, tmp_path: Path) -> None:
    written = tmp_path / "written"
    with pytest.raises(ValueError, match="no serial port"):
        open_port(port.replace("{}", str(written)))
    assert not written.exists()


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """What would be waited for for ever: nobody writes into this pipe."""
    if sys.platform == "win32":
        pytest.skip("Windows has no such files: run this test on Linux or macOS")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.mark.parametrize("key", ["[camera]\ncalibration", "[camera]\ndice", "[server]\ncertificate", "[server]\nkey"])
def test_a_setting_that_names_a_pipe_or_a_device_is_refused_at_once(endless: Path, key: str) -> None:
    file = endless.with_name("bobing.toml")
    for named in (endless, endless.parent):
        file.write_text(f'{key} = "{named}"\n', encoding="utf-8")
        with pytest.raises(ConfigError) as fault:
            load(file)
        assert "\n" not in fault.value.en and "the path of" in fault.value.en


def test_rules_and_recordings_are_read_from_files_only(endless: Path) -> None:
    with pytest.raises(Fault, match="no file"):
        load_rules(str(endless))
    with pytest.raises(Fault, match="no such file"):
        open_source(str(endless), lambda: 0.0)


@pytest.mark.parametrize("half", [{"certificate": "table.pem"}, {"key": "table.key"}])
def test_whoever_asked_for_https_is_never_served_without_it(tmp_path: Path, half: dict[str, str]) -> None:
    save(places(tmp_path).config, Config(**half))  # type: ignore[arg-type]
    options = Options(None, None, 0, str(tmp_path), None, None, None)

    def serve(*_: Any) -> Any:
        raise AssertionError("it was served")

    with pytest.raises(CallError, match="belong together"):
        options.run(serve)


PHONE = {"id": "a", "name": "x", "role": 1, "hash": "0" * 64, "made": 1.0, "seen": 2.0}
WHOLE = json.dumps({"secret": "11" * 32, "sessions": [PHONE]})


@pytest.mark.parametrize(
    ("whole", "damaged"),
    [('"id": "a"', '"id": 5'), ('"name": "x"', '"name": null'), ('"made": 1.0', '"made": "x"'), ('"seen": 2.0', '"seen": NaN'),
     ('"seen": 2.0', '"seen": [2]'), ('"role": 1', '"role": 9'), ('"role": 1', '"role": "x"'), ("0" * 64, "1"), (WHOLE, "[" * 100_000), (WHOLE, "[]"), (WHOLE, "")],
)  # fmt: skip
def test_a_damaged_list_of_phones_lets_nobody_in_and_says_so(tmp_path: Path, whole: str, damaged: str) -> None:
    file = tmp_path / "pairing.json"
    file.write_text(WHOLE, encoding="utf-8")
    assert [one.id for one in Pairing(file, lambda: 0.0, lambda: 0.0, os.urandom).sessions()] == ["a"]
    file.write_text(WHOLE.replace(whole, damaged, 1), encoding="utf-8")
    with pytest.raises(Fault) as fault:
        Pairing(file, lambda: 0.0, lambda: 0.0, os.urandom)
    assert fault.value.key == "pairing_damaged"

"""Nothing leaves the room: the appliance plays an evening without a route, and asks nobody but this machine for anything."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from device.config import Config, load
from device.errors import Fault
from device.sources import open_source

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.mark.skipif(sys.platform != "linux", reason="networks without a route are made on Linux: run this test there")
def test_an_evening_is_played_without_a_route_and_nobody_outside_is_asked(tmp_path: Path, figure: Any) -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / "room_without_a_door.py"), str(tmp_path / "tables")],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    how, played = done.stdout.split("\n")[:2]
    assert played == "played" and how in ("no route", "watched")
    heard = (tmp_path / "tables" / "audit").read_text(encoding="utf-8").splitlines()
    assert any("127.0.0.1" in line for line in heard)  # else nobody listened
    outside = [line for line in heard if not re.search(r"127\.0\.0\.1|'localhost'|'::1'|'/[^']*'", line)]
    assert outside == []
    assert [line for line in heard if line.startswith(("subprocess", "os."))] == []
    figure(f"an evening by hand and a demo, {how}; {len(heard)} connections, all to this machine")


def test_no_setting_can_name_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {f"{key.metadata['section']}.{key.metadata['name']}" for key in fields(Config)}
    assert not [name for name in names if re.search(r"command|program|exec|shell|run|script|hook|url", name)]
    monkeypatch.chdir(tmp_path)  # where a shell would leave its trace
    path = tmp_path / "bobing.toml"
    for value in ("|touch x", "$(touch x)", "`touch x`", "; touch x", "file:///etc/passwd", "videotestsrc ! filesink location=x", "concat:x", "pipe:0", "exec:touch x"):
        path.write_text(f"[camera]\nsource = {value!r}\n", encoding="utf-8")
        source = load(path).source
        assert source == value
        with pytest.raises(Fault) as fault:
            open_source(source, lambda: 0.0)
        assert "\n" not in fault.value.en
        assert [file.name for file in tmp_path.iterdir()] == ["bobing.toml"]


def test_programs_are_started_by_the_box_tools_alone() -> None:
    starts = re.compile(r"import subprocess|from subprocess|subprocess\.|os\.(?:system|exec|popen|spawn)|shell\s*=\s*True|\beval\(|\bexec\(|pickle|yaml\.load")
    found = {
        file.relative_to(ROOT).as_posix()
        for room in ("rules", "vision", "device", "web_ui", "firmware_bridge")
        for file in (ROOT / room).rglob("*.py")
        if starts.search(file.read_text(encoding="utf-8"))
    }
    assert found == {"firmware_bridge/emulation.py", "firmware_bridge/flash.py"}

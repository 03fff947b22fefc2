"""`bobing cameras`, `bobing doctor` and `bobing record` as they are called: what they look at, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

import bobing
from device.cli import doctor
from device.sources import demo_calibration, demo_file


def demo_calibration_bytes() -> bytes:
    return Path(demo_calibration()).read_bytes()


def points(capsys: pytest.CaptureFixture[str]) -> dict[str, bool | None]:
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {point["part"]: point["ok"] for point in lines}


def test_the_doctor_looks_at_every_part_and_says_what_to_mend(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), np.full((360, 640, 3), 90, np.uint8))
    status = bobing.main(["doctor", "--json", "--source", str(tmp_path / "table.png"), "--data", str(tmp_path / "data")])
    assert status == 1
    found = points(capsys)
    assert (found["camera"], found["light"], found["model"], found["box"]) == (True, False, True, None)
    assert {"speed", "disk", "port"} <= set(found)


def test_the_doctor_names_a_camera_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bobing.main(["doctor", "--source", "usb-nothing", "--data", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "MEND camera" in said
    assert "Traceback" not in said


def test_cameras_are_listed_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert bobing.main(["cameras", "--json"]) == 0
    for line in capsys.readouterr().out.splitlines():
        assert {"name", "device", "label"} <= set(json.loads(line))


def test_a_reader_that_is_too_slow_is_to_be_mended_with_a_calibration_or_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), np.full((360, 640, 3), 90, np.uint8))
    monkeypatch.setattr(doctor, "_fastest", lambda work: 2500.0)
    bobing.main(["doctor", "--json", "--source", str(tmp_path / "table.png"), "--data", str(tmp_path / "data")])
    assert points(capsys)["speed"] is False


@pytest.mark.parametrize("same", [True, False])
def test_the_doctor_says_that_the_view_is_not_the_calibrations(same: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The demo's own calibration, before the demo and before the same bowl seen from elsewhere."""
    ok, frame = cv2.VideoCapture(str(demo_file())).read()
    assert ok
    cv2.imwrite(str(tmp_path / "table.png"), frame if same else np.roll(frame[:, ::-1], 200, axis=1))
    (tmp_path / "bobing.toml").write_text(f'[camera]\ncalibration = "{demo_calibration()}"\n')
    bobing.main(["doctor", "--source", str(tmp_path / "table.png"), "--data", str(tmp_path)])
    assert ("calibrate again" in capsys.readouterr().out) is not same


@pytest.mark.parametrize("source", ["nope", "nope.mp4", "no/such/folder", "7"])
def test_a_recording_of_what_is_not_there_is_refused_in_one_line(source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bobing.main(["record", "--source", source, "--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr()
    assert len(said.err.splitlines()) == 1
    assert said.out == ""
    assert not (tmp_path / "out").exists()


def test_a_recording_of_the_demo_and_one_over_another_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bobing.main(["record", "--source", "demo", "--out", str(tmp_path)]) == 2
    (tmp_path / "recording.avi").write_bytes(b"an earlier evening")
    assert bobing.main(["record", "--source", "0", "--out", str(tmp_path)]) == 1
    assert "another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rules", "text", "ok", "words"),
    [("chase", None, True, "chase"), ("house.toml", 'preset = "chase"\n', True, "on the preset chase"),
     ("house.toml", None, False, "neither a preset"), ("house.toml", "six_ends = 1\n", False, "six_ends")],
)  # fmt: skip
def test_the_doctor_looks_at_the_rules_as_the_table_would(
    rules: str, text: str | None, ok: bool, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "evening"
    data.mkdir()
    (data / "bobing.toml").write_text(f'[table]\nrules = "{rules}"\n[server]\nport = 0\n')
    (tmp_path / "house.toml").write_text('preset = "company"\n')  # where the program is started: not this table's
    if text is not None:
        (data / "house.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert bobing.main(["doctor", "--json", "--data", "evening"]) == (0 if ok else 1)
    (said,) = [point for point in map(json.loads, capsys.readouterr().out.splitlines()) if point["part"] == "rules"]
    assert said["ok"] is ok and words in said["said"] and (rules == "chase" or str(data / rules) in said["said"])


def test_a_calibration_that_is_not_there_is_named_with_the_place_where_it_was_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "evening"
    data.mkdir()
    (data / "bobing.toml").write_text('[camera]\ncalibration = "bowl.calibration"\n')
    (tmp_path / "bowl.calibration").write_bytes(demo_calibration_bytes())
    monkeypatch.chdir(tmp_path)
    assert bobing.main(["doctor", "--data", "evening"]) == 1
    assert f"MEND model   {data / 'bowl.calibration'}: no such calibration file" in capsys.readouterr().out

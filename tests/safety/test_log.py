"""The log says what happened, grows no further than it may, and holds nobody's secrets; so does the file for diagnostics."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from device.config import Config
from device.diagnostics import bundle
from device.log import Log


def test_lines_are_json_one_a_line_and_turned_over(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.jsonl", lambda: 5.0, most=2000, kept=2)
    for n in range(200):
        log.write("throw", n=n, text="a\nb")
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["log.jsonl", "log.jsonl.1", "log.jsonl.2"]
    assert all(file.stat().st_size <= 2000 for file in files)
    lines = log.lines(10)
    assert [line["n"] for line in lines] == list(range(190, 200))
    assert lines[-1] == {"t": 5.0, "what": "throw", "n": 199, "text": "a | b"}


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.jsonl", lambda: 5.0)
    log.write("one")
    with (tmp_path / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"t": 5, "wh')
    assert [line["what"] for line in log.lines(10)] == ["one"]


def test_passwords_and_tokens_are_not_written(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.jsonl", lambda: 5.0)
    log.write("camera", source="rtsp://admin:secret@10.0.0.9/live", fault={"text": "cookie " + "ab" * 32})
    text = (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    assert "secret" not in text and "ab" * 32 not in text and "10.0.0.9/live" in text


def test_a_log_that_can_not_be_written_stops_nobody(tmp_path: Path) -> None:
    Log(tmp_path / "none" / "log.jsonl", lambda: 5.0).write("start")
    Log(None, lambda: 5.0).write("start")


def test_the_file_for_diagnostics_names_nobody(tmp_path: Path) -> None:
    config = Config(players=("王小明", "Zoë"), source="http://u:p@10.0.0.9/video?key=1", calibration="/somewhere/bowl")
    still = tmp_path / "a.jpg"
    still.write_bytes(b"\xff\xd8")
    lines = [{"what": "paired", "name": "王小明"}, {"what": "web", "fault": "Zoë said"}, {"what": "pair_wrong", "address": "192.168.1.77"}]
    for pictures in ([], [tmp_path / "gone.jpg", still]):
        content = bundle(config, {"camera": "ok for 王小明"}, ["Thrown"] * 3, lines, ["王小明", "Zoë"], pictures)
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            text = "".join(archive.read(name).decode() for name in archive.namelist() if not name.endswith(".jpg"))
            assert any(name.startswith("pictures/") for name in archive.namelist()) == bool(pictures)
            assert json.loads(archive.read("journal.json")) == {"records": 3, "kinds": {"Thrown": 3}}
        for secret in ("王小明", "Zoë", "u:p@", "key=1", "/somewhere", "192.168.1.77"):
            assert secret not in text

"""Whatever a camera's address holds besides the address stands in no log, no page, no notice and no diagnostics."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from device.config import Config
from device.diagnostics import bundle
from device.errors import Fault
from device.hostile import address_shown, without_credentials
from device.log import Log
from device.sources import open_source

CAMERAS = ("rtsp://user:SECRET@10.0.0.9:554/live", "rtsp://user:p@SECRET@10.0.0.9/live", "http://user:p/SECRET@10.0.0.9/live",
           "http://10.0.0.9/live?user=admin&pwd=SECRET", "http://10.0.0.9/live#SECRET", "HTTP://SECRET@10.0.0.9/live?SECRET")  # fmt: skip


@pytest.mark.parametrize("address", CAMERAS)
def test_passwords_of_cameras_are_shown_nowhere(address: str, tmp_path: Path) -> None:
    told = f"{address}: no picture comes from there: plug it in"
    log = Log(tmp_path / "log.jsonl", lambda: 5.0)
    log.write("start", source=address, words=told)
    with zipfile.ZipFile(io.BytesIO(bundle(Config(source=address), {}, [], [{"words": without_credentials(told)}], []))) as archive:
        bundled = "".join(archive.read(name).decode() for name in archive.namelist())
    logged = (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    for shown in (address_shown(address), without_credentials(told), logged, bundled):
        assert "SECRET" not in shown and "10.0.0.9" in shown
    assert without_credentials(told).endswith(": no picture comes from there: plug it in")


def test_a_source_that_is_no_address_is_shown_as_it_is() -> None:
    for source in ("0", "usb-Lamp_1", "/home/a@b/throws?.mp4", "demo"):
        assert address_shown(source) == without_credentials(source) == source
    assert address_shown("http://user:my SECRET@10.0.0.9/") == "http://…@10.0.0.9/"


@pytest.mark.parametrize("address", [*CAMERAS, "rtmp://user:SECRET@10.0.0.9/live"])
def test_a_camera_that_is_not_there_is_told_of_without_its_password(address: str) -> None:
    try:
        opened = open_source(address, lambda: 0.0)
    except Fault as fault:
        assert "SECRET" not in fault.en + fault.zh
    else:
        assert "SECRET" not in opened.name
        opened.close()

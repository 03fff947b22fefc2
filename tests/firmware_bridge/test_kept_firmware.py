"""The built firmware that is kept for people without a compiler is the source's, whole, and named as what it is."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from emulated import FIRMWARE, built_firmware, needs

from firmware_bridge.firmware_files import CHIPS, FOLDER, DamagedFirmware, kept
from firmware_bridge.pretended import FIRMWARE as PRETENDED


@pytest.mark.parametrize("chip", CHIPS)
def test_its_hash_and_version_are_right(chip: str) -> None:
    firmware = kept(chip)
    assert firmware.sha256 == hashlib.sha256(firmware.file.read_bytes()).hexdigest()
    stated = re.search(r"^VERSION := (\S+)$", (FOLDER / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert stated is not None
    assert firmware.version == stated[1] == PRETENDED


def test_it_is_what_the_source_builds(tmp_path: Path) -> None:
    needs("avr-gcc")
    compiler = subprocess.run(["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()
    built_firmware(tmp_path)
    for name in CHIPS.values():
        assert (tmp_path / name).stat().st_size < 32_000
        if compiler == "5.4.0":  # another compiler makes other code of the same source
            assert (tmp_path / name).read_bytes() == (FIRMWARE / name).read_bytes(), "run make keep in firmware_bridge/firmware"


@pytest.mark.parametrize("harm", ["changed", "hex missing", "no list", "list broken"])
def test_a_damaged_file_is_never_flashed(tmp_path: Path, harm: str) -> None:
    name = CHIPS["atmega328p"]
    for file in (name, "built.json"):
        shutil.copy(FOLDER / file, tmp_path)
    if harm == "changed":
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes().replace(b":10", b":11", 1))
    elif harm == "hex missing":
        (tmp_path / name).unlink()
    elif harm == "no list":
        (tmp_path / "built.json").unlink()
    else:
        (tmp_path / "built.json").write_text(json.dumps([1]), encoding="utf-8")
    with pytest.raises(DamagedFirmware, match="install bobing again"):
        kept("atmega328p", tmp_path)

"""The built firmware that is kept beside its source: which version, and whether the file is the one that was built."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "firmware"
CHIPS = {"atmega328p": "bobing-box-atmega328p.hex", "atmega32u4": "bobing-box-atmega32u4.hex"}


class DamagedFirmware(Exception):
    """The kept file is missing or not the one that was built; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Firmware:
    """A built firmware. sha256: of the file, checked."""

    chip: str
    version: str
    file: Path
    sha256: str


def kept(chip: str, folder: Path = FOLDER) -> Firmware:
    """The kept firmware for a chip of CHIPS; raises DamagedFirmware."""
    file = folder / CHIPS[chip]
    try:
        built = json.loads((folder / "built.json").read_text(encoding="utf-8"))
        version, expected = str(built["version"]), str(built["sha256"][file.name])
        found = hashlib.sha256(file.read_bytes()).hexdigest()
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise DamagedFirmware(f"{file}: the built firmware is not there: install bobing again") from fault
    if found != expected:
        raise DamagedFirmware(f"{file}: the file is damaged (its SHA-256 is not the kept one): install bobing again")
    return Firmware(chip, version, file, expected)

"""What helps somebody far away to find a fault, in one file: without names, addresses, codes, and pictures only by consent."""

from __future__ import annotations

import io
import json
import platform
import sys
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields
from importlib import metadata
from pathlib import Path
from typing import Any

from device.config import Config
from device.hostile import address_shown

LINES = 2000
MOST_PICTURES = 20
NAMED = ("players", "certificate", "key", "calibration", "dice", "rules")
"""Settings that may name people or folders: only whether they are set is told."""
LIBRARIES = ("flask", "werkzeug", "cheroot", "opencv-python", "numpy", "onnxruntime", "pyserial")
ABOUT = """What is in here, and what is not:
about.json     program, system, libraries
health.json    camera, reader, journal, box, in words
settings.json  the settings; names of players, files and passwords are left out
journal.json   how many records of which kind; no names, no results
log.jsonl      the last lines of the log; passwords and codes were never in it, players' names are replaced
pictures/      only if it was asked for: the last stills of throws
"""


def bundle(
    config: Config,
    health: Mapping[str, str],
    records: Iterable[str],
    lines: list[dict[str, Any]],
    names: Iterable[str],
    pictures: Iterable[Path] = (),
) -> bytes:
    """The file, a ZIP. records: the types of the journal's records; names: of people, to be replaced; pictures: by consent."""
    kinds: dict[str, int] = {}
    for kind in records:
        kinds[kind] = kinds.get(kind, 0) + 1
    hidden = {name: f"player {n}" for n, name in enumerate(sorted(set(names), key=len, reverse=True), 1)}

    def told(value: Any) -> str:
        text = json.dumps(value, ensure_ascii=False)
        for name, instead in hidden.items():
            text = text.replace(json.dumps(name, ensure_ascii=False)[1:-1], instead)
        return text.replace(str(Path.home()), "~")

    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", ABOUT)
        archive.writestr("about.json", told(_about()))
        archive.writestr("health.json", told(dict(health)))
        archive.writestr("settings.json", told(_settings(config)))
        archive.writestr("journal.json", told({"records": sum(kinds.values()), "kinds": kinds}))
        logged = ({key: value for key, value in line.items() if key != "address"} for line in lines[-LINES:])  # whose phone tried a code
        archive.writestr("log.jsonl", "".join(told(line) + "\n" for line in logged))
        for picture in list(pictures)[-MOST_PICTURES:]:
            with suppress(OSError):  # it has just gone for room
                archive.writestr(f"pictures/{picture.name}", picture.read_bytes())
    return held.getvalue()


def _about() -> dict[str, Any]:
    return {
        "program": _version("bobing-table"),
        "python": sys.version.split()[0],
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "libraries": {name: _version(name) for name in LIBRARIES},
    }


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _settings(config: Config) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for one in fields(Config):
        value = getattr(config, one.name)
        where = f"{one.metadata['section']}.{one.metadata['name']}"
        if one.name in NAMED and not (one.name == "rules" and isinstance(value, str) and value.isalnum()):
            out[where] = "set" if value else "not set"
        else:
            out[where] = address_shown(value) if isinstance(value, str) else value
    return out

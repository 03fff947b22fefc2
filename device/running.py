"""Where the table that runs from a folder can be reached, for commands of the same user on the same machine."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from device.errors import Fault
from device.files import write_whole

LOOPBACK = ("127.0.0.1", "::1", "localhost")
FILE_NAME = "running.json"  # in the data folder; for its owner alone to read


@dataclass(frozen=True, slots=True)
class Running:
    """address: of the table, as http://127.0.0.1:8063; console: the word that proves who can read the folder."""

    address: str
    console: str
    process: int


def reachable_here(host: str, port: int, secure: bool) -> str:
    """The address at which this machine reaches a table that listens at `host`."""
    name = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"{'https' if secure else 'http'}://{'[' + name + ']' if ':' in name else name}:{port}"


def announce(folder: Path, address: str, console: str) -> None:
    """Say that a table runs; without a folder (a demo on a fresh machine) or room nothing is said."""
    if folder.is_dir():
        with suppress(OSError):
            write_whole(folder / FILE_NAME, json.dumps(asdict(Running(address, console, os.getpid()))).encode())


def leave(folder: Path) -> None:
    """Take the announcement away."""
    with suppress(OSError):
        (folder / FILE_NAME).unlink(missing_ok=True)


def find(folder: Path) -> Running:
    """The table that runs from this folder; raises Fault where none does."""
    try:
        return Running(**json.loads((folder / FILE_NAME).read_bytes()))
    except (OSError, ValueError, TypeError) as fault:
        raise Fault(
            "not_running",
            f"no table runs from {folder}: start it with bobing run, or name its folder with --data",
            f"{folder} 没有正在运行的牌桌：请先 bobing run，或用 --data 指定",
        ) from fault

"""What happened, as lines of JSON in a file that is turned over when it is large; nobody's secrets stand in it.

Writing a line never fails: a full disk costs the line, never the game.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from device.hostile import plain, without_credentials

FILE_NAME = "log.jsonl"  # in the data folder of a table
MOST_BYTES, KEPT = 1_000_000, 4
MOST_TEXT = 4000
_SECRET = re.compile(r"\b[0-9a-f]{32,}\b|\b\d{3} ?\d{3}\b(?=.{0,12}(?:code|配对码))", re.IGNORECASE)


class Log:
    """Lines {"t": unix seconds, "what": …, further fields}; any thread may write. path: None keeps nothing."""

    def __init__(self, path: Path | None, wall: Callable[[], float], most: int = MOST_BYTES, kept: int = KEPT) -> None:
        """most: bytes of one file; kept: how many older ones stay, as log.jsonl.1 (the newest of them) and on."""
        self._path = path
        self._wall = wall
        self._most, self._kept = most, kept
        self._guard = threading.Lock()

    def write(self, what: str, **fields: object) -> None:
        """Note what happened; texts are cut, made one line, and lose passwords and tokens."""
        if self._path is None:
            return
        line = json.dumps({"t": round(self._wall(), 3), "what": what, **_clean(fields)}, ensure_ascii=False) + "\n"
        with self._guard, suppress(OSError):
            if self._path.exists() and self._path.stat().st_size + len(line.encode()) > self._most:
                self._turn_over()
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line)

    def lines(self, most: int) -> list[dict[str, Any]]:
        """The last lines, oldest first; what is no JSON (a line cut short by a power cut) is left out."""
        return list(self._read())[-most:]

    def _read(self) -> Iterator[dict[str, Any]]:
        for path in [*(self._older(n) for n in range(self._kept, 0, -1)), self._path]:
            if path is None or not path.is_file():
                continue
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                with suppress(ValueError):
                    value = json.loads(line)
                    if isinstance(value, dict):
                        yield value

    def _turn_over(self) -> None:
        for number in range(self._kept, 0, -1):
            older, newer = self._older(number), self._older(number - 1) if number > 1 else self._path
            if older is not None and newer is not None and newer.exists():
                newer.replace(older)

    def _older(self, number: int) -> Path | None:
        return None if self._path is None else self._path.with_name(f"{self._path.name}.{number}")


def _clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key)[:60]: _clean(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(inner) for inner in value[:50]]
    if isinstance(value, bool | int | float) or value is None:
        return value
    lines = [plain(line, MOST_TEXT) for line in str(value)[:MOST_TEXT].splitlines()]
    return _SECRET.sub("…", without_credentials(" | ".join(line for line in lines if line)))

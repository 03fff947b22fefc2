"""How commands speak: results to standard output, words for people to standard error, faults as one plain line."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

from device.permission import closed, kept_back, not_allowed

OK, WORLD, CALL = 0, 1, 2
"""Exit status: done; a fault in the world; the call was wrong (design.md)."""


class CallError(Exception):
    """The call was wrong: one plain line, exit status 2."""


class WorldError(Exception):
    """The world is at fault: one plain line, exit status 1."""


def speak_utf8() -> bool:
    """Names and tiers are Chinese: the standard streams are UTF-8 whatever the console's code page is.

    A file's name that is no UTF-8 goes out as it came in. A closed input is an empty one; False where there is no output.
    """
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - to the end
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - to the end
    if sys.stdout is None:
        say("bobing: standard output is closed: there is nowhere to write results to")
        return False
    streams = (sys.stdin, "strict"), (sys.stdout, "surrogateescape"), (sys.stderr, "backslashreplace")
    for stream, errors in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)
    return True


def place_for(command: str, out: str) -> Path:
    """The path of a file that is to be written, asked for before the work; raises WorldError where there is no folder for it, where this user may not write there, or where it is one."""
    path = Path(out)
    if kept_back(path.parent):
        raise WorldError(f"{command}: {not_allowed(out, 'write').en}")
    if not path.parent.is_dir():
        raise WorldError(f"{command}: {out}: there is no folder {path.parent}: make it, or choose another place with --out")
    if closed(path):
        raise WorldError(f"{command}: {not_allowed(out, 'write').en}")
    if path.is_dir():
        raise WorldError(f"{command}: {out} is a folder: name a file in it with --out")
    return path


def emit(value: Any) -> None:
    """One JSON value as one line of standard output, at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def counted(n: int, thing: str) -> str:
    """So many of a thing whose plural ends in s: "1 throw", "2 throws"."""
    return f"{n} {thing}{'' if n == 1 else 's'}"


def line(text: str) -> None:
    """One line of result for people on standard output."""
    sys.stdout.write(text + "\n")


def say(text: str) -> None:
    """One line for people on standard error."""
    sys.stderr.write(" ".join(text.splitlines()) + "\n")

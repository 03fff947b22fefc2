"""How commands speak: results to standard output, words for people to standard error, faults as one plain line."""

from __future__ import annotations

import json
import sys
from typing import Any

OK, WORLD, CALL = 0, 1, 2
"""Exit status: done; a fault in the world; the call was wrong (design.md)."""


class CallError(Exception):
    """The call was wrong: one plain line, exit status 2."""


class WorldError(Exception):
    """The world is at fault: one plain line, exit status 1."""


def emit(value: Any) -> None:
    """One JSON value as one line of standard output, at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def line(text: str) -> None:
    """One line of result for people on standard output."""
    sys.stdout.write(text + "\n")


def say(text: str) -> None:
    """One line for people on standard error."""
    sys.stderr.write(text + "\n")

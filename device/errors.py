"""The small errors of the table: you did wrong (Refused), you were late (Stale), the world is at fault (Fault)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class TableError(Exception):
    """Anything the table says no to; carries a message key and the sentence in Chinese and English."""

    def __init__(self, key: str, en: str, zh: str = "") -> None:
        super().__init__(en)
        self.key = key
        self.en = en
        self.zh = zh or en


class Refused(TableError):
    """The command makes no sense now, or is malformed; nothing was changed."""


class Stale(TableError):
    """The command was given for an older state; the current one comes with the refusal."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        super().__init__("stale", "the table has moved on; look again", "牌面已更新，请再看一眼")
        self.state = state


class Fault(TableError):
    """Something in the world is wrong (a disk, a camera, a file); the sentence says what to do."""

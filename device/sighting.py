"""What the lookout tells the Table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the lookout tells the Table. event: a watcher's word; values: six sorted dice where it read them.

    asked: the record of a question as `question.asked_of` makes it (for "throw" and "changed"); sure: the values can be credited.
    """

    event: str
    values: tuple[int, ...] = ()
    sure: bool = False
    asked: Mapping[str, Any] | None = None
    still: tuple[str, bytes] | None = None

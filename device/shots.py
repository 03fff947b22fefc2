"""A frame with its place in time, and what every source of frames can do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from vision.reading import Frame


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: its number from 0, its time in seconds (of the recording, or of the clock for a live source)."""

    index: int
    t: float
    frame: Frame


class Source(Protocol):
    """Frames in order; iterate once, then close. live: frames arrive by themselves and never end by plan."""

    live: bool
    name: str

    def __iter__(self) -> Iterator[Shot]:
        """The shots; raises Fault where the source fails on the way."""
        ...

    def close(self) -> None:
        """Let go of the device or file."""
        ...

"""What the watcher tells, and what it remembers of the last scene at rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vision.motion import Small
from vision.reading import Die, Frame, Reading


@dataclass(frozen=True, slots=True)
class Seen:
    """One thing seen. frame, t: when it is reported; started_frame: when the movement began that led to it."""

    event: str
    frame: int
    t: float
    started_frame: int
    reading: Reading | None = None

    def as_json(self) -> dict[str, Any]:
        """The line of `bobing watch`, less ms, which the caller knows."""
        line: dict[str, Any] = {"event": self.event, "frame": self.frame, "t": round(self.t, 3)}
        if self.reading is None:
            return line
        return {
            **line,
            "started_frame": self.started_frame,
            "values": list(self.reading.values),
            "outside": self.reading.outside,
            "verdict": str(self.reading.verdict),
            "why": self.reading.why,
        }


@dataclass(frozen=True, slots=True)
class Scene:
    """The last scene at rest: its picture, small and whole, and the dice in it; counted: reported as a throw."""

    small: Small
    frame: Frame
    dice: tuple[Die, ...]
    counted: bool

    @property
    def values(self) -> tuple[int, ...]:
        """Sorted values of the dice in the bowl."""
        return tuple(sorted(die.value for die in self.dice if die.in_bowl and die.value is not None))

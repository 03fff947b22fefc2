"""What every input says, a box or a keyboard alike: a button of a source went down or up."""

from __future__ import annotations

from dataclasses import dataclass

BUTTONS = "ABCD"


@dataclass(frozen=True, slots=True)
class Edge:
    """source: which input ("box", "tv", "evdev:…"); button: a letter of BUTTONS; at: monotonic seconds when it was taken over.

    age: milliseconds between the finger and `at`, by the input's own clock.
    """

    source: str
    button: str
    down: bool
    age: int
    at: float

    @property
    def when(self) -> float:
        """When the finger moved, monotonic seconds."""
        return self.at - self.age / 1000


@dataclass(frozen=True, slots=True)
class Gone:
    """A source went away or began anew: what it held down is void."""

    source: str

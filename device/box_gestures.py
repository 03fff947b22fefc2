"""From edges to what a hand meant: a press on release, a hold, two buttons together. Time is an argument.

Rules of this file: nothing happens at a press but at its release, so that a hold or a chord can call it off; a source that
goes away takes with it what it held down.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.events import Edge

HOLD_S = 2.0
LATE_WAIT_S = 0.3
"""A press that was told late may be followed by its release at once: so long it is waited for."""
HOLDS = "A"
"""Buttons whose hold means something of its own."""
CHORD = frozenset("AB")


@dataclass(frozen=True, slots=True)
class Gesture:
    """kind: "press", "hold" or "chord"; button: its letter, "AB" for a chord; began, ended: when the finger moved, monotonic seconds."""

    kind: str
    source: str
    button: str
    began: float
    ended: float


@dataclass(slots=True)
class _Down:
    since: float
    told: float
    spent: bool = False
    """What it meant has been told already, or was called off."""


class Gestures:
    """Watches all sources; each call returns what has been meant by now."""

    def __init__(self) -> None:
        self._down: dict[tuple[str, str], _Down] = {}

    def feed(self, edge: Edge) -> list[Gesture]:
        """A button went down or up."""
        key = (edge.source, edge.button)
        if edge.down:
            self._down[key] = _Down(edge.when, edge.at)
            return self._chord(edge)
        held = self._down.pop(key, None)
        if held is None or held.spent:
            return []
        kind = "hold" if edge.button in HOLDS and edge.when - held.since >= HOLD_S else "press"
        return [Gesture(kind, edge.source, edge.button, held.since, edge.when)]

    def tick(self, now: float) -> list[Gesture]:
        """A hold is answered while the finger is still down."""
        held = []
        for (source, button), down in self._down.items():
            if button in HOLDS and not down.spent and now >= max(down.since + HOLD_S, down.told + LATE_WAIT_S):
                down.spent = True
                held.append(Gesture("hold", source, button, down.since, now))
        return held

    def gone(self, source: str) -> None:
        """The source went away or began anew."""
        self._down = {key: down for key, down in self._down.items() if key[0] != source}

    def _chord(self, edge: Edge) -> list[Gesture]:
        if edge.button not in CHORD:
            return []
        both = [self._down.get((edge.source, button)) for button in sorted(CHORD)]
        if any(down is None or down.spent for down in both):
            return []
        began = min(down.since for down in both if down is not None)
        for down in both:
            if down is not None:
                down.spent = True
        return [Gesture("chord", edge.source, "AB", began, edge.when)]

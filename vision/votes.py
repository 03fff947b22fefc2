"""Looks at dice at rest, some moments apart, and the one reading that they come to."""

from __future__ import annotations

from vision.reading import Reading
from vision.rest import voted

LOOKS = 3
FIRST_S, EVERY_S = 0.09, 0.06
SLOW_AFTER_S, SLOW_EVERY_S = 1.5, 0.3
"""After so long a rest that is still unclear there is no hurry."""


class Votes:
    """The last few looks of one rest."""

    def __init__(self) -> None:
        self._looks: list[tuple[float, Reading]] = []

    def clear(self) -> None:
        """Something moved: what was seen before counts no more."""
        self._looks.clear()

    def due(self, t: float, still_for: float) -> bool:
        """Whether it is time for a look, t in seconds, all still for so long."""
        every = EVERY_S if still_for < SLOW_AFTER_S else SLOW_EVERY_S
        return still_for >= FIRST_S and (not self._looks or t - self._looks[-1][0] >= every)

    def add(self, t: float, reading: Reading) -> Reading | None:
        """One look; what all of them come to, None while there are too few."""
        self._looks = [*self._looks[1 - LOOKS :], (t, reading)]
        return None if len(self._looks) < LOOKS else voted([look for _, look in self._looks])

"""A stream that stalls: the very same picture again, in the midst of a roll, shows nothing of dice at rest."""

from __future__ import annotations

import numpy as np

from vision.reading import Frame

EVERY = 4
"""Pictures are compared at every so many pixels: a camera's own noise makes any two of them differ there."""
ROLLED = 2
"""New pictures with movement after which something rolls; one alone may be a cut, or a knock."""
PATIENCE_S = 2.2
"""A picture that stays for longer is taken for what it shows: cameras whose software codes a scene at rest repeat it too."""


class Repeats:
    """Follows one stream. A picture that repeats the one before tells of no stillness until it has stayed for long."""

    def __init__(self) -> None:
        self._last: Frame | None = None
        self._new_t = 0.0
        self._moving = 0

    def stalls(self, frame: Frame, t: float) -> bool:
        """Whether this picture (t in seconds) only repeats the one before while something rolls."""
        few = frame[::EVERY, ::EVERY]
        if self._last is None or not np.array_equal(few, self._last):
            self._last, self._new_t = few.copy(), t
            return False
        return self._moving >= ROLLED and t - self._new_t < PATIENCE_S

    def moved(self) -> None:
        """The new picture shows movement."""
        self._moving += 1

    def settled(self) -> None:
        """What moved lies still and is known."""
        self._moving = 0

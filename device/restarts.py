"""How soon a lost camera is opened again: at once at first, ever more rarely while it stays away. Time is an argument."""

from __future__ import annotations

FIRST_S, MOST_S = 0.5, 10.0
WELL_S = 30.0
"""After so long with pictures the count begins anew."""


class Restarts:
    """The budget of one camera: six openings in the first half minute, then one in ten seconds."""

    def __init__(self) -> None:
        self._wait = FIRST_S
        self._opened = 0.0

    def opened(self, t: float) -> None:
        """Pictures come, since t."""
        self._opened = t

    def wait(self, t: float, well: bool) -> float:
        """Seconds to wait before the next opening; well: pictures had come since the last one."""
        if well and t - self._opened >= WELL_S:
            self._wait = FIRST_S
        wait, self._wait = self._wait, min(MOST_S, 2 * self._wait)
        return wait

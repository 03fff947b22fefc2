"""The time of day as a table counts it: a clock that is put right, or jumps, moves neither the game nor its closing hour."""

from __future__ import annotations

from collections.abc import Callable

JUMP_S = 30.0
"""A wall clock that runs away from the monotonic one by more than this between two looks has jumped."""


class SteadyWall:
    """Unix seconds from `wall`, with every jump against `clock` (monotonic seconds) taken out while the program runs."""

    def __init__(self, wall: Callable[[], float], clock: Callable[[], float]) -> None:
        self._wall, self._clock = wall, clock
        self._last = (wall(), clock())
        self._jumped = 0.0

    def __call__(self) -> float:
        """Unix seconds; never further from the last answer than the time that has passed, give or take JUMP_S."""
        wall, clock = self._wall(), self._clock()
        astray = (wall - self._last[0]) - (clock - self._last[1])
        if abs(astray) > JUMP_S:
            self._jumped += astray
        self._last = (wall, clock)
        return wall - self._jumped

"""Hands over the bowl: since when one is there, whether it was told, and whether anybody reached in since the last report."""

from __future__ import annotations

from vision.scene import Change

HAND_S = 0.2
"""Dice in flight may look as large as a hand, but not for so long."""
REACH, REACH_S = 0.03, 0.1
"""An arm comes over the picture's border: one piece from there over this part of the bowl, for so long, is somebody's."""


class Hands:
    """Follows one bowl; fed with each picture's change since the last scene at rest."""

    def __init__(self) -> None:
        self.since: float | None = None
        self.told = False
        self.reached = False
        """Whether somebody reached into the bowl, or it was seen empty, since the last throw or change was told."""
        self._reaching: float | None = None

    def see(self, change: Change, t: float) -> bool:
        """One picture with movement, t in seconds; whether a hand is there now and should be told."""
        if change.reach <= REACH:
            self._reaching = None
        else:
            self._reaching = t if self._reaching is None else self._reaching
            self.reached = self.reached or t - self._reaching >= REACH_S
        if not change.hand:
            self.since = None
            return False
        self.since = t if self.since is None else self.since
        return t - self.since >= HAND_S and not self.told

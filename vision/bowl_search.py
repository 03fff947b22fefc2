"""Looking for the bowl in a stream, ever more rarely while none is found: a search costs as much as fifty frames."""

from __future__ import annotations

from vision.bowl import Bowl, find_bowl
from vision.reading import Frame

FIRST_S, MOST_S, RARER = 0.5, 4.0, 1.5


class BowlSearch:
    """When to look for a bowl that is not known, and the look."""

    def __init__(self) -> None:
        self._looked: float | None = None
        self._every = FIRST_S

    def look(self, frame: Frame, t: float) -> Bowl | None:
        """The bowl in this frame, t in seconds; None where it is not time to look, or none is certain."""
        if self._looked is not None and t - self._looked < self._every:
            return None
        self._looked = t
        found = find_bowl(frame)
        self._every = min(MOST_S, RARER * self._every)
        if found is None or not found.certain:
            return None
        self._every = FIRST_S
        height, width = frame.shape[:2]
        return Bowl(found.rim, None, width, height)

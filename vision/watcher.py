"""A stream of frames to throws: a state machine without I/O; time comes in with each frame.

empty → something moves → it lies still → read at several moments → reported once → dice lie there → taken out → empty

What holds:
- nothing is reported before the same dice have been seen in the same places three times, over a fifth of a second;
- dice that lie there when watching begins are `found`, never a throw; what is reported once is never reported again;
- dice taken out one by one are no throw; a die moved after the report is `changed`;
- many dice in new places are a new throw, whether or not the bowl was seen empty in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vision.bowl import Bowl, find_bowl
from vision.motion import Motion, Stir
from vision.reading import DiceReader, Frame, Reading, Verdict
from vision.rest import at_rest, compare, voted

LOOKS = 3
FIRST_LOOK_S = 0.05
LOOK_EVERY_S = 0.095
GRACE_S = 0.3
PEEK_EVERY_S = 0.1
CALM_SHARE = 0.03
DARK_S = 0.5
HAND_SHARE = 0.12
FIND_EVERY_S = 0.5
ROUND_BOWL = 0.2


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


class Watcher:
    """Watches one stream. reader_for(bowl) gives a reader; bowl None: it is looked for in the frames themselves.

    open_table: no bowl, the whole picture counts, a camera in a hand is allowed for, and each new rest is a throw.
    """

    def __init__(
        self,
        reader_for: Callable[[Bowl | None], DiceReader],
        bowl: Bowl | None,
        *,
        expect: int = 6,
        open_table: bool = False,
    ) -> None:
        self._reader_for = reader_for
        self._reader = reader_for(bowl)
        self._bowl = bowl
        self._expect = expect
        self._open = open_table
        self._motion = Motion(None if bowl is None else bowl.box(ROUND_BOWL))
        self._looked_for_bowl: float | None = None
        self._still_since: float | None = None
        self._settled = False
        self._looks: list[tuple[float, Reading]] = []
        self._started = 0
        self._lying: Reading | None = None
        self._counted = False
        self._emptied = False
        self._peeked = -1.0
        self._dark_since: float | None = None
        self._dark_told = False
        self._hand_told = False

    def feed(self, frame: Frame, index: int, t: float) -> list[Seen]:
        """What this frame (number from 0, time in seconds) brings to report, in order; mostly nothing."""
        self._look_for_bowl(frame, t)
        stir = self._motion.feed(frame)
        if self._dark(stir, t):
            if self._dark_told:
                return []
            self._dark_told = True
            return [Seen("dark", index, t, index)]
        calm = stir.still or (self._open and stir.share <= CALM_SHARE)
        if not calm:
            return self._moving(frame, stir, index, t)
        if self._still_since is None:
            self._still_since = t
        return self._resting(frame, index, t)

    def _look_for_bowl(self, frame: Frame, t: float) -> None:
        """Without a calibration: the bowl is looked for twice a second until it is certain."""
        if self._open or self._bowl is not None:
            return
        if self._looked_for_bowl is not None and t - self._looked_for_bowl < FIND_EVERY_S:
            return
        self._looked_for_bowl = t
        found = find_bowl(frame)
        if found is not None and found.certain:
            height, width = frame.shape[:2]
            self._bowl = Bowl(found.rim, None, width, height)
            self._reader = self._reader_for(self._bowl)
            self._motion = Motion(self._bowl.box(ROUND_BOWL))

    def _dark(self, stir: Stir, t: float) -> bool:
        if not stir.dark:
            self._dark_since, self._dark_told = None, False
            return False
        if self._dark_since is None:
            self._dark_since = t
        return t - self._dark_since >= DARK_S

    def _moving(self, frame: Frame, stir: Stir, index: int, t: float) -> list[Seen]:
        if self._still_since is not None:
            self._started = index
            self._hand_told = False
        self._still_since, self._settled = None, False
        self._looks.clear()
        seen: list[Seen] = []
        if stir.share >= HAND_SHARE and not self._hand_told and self._lying is not None:
            self._hand_told = True
            seen.append(Seen("hand", index, t, self._started))
        if (
            self._lying is not None
            and self._lying.dice
            and t - self._peeked >= PEEK_EVERY_S
            and stir.share < CALM_SHARE
        ):
            self._peeked = t
            peek = self._reader.read(frame, expect=self._expect)
            if peek.verdict == Verdict.EMPTY and not peek.hand:
                seen += self._cleared(index, t, peek)
        return seen

    def _cleared(self, index: int, t: float, empty: Reading) -> list[Seen]:
        """The bowl is seen empty though something still moves (a hand that is leaving, dice that are coming)."""
        if not self._emptied:
            self._emptied = True  # believed at the second look
            return []
        self._emptied = False
        self._lying, self._counted = empty, False
        return [Seen("cleared", index, t, self._started)]

    def _resting(self, frame: Frame, index: int, t: float) -> list[Seen]:
        assert self._still_since is not None
        if self._settled or t - self._still_since < FIRST_LOOK_S:
            return []
        if self._looks and t - self._looks[-1][0] < LOOK_EVERY_S:
            return []
        reading = self._reader.read(frame, expect=self._expect)
        if self._looks and not at_rest(self._looks[-1][1], reading, self._open):
            self._looks.clear()
        self._looks.append((t, reading))
        if len(self._looks) < LOOKS:
            return []
        result = voted([look for _, look in self._looks[-LOOKS:]])
        if self._wait(result, t):
            return []
        self._settled = True
        return self._settle(result, index, t)

    def _wait(self, reading: Reading, t: float) -> bool:
        """Whether it is too early to say: a hand is there, or dice may still come."""
        if reading.hand:
            return True
        assert self._still_since is not None
        return reading.verdict == Verdict.INCOMPLETE and t - self._still_since < GRACE_S

    def _settle(self, reading: Reading, index: int, t: float) -> list[Seen]:
        before, emptied = self._lying, self._emptied
        self._lying, self._emptied = reading, False
        if before is None:
            return [Seen("found", index, t, index, reading)] if reading.dice else []
        if not reading.dice:
            self._counted = False
            return [Seen("cleared", index, t, self._started)] if before.dice else []
        if not before.dice:
            self._counted = True
            return [Seen("throw", index, t, self._started, reading)]
        change = compare(before, reading, self._open)
        if change.same or (change.come == 0 and change.turned == 0):
            return []  # nothing new; or some were taken out and the others lie as they lay
        if self._is_new(reading, change.in_place, emptied):
            self._counted = True
            return [Seen("throw", index, t, self._started, reading)]
        return [Seen("changed", index, t, self._started, reading)] if self._counted else []

    def _is_new(self, reading: Reading, in_place: int, emptied: bool) -> bool:
        """Whether so many dice lie in new places that they were thrown, not nudged."""
        if self._open:
            return True
        return in_place <= (2 if emptied else 1) and len(reading.dice) > in_place

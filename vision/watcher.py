"""A stream of frames to throws: a state machine without I/O; time comes in with each frame.

empty → something moves → it lies still → read at several moments → reported once → dice lie there → taken out → empty

What holds:
- nothing is reported before the picture has been still, with no hand over the bowl, for a quarter of a second;
- dice that lie there when watching begins are `found`, never a throw; what is reported once is never reported again;
- dice taken out one by one are no throw; a die moved after the report is `changed`;
- many dice in new places are a new throw, whether or not the bowl was seen empty in between;
- a picture that is the old one, shifted, is a knocked camera, not a throw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vision import scene as scenes
from vision.bowl import Bowl, find_bowl
from vision.bump import Check, RimGuard, Standing
from vision.motion import Motion, Shrinker, Small, Stir, drifted
from vision.reading import DiceReader, Die, Frame, Reading, Verdict
from vision.rest import compare, stayed, voted

LOOKS = 3
FIRST_LOOK_S, LOOK_EVERY_S = 0.09, 0.06
GRACE_S, LONG_GRACE_S = 0.3, 1.0
"""Stillness before fewer dice than expected are reported; the longer one where only one or two are seen."""
SAME_S = 0.1
DARK_S = 0.5
PEEK_EVERY_S = 0.1
TAKEN = 3
"""So many dice gone and hardly any come: they were taken out."""
HAND_S = 0.2
"""Dice in flight may look as large as a hand, but not for so long."""
FIND_EVERY_S, FIND_MOST_S = 0.5, 4.0
"""How often a bowl is looked for, ever more rarely while none is found: a search costs as much as fifty frames."""
SHADOW_S, KNOCK_S = 1.5, 0.6
"""Stillness after which a large change over the bowl may be a shadow, and a large change may be a knocked camera."""
DRIFT_PIECE = 100
"""In a hand the picture drifts; movement in smaller pieces than this is not taken for rolling dice."""


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
class _Scene:
    """The last scene at rest: its picture, small and whole, and the dice in it; counted: reported as a throw."""

    small: Small
    frame: Frame
    dice: tuple[Die, ...]
    counted: bool


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
        self._expect = expect
        self._open = open_table
        self._looked_for_bowl: float | None = None
        self._find_every = FIND_EVERY_S
        self._started = 0
        self._dark_since: float | None = None
        self._dark_told = self._hand_told = self._lost_told = False
        self._take(bowl)

    def _take(self, bowl: Bowl | None) -> None:
        """Begin anew with this bowl; nothing is known of what lies in it."""
        self._bowl = bowl
        self._reader = self._reader_for(bowl)
        self._shrinker = Shrinker(bowl)
        self._motion = Motion(handheld=self._open, rim=self._shrinker.rim())
        self._guard = None if bowl is None else RimGuard(bowl)
        self._scene: _Scene | None = None
        self._still_since: float | None = None
        self._settled = self._shadow = False
        self._stirred = 0
        self._looks: list[tuple[float, Reading]] = []
        self._peeked, self._peeks = -1.0, 0
        self._hand_since: float | None = None

    @property
    def bowl(self) -> Bowl | None:
        """The bowl that is watched; None while it is looked for."""
        return self._bowl

    @property
    def idle(self) -> bool:
        """Whether all is at rest, seen and told: time to look at lamp and lens."""
        return self._settled and not self._dark_told

    @property
    def dark(self) -> bool:
        """Whether it is too dark to see, as was told."""
        return self._dark_told

    @property
    def hand_since(self) -> float | None:
        """Since when (seconds) something large has lain over the bowl; None where nothing does."""
        return None if self._settled else self._hand_since

    def feed(self, frame: Frame, index: int, t: float) -> list[Seen]:
        """What this frame (number from 0, time in seconds) brings to report, in order; mostly nothing."""
        self._look_for_bowl(frame, t)
        small = self._shrinker.small(frame)
        stir = self._motion.feed(small, t)
        if self._dark(stir, t):
            if self._dark_told:
                return []
            self._dark_told = True
            return [Seen("dark", index, t, index)]
        if not stir.still:
            return self._moving(frame, small, stir, index, t)
        if self._still_since is None:
            self._still_since = t
        return self._resting(frame, small, index, t)

    def _look_for_bowl(self, frame: Frame, t: float) -> None:
        """Without a calibration: the bowl is looked for twice a second until it is certain."""
        if self._open or self._bowl is not None:
            return
        if self._looked_for_bowl is not None and t - self._looked_for_bowl < self._find_every:
            return
        self._looked_for_bowl = t
        found = find_bowl(frame)
        self._find_every = min(FIND_MOST_S, 1.5 * self._find_every)
        if found is not None and found.certain:
            self._find_every = FIND_EVERY_S
            height, width = frame.shape[:2]
            self._lost_told = False
            self._take(Bowl(found.rim, None, width, height))

    def _dark(self, stir: Stir, t: float) -> bool:
        if not stir.dark:
            self._dark_since, self._dark_told = None, False
            return False
        if self._dark_since is None:
            self._dark_since = t
        return t - self._dark_since >= DARK_S

    # --- while something moves ---

    def _moving(self, frame: Frame, small: Small, stir: Stir, index: int, t: float) -> list[Seen]:
        if self._settled or (self._still_since is None and self._stirred == 0):
            self._started = index
            self._hand_told = False
            self._stirred = 0
        self._still_since, self._settled, self._shadow = None, False, False
        self._stirred = max(self._stirred, stir.piece)
        self._looks.clear()
        change = self._change(small)
        if change is None or self._open:
            return []
        if change.hand:
            self._peeks = 0
            self._hand_since = t if self._hand_since is None else self._hand_since
            return self._tell_hand(index, t) if t - self._hand_since >= HAND_S else []
        self._hand_since = None
        return self._peek(frame, small, change, index, t)

    def _tell_hand(self, index: int, t: float) -> list[Seen]:
        if self._hand_told:
            return []
        self._hand_told = True
        return [Seen("hand", index, t, self._started)]

    def _peek(self, frame: Frame, small: Small, change: scenes.Change, index: int, t: float) -> list[Seen]:
        """Whether the bowl is empty though something still moves: a hand that leaves, dice that are coming."""
        scene = self._scene
        if scene is None or not scene.dice or t - self._peeked < PEEK_EVERY_S:
            return []
        scale = self._shrinker.scale
        if not all(change.touched(die, scale) for die in scene.dice):
            return []
        self._peeked = t
        reading = self._reader.read(frame, expect=self._expect)
        if reading.dice or reading.verdict != Verdict.EMPTY or reading.hand:
            self._peeks = 0
            return []
        self._peeks += 1
        if self._peeks < 2:
            return []  # believed at the second look
        self._scene = _Scene(small, frame, (), False)
        cleared = Seen("cleared", index, t, self._started)
        self._started, self._hand_told = index, False
        return [cleared]

    # --- while all is still ---

    def _resting(self, frame: Frame, small: Small, index: int, t: float) -> list[Seen]:
        assert self._still_since is not None
        still_for = t - self._still_since
        if self._settled:
            return self._idle(frame, index, t)
        change = self._change(small)
        if change is not None and change.same:
            self._settled = still_for >= SAME_S
            return []
        if change is not None and change.hand and not self._shadow:
            return self._covered(frame, small, index, t, still_for)
        last = self._looks[-1][0] if self._looks else None
        if still_for < FIRST_LOOK_S or (last is not None and t - last < LOOK_EVERY_S):
            return []
        self._looks.append((t, self._reader.read(frame, expect=self._expect)))
        if len(self._looks) < LOOKS:
            return []
        reading = voted([look for _, look in self._looks[-LOOKS:]])
        if self._wait(reading, still_for):
            # what looks like a hand may be the whole picture a little beside its background: never waited for without a word
            return self._covered(frame, small, index, t, still_for) if reading.hand and not self._shadow else []
        self._settled = True
        return self._settle(reading, frame, small, change, index, t)

    def _change(self, small: Small) -> scenes.Change | None:
        if self._scene is None or self._scene.small.shape != small.shape:
            return None
        before = drifted(self._scene.small, small)[0] if self._open else self._scene.small
        return scenes.change(before, small, self._shrinker.rim())

    def _wait(self, reading: Reading, still_for: float) -> bool:
        """Whether it is too early to say: a hand is there, or dice may still come."""
        if reading.hand and not self._shadow:
            return True
        if reading.verdict != Verdict.INCOMPLETE:
            return False
        return still_for < (GRACE_S if len(reading.dice) > 2 else LONG_GRACE_S)

    def _covered(self, frame: Frame, small: Small, index: int, t: float, still_for: float) -> list[Seen]:
        """Something large lies over the bowl and does not move: a hand, a shadow, or the whole picture has shifted."""
        if t - self._peeked < KNOCK_S or still_for < KNOCK_S:
            return []
        self._peeked = t
        if self._knocked(small):
            return self._bumped(self._search(frame), frame, index, t)
        told = self._tell_hand(index, t)
        if still_for >= SHADOW_S:
            reading = self._reader.read(frame, expect=self._expect)
            self._shadow = not reading.hand and sum(die.in_bowl for die in reading.dice) >= self._expect
        return told

    def _settle(
        self, reading: Reading, frame: Frame, small: Small, change: scenes.Change | None, index: int, t: float
    ) -> list[Seen]:
        before, started = self._scene, self._started
        if before is None or change is None:
            self._keep(reading, frame, small, counted=False)
            return [Seen("found", index, t, index, reading)] if reading.dice else []
        if not self._open and self._knocked(small):
            return self._bumped(self._search(frame), frame, index, t)
        if self._open:
            return self._settle_open(reading, frame, small, before, index, t)
        # a place may look changed and hold the same die: in another light, say
        there = stayed(before.dice, reading.dice)
        new = [
            die
            for die, same in zip(reading.dice, there, strict=True)
            if not same and change.touched(die, self._shrinker.scale)
        ]
        kept = len(reading.dice) - len(new)
        many = len(new) >= max(1, self._expect // 2)
        if kept and many and not before.counted:
            # what lay there before the throw, in or beside the bowl, does not belong to it
            reading = self._without(before.frame, frame, reading, new)
            new, kept = list(reading.dice), 0
        left = stayed(reading.dice, before.dice)
        gone = sum(
            not same and change.touched(die, self._shrinker.scale)
            for die, same in zip(before.dice, left, strict=True)
        )
        if not new or self._taken_out(len(new), gone):
            cleared = bool(before.dice) and not reading.dice
            self._keep(reading, frame, small, before.counted and not cleared)
            return [Seen("cleared", index, t, started)] if cleared else []
        if not before.dice or (many and kept <= 1):
            self._keep(reading, frame, small, counted=True)
            return [Seen("throw", index, t, started, reading)]
        self._keep(reading, frame, small, before.counted)
        return [Seen("changed", index, t, started, reading)] if before.counted else []

    def _settle_open(
        self, reading: Reading, frame: Frame, small: Small, before: _Scene, index: int, t: float
    ) -> list[Seen]:
        """Without a bowl each new rest is a throw; what a hand-held camera's drift does is none."""
        if self._stirred < DRIFT_PIECE:
            return []
        same = compare(replace(reading, dice=before.dice), reading, handheld=True).same
        self._keep(reading, frame, small, counted=True)
        if not reading.dice:
            return [Seen("cleared", index, t, self._started)] if before.dice else []
        return [] if same else [Seen("throw", index, t, self._started, reading)]

    def _taken_out(self, new: int, gone: int) -> bool:
        """Whether dice were rather taken out, by a hand that pushed the last ones about, than thrown."""
        return gone >= TAKEN and (new <= 2 or (self._hand_told and new < gone and 2 * new <= self._expect))

    def _without(self, empty: Frame, frame: Frame, reading: Reading, new: Sequence[Die]) -> Reading:
        """The frame read again with what lay there before as background; `ask` where that contradicts the first reading."""
        if self._bowl is None:
            return reading
        height, width = frame.shape[:2]
        self._reader = self._reader_for(Bowl(self._bowl.rim, empty, width, height))
        again = self._reader.read(frame, expect=self._expect)
        if again.verdict == Verdict.SURE and again.values != tuple(sorted(d.value for d in new if d.in_bowl and d.value)):
            return replace(again, verdict=Verdict.ASK, why="looks at different moments disagree")
        return again

    def _keep(self, reading: Reading, frame: Frame, small: Small, counted: bool) -> None:
        self._scene = _Scene(small, frame, reading.dice, counted)
        if reading.verdict == Verdict.EMPTY and self._bowl is not None and self._bowl.background is None:
            # from now on it is known what the empty bowl looks like
            self._bowl = replace(self._bowl, background=frame)
            self._reader = self._reader_for(self._bowl)

    # --- the camera and the bowl themselves ---

    def _idle(self, frame: Frame, index: int, t: float) -> list[Seen]:
        if self._guard is None or not self._guard.due(t):
            return []
        check = self._guard.look(frame, t)
        return [] if check.standing == Standing.SAME else self._bumped(check, frame, index, t)

    def _knocked(self, small: Small) -> bool:
        rim = self._shrinker.rim()
        if self._scene is None or rim is None:
            return False
        return scenes.moved_camera(self._scene.small, small, rim.major / 2)

    def _search(self, frame: Frame) -> Check:
        return self._guard.search(frame) if self._guard is not None else Check(Standing.SAME)

    def _bumped(self, check: Check, frame: Frame, index: int, t: float) -> list[Seen]:
        """Go on with the bowl where it is now, or say that it is lost and look for it."""
        if check.standing == Standing.GONE or self._bowl is None:
            told, self._lost_told = self._lost_told, True
            self._take(None)
            return [] if told else [Seen("lost", index, t, index)]
        height, width = frame.shape[:2]
        # a picture turned about the bowl leaves the rim where it was, but the background is worth nothing now
        rim = self._bowl.rim if check.found is None else check.found.rim
        self._take(Bowl(rim, None, width, height))
        return [Seen("bumped", index, t, index)]

"""A stream of frames to throws: a state machine without I/O; time comes in with each frame.

empty → something moves → it lies still → read at several moments → reported once → dice lie there → taken out → empty

What holds:
- nothing is reported before the picture has been still, with no hand over the bowl, for a quarter of a second;
- dice that lie there when watching begins are `found`, never a throw; what is reported once is never reported again;
- dice taken out one by one are no throw; a die moved after the report is `changed`;
- many dice in new places are a new throw where somebody reached in between or the bowl was seen empty, else `changed`;
- a picture that is the old one, shifted, is a knocked camera, not a throw; a throw under way then is told once, to be asked about;
- another view than the one that is known is told as a knocked camera or a lost bowl, not as a hand for ever;
- a stream that stalls, a lens that hunts and a lamp that pulses neither hide a throw nor make one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from vision import scene as scenes
from vision.bowl import Bowl
from vision.bowl_search import BowlSearch
from vision.bump import Check, RimGuard, Standing
from vision.earlier import taken_in, without
from vision.focus import blur_px, blurred
from vision.hands import Hands
from vision.knocks import Knock, asked, other_view
from vision.motion import Darkness, Motion, Shrinker, Small, Stir, drifted
from vision.reading import DiceReader, Frame, Reading, Verdict
from vision.repeats import Repeats
from vision.rest import came_and_went, compare, taken_out
from vision.seen import Scene
from vision.seen import Seen as Seen
from vision.votes import Votes

UNCLEAR_S = 3.0
"""So long it is waited for dice to be seen again that lay there and are neither seen nor gone."""
GRACE_S, LONG_GRACE_S = 0.3, 1.0
"""Stillness before fewer dice than expected are reported; the longer one where only one or two are seen."""
SAME_S = 0.1
PEEK_EVERY_S, GLIMPSES = 0.1, 20
"""How often it is looked whether the bowl is empty while something moves; so often at most before anything lay still."""
SHADOW_S, KNOCK_S = 1.5, 0.6
"""Stillness after which a large change over the bowl may be a shadow, and a large change may be a knocked camera."""
AGAIN_S, OVER_BOWL = 0.5, 0.003
"""How often a scene at rest is held against the last known one, and the part of the bowl that must differ then."""
DRIFT_PIECE = 100
"""In a hand the picture drifts; movement in smaller pieces than this is not taken for rolling dice."""


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
        self._search_for_bowl = BowlSearch()
        self._started = 0
        self._darkness = Darkness()
        self._lost_told = False
        self._repeats = Repeats()
        self._knock: Knock | None = None
        self._take(bowl)

    def _take(self, bowl: Bowl | None) -> None:
        """Begin anew with this bowl; nothing is known of what lies in it."""
        self._bowl = bowl
        self._reader = self._reader_for(bowl)
        self._shrinker = Shrinker(bowl)
        self._motion = Motion(handheld=self._open, rim=self._shrinker.rim())
        self._guard = None if bowl is None else RimGuard(bowl)
        self._scene: Scene | None = None
        self._empty = None if bowl is None or bowl.background is None else self._shrinker.small(bowl.background)
        self._still_since: float | None = None
        self._settled = self._shadow = self._searched = False
        self._stirred = 0
        self._votes = Votes()
        self._peeked, self._peeks, self._glimpses = -1.0, 0, 0
        self._hands = Hands()
        self._blur: float | None = None
        self._again = 0.0

    @property
    def bowl(self) -> Bowl | None:
        """The bowl that is watched; None while it is looked for."""
        return self._bowl

    @property
    def idle(self) -> bool:
        """Whether all is at rest, seen and told: time to look at lamp and lens."""
        return self._settled and not self._darkness.told

    @property
    def dark(self) -> bool:
        """Whether it is too dark to see, as was told."""
        return self._darkness.told

    @property
    def hand_since(self) -> float | None:
        """Since when (seconds) something large has lain over the bowl; None where nothing does."""
        return None if self._settled else self._hands.since

    def feed(self, frame: Frame, index: int, t: float) -> list[Seen]:
        """What this frame (number from 0, time in seconds) brings to report, in order; mostly nothing."""
        if self._repeats.stalls(frame, t):
            return []
        self._look_for_bowl(frame, t)
        small = self._shrinker.small(frame)
        stir = self._motion.feed(small, t)
        if self._darkness.feed(stir.dark, t):
            return [Seen("dark", index, t, index)]
        if self._darkness.told:
            return []
        if self._scene is None:
            self._glimpse(frame, small, t)
        if not stir.still:
            return self._moving(frame, small, stir, index, t)
        if self._still_since is None:
            self._still_since = t
        return self._resting(frame, small, index, t)

    def _look_for_bowl(self, frame: Frame, t: float) -> None:
        """Without a calibration: the bowl is looked for until it is certain."""
        if self._open or self._bowl is not None:
            return
        bowl = self._search_for_bowl.look(frame, t)
        if bowl is not None:
            self._lost_told = False
            self._take(bowl)

    # --- while something moves ---

    def _moving(self, frame: Frame, small: Small, stir: Stir, index: int, t: float) -> list[Seen]:
        if self._settled or (self._still_since is None and self._stirred == 0):
            self._started = index
            self._hands.told = False
            self._stirred = 0
        self._repeats.moved()
        self._still_since, self._settled, self._shadow, self._searched = None, False, False, False
        self._stirred = max(self._stirred, stir.piece)
        self._votes.clear()
        change = self._change(small)
        if change is None or self._open:
            return []
        tell = self._hands.see(change, t)
        if change.hand:
            self._peeks = 0
            return self._tell_hand(index, t) if tell else []
        return self._peek(frame, small, change, index, t)

    def _tell_hand(self, index: int, t: float) -> list[Seen]:
        if self._hands.told:
            return []
        self._hands.told = self._hands.reached = True
        return [Seen("hand", index, t, self._started)]

    def _peek(self, frame: Frame, small: Small, change: scenes.Change, index: int, t: float) -> list[Seen]:
        """Whether the bowl is empty though something still moves: a hand that leaves, dice that are coming."""
        scene = self._scene
        if scene is None or not scene.dice or t - self._peeked < PEEK_EVERY_S:
            return []
        scale = self._shrinker.scale
        if not all(change.touched(die, scale) for die in scene.dice):
            return []
        if not self._seen_empty(frame, small, t):
            return []
        self._hands.reached = True
        self._scene = Scene(small, frame, (), False)
        cleared = Seen("cleared", index, t, self._started)
        self._started, self._hands.told = index, False
        return [cleared]

    def _read(self, frame: Frame, small: Small) -> Reading:
        """What lies there; where no die is seen and the bowl looks as it did when it was empty, its ornament is no dice."""
        reading = self._reader.read(frame, expect=self._expect)
        if reading.dice or reading.hand or reading.verdict == Verdict.EMPTY:
            return reading
        same = scenes.unchanged(self._empty, small, self._shrinker.rim(), OVER_BOWL)
        return replace(reading, verdict=Verdict.EMPTY, why="no dice") if same else reading

    def _seen_empty(self, frame: Frame, small: Small, t: float) -> bool:
        """Whether the bowl is seen to be empty; believed at the second look."""
        self._peeked = t
        reading = self._read(frame, small)
        empty = reading.verdict == Verdict.EMPTY and not reading.dice and not reading.hand and not self._blurred(frame)
        self._peeks = self._peeks + 1 if empty else 0
        return self._peeks >= 2

    def _glimpse(self, frame: Frame, small: Small, t: float) -> None:
        """Before anything lay still a calibrated bowl may be seen to be empty: lamps pulse, and somebody is quick."""
        if self._empty is None or self._glimpses >= GLIMPSES or t - self._peeked < PEEK_EVERY_S:
            return
        self._glimpses += 1
        if self._empty.shape != small.shape or scenes.change(self._empty, small, self._shrinker.rim()).hand:
            self._peeked, self._peeks = t, 0
        elif self._seen_empty(frame, small, t):
            self._keep(Reading((), None, Verdict.EMPTY, "no dice"), frame, small, False)

    # --- while all is still ---

    def _resting(self, frame: Frame, small: Small, index: int, t: float) -> list[Seen]:
        assert self._still_since is not None
        still_for = t - self._still_since
        if self._settled:
            return self._idle(frame, small, index, t)
        change = self._change(small)
        if change is not None and change.same:
            self._known(still_for >= SAME_S)
            if self._settled:
                self._hands.reached = False  # whoever reached in took nothing
            return []
        if change is not None and change.hand and not self._shadow:
            return self._covered(frame, small, index, t, still_for)
        if not self._votes.due(t, still_for):
            return []
        blurred = self._blurred(frame)
        if blurred and still_for < UNCLEAR_S:
            # the lens hunts, and dice are neither read nor missed now; or the rim is not where it was
            due = t - self._peeked >= KNOCK_S and still_for >= KNOCK_S
            self._peeked = t if due else self._peeked
            return self._bumped(self._search(frame), frame, index, t) if due and self._knocked(small, scenes.SLIGHT) else []
        reading = self._votes.add(t, self._read(frame, small))
        if reading is None:
            return []
        if self._wait(reading, still_for):
            # what looks like a hand may be the whole picture a little beside its background: never waited for without a word
            return self._covered(frame, small, index, t, still_for) if reading.hand and not self._shadow else []
        self._known(True)
        if self._unclear(reading) or (blurred and not reading.dice):
            self._again = t + UNCLEAR_S
            return []  # the scene before stands
        return self._settle(reading, frame, small, change, index, t)

    def _blurred(self, frame: Frame) -> bool:
        """Whether the picture is much less sharp than the last scene at rest."""
        return self._bowl is not None and blurred(frame, self._bowl.rim, self._blur)

    def _known(self, known: bool) -> None:
        self._settled = known
        if known:
            self._repeats.settled()

    def _unclear(self, reading: Reading) -> bool:
        """Whether dice that lay there are not seen, nor is the bowl seen empty: out of focus, in fog."""
        return (
            self._scene is not None and bool(self._scene.dice) and not reading.dice and reading.verdict != Verdict.EMPTY
        )

    def _change(self, small: Small) -> scenes.Change | None:
        if self._scene is None or self._scene.small.shape != small.shape:
            return None
        before = drifted(self._scene.small, small)[0] if self._open else self._scene.small
        return scenes.change(before, small, self._shrinker.rim())

    def _wait(self, reading: Reading, still_for: float) -> bool:
        """Whether it is too early to say: a hand is there, or dice may still come."""
        if reading.hand and not self._shadow:
            return True
        if self._unclear(reading):
            return still_for < UNCLEAR_S
        if reading.verdict != Verdict.INCOMPLETE or (self._scene is None and self._knock is None):
            return False  # of what lies there at first nothing is expected
        return still_for < (GRACE_S if len(reading.dice) > 2 else LONG_GRACE_S)

    def _covered(self, frame: Frame, small: Small, index: int, t: float, still_for: float) -> list[Seen]:
        """Something large lies over the bowl and does not move: a hand, a shadow, or the whole picture has shifted."""
        if t - self._peeked < KNOCK_S or still_for < KNOCK_S:
            return []
        self._peeked = t
        if self._knocked(small, scenes.SLIGHT):
            return self._bumped(self._search(frame), frame, index, t)
        known = self._bowl if self._scene is None or self._bowl is None else replace(self._bowl, background=self._scene.frame)
        if still_for >= SHADOW_S and not self._searched and known is not None and other_view(known, frame):
            self._searched = True  # once a rest: a search costs much
            check = self._search(frame)
            if check.standing != Standing.SAME:
                return self._bumped(check, frame, index, t)
        # nor is it a hand where the reader sees none, and all that was thrown or the bowl as it was: the light changed with the dice
        reading = self._reader.read(frame, expect=self._expect)
        as_it_was = scenes.unchanged(self._empty, small, self._shrinker.rim(), OVER_BOWL)
        self._shadow = not reading.hand and (as_it_was or sum(die.in_bowl for die in reading.dice) >= self._expect)
        return [] if self._shadow else self._tell_hand(index, t)

    def _settle(
        self, reading: Reading, frame: Frame, small: Small, change: scenes.Change | None, index: int, t: float
    ) -> list[Seen]:
        before, started = self._scene, self._started
        if before is None or change is None:
            return self._settle_first(reading, frame, small, index, t)
        if not self._open and self._knocked(small):
            return self._bumped(self._search(frame), frame, index, t)
        if self._open:
            return self._settle_open(reading, frame, small, before, index, t)
        new, gone = came_and_went(before.dice, reading.dice, change, self._shrinker.scale)
        kept = len(reading.dice) - len(new)
        many = len(new) >= max(1, self._expect // 2)
        if kept and many and not before.counted and self._bowl is not None:
            # what lay there before the throw, in or beside the bowl, does not belong to it
            reading = without(self._reader_for, self._bowl, before.frame, frame, new, self._expect)
            self._bowl = taken_in(self._bowl, before.frame)
            self._reader = self._reader_for(self._bowl)
            new, kept = list(reading.dice), 0
            gone = came_and_went(before.dice, reading.dice, change, self._shrinker.scale)[1]
        reached, self._hands.reached = self._hands.reached, False
        if not new or taken_out(len(new), gone, self._hands.told, self._expect):
            cleared = bool(before.dice) and not reading.dice
            self._keep(reading, frame, small, before.counted and not cleared)
            return [Seen("cleared", index, t, started)] if cleared else []
        # what was counted already can't have left the bowl without a hand: a stream that stalled showed a roll as a rest
        anew = many and kept <= 1 and (reached or not before.counted)
        if anew and before.counted and reading.values == before.values:
            reading = asked(reading, "the same values as before: thrown, or only moved?")  # dice are put in order to be counted
        self._keep(reading, frame, small, before.counted or anew or not before.dice)
        if not before.dice or anew:
            return [Seen("throw", index, t, started, reading)]
        return [Seen("changed", index, t, started, reading)] if before.counted else []

    def _settle_first(self, reading: Reading, frame: Frame, small: Small, index: int, t: float) -> list[Seen]:
        """The first rest that is seen, of the stream or after a knock: what lies there may have been thrown meanwhile."""
        knock, self._knock = self._knock, None
        if knock is None or self._bowl is None:
            self._keep(reading, frame, small, counted=False)
            return [Seen("found", index, t, index, reading)] if reading.dice else []
        event = knock.event(reading, self._bowl.rim, self._expect, t)
        self._keep(reading, frame, small, counted=event != "found" or (knock.counted and bool(reading.dice)))
        if event == "found":
            return [Seen("found", index, t, index, reading)] if reading.dice else []
        return [Seen(event, index, t, knock.started, asked(reading, "the camera was moved meanwhile"))]

    def _settle_open(
        self, reading: Reading, frame: Frame, small: Small, before: Scene, index: int, t: float
    ) -> list[Seen]:
        """Without a bowl each new rest is a throw; what a hand-held camera's drift does is none."""
        if self._stirred < DRIFT_PIECE:
            return []
        same = compare(replace(reading, dice=before.dice), reading, handheld=True).same
        self._keep(reading, frame, small, counted=True)
        if not reading.dice:
            return [Seen("cleared", index, t, self._started)] if before.dice else []
        return [] if same else [Seen("throw", index, t, self._started, reading)]

    def _keep(self, reading: Reading, frame: Frame, small: Small, counted: bool) -> None:
        self._scene = Scene(small, frame, reading.dice, counted)
        self._blur = None if self._bowl is None else blur_px(frame, self._bowl.rim)
        if reading.verdict != Verdict.EMPTY:
            return
        self._empty = small
        if self._bowl is not None and self._bowl.background is None:
            # from now on it is known what the empty bowl looks like
            self._bowl = replace(self._bowl, background=frame)
            self._reader = self._reader_for(self._bowl)

    # --- the camera and the bowl themselves ---

    def _idle(self, frame: Frame, small: Small, index: int, t: float) -> list[Seen]:
        if t >= self._again and not self._open:
            # what came too slowly to be movement: dice in a picture that grew sharp, say
            self._again = t + AGAIN_S
            change = self._change(small)
            if change is not None and change.over_bowl > OVER_BOWL and not change.hand:
                self._known(False)
                self._still_since = t
                return []
        if self._guard is None or not self._guard.due(t):
            return []
        check = self._guard.look(frame, t)
        return [] if check.standing == Standing.SAME else self._bumped(check, frame, index, t)

    def _knocked(self, small: Small, least: float = scenes.BUMP_OF_RADIUS) -> bool:
        rim = self._shrinker.rim()
        return self._scene is not None and rim is not None and scenes.moved_camera(self._scene.small, small, least * rim.major)

    def _search(self, frame: Frame) -> Check:
        return self._guard.search(frame) if self._guard is not None else Check(Standing.SAME)

    def _bumped(self, check: Check, frame: Frame, index: int, t: float) -> list[Seen]:
        """Go on with the bowl where it is now, or say that it is lost and look for it."""
        if self._scene is not None and self._bowl is not None:
            self._knock = Knock(t, self._started, self._bowl.rim, self._scene.dice, self._scene.counted)
        if check.standing == Standing.GONE or self._bowl is None:
            told, self._lost_told = self._lost_told, True
            self._take(None)
            return [] if told else [Seen("lost", index, t, index)]
        height, width = frame.shape[:2]
        # a picture turned about the bowl leaves the rim where it was, but the background is worth nothing now
        rim = self._bowl.rim if check.found is None else check.found.rim
        self._take(Bowl(rim, None, width, height))
        return [Seen("bumped", index, t, index)]

"""One frame to one Reading: where to look, what each die shows, and what may be made of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np

from vision.bowl import Bowl, find_bowl
from vision.change import (
    DARK,
    LEAST_LIGHT,
    MAYBE_ALIKE,
    MOST_DAZZLED,
    MOST_MOVED,
    OTHER_JUMP,
    OTHER_SHARE,
    SAME,
    STILL_ALIKE,
    Empty,
    Since,
)
from vision.confidence import Weights, presence, weigh
from vision.detector import Look, Spot, each_once, whole
from vision.kinship import MANY, Seen, alike, body_of, like_them, of_one_set, red_fours
from vision.looks import around, beside, closer, within
from vision.pips import (
    ROOM,
    SIDE,
    PipCount,
    count_pips,
    motley,
    pip_colours,
    redness,
    shining_pip,
    strange_pip,
)
from vision.reading import Die, Found, Frame, Reading, Rim, Verdict
from vision.rectify import Quad, edge_of, rectify
from vision.speckle import despeckled
from vision.tilt import tilts

PLAIN = 0.4
"""Score of the finder from which a place in the bowl is most likely a die."""
PLAINLY = 0.85
"""A die of a throw in a bowl that is no more likely one than this is asked about; of some 2,900 dice of sure throws one was less."""
LEGIBLE, LEGIBLE_DIE = 0.75, 0.45
"""On an open table a place whose value is read with this confidence is a die from this presence."""
STRANGE, MOTLEY = 35.0, 50.0
"""Steps of Lab's a and b by which a pip differs from its others, from which it may be none, and from which the thing may be no die."""
SHINING = 28.0
"""Steps of Lab's L by which a light pip of a dark face is lighter than its others, from which it may be a lamp."""
FRONT, MAYBE_FRONT = 1.1, 1.5
"""Edges between the middles of a die's top and its front, seen from low, and between those that may still be of one die."""
FROM_LOW = 2
"""So many dice that plainly show their fronts: the camera stands low, and what may be a front is one."""
SAME_DIE = 0.5
"""Boxes that share more than this hold two faces of one die."""
BEYOND_DOUBT, SURPLUS = 0.9, 0.65
BEST_COUNT = PipCount(1, 1.0, (0.0,) * 6)
NO_BOWL = "no bowl found: set the camera up first (bobing calibrate)"
UNCERTAIN = "the bowl's rim is not seen well enough: set the camera up first (bobing calibrate)"
UNTOLD = {Verdict.SURE: Verdict.ASK, Verdict.JUMP: Verdict.ASK, Verdict.EMPTY: Verdict.INCOMPLETE}
"""What can't be said where the bowl may be another ring, or its picture is not what it was, and what is said then."""
MOST_INSIDE, MOST_OUTSIDE = 11, 6
"""Places in the bowl and beside it that are looked at again, the likeliest first."""


class Eyes(Protocol):
    """What the reader needs of a detector: places first, faces then (vision.detector.OnnxDetector has it)."""

    @property
    def weights(self) -> Weights:
        """How this detector's opinions are to be weighed."""
        ...

    def spots(self, frame: Frame, looks: Sequence[Look]) -> list[Spot]:
        """Places that look like a top face."""
        ...

    def read_faces(self, frame: Frame, spots: Sequence[Spot], may_lie: Callable[[Quad], bool] = lambda _: True) -> list[Found]:
        """The same places with their values; may_lie: where a face that can't be read may be looked for and found."""
        ...

    def slants(self, frame: Frame, faces: Sequence[tuple[tuple[float, float], float]]) -> list[tuple[float, float]]:
        """How faces (centre, edge) are turned to the line of sight; empty where the detector can't tell."""
        ...


class Reader:
    """Reads frames of one bowl (or of an open table, where everything in view counts as inside)."""

    def __init__(
        self, detector: Eyes, bowl: Bowl | None, open_table: bool = False, weights: Weights | None = None
    ) -> None:
        self._detector = detector
        self._bowl = bowl
        self._open = open_table
        self._weights = weights or detector.weights
        self._empty = None if bowl is None or bowl.background is None else Empty(bowl, bowl.background)

    def read(self, frame: Frame, *, expect: int = 6) -> Reading:
        """What the frame shows; expect: dice that a throw has."""
        bowl, certain = self._bowl, True
        if bowl is None and not self._open:
            found = find_bowl(frame)
            if found is not None:
                height, width = frame.shape[:2]
                bowl, certain = Bowl(found.rim, None, width, height), found.certain
        if self._open:
            bowl, frame = None, despeckled(frame)
        weights = self._weights
        since = None if self._empty is None else self._empty.since(frame)
        places = [f for f in self._found(frame, bowl, since, expect) if presence(f, BEST_COUNT, weights) >= weights.weak]
        seen = _each_once(alike([self._die(frame, found, bowl) for found in places]))
        if self._open:
            seen = _upper_faces(seen)
        dice = self._dice(seen, expect, since)
        if bowl is not None:
            changes = [] if since is None else [since.difference(_quad(s)) for s in dice]
            dice = of_one_set(red_fours(self._tilted(frame, dice, bowl.rim)), changes)
            dice = [_perhaps_none(s, since, changes[i] if changes else SAME) for i, s in enumerate(dice)]
        hand = since is not None and since.covered([s.die.box for s in dice])
        filled = since is not None and not dice and since.filled()
        verdict, why = self._verdict(dice, seen, expect, bowl, hand, filled)
        if since is not None:
            verdict, why = _held_against(since, dice, verdict, why)
        if not certain and verdict in UNTOLD:
            verdict, why = UNTOLD[verdict], UNCERTAIN
        return Reading(tuple(s.die for s in dice), None if bowl is None else bowl.rim, verdict, why, hand)

    def found(self, frame: Frame) -> list[Found]:
        """The dice before they are weighed, with the bowl that this reader was made for."""
        return self._found(frame, None if self._open else self._bowl, None, 6)

    def _found(self, frame: Frame, bowl: Bowl | None, since: Since | None, expect: int) -> list[Found]:
        spots = [s for s in self._spots(frame, bowl, since, expect) if s.score >= self._weights.spot]
        if bowl is not None:
            if since is not None:
                spots = [s for s in spots if since.difference(s.quad, 1 if bowl.contains(*s.centre) else 2 * MOST_MOVED) >= SAME]
            spots = _likeliest(spots, bowl)

        def may_lie(quad: Quad) -> bool:
            """In the bowl, where something has changed: beside it a face found elsewhere could only feign a jump."""
            return bowl is None or (bowl.contains(*quad.mean(0).tolist()) and (since is None or since.difference(quad) >= SAME))

        return self._detector.read_faces(frame, spots, may_lie)

    def _spots(self, frame: Frame, bowl: Bowl | None, since: Since | None, expect: int) -> list[Spot]:
        if bowl is None:
            return self._detector.spots(frame, whole(frame, None))
        near = around(bowl.rim, frame)
        inside = self._detector.spots(frame, [near])
        again = closer(inside, near)
        if again is not None:
            inside = each_once([*inside, *self._detector.spots(frame, [again])])
        missing = sum(s.score > PLAIN for s in inside) < expect
        strips = [s for s in beside(near, inside, frame, missing) if since is None or since.new_in(s.x, s.y, s.w, s.h)]
        outside = [s for s in self._detector.spots(frame, strips) if not within(s.centre, near)]
        return [*inside, *outside]

    def _tilted(self, frame: Frame, dice: Sequence[Seen], rim: Rim) -> list[Seen]:
        """The dice with how far they lean, weighed again with that."""
        places = [(s.die.top, s.edge) for s in dice if s.die.top is not None]
        slants = self._detector.slants(frame, places)
        if not slants:
            return list(dice)
        size = frame.shape[1], frame.shape[0]
        leaning = []
        for s, tilt in zip(dice, tilts(size, rim, [at for at, _ in places], slants), strict=True):
            weighed = weigh(s.found, s.count, self._weights, tilt)
            leans = tilt >= self._weights.cocked_deg or s.found.clear_top < self._weights.clear
            die = replace(
                s.die, confidence=weighed.confidence, likely=weighed.likely, doubt=weighed.doubt or s.die.doubt, cocked=leans, tilt_deg=tilt
            )
            leaning.append(replace(s, die=die))
        return leaning

    def _die(self, frame: Frame, found: Found, bowl: Bowl | None) -> Seen:
        assert found.quad is not None
        quad = np.asarray(found.quad, np.float32)
        top = quad.mean(0)
        inside = bowl is None or bowl.contains(float(top[0]), float(top[1]))
        face = rectify(frame, quad, SIDE, ROOM)
        count = count_pips(face)
        weighed = weigh(found, count, self._weights)
        die = Die(
            value=weighed.likely[0][0],
            confidence=weighed.confidence,
            box=_clipped(found.box, frame),
            top=(float(top[0]), float(top[1])),
            in_bowl=inside,
            cocked=found.clear_top < self._weights.clear,
            likely=weighed.likely,
            doubt=weighed.doubt,
        )
        lab = np.asarray(cv2.cvtColor(face, cv2.COLOR_BGR2LAB), np.uint8)
        value = weighed.likely[0][0]
        colours = pip_colours(lab, value)
        die = replace(die, pips=colours.apart)
        tile = motley(colours, MOTLEY)
        # one pip more is a legal face only in the middle; what shines through a die, or is none, shows all over a face
        suspects = range(len(colours.sharp)) if self._open else colours.middle
        if not die.doubt and (tile or strange_pip(colours, suspects) > STRANGE or shining_pip(colours, suspects) > SHINING):
            die = replace(die, doubt=f"{value}: one of its pips has another colour, perhaps a crumb or a lamp")
        return Seen(die, presence(found, count, self._weights), edge_of(quad), body_of(lab), found, count, redness(lab, die.value or 0), tile)

    def _dice(self, seen: Sequence[Seen], expect: int, since: Since | None) -> list[Seen]:
        """What is taken for a die; of places beside the bowl, those beyond the number thrown must be beyond doubt."""
        if self._open:
            return [s for s in seen if self._open_die(s)]
        inside = sorted((s for s in seen if s.die.in_bowl), key=lambda s: -s.presence)
        outside = sorted((s for s in seen if not s.die.in_bowl), key=lambda s: -s.presence)
        if since is not None:
            inside = _without_drawings(inside, expect, self._weights.die, since)
        first = [s for s in inside[:expect] if s.presence >= self._weights.die]
        certain = len(first) == expect and first[-1].presence >= BEYOND_DOUBT
        more = [s for s in inside[expect:] if s.presence >= (SURPLUS if certain else self._weights.die)]
        missing = max(0, expect - len(first))
        enough = [self._weights.outside if i < missing and len(first) >= missing else BEYOND_DOUBT for i in range(len(outside))]
        jumped = [s for s, least in zip(outside, enough, strict=True) if s.presence >= least]
        if certain:  # all that was thrown lies in the bowl: beside it is only what is beyond doubt a die of the same kind
            jumped = [s for s in jumped if not s.die.doubt and not s.die.cocked and like_them(s, first)]
        elif len(first) >= MANY:  # half a domino, a tile, a card is no die of these; one that lies lower, or is cut off, looks smaller
            jumped = [s for s in jumped if like_them(s, first, smaller=math.inf)]
        jumped = [s for s in jumped if not s.motley and not (since is not None and _lay_there(s, since))]
        chosen = {id(s) for s in (*first, *more, *jumped)}
        return [s for s in seen if id(s) in chosen]

    def _open_die(self, s: Seen) -> bool:
        least = LEGIBLE_DIE if s.die.confidence >= LEGIBLE else self._weights.die_open
        return s.presence >= least

    def _maybe(self, s: Seen) -> bool:
        """Whether a place may be a die though it is not taken for one; on an open table lies much that shows no value."""
        if not self._open:
            return s.die.in_bowl and self._weights.weak <= s.presence < self._weights.die
        likely = s.presence >= 0.5 or (s.presence >= self._weights.weak_open and s.die.confidence >= 0.5)
        return likely and not self._open_die(s)

    def _verdict(
        self, dice: Sequence[Seen], seen: Sequence[Seen], expect: int, bowl: Bowl | None, hand: bool, filled: bool
    ) -> tuple[Verdict, str]:
        if not dice:
            if hand:
                return Verdict.INCOMPLETE, "a hand covers the bowl"
            if any(s.presence >= self._weights.weak and s.die.in_bowl for s in seen) or filled:
                return Verdict.ASK if self._open else Verdict.INCOMPLETE, "something may be a die"
            if bowl is None and not self._open:
                return Verdict.INCOMPLETE, NO_BOWL
            return Verdict.EMPTY, "no dice"
        inside = [s for s in dice if s.die.in_bowl]
        outside = [s for s in dice if not s.die.in_bowl]
        if outside and not inside and self._empty is None:
            return Verdict.INCOMPLETE, f"no die in the bowl, and beside it {_many(len(outside), 'thing', 'things')} like dice: set the camera up first (bobing calibrate)"
        if outside:
            return Verdict.JUMP, _many(len(outside), "die lies", "dice lie") + " outside the bowl"
        if not self._open and len(inside) < expect:
            return Verdict.INCOMPLETE, f"{len(inside)} of {expect} dice seen" + (", a hand covers some" if hand else "")
        leaning = [s for s in inside if s.die.cocked]
        if leaning and not self._open:
            return Verdict.COCKED, _many(len(leaning), "die leans or has no clear top face", "dice lean or have no clear top face")
        if not self._open and len(inside) > expect:
            return Verdict.ASK, f"{len(inside)} dice seen where {expect} were thrown"
        least = self._weights.sure_open if self._open else self._weights.sure
        doubtful = [s for s in inside if s.die.confidence < least or s.die.doubt or s.die.cocked]
        if doubtful:
            return Verdict.ASK, "; ".join(s.die.doubt or "leans" for s in doubtful[:3])
        # where every die seen is beyond doubt, and as many as were thrown, what is hardly like a die is none
        certain = not self._open and all(s.presence >= BEYOND_DOUBT for s in inside)
        if not certain and any(self._maybe(s) for s in seen):
            return Verdict.ASK, "one more place may be a die"
        if bowl is None and not self._open:
            return Verdict.ASK, NO_BOWL
        if hand:
            return Verdict.ASK, "a hand covers part of the bowl"
        return Verdict.SURE, _many(len(inside), "die", "dice") + " read"


def _quad(s: Seen) -> Quad:
    assert s.found.quad is not None
    return np.asarray(s.found.quad, np.float32)


def _lay_there(s: Seen, since: Since) -> bool:
    """Whether what looks like a die beside the bowl lay there before, in another light, or is part of something larger."""
    return since.half_hidden(_quad(s), STILL_ALIKE, math.inf) or (s.die.top is not None and since.larger(s.die.top, s.edge))


def _perhaps_none(s: Seen, since: Since | None, change: float) -> Seen:
    """A die in the bowl with the doubt whether it is one: five dice and an ornament are no throw. change: since the bowl was empty, grey levels."""
    if not s.die.in_bowl or s.die.doubt:
        return s
    doubt = ""
    if s.presence < PLAINLY:
        doubt = "perhaps no die"
    elif since is not None and (change < SAME or since.half_hidden(_quad(s), MAYBE_ALIKE)):
        doubt = "may be painted on the bowl, which looked so when it was empty"
    return replace(s, die=replace(s.die, doubt=f"{s.die.value}: {doubt}")) if doubt else s


def _without_drawings(inside: list[Seen], expect: int, least: float, since: Since) -> list[Seen]:
    """The places in the bowl without the drawings among them, where that leaves as many likely dice as were thrown; a die may lie on a drawing like it."""
    likely = [s for s in inside if s.presence >= least]
    if len(likely) <= expect:
        return inside
    drawings = [s for s in likely if since.half_hidden(_quad(s))]
    return [s for s in inside if not any(s is d for d in drawings)] if len(likely) - len(drawings) == expect else inside


def _held_against(since: Since, dice: Sequence[Seen], verdict: Verdict, why: str) -> tuple[Verdict, str]:
    """What the empty bowl says to a verdict: it may keep one from being told, or know a better reason."""
    doubt = ""
    if since.light < (DARK if verdict == Verdict.EMPTY else LEAST_LIGHT):
        doubt = "it is much darker than when the camera was set up: more light, or calibrate again"
    elif since.dazzled() > MOST_DAZZLED:
        doubt = "the bowl is overexposed, as it was not when the camera was set up: less light, or calibrate again"
    elif verdict != Verdict.EMPTY and since.elsewhere() > OTHER_SHARE:
        doubt = "most of the picture is not what it was when the camera was set up: calibrate again"
    if doubt:
        return UNTOLD.get(verdict, verdict), doubt
    if verdict not in (Verdict.SURE, Verdict.EMPTY) and since.elsewhere() > OTHER_JUMP:
        other = "much beside the bowl is not what it was when the camera was set up: a hand, or calibrate again"
        return (Verdict.ASK, other) if verdict == Verdict.JUMP else (verdict, f"{why}; {other}")
    if verdict == Verdict.SURE and since.unexplained([s.die.box for s in dice], float(np.median([s.edge for s in dice]))):
        return Verdict.ASK, "something else lies in the bowl"
    return verdict, why


def _likeliest(spots: Sequence[Spot], bowl: Bowl) -> list[Spot]:
    ordered = sorted(spots, key=lambda s: -s.score)
    inside = [s for s in ordered if bowl.contains(*s.centre)]
    outside = [s for s in ordered if not bowl.contains(*s.centre)]
    return inside[:MOST_INSIDE] + outside[:MOST_OUTSIDE]


def _each_once(seen: Sequence[Seen]) -> list[Seen]:
    """Of places that lie on each other, the likeliest die; the others are parts of it, or the same again."""
    kept: list[Seen] = []
    for s in sorted(seen, key=lambda s: -s.presence * (0.5 + s.die.confidence)):
        if all(_apart(s, k) for k in kept):
            kept.append(s)
    return [s for s in seen if any(s is k for k in kept)]


def _upper_faces(seen: Sequence[Seen]) -> list[Seen]:
    """Of two faces of one die that lie above each other, the upper one: nobody holds a camera upside down over a table.

    They may be two dice that touch, seen from above, so that the one that stays is never certain.
    """
    plainly = sum(_fronts(up, low, FRONT) for up in seen for low in seen)
    farthest = MAYBE_FRONT if plainly >= FROM_LOW else FRONT
    lower = {id(low) for up in seen for low in seen if _fronts(up, low, farthest)}
    doubtful = {id(s) for up in seen for low in seen if _fronts(up, low, MAYBE_FRONT) for s in (up, low)}
    doubt = "may be two faces of one die"
    kept = [s for s in seen if id(s) not in lower]
    return [replace(s, die=replace(s.die, doubt=s.die.doubt or doubt)) if id(s) in doubtful else s for s in kept]


def _fronts(up: Seen, low: Seen, farthest: float) -> bool:
    """Whether `low` may be the front of the die whose top is `up`, at most so many edges apart."""
    assert up.die.top is not None and low.die.top is not None
    dx, dy = low.die.top[0] - up.die.top[0], low.die.top[1] - up.die.top[1]
    edge = max(up.edge, low.edge)
    return (
        abs(dx) < 0.5 * dy
        and 0.45 < math.hypot(dx, dy) / edge < farthest
        and min(up.edge, low.edge) > 0.5 * edge
        and min(up.presence, low.presence) > 0.5
        and _shared(up.die.box, low.die.box) > 0.03
    )


def _apart(one: Seen, other: Seen) -> bool:
    assert one.die.top is not None and other.die.top is not None
    return math.dist(one.die.top, other.die.top) > 0.55 * max(one.edge, other.edge) and _shared(one.die.box, other.die.box) < SAME_DIE


def _shared(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Area that two boxes share over the area that they cover together."""
    w = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    h = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    both = max(w, 0.0) * max(h, 0.0)
    return both / (one[2] * one[3] + other[2] * other[3] - both)


def _clipped(box: tuple[float, float, float, float], frame: Frame) -> tuple[float, float, float, float]:
    x0, y0 = max(box[0], 0.0), max(box[1], 0.0)
    x1, y1 = min(box[0] + box[2], frame.shape[1] - 1.0), min(box[1] + box[3], frame.shape[0] - 1.0)
    return x0, y0, max(x1 - x0, 1.0), max(y1 - y0, 1.0)


def _many(n: int, one: str, more: str) -> str:
    return f"{n} {one if n == 1 else more}"

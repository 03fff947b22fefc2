"""What is new in the frame since the bowl was empty: an ornament that was there before is no die, a sleeve was not."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.bowl import Bowl
from vision.reading import Frame
from vision.rectify import Quad, edge_of
from vision.tone import drift

Floats = npt.NDArray[np.floating[Any]]
SAME = 8.0
"""Grey levels: a place that differs less from the empty bowl has not changed; dice differ by 14 and more."""
DRAWN, ALIKE = 7.0, 0.85
"""A place where the empty bowl's grey levels spread this much bears a drawing; correlated so well, it is still to be seen."""
INNER, INNER_MOST, INNER_ALIKE, MAYBE_ALIKE = 0.17, 20.0, 0.9, 0.7
"""The middle of a place leaves out this share on each side; of a drawing half under a die it has changed by less than so many grey levels and is correlated so well, and so well may be: no die of some 2,900 was."""
STILL_ALIKE = 0.65
"""What lies beside the bowl and is correlated so well with what lay there before is that, in whatever light; of 282 dice that had jumped the most was 0.57."""
PIPS, MORE_DRAWN, PIPS_ALIKE = 2.0, 1.5, 0.5
"""A place that has hardly changed in the mean bears new pips where its grey levels spread by so many, so many times as much as before, and hardly correlated."""
HAND = 40.0
HAND_SHARE = 0.12
"""A hand covers part of the bowl where more than this share of it, apart from the dice, differs by HAND grey levels."""
NEW = 4.0
"""A patch of nine samples that differs less than this from the empty bowl, on an average, is no part of something new."""
THING, THING_SHARE = 20.0, 0.003
"""A thing that is no bowl differs by so many grey levels, over this share of the bowl at least; a die is 0.005 to 0.02 of it."""
PIECE, PIECE_WIDE, PIECE_AREA = 25.0, 0.4, 0.3
"""Something that is not explained differs by so many grey levels, is wider than this many edges of a die, and covers this many of its faces."""
SHADE, SHADE_GREY = 0.22, 0.15
"""A shadow leaves at least this share of the light, in all colours alike but for so much."""
LONG, MUCH_LONGER, TOO_LONG, LONGEST = 1.95, 1.6, 2.5, 5.0
"""What is new beside the bowl is no single die where it is longer than LONG edges and so many times as long as wide, or longer than TOO_LONG; beyond LONGEST it is light, or a hand."""
MOST_MOVED = 3
"""Pixels by which a camera moves unnoticed, as the lamp warms it or somebody leans on the table."""
CUT_OFF = 250
"""Where the empty picture was so bright, it may have been any brighter; in a darker picture that shows."""
LEAST_LIGHT, DARK = 0.45, 0.25
"""Of the light with which the camera was set up; below the first, grey levels tell too little of what lies there to be sure of it, below the second to say that nothing does."""
MOST_DAZZLED = 0.9
"""Share of the bowl that is cut off, as it was not when it was empty, from which a die may leave no trace: all bowls with dice that were called empty had 0.94 and more."""
OTHER_VIEW, OTHER_SHARE, OTHER_JUMP = 30.0, 0.6, 0.15
"""Where more than this share of what lies beside the bowl differs by so many grey levels, the camera sees another scene; from OTHER_JUMP, what lies there may have come otherwise than as a die."""
_THIRDS = np.full((1, 3), 1 / 3, np.float32)
_SMALL = 160
_SAMPLES = 11


class Empty:
    """The empty bowl as it was, made ready once: its picture, the bowl's mask and the box about it, and every step-th pixel of the picture."""

    def __init__(self, bowl: Bowl, background: Frame) -> None:
        self.background = background
        self.step = max(1, background.shape[1] // _SMALL)
        self.small = np.ascontiguousarray(background[:: self.step, :: self.step])
        self.mask = bowl.mask()
        x, y, w, h = cv2.boundingRect(self.mask)
        self.box = x, y, w, h

    def since(self, frame: Frame) -> Since | None:
        """The frame held against the empty bowl; None where the frame is of another size."""
        return Since(self, frame) if frame.shape == self.background.shape else None


class Since:
    """One frame held against the empty bowl; its exposure may have drifted."""

    def __init__(self, empty: Empty, frame: Frame) -> None:
        self._mask, self._box, self._background, self._frame, self._step = empty.mask, empty.box, empty.background, frame, empty.step
        step, small = empty.step, empty.small
        now = frame[::step, ::step]
        self._tone = drift(small[::2, ::2], now[::2, ::2])
        self._now, self._small = now.astype(np.float32), self._tone.of(small)
        self._cut_off = small >= CUT_OFF
        self._changed: Floats | None = None

    @property
    def light(self) -> float:
        """How much of the light there still is, as the middle greys tell it: 1 as when the camera was set up."""
        return float(self._tone.table[128].mean()) / 128

    def difference(self, quad: Quad, most: int = 1) -> float:
        """Mean difference in grey levels round the quad, less what a shift of the picture or a shadow could explain; most: steps of a pixel, across or down."""
        x0, y0, x1, y1, step = self._place(quad)
        if x1 <= x0 or y1 <= y0:
            return 255.0
        now = self._frame[y0:y1:step, x0:x1:step].astype(np.float32)
        best, then = self._closest(x0, y0, x1, y1, step, most)
        before = self._tone.of(then)
        if best >= SAME:
            return 0.0 if _shaded(now, before, ALIKE) else best
        return SAME if _appeared(now, before) else best

    def half_hidden(self, quad: Quad, alike: float = INNER_ALIKE, most: float = INNER_MOST) -> bool:
        """Whether the middle of this place shows the same drawing as before: a die or the border of a shadow may hide the rest.

        alike: from which correlation; most: grey levels by which it may have changed, on an average.
        """
        x0, y0, x1, y1, step = self._place(quad)
        if x1 <= x0 or y1 <= y0:
            return False
        now = self._frame[y0:y1:step, x0:x1:step].astype(np.float32)
        then = self._tone.of(self._background[y0:y1:step, x0:x1:step])
        y, x = (round(INNER * n) for n in now.shape[:2])
        middle = np.s_[y : now.shape[0] - y, x : now.shape[1] - x]
        return float(np.abs(now - then)[middle].mean()) < most and _shaded(now[middle], then[middle], alike)

    def _place(self, quad: Quad) -> tuple[int, int, int, int, int]:
        """The square round a quad (x0, y0, x1, y1; a pixel from the frame's border at least) and the step at which it is sampled."""
        half = 0.6 * edge_of(quad)
        (x0, y0), (x1, y1) = (quad.mean(0) - half).astype(int), (quad.mean(0) + half).astype(int)
        height, width = self._frame.shape[:2]
        return max(x0, 1), max(y0, 1), min(x1, width - 2), min(y1, height - 2), max(1, round(2 * half / _SAMPLES))

    def new_in(self, x: int, y: int, w: int, h: int) -> bool:
        """Whether anything at all may have come into this part of the frame (pixels): on the side of yes, as noise counts too."""
        k = self._step
        return bool((self._changes()[y // k : (y + h) // k + 1, x // k : (x + w) // k + 1] > NEW).any())

    def _changes(self) -> Floats:
        """By how much each patch of nine samples differs from the empty bowl."""
        if self._changed is None:
            self._changed = np.asarray(cv2.blur(_grey(np.abs(self._now - self._small)), (3, 3)), np.float32)
        return self._changed

    def filled(self) -> bool:
        """Whether something as large as a die lies in the bowl that did not when it was empty, however blurred it is."""
        changed = (_most(_apart(self._now, self._small, self._cut_off)) > THING).astype(np.uint8)
        inside = self._mask[:: self._step, :: self._step][: changed.shape[0], : changed.shape[1]] > 0
        return _largest(changed * inside, np.ones((2, 2), np.uint8)) > THING_SHARE * max(int(inside.sum()), 1)

    def unexplained(self, boxes: list[tuple[float, float, float, float]], edge: float) -> bool:
        """Whether something as large as a die lies in the bowl apart from the dice (boxes: x, y, w, h; edge: of a die, pixels) and is no shadow."""
        step = max(1, int(edge / 6))
        x0, y0, w, h = self._box
        part = np.s_[y0 : y0 + h : step, x0 : x0 + w : step]
        free = (self._mask[part] > 0).astype(np.uint8)
        room = 0.15 * edge
        for x, y, wide, high in boxes:
            low = int((x - room - x0) / step), int((y - room - y0) / step)
            cv2.rectangle(free, low, (int((x + wide + room - x0) / step) + 1, int((y + high + room - y0) / step) + 1), 0, -1)
        least = PIECE_AREA * edge * edge / step**2
        kernel = np.ones((max(2, round(PIECE_WIDE * edge / step)),) * 2, np.uint8)
        now, empty = self._frame[part].astype(np.float32), self._background[part]
        for moved in (False, True):  # few pictures need to be held against a moved one
            empty = self._closest(x0, y0, x0 + w, y0 + h, step, MOST_MOVED)[1] if moved else empty
            then = self._tone.of(empty)
            piece = (_most(_apart(now, then, empty >= CUT_OFF)) > PIECE) * free
            if _largest(piece, kernel) <= least or _largest(piece * ~_shade(now, then), kernel) <= least:
                return False
        return True

    def _closest(self, x0: int, y0: int, x1: int, y1: int, step: int, most: int) -> tuple[float, Frame]:
        """By how much this part of the frame differs from the empty picture, moved by the few pixels by which the camera may have moved, and that part of it."""
        now = self._frame[y0:y1:step, x0:x1:step].astype(np.float32)
        height, width = self._background.shape[:2]
        best, found, here = math.inf, self._background[y0:y1:step, x0:x1:step], (0, 0)
        for _ in range(most):
            centre = here
            for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
                x, y = centre[0] + dx, centre[1] + dy
                if y0 + y < 0 or x0 + x < 0 or y1 + y > height or x1 + x > width:
                    continue
                then = self._background[y0 + y : y1 + y : step, x0 + x : x1 + x : step]
                apart = cv2.norm(now, self._tone.of(then), cv2.NORM_L1) / now.size
                if apart < best:
                    best, found, here = apart, then, (x, y)
            if here == centre:
                break
        return best, found

    def larger(self, centre: tuple[float, float], edge: float) -> bool:
        """Whether what is new at this place (pixels) is more than one die of this edge: a domino, a printed sheet."""
        step = max(1, round(edge / 12))
        reach = (LONGEST + 1) / 2 * edge
        x0, y0 = max(0, int(centre[0] - reach)), max(0, int(centre[1] - reach))
        part = np.s_[y0 : int(centre[1] + reach) : step, x0 : int(centre[0] + reach) : step]
        now, then = self._frame[part].astype(np.float32), self._tone.of(self._background[part])
        piece = ((_most(np.abs(now - then)) > THING) & ~_shade(now, then)).astype(np.uint8)
        labels = cv2.connectedComponents(np.asarray(cv2.morphologyEx(piece, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))), connectivity=8)[1]
        column, row, near = int((centre[0] - x0) / step), int((centre[1] - y0) / step), max(1, round(edge / 4 / step))
        here = labels[max(0, row - near) : row + near + 1, max(0, column - near) : column + near + 1]
        here = here[here > 0]
        if not len(here):
            return False
        ys, xs = np.nonzero(labels == int(np.bincount(here).argmax()))
        sides = cv2.minAreaRect(np.stack([xs, ys], axis=1).astype(np.float32))[1]
        wide, long = sorted((side + 1) * step / edge for side in sides)
        return (TOO_LONG if long <= MUCH_LONGER * wide else LONG) < long < LONGEST

    def elsewhere(self) -> float:
        """Share of what lies beside the bowl that is not what lay there when it was empty: much where the frame is of another view, or the camera was turned."""
        apart = self._changes()
        beside = self._mask[:: self._step, :: self._step][: apart.shape[0], : apart.shape[1]] == 0
        return int(np.count_nonzero((apart > OTHER_VIEW) & beside)) / max(int(np.count_nonzero(beside)), 1)

    def dazzled(self) -> float:
        """Share of the bowl that is so bright now, and was not when it was empty, that whatever lies there would be as bright."""
        white = (self._now >= CUT_OFF).all(axis=2) & ~self._cut_off.all(axis=2)
        inside = self._mask[:: self._step, :: self._step][: white.shape[0], : white.shape[1]] > 0
        return int(np.count_nonzero(white & inside)) / max(int(np.count_nonzero(inside)), 1)

    def covered(self, boxes: list[tuple[float, float, float, float]]) -> bool:
        """Whether much of the bowl has changed where no die lies (boxes: x, y, w, h of the dice): a hand, a sleeve."""
        changed = (_most(_apart(self._now, self._small, self._cut_off)) > HAND).astype(np.uint8)
        changed = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))  # lines of a drawing that moved are none
        inside = np.ascontiguousarray(self._mask[:: self._step, :: self._step][: changed.shape[0], : changed.shape[1]])
        size = max(int(np.count_nonzero(inside)), 1)
        for box in boxes:
            x, y, w, h = (v / self._step for v in box)
            cv2.rectangle(inside, (int(x - w / 2), int(y - h / 2)), (int(x + 1.5 * w), int(y + 1.5 * h)), 0, -1)
        return bool(np.count_nonzero((changed > 0) & (inside > 0)) > HAND_SHARE * size)


def _apart(now: Floats, then: Floats, cut_off: npt.NDArray[np.bool_]) -> Floats:
    """By how many grey levels each channel differs from what it can have been."""
    apart = np.abs(now - then)
    apart[cut_off & (now > then)] = 0
    return apart


def _grey(colours: Floats) -> Floats:
    """The mean of the three channels."""
    return np.asarray(cv2.transform(colours, _THIRDS))


def _most(channels: Floats) -> Floats:
    return np.asarray(np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2]))


def _shade(now: Floats, then: Floats) -> npt.NDArray[np.bool_]:
    """Where nothing but a shadow has come."""
    light = (now + 6) / (then + 6)
    brightest, darkest = _most(light), -_most(-light)
    return np.asarray((brightest < 1) & (darkest > SHADE) & (brightest - darkest < SHADE_GREY))


def _largest(marked: npt.NDArray[np.uint8], kernel: npt.NDArray[np.uint8]) -> int:
    """Size of the largest piece that is nowhere narrower than the kernel."""
    whole = np.asarray(cv2.morphologyEx(marked, cv2.MORPH_OPEN, kernel), np.uint8)
    sizes = cv2.connectedComponentsWithStats(whole, connectivity=8)[2][1:, cv2.CC_STAT_AREA]
    return int(sizes.max()) if len(sizes) else 0


def _appeared(now: Floats, then: Floats) -> bool:
    """Whether a drawing has come where none was: the pips of a die that is hardly lighter or darker than the bowl, in a dim or a blown-out picture."""
    a, b = _grey(now), _grey(then)
    a, b = a - a.mean(), b - b.mean()
    seen, drawn = float((a * a).mean()) ** 0.5, float((b * b).mean()) ** 0.5
    return bool(seen > max(PIPS, MORE_DRAWN * drawn) and float((a * b).mean()) < PIPS_ALIKE * seen * max(drawn, 1e-3))


def _shaded(now: Floats, then: Floats, alike: float) -> bool:
    """Whether a place shows the same drawing as before in another light: an ornament in a die's shadow or in its reflected light."""
    a, b = _grey(now), _grey(then)
    a, b = a - a.mean(), b - b.mean()
    drawn, seen = float((b * b).mean()), float((a * a).mean())
    return drawn > DRAWN * DRAWN and float((a * b).mean()) > alike * (drawn * max(seen, 1e-6)) ** 0.5

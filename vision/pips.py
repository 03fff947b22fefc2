"""Counting pips by geometry: the opinion that owes nothing to training.

A face has nine places where a pip can be, three by three. How much each place differs from the body around it is
measured, and the nine numbers are held against the legal layouts (2, 3 and 6 lie in either direction).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Frame

Floats = npt.NDArray[np.float32]

SIDE = 64
ROOM = 0.12
"""The face is rectified to SIDE x SIDE with this room round it before pips are counted."""
_EDGE = SIDE / (1 + 2 * ROOM)
_SPACINGS = (0.22, 0.26)
"""Distance of the outer pips' rows from the middle, in edges."""
_REACH = 5
_WIDER = 19
"""Pixels; wider than the largest pip and narrower than a face: what is narrower than this stands out from the body."""
_LAYOUTS: tuple[tuple[int, str], ...] = (
    (1, "....x...."),
    (2, "x.......x"), (2, "..x...x.."),
    (3, "x...x...x"), (3, "..x.x.x.."),
    (4, "x.x...x.x"),
    (5, "x.x.x.x.x"),
    (6, "x.xx.xx.x"), (6, "xxx...xxx"),
)  # fmt: skip
_NOISE = 5.0
"""Grey levels: a contrast of less is no pip."""
_FAINTEST = 0.5
"""A pip is at least so strong, as a share of the strongest contrast on the face, dark or bright."""
_ON = np.array([[mark == "x" for mark in layout] for _, layout in _LAYOUTS])
_FIRST = [next(i for i, (v, _) in enumerate(_LAYOUTS) if v == value) for value in range(1, 7)]
_SHARES = np.asarray(_ON.T / _ON.sum(1), np.float32)
"""By which nine places give the mean of each layout's pips."""
_EACH = np.arange(len(_LAYOUTS))
LIGHT_PIPS = 25.0
"""Steps of Lab's L by which light pips differ from a dark body."""
_VALUES = np.array([value for value, _ in _LAYOUTS])
INNER = slice(SIDE // 5, -SIDE // 5, 3)
"""Rows and columns of a rectified face that tell its body's colour."""
_BLUR = 9
_ROUND_A_PIP = np.ones((_WIDER, _WIDER), np.uint8)
_NEAR = np.ones((_REACH, _REACH), np.uint8)
_LINES = np.round((SIDE - 1) / 2 + np.outer(_SPACINGS, [-1, 0, 1]) * _EDGE).astype(int)
_ROWS, _COLUMNS = np.repeat(_LINES, 3, 1), np.tile(_LINES, 3)
"""Where the nine places lie, for each spacing."""
_OFF_Y, _OFF_X = (off.reshape(-1, 1, 1) - 2 for off in np.indices((5, 5)))
_PIP_ROWS, _PIP_COLUMNS = _ROWS + _OFF_Y, _COLUMNS + _OFF_X
"""The same with the pixels by which a pip may lie off its place."""
_SPACING, _PLACE = np.indices(_ROWS.shape)


@dataclass(frozen=True, slots=True)
class PipCount:
    """What geometry says: value 1-6 and how clearly it fits (0 not at all, 1 perfectly); support: the fit of each value.

    evenness: for each value, if it is that one, how strong its faintest pip is beside its strongest, 1.0 where that can't be said.
    """

    value: int
    fit: float
    support: tuple[float, ...]
    evenness: tuple[float, ...] = (1.0,) * 6


def count_pips(face: Frame) -> PipCount:
    """The layout that a rectified face (SIDE x SIDE, BGR, ROOM on each side) fits best."""
    blue, green, red = cv2.split(face)
    darkest = cv2.GaussianBlur(cv2.min(cv2.min(blue, green), red), (_BLUR, _BLUR), 0.045 * _EDGE)
    dark, bright = (cv2.dilate(cv2.morphologyEx(darkest, how, _ROUND_A_PIP), _NEAR) for how in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT))
    nines = np.concatenate([dark[_ROWS, _COLUMNS], bright[_ROWS, _COLUMNS]]).astype(np.float32)
    each = nines[:, None]
    weakest, elsewhere, strongest = np.where(_ON, each, np.inf).min(2), np.where(_ON, -np.inf, each).max(2), np.where(_ON, each, -np.inf).max(2)
    fits = _fits(weakest, elsewhere, nines @ _SHARES, max(_NOISE, _FAINTEST * float(nines.max()))).max(0)
    best = np.maximum.reduceat(fits, _FIRST)
    value = int(best.argmax()) + 1
    ordered = np.sort(best)
    return PipCount(value, float(max(0.0, min(ordered[-1], ordered[-1] - ordered[-2]))), tuple(best.tolist()), _evenness(weakest, elsewhere, strongest))


@dataclass(frozen=True, slots=True)
class PipColours:
    """Lab (OpenCV's 8 bit) of each pip (n x 3) where a face of some value has them, and of the body: sharp, and calm, where noise counts less.

    middle: which of them a face of another value lacks, and nothing else: a 2 with a spot in its middle is a 3, a 4 is a 5; none for other values.
    """

    sharp: Floats
    calm: Floats
    body: Floats
    middle: tuple[int, ...]

    @property
    def apart(self) -> tuple[tuple[float, float, float], ...]:
        """By how much each pip differs from its die."""
        return tuple((float(l), float(a), float(b)) for l, a, b in self.sharp - self.body)  # noqa: E741


def pip_colours(lab: Frame, value: int) -> PipColours:
    """The colours of a rectified face (SIDE x SIDE, OpenCV's 8 bit Lab), were it one of this value."""
    exact = lab.astype(np.float32)  # blurred three times as fast as whole numbers
    calm, _ = _pip_colours(exact, value, 2.5)
    sharp, body = _pip_colours(exact, value, 1.0)
    return PipColours(sharp, calm, body, {3: (1,), 5: (2,)}.get(value, ()))


def motley(colours: PipColours, limit: float) -> bool:
    """Whether some pip has another colour than the others, by more than `limit` steps of Lab's a and b."""
    spread = np.ptp(colours.calm[:, 1:], axis=0)
    return float(np.hypot(*spread)) > limit and any(_tint_apart(colours, i) > limit for i in range(len(colours.calm)))


def strange_pip(colours: PipColours, which: Iterable[int]) -> float:
    """How far the strangest of these pips is from the others' colour, in steps of Lab's a and b: all pips of a face have one, a crumb has its own."""
    return max((_tint_apart(colours, i) for i in which if len(colours.calm) > 1), default=0.0)


def shining_pip(colours: PipColours, which: Iterable[int]) -> float:
    """How much lighter than the others the lightest of these pips is, in steps of Lab's L, where pips are lighter than their die; else 0.

    A small lamp in a glossy dark face looks like one more white pip, but whiter.
    """
    lightness, body = colours.sharp[:, 0], float(colours.body[0])
    beside = [(float(lightness[i]), float(np.median(np.delete(lightness, i)))) for i in which if len(lightness) > 1]
    return max((pip - others for pip, others in beside if others - body > LIGHT_PIPS), default=0.0)


def _tint_apart(colours: PipColours, i: int) -> float:
    others = np.median(np.delete(colours.calm, i, 0), axis=0)
    return float(np.linalg.norm(colours.calm[i, 1:] - others[1:]))


def _pip_colours(lab: Floats, value: int, blur: float) -> tuple[Floats, Floats]:
    """Lab of the pips (n x 3) where a face of this value has them, and of the body."""
    blurred = np.asarray(cv2.GaussianBlur(lab, (0, 0), blur), np.float32)
    places = blurred[_PIP_ROWS, _PIP_COLUMNS]  # 25 pixels, 2 spacings, 9 places, 3
    body = median_colour(blurred[INNER, INNER])
    off = places - body
    apart = np.sqrt(np.einsum("ijkl,ijkl->ijk", off, off))
    strength, colour = apart.max(0), places[apart.argmax(0), _SPACING, _PLACE]
    faintest = {(k, i): float(strength[k, on].min()) for i, on in enumerate(_ON) if _VALUES[i] == value for k in range(len(_SPACINGS))}
    k, layout = max(faintest, key=lambda which: faintest[which])
    return colour[k, _ON[layout]], body


def median_colour(part: Floats) -> Floats:
    """Median colour of a part, channel by channel; the usual function takes seven times as long on so few pixels."""
    channels = part.reshape(-1, 3).T.copy()
    half = channels.shape[1] // 2
    channels.partition((half - 1, half), axis=1)
    return np.asarray(channels[:, half - 1 + channels.shape[1] % 2 : half + 1].mean(1), np.float32)


def redness(lab: Frame, value: int) -> float:
    """How much redder than its body the pips of a rectified face (OpenCV's 8 bit Lab) are where `value` has them: steps of Lab's a."""
    if value != 4:
        return 0.0
    a = cv2.medianBlur(np.ascontiguousarray(lab[:, :, 1]), 3)
    body = float(np.median(a[SIDE // 5 : -SIDE // 5, SIDE // 5 : -SIDE // 5]))
    pips = cv2.dilate(a, _NEAR)[_ROWS, _COLUMNS].max(0)[_ON[_FIRST[value - 1]]]
    return float(pips.mean()) - body


def _fits(weakest: Floats, elsewhere: Floats, mean: Floats, floor: float) -> Floats:
    """For each nine places and each layout the gap between its faintest pip and the strongest other place, as a share of its pips' mean."""
    return np.asarray(np.clip((weakest - np.maximum(elsewhere, 0)) / np.maximum(mean, floor), -1, 1), np.float32)


def _evenness(weakest: Floats, elsewhere: Floats, strongest: Floats) -> tuple[float, ...]:
    rows = strongest.argmax(0)
    weak, strong, off = (a[rows, _EACH] for a in (weakest, strongest, elsewhere))
    # faint pips stand out from the noise and from what lies between them, or nothing can be said of them
    told = np.where((weak > _NOISE) & (off < 0.6 * weak), weak / np.maximum(strong, 1.0), 1.0)
    return tuple(np.minimum.reduceat(told, _FIRST).tolist())

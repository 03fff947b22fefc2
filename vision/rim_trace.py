"""From a rough ellipse to the rings really there: unroll the picture about it and follow every closed edge.

Unrolled (a row per parameter t, a column per elliptical radius) a ring that is nearly the rough ellipse is the curve
r(t) = c0 + c1 cos t + c2 sin t + c3 cos 2t + c4 sin 2t: size, centre, shape. Edges are taken with their sign and
averaged along the ring, so that a ring gains on the pattern of a table cloth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import ellipse
from vision.ellipse import Floats
from vision.reading import Rim
from vision.rim_search import COLOUR_WEIGHT

Image = npt.NDArray[np.float32]

ROWS = 240
"""Directions in which the picture is unrolled."""
TURN = ellipse.angles(ROWS)
CURVES = np.stack([np.ones(ROWS), np.cos(TURN), np.sin(TURN), np.cos(2 * TURN), np.sin(2 * TURN)], axis=1)
FLOOR = 2.5
"""An edge of this contrast (Lab units over about two pixels) counts half; a clear one counts 1."""
STARTS, FAR_STARTS, CURVES_EACH, START_APART = 4, 2, 8, 0.015
"""How many rough rings are followed up, and how many curves about each."""
NEARLY, FAINT, RIVAL = 0.85, 0.56, 0.5
"""A ring counts as complete with this share of the support of the best one; as the bowl's faint lip with that,
and as reason for doubt with that."""
LEAST_PEAK = 0.2
OUTSIDE = 1.006
TIGHT = 0.004
"""How far (in radii) an edge may lie off a ring that it belongs to."""


@dataclass(frozen=True, slots=True)
class _Net:
    """Where rings are looked for: range of radii, step between mean radii, spread and step of centre shift and shape.

    blur: over how many radii, along: over how many directions edges are averaged (standard deviations); of several, the
    clearest counts: a long average gains on noise, a short one on a checked cloth.
    """

    inner: float
    outer: float
    step: float
    shift: tuple[float, float]
    shape: tuple[float, float]
    blur: float
    along: tuple[float, ...]

    def grid(self) -> Floats:
        shift = np.arange(-self.shift[0], self.shift[0] + 1e-9, self.shift[1])
        shape = np.arange(-self.shape[0], self.shape[0] + 1e-9, self.shape[1])
        return np.array(np.meshgrid(shift, shift, shape, shape, indexing="ij")).reshape(4, -1).T


COARSEST = 0.02
"""Step between radii, however few pixels an ellipse has: the narrow net still has ten of them across."""
WIDE = _Net(0.72, 1.36, step=0.006, shift=(0.04, 0.01), shape=(0.045, 0.015), blur=0.004, along=(2.5,))
FINE = _Net(0.91, 1.12, step=0.0025, shift=(0.015, 0.005), shape=(0.01, 0.005), blur=0.0015, along=(4.0,))


@dataclass(frozen=True, slots=True)
class Ring:
    """A closed edge: its ellipse, mean strength 0-1 over the whole turn, share of directions in which the edge is there.

    strengths: strength in each of the ROWS directions, 0 where no edge lies on the ellipse or the picture ends.
    in_view: share of the ellipse that lies inside the picture. evenness: contrast of the weaker quarter of the turn over
    that of the stronger one.
    """

    rim: Rim
    strength: float
    support: float
    strengths: Floats
    in_view: float
    evenness: float


@dataclass(frozen=True, slots=True)
class _Unrolled:
    """Edges about an ellipse, a row per direction, a column per radius: contrast, strength 0-1, and strength at its peaks alone."""

    radii: Floats
    contrast: Image
    strength: Image
    peaks: Image

    @property
    def step(self) -> float:
        return float(self.radii[1] - self.radii[0])


def lab(frame: npt.NDArray[np.uint8]) -> Image:
    """The picture in Lab, slightly smoothed, as rings are traced in."""
    return np.asarray(
        cv2.GaussianBlur(cv2.cvtColor(frame, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 1.0), np.float32
    )


def rings(picture: Image, rough: Rim) -> list[Ring]:
    """Every ring near the rough ellipse, innermost first; none where there is no edge at all."""
    found: list[Ring] = []
    for start in _starts(picture, rough):
        found += _beside(picture, start, found)
    while found:
        # a faint lip outside a strong painted line may have no start of its own, near by or further out
        edge_so_far = lip(found)
        found += _beside(picture, edge_so_far.rim, found, outside=True)
        if lip(found) is edge_so_far:
            for start in _starts(picture, edge_so_far.rim, passes=1)[:FAR_STARTS]:
                if start.major > 1.03 * edge_so_far.rim.major:
                    found += _beside(picture, start, found)
        if lip(found) is edge_so_far:
            break
    return sorted(found, key=_size)


def _starts(picture: Image, rough: Rim, passes: int = 2) -> list[Rim]:
    """Where rings may be: the clearest near the rough ellipse, then again near the clearest of those."""
    scored: list[tuple[float, Rim]] = []
    for _ in range(passes):
        wide = _edges(picture, rough, WIDE)
        curves = _curves(wide.radii, wide.strength, WIDE)
        scored += [(score, rim) for score, curve in curves if (rim := _ellipse_of(rough, curve)) is not None]
        if not scored:
            return []
        scored.sort(key=lambda item: -item[0])
        rough = scored[0][1]
    apart: list[tuple[float, Rim]] = []
    for score, rim in scored:
        if not any(_same(rim, other, START_APART) for _, other in apart):
            apart.append((score, rim))
    outer = [item for item in apart[STARTS:] if item[0] > 0.5 * apart[0][0]]
    return [rim for _, rim in apart[:STARTS] + sorted(outer, key=lambda item: -item[1].major)[:1]]


def lip(found: Sequence[Ring]) -> Ring:
    """The lip's outer edge among the rings of one bowl: the outermost that is complete, or a fainter one that runs round it."""
    most = max(ring.support for ring in found)
    outermost = max((ring for ring in found if ring.support >= NEARLY * most), key=_size)
    while True:
        faint = [ring for ring in found if ring.support >= FAINT * most and _runs_round(ring.rim, outermost.rim)]
        if not faint:
            return outermost
        outermost = max(faint, key=lambda ring: ring.support)


def rival(found: Sequence[Ring], chosen: Ring) -> Ring | None:
    """A fainter ring well outside the chosen one that could be the lip if the chosen one were but painted."""
    most = max(ring.support for ring in found)
    outside = [
        ring for ring in found if ring.support > RIVAL * most and _runs_round(ring.rim, chosen.rim, least=0.05)
    ]
    return max(outside, key=lambda ring: ring.support, default=None)


def _runs_round(outer: Rim, inner: Rim, least: float = 0.008) -> bool:
    """Whether one ellipse lies a little outside the other all round, as lip and painted line do."""
    x, y = ellipse.points(outer, TURN[::10])
    gap = ellipse.distance(inner, x, y) - 1
    return bool(gap.min() > least and gap.max() < 0.25 and gap.max() < 4 * gap.min())


def _beside(picture: Image, rim: Rim, known: Sequence[Ring], outside: bool = False) -> list[Ring]:
    """Rings within a tenth of this ellipse (or of its outside) that are not known yet."""
    near = _edges(picture, rim, FINE)
    wider = np.asarray(cv2.dilate(near.peaks, np.ones((1, 3), np.uint8)), np.float32)
    found: list[Ring] = []
    curves = [item for item in _curves(near.radii, wider, FINE) if not outside or item[1][0] > OUTSIDE]
    for _, curve in sorted(curves, key=lambda item: -item[0])[:CURVES_EACH]:
        better = _refined(picture, rim, near, curve)
        if better is not None and not any(_same(ring.rim, better) for ring in [*known, *found]):
            found.append(measure(picture, better))
    return found


def _refined(picture: Image, rim: Rim, near: _Unrolled, curve: Floats) -> Rim | None:
    """The curve about rim followed to its edge, and once more unrolled about what that gave."""
    for again in (True, False):
        followed = _follow(near, curve)
        better = None if followed is None else _ellipse_of(rim, followed)
        if better is None:
            return None
        if again:
            rim, near, curve = better, _edges(picture, better, FINE), np.array([1.0, 0, 0, 0, 0])
    return better


def _size(ring: Ring) -> float:
    return ring.rim.major + ring.rim.minor


def measure(picture: Image, rim: Rim) -> Ring:
    """How much of an edge lies on this ellipse."""
    near = _edges(picture, rim, FINE)
    off = (near.radii - 1) / max(TIGHT, 0.75 * near.step)
    strengths = (near.peaks * np.exp(-off * off)).max(axis=1)
    height, width = picture.shape[:2]
    x, y = ellipse.points(rim, TURN)
    inside = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
    there = (near.contrast * np.exp(-off * off)).max(axis=1)[inside]
    weak, strong = np.percentile(there, [25, 75]) if len(there) else (0.0, 0.0)
    even = float(weak) / max(float(strong), 1e-6)
    return Ring(rim, float(strengths.mean()), float((strengths > 0.35).mean()), strengths, float(inside.mean()), even)


def unroll(picture: Image, rim: Rim, radii: Floats) -> tuple[Image, npt.NDArray[np.bool_]]:
    """The picture along these radii (ROWS x radii x channels), and which samples lie inside the picture."""
    x, y = ellipse.points(rim, TURN[:, None], radii[None, :])
    height, width = picture.shape[:2]
    rolled = cv2.remap(
        picture, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(rolled, np.float32), (x >= 1) & (y >= 1) & (x <= width - 2) & (y <= height - 2)


def _edges(picture: Image, rim: Rim, net: _Net) -> _Unrolled:
    """The edges across every direction of an ellipse, at radii about a pixel apart."""
    step = min(max(0.0015, 1.0 / ((rim.major + rim.minor) / 4)), COARSEST)
    radii = np.arange(net.inner, net.outer, step)
    rolled, valid = unroll(picture, rim, radii)
    across = np.asarray(cv2.filter2D(rolled, cv2.CV_32F, np.array([[-1, -2, 0, 2, 1]], np.float32) / 3), np.float32)
    strength, peaks = np.zeros(across.shape[:2], np.float32), np.zeros(across.shape[:2], np.float32)
    for along in net.along:
        reach = round(3 * along)
        mean = cv2.GaussianBlur(_wrap(across, reach), (1, 2 * reach + 1), sigmaX=0.1, sigmaY=along)[reach:-reach]
        contrast = np.sqrt((mean * mean * COLOUR_WEIGHT).sum(axis=2)).astype(np.float32)
        contrast[~valid] = 0
        relative = contrast / (contrast + 0.7 * _texture_outside(contrast, step) + FLOOR)
        strength = np.maximum(strength, relative)
        peaks = np.maximum(peaks, np.where(_peaks(contrast), relative, 0))
    peaks[peaks < LEAST_PEAK] = 0
    return _Unrolled(radii, contrast, strength, peaks)


def _texture_outside(contrast: Image, step: float) -> Image:
    """Mean contrast of the stretch just outside each place: what the table's own pattern would give there."""
    gap, reach = max(2, round(0.015 / step)), max(4, round(0.06 / step))
    mean = cv2.blur(_wrap(contrast, 20), (reach, 41), borderType=cv2.BORDER_REPLICATE)[20:-20]
    shift = gap + reach // 2
    return np.concatenate([mean[:, shift:], np.repeat(mean[:, -1:], shift, axis=1)], axis=1)


def _wrap(rolled: Image, rows: int) -> Image:
    return np.concatenate([rolled[-rows:], rolled, rolled[:rows]])


def _peaks(contrast: Image) -> npt.NDArray[np.bool_]:
    """Where the contrast peaks across the ring."""
    peak = (contrast >= np.roll(contrast, 1, axis=1)) & (contrast > np.roll(contrast, -1, axis=1))
    peak[:, :2] = peak[:, -2:] = False
    return peak


def _curves(radii: Floats, edge: Image, net: _Net) -> list[tuple[float, Floats]]:
    """For each mean radius the best curve of the net with its score, where that peaks over the radius."""
    step = radii[1] - radii[0]
    rows = slice(None, None, 4)
    smooth = cv2.GaussianBlur(edge, (0, 0), sigmaX=max(0.5, net.blur / step), sigmaY=0.01)[rows]
    grid = net.grid()
    offsets = np.rint(grid @ CURVES[rows, 1:].T / step).astype(np.int32)
    row_start = (np.arange(smooth.shape[0]) * smooth.shape[1]).astype(np.int32)
    flat, last = smooth.ravel(), smooth.shape[1] - 1
    margin = net.shift[0] + net.shape[0]
    best: list[tuple[float, Floats]] = []
    for radius in np.arange(radii[0] + margin, radii[-1] - margin, net.step):
        columns = np.clip(offsets + round((radius - radii[0]) / step), 0, last)
        score = flat[columns + row_start].mean(axis=1)
        k = int(score.argmax())
        best.append((float(score[k]), np.array([radius, *grid[k]])))
    return [item for k, item in enumerate(best) if item[0] >= max(s for s, _ in best[max(0, k - 2) : k + 3])]


def _follow(near: _Unrolled, curve: Floats) -> Floats | None:
    """Pull the curve onto the edge peaks beside it, ever more narrowly."""
    everyone = np.arange(ROWS)
    for reach in (0.006, 0.005, 0.004, 0.003, 0.003):
        off = (near.radii[None, :] - (CURVES @ curve)[:, None]) / max(reach, 0.6 * near.step)
        weight = near.peaks * np.exp(-off * off)
        column = weight.argmax(axis=1)
        w = weight[everyone, column]
        if (w > 0.05).sum() < ROWS // 6:
            return None
        weighted = CURVES * w[:, None]
        target = near.radii[column] + _sub_sample(near.contrast, everyone, column) * near.step
        curve = np.linalg.solve(weighted.T @ CURVES + 0.01 * np.eye(5), weighted.T @ target + 0.01 * curve)
    return curve


def _sub_sample(contrast: Image, row: npt.NDArray[np.intp], column: npt.NDArray[np.intp]) -> Floats:
    """Where the peak lies between samples, -0.5 to 0.5, by the parabola through three."""
    column = np.clip(column, 1, contrast.shape[1] - 2)
    left, middle, right = (contrast[row, column + k].astype(float) for k in (-1, 0, 1))
    bend = left - 2 * middle + right
    return np.clip(np.where(bend < -1e-6, 0.5 * (left - right) / np.where(bend < -1e-6, bend, 1), 0), -0.5, 0.5)


def _ellipse_of(rim: Rim, curve: Floats) -> Rim | None:
    x, y = ellipse.points(rim, TURN, CURVES @ curve)
    return ellipse.fit(x, y)


def _same(one: Rim, other: Rim, reach: float = 0.005) -> bool:
    x, y = ellipse.points(one, TURN[::10])
    return float(np.abs(ellipse.distance(other, x, y) - 1).max()) < reach

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
STARTS, CURVES_EACH = 4, 8
"""How many rough rings are followed up, and how many curves about each."""
NEARLY, FAINT, RIVAL = 0.85, 0.64, 0.55
"""A ring counts as complete with this share of the support of the best one; as the bowl's faint lip with that,
and as reason for doubt with that."""
TIGHT = 0.004
"""How far (in radii) an edge may lie off a ring that it belongs to."""


@dataclass(frozen=True, slots=True)
class _Net:
    """Where rings are looked for: range of radii, step between mean radii, spread and step of centre shift and shape.

    blur: over how many radii, along: over how many directions edges are averaged (standard deviations).
    """

    inner: float
    outer: float
    step: float
    shift: tuple[float, float]
    shape: tuple[float, float]
    blur: float
    along: float

    def grid(self) -> Floats:
        shift = np.arange(-self.shift[0], self.shift[0] + 1e-9, self.shift[1])
        shape = np.arange(-self.shape[0], self.shape[0] + 1e-9, self.shape[1])
        return np.array(np.meshgrid(shift, shift, shape, shape, indexing="ij")).reshape(4, -1).T


WIDE = _Net(0.72, 1.36, step=0.006, shift=(0.04, 0.01), shape=(0.045, 0.015), blur=0.004, along=2.5)
FINE = _Net(0.91, 1.12, step=0.0025, shift=(0.015, 0.005), shape=(0.01, 0.005), blur=0.0015, along=4.0)


@dataclass(frozen=True, slots=True)
class Ring:
    """A closed edge: its ellipse, mean strength 0-1 over the whole turn, share of directions in which the edge is there.

    strengths: strength in each of the ROWS directions, 0 where no edge lies on the ellipse or the picture ends.
    in_view: share of the ellipse that lies inside the picture.
    """

    rim: Rim
    strength: float
    support: float
    strengths: Floats
    in_view: float


def lab(frame: npt.NDArray[np.uint8]) -> Image:
    """The picture in Lab, slightly smoothed, as rings are traced in."""
    return np.asarray(
        cv2.GaussianBlur(cv2.cvtColor(frame, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 1.0), np.float32
    )


def rings(picture: Image, rough: Rim) -> list[Ring]:
    """Every ring near the rough ellipse, innermost first; none where there is no edge at all."""
    radii, edge = _edges(picture, rough, WIDE)
    starts = sorted(_curves(radii, edge, WIDE), key=lambda item: -item[0])
    outer = [item for item in starts[STARTS:] if item[0] > 0.5 * starts[0][0]]
    found: list[Ring] = []
    for _, curve in starts[:STARTS] + sorted(outer, key=lambda item: -item[1][0])[:1]:
        start = _ellipse_of(rough, curve)
        if start is not None:
            found += _beside(picture, start, found)
    while found:
        # a faint lip outside a strong painted line may have no start of its own
        edge_so_far = lip(found)
        grown = [ring for ring in _beside(picture, edge_so_far.rim, found) if _size(ring) > _size(edge_so_far)]
        found += grown
        if lip(found) is edge_so_far:
            break
    return sorted(found, key=_size)


def lip(found: Sequence[Ring]) -> Ring:
    """The lip's outer edge among the rings of one bowl: the outermost that is complete, or a fainter one that runs round it."""
    most = max(ring.support for ring in found)
    outermost = max((ring for ring in found if ring.support >= NEARLY * most), key=_size)
    faint = [ring for ring in found if ring.support >= FAINT * most and _runs_round(ring.rim, outermost.rim)]
    return max([outermost, *faint], key=_size)


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


def _beside(picture: Image, rim: Rim, known: Sequence[Ring]) -> list[Ring]:
    """Rings within a tenth of this ellipse that are not known yet."""
    radii, edge = _edges(picture, rim, FINE)
    found: list[Ring] = []
    curves = sorted(_curves(radii, _sharpened(edge), FINE), key=lambda item: -item[0])[:CURVES_EACH]
    for _, curve in curves:
        followed = _follow(radii, edge, curve)
        better = None if followed is None else _ellipse_of(rim, followed)
        if better is not None and not any(_same(ring.rim, better) for ring in [*known, *found]):
            found.append(measure(picture, better))
    return found


def _size(ring: Ring) -> float:
    return ring.rim.major + ring.rim.minor


def measure(picture: Image, rim: Rim) -> Ring:
    """How much of an edge lies on this ellipse."""
    radii, edge = _edges(picture, rim, FINE)
    off = (radii - 1) / TIGHT
    strengths = (_sharpened(edge, 0) * np.exp(-off * off)).max(axis=1)
    height, width = picture.shape[:2]
    x, y = ellipse.points(rim, TURN)
    inside = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
    return Ring(rim, float(strengths.mean()), float((strengths > 0.35).mean()), strengths, float(inside.mean()))


def unroll(picture: Image, rim: Rim, radii: Floats) -> tuple[Image, npt.NDArray[np.bool_]]:
    """The picture along these radii (ROWS x radii x channels), and which samples lie inside the picture."""
    x, y = ellipse.points(rim, TURN[:, None], radii[None, :])
    height, width = picture.shape[:2]
    rolled = cv2.remap(
        picture, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(rolled, np.float32), (x >= 1) & (y >= 1) & (x <= width - 2) & (y <= height - 2)


def _edges(picture: Image, rim: Rim, net: _Net) -> tuple[Floats, Image]:
    """Radii about a pixel apart and edge strength 0-1 across them in every direction."""
    step = max(0.0015, 1.0 / ((rim.major + rim.minor) / 4))
    radii = np.arange(net.inner, net.outer, step)
    rolled, valid = unroll(picture, rim, radii)
    across = np.asarray(cv2.filter2D(rolled, cv2.CV_32F, np.array([[-1, -2, 0, 2, 1]], np.float32) / 3), np.float32)
    reach = round(3 * net.along)
    smooth = cv2.GaussianBlur(_wrap(across, reach), (1, 2 * reach + 1), sigmaX=0.1, sigmaY=net.along)
    across = np.asarray(smooth[reach:-reach], np.float32)
    contrast = np.sqrt((across * across * COLOUR_WEIGHT).sum(axis=2))
    contrast[~valid] = 0
    return radii, (contrast / (contrast + 0.7 * _texture_outside(contrast, step) + FLOOR)).astype(np.float32)


def _texture_outside(contrast: Image, step: float) -> Image:
    """Mean contrast of the stretch just outside each place: what the table's own pattern would give there."""
    gap, reach = max(2, round(0.015 / step)), max(4, round(0.06 / step))
    mean = cv2.blur(_wrap(contrast, 20), (reach, 41), borderType=cv2.BORDER_REPLICATE)[20:-20]
    shift = gap + reach // 2
    return np.concatenate([mean[:, shift:], np.repeat(mean[:, -1:], shift, axis=1)], axis=1)


def _wrap(rolled: Image, rows: int) -> Image:
    return np.concatenate([rolled[-rows:], rolled, rolled[:rows]])


def _peaks(edge: Image) -> npt.NDArray[np.bool_]:
    peak = (edge >= np.roll(edge, 1, axis=1)) & (edge > np.roll(edge, -1, axis=1)) & (edge > 0.2)
    peak[:, :2] = peak[:, -2:] = False
    return peak


def _sharpened(edge: Image, spread: int = 1) -> Image:
    """Edge strength at the peaks across the ring alone, each `spread` columns wide to either side."""
    at_peaks = np.where(_peaks(edge), edge, 0).astype(np.float32)
    if spread == 0:
        return at_peaks
    return np.asarray(cv2.dilate(at_peaks, np.ones((1, 2 * spread + 1), np.uint8)), np.float32)


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


def _follow(radii: Floats, edge: Image, curve: Floats) -> Floats | None:
    """Pull the curve onto the edge peaks beside it, ever more narrowly."""
    peak = _peaks(edge)
    everyone = np.arange(ROWS)
    for reach in (0.006, 0.005, 0.004, 0.003, 0.003):
        off = (radii[None, :] - (CURVES @ curve)[:, None]) / reach
        weight = np.where(peak, edge * np.exp(-off * off), 0)
        column = weight.argmax(axis=1)
        w = weight[everyone, column]
        if (w > 0.05).sum() < ROWS // 6:
            return None
        weighted = CURVES * w[:, None]
        target = radii[column] + _sub_sample(edge, everyone, column) * (radii[1] - radii[0])
        curve = np.linalg.solve(weighted.T @ CURVES + 0.01 * np.eye(5), weighted.T @ target + 0.01 * curve)
    return curve


def _sub_sample(edge: Image, row: npt.NDArray[np.intp], column: npt.NDArray[np.intp]) -> Floats:
    """Where the peak lies between samples, -0.5 to 0.5, by the parabola through three."""
    column = np.clip(column, 1, edge.shape[1] - 2)
    left, middle, right = (edge[row, column + k].astype(float) for k in (-1, 0, 1))
    bend = left - 2 * middle + right
    return np.clip(np.where(bend < -1e-6, 0.5 * (left - right) / np.where(bend < -1e-6, bend, 1), 0), -0.5, 0.5)


def _ellipse_of(rim: Rim, curve: Floats) -> Rim | None:
    x, y = ellipse.points(rim, TURN, CURVES @ curve)
    return ellipse.fit(x, y)


def _same(one: Rim, other: Rim) -> bool:
    x, y = ellipse.points(one, TURN[::10])
    return float(np.abs(ellipse.distance(other, x, y) - 1).max()) < 0.005

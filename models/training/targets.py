"""From known dice to what the finder shall answer at each cell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.nets import CHANNELS, STRIDE
from models.training.scenes import Truth

Array = npt.NDArray[Any]

BOX_UNIT = 16.0
EDGE_UNIT = 20.0
TILT_UNIT = 25.0


def moved(die: Truth, matrix: Array, box_kept: bool) -> Truth:
    """The die after the 2 x 3 affine `matrix` on its picture."""
    part = matrix[:, :2]
    scale = math.sqrt(abs(np.linalg.det(part)))
    return Truth(
        centre=part @ die.centre + matrix[:, 2],
        edge=die.edge * scale,
        quad=None if die.quad is None else die.quad @ part.T + matrix[:, 2],
        outline=die.outline @ part.T + matrix[:, 2] if box_kept else np.zeros((0, 2), np.float32),
        value=die.value, clear=die.clear, cocked=die.cocked, tilt=die.tilt, shown=die.shown, rough=die.rough, fits=die.fits,
    )


def shape_of(quad: Array, unit: float = EDGE_UNIT) -> tuple[float, float, float, float, float]:
    """Log edge (in units), two stretches, cos and sin of four times the angle, of the parallelogram nearest to a quad.

    The halves of its edges are the columns of M = S R with S symmetric; S and four times R's angle are the same
    whichever corner the quad begins with.
    """
    u = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    v = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    m = np.stack([u, v], 1)
    if np.linalg.det(m) < 0:
        m = m[:, ::-1]
    left, sizes, right = np.linalg.svd(m)
    sizes = np.maximum(sizes, 1e-3)
    axis = math.atan2(left[1, 0], left[0, 0])
    stretch = 0.5 * math.log(sizes[0] / sizes[1])
    rotation = left @ right
    angle = math.atan2(rotation[1, 0], rotation[0, 0])
    edge = 2 * math.sqrt(sizes[0] * sizes[1])
    return (
        math.log(edge / unit), stretch * math.cos(2 * axis), stretch * math.sin(2 * axis),
        math.cos(4 * angle), math.sin(4 * angle),
    )


def targets(dice: Sequence[Truth], holes: Array, size: tuple[int, int]) -> tuple[Array, Array, Array]:
    """Heat, answers and weights (channels x cells) for a crop of `size` = (height, width) pixels.

    holes: n x 4 x 2 corners of places to be ignored.
    """
    rows, columns = size[0] // STRIDE, size[1] // STRIDE
    heat = np.zeros((rows, columns), np.float32)
    best = np.zeros((rows, columns), np.float32)
    answers = np.zeros((CHANNELS, rows, columns), np.float32)
    weights = np.zeros((CHANNELS, rows, columns), np.float32)
    weights[0] = 1.0
    for hole in holes:
        mask = np.zeros((rows, columns), np.uint8)
        cv2.fillConvexPoly(mask, np.round(hole / STRIDE).astype(np.int32), 1)
        weights[0][mask > 0] = 0.0
    for die in dice:
        cx, cy = die.centre / STRIDE - 0.375  # the centre of cell 0 lies at pixel 1.5
        if not (-0.5 <= cx < columns - 0.5 and -0.5 <= cy < rows - 0.5):
            continue
        sigma = max(0.65, die.edge / STRIDE * (0.19 if die.rough else 0.15))
        reach = math.ceil(3 * sigma) + 1
        x0, x1 = max(0, int(cx) - reach), min(columns, int(cx) + reach + 2)
        y0, y1 = max(0, int(cy) - reach), min(rows, int(cy) + reach + 2)
        ys, xs = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        bump = np.exp(-((xs - cx) ** 2 + (ys - cy) ** 2) / (2 * sigma * sigma))
        heat[y0:y1, x0:x1] = np.maximum(heat[y0:y1, x0:x1], bump)
        peak = (round(float(cy)), round(float(cx)))
        if 0 <= peak[0] < rows and 0 <= peak[1] < columns:
            heat[peak] = 1.0
            weights[0][peak] = 1.0
        near = (bump > np.maximum(best[y0:y1, x0:x1], 0.30))
        best[y0:y1, x0:x1][near] = bump[near]
        told, weight = _told(die)
        window = answers[:, y0:y1, x0:x1]
        window[:, near] = told[:, None]
        window[1][near] = (cx - xs)[near]
        window[2][near] = (cy - ys)[near]
        if len(die.outline):
            _box(die, window, near, xs, ys, size)
        weights[1:, y0:y1, x0:x1][:, near] = weight[1:, None] * bump[near][None]
    answers[0] = heat
    return heat, answers, weights


def _told(die: Truth) -> tuple[Array, Array]:
    told = np.zeros(CHANNELS, np.float32)
    weight = np.zeros(CHANNELS, np.float32)
    weight[1:3] = 0.25 if die.rough else 1.0
    if die.quad is not None and not die.fits and math.isnan(die.tilt):  # a photo's, as the finder saw it
        told[3], weight[3] = math.log(die.edge / EDGE_UNIT), 0.2
    elif die.quad is not None:
        told[3:8] = shape_of(die.quad)
        weight[3:8] = 1.0
    else:
        told[3] = math.log(die.edge / EDGE_UNIT)
        weight[3] = 0.2
    if len(die.outline):
        weight[8:12] = 1.0
    if die.clear >= 0:
        told[12], weight[12] = die.clear, (4.0 if die.clear == 0 else 1.0) if die.quad is not None else 0.3
    if die.cocked >= 0:
        told[13], weight[13] = die.cocked, 6.0 if die.cocked else 1.0
    if die.value:
        told[13 + die.value] = 1.0
        weight[14:20] = 1.0
    if not math.isnan(die.tilt):
        told[20], weight[20] = min(die.tilt, 60.0) / TILT_UNIT, 1.0 + die.tilt / 10.0
    return told, weight


def _box(die: Truth, window: Array, near: Array, xs: Array, ys: Array, size: tuple[int, int]) -> None:
    low = np.maximum(die.outline.min(0), 0)
    high = np.minimum(die.outline.max(0), [size[1] - 1, size[0] - 1])
    px, py = xs * STRIDE + 1.5, ys * STRIDE + 1.5
    for channel, reach in ((8, px - low[0]), (9, py - low[1]), (10, high[0] - px), (11, high[1] - py)):
        window[channel][near] = reach[near] / BOX_UNIT

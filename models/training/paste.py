"""Cut-out dice from made scenes, laid onto other pictures: dice on grounds that they were never rendered on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.scenes import Scene, Truth
from models.training.targets import moved

Array = npt.NDArray[Any]

ROOM = 1.25
CROWDED = 0.5
"""Share of the dice that are laid close to another one."""


@dataclass(slots=True)
class _Piece:
    picture: Array
    mask: Array
    die: Truth


class Stock:
    """Dice cut out along their outlines; most: how many are kept."""

    def __init__(self, scenes: Sequence[Scene], most: int = 1500, seed: int = 5) -> None:
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(scenes))
        self._pieces: list[_Piece] = []
        for i in order:
            if len(self._pieces) >= most:
                break
            scene = scenes[int(i)]
            wanted = [d for d in scene.dice if d.shown > 0.97 and d.clear >= 0 and len(d.outline) >= 8 and d.edge > 17]
            if wanted:
                picture = scene.picture()
                self._pieces += [p for p in (_cut(picture, d) for d in wanted[:4]) if p is not None]

    def onto(self, rng: np.random.Generator, shown: Array, dice: list[Truth]) -> tuple[Array, list[Truth]]:
        """The picture with up to six more dice at free places."""
        size = shown.shape[0]
        edges = [d.edge for d in dice]
        base = float(np.median(edges)) if edges else math.exp(rng.uniform(math.log(10), math.log(36)))
        shown = shown.copy()
        for _ in range(int(rng.integers(1, 7))):
            if not self._pieces:
                break
            piece = self._pieces[int(rng.integers(len(self._pieces)))]
            edge = float(np.clip(base * math.exp(rng.normal(0, 0.2)), 9, 42))
            spot, least = rng.uniform(0, size, 2), 1.7
            if dice and rng.random() < CROWDED:  # beside another die, as they lie in the middle of a bowl
                way, neighbour = rng.uniform(0, 2 * math.pi), dice[int(rng.integers(len(dice)))]
                spot = neighbour.centre + np.array([math.cos(way), math.sin(way)]) * rng.uniform(1.2, 1.7) * max(edge, neighbour.edge)
                least = 1.19
            if any(np.linalg.norm(spot - d.centre) < least * max(edge, d.edge) for d in dice):
                continue
            shown, die = _lay(rng, shown, piece, spot, edge)
            dice = [*dice, die]
        return shown, dice


def _cut(picture: Array, die: Truth) -> _Piece | None:
    hull = cv2.convexHull(die.outline.astype(np.float32)).reshape(-1, 2)
    low, high = hull.min(0), hull.max(0)
    reach = (high - low) * (ROOM - 1) / 2
    x0, y0 = np.floor(low - reach).astype(int)
    x1, y1 = np.ceil(high + reach).astype(int)
    if x0 < 0 or y0 < 0 or x1 >= picture.shape[1] or y1 >= picture.shape[0]:
        return None
    part = picture[y0:y1, x0:x1].copy()
    mask = np.zeros(part.shape[:2], np.uint8)
    middle = hull.mean(0)
    shrunk = middle + (hull - middle) * 1.01 - [x0, y0]
    cv2.fillConvexPoly(mask, np.round(shrunk * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    shift = np.array([[1.0, 0, -x0], [0, 1.0, -y0]])
    # how it leans is seen against the camera of its own picture: elsewhere only what its top shows holds
    return _Piece(part, mask, replace(moved(die, shift, True), tilt=math.nan, cocked=-1))


def _lay(rng: np.random.Generator, shown: Array, piece: _Piece, spot: Array, edge: float) -> tuple[Array, Truth]:
    scale = edge / piece.die.edge
    turn = rng.uniform(0, 2 * math.pi)
    c, s = math.cos(turn) * scale, math.sin(turn) * scale
    matrix = np.array([[c, -s], [s, c]])
    place = np.concatenate([matrix, (spot - matrix @ piece.die.centre)[:, None]], 1)
    size = (shown.shape[1], shown.shape[0])
    mask = cv2.warpAffine(piece.mask, place, size).astype(np.float32)[:, :, None] / 255
    part = cv2.warpAffine(piece.picture, place, size, flags=cv2.INTER_AREA).astype(np.float32)
    if rng.random() < 0.3:  # a body of another colour
        tint = rng.uniform(0.25, 1.0, 3)
        part = part * tint
    below = shown.astype(np.float32)
    if rng.random() < 0.6:  # a shadow
        reach = rng.normal(0, 0.35, 2) * edge
        shade = cv2.warpAffine(mask, np.array([[1, 0, reach[0]], [0, 1, reach[1]]]), size)
        shade = cv2.GaussianBlur(shade, (0, 0), max(0.5, edge * rng.uniform(0.03, 0.2)))[:, :, None]
        below = below * (1 - shade * rng.uniform(0.2, 0.7))
    mixed = below * (1 - mask) + part * mask
    return np.clip(mixed, 0, 255).astype(np.uint8), moved(piece.die, place, True)

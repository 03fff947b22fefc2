"""Dice into a picture: who is in front of whom, their colours, and how much of each is seen."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.training.cheap.arrays import Array, Rng
from models.training.cheap.bowl import Bowl
from models.training.cheap.camera import Camera
from models.training.cheap.dice_light import colours
from models.training.cheap.lights import Light
from models.training.cheap.looks import Look
from models.training.cheap.raycast import Hits, cast
from models.training.cheap.rest import Rest

MARGIN = 160
BIG = 220_000


@dataclass(frozen=True)
class Seen:
    """How much of a die is seen: shares of its outline and of its top face, the box of what is seen, the outline's box."""

    share: float
    top_share: float
    box: tuple[int, int, int, int] | None
    whole_box: tuple[float, float, float, float]


def _fine(camera: Camera, dice: list[Rest]) -> int:
    """Rays a pixel along each axis: two, one where large dice fill the picture."""
    area = 0.0
    for die in dice:
        px = camera.f * die.edge / max(float(np.linalg.norm(die.centre - camera.position)), 1.0)
        area += 1.6 * px * px
    return 2 if area < BIG else 1


def _measure(rest: Rest, hits: Hits, shown: Array, whole_box: tuple[float, float, float, float], ss: int) -> Seen:
    top = hits.face == rest.tilts()[0][1]
    n, n_top = len(shown), int(top.sum())
    if not n or not shown.any():
        return Seen(0.0, 0.0, None, whole_box)
    cols, rows = hits.cols[shown] // ss, hits.rows[shown] // ss
    box = (int(cols.min()), int(rows.min()), int(cols.max()) + 1, int(rows.max()) + 1)
    return Seen(float(shown.sum() / n), float((shown & top).sum() / max(n_top, 1)), box, whole_box)


@dataclass(frozen=True)
class Patch:
    """A piece of picture with dice: its corner, colour (rows, cols, 3, premultiplied) and share (rows, cols, 1)."""

    x0: int
    y0: int
    picture: Array
    share: Array

    def onto(self, canvas: Array) -> None:
        """Lay the piece over a picture of the same kind."""
        rows, cols = self.share.shape[:2]
        part = canvas[self.y0 : self.y0 + rows, self.x0 : self.x0 + cols]
        part[:] = part * (1 - self.share) + self.picture


def _region(camera: Camera, dice: list[Rest]) -> tuple[int, int, int, int]:
    """Box x0, y0, x1, y1 of the picture that holds all dice; even and never empty."""
    points = camera.project(np.concatenate([die.corners() for die in dice]))
    x0, y0 = (int(v) for v in np.clip(np.floor(points.min(axis=0)) - 3, 0, [camera.width - 2, camera.height - 2]))
    x1, y1 = (int(v) for v in np.clip(np.ceil(points.max(axis=0)) + 4, [x0 + 2, y0 + 2], [camera.width, camera.height]))
    return x0, y0, x1, y1


def draw_dice(
    rng: Rng, camera: Camera, light: Light, dice: list[Rest], looks: list[Look], bowl: Bowl | None, cover: Array | None
) -> tuple[Patch, list[Seen]]:
    """The dice as a patch, and what is seen of each.

    cover (height, width, bool) marks pixels where something else lies over the dice; it counts, but is not painted here.
    """
    ss = _fine(camera, dice)
    x0, y0, x1, y1 = _region(camera, dice)
    left, up, width, height = x0 * ss, y0 * ss, (x1 - x0) * ss, (y1 - y0) * ss
    nearest = np.full((height, width), np.inf, np.float32)
    owner = np.full((height, width), -1, np.int16)
    every: list[tuple[Hits, Array]] = []
    for k, (rest, look) in enumerate(zip(dice, looks, strict=True)):
        hits = cast(camera, rest, look, ss, MARGIN)
        cols, rows = hits.cols - left, hits.rows - up
        ok = (cols >= 0) & (cols < width) & (rows >= 0) & (rows < height)
        if bowl is not None and len(ok):
            p = rest.rotation.astype(np.float32) @ (hits.local * np.float32(rest.edge / 2))
            ok &= ~bowl.hides(camera.position, p + rest.centre.astype(np.float32)[:, None], rest.inside)
        every.append((hits, ok))
        r, c, depth = rows[ok], cols[ok], hits.depth[ok]
        front = depth < nearest[r, c]
        nearest[r[front], c[front]] = depth[front]
        owner[r[front], c[front]] = k
    picture = np.zeros((height, width, 3), np.float32)
    seen = []
    for k, (hits, ok) in enumerate(every):
        shown = ok.copy()
        shown[ok] = owner[hits.rows[ok] - up, hits.cols[ok] - left] == k
        if shown.any():
            mine = hits.keep(shown)
            # highlights far over white would make ragged edges
            lit = np.minimum(colours(rng, camera, light, dice, k, looks[k], mine, ss), 3)
            picture[mine.rows - up, mine.cols - left] = lit
        if cover is not None:
            shown[shown] = ~cover[hits.rows[shown] // ss, hits.cols[shown] // ss]
        corners = camera.project(dice[k].corners())
        box = (*corners.min(axis=0), *corners.max(axis=0))
        seen.append(_measure(dice[k], hits, shown, box, ss))
    share = (owner >= 0).astype(np.float32)
    if ss > 1:
        size = (x1 - x0, y1 - y0)
        whole = [cv2.resize(a, size, interpolation=cv2.INTER_AREA) for a in (picture, share)]
    else:
        whole = [cv2.GaussianBlur(a, (0, 0), 0.5) for a in (picture, share)]
    return Patch(x0, y0, np.asarray(whole[0]), np.asarray(whole[1])[..., None]), seen

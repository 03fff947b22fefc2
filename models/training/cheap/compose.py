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


def draw_dice(
    rng: Rng, camera: Camera, light: Light, dice: list[Rest], looks: list[Look], bowl: Bowl | None, cover: Array | None
) -> tuple[Array, Array, list[Seen]]:
    """Colour (height, width, 3, premultiplied) and share (height, width) of the dice, and what is seen of each.

    cover (height, width, bool) marks pixels where something else lies over the dice; it counts, but is not painted here.
    """
    ss = _fine(camera, dice)
    width, height = camera.width * ss, camera.height * ss
    nearest = np.full((height, width), np.inf, np.float32)
    owner = np.full((height, width), -1, np.int16)
    cast_hits: list[Hits] = []
    insides: list[Array] = []
    for k, (rest, look) in enumerate(zip(dice, looks, strict=True)):
        hits = cast(camera, rest, look, ss, MARGIN)
        ok = (hits.cols >= 0) & (hits.cols < width) & (hits.rows >= 0) & (hits.rows < height)
        if bowl is not None and len(ok):
            p = rest.rotation.astype(np.float32) @ (hits.local * np.float32(rest.edge / 2)) + rest.centre[:, None]
            ok &= ~bowl.hides(camera.position, p, rest.inside)
        cast_hits.append(hits)
        insides.append(ok)
        r, c, depth = hits.rows[ok], hits.cols[ok], hits.depth[ok]
        front = depth < nearest[r, c]
        nearest[r[front], c[front]] = depth[front]
        owner[r[front], c[front]] = k
    picture = np.zeros((height, width, 3), np.float32)
    seen = []
    for k, (hits, ok) in enumerate(zip(cast_hits, insides, strict=True)):
        shown = ok.copy()
        shown[ok] = owner[hits.rows[ok], hits.cols[ok]] == k
        if shown.any():
            mine = hits.keep(shown)
            picture[mine.rows, mine.cols] = colours(rng, camera, light, dice, k, looks[k], mine, ss)
        if cover is not None:
            shown[shown] = ~cover[hits.rows[shown] // ss, hits.cols[shown] // ss]
        corners = camera.project(dice[k].corners())
        whole = (*corners.min(axis=0), *corners.max(axis=0))
        seen.append(_measure(dice[k], hits, shown, whole, ss))
    share = (owner >= 0).astype(np.float32)
    if ss > 1:
        size = (camera.width, camera.height)
        # highlights far over white would make ragged edges
        picture = cv2.resize(np.minimum(picture, 6), size, interpolation=cv2.INTER_AREA)
        share = cv2.resize(share, size, interpolation=cv2.INTER_AREA)
    else:
        share = cv2.GaussianBlur(share, (0, 0), 0.5)
        picture = cv2.GaussianBlur(picture, (0, 0), 0.5)
    return np.asarray(picture), np.asarray(share), seen

"""Where a face lies, looked for again in mirrors: what is there is there in a mirror too, an error of the finder often is not."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.reading import Frame
from vision.rectify import Quad, edge_of

MIRRORS = ((1, -1), (-1, 1), (-1, -1))
"""Steps down and to the right in which a picture is read mirrored: left to right, upside down, both."""
SIDE, ROOM = 112, 2.3
"""What is looked at in a mirror, in pixels, and edges of surroundings on each side of the face."""
NEAR, ALIKE = 0.6, 0.15
"""In edges: a face that lies farther off is another die; faces whose centres are so near, and whose edges differ by no larger share, are the same."""


def mirrored(picture: Frame) -> Frame:
    """The picture in each of MIRRORS (3 x height x width x 3)."""
    return np.stack([picture[::down, ::right] for down, right in MIRRORS])


def unmirrored(quad: Quad, mirror: tuple[int, int], side: int) -> Quad:
    """Where a quad of a mirrored picture (side x side) lies in the picture itself, its corners in the same order round it."""
    down, right = mirror
    corners = np.column_stack([quad[:, 0] if right > 0 else side - 1 - quad[:, 0], quad[:, 1] if down > 0 else side - 1 - quad[:, 1]])
    return np.ascontiguousarray(corners if down == right else corners[::-1], np.float32)


def near(one: Quad, other: Quad) -> bool:
    """Whether two quads are of one die: its faces lie so near each other."""
    return math.dist(one.mean(0), other.mean(0)) < NEAR * edge_of(other)


def the_same(one: Quad, other: Quad) -> bool:
    """Whether two quads are one face, seen a little differently."""
    edge = (edge_of(one) + edge_of(other)) / 2
    return math.dist(one.mean(0), other.mean(0)) < ALIKE * edge and abs(edge_of(one) - edge_of(other)) < ALIKE * edge


def elsewhere(seen: Quad, again: Sequence[Quad]) -> int | None:
    """Which of the quads found in the mirrors to take instead of `seen`: the middle one of those that agree with what every other mirror shows, and not with it."""
    if len(again) < len(MIRRORS):
        return None
    agreed = [i for i, one in enumerate(again) if all(the_same(one, other) for other in again) and not the_same(one, seen)]
    middle = np.mean([quad.mean(0) for quad in again], axis=0)
    return min(agreed, key=lambda i: math.dist(again[i].mean(0), middle), default=None)

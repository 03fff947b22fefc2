"""Dice that are drawn, and eyes that see them: what a reader makes of answers can be tried without a model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np

from vision.bowl import Bowl
from vision.confidence import Weights
from vision.detector import Look, Spot
from vision.reading import Found, Frame, Rim
from vision.rectify import Quad

WIDTH, HEIGHT = 640, 480
BOWL = Bowl(Rim(320.0, 240.0, 400.0, 360.0, 0.0), None, WIDTH, HEIGHT)
FROM_ABOVE = Bowl(Rim(320.0, 240.0, 400.0, 400.0, 0.0), None, WIDTH, HEIGHT)
PLACES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
INSIDE = [(240, 180), (320, 180), (400, 180), (240, 300), (320, 300), (400, 300)]
EDGE = 40


class DrawnEyes:
    """Eyes that see the dice which were drawn, and say of each what they were told to say."""

    def __init__(self, dice: Sequence[tuple[tuple[int, int], Found]], slants: Mapping[int, tuple[float, float]] | None = None) -> None:
        self._dice = dice
        self._slants = slants
        self.weights = Weights()

    def spots(self, frame: Frame, looks: Sequence[Look]) -> list[Spot]:
        del frame
        seen = []
        for (x, y), found in self._dice:
            if any(k.x <= x < k.x + k.w and k.y <= y < k.y + k.h for k in looks):
                quad = np.asarray(found.quad, np.float32)
                seen.append(Spot(found.presence, quad, found.box, 1.0, found.probabilities, 20.0))
        return seen

    def read_faces(self, frame: Frame, spots: Sequence[Spot], may_lie: Callable[[Quad], bool] = lambda _: True) -> list[Found]:
        del frame
        return [f for s in spots for _, f in self._dice if np.allclose(np.asarray(f.quad), s.quad)]

    def slants(self, frame: Frame, faces: Sequence[tuple[tuple[float, float], float]]) -> list[tuple[float, float]]:
        del frame
        if self._slants is None:
            return []
        order = [min(range(len(self._dice)), key=lambda i: math.dist(self._dice[i][0], at)) for at, _ in faces]
        return [self._slants.get(i, (0.0, 0.0)) for i in order]


def die(place: tuple[int, int], value: int, says: int | None = None) -> tuple[tuple[int, int], Found]:
    x, y = place
    r = EDGE / 2
    chances = tuple(0.98 if v == (says or value) else 0.004 for v in range(1, 7))
    quad = ((x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r))
    found = Found((x - r, y - r, EDGE, EDGE), quad, 0.95, chances, 0.98, (chances,))
    return place, found


def drawn(dice: Sequence[tuple[tuple[int, int], int]]) -> Frame:
    frame = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    for (x, y), value in dice:
        cv2.rectangle(frame, (x - EDGE // 2, y - EDGE // 2), (x + EDGE // 2, y + EDGE // 2), (235, 240, 240), -1)
        for i, j in PLACES[value]:
            cv2.circle(frame, (x + round(0.24 * EDGE * i), y + round(0.24 * EDGE * j)), 4, (20, 20, 20), -1, cv2.LINE_AA)
    return frame


def six(values: Sequence[int] = (1, 2, 3, 4, 5, 6)) -> list[tuple[tuple[int, int], Found]]:
    return [die(place, value) for place, value in zip(INSIDE, values, strict=True)]


FRAME = drawn(list(zip(INSIDE, (1, 2, 3, 4, 5, 6), strict=True)))

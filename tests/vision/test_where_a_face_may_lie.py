"""Where a face that can't be read may be looked for, and found, in mirrors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.bowl import Bowl
from vision.confidence import Weights
from vision.detector import Look, Spot
from vision.reader import Reader
from vision.reading import Found, Frame, Rim
from vision.rectify import Quad


class Asked:
    """Eyes that see one die and keep where they were told that a face may lie."""

    def __init__(self) -> None:
        self.weights = Weights()
        self.may_lie: Callable[[Quad], bool] = lambda _: True

    def spots(self, frame: Frame, looks: Sequence[Look]) -> list[Spot]:
        return [Spot(0.9, square(320, 240), (300.0, 220.0, 40.0, 40.0), 1.0, (1 / 6,) * 6, 20.0)]

    def read_faces(self, frame: Frame, spots: Sequence[Spot], may_lie: Callable[[Quad], bool] = lambda _: True) -> list[Found]:
        self.may_lie = may_lie
        return []

    def slants(self, frame: Frame, faces: Sequence[tuple[tuple[float, float], float]]) -> list[tuple[float, float]]:
        return []


def square(x: float, y: float) -> Quad:
    return np.array([[x - 20, y - 20], [x + 20, y - 20], [x + 20, y + 20], [x - 20, y + 20]], np.float32)


def asked(background: Frame | None, frame: Frame, open_table: bool = False) -> Asked:
    eyes = Asked()
    bowl = None if open_table else Bowl(Rim(320.0, 240.0, 400.0, 360.0, 0.0), background, 640, 480)
    Reader(eyes, bowl, open_table).read(frame)
    return eyes


def test_a_face_in_doubt_is_looked_for_in_the_bowl_where_something_has_changed_and_nowhere_else() -> None:
    """Beside the bowl a flower of the cloth, found a little farther on in a mirror, was a die that had jumped."""
    empty = np.full((480, 640, 3), 120, np.uint8)
    frame = empty.copy()
    frame[220:260, 300:340] = frame[20:60, 20:60] = 235
    eyes = asked(empty, frame)
    assert eyes.may_lie(square(320, 240)) and not eyes.may_lie(square(220, 240)) and not eyes.may_lie(square(40, 40))
    eyes = asked(None, frame)
    assert eyes.may_lie(square(220, 240)) and not eyes.may_lie(square(40, 40))
    eyes = asked(None, frame, open_table=True)
    assert eyes.may_lie(square(40, 40))

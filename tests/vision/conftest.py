"""A drawn table for tests of the bowl and the watcher: a bowl, dice and a hand, painted on any ground."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision import ellipse
from vision.bowl import CREST, Bowl
from vision.reading import Die, Frame, Reading, Rim, Verdict

sys.path.insert(0, str(Path(__file__).parent))

WIDTH, HEIGHT = 640, 360
EDGE = 24.0
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}


@dataclass(frozen=True)
class DrawnDie:
    """A die at x, y that shows a value."""

    x: float
    y: float
    value: int


@dataclass
class DrawnTable:
    """What the camera would see; the same table each time, only noise differs from picture to picture."""

    rim: Rim = field(default_factory=lambda: Rim(318.0, 182.0, 300.0, 282.0, 30.0))
    ground: str = "plain"
    glaze: tuple[int, int, int] = (225, 232, 236)
    ring: tuple[int, int, int] | None = (150, 80, 40)
    seed: int = 5

    def empty(self) -> Frame:
        """The empty bowl on its table, without noise."""
        return self._picture([], 0.0)

    def frame(self, dice: Sequence[DrawnDie] = (), *, hand: float | None = None, number: int = 0) -> Frame:
        """One frame; hand: how far (0-1) a hand reaches over the picture from the right."""
        picture = self._picture(dice, hand)
        noise = np.random.default_rng(1000 * self.seed + number).normal(0, 1.5, picture.shape)
        return np.clip(picture + noise, 0, 255).astype(np.uint8)

    def _picture(self, dice: Sequence[DrawnDie], hand: float | None) -> Frame:
        picture = self._ground()
        lip = ellipse.scaled(self.rim, 1 / CREST)
        _paint(picture, lip, (205, 212, 216))
        _paint(picture, ellipse.scaled(self.rim, 0.985), self.glaze)
        if self.ring is not None:
            _paint(picture, ellipse.scaled(self.rim, 0.93), self.ring)
            _paint(picture, ellipse.scaled(self.rim, 0.91), self.glaze)
        for die in dice:
            self._die(picture, die)
        if hand:
            far = round(WIDTH * (1 - hand))
            cv2.rectangle(picture, (far, 20), (WIDTH, 340), (120, 150, 200), -1)
            cv2.circle(picture, (far, 170), 90, (125, 155, 205), -1)
        return cv2.GaussianBlur(picture, (3, 3), 0)

    def _ground(self) -> Frame:
        rng = np.random.default_rng(self.seed)
        if self.ground == "checked":
            y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
            light = ((x // 22 + y // 22) % 2 == 0)[..., None]
            return np.where(light, (180, 180, 235), (60, 40, 150)).astype(np.uint8)
        if self.ground == "stone":
            coarse = rng.normal(120, 45, (HEIGHT // 6, WIDTH // 6, 1)).repeat(3, axis=2).astype(np.float32)
            stone = cv2.resize(np.clip(coarse, 0, 255), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
            return np.clip(stone, 0, 255).astype(np.uint8)
        return np.full((HEIGHT, WIDTH, 3), (70, 95, 60), np.uint8)

    def _die(self, picture: Frame, die: DrawnDie) -> None:
        half = EDGE / 2
        box = [round(v) for v in (die.x - half, die.y - half, die.x + half, die.y + half)]
        cv2.rectangle(picture, (box[0] + 3, box[1] + 3), (box[2] + 3, box[3] + 3), (120, 120, 120), -1)
        cv2.rectangle(picture, (box[0], box[1]), (box[2], box[3]), (250, 250, 250), -1)
        cv2.rectangle(picture, (box[0], box[1]), (box[2], box[3]), (150, 150, 150), 1)
        for px, py in PIPS[die.value]:
            colour = (40, 40, 200) if die.value in (1, 4) else (30, 30, 30)
            at = round(die.x + px * EDGE / 4), round(die.y + py * EDGE / 4)
            cv2.circle(picture, at, 4 if die.value == 1 else 2, colour, -1)


def _paint(picture: Frame, rim: Rim, colour: tuple[int, int, int]) -> None:
    x, y = ellipse.points(rim, ellipse.angles(240))
    polygon = np.rint(np.stack([x, y], axis=1) * 16).astype(np.int32)
    cv2.fillPoly(picture, [polygon], colour, lineType=cv2.LINE_AA, shift=4)


class Script:
    """A reader that knows what lies on the table; tests set `dice` before each frame. hand: how far one reaches in."""

    def __init__(self, rim: Rim) -> None:
        self.rim = rim
        self.dice: Sequence[DrawnDie] = ()
        self.hand = 0.0
        self.reads = 0

    def read(self, frame: Frame, *, expect: int = 6) -> Reading:
        """The dice as they lie, all certain."""
        self.reads += 1
        hidden_from = WIDTH * (1 - self.hand) - (90 if self.hand else 0)
        return reading_of([die for die in self.dice if die.x < hidden_from], self.rim, expect)


def reading_of(dice: Sequence[DrawnDie], rim: Rim, expect: int = 6) -> Reading:
    """A certain reading of these dice."""
    seen = tuple(
        Die(
            d.value,
            0.999,
            (d.x - EDGE / 2, d.y - EDGE / 2, EDGE, EDGE),
            (d.x, d.y),
            bool(ellipse.distance(rim, d.x, d.y) <= 1),
            False,
            ((d.value, 0.999),),
        )
        for d in dice
    )
    inside = sum(die.in_bowl for die in seen)
    if not seen:
        verdict = Verdict.EMPTY
    elif inside < len(seen):
        verdict = Verdict.JUMP
    else:
        verdict = Verdict.INCOMPLETE if inside < expect else Verdict.SURE
    return Reading(seen, rim, verdict, "")


@dataclass
class Clip:
    """A simulated clip: its frames and what really happened in it."""

    truth: dict[str, Any]
    frames: list[Frame]

    @property
    def rim(self) -> Rim:
        """The rim as it really is."""
        return Rim(**self.truth["bowl"]["rim_ellipse"])

    @property
    def bowl(self) -> Bowl:
        """The bowl as a calibration would give it, without background."""
        return Bowl(self.rim, None, int(self.truth["width"]), int(self.truth["height"]))

    def reading(self, index: int) -> Reading:
        """What a perfect reader would say of a frame."""
        frame = self.truth["frames"][index]
        thrown = index >= self.truth["throw_start_frame"]
        values = self.truth["expected_values"] if thrown else self.truth["previous_values"] or []
        centres = [c for c in frame["dice_centres"] if c is not None][: min(frame["dice_visible"], len(values))]
        return reading_of([DrawnDie(x, y, v) for (x, y), v in zip(centres, values, strict=False)], self.rim)


def load_clip(path: Path) -> Clip:
    """A clip of the simulated camera with its truth."""
    video = cv2.VideoCapture(str(path))
    frames: list[Frame] = []
    while True:
        ok, frame = video.read()
        if not ok:
            break
        frames.append(np.asarray(frame, np.uint8))
    return Clip(json.loads(path.with_suffix(".json").read_text()), frames)


@pytest.fixture
def drawn() -> DrawnTable:
    """A porcelain bowl on a plain table."""
    return DrawnTable()


@pytest.fixture
def drawn_on() -> Callable[[str], DrawnTable]:
    """Makes a table whose ground is plain, checked or stone."""
    return lambda ground: DrawnTable(ground=ground)


@pytest.fixture
def script(drawn: DrawnTable) -> Script:
    """A reader that tests tell what lies there."""
    return Script(drawn.rim)


@pytest.fixture
def die() -> Callable[[float, float, int], DrawnDie]:
    """Makes a die."""
    return DrawnDie


@pytest.fixture
def clip() -> Callable[[Path], Clip]:
    """Loads a simulated clip."""
    return load_clip

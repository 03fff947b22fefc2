"""How good a view of the bowl is, point by point, in words: what is good, what to move.

Each point is measured on the picture of the bowl, empty or not; the same points are looked at again while the table is
idle, since lamps and lenses move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.bowl import Bowl
from vision.cover import HIDES, covered
from vision.focus import blur_px
from vision.reading import Frame, Rim

DIE_OF_BOWL = 15.5 / 200
"""A usual die's edge over a usual bowl's width."""
SMALL_DIE_PX = 22.0
GLARE_SHARE = 0.03
DARK, BRIGHT = 45.0, 225.0
STEEP = 0.82
BLUR_OF_DIE = 0.055
"""Blur (sigma) over a die's width from which pips begin to run together."""
COVERED = 0.35
"""What is left of the quality of a rim over which something lies: such a picture is no background to hold others against."""
CLEAR_RIM = 0.9
"""A rim as certain as this needs nothing done about it."""
FLICKER, FLICKER_FRAMES, BANDS = 0.015, 6, 12
"""Share of brightness by which bands of the picture may wander from frame to frame; fewer frames say nothing."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One point. key: rim, sharpness, size, glare, exposure, tilt, cover, flicker or empty. share: what is left of the quality, 1 where all is well.

    value: as measured (pixels, degrees, or a share 0-1). en, zh: one line that says what is good or what to do.
    """

    key: str
    share: float
    value: float
    en: str
    zh: str

    @property
    def good(self) -> bool:
        """Whether nothing needs to be done."""
        return self.share >= (CLEAR_RIM if self.key == "rim" else 1.0)

    def as_json(self) -> dict[str, Any]:
        """The point as pages and `bobing calibrate` show it."""
        return {"key": self.key, "good": self.good, "share": round(self.share, 3), "value": round(self.value, 3), "en": self.en, "zh": self.zh}


def judged(picture: Frame, rim: Rim, frames: Sequence[Frame] = ()) -> tuple[Mark, ...]:
    """Every point that this picture of the bowl shows; frames: several in a row of one camera, to see flicker in."""
    height, width = picture.shape[:2]
    inside = Bowl(rim, None, width, height).mask(0.95) > 0
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)[inside]
    marks = [cover(picture, rim), size(rim), tilt(rim), exposure(grey), glare(grey), sharpness(picture, rim)]
    if len(frames) >= FLICKER_FRAMES:
        marks.append(flicker(frames))
    return tuple(mark for mark in marks if mark is not None)


def rim_found(certainty: int, said: Sequence[str]) -> Mark:
    """How certain the rim is, 0-100; said: what its finder says of it, which a clear one is too even where points are missing."""
    share = certainty / 100
    if share >= CLEAR_RIM:
        return Mark("rim", share, share, f"the rim is {certainty} % certain", f"碗沿有 {certainty} % 的把握")
    why = "; ".join(said)
    if not why or why.startswith(("the rim is clear", "the rim was drawn")):
        why = "it does not stand out from the table all round: a plainer table of another colour or more even light helps"
    return Mark(
        "rim",
        share,
        share,
        f"the rim is only {certainty} % certain: {why}",
        f"碗沿只有 {certainty} % 的把握：碗沿要全在画面里，别被挡住；换颜色不同的素净桌面，光照均匀些",
    )


def size(rim: Rim) -> Mark:
    """How large a die will be."""
    die = rim.major * DIE_OF_BOWL
    if die >= SMALL_DIE_PX:
        return Mark("size", 1.0, die, f"a die will be about {die:.0f} pixels wide", f"骰子约 {die:.0f} 像素宽")
    return Mark(
        "size",
        die / SMALL_DIE_PX,
        die,
        f"a die will be about {die:.0f} pixels wide: bring the camera nearer",
        f"骰子只有约 {die:.0f} 像素宽：请把摄像头移近",
    )


def tilt(rim: Rim) -> Mark:
    """How steeply the camera looks down."""
    degrees = math.degrees(math.acos(min(1.0, rim.minor / rim.major)))
    if rim.minor / rim.major >= STEEP:
        return Mark("tilt", 1.0, degrees, f"the camera looks well down ({degrees:.0f}° off)", f"俯视角度好（偏 {degrees:.0f}°）")
    return Mark(
        "tilt",
        0.85,
        degrees,
        f"the camera looks in at a slant ({degrees:.0f}° off): mount it more nearly above the bowl",
        f"摄像头太斜（偏 {degrees:.0f}°）：请装到碗的正上方",
    )


def exposure(grey: Frame) -> Mark:
    """How bright the bowl is; grey: its pixels."""
    mean = float(grey.mean()) if grey.size else 0.0
    if mean < DARK:
        return Mark("exposure", 0.7, mean, "the bowl is dark: more light from above, please", "碗里太暗：请从上方加光")
    if mean > BRIGHT:
        return Mark(
            "exposure", 0.7, mean, "the bowl is overexposed: less light, or a darker exposure", "碗里过曝：请减光或调低曝光"
        )
    return Mark("exposure", 1.0, mean, "the light is enough", "光线够")


def glare(grey: Frame) -> Mark:
    """How much of the bowl a lamp's reflection blots out; grey: its pixels."""
    share = float((grey >= 250).mean()) if grey.size else 0.0
    if share > GLARE_SHARE:
        return Mark(
            "glare",
            0.85,
            share,
            f"glare covers {100 * share:.0f} % of the bowl: move the lamp aside or soften it",
            f"反光盖住碗的 {100 * share:.0f} %：请移开或柔化灯光",
        )
    return Mark("glare", 1.0, share, "no reflection blots out the bowl", "几乎没有反光")


def sharpness(picture: Frame, rim: Rim) -> Mark | None:
    """How sharp the rim is; None where no edge of it is clear enough to say."""
    blur = blur_px(picture, rim)
    if blur is None:
        return None
    if blur > BLUR_OF_DIE * rim.major * DIE_OF_BOWL:
        return Mark(
            "sharpness",
            0.7,
            blur,
            f"the picture is out of focus (edges spread over {2 * blur:.0f} pixels): focus on the bowl's rim",
            f"画面没对上焦（边缘糊了 {2 * blur:.0f} 像素）：请对准碗沿对焦",
        )
    return Mark("sharpness", 1.0, blur, "the picture is sharp", "画面清楚")


def cover(picture: Frame, rim: Rim) -> Mark | None:
    """Whether something lies over the rim; None where nothing does."""
    share = covered(picture, rim)
    if share <= HIDES:
        return None
    return Mark(
        "cover",
        COVERED,
        share,
        "something lies over a part of the rim: take the hand or what else it is away",
        "有东西挡住了一段碗沿：请把手或别的东西拿开",
    )


def flicker(frames: Sequence[Frame]) -> Mark:
    """How much bands of brightness wander through the pictures: lamps on mains current beat with the exposure."""
    profiles = []
    for frame in frames:
        rows = frame[:, ::8, 1].astype(np.float32).mean(axis=1)
        bands = np.array([band.mean() for band in np.array_split(rows, BANDS)])
        profiles.append(bands / max(float(bands.mean()), 1.0))
    wander = float(np.median(np.std(np.stack(profiles), axis=0) / np.maximum(np.mean(profiles, axis=0), 0.05)))
    if wander > FLICKER:
        return Mark(
            "flicker",
            0.85,
            wander,
            "the light flickers: set the mains frequency (50 or 60 Hz), or use another lamp",
            "灯光闪烁：请设置电网频率（50 或 60 Hz）或换灯",
        )
    return Mark("flicker", 1.0, wander, "the light is steady", "光线平稳")

"""What a table's camera set-up is: the rim, the empty bowl as background, and how good it all is, in words.

A calibration is one file: a zip with `calibration.json` and `empty.jpg`.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.bowl import Bowl, FoundBowl, find_bowl
from vision.focus import blur_px
from vision.reading import Frame, Rim

VERSION = 1
TEXT, PICTURE = "calibration.json", "empty.jpg"
JPEG_QUALITY = 92
FIXED_TIME = (2000, 1, 1, 0, 0, 0)
DIE_OF_BOWL = 15.5 / 200
"""A usual die's edge over a usual bowl's width."""
LEAST_QUALITY = 20
"""Of a find below this quality nothing is made: it may be anything."""
NEAR, ELSEWHERE = 0.02, 0.05
"""Finds within this part of the major axis are the same rim; centres further apart are not even the same bowl."""
SMALL_DIE_PX = 22.0
GLARE_SHARE = 0.03
DARK, BRIGHT = 45.0, 225.0
STEEP = 0.82
BLUR_OF_DIE = 0.055
"""Blur (sigma) over a die's width from which pips begin to run together."""


class CalibrationError(Exception):
    """No bowl was found, or the file is no calibration for this camera; one plain line."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A camera set-up. background: the empty bowl (height x width x 3, BGR); quality 0-100; reasons: plain English lines."""

    rim: Rim
    background: Frame
    quality: int
    reasons: tuple[str, ...]

    @property
    def width(self) -> int:
        """Width of the camera's pictures."""
        return int(self.background.shape[1])

    @property
    def height(self) -> int:
        """Height of the camera's pictures."""
        return int(self.background.shape[0])

    def bowl(self, width: int, height: int) -> Bowl:
        """The bowl in pictures of this size; raises CalibrationError where the calibration is of another size."""
        if (width, height) != (self.width, self.height):
            raise CalibrationError(
                f"the calibration is for pictures of {self.width}x{self.height}, these are {width}x{height}: calibrate this camera"
            )
        return Bowl(self.rim, self.background, width, height)

    def as_json(self) -> dict[str, Any]:
        """What `bobing calibrate` prints."""
        return {"rim": self.rim.as_json(), "quality": self.quality, "reasons": list(self.reasons)}

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all; raises OSError."""
        _, coded = cv2.imencode(".jpg", self.background, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        text = {"version": VERSION, "width": self.width, "height": self.height, **self.as_json()}
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w") as box:
            box.writestr(zipfile.ZipInfo(TEXT, FIXED_TIME), json.dumps(text, indent=1))
            box.writestr(zipfile.ZipInfo(PICTURE, FIXED_TIME), coded.tobytes())
        part = path.with_name(path.name + ".part")
        part.write_bytes(held.getvalue())
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Read a file that `save` wrote; raises CalibrationError."""
        try:
            with zipfile.ZipFile(path) as box:
                text = json.loads(box.read(TEXT))
                coded = np.frombuffer(box.read(PICTURE), np.uint8)
        except FileNotFoundError as fault:
            raise CalibrationError(f"{path}: no such calibration file: make one with bobing calibrate") from fault
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as fault:
            raise CalibrationError(f"{path}: this is no calibration file: make one with bobing calibrate") from fault
        return cls._of(path, text, cv2.imdecode(coded, cv2.IMREAD_COLOR) if coded.size else None)

    @classmethod
    def _of(cls, path: Path, text: Any, picture: Any) -> Calibration:
        if isinstance(text, dict) and isinstance(text.get("version"), int) and text["version"] > VERSION:
            raise CalibrationError(f"{path}: written by a newer bobing: update this one, or calibrate again")
        try:
            rim = Rim(**{key: float(text["rim"][key]) for key in ("cx", "cy", "major", "minor", "angle_deg")})
            calibration = cls(
                rim, np.asarray(picture, np.uint8), int(text["quality"]), tuple(map(str, text["reasons"]))
            )
            fits = calibration.background.ndim == 3 and (calibration.width, calibration.height) == (
                text["width"],
                text["height"],
            )
        except (KeyError, TypeError, ValueError) as fault:
            raise CalibrationError(f"{path}: this calibration file is damaged: calibrate again") from fault
        if not fits:
            raise CalibrationError(f"{path}: this calibration file is damaged: calibrate again")
        return calibration


def calibrate(frames: Sequence[Frame]) -> Calibration:
    """The set-up that these pictures of the empty bowl show (one size, one camera); raises CalibrationError with the reason."""
    if not frames:
        raise CalibrationError("no picture to calibrate from")
    if len({frame.shape for frame in frames}) > 1:
        raise CalibrationError("the pictures are not of one size: calibrate from one camera at a time")
    background = np.asarray(np.median(np.stack(frames), axis=0), np.uint8) if len(frames) > 1 else frames[0]
    found = [bowl for bowl in map(find_bowl, frames) if bowl is not None]
    calmest = find_bowl(background) if len(frames) > 1 else None  # the median has less noise
    if calmest is not None:
        found.append(calmest)
    if not found:
        raise CalibrationError(
            "no bowl is seen: put it under the camera, all of its rim in view, and take the hand away"
        )
    alike = _largest_group(found)
    best = max(alike, key=lambda bowl: bowl.quality)
    if best.quality < LEAST_QUALITY:
        raise CalibrationError(f"no bowl is seen clearly: {'; '.join(best.reasons)}")
    elsewhere = [bowl for bowl in found if bowl.certain and _apart(bowl.rim, best.rim) > ELSEWHERE]
    if elsewhere and len(elsewhere) + 1 >= len(alike):
        raise CalibrationError("the pictures disagree on where the bowl is: keep bowl and camera still and try again")
    rim = _middle([bowl.rim for bowl in alike], best.rim)
    quality, reasons = _judged(best, rim, background)
    return Calibration(rim, background, quality, reasons)


def _largest_group(found: Sequence[FoundBowl]) -> list[FoundBowl]:
    """The finds that agree with one another; of equal groups the outer ring, since a painted one is the usual mistake."""
    groups = [[other for other in found if _near(other.rim, bowl.rim)] for bowl in found]
    return max(groups, key=lambda group: (len(group), group[0].rim.major))


def _near(a: Rim, b: Rim) -> bool:
    return max(_apart(a, b), abs(a.major - b.major) / b.major, abs(a.minor - b.minor) / b.major) <= NEAR


def _apart(a: Rim, b: Rim) -> float:
    return max(abs(a.cx - b.cx), abs(a.cy - b.cy)) / b.major


def _middle(rims: Sequence[Rim], best: Rim) -> Rim:
    """The median ellipse; the angle is the best one's, since that of a near-circle means little."""
    cx, cy, major, minor = np.median([(r.cx, r.cy, r.major, r.minor) for r in rims], axis=0)
    return Rim(float(cx), float(cy), float(major), float(minor), best.angle_deg)


def _judged(found: FoundBowl, rim: Rim, picture: Frame) -> tuple[int, tuple[str, ...]]:
    """Quality 0-100 and what is good and what to move, from the empty bowl's picture."""
    height, width = picture.shape[:2]
    inside = Bowl(rim, None, width, height).mask(0.95) > 0
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    reasons = list(found.reasons)
    quality = float(found.quality)
    die = rim.major * DIE_OF_BOWL
    reasons.append(
        f"a die will be about {die:.0f} pixels wide" + ("" if die >= SMALL_DIE_PX else ": bring the camera nearer")
    )
    quality *= min(1.0, die / SMALL_DIE_PX)
    if rim.minor / rim.major < STEEP:
        reasons.append("the camera looks in at a slant: mount it more nearly above the bowl")
        quality *= 0.85
    mean = float(grey[inside].mean()) if inside.any() else 0.0
    if mean < DARK:
        reasons.append("the bowl is dark: more light from above, please")
        quality *= 0.7
    elif mean > BRIGHT:
        reasons.append("the bowl is overexposed: less light, or a darker exposure")
        quality *= 0.7
    glare = float((grey[inside] >= 250).mean()) if inside.any() else 0.0
    if glare > GLARE_SHARE:
        reasons.append(f"glare covers {100 * glare:.0f} % of the bowl: move the lamp aside or soften it")
        quality *= 0.85
    blur = blur_px(picture, rim)
    if blur is not None and blur > BLUR_OF_DIE * die:
        reasons.append(f"the picture is out of focus (edges spread over {2 * blur:.0f} pixels): focus on the bowl's rim")
        quality *= 0.7
    return round(quality), tuple(reasons)

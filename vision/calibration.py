"""What a table's camera set-up is: the rim, the empty bowl as background, and how good it all is, in words.

A calibration is one file: a zip with `calibration.json` and `empty.jpg`.
"""

from __future__ import annotations

import errno
import io
import json
import math
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.bowl import Bowl, FoundBowl, find_bowl
from vision.judgement import Mark, judged, rim_found
from vision.reading import Frame, Reading, Rim

VERSION = 1
TEXT, PICTURE = "calibration.json", "empty.jpg"
JPEG_QUALITY = 92
FIXED_TIME = (2000, 1, 1, 0, 0, 0)
LEAST_RIM, MOST_RIM = 8.0, 2.0
"""A rim is no flatter than so many pixels, and no longer than so many times the picture's longer side."""
MOST_BYTES = 64 * 2**20
"""No part of a calibration file is larger; one that says so is none."""
NO_ARCHIVE = (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What a file raises that is no archive, a cut one, or one packed as ours are not."""
LEAST_QUALITY = 20
"""Of a find below this quality nothing is made: it may be anything."""
NEAR, ELSEWHERE = 0.02, 0.05
"""Finds within this part of the major axis are the same rim; centres further apart are not even the same bowl."""
FILLED, PLAIN_DIE = 5, 0.97
"""So many dice read so surely in a bowl are dice; of 51 empty ones one had five ornaments that were."""
LITTERED = 0.7
"""What is left of the quality where fewer things look like dice: they may be ornaments, and dice would never be seen again."""


class CalibrationError(Exception):
    """No bowl was found, or the file is no calibration for this camera; one plain line."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A camera set-up. background: the empty bowl (height x width x 3, BGR); quality 0-100; reasons: plain English lines.

    marks: the view point by point (not kept in the file). held: exposure and the like that the camera shall hold.
    """

    rim: Rim
    background: Frame
    quality: int
    reasons: tuple[str, ...]
    marks: tuple[Mark, ...] = ()
    held: Mapping[str, float] = field(default_factory=dict)

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

    @property
    def costliest(self) -> Mark | None:
        """The point that takes most of the quality; None where nothing does, or what the points were is not known any more."""
        least = min(self.marks, key=lambda mark: mark.share, default=None)
        return least if least is not None and least.share < 1 else None

    def as_json(self) -> dict[str, Any]:
        """What `bobing calibrate` prints."""
        return {
            "rim": self.rim.as_json(),
            "quality": self.quality,
            "reasons": list(self.reasons),
            "marks": [mark.as_json() for mark in self.marks],
        }

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all; raises OSError."""
        _, coded = cv2.imencode(".jpg", self.background, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        text = {"version": VERSION, "width": self.width, "height": self.height, **self.as_json(), "held": dict(self.held)}
        del text["marks"]
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w") as box:
            box.writestr(zipfile.ZipInfo(TEXT, FIXED_TIME), json.dumps(text, indent=1))
            box.writestr(zipfile.ZipInfo(PICTURE, FIXED_TIME), coded.tobytes())
        part = path.with_name(path.name + ".part")
        part.write_bytes(held.getvalue())
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Read a file that `save` wrote; raises CalibrationError, or OSError where the system keeps back what may be a good file."""
        try:
            with path.open("rb") as file, zipfile.ZipFile(file) as box:
                if any(box.getinfo(name).file_size > MOST_BYTES for name in (TEXT, PICTURE)):
                    raise ValueError(MOST_BYTES)
                text = json.loads(box.read(TEXT))
                coded = np.frombuffer(box.read(PICTURE), np.uint8)
        except (FileNotFoundError, NotADirectoryError) as fault:
            raise CalibrationError(f"{path}: no such calibration file: make one with bobing calibrate") from fault
        except NO_ARCHIVE as fault:
            if isinstance(fault, OSError) and fault.errno not in (None, errno.EINVAL):  # EINVAL: its parts lie where nothing can
                raise
            raise CalibrationError(f"{path}: this is no calibration file: make one with bobing calibrate") from fault
        return cls._of(path, text, coded)

    @classmethod
    def _of(cls, path: Path, text: Any, coded: npt.NDArray[np.uint8]) -> Calibration:
        version = text.get("version") if isinstance(text, dict) else None
        if isinstance(version, int) and version > VERSION:
            raise CalibrationError(f"{path}: written by a newer bobing: update this one, or calibrate again")
        try:
            picture = cv2.imdecode(coded, cv2.IMREAD_COLOR) if coded.size else None
            if type(version) is not int or version != VERSION or picture is None:
                raise ValueError(version)
            if picture.shape[:2] != (text["height"], text["width"]) or not isinstance(text["reasons"], list):
                raise ValueError(picture.shape)
            rim = Rim(**{key: _number(text["rim"][key]) for key in ("cx", "cy", "major", "minor", "angle_deg")})
            if not _fits(rim, text["width"], text["height"]):
                raise ValueError(rim)
            held = {str(name): _number(value) for name, value in text.get("held", {}).items()}
            quality, reasons = round(_number(text["quality"])), tuple(map(str, text["reasons"]))
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError, cv2.error) as fault:
            raise CalibrationError(f"{path}: this calibration file is damaged: calibrate again") from fault
        return cls(rim, np.asarray(picture, np.uint8), min(max(quality, 0), 100), reasons, held=held)


def _number(value: object) -> float:
    """A finite number as JSON has it; raises ValueError, OverflowError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(value)
    return float(value)


def _fits(rim: Rim, width: int, height: int) -> bool:
    """Whether a bowl could be seen so in a picture of this size: its middle in view, its axes in order."""
    inside = 0 <= rim.cx <= width and 0 <= rim.cy <= height
    return inside and LEAST_RIM <= rim.minor <= rim.major <= MOST_RIM * max(width, height)


def calibrate(frames: Sequence[Frame], in_a_row: Sequence[Frame] = ()) -> Calibration:
    """The set-up that these pictures of the empty bowl show (one size, one camera); raises CalibrationError with the reason.

    in_a_row: frames of a live camera, to see flicker in.
    """
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
    return judge(rim, background, best.quality, best.reasons, in_a_row)


def judge(rim: Rim, background: Frame, certainty: int, said: Sequence[str], frames: Sequence[Frame] = ()) -> Calibration:
    """The calibration of a rim on which one is agreed, with its quality; certainty 0-100 and what was said of the rim's find."""
    marks = judged(background, rim, frames)
    if any(mark.key == "cover" for mark in marks):
        said = ()  # the rim may be clear where it is seen
    quality = certainty * math.prod(mark.share for mark in marks)
    return Calibration(rim, background, round(quality), (*said, *(mark.en for mark in marks)), (rim_found(certainty, said), *marks))


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


def like_dice(reading: Reading) -> int:
    """How many things in a bowl that is to be empty look plainly like dice; the ornaments of a few bowls are read as up to four."""
    return sum(die.in_bowl and not die.cocked and die.confidence >= PLAIN_DIE for die in reading.dice)


def looks_filled(reading: Reading) -> bool:
    """Whether dice lie in the bowl that is to be the empty one."""
    return like_dice(reading) >= FILLED


def littered(made: Calibration, reading: Reading) -> Calibration:
    """The calibration as it is where nothing in the bowl looks like a die; else worth less, with the reason among its own.

    reading: of its background, read without one.
    """
    things = like_dice(reading)
    if not things:
        return made
    one = things == 1
    mark = Mark(
        "empty",
        LITTERED,
        things,
        f"{things} {'thing' if one else 'things'} in the bowl {'looks like a die' if one else 'look like dice'}:"
        f" take {'it' if one else 'them'} out and calibrate again (what is painted on the bowl may stay)",
        f"碗里有 {things} 样东西像骰子：请取出后重新校准（碗上的花纹不用管）",
    )
    quality = round(made.quality * mark.share)
    return replace(made, quality=quality, reasons=(*made.reasons, mark.en), marks=(*made.marks, mark))

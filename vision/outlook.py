"""The view looked at again while the table is idle: lamps are moved, lenses are covered, focus wanders."""

from __future__ import annotations

import cv2
import numpy as np

from vision import judgement
from vision.bowl import Bowl
from vision.focus import blur_px
from vision.judgement import Mark
from vision.reading import Frame

WORSE_BLUR = 1.6
"""So many times the blur that the calibration was made with, and the lens has wandered."""
WORSE_GLARE = 0.03
"""So much more of the bowl blotted out than when it was calibrated."""
BLANK = 0.2
"""A picture with this part of the detail that the calibrated one had shows nothing: something lies on the lens."""


class Outlook:
    """Judges a scene at rest against the calibrated one; one complaint at a time, the gravest first."""

    def __init__(self, bowl: Bowl) -> None:
        self._bowl = bowl
        self._inside = bowl.mask(0.95) > 0
        usual = bowl.background
        self._detail = None if usual is None else detail(usual)
        self._blur = None if usual is None else blur_px(usual, bowl.rim)
        self._glare = 0.0 if usual is None else judgement.glare(self._grey(usual)).value

    def _grey(self, frame: Frame) -> Frame:
        return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)[self._inside]

    def complaint(self, frame: Frame) -> Mark | None:
        """What is wrong with the view now, in words; None where all is well. frame: of the calibrated size."""
        if frame.shape[:2] != self._inside.shape:
            return None
        if self.covered(frame):
            return Mark(
                "covered", 0.0, 0.0, "something covers the camera: take it away", "摄像头被挡住了：请移开"
            )
        grey = self._grey(frame)
        exposure, glare = judgement.exposure(grey), judgement.glare(grey)
        if exposure.key == "exposure" and not exposure.good:
            return exposure
        if not glare.good and glare.value > self._glare + WORSE_GLARE:
            return glare
        sharp = judgement.sharpness(frame, self._bowl.rim)
        if sharp is not None and not sharp.good and (self._blur is None or sharp.value > WORSE_BLUR * self._blur):
            return sharp
        return None

    def covered(self, frame: Frame) -> bool:
        """Whether the picture has lost nearly all its detail, as with a hand or a cloth before the lens."""
        return self._detail is not None and detail(frame) < BLANK * self._detail


def detail(frame: Frame) -> float:
    """How much there is to see, whatever the light: the usual step between neighbouring places, over the brightness."""
    small = cv2.resize(frame, (160, 90), interpolation=cv2.INTER_AREA).astype(np.float32).mean(axis=2)
    steps = np.abs(np.diff(small, axis=1)).mean() + np.abs(np.diff(small, axis=0)).mean()
    return float(steps) / max(10.0, float(small.mean()))

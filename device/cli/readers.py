"""Readers and watchers for the command line: the shipped model, loaded once, with the calibration that was named."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

import vision
from device.cli.output import CallError, WorldError
from device.errors import Refused
from device.permission import not_read
from vision.bowl import Bowl
from vision.calibration import Calibration, CalibrationError
from vision.detector import ModelFault, OnnxDetector
from vision.enrolment import EnrolError, EnrolledReader, Enrolment
from vision.reader import Reader
from vision.reading import DiceReader, Frame, Rim
from vision.watcher import Watcher

Kept = TypeVar("Kept")
MODELS = Path(vision.__file__).resolve().parent.parent / "models"


class Readers:
    """Makes readers of one model; calibration: file that `bobing calibrate` wrote, None: the bowl is found in each picture."""

    def __init__(self, calibration: str | None, no_bowl: bool, dice: str | None = None) -> None:
        """dice: file of enrolled dice. Raises CallError for a file that is not what it should be, WorldError for one that this user may not read and for a missing model."""
        self._open_table = no_bowl
        try:
            self._calibration = None if calibration is None else _loaded(Calibration.load, calibration, "bobing calibrate")
            self._enrolment = None if dice is None else _loaded(Enrolment.load, dice, "bobing enrol")
        except (CalibrationError, EnrolError) as fault:
            raise CallError(str(fault)) from fault
        try:
            self._detector = OnnxDetector.load(MODELS)
        except ModelFault as fault:
            raise WorldError(str(fault)) from fault

    @property
    def detector(self) -> OnnxDetector:
        """The shipped model."""
        return self._detector

    def reader(self, width: int, height: int) -> DiceReader:
        """A reader for pictures of this size; raises CalibrationError where the calibration is of another size."""
        return self.for_bowl(self.bowl(width, height))

    def set_up(self, calibration: Calibration | None, dice: Enrolment | None) -> Readers:
        """Readers of the same model for another set-up."""
        other = copy(self)
        other._calibration, other._enrolment = calibration, dice
        return other

    @property
    def calibration(self) -> Calibration | None:
        """The set-up's calibration."""
        return self._calibration

    @property
    def enrolment(self) -> Enrolment | None:
        """The set-up's dice."""
        return self._enrolment

    def for_bowl(self, bowl: Bowl | None) -> DiceReader:
        reader = Reader(self._detector, bowl, self._open_table)
        return reader if self._enrolment is None else EnrolledReader(reader, self._enrolment)

    def scaled(self, width: int, height: int) -> DiceReader:
        """A reader for pictures of another size than the calibrated one, the rim scaled along: for measuring speed only."""
        if self._calibration is None:
            return self.reader(width, height)
        kx, ky = width / self._calibration.width, height / self._calibration.height
        rim = self._calibration.rim
        scaled = Rim(rim.cx * kx, rim.cy * ky, rim.major * kx, rim.minor * kx, rim.angle_deg)
        empty = cv2.resize(self._calibration.background, (width, height), interpolation=cv2.INTER_AREA)
        return Reader(self._detector, Bowl(scaled, np.asarray(empty, np.uint8), width, height))

    def bowl(self, width: int, height: int) -> Bowl | None:
        """The calibrated bowl for pictures of this size; None without a calibration."""
        return None if self._calibration is None else self._calibration.bowl(width, height)

    def watcher(self, frame: Frame, expect: int) -> Watcher:
        """A watcher for a stream of frames like this one; without a calibration it finds the bowl by itself."""
        height, width = frame.shape[:2]
        bowl = self.bowl(width, height)
        self.for_bowl(bowl).read(frame)  # the model's first picture takes ten times as long: no throw should wait for it
        return Watcher(self.for_bowl, bowl, expect=expect, open_table=self._open_table)


def _loaded(load: Callable[[Path], Kept], name: str, made_by: str) -> Kept:
    """What a file of ours holds; made_by: the command that writes such files."""
    try:
        return load(Path(name))
    except OSError as fault:
        said = not_read(name, fault, made_by)
        raise (CallError if isinstance(said, Refused) else WorldError)(said.en) from fault

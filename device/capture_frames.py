"""Frames that cross from the capturing process by shared memory: a few slots, the newest frame wins, nobody waits."""

from __future__ import annotations

from contextlib import suppress
from multiprocessing.shared_memory import SharedMemory

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Frame

SLOTS = 3
MOST_WIDTH, MOST_HEIGHT = 1920, 1080
"""Larger frames are shrunk to fit: no reader needs more."""
SLOT = MOST_WIDTH * MOST_HEIGHT * 3


class SharedFrames:
    """The slots. Who makes them (`name` None) also does away with them in `close`; the other side attaches by name.

    A slot's number is written before and after its frame, so that a reader that was overtaken knows.
    """

    def __init__(self, name: str | None = None) -> None:
        head = SLOTS * 16
        self._mine = name is None
        self._memory = SharedMemory(name, create=self._mine, size=0 if name else head + SLOTS * SLOT)
        self._numbers: npt.NDArray[np.int64] | None = np.ndarray((SLOTS, 2), np.int64, self._memory.buf)
        self._bytes: npt.NDArray[np.uint8] | None = np.ndarray((SLOTS, SLOT), np.uint8, self._memory.buf, head)

    @property
    def name(self) -> str:
        """By which the other process attaches."""
        return self._memory.name

    def write(self, frame: Frame, number: int) -> tuple[int, int]:
        """Put a frame (any size) under its number; returns the width and height that it has there."""
        assert self._numbers is not None and self._bytes is not None
        height, width = frame.shape[:2]
        fit = min(1.0, MOST_WIDTH / width, MOST_HEIGHT / height)
        if fit < 1.0:
            width, height = max(1, int(width * fit)), max(1, int(height * fit))
            frame = np.asarray(cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        slot = number % SLOTS
        self._numbers[slot] = -1, -1
        self._bytes[slot, : width * height * 3].reshape(height, width, 3)[:] = frame
        self._numbers[slot] = number, number
        return width, height

    def read(self, number: int, width: int, height: int) -> Frame | None:
        """A copy of the frame of that number; None where a newer one has taken its place."""
        assert self._numbers is not None and self._bytes is not None
        slot = number % SLOTS
        if self._numbers[slot, 0] != number or width * height * 3 > SLOT:
            return None
        frame = self._bytes[slot, : width * height * 3].reshape(height, width, 3).copy()
        return frame if self._numbers[slot, 1] == number else None

    def close(self) -> None:
        """Let go of the memory; its maker also gives it back to the system."""
        self._numbers = self._bytes = None
        with suppress(BufferError):
            self._memory.close()
        if self._mine:
            with suppress(FileNotFoundError):
                self._memory.unlink()

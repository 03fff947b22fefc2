"""Cameras that fail in the ways real ones do; importable by the capturing process, which gets their names."""

from __future__ import annotations

import threading

import numpy as np

from device.capture_child import Wish
from vision.reading import Frame


def scene(number: int, width: int = 320, height: int = 240) -> Frame:
    """A picture of something: a shaded ground, and a patch that is elsewhere in each frame."""
    x = np.linspace(40, 200, width)
    frame = np.repeat(np.repeat(x[None, :, None], height, axis=0), 3, axis=2)
    at = 8 * (number % 20)
    frame[20:60, at : at + 40] = (30, 60, 220)
    return frame.astype(np.uint8)


class Good:
    """Gives pictures; after `length` of them, what the kind of camera does then."""

    length = 1_000_000
    size = (320, 240)

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.number = -1
        self.gate = threading.Event()

    def read(self) -> Frame | None:
        """A picture, or what happens after the last one."""
        self.number += 1
        if self.number >= self.length:
            return self.after()
        # about as fast as a camera, so that the reader's side sees single frames
        self.gate.wait(0.005)
        return scene(self.number, *self.size)

    def after(self) -> Frame | None:
        """Goes on."""
        return scene(self.number, *self.size)

    def lock(self) -> dict[str, float]:
        """Holds what it was told to."""
        return {"exposure": 120.0, **self.wish.locked}


class Blocking(Good):
    """Blocks for ever after three pictures, as a driver does after an unplug."""

    length = 3

    def after(self) -> Frame | None:
        self.gate.wait()
        return None


class BlockingAtOnce(Good):
    """Blocks while it is opened."""

    def __init__(self, wish: Wish) -> None:
        super().__init__(wish)
        self.gate.wait()


class Frozen(Good):
    """Says yes for ever and gives the last picture again."""

    length = 3

    def after(self) -> Frame | None:
        self.gate.wait(0.005)
        return scene(2)


class Garbage(Good):
    """Gives noise after three pictures."""

    length = 3

    def after(self) -> Frame | None:
        self.gate.wait(0.005)
        return np.random.default_rng(self.number).integers(0, 255, (240, 320, 3), dtype=np.uint8)


class Shapeless(Good):
    """Gives what is no colour picture after three pictures."""

    length = 3

    def after(self) -> Frame | None:
        self.gate.wait(0.005)
        return np.zeros((0, 7), np.uint8)


class Resizing(Good):
    """Changes its size after three pictures, then gives ones larger than any reader needs."""

    length = 3

    def after(self) -> Frame | None:
        self.gate.wait(0.005)
        return scene(self.number, 640, 360) if self.number < 40 else scene(self.number, 3840, 2160)


class Vanishing(Good):
    """Fails every read after three pictures."""

    length = 3

    def after(self) -> Frame | None:
        return None


class Missing:
    """Can't be opened."""

    def __init__(self, wish: Wish) -> None:
        raise OSError("no such camera")

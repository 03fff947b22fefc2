"""The line to the capturing process: the newest frame, orders to it, and its end."""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Protocol

from device.capture_child import Opener, Wish, capture
from device.capture_frames import SharedFrames
from device.capture_look import Look
from vision.reading import Frame

PATIENCE_S = 1.0
"""A killed process that hangs in a driver is waited for no longer than this; it ends when the driver lets it."""


@dataclass(frozen=True, slots=True)
class Came:
    """A frame with the glance that the capturing process took at it; frame None: it was overtaken while being copied."""

    frame: Frame | None
    look: Look


@dataclass(frozen=True, slots=True)
class Locked:
    """What the camera holds now, by name, with the value."""

    values: dict[str, float]


class Ended:
    """The capturing process has ended or found no camera."""


class Channel(Protocol):
    """What `Capture` needs of a capturing process."""

    def receive(self, timeout: float) -> Came | Locked | Ended | None:
        """What came last, older frames dropped; None where nothing came for `timeout` seconds."""
        ...

    def lock(self) -> None:
        """Ask the camera to hold exposure, white balance and focus; `Locked` follows."""
        ...

    def close(self) -> None:
        """End the capturing process, however deep it hangs."""
        ...


class ChildChannel:
    """A real capturing process, started at once."""

    def __init__(self, opener: Opener, wish: Wish) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would share the parent's threads and locks
        self._frames = SharedFrames()
        self._line, other = context.Pipe()
        self._process = context.Process(
            target=capture, args=(opener, wish, self._frames.name, other), name="capture", daemon=True
        )
        self._process.start()
        other.close()

    def receive(self, timeout: float) -> Came | Locked | Ended | None:
        """What came last, older frames dropped; None where nothing came for `timeout` seconds."""
        if not wait([self._line], timeout):
            return None
        newest: tuple[int, int, int, Look] | None = None
        try:
            while self._line.poll():
                kind, *content = self._line.recv()
                if kind == "frame":
                    newest = tuple(content)
                elif kind == "locked":
                    return Locked(content[0])
                else:
                    return Ended()
        except (OSError, EOFError):
            return Ended()
        if newest is None:
            return None
        number, width, height, look = newest
        return Came(self._frames.read(number, width, height), look)

    def lock(self) -> None:
        """Ask the camera to hold exposure, white balance and focus; `Locked` follows."""
        with suppress(OSError):
            self._line.send("lock")

    def close(self) -> None:
        """End the capturing process, however deep it hangs."""
        self._process.kill()
        self._process.join(PATIENCE_S)
        self._line.close()
        self._frames.close()

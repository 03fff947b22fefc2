"""A live source: frames from a capturing process, and one plain fault when they stop, freeze or turn to noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from device.capture_channel import Came, Channel, Ended, Locked
from device.capture_health import USB, Health, Limits, lost, no_picture
from device.errors import Fault
from device.shots import Shot

Slow = Callable[[Fault], None]


class Capture:
    """Frames as they arrive; iterate once, then close. Raises Fault from the iteration when the camera is lost.

    slow: told when no picture has come for three seconds, while it is still waited for.
    """

    live = True

    def __init__(
        self,
        name: str,
        channel: Channel,
        clock: Callable[[], float],
        limits: Limits = USB,
        slow: Slow | None = None,
    ) -> None:
        self.name = name
        self._channel = channel
        self._clock = clock
        self._limits = limits
        self._slow = slow
        self._locked: Callable[[dict[str, float]], None] | None = None

    def __iter__(self) -> Iterator[Shot]:
        health = Health(self._clock(), self._limits)
        index = 0
        told = False
        while True:
            message = self._channel.receive(health.patience(self._clock()))
            now = self._clock()
            match message:
                case Came(frame, look):
                    if health.came(now, look) and frame is not None and health.fault(self.name, now) is None:
                        yield Shot(index, now, frame)
                        index += 1
                        continue
                case Locked(values):
                    if self._locked is not None:
                        self._locked(values)
                case Ended():
                    raise lost(self.name) if health.alive else no_picture(self.name)
            fault = health.fault(self.name, now)
            if fault is not None:
                raise fault
            if health.slow(now) and not told:
                told = True
                if self._slow is not None:
                    self._slow(no_picture(self.name))

    def lock(self, locked: Callable[[dict[str, float]], None]) -> None:
        """Ask the camera to hold exposure, white balance and focus; `locked` is told what it holds, on the iterating thread."""
        self._locked = locked
        self._channel.lock()

    def close(self) -> None:
        """Let the camera go."""
        self._channel.close()

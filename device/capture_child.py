"""The process that captures: it opens one camera and writes frames until it is killed. It may block; nobody waits for it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Protocol

from device.capture_frames import SharedFrames
from device.capture_look import is_frame, look
from vision.reading import Frame

MISSES = 3
"""So many reads in a row that bring nothing, and the camera is gone: it is not asked for ever."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What to open and how. device: index, path or address; mains: 50 or 60 (Hz), 0 to leave it as it is.

    locked: exposure, white balance and focus to hold, as `Grabber.lock` gave them; empty: the camera sees to them itself.
    """

    device: int | str
    width: int = 1280
    height: int = 720
    fps: int = 30
    mains: int = 0
    locked: Mapping[str, float] = field(default_factory=dict)


class Grabber(Protocol):
    """One open camera, as the capturing process has it."""

    def read(self) -> Frame | None:
        """The next frame; None where none came. May block for ever."""
        ...

    def lock(self) -> dict[str, float]:
        """Hold exposure, white balance and focus as they are now; what could be held, with its value."""
        ...


Opener = Callable[[Wish], Grabber]
"""Opens a camera; raises OSError where there is none. It is called in the capturing process."""


def capture(opener: Opener, wish: Wish, memory: str, line: Connection) -> None:
    """Capture until the line to the parent breaks. Sends ("frame", number, width, height, look), ("locked", values), ("fault",)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the parent's affair
    threading.Thread(target=_die_with_parent, daemon=True).start()
    try:
        grabber = opener(wish)
    except OSError:
        with suppress(OSError):  # the parent may have gone
            line.send(("fault",))
        return
    frames = SharedFrames(memory)
    number = misses = 0
    try:
        while misses < MISSES:
            while line.poll():
                if line.recv() == "lock":
                    line.send(("locked", grabber.lock()))
            frame = grabber.read()
            if frame is None:
                misses += 1
                continue
            misses = 0
            if not is_frame(frame):
                continue
            size = frames.write(frame, number)
            line.send(("frame", number, *size, look(frame)))
            number += 1
        line.send(("fault",))
    except (OSError, EOFError):
        pass  # the parent has gone
    finally:
        frames.close()


def _die_with_parent() -> None:
    """A child that blocks in a driver would outlive a parent that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)

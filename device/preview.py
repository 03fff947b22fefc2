"""The live picture for the calibration page: the newest frame, small, for at most two viewers at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import cv2
import numpy as np

from device.errors import Refused
from device.shots import Shot
from vision.reading import Frame

MOST_VIEWERS = 2
WIDTH, HEIGHT, QUALITY = 640, 360, 60
EVERY_S = 0.1
"""Ten pictures a second are plenty to aim a camera by."""
PATIENCE_S = 5.0


class Preview:
    """Holds the newest frame; `show` is called by the lookout, everything else by pages."""

    def __init__(self) -> None:
        self._shot: Shot | None = None
        self._viewers = 0
        self._closed = False
        self._changed = threading.Condition()

    def show(self, shot: Shot) -> None:
        """A new frame."""
        with self._changed:
            self._shot = shot
            self._changed.notify_all()

    def clear(self) -> None:
        """No picture comes any more."""
        with self._changed:
            self._shot = None

    def close(self) -> None:
        """Let every viewer go."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def newest(self) -> Frame | None:
        """The newest frame, None where none comes."""
        return None if self._shot is None else self._shot.frame

    def frames(self, count: int, timeout: float) -> list[Frame]:
        """The next `count` frames; fewer where they don't come in `timeout` seconds each."""
        taken: list[Frame] = []
        last = self._shot.t if self._shot is not None else -1.0
        for _ in range(count):
            shot = self._after(last, timeout)
            if shot is None:
                break
            last = shot.t
            taken.append(shot.frame)
        return taken

    def jpegs(self) -> Viewer:
        """Small JPEG pictures as they come; a third viewer raises Refused at once."""
        with self._changed:
            if self._viewers >= MOST_VIEWERS:
                raise Refused("viewers", "two pages watch the camera already: close one", "已有两个页面在看画面：请先关一个")
            self._viewers += 1
        return Viewer(self)

    def left(self) -> None:
        """A viewer has gone."""
        with self._changed:
            self._viewers -= 1

    def after(self, t: float, timeout: float) -> Shot | None:
        """The first shot later than t seconds; None where none comes in time, or all viewers are let go."""
        return self._after(t, timeout)

    def _after(self, t: float, timeout: float) -> Shot | None:
        def come() -> bool:
            return self._closed or (self._shot is not None and self._shot.t > t)

        with self._changed:
            if not self._changed.wait_for(come, timeout) or self._closed:
                return None
            return self._shot


class Viewer:
    """One page's live picture: an iterator that ends when no picture comes for a while. Close it when the page goes."""

    def __init__(self, preview: Preview) -> None:
        self._preview = preview
        self._last = -EVERY_S
        self._gone = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        shot = None if self._gone else self._preview.after(self._last + EVERY_S, PATIENCE_S)
        if shot is None:
            self.close()
            raise StopIteration
        self._last = shot.t
        return jpeg(shot.frame)

    def close(self) -> None:
        """Make room for another page."""
        if not self._gone:
            self._gone = True
            self._preview.left()


def jpeg(frame: Frame) -> bytes:
    """The frame as a small JPEG of the same shape."""
    fit = min(1.0, WIDTH / frame.shape[1], HEIGHT / frame.shape[0])
    small = np.asarray(cv2.resize(frame, None, fx=fit, fy=fit, interpolation=cv2.INTER_AREA), np.uint8) if fit < 1 else frame
    _, coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return coded.tobytes()

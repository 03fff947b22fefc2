"""The last seconds before the camera, kept small in memory, so that a champion's throw can be shown again."""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from vision.reading import Frame, Rim

KEPT_S = 6.0
EVERY_S, EARLY_S = 1 / 12, 0.005
SIDE, QUALITY = 360, 75
REPLAY_S = 3.0
MOST_BYTES = 1_500_000
QUALITIES = (60, 40, 25)
AROUND = 1.25


@dataclass(frozen=True, slots=True)
class Moment:
    """A frame cut to the bowl, as JPEG, with its time in seconds."""

    t: float
    jpeg: bytes


class Recent:
    """A ring of moments; `see` is called for each frame and keeps one in two or three."""

    def __init__(self) -> None:
        self._moments: deque[Moment] = deque()

    def see(self, frame: Frame, t: float, rim: Rim | None) -> None:
        """A frame at t seconds; rim: of the bowl where it is known, else the whole frame is kept."""
        if self._moments and 0 <= t - self._moments[-1].t < EVERY_S - EARLY_S:
            return
        cut = about(frame, rim)
        fit = min(1.0, SIDE / max(cut.shape[:2]))
        small = cv2.resize(cut, None, fx=fit, fy=fit, interpolation=cv2.INTER_AREA) if fit < 1 else cut
        _, coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        self._moments.append(Moment(t, coded.tobytes()))
        while self._moments and not 0 <= t - self._moments[0].t <= KEPT_S:
            self._moments.popleft()

    def before(self, t: float) -> tuple[Moment, ...]:
        """The moments of the three seconds up to t."""
        return tuple(moment for moment in self._moments if t - REPLAY_S <= moment.t <= t)


def about(frame: Frame, rim: Rim | None) -> Frame:
    """The square about the bowl, as far as the picture goes."""
    if rim is None:
        return frame
    height, width = frame.shape[:2]
    half = AROUND * rim.major / 2
    x0, x1 = max(0, int(rim.cx - half)), min(width, int(rim.cx + half) + 1)
    y0, y1 = max(0, int(rim.cy - half)), min(height, int(rim.cy + half) + 1)
    return frame[y0:y1, x0:x1] if x1 - x0 > 16 and y1 - y0 > 16 else frame


def animated(moments: tuple[Moment, ...]) -> bytes | None:
    """The moments as an animated WebP of at most 1.5 MB; None where there is nothing to show."""
    decoded = [cv2.imdecode(np.frombuffer(moment.jpeg, np.uint8), cv2.IMREAD_COLOR) for moment in moments]
    shown = [(m.t, np.asarray(f, np.uint8)) for m, f in zip(moments, decoded, strict=True) if f is not None]
    shown = [(t, frame) for t, frame in shown if frame.shape == shown[-1][1].shape]
    if len(shown) < 2:
        return None
    lasts = [round(1000 * (b - a)) for (a, _), (b, _) in itertools.pairwise(shown)]
    film = cv2.Animation()
    film.frames = [frame for _, frame in shown]
    # the dice at rest stay for a second before it begins anew
    film.durations = [*(min(500, max(20, last)) for last in lasts), 1000]
    film.loop_count = 0
    for quality in QUALITIES:
        ok, coded = cv2.imencodeanimation(".webp", film, [cv2.IMWRITE_WEBP_QUALITY, quality])
        if ok and len(coded) <= MOST_BYTES:
            return np.asarray(coded, np.uint8).tobytes()
    return None

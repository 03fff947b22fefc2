"""Whether a live camera is alive, judged by when its frames come and by what they show. No clock: time is an argument.

OpenCV goes on for ever after a cable is pulled: it blocks, or says yes and gives the last frame again. So neither a
successful read nor an arrival proves anything; only frames that are pictures, and that differ, do.
"""

from __future__ import annotations

from dataclasses import dataclass

from device.capture_look import Look
from device.errors import Fault


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds after which something is said. first_s: "not there yet"; open_s: given up; silent_s, frozen_s: lost."""

    first_s: float = 2.8
    open_s: float = 20.0
    silent_s: float = 2.0
    frozen_s: float = 2.5


USB = Limits()
NETWORK = Limits(frozen_s=12.0)
"""A camera app that codes a scene at rest may well repeat a picture for some seconds."""
LEAST_WAIT_S = 0.02


class Health:
    """Follows one opening of one camera, from `begun` (seconds) on."""

    def __init__(self, begun: float, limits: Limits) -> None:
        self._limits = limits
        self._begun = begun
        self._good: float | None = None
        self._came = begun
        self._mark: int | None = None
        self._changed = begun

    @property
    def alive(self) -> bool:
        """Whether a picture has come at all."""
        return self._good is not None

    def came(self, t: float, look: Look) -> bool:
        """A frame came; whether it is worth looking at."""
        self._came = t
        if look.garbage:
            return False
        if look.mark != self._mark or look.flat:
            self._mark, self._changed = look.mark, t
        self._good = t
        return True

    def patience(self, t: float) -> float:
        """How long to wait for the next frame before `fault` must be asked again."""
        if self._good is None:
            first = self._begun + self._limits.first_s
            until = first if t < first else self._begun + self._limits.open_s
        else:
            until = min(self._good + self._limits.silent_s, self._changed + self._limits.frozen_s)
        return max(LEAST_WAIT_S, until - t)

    def slow(self, t: float) -> bool:
        """Whether no picture has come for so long that it should be said, though it is not given up yet."""
        return self._good is None and t >= self._begun + self._limits.first_s

    def fault(self, name: str, t: float) -> Fault | None:
        """Why this camera is lost, in one line; None while it is well."""
        if self._good is None:
            return no_picture(name) if t >= self._begun + self._limits.open_s else None
        if t >= self._good + self._limits.silent_s:
            if self._came > self._good:
                return Fault(
                    "camera_lost",
                    f"{name}: what comes is noise and no picture: try another cable or socket",
                    f"{name} 传来的不是画面：请换线或换插口",
                )
            return lost(name)
        if t >= self._changed + self._limits.frozen_s:
            return Fault(
                "camera_lost",
                f"{name}: the picture is frozen: unplug the camera and plug it in again",
                f"{name} 画面停住了：请重新插拔摄像头",
            )
        return None


def no_picture(name: str) -> Fault:
    """Nothing has come from there."""
    return Fault(
        "no_camera",
        f"{name}: no picture comes from there: plug it in, or choose another --source",
        f"{name} 没有画面：请插好，或换一个",
    )


def lost(name: str) -> Fault:
    """It gave pictures and does no more."""
    return Fault("camera_lost", f"{name}: no more pictures come: look at the cable", f"{name} 断开了：请检查连线")

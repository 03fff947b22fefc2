"""What lies beside a recording made by `bobing record`: when each of its frames was taken, which the video itself can't hold."""

from __future__ import annotations

import json
import math
import statistics
import struct
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from device.errors import Fault

VIDEO, TRUTH = "recording.avi", "recording.json"
USUAL_FPS = 30.0
LEAST_FPS, MOST_FPS = 1.0, 240.0
PAUSE = 2.0
"""A frame that comes so many usual distances after the one before it says nothing of the camera's rate."""
LARGEST = 16_000_000
HEAD = 4096


def rate(times: Sequence[float]) -> float:
    """Frames a second of a camera that gave frames at these seconds, pauses left out."""
    apart = [after - before for before, after in pairwise(times) if after > before]
    if not apart:
        return USUAL_FPS
    usual = [gap for gap in apart if gap <= PAUSE * statistics.median(apart)]
    return min(MOST_FPS, max(LEAST_FPS, len(usual) / sum(usual)))


def set_rate(video: Path, fps: float) -> None:
    """Write the rate, known only at the end, into the head of an AVI; a file without such a head is left as it is. Raises OSError."""
    with video.open("r+b") as file:
        head = file.read(HEAD)
        main, stream = head.find(b"avih"), head.find(b"strh")
        if min(main, stream) < 0 or head[stream + 8 : stream + 12] != b"vids":
            return
        file.seek(main + 8)  # after the name and length: microseconds a frame
        file.write(struct.pack("<I", round(1e6 / fps)))
        file.seek(stream + 28)  # twenty bytes into the stream's head: a rate as a fraction, its lower part first
        file.write(struct.pack("<II", 1000, round(1000 * fps)))


def recorded_times(video: Path, frames: int) -> list[float] | None:
    """Seconds from the first frame at which each of the video's frames was taken; None where nothing is told of it.

    frames: as many the video has. Raises Fault in one line where what is told can't be read or is no truth of this video.
    """
    file = video.with_suffix(".json")
    try:
        if not file.is_file():
            return None
        if file.stat().st_size > LARGEST:
            raise ValueError
        told = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        raise _untold(file, video, "can't be read") from None
    if not isinstance(told, dict) or "times" not in told:
        return None
    times = told["times"]
    if not isinstance(times, list) or not all(_is_time(t) for t in times):
        raise _untold(file, video, "tells times that are none")
    if len(times) != frames:
        raise _untold(file, video, f"tells of {len(times)} frames, the video has {frames}")
    if any(after < before for before, after in pairwise(times)) or (len(times) > 1 and times[-1] <= times[0]):
        raise _untold(file, video, "tells times that don't go forward")
    return [t - times[0] for t in times]


def _is_time(t: object) -> bool:
    return isinstance(t, int | float) and not isinstance(t, bool) and abs(t) < 1e12 and math.isfinite(t)


def _untold(file: Path, video: Path, why: str) -> Fault:
    return Fault(
        "recorded_times",
        f"{file} {why}: the times are taken from the rate in {video.name}, which may be played too fast or too slowly",
        f"{file} 中的时间不可用：按 {video.name} 自身的帧率播放",
    )

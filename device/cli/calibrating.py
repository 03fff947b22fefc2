"""`bobing calibrate`: the rim of the empty bowl, from a camera, a recording or pictures."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from device.capture import Capture
from device.cli.output import OK, CallError, WorldError, emit, line, place_for, say
from device.cli.readers import Readers
from device.errors import Fault
from device.sources import open_source
from vision.bowl import Bowl
from vision.calibration import CalibrationError, calibrate, littered, looks_filled
from vision.reader import Reader
from vision.reading import Frame

FRAMES = 12
"""So many frames of each source are looked at: enough to average noise away."""


def _frames(specs: Sequence[str], held: dict[str, float] | None = None) -> list[Frame]:
    """Frames of each source; held: takes what a live camera holds of exposure, white balance and focus from now on."""
    frames: list[Frame] = []
    for spec in specs:
        source = open_source(spec, time.monotonic)
        try:
            last = -1
            taken = 0
            for shot in source:
                if shot.index == last:
                    continue  # a still picture is shown for a while
                last = shot.index
                taken += 1
                if taken <= FRAMES:
                    frames.append(shot.frame)
                if taken == FRAMES and held is not None and isinstance(source, Capture):
                    source.lock(held.update)
                elif taken >= FRAMES and (held or taken >= 2 * FRAMES or not source.live):
                    break
        finally:
            source.close()
    return frames


def rests(specs: Sequence[str]) -> tuple[list[Frame], list[str]]:
    """One frame a still picture; of a recording or camera its middle frame: dice laid out for the camera. With what each is called."""
    frames: list[Frame] = []
    names: list[str] = []
    for spec in specs:
        shots = _frames([spec])
        if len(shots) >= FRAMES:
            shots = [shots[len(shots) // 2]]
        frames += shots
        names += [spec] if len(shots) == 1 else [f"{spec}, picture {n}" for n in range(1, len(shots) + 1)]
    if len({frame.shape for frame in frames}) > 1:
        raise CallError("enrol: the pictures differ in size: take them with one camera in one setting")
    return frames, names


def calmed(frames: list[Frame]) -> list[Frame]:
    """Frames of a stream four by four, each four as their median; few pictures as they are."""
    if len(frames) < FRAMES:
        return frames
    return [np.asarray(np.median(np.stack(frames[k : k + 4]), axis=0), np.uint8) for k in range(0, len(frames), 4)]


def run_calibrate(specs: Sequence[str], out: str, as_json: bool) -> int:
    """Find the rim, write the calibration file, say how good it is; no bowl: exit 1, and why."""
    place = place_for("calibrate", out)
    held: dict[str, float] = {}
    frames = _frames(specs, held)
    if len({frame.shape for frame in frames}) > 1:
        raise CallError("calibrate: the pictures differ in size: take them with one camera in one setting")
    try:
        calibration = calibrate(calmed(frames), frames if len(specs) == 1 and len(frames) == FRAMES else ())
    except CalibrationError as fault:
        raise WorldError(f"calibrate: {fault}") from fault
    rim_only = Bowl(calibration.rim, None, calibration.width, calibration.height)
    lies = Reader(Readers(None, no_bowl=False).detector, rim_only).read(calibration.background)
    if looks_filled(lies):
        # whatever lies there now would never be seen again
        raise WorldError("calibrate: dice lie in the bowl: take them out, and calibrate on the empty bowl")
    calibration = replace(littered(calibration, lies), held=held)
    try:
        calibration.save(place)
    except OSError as fault:
        raise Fault("unwritable", f"calibrate: {out}: can't be written ({fault.strerror}): make room there, or choose another place with --out", f"写不了 {out}") from fault
    if as_json:
        emit(calibration.as_json())
        return OK
    rim = calibration.rim
    line(
        f"rim: centre {rim.cx:.0f}, {rim.cy:.0f}; {rim.major:.0f} x {rim.minor:.0f} pixels; quality {calibration.quality} of 100"
    )
    costliest = calibration.costliest
    if costliest is not None:
        line(f"  costs most: {costliest.en}")
    for mark in calibration.marks:
        if mark is not costliest:
            line(f"  {mark.en}")
    say(f"written to {out}")
    return OK

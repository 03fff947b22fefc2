"""`bobing cameras`: what is plugged in, with names that stay."""

from __future__ import annotations

from device.cameras import plugged_in
from device.cli.output import OK, emit, line, say


def run_cameras(as_json: bool) -> int:
    """One line a camera: the name for --source, and what its maker calls it."""
    cameras = plugged_in()
    for camera in cameras:
        if as_json:
            emit(camera.as_json())
        else:
            line(f"{camera.name}  ({camera.label}, now at {camera.device})")
    if not cameras:
        say("bobing: no camera is plugged in; a phone's camera app works too: --source http://ITS-ADDRESS/video")
    return OK

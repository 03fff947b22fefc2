"""`bobing watch`: a line for each thing seen in a recording or camera."""

from __future__ import annotations

import time
from typing import Any

from device.cli.output import OK, CallError, WorldError, emit, line, say
from device.cli.readers import Readers
from device.sources import Source, open_source, paced
from vision.calibration import CalibrationError
from vision.reading import Verdict
from vision.watcher import Watcher

WORDS = {
    "throw": "throw",
    "found": "dice that already lie there",
    "changed": "the dice were moved",
    "hand": "a hand",
    "cleared": "the bowl is empty",
    "bumped": "the camera was moved",
    "dark": "too dark",
    "lost": "the bowl is out of view",
}


def run_watch(
    spec: str, calibration: str | None, no_bowl: bool, dice: str | None, expect: int, as_json: bool, realtime: bool
) -> int:
    """Watch to the end of the recording, or until interrupted; the answer depends on the frames alone."""
    if expect < 1:
        raise CallError(f"watch: --expect {expect}: at least one die must be expected")
    readers = Readers(calibration, no_bowl, dice)
    source = open_source(spec, time.monotonic, told=lambda untold: say(f"bobing: {untold.en}"))
    try:
        _watch(source, readers, expect, as_json, realtime)
    except CalibrationError as fault:
        raise WorldError(f"watch: {fault}") from fault
    finally:
        source.close()
    return OK


def _watch(source: Source, readers: Readers, expect: int, as_json: bool, realtime: bool) -> None:
    shots = paced(iter(source), time.monotonic, time.sleep) if realtime and not source.live else iter(source)
    watcher: Watcher | None = None
    size: tuple[int, ...] = ()
    for shot in shots:
        begun = time.perf_counter()
        if watcher is None or shot.frame.shape != size:
            watcher, size = readers.watcher(shot.frame, expect), shot.frame.shape
        for seen in watcher.feed(shot.frame, shot.index, shot.t):
            _print({**seen.as_json(), "ms": round((time.perf_counter() - begun) * 1000, 1)}, as_json)


def _print(seen: dict[str, Any], as_json: bool) -> None:
    if as_json:
        emit(seen)
        return
    values = " ".join(map(str, seen.get("values", [])))
    told = f"{values} [{seen['verdict']}]" if "verdict" in seen else ""
    if "why" in seen and seen["verdict"] != Verdict.SURE:
        told = f"{told} {seen['why']}"
    line(f"frame {seen['frame']:5} {seen['t']:7.2f} s  {WORDS.get(seen['event'], seen['event'])} {told}".rstrip())

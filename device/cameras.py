"""What cameras are plugged in, under names that stay: a camera keeps its name when it comes back at another socket.

Linux names USB cameras in /dev/v4l/by-id; elsewhere the system is asked through cv2-enumerate-cameras.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.errors import Fault

BY_ID = Path("/dev/v4l/by-id")
CLASS = Path("/sys/class/video4linux")
PICTURES_NODE = "-video-index0"
"""A USB camera has several nodes; the pictures come from this one, the others carry times and the like."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that is plugged in. name: stays the same; device: what opens it now; label: what its maker calls it."""

    name: str
    device: int | str
    label: str

    def as_json(self) -> dict[str, Any]:
        """The line of `bobing cameras`."""
        return {"name": self.name, "device": self.device, "label": self.label}


Listing = Callable[[], Sequence[Camera]]


def plugged_in() -> tuple[Camera, ...]:
    """The cameras of this machine, in the system's order."""
    return on_linux(BY_ID, CLASS) if sys.platform.startswith("linux") else _elsewhere()


def on_linux(by_id: Path, classes: Path) -> tuple[Camera, ...]:
    """Cameras by the links in `by_id`; those without a link (ribbon cables, virtual ones) by their node's number."""
    found: dict[int, Camera] = {}
    links = sorted(by_id.iterdir()) if by_id.is_dir() else []
    for link in links:
        number = re.fullmatch(r"video(\d+)", link.resolve().name)
        if link.name.endswith(PICTURES_NODE) and number:
            node = int(number[1])
            found[node] = Camera(link.name.removesuffix(PICTURES_NODE), str(link), _label(classes, node) or link.name)
    for folder in sorted(classes.iterdir()) if classes.is_dir() else []:
        number = re.fullmatch(r"video(\d+)", folder.name)
        if number and int(number[1]) not in found and _text(folder / "index") == "0" and not _has_link(links, folder.name):
            node = int(number[1])
            found[node] = Camera(f"video{node}", f"/dev/video{node}", _label(classes, node) or f"video{node}")
    return tuple(found[node] for node in sorted(found))


def _has_link(links: Sequence[Path], node: str) -> bool:
    return any(link.resolve().name == node for link in links)


def _label(classes: Path, node: int) -> str:
    return _text(classes / f"video{node}" / "name")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _elsewhere() -> tuple[Camera, ...]:
    from cv2_enumerate_cameras import enumerate_cameras

    cameras: dict[str, Camera] = {}
    for entry in enumerate_cameras():
        # several ways of the system lead to one camera; the first one named is the one it prefers
        name = str(entry.path or f"{entry.name}-{entry.vid}-{entry.pid}")
        cameras.setdefault(name, Camera(name, int(entry.index), str(entry.name)))
    return tuple(cameras.values())


class Finder:
    """Finds one camera again and again: by what was asked for, and once it was found by the name that stays."""

    def __init__(self, spec: str, listing: Listing = plugged_in) -> None:
        """spec: a number, a stable name, the maker's label, or a device path."""
        self._spec = spec
        self._listing = listing
        self._known: Camera | None = None

    def find(self) -> Camera:
        """The camera as it is plugged in now; raises Fault where it is not."""
        cameras = self._listing()
        camera = self._again(cameras) if self._known is not None else self._first(cameras)
        if camera is None:
            raise self._missing(cameras)
        self._known = camera
        return camera

    def _first(self, cameras: Sequence[Camera]) -> Camera | None:
        asked = self._spec
        if asked.isascii() and asked.isdigit():
            numbered = next((c for c in cameras if _number(c) == int(asked)), None)
            # not every camera is listed on every system: a bare number may still be opened
            return numbered or (None if cameras or sys.platform.startswith("linux") else Camera(asked, int(asked), f"camera {asked}"))
        named = [c for c in cameras if asked in (c.name, c.device, f"{c.name}{PICTURES_NODE}")]
        named = named or [c for c in cameras if asked.casefold() == c.label.casefold()]
        if not named and asked.startswith("/dev/") and Path(asked).exists():
            node = str(Path(asked).resolve())
            named = [c for c in cameras if isinstance(c.device, str) and str(Path(c.device).resolve()) == node]
            return named[0] if named else Camera(asked, asked, asked)
        return named[0] if named else None

    def _again(self, cameras: Sequence[Camera]) -> Camera | None:
        """The same camera, under whatever index it came back; never merely another one."""
        known = self._known
        assert known is not None
        same = [c for c in cameras if c.name == known.name]
        # a socket may be part of the name; one camera of the same make is then taken for it
        alike = [c for c in cameras if c.label == known.label] if known.label else []
        if same:
            return same[0]
        return alike[0] if len(alike) == 1 else None

    def _missing(self, cameras: Sequence[Camera]) -> Fault:
        there = ", ".join(c.name for c in cameras)
        what = f"camera {self._spec}" if self._spec.isdigit() else self._spec
        help_ = f"plug it in, or choose one of: {there}" if there else "plug it in"
        return Fault("no_camera", f"{what}: no such camera is plugged in: {help_}", f"没有找到摄像头 {self._spec}：请插好")


def is_camera(spec: str, by_id: Path = BY_ID) -> bool:
    """Whether a word of the command line names a camera (rather than a file): a number, a device, or a name that is listed."""
    if spec.isascii() and spec.isdigit():
        return True
    if spec.startswith("/dev/"):
        return True
    if "/" in spec:
        return any(spec == c.name for c in plugged_in()) if not sys.platform.startswith("linux") else False
    return (by_id / spec).exists() or (by_id / (spec + PICTURES_NODE)).exists() or any(
        spec in (c.name, c.label) for c in plugged_in()
    )


def _number(camera: Camera) -> int | None:
    if isinstance(camera.device, int):
        return camera.device
    node = re.fullmatch(r"video(\d+)", Path(camera.device).resolve().name)
    return int(node[1]) if node else None

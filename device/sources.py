"""Where frames come from: a picture, a folder or glob of pictures, a video file, the demo, a camera, an address.

Recordings give every frame with the time it has in the recording; live sources give what arrives, with the clock's time.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from device.cameras import Finder, is_camera
from device.capture import Capture, Slow
from device.capture_channel import ChildChannel
from device.capture_child import Opener, Wish
from device.capture_health import NETWORK, USB
from device.errors import Fault
from device.grabber import CameraGrabber
from device.hostile import address_shown
from device.permission import in_words, kept_back, not_allowed
from device.recorded import LEAST_FPS, MOST_FPS, TRUTH, USUAL_FPS, VIDEO, recorded_times
from device.shots import Shot as Shot
from device.shots import Source as Source
from vision.reading import Frame

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
VIDEOS = (".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mjpeg", ".mjpg")
HELD = (0.0, 0.2, 0.4, 0.6, 0.8)
"""A still picture is looked at for a second, as if it lay there: at these seconds after the one before."""
DEMO = Path(__file__).parent / "demo"
LATE_S = 0.1


def is_recording(spec: str) -> bool:
    """Whether the word names pictures that were taken before, and no camera that could be aimed."""
    if spec == "demo" or "://" in spec or is_camera(spec):
        return spec == "demo"
    # a camera that is not plugged in now is no file either, nor does one lie where this user may not look
    return kept_back(Path(spec)) or Path(spec).exists() or any(sign in spec for sign in "*?[")


def open_source(
    spec: str, clock: Callable[[], float], how: Live | None = None, told: Callable[[Fault], object] = lambda _: None
) -> Source:
    """The source that a word of the command line names; clock: monotonic seconds for live ones. Raises Fault in one line.

    how: for live sources, where something is known of the camera already. told: of a recording whose own times can't be had.
    """
    if not spec.strip():
        raise Fault("no_source", "no source is named: name a camera, a recording or pictures", "没有指明来源：请写摄像头、录像或图片")
    if spec == "demo":
        return _Video(demo_file(), "demo", told)
    if re.match(r"(https?|rtsp)://", spec) or is_camera(spec):
        return _live(spec, clock, how or Live())
    if "://" in spec:
        raise Fault("no_source", f"{address_shown(spec)}: a camera's address begins with http://, https:// or rtsp://",
                    f"{address_shown(spec)}：地址须以 http://、https:// 或 rtsp:// 开头")
    try:
        return _kept(spec, told)
    except PermissionError as fault:
        raise not_allowed(spec, "read") from fault
    except OSError as fault:
        raise Fault("no_source", in_words(fault), f"读不了 {spec}（{fault.strerror}）") from fault


def _kept(spec: str, told: Callable[[Fault], object]) -> Source:
    """Pictures or a video that lie on a disk; raises PermissionError where this user may not read them."""
    path = Path(spec)
    if path.is_dir():
        return _Pictures(_in_folder(path), spec)
    if any(sign in spec for sign in "*?[") and not path.exists():
        return _Pictures(_matching(spec), spec)
    if not path.is_file():
        raise Fault("no_source", f"{spec}: no such file, folder or camera", f"找不到 {spec}")
    if path.suffix.lower() in PICTURES:
        return _Pictures([path], spec)
    if path.name == TRUTH and path.with_name(VIDEO).is_file():
        path = path.with_name(VIDEO)
    path.open("rb").close()  # the decoders don't say whether a file is no video or is kept from us
    return _Video(path, spec, told)


def must_be_there(spec: str) -> None:
    """Raises Fault in one line where the source that a word names is not to be had now; an address is not asked."""
    if "://" in spec:
        return
    if is_camera(spec):
        Finder(spec).find()
    else:
        open_source(spec, lambda: 0.0).close()


def demo_file() -> Path:
    """The bundled demo recording."""
    found = sorted(p for p in DEMO.glob("*") if p.suffix in VIDEOS) if DEMO.is_dir() else []
    if not found:
        raise Fault("no_demo", "the demo recording is missing: install bobing-table again", "缺少演示录像：请重新安装")
    return found[0]


def demo_calibration() -> str | None:
    """The calibration that belongs to the demo recording."""
    found = sorted(DEMO.glob("*.calibration")) if DEMO.is_dir() else []
    return str(found[0]) if found else None


def paced(
    shots: Iterator[Shot], clock: Callable[[], float], sleep: Callable[[float], object], drop: bool = True
) -> Iterator[Shot]:
    """The shots of a recording at its own speed.

    drop: shots that come too late to matter are dropped, as a camera's would be; else a machine that can't keep up plays it more slowly.
    The time begins when the second shot is asked for: whatever is made ready with the first one costs no shot.
    """
    begun = None
    for shot in shots:
        if begun is None:
            yield shot
            begun = clock() - shot.t
            continue
        ahead = begun + shot.t - clock()
        if ahead > 0:
            sleep(ahead)
        elif ahead < -LATE_S:
            if drop:
                continue
            begun -= ahead  # it goes on from here
        yield shot


def decoded(path: Path) -> Frame | None:
    """The picture in a file, None where it can't be decoded."""
    try:
        coded = np.frombuffer(path.read_bytes(), np.uint8)
    except (OSError, ValueError):
        return None
    frame = cv2.imdecode(coded, cv2.IMREAD_COLOR) if coded.size else None
    return None if frame is None else np.asarray(frame, np.uint8)


def _in_folder(folder: Path) -> list[Path]:
    found = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
    if not found:
        raise Fault("no_pictures", f"{folder}: no pictures in this folder ({', '.join(PICTURES)} are read)", "文件夹里没有图片")
    return found


def _matching(pattern: str) -> list[Path]:
    # pathlib can't match an absolute pattern
    names = glob.glob(pattern)  # noqa: PTH207
    found = sorted(Path(name) for name in names if Path(name).suffix.lower() in PICTURES)
    if not found:
        raise Fault("no_pictures", f"{pattern}: no picture matches", "没有符合的图片")
    return found


class _Pictures:
    """Still pictures, each looked at for a second."""

    live = False

    def __init__(self, paths: list[Path], name: str) -> None:
        self.name = name
        self._paths = paths

    def __iter__(self) -> Iterator[Shot]:
        bad = []
        for index, path in enumerate(self._paths):
            frame = decoded(path)
            if frame is None:
                bad.append(path)
                continue
            for after in HELD:
                yield Shot(index, index + after, frame)
        if bad:
            if kept_back(bad[0]):
                raise not_allowed(bad[0], "read")
            more = f" and {len(bad) - 1} more" if len(bad) > 1 else ""
            raise Fault("bad_picture", f"{bad[0]}{more}: this is no picture that can be decoded", f"{bad[0]} 不是图片")

    def close(self) -> None:
        """Nothing is held."""


class _Video:
    """A video file, every frame in order, at the times that were recorded with it or else at the file's rate."""

    live = False

    def __init__(self, path: Path, name: str, told: Callable[[Fault], object]) -> None:
        self.name = name
        self._video = cv2.VideoCapture(str(path))
        if not self._video.isOpened():
            raise Fault(
                "bad_video", f"{name}: this is no video that can be decoded, or it was cut off while being written", f"{name} 不是可读的录像"
            )
        fps = self._video.get(cv2.CAP_PROP_FPS)
        self._fps = fps if LEAST_FPS <= fps <= MOST_FPS else USUAL_FPS
        self._told = int(self._video.get(cv2.CAP_PROP_FRAME_COUNT))
        self._times: list[float] | None = None
        try:
            self._times = recorded_times(path, self._told)
        except Fault as untold:
            told(untold)

    def __iter__(self) -> Iterator[Shot]:
        index = 0
        while True:
            ok, frame = self._video.read()
            if not ok or frame is None:
                break
            yield Shot(index, self._time(index), np.asarray(frame, np.uint8))
            index += 1
        if index == 0:
            raise Fault("bad_video", f"{self.name}: no frame of this video can be decoded", f"{self.name} 无法解码")
        # the count in the file is an estimate, a little less is no fault
        if index < self._told - max(5, 0.03 * self._told):
            raise Fault(
                "video_cut",
                f"{self.name}: the video breaks off at frame {index} of {self._told}; what came before was read",
                f"{self.name} 在第 {index} 帧中断",
            )

    def _time(self, index: int) -> float:
        if self._times is None:
            return index / self._fps
        past = max(0, index - len(self._times) + 1)
        return self._times[index - past] + past / self._fps

    def close(self) -> None:
        """Close the file."""
        self._video.release()


@dataclass(slots=True)
class Live:
    """What is known of a live source from one opening to the next. finder: finds the camera again wherever it is plugged in.

    locked: exposure and the like to hold. mains: frequency of the lamps, 0: left alone. slow: told while a camera is waited for.
    """

    finder: Finder | None = None
    locked: dict[str, float] = field(default_factory=dict)
    mains: int = 0
    slow: Slow | None = None
    opener: Opener = CameraGrabber


def _live(spec: str, clock: Callable[[], float], how: Live) -> Source:
    """A camera or an address, captured in a process of its own."""
    if "://" in spec:
        wish = Wish(spec, mains=how.mains)
        return Capture(address_shown(spec), ChildChannel(how.opener, wish), clock, NETWORK, how.slow)
    how.finder = how.finder or Finder(spec)
    camera = how.finder.find()
    name = f"camera {spec}" if spec.isdigit() else camera.label or spec
    wish = Wish(camera.device, mains=how.mains, locked=how.locked)
    return Capture(name, ChildChannel(how.opener, wish), clock, USB, how.slow)

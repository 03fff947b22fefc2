"""A real camera or address in the capturing process: its mode, its light frequency, and holding what it set by itself."""

from __future__ import annotations

import os
import struct
import sys
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from device.capture_child import Wish
from vision.reading import Frame

FFMPEG_OPTIONS = (
    "rtsp_transport;tcp|fflags;nobuffer|flags;low_delay|analyzeduration;500000|probesize;200000|"
    # whoever answers at a camera's address must not lead us to files or to other machines
    "protocol_whitelist;http,https,tcp,tls,rtsp,rtp,udp,crypto|max_redirects;0"
)
OPEN_MS, READ_MS = 10_000, 10_000

# holding: the automatic's property, the values that mean "by hand" and "by itself", and the property that it held
# (for V4L2 1 is by hand and 3 by itself, elsewhere 0.25 and 0.75)
V4L2 = sys.platform.startswith("linux")
EXPOSURE = (cv2.CAP_PROP_AUTO_EXPOSURE, (1.0, 3.0) if V4L2 else (0.25, 0.75), cv2.CAP_PROP_EXPOSURE)
BALANCE = (cv2.CAP_PROP_AUTO_WB, (0.0, 1.0), cv2.CAP_PROP_WB_TEMPERATURE)
FOCUS = (cv2.CAP_PROP_AUTOFOCUS, (0.0, 1.0), cv2.CAP_PROP_FOCUS)
HELD = {"exposure": EXPOSURE, "white_balance": BALANCE, "focus": FOCUS}

S_CTRL = 0xC008561C
"""ioctl VIDIOC_S_CTRL of <linux/videodev2.h>: struct v4l2_control {u32 id; s32 value}."""
POWER_LINE = 0x00980918
"""V4L2_CID_POWER_LINE_FREQUENCY: 1 is 50 Hz, 2 is 60 Hz."""


OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"


def is_address(device: int | str) -> bool:
    """Whether this is a camera of the network."""
    return isinstance(device, str) and "://" in device


class CameraGrabber:
    """One camera or address through OpenCV; raises OSError where it can't be opened."""

    def __init__(self, wish: Wish) -> None:
        if is_address(wish.device):
            os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
            timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS]
            # OpenCV takes these from the environment as it opens: a file that is opened later must not find them there
            before = os.environ.get(OPTIONS)
            os.environ[OPTIONS] = FFMPEG_OPTIONS
            try:
                self._camera = cv2.VideoCapture(str(wish.device), cv2.CAP_FFMPEG, timeouts)
            finally:
                os.environ.pop(OPTIONS) if before is None else os.environ.update({OPTIONS: before})
        else:
            self._camera = cv2.VideoCapture(_node(wish.device), cv2.CAP_V4L2 if V4L2 else cv2.CAP_ANY)
        if not self._camera.isOpened():
            raise OSError(f"{wish.device} can't be opened")
        if not is_address(wish.device):
            self._set_up(wish)

    def read(self) -> Frame | None:
        """The next frame; None where none came."""
        ok, frame = self._camera.read()
        return np.asarray(frame, np.uint8) if ok and frame is not None else None

    def lock(self) -> dict[str, float]:
        """Hold exposure, white balance and focus as they are now; what could be held, with its value."""
        now = {name: self._camera.get(value) for name, (_, _, value) in HELD.items()}
        return {name: value for name, value in now.items() if hold(self._camera, name, value)}

    def _set_up(self, wish: Wish) -> None:
        camera = self._camera
        # raw pictures of this size do not fit through a USB 2 cable thirty times a second
        camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        camera.set(cv2.CAP_PROP_FRAME_WIDTH, wish.width)
        camera.set(cv2.CAP_PROP_FRAME_HEIGHT, wish.height)
        camera.set(cv2.CAP_PROP_FPS, wish.fps)
        camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        for name, (automatic, (_, by_itself), _) in HELD.items():
            if name in wish.locked:
                hold(camera, name, wish.locked[name])
            else:
                camera.set(automatic, by_itself)
        if wish.mains in (50, 60) and V4L2:
            light_frequency(wish.device, wish.mains)


def hold(camera: cv2.VideoCapture, name: str, value: float) -> bool:
    """Turn one automatic off and hold this value; whether the camera did so."""
    automatic, (by_hand, by_itself), prop = HELD[name]
    if value <= 0 and name != "exposure":
        return False  # a camera without that control says 0 or -1
    if not camera.set(automatic, by_hand):
        return False
    if camera.set(prop, value):
        return True
    camera.set(automatic, by_itself)
    return False


def light_frequency(device: int | str, mains: int) -> bool:
    """Tell a Linux camera the frequency of the lamps, so that exposure does not beat with them; whether it took it."""
    if sys.platform == "win32":
        return False
    import fcntl

    node = f"/dev/video{device}" if isinstance(device, int) else device
    with suppress(OSError), Path(node).open("rb+", buffering=0) as file:
        fcntl.ioctl(file, S_CTRL, struct.pack("Ii", POWER_LINE, 1 if mains == 50 else 2))
        return True
    return False


def _node(device: int | str) -> int | str:
    """OpenCV's V4L2 wants /dev/videoN rather than a link to it."""
    return device if isinstance(device, int) or not device.startswith("/dev/") else str(Path(device).resolve())

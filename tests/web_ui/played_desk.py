"""A desk of the camera that plays along and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from device.errors import Fault, Refused

RIM = {"cx": 320.0, "cy": 180.0, "major": 300.0, "minor": 282.0, "angle_deg": 20.0}
MARKS = [{"key": "rim", "good": True, "share": 0.97, "value": 0.97, "en": "the rim is clear", "zh": "碗沿清楚"}, {"key": "size", "good": False, "share": 0.9, "value": 20.0, "en": "bring the camera nearer", "zh": "请把摄像头移近"}]


class Viewing:
    """Two pictures."""

    def __init__(self) -> None:
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        return iter([b"\xff\xd8one", b"\xff\xd8two"])

    def close(self) -> None:
        self.closed = True


class Desk:
    """A desk that remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.viewing = Viewing()
        self.full = False

    def view(self) -> dict[str, Any]:
        calibration = {"rim": RIM, "quality": 87, "reasons": [], "marks": MARKS, "size": [640, 360], "held": {}}
        camera = {"name": "usb-Lamp_1", "device": 0, "label": "Lamp"}
        return {"source": "usb-Lamp_1", "recording": False, "cameras": [camera], "size": [640, 360], "calibration": calibration, "paused": False, "dice": None, "test": None}

    def do(self, body: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append(dict(body))
        if body.get("do") == "explode":
            raise Fault("unwritable", "the disk is full: make room", "磁盘满了")
        if body.get("do") not in ("calibrate", "recalibrate", "rim"):
            raise Refused("malformed", "what?", "什么？")
        return self.view()

    def jpegs(self) -> Viewing:
        if self.full:
            raise Refused("viewers", "two pages watch the camera already: close one", "已有两个页面在看画面")
        return self.viewing

    def film(self, name: str) -> bytes | None:
        return b"RIFF" if name == "a-1" else None

    def tested(self) -> bytes | None:
        return None


class TwoDice(Desk):
    """A desk that waits for two dice until they fall."""

    def __init__(self) -> None:
        super().__init__()
        self.test: dict[str, Any] | None = None

    def view(self) -> dict[str, Any]:
        return {**super().view(), "test": self.test}

    def do(self, body: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append(dict(body))
        self.test = {"expect": 2, "waiting": True} if body["do"] == "two" else None
        return self.view()

    def fall(self, a: int, b: int, well: bool = True) -> None:
        """The dice lie still and are read."""
        verdict = "sure" if well else "ask"
        self.test = {"expect": 2, "waiting": False, "values": [a, b], "outside": 0, "verdict": verdict, "why": "", "well": well}

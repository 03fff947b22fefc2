"""Serial ports of this machine, and which of them may be asked whether they are a box."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

KNOWN = {
    0x2341: "Arduino",
    0x2A03: "Arduino",
    0x1A86: "CH340",
    0x0403: "FTDI",
    0x10C4: "CP210x",
    0x1B4F: "SparkFun",
}
"""USB vendors of boards that a box is made of."""


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port. vendor, product: USB numbers, None where it is no USB port; node: differs when it was plugged anew."""

    device: str
    vendor: int | None = None
    product: int | None = None
    serial: str = ""
    place: str = ""
    description: str = ""
    node: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """A name that stays the same when cables are plugged into other sockets; for chips without a number, the socket's."""
        if self.vendor is None or self.product is None:
            return self.device
        return f"{self.vendor:04x}:{self.product:04x}:{self.serial or self.place or self.device}"

    def is_called(self, text: str) -> bool:
        """Whether a person means this port by `text`: its device, its last part, or the stable name."""
        return text in (self.device, self.device.rpartition("/")[2], self.name)


Listing = Callable[[], Sequence[Port]]
"""The ports that are there now."""


class Search:
    """Which port to ask next. wanted: the one port that was named; remembered: stable name of the box of last time; never: block list.

    Only USB ports of known vendors are asked, the remembered one first; a barred port is free again when it was plugged anew.
    """

    def __init__(self, wanted: str | None = None, remembered: str = "", never: Sequence[str] = ()) -> None:
        self.wanted = wanted
        self.remembered = remembered
        self._never = tuple(never)
        self._barred: dict[str, tuple[tuple[int, ...], float]] = {}
        self._asked: dict[str, int] = {}
        self._turn = 0

    def why_not(self, port: Port) -> str:
        """Why this port is not asked: "other" (named another), "blocked", "no_usb", "unknown_vendor"; "" where it is."""
        if any(port.is_called(text) for text in self._never):
            return "blocked"
        if self.wanted is not None:
            return "" if port.is_called(self.wanted) else "other"
        if port.vendor is None:
            return "no_usb"
        return "" if port.vendor in KNOWN else "unknown_vendor"

    def next(self, ports: Sequence[Port], now: float) -> Port | None:
        """The port to open now, or None. Those that waited longest come first, the remembered one before all."""
        for device, (node, until) in list(self._barred.items()):
            here = next((port for port in ports if port.device == device), None)
            if here is None or here.node != node or now >= until:
                del self._barred[device]
        free = [port for port in ports if not self.why_not(port) and port.device not in self._barred]
        if not free:
            return None
        return min(free, key=lambda port: (port.name != self.remembered, self._asked.get(port.device, 0), port.device))

    def bar(self, port: Port, until: float) -> None:
        """Leave the port alone until then, or until it is plugged anew."""
        self._turn += 1
        self._asked[port.device] = self._turn
        self._barred[port.device] = (port.node, until)

"""Plays an evening with the appliance where no packet can leave: in a network of its own that has no route.

`python room_without_a_door.py FOLDER`: says "no route" or, where the system allows no such network, "watched"; then "played".
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from appliance import THROWS, Appliance

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCSIFFLAGS, IFF_UP, IFF_RUNNING = 0x8914, 0x1, 0x40
PAGES = ("/", "/phone", "/setup", "/keep", "/calibrate", "/pair", "/api/docs", "/api/throws", "/healthz", "/static/js/tv.js")


def shut_the_door() -> bool:
    """Go into a network without a route, only loopback up in it; False where the system does not allow that."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET) != 0 and libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        return False
    import fcntl
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        fcntl.ioctl(link, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP | IFF_RUNNING))
    return True


def evening(folder: Path, *words: str) -> None:
    """Start, look at every page, play, look at the diagnostics, end."""
    listening = str(Path(__file__).with_name("listening.py"))
    table = Appliance(folder, *words, program=(listening,), AUDIT=str(folder.parent / "audit"))
    try:
        for page in PAGES:
            urllib.request.urlopen(table.address + page, timeout=60).read()
        assert table.give("start", players=["甲", "乙"])[0] == 200
        for dice in THROWS:
            assert table.give("throw", dice=dice)[0] == 200
        assert table.give("end")[0] == 200
        request = urllib.request.Request(
            table.address + "/api/diagnostics", b"{}", {"Content-Type": "application/json"}, method="POST"
        )
        assert urllib.request.urlopen(request, timeout=60).read()[:2] == b"PK"
    finally:
        assert table.end() == 0


if __name__ == "__main__":
    os.environ.pop("http_proxy", None)
    print("no route" if shut_the_door() else "watched", flush=True)
    base = Path(sys.argv[1])
    for name, words in (("hand", ("--players", "甲,乙")), ("demo", ("--source", "demo"))):
        (base / name).mkdir(parents=True)
        evening(base / name, *words)
    print("played", flush=True)

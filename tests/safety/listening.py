"""Runs bobing as always, and writes down whom it wants to speak to and which programs it starts: AUDIT names the file."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
WATCHED = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "subprocess.Popen", "os.system", "os.exec")
out = Path(os.environ["AUDIT"]).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115 - to the end


def hook(event: str, arguments: tuple[Any, ...]) -> None:
    if event in WATCHED:
        told = arguments[1] if event in ("socket.connect", "socket.sendto") else arguments[0]
        out.write(f"{event} {told!r}\n")


sys.addaudithook(hook)

import bobing  # noqa: E402 - after the hook, so that nothing is missed

if __name__ == "__main__":
    sys.exit(bobing.main())

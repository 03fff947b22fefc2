"""The appliance as a process, for tests that kill, starve or crowd it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
THROWS = (
    [4, 4, 4, 1, 2, 3], [4, 1, 2, 3, 5, 5], [1, 2, 3, 4, 5, 6], [4, 4, 4, 4, 2, 5], [2, 2, 2, 2, 4, 4], [1, 1, 2, 2, 3, 3],
)  # fmt: skip


class Appliance:
    """One `bobing run` on a port of its own choice, without a camera."""

    def __init__(self, folder: Path, *words: str, program: tuple[str, ...] = (), **environment: str) -> None:
        """program: what to run in place of bobing.py; environment: further variables."""
        command = [sys.executable, *(program or (str(ROOT / "bobing.py"),)), "run", "--port", "0", "--data", str(folder), *words]
        self.said: list[str] = []
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env={**os.environ, **environment}, cwd=ROOT
        )
        self.address = ""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            found = re.search(r"https?://\S+?/", line)
            if found:
                self.address = found.group().rstrip("/")
                break
        assert self.address, f"the appliance printed no address: {self.said}"
        self.port = int(self.address.rpartition(":")[2])

    def get(self, path: str) -> Any:
        """JSON from a path."""
        with urllib.request.urlopen(self.address + path, timeout=60) as answer:
            return json.load(answer)

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        """Status and JSON of a change."""
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as fault:
            return fault.code, json.load(fault)

    def give(self, command: str, **more: Any) -> tuple[int, Any]:
        """Status and answer of a command for the state as it is."""
        return self.post("/api/commands", {"command": command, "version": self.get("/api/state")["version"], **more})

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End the process; returns its exit status."""
        self.process.send_signal(how)
        with contextlib.suppress(ValueError):
            self.process.communicate(timeout=60)
        return int(self.process.returncode)

    def memory(self) -> int:
        """Bytes of memory that the process holds (Linux)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found
        return int(found[1]) * 1024

    def things(self) -> tuple[int, int]:
        """How many threads and open files the process has (Linux)."""
        process = Path(f"/proc/{self.process.pid}")
        return len(list((process / "task").iterdir())), len(list((process / "fd").iterdir()))

"""The emulated chip as a program of its own: where it is built, it runs the real firmware behind a pseudo-terminal, by the clock."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

BUILT = Path(__file__).parents[1] / "build" / "box-emulator"
PLACE = "BOBING_BOX_EMULATOR"
"""An environment variable that names the program where it stands elsewhere."""
MAKE = "make emulator (needs: sudo apt-get install gcc make libsimavr-dev libelf-dev)"


def emulator() -> Path | None:
    """The built program, or None where there is none."""
    path = Path(os.environ.get(PLACE) or BUILT)
    return path if path.is_file() and os.access(path, os.X_OK) else None


class EmulatedChip:
    """One emulated box. port: the name under which its serial port appears; told: gets each line it says, on a thread of its own.

    Lines are `lamp US 0|1`, `tone US HZ`, `reset US 0`, `opened US` … as the program's source lists them.
    """

    def __init__(self, program: Path, images: Sequence[Path], port: Path, told: Callable[[str], None]) -> None:
        """images: the firmware, and perhaps a bootloader. Raises OSError where the program can't run."""
        self.port = port
        self._told = told
        self._process = subprocess.Popen(
            [program, "live", port, *images], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="emulated-chip", daemon=True)
        self._thread.start()
        if not self._ready.wait(timeout=20):
            self.close()
            raise OSError("the emulated chip does not start")

    def tell(self, command: str) -> None:
        """A command, as `press A 40`."""
        pipe = self._pipe(self._process.stdin)
        pipe.write(command + "\n")
        pipe.flush()

    def close(self) -> None:
        """Switch it off."""
        with suppress(OSError, ValueError):
            self.tell("quit")
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._thread.join(timeout=5)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _listen(self) -> None:
        for line in self._pipe(self._process.stdout):
            if line.startswith("ready "):
                self._ready.set()
            else:
                self._told(line.strip())

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe

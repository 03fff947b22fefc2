"""The pictures of throws, kept beside the journal while there is room: the oldest go first, no game needs one."""

from __future__ import annotations

import re
import threading
from pathlib import Path

from device.errors import Fault
from device.files import TEMPORARY, write_whole

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", re.ASCII)
BUDGET = 500_000_000  # bytes: some thousands of throws
SUFFIX = ".jpg"


class Stills:
    """Pictures by name (letters, digits, `-`, `_`), at most `budget` bytes in all, the newest always kept.

    suffix: of the files: JPEG stills, or WebP films of a throw.
    """

    def __init__(self, folder: Path, budget: int = BUDGET, suffix: str = SUFFIX) -> None:
        """Take up the pictures that lie in `folder`, which is made; raises Fault where it can't be."""
        self._folder = folder
        self._budget = budget
        self._suffix = suffix
        self._guard = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for half in folder.glob(f"*{TEMPORARY}"):
                half.unlink()
            found = [(file.stat(), file) for file in folder.glob(f"*{suffix}") if NAME.fullmatch(file.stem)]
        except OSError as fault:
            raise _unwritable(folder, fault) from fault
        # the order of writing as far as the disk knows it; pictures of this run follow in the order they come
        found.sort(key=lambda entry: (entry[0].st_mtime_ns, entry[1].name))
        self._sizes = {file.stem: stat.st_size for stat, file in found}

    def put(self, name: str, jpeg: bytes) -> None:
        """Keep a picture, in place of one of that name; raises Fault if it is not kept, ValueError for a bad name."""
        path = self._path(name)
        with self._guard:
            try:
                write_whole(path, jpeg)
                self._sizes.pop(name, None)
                self._sizes[name] = len(jpeg)
                self._make_room()
            except OSError as fault:
                raise _unwritable(self._folder, fault) from fault

    def get(self, name: str) -> bytes | None:
        """The picture of that name, None where there is none (never kept, gone for room, or no name at all)."""
        try:
            return self._path(name).read_bytes()
        except (OSError, ValueError):
            return None

    def names(self) -> frozenset[str]:
        """The names of all pictures that are kept."""
        with self._guard:
            return frozenset(self._sizes)

    def _path(self, name: str) -> Path:
        if not NAME.fullmatch(name):
            raise ValueError(f"a picture can't be called {name!r}")
        return self._folder / (name + self._suffix)

    def _make_room(self) -> None:
        total = sum(self._sizes.values())
        for name in list(self._sizes)[:-1]:
            if total <= self._budget:
                return
            self._path(name).unlink(missing_ok=True)
            total -= self._sizes.pop(name)


class Passing:
    """Pictures in memory alone, the last few: for a table that keeps nothing but must show what it asks about."""

    MOST = 8

    def __init__(self) -> None:
        self._held: dict[str, bytes] = {}

    def put(self, name: str, jpeg: bytes) -> None:
        """Hold a picture until some others have come."""
        self._held[name] = jpeg
        for oldest in list(self._held)[: -self.MOST]:
            self._held.pop(oldest, None)

    def get(self, name: str) -> bytes | None:
        """The picture of that name, None where there is none."""
        return self._held.get(name)


def _unwritable(folder: Path, fault: OSError) -> Fault:
    return Fault(
        "stills_unwritable",
        f"can't keep pictures in {folder} ({fault.strerror}): make room there, or give it to this user",
        f"不能把照片存进 {folder}（{fault.strerror}）：请腾出空间或改权限",
    )

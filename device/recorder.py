"""A recording of a table with its truth: the camera's frames as a video, and what people confirmed the throws to be."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any, Protocol

import cv2

from device.errors import Fault
from device.files import write_whole
from device.shots import Shot
from device.stream import Subscription

FPS = 30.0
VIDEO, TRUTH = "recording.avi", "recording.json"
MOST_FRAMES = 18_000
"""Ten minutes: about a gigabyte, as large as a plain AVI should grow."""


class Recorded(Protocol):
    """What a recorder asks of the table."""

    def subscribe(self, after: int | None) -> Subscription:
        """What happens from now on."""
        ...

    def state(self) -> dict[str, Any]:
        """The whole state as docs/state.md describes it."""
        ...

    def games(self) -> list[dict[str, Any]]:
        """Every game of the journal, each with all its throws."""
        ...


class Recorder:
    """Writes frames as they come and notes at which frame each throw was told of; `close` writes the truth beside them."""

    def __init__(self, folder: Path, most: int = MOST_FRAMES) -> None:
        """Take a folder, which is made; raises Fault where it can't be, or where a recording lies there already."""
        self._folder = folder
        self._most = most
        self._writer: cv2.VideoWriter | None = None
        self._size = (0, 0)
        self._times: list[float] = []
        self._told: dict[int, int] = {}
        self._guard = threading.Lock()
        self._table: Recorded | None = None
        self._news: Subscription | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise _unwritable(folder, fault) from fault
        if (folder / VIDEO).exists():
            raise Fault("recorded", f"{folder} holds a recording already: name another folder", f"{folder} 里已有录像：请换一个文件夹")

    def see(self, shot: Shot) -> None:
        """One frame of the camera; a changed size or a full recording ends it."""
        height, width = shot.frame.shape[:2]
        with self._guard:
            if self._writer is None:
                self._writer = cv2.VideoWriter(
                    str(self._folder / VIDEO), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (width, height)
                )
                self._size = (width, height)
            if (width, height) == self._size and len(self._times) < self._most:
                self._writer.write(shot.frame)
                self._times.append(round(shot.t, 3))

    def follow(self, table: Recorded) -> None:
        """The table whose throws are the truth."""
        self._table = table
        self._news = news = table.subscribe(None)
        threading.Thread(target=self._listen, args=(news,), name="recorder", daemon=True).start()

    def _listen(self, news: Subscription) -> None:
        while not news.closed:
            message = news.get(1.0)
            if message is not None and message.event == "stored":
                self.note()

    def note(self) -> None:
        """Note the frame at which a throw is first known of, asked about or credited."""
        if self._table is None:
            return
        state = self._table.state()
        with self._guard:
            for throw in state["history"]:
                self._told.setdefault(throw["number"], len(self._times))
            if state["question"] is not None and state["question"]["about"] is None:
                self._told.setdefault(state["throws"] + 1, len(self._times))

    def close(self) -> int:
        """End the recording and write its truth; returns the number of throws. Raises Fault."""
        self.note()
        if self._news is not None:
            self._news.close()
        with self._guard:
            if self._writer is not None:
                self._writer.release()
            throws = [] if self._table is None else truth(self._table.games(), self._told)
            text = {"video": VIDEO, "fps": FPS, "size": list(self._size), "frames": len(self._times), "throws": throws}
            try:
                write_whole(self._folder / TRUTH, json.dumps({**text, "times": self._times}, ensure_ascii=False).encode())
            except OSError as fault:
                raise _unwritable(self._folder, fault) from fault
        return len(throws)


def truth(games: list[dict[str, Any]], told: dict[int, int]) -> list[dict[str, Any]]:
    """The throws of the last game that were made while it was recorded, as people left them; values None for a jump."""
    throws = reversed(games[-1]["history"]) if games else ()
    return [
        {
            "frame": told[throw["number"]],
            "values": None if throw["dice"] is None else sorted(throw["dice"]),
            "jump": bool(throw["jump"]),
            "corrected": bool(throw["corrected"]),
        }
        for throw in throws
        if throw["number"] in told
    ]


def _unwritable(folder: Path, fault: OSError) -> Fault:
    return Fault("unwritable", f"{folder}: can't be written ({fault.strerror}): name another folder", f"写不了 {folder}")

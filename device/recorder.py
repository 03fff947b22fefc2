"""A recording of a table with its truth: the camera's frames as a video, and what people confirmed the throws to be."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import cv2

from device.errors import Fault
from device.files import write_whole
from device.recorded import TRUTH as TRUTH
from device.recorded import USUAL_FPS, rate, set_rate
from device.recorded import VIDEO as VIDEO
from device.shots import Shot
from device.stream import Subscription

MOST_S = 600.0
"""Of a usual camera about a gigabyte, as large as a plain AVI should grow."""


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

    def __init__(self, folder: Path, most: float = MOST_S) -> None:
        """Take a folder, which is made; raises Fault where it can't be, or where a recording lies there already. most: seconds."""
        self._folder = folder
        self._most = most
        self._writer: cv2.VideoWriter | None = None
        self._size = (0, 0)
        self._times: list[float] = []
        self._later = 0.0
        self._ended = False
        self._game = 0.0
        self._earlier = 0
        self._told: dict[int, int] = {}
        self._guard = threading.Lock()
        self._table: Recorded | None = None
        self._news: Subscription | None = None
        self._made = [one for one in (folder, *folder.parents) if not one.exists()]
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
            if self._ended:
                return
            if self._writer is None:
                self._writer = cv2.VideoWriter(
                    str(self._folder / VIDEO), cv2.VideoWriter.fourcc(*"MJPG"), USUAL_FPS, (width, height)
                )
                self._size = (width, height)
            if self._times:  # a source that begins anew goes on from here
                self._later = max(self._later, self._times[-1] - shot.t)
            t = shot.t + self._later
            self._ended = (width, height) != self._size or (bool(self._times) and t - self._times[0] >= self._most)
            if not self._ended:
                self._writer.write(shot.frame)
                self._times.append(round(t, 6))

    @property
    def ended(self) -> bool:
        """Whether it ended before the table did: it is full, or the pictures changed their size."""
        return self._ended

    def follow(self, table: Recorded) -> None:
        """The table whose throws from now on are the truth."""
        self._table = table
        state = table.state()
        self._game, self._earlier = state["started"], _newest(state)
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
            if self._ended:
                return  # what comes now is in no picture
            if state["started"] != self._game:
                self._game, self._earlier, self._told = state["started"], 0, {}
            self._earlier = min(self._earlier, _newest(state))
            for throw in state["history"]:
                if throw["number"] > self._earlier:
                    self._told.setdefault(throw["number"], len(self._times))
            if state["question"] is not None and state["question"]["about"] is None:
                self._told.setdefault(state["throws"] + 1, len(self._times))

    def close(self) -> int | None:
        """End the recording and write its truth; the number of throws, None where no picture came and nothing is kept. Raises Fault."""
        self.note()
        if self._news is not None:
            self._news.close()
        with self._guard:
            if self._writer is None:
                return None
            self._writer.release()
            fps = rate(self._times)
            with suppress(OSError):  # the truth tells the times all the same
                set_rate(self._folder / VIDEO, fps)
            throws = [] if self._table is None else truth(self._table.games(), self._told)
            text = {"video": VIDEO, "fps": round(fps, 3), "size": list(self._size), "frames": len(self._times), "throws": throws}
            try:
                write_whole(self._folder / TRUTH, json.dumps({**text, "times": self._times}, ensure_ascii=False).encode())
            except OSError as fault:
                raise _unwritable(self._folder, fault) from fault
        return len(throws)

    def tidy(self) -> None:
        """Take the folders away that were made for a recording that never came."""
        for made in self._made:
            with suppress(OSError):  # it holds something
                made.rmdir()


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


def _newest(state: dict[str, Any]) -> int:
    return max((throw["number"] for throw in state["history"]), default=0)


def _unwritable(folder: Path, fault: OSError) -> Fault:
    return Fault("unwritable", f"{folder}: can't be written ({fault.strerror}): name another folder", f"写不了 {folder}")

"""What happened at a table: for the log each stored event by its kind and each notice when it comes and goes; for the console each fault once."""

from __future__ import annotations

from collections.abc import Callable

from device.following import Followed, Following
from device.log import Log
from device.stream import Message

QUIET = ("none", "linked", "searching", "dark", "exposure", "glare", "sharpness", "covered", "recording_ended")
"""What is no fault, or is mended before the camera and not at the console."""


class Chronicle:
    """Follows one table from `open` to `close`; names of players are not written."""

    def __init__(self, table: Followed, log: Log, say: Callable[[str], None] = lambda _: None) -> None:
        """say: told each kind of fault of camera, reader, journal and box when it first comes."""
        self._table = table
        self._log = log
        self._say = say
        self._said = set(QUIET)
        self._notice = ""
        self._following = Following(table, "chronicle", self._told)

    def open(self) -> Chronicle:
        """Begin to follow."""
        self._look()
        self._following.open()
        return self

    def close(self) -> None:
        """Stop following."""
        self._following.close()

    def _look(self) -> None:
        state = self._table.state()
        notice, box = state.get("notice"), state.get("box")
        if box is not None:
            self._once(str(box["state"]), str(box["en"]))
        key = "" if notice is None else str(notice["key"])
        if notice is not None:
            self._once(key, str(notice["en"]))
        if key != self._notice:
            self._notice = key
            self._log.write("notice", key=key, words="" if notice is None else notice["en"])

    def _once(self, key: str, words: str) -> None:
        if key not in self._said and words:
            self._said.add(key)
            self._say(words)

    def _told(self, message: Message | None) -> None:
        if message is not None and message.event == "stored":
            self._log.write("stored", seq=message.seq, kind=message.data["type"])
        self._look()

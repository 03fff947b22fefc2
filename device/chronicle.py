"""What happened at a table, for the log: each stored event by its kind, each notice when it comes and goes."""

from __future__ import annotations

from device.following import Followed, Following
from device.log import Log
from device.stream import Message


class Chronicle:
    """Follows one table from `open` to `close`; names of players are not written."""

    def __init__(self, table: Followed, log: Log) -> None:
        self._table = table
        self._log = log
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
        notice = self._table.state().get("notice")
        key = "" if notice is None else str(notice["key"])
        if key != self._notice:
            self._notice = key
            self._log.write("notice", key=key, words="" if notice is None else notice["en"])

    def _told(self, message: Message | None) -> None:
        if message is not None and message.event == "stored":
            self._log.write("stored", seq=message.seq, kind=message.data["type"])
        self._look()

"""What happened at a table, for the log: each stored event by its kind, each notice when it comes and goes."""

from __future__ import annotations

import threading

from device.copies import POLL_S, Followed
from device.log import Log


class Chronicle:
    """Follows one table on a thread of its own from `open` to `close`; names of players are not written."""

    def __init__(self, table: Followed, log: Log) -> None:
        self._table = table
        self._log = log
        self._notice = ""
        self._stop = threading.Event()
        self._news = table.subscribe(None)
        self._thread = threading.Thread(target=self._run, name="chronicle", daemon=True)

    def open(self) -> Chronicle:
        """Begin to follow."""
        self._look()
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop following."""
        self._stop.set()
        self._news.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)

    def _look(self) -> None:
        notice = self._table.state().get("notice")
        key = "" if notice is None else str(notice["key"])
        if key != self._notice:
            self._notice = key
            self._log.write("notice", key=key, words="" if notice is None else notice["en"])

    def _run(self) -> None:
        while not self._stop.is_set():
            message = self._news.get(POLL_S)
            if message is not None:
                if message.event == "stored":
                    self._log.write("stored", seq=message.seq, kind=message.data["type"])
                self._look()
            elif self._news.closed and not self._stop.is_set():
                self._news = self._table.subscribe(None)  # it was too slow and let go
                self._look()

"""A journal that goes on in memory while the disk refuses, says how much is not stored, and catches up."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from device.errors import Fault
from device.journal import Journal, Record
from device.view import Notice

Item = tuple[str, Mapping[str, object]]


class PatientJournal:
    """Wraps the journal of one table, with the same manners; one thread appends, any may read.

    What holds: a record has the same number, type and data in memory as it will have on the disk; the disk takes the
    records in the order in which they were given; nothing is on the disk twice.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waiting: list[tuple[list[Item], float, list[Record]]] = []
        self.fault: Fault | None = None

    @property
    def last_seq(self) -> int:
        """The number of the last record, stored or not."""
        return self._waiting[-1][2][-1].seq if self._waiting else self._journal.last_seq

    @property
    def stored_seq(self) -> int:
        """The number of the last record that is on the disk."""
        return self._journal.last_seq

    @property
    def unsaved(self) -> int:
        """How many records are in memory only."""
        return self.last_seq - self._journal.last_seq

    def append(self, items: Sequence[Item], wall: float) -> list[Record]:
        """Store a batch, or hold it in memory while the disk refuses, for whatever reason (`fault` says it)."""
        batch = list(items)
        if not batch:
            return []
        if not self._waiting:
            try:
                return self._journal.append(batch, wall)
            except Fault as fault:
                self.fault = fault
        texts = [json.dumps(data, allow_nan=False) for _, data in batch]
        first = self.last_seq + 1
        records = [Record(first + n, batch[n][0], json.loads(text), float(wall)) for n, text in enumerate(texts)]
        self._waiting.append((batch, wall, records))
        return records

    def catch_up(self, anywhere: bool = False) -> list[Record]:
        """Try to store what waits, oldest first; returns what the disk has taken now. anywhere: as `Journal.append`."""
        taken: list[Record] = []
        while self._waiting:
            batch, wall, _ = self._waiting[0]
            try:
                taken += self._journal.append(batch, wall, anywhere)
            except Fault as fault:
                self.fault = fault
                return taken
            del self._waiting[0]
        self.fault = None
        return taken

    def since(self, seq: int) -> Iterator[Record]:
        """The records after number `seq`, in order, stored or not."""
        waiting = [record for _, _, records in list(self._waiting) for record in records]
        for record in chain(self._journal.since(seq), waiting):
            if record.seq > seq:  # what was caught up while we read stands in both
                yield record
                seq = record.seq

    def notice(self) -> Notice | None:
        """What people must know while something is not stored; None where all is."""
        if not self.unsaved or self.fault is None:
            return None
        last = "the last record is" if self.unsaved == 1 else f"the last {self.unsaved} records are"
        return Notice(
            "unsaved",
            f"没有存盘！最近 {self.unsaved} 条只在内存里，断电就会丢失。{self.fault.zh}",
            f"NOT SAVED: {last} in memory only, lost if the power goes; {self.fault.en}",
        )

    def close(self) -> None:
        """Try once more to store what waits, wherever the file lies by now, then close."""
        self.catch_up(anywhere=True)
        self._journal.close()

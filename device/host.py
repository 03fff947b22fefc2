"""What the pages talk to: the table, or the demo until somebody starts a real game."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from device.desk_to_come import DeskToCome
from device.log import Log
from device.pairing import Pairing, Role
from device.stream import Subscription
from device.table import Table


class Host:
    """Passes everything on to one table. A demo that nobody asked for gives way to the real table at the first `start`."""

    def __init__(
        self,
        real: Callable[[], Table],
        table: Table,
        gives_way: bool,
        keep: Callable[[str], None] | None = None,
        desk: DeskToCome | None = None,
        pairing: Pairing | None = None,
        log: Log | None = None,
        diagnose: Callable[[bool], bytes] | None = None,
    ) -> None:
        """keep(language): writes the table's language where the next evening finds it. desk: of the camera, where there is one."""
        self.desk = desk
        self.log = Log(None, lambda: 0.0) if log is None else log
        self.pairing = pairing
        self._diagnose = diagnose
        self._chord = False
        if pairing is not None:
            pairing.listen(lambda number: self._table.show_pairing(number))
            pairing.note = self.log.write
        self._real = real
        self._opened: Table | None = None  # the real table before its first game: a start that is refused leaves the demo on the screen
        self._keep = keep
        self._table = table
        self._gives_way = gives_way
        self._guard = threading.Lock()
        self._press: Callable[[str, bool | None, int], None] | None = None

    def state(self) -> dict[str, Any]:
        """The whole state as docs/state.md describes it."""
        return self._table.state()

    def command(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do one command and return the new state; raises Refused, Stale or Fault, and then nothing was changed."""
        if self._gives_way and body.get("command") == "start":
            return self._begun(body)
        state = self._table.command(body)
        if body.get("command") == "tv" and "language" in body and self._keep is not None and not self._gives_way:
            self._keep(state["language"])
        return state

    def subscribe(self, after: int | None) -> Subscription:
        """Follow what happens; with `after`, the stored events of a higher sequence come first."""
        return self._table.subscribe(after)

    def usual_rules(self) -> dict[str, Any]:
        """The rules of a game that is begun without naming any."""
        return self._table.usual_rules()

    def still(self, name: str) -> bytes | None:
        """The JPEG of that name, or None where there is no such picture."""
        return self._table.still(name)

    def games(self) -> list[dict[str, Any]]:
        """Every game of the journal, each with all its throws."""
        return self._table.games()

    def listen(self, press: Callable[[str, bool | None, int], None]) -> None:
        """Where keys of the board's page go."""
        self._press = press

    def press(self, button: str, down: bool | None, age: int) -> None:
        """A key in the board's page, `age` ms ago; down None: the page has lost sight of its keys."""
        if self._press is not None:
            self._press(button, down, age)

    def show_box(self, box: Mapping[str, Any] | None) -> None:
        """What the pages see of the button box; A and B held together ask for a code that lets a phone in."""
        self._table.show_box(box)
        before, self._chord = self._chord, bool(box and box["pairing"])
        if self._chord and not before and self.pairing is not None:
            self.pairing.offer(Role.OPERATOR)

    def report(self, part: str, fault: str) -> None:
        """Health of a part that belongs to no single table, as the box."""
        self._table.report(part, fault)

    def health(self) -> dict[str, str]:
        """Camera, reader, journal and box: each "ok" or the fault in words."""
        return self._table.health()

    def diagnostics(self, pictures: bool) -> bytes:
        """What helps somebody far away to find a fault, as a ZIP; with the last stills where their owner agreed."""
        return b"" if self._diagnose is None else self._diagnose(pictures)

    def close(self) -> None:
        """Let the pages go; the tables are closed by whoever opened them."""
        self._table.release()

    def _begun(self, body: Mapping[str, Any]) -> dict[str, Any]:
        with self._guard:
            if not self._gives_way:
                return self._table.command(body)
            if self._opened is None:
                self._opened = self._real()
            demo, real = self._table, self._opened
            shown = demo.state()
            if shown["language"] != real.state()["language"]:  # chosen while the demo was on the screen
                real.command({"command": "tv", "version": real.state()["version"], "language": shown["language"]})
                if self._keep is not None:
                    self._keep(shown["language"])
            state = real.command({**body, "version": real.state()["version"]})
            self._table, self._gives_way = real, False
        demo.release()
        return state

"""The Table as the pages need it: a state to show, commands to give, a stream to follow, pictures and health to ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from device.stream import Subscription


class TableLike(Protocol):
    """What `web_ui` asks of the Table; `device` has the real one, the tests a scripted one."""

    def state(self) -> dict[str, Any]:
        """The whole state as docs/state.md describes it."""
        ...

    def usual_rules(self) -> dict[str, Any]:
        """The rules of a game that is begun without naming any: `preset` and `switches`, as in the state."""
        ...

    def command(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do one command and return the new state; raises device.errors.Refused, Stale or Fault."""
        ...

    def subscribe(self, after: int | None) -> Subscription:
        """Follow what happens; with `after`, stored messages of a higher sequence come first."""
        ...

    def still(self, name: str) -> bytes | None:
        """The JPEG of that name (without ".jpg"), or None where there is no such picture."""
        ...

    def games(self) -> list[dict[str, Any]]:
        """Every game of the journal, each as a state with all its throws, `number`, `began` and `ended` (unix seconds)."""
        ...

    def health(self) -> dict[str, str]:
        """Camera, reader, journal and box: each "ok" or the fault in words."""
        ...

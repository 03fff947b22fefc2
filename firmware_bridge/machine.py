"""The host's side as a whole: search a box, greet it, stay linked, say what is wrong. No I/O; time is an argument.

    search ─next port─→ hello ─HELLO N, R─→ linked ─gone, 2.5 s of silence─→ search
                          └─another protocol─→ refused ─10 s, or plugged anew─→ search
"""

from __future__ import annotations

import errno
import math
from collections.abc import Sequence

from firmware_bridge import words
from firmware_bridge.codec import Hello
from firmware_bridge.commands import Command
from firmware_bridge.ports import Port, Search
from firmware_bridge.talk import Done, Linked, News, Talk, TalkState
from firmware_bridge.words import Words

REFUSED_S = 10.0
"""A box with another protocol is asked again after this, in case it was flashed meanwhile."""
BUSY_S = 0.5
BUSY_TOLD_S = 3.0
RETRY_S = 1.0
SILENT_S = 60.0
LOST_S = 60.0
"""How long a box that is gone is spoken of."""
BRIEF_S = 3.0
"""A port that lived shorter was taken away by a program, not by a hand."""
NOBODY = "FFFF"


class Machine:
    """One table's box. Its driver lists ports while `port` is None, else reads and writes that port and calls `tick`.

    box_id: the only box that this table takes, four hex digits; "": any.
    """

    def __init__(self, session: str, search: Search, box_id: str = "") -> None:
        self.talk = Talk(session)
        self.search = search
        self.port: Port | None = None
        self.state = "search"
        self.words: Words = words.SEARCHING
        self._box_id = box_id
        self._busy_since: float | None = None
        self._busy_device = ""
        self._appeared: dict[str, float] = {}
        self._news: list[News] = []
        self._closing = False
        self._now = self._told_at = -math.inf  # of the last call, and of the words

    @property
    def must_close(self) -> bool:
        """Whether the driver should close the port and then call `closed`."""
        return self._closing

    @property
    def hello(self) -> Hello | None:
        """What the linked box said of itself."""
        return self.talk.hello if self.state == "linked" else None

    def look(self, ports: Sequence[Port], now: float) -> Port | None:
        """The ports that are there; returns the one to open, exclusively."""
        self._now = now
        self._watch_for_thieves(ports, now)
        wanted = self.search.wanted
        there = any(not self.search.why_not(port) for port in ports)
        stale = now - self._told_at > LOST_S
        if not there and (stale or self.words.key not in ("lost", "brltty")):
            self._tell("search", words.SEARCHING if wanted is None else words.missing(wanted))
        elif there and self.words.key == "missing":
            self._tell("search", words.SEARCHING)
        return self.search.next(ports, now)

    def opened(self, port: Port, now: float) -> None:
        """The port is open."""
        self.port = port
        self._closing = False
        self._busy_since = None
        self.state = "hello"
        self.talk.begin(now)

    def open_failed(self, port: Port, number: int, reason: str, group: str, now: float) -> None:
        """The port could not be opened. number: errno, 0 where unknown; reason: the system's words; group: who may open it."""
        if number in words.BUSY:
            if self._busy_since is None or self._busy_device != port.device:
                self._busy_since, self._busy_device = now, port.device
            if now - self._busy_since >= BUSY_TOLD_S:
                self._tell("search", words.busy(port.device))
            self.search.bar(port, now + BUSY_S)
            return
        self._busy_since = None
        if number in words.PERMISSION:
            self._tell("search", words.permission(port.device, group))
        elif number not in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
            self._tell("search", words.unopened(port.device, reason))
        self.search.bar(port, now + RETRY_S)

    def received(self, data: bytes, now: float) -> None:
        """Bytes came from the port."""
        self.talk.received(data, now)
        self._follow(now)

    def tick(self, now: float) -> None:
        """Time has passed."""
        self._now = now
        self.talk.tick(now)
        self._follow(now)

    def command(self, command: Command, now: float) -> None:
        """Have a command done."""
        self.talk.command(command, now)

    def closed(self) -> None:
        """The port is closed, or the cable is gone."""
        was = self.state
        self.talk.end()
        if was == "linked" and self.port is not None:
            self._tell("search", words.lost(self.port.device))
        elif was != "refused":
            self.state = "search"
        self.port = None
        self._closing = False
        news = self.talk.take_news()
        self._news += [one for one in news if was != "refused" or isinstance(one, Done)]

    def take_news(self) -> list[News]:
        """What has happened since this was asked last."""
        news, self._news = self._news + self.talk.take_news(), []
        return news

    def _tell(self, state: str, told: Words) -> None:
        self.state, self.words, self._told_at = state, told, self._now

    def _follow(self, now: float) -> None:
        """Bring the whole to where the talk is."""
        port = self.port
        if port is None or self._closing:
            return
        for news in self.talk.take_news():
            if isinstance(news, Linked):
                hello = news.hello
                if self._box_id and hello.id != self._box_id:
                    self._refuse(port, words.other_box(port.device, _called(hello), self._box_id), now + REFUSED_S)
                    return
                self.search.remembered = port.name
                self._tell("linked", Words("linked", f"box {_called(hello)} at {port.device}, firmware {hello.firmware}",
                                           f"按钮盒 {_called(hello)}（{port.device}，固件 {hello.firmware}）"))
            self._news.append(news)
        match self.talk.state:
            case TalkState.HELLO:
                self.state = "hello"
            case TalkState.FAILED if self.talk.failure == "version" and self.talk.hello is not None:
                hello = self.talk.hello
                self._refuse(port, words.version(port.device, hello.protocol, hello.firmware), now + REFUSED_S)
            case TalkState.FAILED if self.talk.failure == "lost":
                self._closing = True
                self.search.bar(port, now + BUSY_S)
            case TalkState.FAILED:
                self._not_ours(port, self.talk.failure, now)

    def _refuse(self, port: Port, told: Words, until: float) -> None:
        self._tell("refused", told)
        self.search.bar(port, until)
        self._closing = True

    def _not_ours(self, port: Port, why: str, now: float) -> None:
        """A stranger's device is not asked twice; one that a person named, or that was a box before, is."""
        named = self.search.wanted is not None or port.name == self.search.remembered
        self._tell("search", words.no_box(port.device, why) if named else words.SEARCHING)
        patience = RETRY_S if named else SILENT_S if why == "silent" else math.inf
        self.search.bar(port, now + patience)
        self._closing = True

    def _watch_for_thieves(self, ports: Sequence[Port], now: float) -> None:
        here = {port.device: port for port in ports}
        for device, since in list(self._appeared.items()):
            if device not in here:
                if 0 < now - since < BRIEF_S and self.words.key != "lost":
                    self._tell("search", words.vanished(device, now - since))
                del self._appeared[device]
        for device, port in here.items():
            if not self.search.why_not(port):
                self._appeared.setdefault(device, now)


def _called(hello: Hello) -> str:
    return hello.name if hello.id == NOBODY else f"{hello.name} {hello.id}"

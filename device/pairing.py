"""Who may do what: phones are paired by a short-lived code that is shown only when somebody at the table asks for it.

What holds here, and is tested:
- a code is good for two minutes, once, and for twenty wrong tries of all addresses together;
- a token is 256 random bits; the file holds its hash, so that whoever reads the file can't use it;
- a session that was revoked, or not seen for thirty days, is nobody.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from enum import IntEnum
from pathlib import Path
from typing import Any

from device.errors import Fault, Refused
from device.files import write_whole
from device.hostile import plain
from device.lockout import Lockout

FILE_NAME = "pairing.json"  # in the data folder of a table
CODE_S = 120.0
MOST_WRONG = 20
MOST_SESSIONS = 50
UNSEEN_S = 30 * 24 * 3600.0
NOTED_EVERY_S = 3600.0
"""How exactly it is written down when a session was last seen."""
DIGITS = 6
TOKEN = re.compile(r"[0-9a-f]{64}", re.ASCII)


class Role(IntEnum):
    """What somebody may do; a higher one may all that a lower one may."""

    VIEWER = 0
    OPERATOR = 1
    ADMIN = 2


class Locked(Refused):
    """Too many wrong tries; seconds: how long to wait."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds))
        super().__init__(
            "locked", f"too many wrong codes: try again in {self.seconds} s", f"输错太多次：请 {self.seconds} 秒后再试"
        )


@dataclass(frozen=True, slots=True)
class Session:
    """A paired phone. hash: SHA-256 of its token; made, seen: unix seconds."""

    id: str
    name: str
    role: Role
    hash: str
    made: float
    seen: float

    def as_json(self) -> dict[str, Any]:
        """As pages see it; without the hash."""
        return {"id": self.id, "name": self.name, "role": self.role.name.lower(), "made": self.made, "seen": self.seen}


@dataclass(frozen=True, slots=True)
class Offer:
    """A code on show. until: monotonic seconds."""

    code: str
    role: Role
    until: float


class Pairing:
    """The paired phones of one table; any method from any thread.

    file: where they are kept, None for a table that keeps nothing. clock: monotonic seconds; wall: unix seconds;
    random(n): n bytes that nobody can foresee.
    """

    def __init__(
        self, file: Path | None, clock: Callable[[], float], wall: Callable[[], float], random: Callable[[int], bytes]
    ) -> None:
        """Take up what the file holds; raises Fault where it can't be read or is damaged: then nobody is let in by it."""
        self._file = file
        self._clock, self._wall, self._random = clock, wall, random
        self._guard = threading.Lock()
        self._offer: Offer | None = None
        self._wrong = 0
        self._offers = 0
        self._told: Callable[[int], None] = lambda _: None
        self.note: Callable[..., None] = lambda *_, **__: None  # for the log: what happened, with fields
        self._lockout = Lockout()
        self._secret, self._sessions = _load(file) if file is not None else (b"", {})
        if not self._secret:
            self._secret = random(32)
            self._save()
        self.console = random(32).hex()

    def listen(self, told: Callable[[int], None]) -> None:
        """told(n): the n-th code is on show."""
        self._told = told

    def offer(self, role: Role) -> Offer:
        """A fresh code for a phone of that role; an older one is void from now on."""
        number = int.from_bytes(self._random(16), "big") % 10**DIGITS
        with self._guard:
            offer = self._offer = Offer(f"{number:0{DIGITS}d}", role, self._clock() + CODE_S)
            self._wrong = 0
            self._offers += 1
            offers = self._offers
        self._told(offers)
        return offer

    def withdraw(self) -> None:
        """Take the code away."""
        with self._guard:
            self._offer = None

    def offered(self) -> tuple[Offer, float] | None:
        """The code on show and for how many seconds it is still good."""
        with self._guard:
            left = 0.0 if self._offer is None else self._offer.until - self._clock()
            return (self._offer, left) if self._offer is not None and left > 0 else None

    def pair(self, code: str, address: str, name: str) -> tuple[str, Session]:
        """A token for whoever knows the code; raises Locked after wrong tries from this address, Refused for a wrong code."""
        now = self._clock()
        with self._guard:
            waits = self._lockout.waits(address, now)
            if waits > 0:
                raise Locked(waits)
            offer = self._offer if self._offer is not None and self._offer.until > now else None
            expected = "" if offer is None else offer.code
            typed = re.sub(r"[\s-]", "", code)[:64].encode()
            if not hmac.compare_digest(typed, expected.encode()) or offer is None:
                self._lockout.wrong(address, now)
                # noted once for each try that counts: who asks on while locked out must not fill the log
                self.note("pair_wrong", address=address, locked=round(self._lockout.waits(address, now)))
                self._wrong += 1
                if self._wrong >= MOST_WRONG:
                    self._offer = None
                raise Refused(
                    "wrong_code",
                    "that code is not good: ask at the table for a new one",
                    "配对码不对或已过期：请在桌边再要一个",
                )
            self._lockout.right(address)
            token = self._random(32).hex()
            wall = self._wall()
            session = Session(self._random(4).hex(), plain(name, 24) or "?", offer.role, _hash(token), wall, wall)
            before = dict(self._sessions)
            self._forget_unseen(wall)
            self._sessions[session.id] = session
            for oldest in sorted(self._sessions.values(), key=lambda s: s.seen)[:-MOST_SESSIONS]:
                del self._sessions[oldest.id]
            try:
                self._save()
            except Fault:
                self._sessions = before  # whoever was told no is not let in, and may try the code again
                raise
            self._offer = None
            self.note("paired", address=address, id=session.id, role=session.role.name)
            return token, session

    def who(self, token: str | None) -> Session | None:
        """Whose token this is."""
        if token is None or not TOKEN.fullmatch(token):
            return None
        hashed = _hash(token)
        with self._guard:
            session = next((s for s in self._sessions.values() if hmac.compare_digest(s.hash, hashed)), None)
            wall = self._wall()
            if session is None or wall - session.seen > UNSEEN_S:
                return None
            # never backwards: a clock that has yet to be put right (1970) would leave a phone unseen for half a century
            if wall - session.seen > NOTED_EVERY_S:
                session = self._sessions[session.id] = replace(session, seen=wall)
                with suppress(Fault):  # when somebody was last seen is worth no refusal
                    self._save()
            return session

    def sessions(self) -> list[Session]:
        """All that are paired, the last seen first."""
        with self._guard:
            return sorted(self._sessions.values(), key=lambda s: -s.seen)

    def revoke(self, which: str) -> bool:
        """Let a session in no longer; False where there is none of that id. A code on show, which it may have read, is void."""
        with self._guard:
            found = self._sessions.pop(which, None)
            if found is not None:
                self._offer = None
                self._save()
                self.note("unpaired", id=which)
            return found is not None

    def word(self, who: str) -> str:
        """What a page of `who` (a session's id, or "console") carries and sends along with every change."""
        return hmac.new(self._secret, who.encode(), hashlib.sha256).hexdigest()

    def _forget_unseen(self, wall: float) -> None:
        for session in list(self._sessions.values()):
            if wall - session.seen > UNSEEN_S:
                del self._sessions[session.id]

    def _save(self) -> None:
        if self._file is None:
            return
        content = {"secret": self._secret.hex(), "sessions": [asdict(s) for s in self._sessions.values()]}
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, json.dumps(content, ensure_ascii=False).encode())  # for this user only (0600)
        except OSError as fault:
            raise Fault(
                "pairing_unwritable",
                f"can't write {self._file} ({fault.strerror}): make room there, or give it to this user",
                f"写不了 {self._file}（{fault.strerror}）：请腾出空间或改权限",
            ) from fault


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _load(file: Path) -> tuple[bytes, dict[str, Session]]:
    try:
        content = json.loads(file.read_bytes())
        sessions = [Session(**{**one, "role": Role(one["role"])}) for one in content["sessions"]]
        secret = bytes.fromhex(content["secret"])
        if len(secret) != 32 or not all(TOKEN.fullmatch(one.hash) for one in sessions):
            raise ValueError
        if not all(isinstance(one.id, str) and isinstance(one.name, str) and one.made >= 0 and one.seen >= 0 for one in sessions):
            raise ValueError
    except FileNotFoundError:
        return b"", {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as fault:
        raise Fault(
            "pairing_damaged",
            f"{file} can't be read: remove it, then pair the phones anew",
            f"{file} 无法读取：请删掉它，再重新配对",
        ) from fault
    return secret, {one.id: one for one in sessions}

"""How long somebody who guesses codes must wait: five tries are free, then a minute, and twice as long each time after."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from dataclasses import dataclass

FREE = 5
FIRST_S, MOST_S = 60.0, 3600.0
FORGOTTEN_S = 24 * 3600.0
ADDRESSES = 1000
"""So many addresses are remembered; the one that was quiet longest is forgotten first."""


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    locks: int = 0
    until: float = 0.0
    last: float = 0.0


class Lockout:
    """Wrong tries by address. Time is an argument: monotonic seconds."""

    def __init__(self) -> None:
        self._tries: OrderedDict[str, _Tries] = OrderedDict()

    def waits(self, address: str, now: float) -> float:
        """Seconds that this address must still wait before it may try; 0: it may."""
        tries = self._tries.get(network(address))
        return 0.0 if tries is None else max(0.0, tries.until - now)

    def wrong(self, address: str, now: float) -> None:
        """A wrong try; the fifth since the last lock begins the next."""
        key = network(address)
        tries = self._tries.setdefault(key, _Tries())
        self._tries.move_to_end(key)
        if now - tries.last > FORGOTTEN_S:
            tries.wrong = tries.locks = 0
        tries.wrong += 1
        tries.last = now
        if tries.wrong >= FREE:
            tries.until = now + min(MOST_S, FIRST_S * 2**tries.locks)
            tries.locks += 1
            tries.wrong = 0
        while len(self._tries) > ADDRESSES:
            self._tries.popitem(last=False)

    def right(self, address: str) -> None:
        """A right try: the past is forgiven."""
        self._tries.pop(network(address), None)


def network(address: str) -> str:
    """Who counts as one guesser: an IPv4 address, or the /64 of an IPv6 one, in which a single device has them all."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)

"""How many pages may follow at once: a fixed number of places, each given back when its answer is closed."""

from __future__ import annotations

import threading

from device.stream import Subscription
from web_ui.lane import Lane

PLACES = 200
WIRE = "bobing.wire"
"""Where the server puts the connection of a request among what the app is told of it."""


class Place:
    """One page's place; `free` gives it back, more than once does no harm."""

    def __init__(self, streams: Streams, subscription: Subscription) -> None:
        self._streams = streams
        self.subscription = subscription

    def free(self) -> None:
        """The page has gone."""
        self.subscription.close()
        self._streams.leave(self)


class Streams:
    """The pages that follow one table. After `close` nobody is let in any more, and all that are in are let go."""

    def __init__(self, places: int = PLACES) -> None:
        self.places = places
        self.lane = Lane()
        self._taken: set[Place] = set()
        self._guard = threading.Lock()
        self._closed = False

    @property
    def taken(self) -> int:
        """How many pages follow now."""
        return len(self._taken)

    def enter(self, subscription: Subscription) -> Place | None:
        """A place for this page; None, and the subscription closed, where all are taken."""
        place = Place(self, subscription)
        with self._guard:
            if not self._closed and len(self._taken) < self.places:
                self._taken.add(place)
                return place
        subscription.close()
        return None

    def leave(self, place: Place) -> None:
        """The place is free again."""
        with self._guard:
            self._taken.discard(place)

    def close(self) -> None:
        """Let every page go; each comes back by itself and finds what is served then."""
        with self._guard:
            self._closed = True
            going = list(self._taken)
        for place in going:
            place.free()
        self.lane.close()

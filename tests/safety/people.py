"""Who asks the table: the console, phones that are paired, and strangers; each with what its browser would send."""

from __future__ import annotations

import itertools
import re
from typing import Any

from flask.testing import FlaskClient

from device.pairing import Pairing, Role
from device.stream import Message, Subscription
from web_ui.app import TableApp, create_app

ADDRESS = "192.168.1.7"
LAN = f"http://{ADDRESS}"


class Clock:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Small:
    """The least of a table that pages can be made of."""

    def __init__(self) -> None:
        self.commands: list[Any] = []
        self.presses: list[Any] = []
        self.lines: list[Subscription] = []

    def state(self) -> dict[str, Any]:
        return dict(STATE, version=1)

    def usual_rules(self) -> dict[str, Any]:
        return {"preset": "xiamen", "switches": {}}

    def command(self, body: Any) -> dict[str, Any]:
        self.commands.append(body)
        return self.state()

    def subscribe(self, after: int | None) -> Subscription:
        missed = (Message("stored", {"seq": n}, n) for n in range((after or 0) + 1, 4))
        line = Subscription(self.lines.remove, missed)
        self.lines.append(line)
        return line

    def still(self, name: str) -> bytes | None:
        return b"\xff\xd8picture"

    def games(self) -> list[dict[str, Any]]:
        return [dict(STATE, number=1, began=0.0, ended=1.0)]

    def health(self) -> dict[str, str]:
        return {"camera": "ok"}

    def diagnostics(self, pictures: bool) -> bytes:
        return b"PK"


class Camera:
    """The least of a camera's desk."""

    def view(self) -> dict[str, Any]:
        return {"cameras": [], "calibration": None}

    def do(self, body: Any) -> dict[str, Any]:
        return self.view()

    def jpegs(self) -> Any:
        return Pictures()

    def film(self, name: str) -> bytes | None:
        return b"film"

    def tested(self) -> bytes | None:
        return b"\xff\xd8"


class Pictures:
    """A live picture that ends at once."""

    def __iter__(self) -> Any:
        return iter([b"\xff\xd8"])

    def close(self) -> None:
        pass


STATE: dict[str, Any] = {
    "demo": False, "language": "zh-CN", "confirm": "unsure", "phase": "lobby", "notice": None, "turn": None, "lap": 0, "rules": None,
    "tiers": [], "players": [], "champion": None, "champions": [], "throws": 0, "last": None, "history": [], "question": None,
    "waiting": 0, "first": "", "extra": False, "scramble": {}, "over": False, "ended_by": None, "can_undo": False, "can_redo": False,
    "odds": None, "tv": {"theme": "dark", "volume": 70, "mute": False, "voice": True, "scene": "auto"}, "box": None,
}  # fmt: skip


class House:
    """A table that the room can reach, and whoever asks it."""

    def __init__(self, viewers_see_pictures: bool = True, places: int = 200) -> None:
        self.clock = Clock()
        numbers = itertools.count(1)
        self.pairing = Pairing(None, self.clock, self.clock, lambda n: next(numbers).to_bytes(n, "big"))
        self.table = Small()
        self.app: TableApp = create_app(
            self.table, hosts=[ADDRESS], desk=Camera(), pairing=self.pairing,
            viewers_see_pictures=viewers_see_pictures, places=places,
        )

    def stranger(self, address: str = "192.168.1.50") -> Person:
        """Somebody on the network."""
        return Person(self, address)

    def paired(self, role: Role, address: str = "192.168.1.60") -> Person:
        """Somebody whose phone was paired for this role."""
        person = Person(self, address)
        assert person.post("/api/pair", {"code": self.pairing.offer(role).code, "name": role.name}).status_code == 200
        return person

    def console(self) -> Person:
        """The browser of the table's own machine."""
        return Person(self, "127.0.0.1", "http://localhost")


class Person:
    """A browser at an address of the network, with its cookies."""

    def __init__(self, house: House, address: str, origin: str = LAN) -> None:
        self.house, self.address, self.origin = house, address, origin
        self.client: FlaskClient = house.app.test_client()

    def _base(self, headers: dict[str, str] | None) -> dict[str, Any]:
        host = self.origin.removeprefix("http://")
        return {"headers": {"Host": host, **(headers or {})}, "environ_base": {"REMOTE_ADDR": self.address}}

    def get(self, path: str, **headers: str) -> Any:
        """A page, picture or piece of JSON."""
        return self.client.get(path, **self._base(headers))

    def word(self) -> str:
        """The word that this browser's pages carry."""
        page = self.get("/pair").get_data(as_text=True)
        found = re.search(r'name="bobing-token" content="([0-9a-f]+)"', page)
        assert found
        return found[1]

    def post(self, path: str, body: Any, **headers: str | None) -> Any:
        """A change as our own page asks for it; a header given as None is left out."""
        sent = {"Origin": self.origin, "X-Bobing-Token": self.word(), **{k.replace("_", "-"): v for k, v in headers.items()}}
        return self.client.post(path, json=body, **self._base({k: v for k, v in sent.items() if v is not None}))

    def ask(self, method: str, path: str) -> Any:
        """Any request with everything that our own page would send."""
        headers = {"Origin": self.origin, "X-Bobing-Token": self.word()}
        more: dict[str, Any] = {} if method == "GET" else {"json": {}}
        return self.client.open(path, method=method, **self._base(headers), **more)

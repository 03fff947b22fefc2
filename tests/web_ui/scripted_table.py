"""A scripted table: a small game that deals cakes, and the same seams as the real Table."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from device.errors import Refused, Stale
from device.stream import Message, Subscription
from rules.bobing.houserules import PRESETS

TIERS = ("zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu")
NAMES = {"zhuangyuan": "状元", "duitang": "对堂", "sanhong": "三红", "sijin": "四进", "erju": "二举", "yixiu": "一秀"}
STOCK = (1, 2, 4, 8, 16, 32)
STILLS = Path(__file__).parent / "stills"
PICTURES = {"duitang": "duitang", "sanhong": "sanhong", "sihong": "sihong", "jump": "jump"}
DICE = {
    "yixiu": [4, 1, 2, 3, 3, 6],
    "erju": [4, 4, 1, 2, 3, 6],
    "sijin": [1, 1, 1, 1, 4, 5],
    "sanhong": [4, 4, 4, 1, 6, 6],
    "duitang": [1, 2, 3, 4, 5, 6],
    "sihong": [4, 4, 4, 4, 2, 5],
    "wuzi": [2, 2, 2, 2, 2, 3],
    "chajinhua": [4, 4, 4, 4, 1, 1],
    "liubohei": [6, 6, 6, 6, 6, 6],
    "none": [1, 2, 3, 3, 5, 6],
}
WHY = {
    "yixiu": ("一个四：一秀", "one 4: 一秀"),
    "erju": ("两个四：二举", "two 4s: 二举"),
    "sijin": ("四个一，带一个四：四进带一秀", "four 1s and one 4: 四进 and one 一秀"),
    "sanhong": ("三个四：三红", "three 4s: 三红"),
    "duitang": ("一到六齐了：对堂", "one to six: 对堂"),
    "sihong": ("四个四，其余两颗共 7 点：状元带7", "four 4s, the other two make 7: 状元带7"),
    "wuzi": ("五个二，带三点：五子带3", "five 2s with a 3: 五子带3"),
    "chajinhua": ("四个四、两个一：状元插金花，另得对堂两个", "four 4s and two 1s: 插金花, and two 对堂"),
    "liubohei": ("六个六：六博黑，灭灯抢饼", "six 6s: 六博黑, lights out"),
    "none": ("没有四，也不成对", "no 4 and no hand"),
    "jump": ("跳猴：此掷作废，甲下一轮停掷", "跳猴, a die jumped out: void, and 甲 misses the next turn"),
}
TEXT = {
    "sijin": "四进带一秀",
    "sihong": "状元带7",
    "wuzi": "五子带3",
    "chajinhua": "状元插金花",
    "liubohei": "六博黑",
    "none": "罚黑",
}
CHAMPIONS = ("sihong", "wuzi", "chajinhua")


class FakeTable:
    """A table that follows a script: tests throw by kind, ask a question, or set any field of the state."""

    def __init__(self, names: list[str] | None = None) -> None:
        self.messages: list[Message] = []
        self.subscriptions: list[Subscription] = []
        self.commands: list[dict[str, Any]] = []
        self.refuse: Exception | None = None
        self._state = empty_state(names or [])

    # the seams of the real Table
    def state(self) -> dict[str, Any]:
        return copy.deepcopy(self._state)

    def usual_rules(self) -> dict[str, Any]:
        return {"preset": "xiamen", "switches": PRESETS["xiamen"].switches()}

    def command(self, body: Mapping[str, Any]) -> dict[str, Any]:
        if self.refuse is not None:
            raise self.refuse
        if body["version"] != self._state["version"]:
            raise Stale(self.state())
        self.commands.append(dict(body))
        self._obey(body)
        self.store(str(body["command"]))
        return self.state()

    def subscribe(self, after: int | None) -> Subscription:
        subscription = Subscription(self.subscriptions.remove)
        self.subscriptions.append(subscription)
        if after is not None:
            for message in self.messages:
                if message.seq is not None and message.seq > after:
                    subscription.put(message)
        return subscription

    def still(self, name: str) -> bytes | None:
        path = STILLS / f"{name}.jpg"
        return path.read_bytes() if path.is_file() else None

    def health(self) -> dict[str, str]:
        return {"camera": "ok", "reader": "ok", "journal": "ok", "box": "no box"}

    def games(self) -> list[dict[str, Any]]:
        return [{**self.state(), "number": 1, "began": 1_790_000_000.0, "ended": 1_790_003_600.0}]

    # the script
    def _obey(self, body: Mapping[str, Any]) -> None:
        name = body["command"]
        if name == "start":
            self._state = {**empty_state(list(body["players"])), "version": self._state["version"]}
        elif name in ("confirm", "jump", "rethrow"):
            if self._state["question"] is None and name != "jump":
                raise Refused("no_question", "there is nothing to confirm", "现在没有要确认的")
            self._state.update(question=None, phase="clear")
        elif name == "tv":
            self._state["tv"].update({k: v for k, v in body.items() if k in self._state["tv"]})
        elif name == "end":
            self._state.update(over=True, phase="over", ended_by="operator")

    def store(self, kind: str = "Thrown") -> None:
        """Count the version on and tell every page."""
        self._state["version"] += 1
        version = self._state["version"]
        self.tell(Message("stored", {"seq": version, "type": kind, "version": version}, version))

    def tell(self, message: Message) -> None:
        self.messages.append(message)
        for subscription in list(self.subscriptions):
            subscription.put(message)

    def phase(self, phase: str) -> None:
        self._state["phase"] = phase
        self.tell(Message("phase", {"phase": phase}))

    def set(self, **fields: Any) -> None:
        self._state.update(fields)
        self.store("Set")

    def ask(self, **fields: Any) -> None:
        self._state.update(phase="question", question={**QUESTION, **fields})
        self.store("Asked")

    def throw(self, kind: str, quiet: bool = False) -> None:
        """The player whose turn it is throws a hand of this kind, or a "jump"."""
        state = self._state
        player = next(p for p in state["players"] if p["id"] == state["turn"]["id"])
        thrown = record(state, player, kind)
        for tier, n in thrown["won"].items():
            give(state, player, tier, n)
        player["turns"] += 1
        player["skip"] = kind == "jump"
        state["throws"] += 1
        state["last"] = thrown
        state["history"] = [thrown, *state["history"]][:40]
        following = (state["players"].index(player) + 1) % len(state["players"])
        state["turn"] = {k: state["players"][following][k] for k in ("id", "name")}
        state["lap"] += following == 0
        state.update(phase="throw", question=None, can_undo=True)
        if not quiet:
            self.store()

    def play(self, *kinds: str) -> FakeTable:
        """Many throws before anybody looks."""
        for kind in kinds:
            self.throw(kind, quiet=True)
        self.store()
        return self


QUESTION: dict[str, Any] = {
    "id": 3,
    "verdict": "ask",
    "values": [2, 3, 4, 5, 5, 6],
    "outside": 0,
    "dice": [
        {"value": 5, "confidence": 0.99, "likely": [[5, 0.99], [3, 0.01]], "box": [205, 356, 27, 32], "in_bowl": True},
        {"value": 6, "confidence": 0.98, "likely": [[6, 0.98], [4, 0.01]], "box": [236, 170, 34, 34], "in_bowl": True},
        {"value": 5, "confidence": 0.99, "likely": [[5, 0.99], [6, 0.01]], "box": [276, 190, 34, 32], "in_bowl": True},
        {"value": 2, "confidence": 0.99, "likely": [[2, 0.99], [3, 0.01]], "box": [229, 201, 36, 34], "in_bowl": True},
        {"value": 3, "confidence": 0.99, "likely": [[3, 0.97], [5, 0.02]], "box": [193, 212, 35, 33], "in_bowl": True},
        {"value": 4, "confidence": 0.62, "likely": [[4, 0.62], [6, 0.31]], "box": [334, 235, 32, 30], "in_bowl": True},
    ],
    "zh": "看不清最右边那颗：是 4 还是 6？",
    "en": "The rightmost die is not clear: is it a 4 or a 6?",
    "still": "/stills/question.jpg",
    "size": [560, 560],
}


def empty_state(names: list[str]) -> dict[str, Any]:
    """The state at the start of a game, or the lobby where nobody sits yet."""
    players = [
        {
            "id": f"p{k}",
            "name": name,
            "seal": name[0],
            "status": "playing",
            "skip": False,
            "turns": 0,
            "cakes": dict.fromkeys(TIERS, 0),
            "champion": False,
        }
        for k, name in enumerate(names, 1)
    ]
    return {
        "version": 1,
        "demo": False,
        "language": "zh-CN",
        "confirm": "unsure",
        "phase": "throw" if names else "lobby",
        "notice": None,
        "turn": {"id": "p1", "name": names[0]} if names else None,
        "lap": 1 if names else 0,
        "rules": {"preset": "xiamen", "switches": PRESETS["xiamen"].switches()} if names else None,
        "tiers": []
        if not names
        else [
            {
                "tier": t,
                "name": NAMES[t],
                "total": n,
                "left": n,
                "seals": [None] * n,
                "prize": {"name": "", "value": 0, "gifts": []},
            }
            for t, n in zip(TIERS, STOCK, strict=True)
        ],
        "players": players,
        "champion": None,
        "champions": [],
        "throws": 0,
        "last": None,
        "history": [],
        "gifts": [],
        "question": None,
        "scramble": dict.fromkeys(TIERS, 0),
        "over": False,
        "ended_by": None,
        "can_undo": False,
        "can_redo": False,
        "undoes": None,
        "redoes": None,
        "faces": [0] * 6,
        "started": 1_790_000_000.0,
        "tv": {"volume": 70, "mute": False, "voice": True, "theme": "dark", "scene": "auto"},
        "odds": None if not names else {"beats": 0.0123, "champion": 0.0119, "kinds": {"yixiu": 0.373}, "expected_throws": 41.2},
    }


def record(state: dict[str, Any], player: dict[str, Any], kind: str) -> dict[str, Any]:
    """The THROW of docs/state.md for a hand of this kind."""
    wins = {"sijin": {"sijin": 1, "yixiu": 1}, "chajinhua": {"duitang": 2}}.get(
        kind, {kind: 1} if kind in TIERS else {}
    )
    left = {t["tier"]: t["left"] for t in state["tiers"]}
    won = {t: min(n, left[t]) for t, n in wins.items() if left[t]}
    champion = None
    if kind in CHAMPIONS:
        champion = "new"
        carry = {"sihong": 7, "wuzi": 3}.get(kind)
        state["champion"] = {
            "id": player["id"],
            "name": player["name"],
            "dice": DICE[kind],
            "kind": kind,
            "carry": carry,
            "text": TEXT[kind],
            "en": WHY[kind][1],
        }
        state["champions"] = [state["champion"]]
        for one in state["players"]:
            one["champion"] = one is player
    jump = kind == "jump"
    return {
        "number": state["throws"] + 1,
        "player": player["id"],
        "name": player["name"],
        "dice": None if jump else DICE[kind],
        "jump": jump,
        "void": "jump" if jump else None,
        "kind": None if jump else kind,
        "carry": None,
        "text": TEXT.get(kind, NAMES.get(kind, "")),
        "text_en": {"sijin": "four alike", "duitang": "straight", "sanhong": "three reds"}.get(kind, ""),
        "title": "",
        "rank": None,
        "won": won,
        "missed": {},
        "chased": [],
        "champion": champion,
        "zh": WHY[kind][0],
        "en": WHY[kind][1],
        "gift": None,
        "corrected": False,
        "extra": False,
        "still": f"/stills/{PICTURES.get(kind, 'yixiu')}.jpg",
    }


def give(state: dict[str, Any], player: dict[str, Any], tier: str, n: int) -> None:
    """Put the player's seal on the first free cakes of a tier."""
    row = next(t for t in state["tiers"] if t["tier"] == tier)
    for _ in range(n):
        row["seals"][row["seals"].index(None)] = player["id"]
        row["left"] -= 1
        player["cakes"][tier] += 1

"""The board's scenes and what may be told above them, for whoever looks at all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

NO_CAMERA = {
    "key": "no_camera",
    "zh": "没有摄像头：每一掷用手机或键盘来记",
    "en": "No camera is set: each throw is entered by hand, on a phone or with the keyboard",
}
LONG = {
    "key": "unsaved",
    "zh": "没有存盘！最近 12 条只在内存里，断电就会丢失。磁盘满了：请删掉一些文件，腾出 200 MB，程序会自己补存",
    "en": "NOT SAVED: the last 12 records are in memory only, lost if the power goes; the disk is full: make room on it (200 MB will do), "
    "what is missing is written by itself as soon as there is some",
}
BOX = {"state": "linked", "zh": "", "en": "", "id": "A001", "buttons": {}, "keys": False, "refused": None, "pairing": False}
CALL = {**BOX, "call": {"zh": "请管理员过来一下", "en": "the operator is wanted at the table"}}
FAMILY = ["爷爷", "奶奶", "爸爸", "妈妈", "Margarethe"]
LONE = ["欧阳克明", "Alexandra Konstantin", "小明"]
CROWD = [f"{'甲乙丙丁戊己庚辛壬癸'[k % 10]}{'家伯'[k // 10]}" for k in range(18)] + ["Alexandra Konstantin", "Wolfeschlegelstein"]


def played(new_table: Any, names: list[str]) -> Any:
    kinds = ["yixiu", "erju", "none", "yixiu", "sijin", "sanhong", "yixiu"]
    return new_table(names).play(*(kinds[k % 7] for k in range(24)), "sihong", "jump", "duitang")


def crowd(new_table: Any) -> Any:
    return played(new_table, CROWD)


def ended(table: Any) -> Any:
    table.set(over=True, phase="over", ended_by="all_out", turn=None)
    return table


def prizes(table: Any) -> Any:
    tiers = table.state()["tiers"]
    for tier in tiers:
        tier["prize"] = {"name": "电饭煲", "value": 9, "gifts": []}
    table.set(tiers=tiers)
    return ended(table)


def asked(table: Any, **more: Any) -> Any:
    table.ask(**more)
    return table


def demo(table: Any) -> Any:
    table.set(demo=True)
    return table


SCENES: dict[str, Callable[[Any], Any]] = {
    "lobby": lambda new: new([]),
    "first": lambda new: new(FAMILY),
    "play": lambda new: demo(played(new, FAMILY)),
    "few": lambda new: played(new, LONE),
    "crowd": crowd,
    "question": lambda new: asked(demo(played(new, FAMILY))),
    "jump": lambda new: asked(played(new, LONE), verdict="jump", zh="一颗在碗外：是跳猴吗？", en="One die lies outside the bowl: did it jump?"),
    "crowd asks": lambda new: asked(crowd(new)),
    "ceremony": lambda new: ended(played(new, FAMILY)),
    "ceremony of many": lambda new: ended(crowd(new)),
    "prizes": lambda new: prizes(played(new, FAMILY)),
}
TOLD: dict[str, dict[str, Any]] = {"nothing": {}, "no camera": {"notice": NO_CAMERA}, "much": {"notice": LONG, "unsaved": 12, "box": CALL}}

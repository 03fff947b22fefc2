"""The words of the game: tiers, kinds and titles, with their Chinese and English names.

Identifiers are pinyin and stable: files, JSON and the journal carry them.
"""

from __future__ import annotations

from typing import Final

TIERS: Final = ("zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu")
"""From the champion cake down; every tuple of six numbers in this room is in this order."""

ZHUANGYUAN, DUITANG, SANHONG, SIJIN, ERJU, YIXIU = range(6)
LOWER: Final = (DUITANG, SANHONG, SIJIN, ERJU, YIXIU)

TIER_ZH: Final = {
    "zhuangyuan": "状元",
    "duitang": "对堂",
    "sanhong": "三红",
    "sijin": "四进",
    "erju": "二举",
    "yixiu": "一秀",
}

KINDS: Final = (
    "liubohong",
    "biandijin",
    "liubohei",
    "chajinhua",
    "wuhong",
    "wuzi",
    "sihong",
    "duitang",
    "sanhong",
    "sijin",
    "erju",
    "yixiu",
    "none",
)

CHAMPION_KINDS: Final = ("sihong", "wuzi", "wuhong", "chajinhua", "liubohei", "biandijin", "liubohong")
"""The kinds that may stand on the ladder."""

KIND_ZH: Final = {
    "liubohong": "六博红",
    "biandijin": "遍地锦",
    "liubohei": "六博黑",
    "chajinhua": "状元插金花",
    "wuhong": "五红",
    "wuzi": "五子",
    "sihong": "状元",
    "duitang": "对堂",
    "sanhong": "三红",
    "sijin": "四进",
    "erju": "二举",
    "yixiu": "一秀",
    "none": "罚黑",
    "sum": "点数之和",
    "scramble": "抢得状元",
}

KIND_EN: Final = {
    "liubohong": "six reds",
    "biandijin": "six ones",
    "liubohei": "six alike",
    "chajinhua": "champion with golden flower",
    "wuhong": "five reds",
    "wuzi": "five alike",
    "sihong": "four reds",
    "duitang": "straight",
    "sanhong": "three reds",
    "sijin": "four alike",
    "erju": "two reds",
    "yixiu": "one red",
    "none": "nothing",
    "sum": "largest sum",
    "scramble": "champion by scramble",
}

_SPECIAL_TITLES: Final = {"wuhong": "亲王", "chajinhua": "驸马", "liubohong": "皇帝"}
_TITLES: Final = {
    "A": {"yixiu": "秀才", "erju": "举人", "sijin": "进士", "sanhong": "探花", "duitang": "榜眼"},
    "D": {"yixiu": "秀才", "erju": "举人", "sijin": "进士", "sanhong": "会元", "duitang": "榜眼、探花"},
}


def title(kind: str, titles: str) -> str:
    """The rank in the imperial examination that a kind stands for; "" for none. titles: switch `titles`, "A" or "D"."""
    if kind in _SPECIAL_TITLES:
        return _SPECIAL_TITLES[kind]
    if kind in ("sihong", "wuzi"):
        return "状元"
    return _TITLES[titles].get(kind, "")

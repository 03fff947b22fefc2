"""One throw: six dice → hand (kind, carry, full entitlement, rank on the ladder).

The order of the tests is that of bobing-rules.md section 1. Only the 4 counts as red.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import DiceError
from .houserules import HouseRules
from .names import DUITANG, ERJU, KIND_ZH, SANHONG, SIJIN, TIERS, YIXIU, ZHUANGYUAN

Dice = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """What six dice are worth under the table's rules, before the stock is looked at.

    awards: six numbers in the order of TIERS. rank: (rung, carry) on the ladder, None where the kind is not on it.
    """

    dice: Dice
    kind: str
    carry: int | None
    awards: tuple[int, ...]
    rank: tuple[int, int] | None
    text: str

    def as_json(self) -> dict[str, Any]:
        """The line of `bobing score` (section 7)."""
        return {
            "dice": list(self.dice),
            "kind": self.kind,
            "carry": self.carry,
            "awards": {tier: n for tier, n in zip(TIERS, self.awards, strict=True) if n},
            "rank": None if self.rank is None else list(self.rank),
            "text": self.text,
        }


def six_dice(given: object) -> Dice:
    """Six dice values from anything that came from outside; raises DiceError in one line."""
    if not isinstance(given, list | tuple):
        raise DiceError("dice must be a list of six values from 1 to 6")
    if len(given) != 6:
        raise DiceError(f"six dice are needed, {len(given)} given")
    for value in given:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 6:
            raise DiceError(f"a die shows 1 to 6, not {value!r}")
    return tuple(given)


def _is_duitang(counts: Sequence[int], patterns: Sequence[str]) -> bool:
    faces = [face for face in range(1, 7) if counts[face]]
    most = max(counts)
    if len(faces) == 6:
        return "straight" in patterns
    if len(faces) == 3 and most == 2:
        return "three_pairs" in patterns or ("three_pairs_run" in patterns and faces[2] - faces[0] == 2)
    return len(faces) == 2 and most == 3 and "two_triples" in patterns


def _kind(counts: Sequence[int], rules: HouseRules) -> tuple[str, int]:
    """Kind, and the face that is alike four times or more (0 where none is)."""
    reds = counts[4]
    most = max(counts)
    alike = counts.index(most) if most >= 4 else 0
    if reds == 6:
        return "liubohong", 4
    if most == 6:
        return ("biandijin" if alike == 1 and rules.biandijin else "liubohei"), alike
    if reds == 4 and counts[1] == 2:
        return "chajinhua", 4
    if most == 5:
        return ("wuhong" if reds == 5 else "wuzi"), alike
    if reds == 4:
        return "sihong", 4
    if _is_duitang(counts, rules.duitang_patterns):
        return "duitang", 0
    if reds == 3:
        return "sanhong", 0
    if most == 4:
        return "sijin", alike
    return ("erju" if reds == 2 else "yixiu" if reds == 1 else "none"), 0


def _rank(kind: str, alike: int, carry: int | None, rules: HouseRules) -> tuple[int, int] | None:
    if kind not in rules.ladder or rules_say_nothing(kind, rules):
        return None
    weight = carry or 0
    if kind == "wuzi" and rules.wuzi_compare == "face":
        weight = alike * 10 + weight
    elif kind == "liubohei" and rules.liubohei_compare == "face":
        weight = alike
    return rules.ladder.index(kind), weight


def rules_say_nothing(kind: str, rules: HouseRules) -> bool:
    """Whether the house treats this six-alike throw as if it were no hand (`liubohong`/`liubohei` = "nothing")."""
    return (kind == "liubohong" and rules.liubohong == "nothing") or (
        kind == "liubohei" and rules.liubohei == "nothing"
    )


def score(dice: Dice, rules: HouseRules) -> Hand:
    """The hand that six dice make; `dice` must have passed `six_dice`."""
    counts = [0] * 7
    for value in dice:
        counts[value] += 1
    kind, alike = _kind(counts, rules)
    carry: int | None = None
    if kind == "sihong":
        carry = sum(dice) - 16
    elif kind in ("wuzi", "wuhong"):
        carry = sum(dice) - 5 * alike
    awards = [0] * 6
    text = KIND_ZH[kind]
    rank = _rank(kind, alike, carry, rules)
    if rank is not None:
        awards[ZHUANGYUAN] = 1
    if kind == "chajinhua":
        awards[DUITANG] = rules.chajinhua_duitang
    elif kind == "duitang":
        awards[DUITANG] = 1
    elif kind == "sanhong":
        awards[SANHONG] = 1
    elif kind == "sijin":
        awards[SIJIN] = 1
        if rules.sijin_bundle and counts[4]:
            awards[YIXIU if counts[4] == 1 else ERJU] = 1
            text += "带一秀" if counts[4] == 1 else "带二举"
    elif kind == "erju":
        awards[ERJU] = 1
    elif kind == "yixiu":
        awards[YIXIU] = 1
    elif carry is not None:
        text += f"带{carry}"
        if kind == "wuzi" and carry == 4 and rules.wuzi_four_yixiu:
            awards[YIXIU] = 1
            text = "五子带一秀"
    return Hand(dice, kind, carry, tuple(awards), rank, text)

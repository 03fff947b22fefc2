"""Why a throw brought what it brought: one short text in Chinese and English, built from the rule that decided it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .award import Outcome
from .hand import Hand, rules_say_nothing
from .houserules import HouseRules
from .ledger import Standing
from .names import KIND_EN, KIND_ZH, LOWER, TIER_ZH, TIERS

_COUNT_ZH = ("", "一", "两", "三", "四", "五", "六")
_COUNT_EN = ("", "one", "two", "three", "four", "five", "six")
_CARRY_KINDS = ("sihong", "wuzi", "wuhong", "sum")
_ENDED = {
    "all_out": ("饼已博完，本局结束", "all cakes are out: the game is over"),
    "six": ("本局立即结束", "that ends the game at once"),
    "grab": ("熄灯抢饼，本局结束", "lights out, everybody grabs: the game is over"),
    "throws": ("各人掷数已满，本局结束", "everybody has had all turns: the game is over"),
    "clock": ("时间到，本轮已满，本局结束", "time is up and the round is finished: the game is over"),
    "lap": ("本轮已满，本局结束", "the round is finished: the game is over"),
    "sum": ("加掷分出状元，本局结束", "the extra throws found the champion: the game is over"),
}


@dataclass(frozen=True, slots=True)
class Why:
    """The same reason in Chinese and in English."""

    zh: str
    en: str


def hand_en(kind: str, carry: int | None) -> str:
    """A hand's English name, with its carry."""
    name = KIND_EN[kind]
    return f"{name} with {carry}" if carry is not None and kind in _CARRY_KINDS else name


def hand_zh(kind: str, carry: int | None) -> str:
    """A hand's Chinese name, with its carry."""
    name = KIND_ZH[kind]
    return f"{name}带{carry}" if carry is not None and kind in _CARRY_KINDS else name


def _pattern(hand: Hand) -> Why:
    """What lies there, the faces that decide first: 四个 3、一个 4."""
    counts = {face: hand.dice.count(face) for face in range(1, 7)}
    if hand.kind == "duitang":
        faces = sorted(hand.dice)
        return Why("、".join(map(str, faces)), ", ".join(map(str, faces)))
    telling = [face for face in (4, 1, 2, 3, 5, 6) if counts[face] and (face == 4 or counts[face] >= 4)]
    if hand.kind == "chajinhua":
        telling = [4, 1]
    if hand.kind == "sihong":
        rest = sorted(d for d in hand.dice if d != 4)
        return Why(f"四个 4，另两颗 {rest[0]} 加 {rest[1]}", f"four 4s, the others {rest[0]} and {rest[1]}")
    telling.sort(key=lambda face: (-counts[face], face))
    if not telling:
        return Why("没有 4，也没有四颗相同", "no 4, and no four alike")
    zh = "、".join(f"{_COUNT_ZH[counts[face]]}个 {face}" for face in telling)
    en = " and ".join(f"{_COUNT_EN[counts[face]]} {face}{'s' if counts[face] > 1 else ''}" for face in telling)
    return Why(zh, en)


class _Text:
    """Collects the parts of one reason in both languages."""

    def __init__(self) -> None:
        self.zh: list[str] = []
        self.en: list[str] = []

    def add(self, zh: str, en: str) -> None:
        self.zh.append(zh)
        self.en.append(en)

    def whole(self) -> Why:
        return Why("；".join(self.zh), "; ".join(self.en))


def _tier_parts(text: _Text, outcome: Outcome, rules: HouseRules, names: Mapping[str, str]) -> None:
    """Stock, chase and sold-out tiers, one part a tier."""
    totals = rules.cakes
    swept: list[tuple[str, int]] = []
    for tier in LOWER:
        word = TIER_ZH[TIERS[tier]]
        from_others = sum(1 for t, _ in outcome.chased if t == tier) + sum(n for _, t, n in outcome.taken if t == tier)
        from_table = outcome.won[tier] - from_others
        if from_table == 1:
            text.add(
                f"{word}还剩 {outcome.left[tier]}/{totals[tier]}", f"{word} {outcome.left[tier]} of {totals[tier]} left"
            )
        elif from_table:
            swept.append((word, from_table))
        for chased_tier, player in outcome.chased:
            if chased_tier == tier:
                text.add(f"{word}已博完，向{names[player]}追一个", f"{word} sold out, chased from {names[player]}")
        if outcome.missed[tier] and not outcome.flower_blocked:
            if outcome.hand is not None and outcome.hand.kind == "chajinhua":
                if not outcome.won[tier]:
                    text.add("桌上已没有对堂", "no 对堂 left on the table")
            elif rules.sold_out == "chase" and TIERS[tier] in rules.chase_tiers:
                text.add(f"{word}已博完，也无人可追", f"{word} sold out, and nobody to chase it from")
            else:
                text.add(f"{word}已博完，无饼", f"{word} sold out: no cake")
    if swept:
        cakes = _cakes(swept)
        text.add(f"得桌上{cakes.zh}", f"takes {cakes.en} from the table")
    for giver in dict.fromkeys(player for player, _, _ in outcome.taken):
        cakes = _cakes([(TIER_ZH[TIERS[tier]], n) for player, tier, n in outcome.taken if player == giver])
        text.add(f"{names[giver]}交出{cakes.zh}", f"{names[giver]} hands over {cakes.en}")


def _cakes(several: Sequence[tuple[str, int]]) -> Why:
    """Cakes of several tiers in one breath: 对堂 2 个、三红 4 个."""
    return Why("、".join(f"{word} {n} 个" for word, n in several), ", ".join(f"{n} {word}" for word, n in several))


def _standing_words(standing: Standing | None, names: Mapping[str, str]) -> Why:
    if standing is None:
        return Why("", "")
    zh, en = hand_zh(standing.kind, standing.carry), hand_en(standing.kind, standing.carry)
    return Why(f"{names[standing.player]}的{zh}", f"{names[standing.player]}'s {en}")


def _champion_part(text: _Text, outcome: Outcome, names: Mapping[str, str]) -> None:
    who = names[outcome.player]
    holder = _standing_words(outcome.holder, names)
    if outcome.champion == "new":
        text.add(f"状元归{who}", f"{who} holds the champion cake")
    elif outcome.champion == "kept":
        text.add(f"状元仍归{who}", f"{who} keeps the champion cake")
    elif outcome.champion == "lower":
        text.add(f"以最后一次为准，降了，仍归{who}", f"the last throw counts: lower, but still {who}'s")
    elif outcome.champion == "lugu":
        text.add(f"禄骨：低于{holder.zh}，状元易主", f"禄骨: below {holder.en}, the champion cake moves on")
    elif outcome.champion == "behind":
        text.add(f"不及{holder.zh}，状元不动", f"does not beat {holder.en}: the champion cake stays")
    if outcome.flower_blocked:
        text.add("已有人插金花在先，对堂也不得", "another golden flower stands already: no 对堂 either")
    if outcome.returned:
        text.add(f"插金花所得对堂 {outcome.returned} 个放回桌上", f"{outcome.returned} 对堂 of the flower go back")


def _special_part(text: _Text, hand: Hand, rules: HouseRules) -> None:
    if rules_say_nothing(hand.kind, rules):
        text.add("本桌不算", "does not count at this table")
    elif hand.kind == "liubohei" and hand.dice[0] not in rules.liubohei_faces:
        text.add("只比大小", "only ranks")
    elif hand.kind == "liubohei" and rules.liubohei == "share":
        text.add("剩下的饼大家同享", "the cakes left are shared by all")
    elif hand.kind == "liubohong" and rules.liubohong == "share_rest":
        text.add("其余大家同享", "the rest is shared by all")


def _void_text(outcome: Outcome, rules: HouseRules, names: Mapping[str, str]) -> Why | None:
    who = names[outcome.player]
    if outcome.void == "after_end":
        return Why("更正后此掷在终局之后，不算", "after the correction this throw comes after the end: void")
    if outcome.void == "not_in_turn":
        return Why("更正后不该此人加掷，不算", "after the correction this extra throw was not due: void")
    if outcome.void != "jump":
        return None
    if rules.jump == "rethrow":
        return Why(f"跳猴：此掷作废，{who}重掷", f"跳猴, a die jumped out: void, {who} throws again")
    if outcome.skip_next:
        return Why(f"跳猴：此掷作废，{who}下一轮停掷", f"跳猴, a die jumped out: void, and {who} misses the next turn")
    return Why("跳猴：此掷作废", "跳猴, a die jumped out: void")


def why(outcome: Outcome, rules: HouseRules, names: Mapping[str, str]) -> Why:
    """The reason of one throw. names: player id → name."""
    void = _void_text(outcome, rules, names)
    text = _Text()
    hand = outcome.hand
    if void is not None:
        text.add(void.zh, void.en)
    elif hand is not None:
        pattern = _pattern(hand)
        text.add(f"{hand.text}：{pattern.zh}", f"{hand.text} ({hand_en(hand.kind, hand.carry)}): {pattern.en}")
        if outcome.extra:
            text.add(f"加掷，点数和 {sum(hand.dice)}", f"extra throw, sum {sum(hand.dice)}")
        else:
            _special_part(text, hand, rules)
            _tier_parts(text, outcome, rules, names)
            _champion_part(text, outcome, names)
    if outcome.ended_by in _ENDED:
        text.add(*_ENDED[outcome.ended_by])
    return text.whole()

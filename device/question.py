"""A throw that waits for a person: what was seen, what is doubtful, and what each answer would mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rules.bobing.commands import Correct, Jump, Throw
from rules.bobing.hand import Dice, six_dice

if TYPE_CHECKING:  # a board without a camera needs no pictures
    from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Doubt:
    """One die as the page shows it. box: x, y, w, h in pixels of the still; likely: the two likely values with probabilities."""

    value: int | None
    confidence: float
    likely: tuple[tuple[int, float], ...]
    box: tuple[float, ...]
    in_bowl: bool
    cocked: bool

    def as_json(self) -> dict[str, Any]:
        """As docs/state.md prints it."""
        return {
            "value": self.value,
            "confidence": round(self.confidence, 4),
            "likely": [list(pair) for pair in self.likely],
            "box": [round(v, 1) for v in self.box],
            "in_bowl": self.in_bowl,
            "cocked": self.cocked,
        }


@dataclass(frozen=True, slots=True)
class Question:
    """What the table asks. id: sequence of the record that asked; about: number of a credited throw whose dice were moved, else None.

    still: name of the picture, "" where there is none; size: its width and height.
    """

    id: int
    verdict: str
    dice: tuple[Doubt, ...]
    still: str = ""
    size: tuple[int, int] = (0, 0)
    about: int | None = None

    @property
    def values(self) -> tuple[int, ...]:
        """Sorted best guesses of the dice in the bowl."""
        return tuple(sorted(d.value for d in self.dice if d.in_bowl and d.value is not None))

    @property
    def outside(self) -> int:
        """How many dice lie outside the bowl."""
        return sum(not d.in_bowl for d in self.dice)

    @property
    def words(self) -> tuple[str, str]:
        """The question in Chinese and English."""
        if self.about is not None:
            return "骰子被碰过，现在不同了：要改吗？", "the dice were moved after the result: change it?"
        return _words(self)

    def as_json(self) -> dict[str, Any]:
        """As docs/state.md prints it."""
        zh, en = self.words
        return {
            "id": self.id,
            "verdict": self.verdict,
            "values": list(self.values),
            "outside": self.outside,
            "dice": [d.as_json() for d in self.dice],
            "zh": zh,
            "en": en,
            "still": f"/stills/{self.still}.jpg" if self.still else None,
            "size": list(self.size),
            "about": self.about,
        }

    def confirmed(self, dice: Dice | None) -> Throw | Jump | Correct | None:
        """What "yes" means: these dice where given, else the guess; a jump where dice are out or missing; None: throw again."""
        if dice is not None:
            return Correct(self.about, dice=dice) if self.about is not None else Throw(dice, self.still)
        if self.about is not None:
            return Correct(self.about, dice=six_dice(self.values))
        if self.verdict in ("jump", "incomplete"):
            return Jump(tuple(d.value for d in self.dice if d.value is not None)[:6] or None, self.still)
        if self.verdict == "cocked":
            return None
        return Throw(six_dice(self.values), self.still)


def _words(question: Question) -> tuple[str, str]:
    match question.verdict:
        case "jump":
            n = question.outside
            return f"{n} 颗骰子跳出碗外：跳猴吗？", f"{n} {'die' if n == 1 else 'dice'} outside the bowl: 跳猴?"
        case "incomplete":
            n = len(question.dice)
            return (
                f"只看见 {n} 颗：少的是几点，还是跳出碗外了？",
                f"only {n} dice are seen: what is the missing one, or did it jump out?",
            )
        case "cocked":
            return "有骰子斜靠或叠着：重掷？", "a die leans or lies on another: throw again?"
        case "sure":
            return "这样对吗？", "is this right?"
    doubtful = [d for d in question.dice if d.likely and d.confidence < 0.98 and len(d.likely) > 1]
    doubtful.sort(key=lambda d: d.confidence)
    if len(doubtful) == 1:
        (a, _), (b, _) = doubtful[0].likely[:2]
        return f"看不清一颗：是 {a} 还是 {b}？", f"one die is not clear: is it a {a} or a {b}?"
    if doubtful:
        return f"有 {len(doubtful)} 颗看不清，请核对", f"{len(doubtful)} dice are not clear: please check"
    return "请核对六颗骰子", "please check the six dice"


def asked_of(
    reading: Reading, still: str, size: tuple[int, int], offset: tuple[float, float], scale: float
) -> dict[str, Any]:
    """The record of a question (type `Asked`) for a reading; offset and scale lead from the frame to the still."""
    dice = [
        Doubt(
            d.value,
            d.confidence,
            d.likely,
            tuple((v - o) * scale for v, o in zip(d.box, (*offset, 0.0, 0.0), strict=True)),
            d.in_bowl,
            d.cocked,
        ).as_json()
        for d in reading.dice
    ]
    return {"verdict": str(reading.verdict), "dice": dice, "still": still, "size": list(size)}


def question_from(seq: int, data: Mapping[str, Any]) -> Question:
    """The question that an `Asked` record holds."""
    dice = tuple(
        Doubt(
            d["value"],
            d["confidence"],
            tuple((int(v), float(p)) for v, p in d["likely"]),
            tuple(d["box"]),
            d["in_bowl"],
            d["cocked"],
        )
        for d in data["dice"]
    )
    width, height = data["size"]
    return Question(seq, data["verdict"], dice, data["still"], (width, height), data.get("about"))

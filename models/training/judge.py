"""Holding answers of a reader (the JSON of `bobing read`) against what is known of the pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Answer = Mapping[str, Any]
REACH = 0.6
CORE_NOT = ("n3-", "epanemu-", "fudw-")


@dataclass(slots=True)
class Tally:
    """Sums over the pictures of one group; rate() makes shares of them."""

    name: str
    sums: dict[str, float] = field(default_factory=dict)

    def add(self, **figures: float) -> None:
        """Add one picture's figures."""
        for key, value in figures.items():
            self.sums[key] = self.sums.get(key, 0.0) + float(value)

    def rate(self, part: str, whole: str) -> float:
        """A share, nan where there is nothing to share."""
        n = self.sums.get(whole, 0.0)
        return self.sums.get(part, 0.0) / n if n else math.nan


def pairs(found: Sequence[tuple[float, float]], known: Sequence[tuple[float, float]], reach: Sequence[float]) -> dict[int, int]:
    """Known die to found die, nearest first; reach: how far from each known die a found one may lie, in pixels."""
    near = sorted(
        (math.dist(f, k), i, j) for i, k in enumerate(known) for j, f in enumerate(found) if math.dist(f, k) <= reach[i]
    )
    matched: dict[int, int] = {}
    for _, i, j in near:
        if i not in matched and j not in matched.values():
            matched[i] = j
    return matched


def judge_photo(answer: Answer, marks: Sequence[Mapping[str, Any]], box_kind: str, usual: float) -> dict[str, float]:
    """Figures of one photo; marks: its annotations; usual: median box side of its scene in pixels."""
    dice = answer.get("dice", [])
    centres = [(d["box"][0] + d["box"][2] / 2, d["box"][1] + d["box"][3] / 2) for d in dice]
    known, reach = [], []
    for mark in marks:
        x, y, w, h = mark["bbox"]
        known.append((x + w / 2, y + h / 2))
        side = max(w, h)
        reach.append(REACH * (max(side, usual) if box_kind == "top_face_or_pips_only" else side))
    matched = pairs(centres, known, reach)
    counted = [i for i, mark in enumerate(marks) if not mark.get("ignore")]
    found = [i for i in counted if i in matched]
    right = [i for i in found if dice[matched[i]]["value"] == marks[i]["category_id"]]
    extra = len(dice) - len(matched)
    complete = len(right) == len(counted)
    sure = answer.get("verdict") == "sure"
    return {
        "images": 1, "dice": len(counted), "found": len(found), "right": len(right), "extra": extra,
        "exact": complete and extra == 0, "complete": complete, "sure": sure,
        "exact_sure": complete and extra == 0 and sure, "silent": sure and not complete, "ms": float(answer.get("ms") or 0.0),
    }


def judge_throw(answer: Answer, told: Mapping[str, Any]) -> dict[str, float]:
    """Figures of one simulated throw or empty bowl."""
    verdict = answer.get("verdict")
    ms = float(answer.get("ms") or 0.0)
    if told.get("kind") == "empty":
        return {"empty": 1, "empty_right": verdict == "empty", "false_jump": verdict == "jump", "ms": ms, "images": 1}
    seen = [d for d in told["dice"] if d["in_view"]]
    dice = answer.get("dice", [])
    tops = [tuple(d["top"]) if d.get("top") else (d["box"][0] + d["box"][2] / 2, d["box"][1] + d["box"][3] / 2) for d in dice]
    matched = pairs(tops, [tuple(d["top_center"]) for d in seen], [REACH * d["top_face_px"] + 3 for d in seen])
    right = [i for i in matched if dice[matched[i]]["value"] == seen[i]["value"]]
    all_right = len(seen) == 6 and len(right) == 6 and len(dice) == 6
    same_values = sorted(answer.get("values", [])) == sorted(told["expected_values"]) and len(told["expected_values"]) == 6
    sure = verdict == "sure"
    out_in_view = any(d["in_view"] and not d["inside_bowl"] for d in told["dice"])
    plain = bool(told["readable"] and told["all_in_bowl"] and not told["any_cocked"])
    clear = plain and min(d["top_face_px"] for d in seen) >= 22 and told["photo"]["defocus_px"] < 1.5
    figures = {
        "images": 1, "throws": 1, "dice": len(seen), "found": len(matched), "right": len(right), "extra": len(dice) - len(matched),
        "sure": sure, "silent": sure and not (all_right and same_values), "ms": ms,
        "out": out_in_view, "out_jump": out_in_view and verdict == "jump",
        "all_in": bool(told["all_in_bowl"]), "false_jump": bool(told["all_in_bowl"]) and verdict == "jump",
        "odd": not plain and not out_in_view, "odd_bad": not plain and sure and not all_right,
    }
    for name, holds in (("clear", clear), ("murky", plain and not clear)):
        figures[name] = holds
        figures[f"{name}_right"] = holds and all_right
        figures[f"{name}_sure"] = holds and all_right and sure
    for name in ("sure", "ask", "cocked", "incomplete", "jump", "empty"):
        figures[f"plain_{name}"] = plain and verdict == name
    return figures


def risk_and_coverage(pairs_: Sequence[tuple[float, bool]]) -> list[tuple[float, float, float]]:
    """(threshold, coverage, risk) for answers (confidence, right), at each tenth of coverage and finer near all."""
    ordered = sorted(pairs_, key=lambda p: -p[0])
    wrong = np.cumsum([not right for _, right in ordered])
    rows = []
    for share in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 1.0):
        n = max(1, round(share * len(ordered)))
        rows.append((ordered[n - 1][0], n / len(ordered), float(wrong[n - 1]) / n))
    return rows

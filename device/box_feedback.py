"""What the box shows and sounds for what happens at the table. Pure: two states and the names of the events between them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from firmware_bridge.commands import Lamp, Tune

LAMPS = {"throw": Lamp.SLOW, "reading": Lamp.ON, "question": Lamp.FAST}
"""slow: please throw; on: reading; fast: an answer is needed. Dark otherwise."""
CHAMPION = frozenset({"new", "kept", "lugu"})
"""What a champion throw does to the champion cake that is worth a fanfare."""


def lamp_for(state: Mapping[str, Any]) -> Lamp:
    """How the big button shines in this state."""
    return LAMPS.get(str(state["phase"]), Lamp.OFF)


def tune_for(types: Collection[str], before: Mapping[str, Any], after: Mapping[str, Any]) -> Tune | None:
    """One tune for what was stored since `before`, the weightiest; None where nothing calls for one. types: of the stored events."""
    if "Undone" in types or "TakenBack" in types:
        return Tune.UNDO
    last = after["last"]
    if "Thrown" in types and last is not None:
        if last["jump"]:
            return Tune.JUMP
        return Tune.CHAMPION if last["champion"] in CHAMPION else Tune.ACCEPTED
    if types and {"ThrowCorrected", "Redone"} & set(types):
        return Tune.ACCEPTED
    if "Started" in types or _turn(before) != _turn(after):
        return Tune.NEXT
    return Tune.ACCEPTED if "Answered" in types and after["question"] is None else None


def _turn(state: Mapping[str, Any]) -> str | None:
    turn = state["turn"]
    return None if turn is None else str(turn["id"])

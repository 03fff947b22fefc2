"""`bobing score`, `bobing replay` and `bobing rules`: the rules on the command line (bobing-rules.md section 7)."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from device.cli.output import OK, CallError, WorldError, counted, emit, line, say
from device.permission import not_allowed
from device.rulesfile import allowed, load_rules, rules_and_names
from rules.bobing.errors import DiceError
from rules.bobing.hand import Hand, score, six_dice
from rules.bobing.houserules import PRESETS, HouseRules, warnings
from rules.bobing.names import TIER_ZH, TIERS
from rules.bobing.replay import ReplayError, replay, summary
from rules.bobing.why import hand_en, hand_zh

"""So many bad lines are named."""
PRESET_WORDS = {
    "xiamen": "text A: the long Xiamen rules, 跳猴 skips a turn, the last champion throw counts",
    "short": "text B: the six-line list, no bundles, the best champion throw counts",
    "contest": "text C: contest rules, 六博红 takes what is on the table, 六博黑 is shared",
    "chase": "text D: sold-out cakes are chased from the nearest winner",
    "fifteen": "text E: fifteen clauses, 遍地锦, 插金花 on top and protected, chase",
    "company": "for companies: six-alike throws only rank, six turns each, a champion by sum if need be",
}


def _dice_of_words(words: Sequence[str]) -> tuple[int, ...]:
    if len(words) == 1 and len(words[0]) == 6 and words[0].isdigit():
        raise DiceError(f"put spaces between the dice, as {' '.join(words[0])}")
    try:
        return six_dice([int(word) for word in words])
    except ValueError as fault:
        if isinstance(fault, DiceError):
            raise
        raise DiceError(f"dice are whole numbers from 1 to 6, not {' '.join(words)!r}") from fault


def _sentence(hand: Hand) -> str:
    cakes = ", ".join(f"{TIER_ZH[tier]} {n}" for tier, n in zip(TIERS, hand.awards, strict=True) if n)
    return f"{hand.text}  ({hand_en(hand.kind, hand.carry)})  {cakes or 'no cakes'}"


def run_score(words: Sequence[str], rules_spec: str, as_json: bool) -> int:
    """One throw from the command line, or a stream of JSON arrays from standard input."""
    rules = load_rules(rules_spec)
    if list(words) == ["-"]:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # a line that is no text is one bad line, not the end of the stream
        return _score_stream(sys.stdin, rules)
    try:
        hand = score(_dice_of_words(words), rules)
    except DiceError as fault:
        raise CallError(f"score: {fault}") from fault
    if as_json:
        emit(hand.as_json())
    else:
        line(_sentence(hand))
    return OK


def _score_stream(lines: Iterable[str], rules: HouseRules) -> int:
    """An answer for every line that is not blank, in its place: what was wrong with a bad one, and the stream goes on."""
    answered = 0
    dumps = json.JSONEncoder(ensure_ascii=False).encode
    out = sys.stdout
    interactive = out.isatty() or sys.stdin.isatty()
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        answer: dict[str, Any]
        try:
            answer = score(six_dice(json.loads(text)), rules).as_json()
        except DiceError as fault:
            answer = {"error": str(fault), "line": number}
        except (ValueError, RecursionError):
            answer = {"error": "not a JSON array of six dice", "line": number}
        answered += 1
        out.write(dumps(answer) + "\n")
        if interactive:
            out.flush()
    out.flush()
    if not answered:
        say("bobing: score: nothing came on standard input: write a throw on each line, as [1,2,3,4,5,6]")
    return OK


def run_replay(file: str, as_json: bool) -> int:
    """A whole game from a file (`-`: standard input); one object, or words for people."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        number = fault.object[: fault.start].count(b"\n") + 1
        raise CallError(f"replay: {file}: line {number}: not UTF-8 text") from fault
    except FileNotFoundError as fault:
        raise CallError(f"replay: {file}: no such file") from fault
    except PermissionError as fault:
        raise WorldError(f"replay: {not_allowed(file, 'read').en}") from fault
    except (OSError, ValueError) as fault:
        raise WorldError(f"replay: {file} can't be read: {getattr(fault, 'strerror', None) or fault}") from fault
    try:
        answer = summary(replay(text.split("\n")))
    except ReplayError as fault:
        raise CallError(f"replay: {file}: {fault}") from fault
    if as_json:
        emit(answer)
        return OK
    # the hands keep their own names; the sentences about them are in one language
    line(f"{'over' if answer['over'] else 'under way'}: {counted(answer['throws'], 'throw')}" + (f", next {answer['turn']}" if answer["turn"] else ""))
    for player in answer["players"]:
        cakes = ", ".join(f"{TIER_ZH[tier]} {n}" for tier, n in player["cakes"].items() if n)
        line(f"  {player['name']}: {cakes or 'no cakes'}{'  (misses the next turn)' if player['skip'] else ''}")
    champion = answer["champion"]
    for one in answer.get("champions", [] if champion is None else [champion]):
        line(f"{'champion' if answer['over'] else 'champion so far'}: {one['player']}, {_champion(one)}")
    return OK


def _champion(one: Mapping[str, Any]) -> str:
    """The hand that holds a champion cake, in its own name and what that means, and its dice."""
    dice = "" if one["dice"] is None else f"  {' '.join(map(str, one['dice']))}"
    return f"{hand_zh(one['kind'], one['carry'])}  ({hand_en(one['kind'], one['carry'])}){dice}"


def run_rules(action: str, spec: str | None, as_json: bool) -> int:
    """`list` the presets, `show` every switch of one, `check` a file."""
    if action == "list":
        for name in PRESETS:
            if as_json:
                emit({"preset": name, "text": PRESET_WORDS[name]})
            else:
                line(f"{name:9} {PRESET_WORDS[name]}")
        return OK
    if spec is None:
        raise CallError(f"rules {action}: name a preset or a file")
    rules, names = rules_and_names(spec)
    if action == "show":
        if as_json:
            emit(rules.as_object())
        else:
            _show(rules)
        return OK
    for text in warnings(rules):
        say(f"{spec}: {text}")
    if as_json:
        nothing = [f"it sets nothing, so these are the rules of {rules.preset} as they are"] if not names else []
        emit({"ok": True, "preset": rules.preset, "warnings": [*nothing, *warnings(rules)]})
    elif not names:
        line(f"{spec}: good, but it sets nothing, so these are the rules of {rules.preset} as they are (bobing rules show {rules.preset})")
    else:
        line(f"{spec}: good house rules (preset {rules.preset})")
    return OK


def _show(rules: HouseRules) -> None:
    line(f"preset = {json.dumps(rules.preset)}")
    set_to = {name: f"{name} = {json.dumps(value)}" for name, value in rules.switches().items()}
    width = max(map(len, set_to.values())) + 2
    for name, text in set_to.items():
        line(f"{text:{width}}# {allowed(name)}")

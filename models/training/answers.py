"""Asking a reader for its answers: ours, or any program that speaks the JSON of `bobing read`.

A picture that is not answered has an answer with the key "error": it is counted, and never taken for a bowl without dice.
"""

from __future__ import annotations

import json
import math
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.judge import Answer
from vision.bowl import Bowl
from vision.calibration import Calibration
from vision.detector import OnnxDetector
from vision.reader import Reader
from vision.reading import Frame

Answers = Callable[[Sequence[Path], "Bowl | None", bool], Iterable[Answer]]
"""Pictures of one bowl (None: photos), and whether they show an open table; an answer each, in their order."""
AT_ONCE = 50
"""So many pictures a program is given in one call."""


class Unmeasurable(Exception):
    """Nothing can be measured so; one plain line. status: that of the command, 2 where the call was wrong."""

    def __init__(self, line: str, status: int = 2) -> None:
        super().__init__(line)
        self.status = status


def picture(path: Path) -> Frame | None:
    """A picture as `bobing read` sees it, turned as its EXIF says; None where it can't be decoded."""
    try:
        coded = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError:
        return None
    frame = cv2.imdecode(coded, cv2.IMREAD_COLOR) if coded.size else None
    return None if frame is None else np.asarray(frame, np.uint8)


def own_reader(models_dir: Path) -> Answers:
    """The reader of this checkout; ms is processor time. Raises ModelFault."""
    cv2.setNumThreads(1)
    detector = OnnxDetector.load(models_dir)

    def answers(paths: Sequence[Path], bowl: Bowl | None, open_table: bool) -> Iterable[Answer]:
        for path in paths:
            frame = picture(path)
            if frame is None:
                yield _failed("the picture can't be decoded")
                continue
            began = time.process_time()
            reading = Reader(detector, bowl, open_table).read(frame)
            yield {**reading.as_json(), "ms": (time.process_time() - began) * 1000}

    return answers


def command(line: str) -> Answers:
    """Any program that speaks the JSON of `bobing read`; raises Unmeasurable where there is none.

    It is given `--no-bowl` for photos, and `--calibration FILE` where the bowl's empty picture is known.
    """
    try:
        program = shlex.split(line)
    except ValueError as fault:
        raise Unmeasurable(f"--command {line}: a quotation mark is missing") from fault
    if not program:
        raise Unmeasurable("--command: name a program, as --command 'bobing read --json'")

    def answers(paths: Sequence[Path], bowl: Bowl | None, open_table: bool) -> Iterable[Answer]:
        with tempfile.TemporaryDirectory() as folder:
            words = [*program, *(["--no-bowl"] if open_table else [])]
            if bowl is not None and bowl.background is not None:
                file = Path(folder) / "measured.calibration"
                Calibration(bowl.rim, bowl.background, 100, ("made for measuring",)).save(file)
                words += ["--calibration", str(file)]
            for i in range(0, len(paths), AT_ONCE):
                yield from _called(words, [str(path) for path in paths[i : i + AT_ONCE]])

    return answers


def _called(words: Sequence[str], some: Sequence[str]) -> Iterable[Answer]:
    try:
        done = subprocess.run(
            [*words, *some], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False
        )
    except (OSError, ValueError) as fault:
        raise Unmeasurable(f"--command {words[0]}: this program can't be started ({fault})") from fault
    told = {}
    for line in done.stdout.splitlines():
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(answer, dict) and isinstance(answer.get("image"), str):
            told[answer["image"]] = answer
    said = next((line.strip() for line in reversed(done.stderr.splitlines()) if line.strip()), "")
    silence = f"exit status {done.returncode}, {said or 'and nothing said'}" if done.returncode else "no line of JSON that names it"
    for name in some:
        answer = told.get(name)
        if answer is None:
            yield _failed(silence)
        elif "error" in answer:
            yield _failed(str(answer["error"]))
        else:
            yield answer if _speaks(answer) else _failed("its JSON is not that of bobing read")


def _failed(reason: str) -> Answer:
    return {"dice": [], "values": [], "verdict": "none", "error": reason}


def _speaks(answer: Mapping[str, Any]) -> bool:
    """Whether an answer has all that is measured, as design.md prints it."""
    dice, values, ms = answer.get("dice"), answer.get("values", []), answer.get("ms")
    if not isinstance(dice, list) or not isinstance(values, list) or not isinstance(answer.get("verdict"), str):
        return False
    return all(map(_is_die, dice)) and all(type(v) is int for v in values) and (ms is None or _numbers([ms], 1))


def _is_die(die: Any) -> bool:
    if not isinstance(die, dict) or not _numbers(die.get("box"), 4) or not _numbers([die.get("confidence")], 1):
        return False
    value, top = die.get("value", ""), die.get("top")
    return (value is None or type(value) is int) and (top is None or _numbers(top, 2))


def _numbers(value: Any, count: int) -> bool:
    if not isinstance(value, list) or len(value) != count:
        return False
    return all(isinstance(n, int | float) and not isinstance(n, bool) and abs(n) < math.inf for n in value)

"""`bobing bench` measures every stage; how fast it is here is no test."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.capture import Capture
from device.cli.bench_camera import watching
from device.cli.benching import run_bench
from device.shots import Shot
from vision.watcher import Watcher


def test_the_bench_names_every_stage_with_a_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_bench(as_json=True) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = " ".join(row["stage"] for row in rows)
    assert all(
        word in told
        for word in ("score", "replay", "decided", "undo", "state", "1280x720", "1920x1080", "watched", "loading")
    )
    assert all(row["value"] > 0 for row in rows)


class Late:
    """A camera that tells its figures so many pictures after it is asked."""

    def __init__(self, late: int) -> None:
        self._late = late
        self._owed: list[tuple[int, Callable[[dict[str, float]], None]]] = []
        self._index = 0

    def lock(self, locked: Callable[[dict[str, float]], None]) -> None:
        self._owed.append((self._index + self._late, locked))

    def __iter__(self) -> Iterator[Shot]:
        for self._index in itertools.count():
            while self._owed and self._owed[0][0] <= self._index:
                self._owed.pop(0)[1]({"cpu": 0.01 * self._index, "pictures": float(self._index)})
            yield Shot(self._index, self._index / 30, np.zeros((40, 60, 3), np.uint8))


class Blind:
    bowl = None

    def feed(self, *_: Any) -> list[Any]:
        return []


@given(st.integers(1, 200))
def test_idle_watching_is_measured_to_its_end_however_late_the_capturing_process_answers(late: int) -> None:
    """It once counted on exactly one answer between two pictures, and watched for ever where two came."""
    spent = watching(cast(Capture, Late(late)), cast(Watcher, Blind()), lambda: 0.0)
    assert spent == pytest.approx(0.01)

"""`bobing bench` measures every stage; how fast it is here is no test."""

from __future__ import annotations

import json

import pytest

from device.cli.benching import run_bench


def test_the_bench_names_every_stage_with_a_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_bench(as_json=True) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = " ".join(row["stage"] for row in rows)
    assert all(
        word in told
        for word in ("score", "replay", "decided", "undo", "state", "1280x720", "1920x1080", "watched", "loading")
    )
    assert all(row["value"] > 0 for row in rows)

"""The table of faults is true: every test that docs/faults.md names exists, and every fault of the contract has its line."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAULTS = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")


def test_every_test_that_a_promise_rests_on_exists() -> None:
    there = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    named = set(re.findall(r"`(test_\w+)`", FAULTS))
    assert len(named) > 30
    assert named - there == set()


def test_every_fault_has_a_promise_and_a_test() -> None:
    rows = [row.split("|")[1:4] for row in FAULTS.splitlines() if row.startswith("| ") and "what happens" not in row]
    assert all(what.strip() and promise.strip() and "`test_" in held for what, promise, held in rows)
    text = " ".join(what for what, _, _ in rows)
    for fault in ("kill -9", "power", "flipped", "full", "clock", "camera", "box", "Wi-Fi", "twice", "two operators", "restarts", "reader", "capturing"):
        assert fault in text

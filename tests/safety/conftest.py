"""What the tests of safety share: short counts here, long ones under `make soak`, and figures that are told."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

SOAK = float(os.environ.get("BOBING_SOAK") or 0)
"""0 in `make test`; 1 in `make soak`, or the part of it that PART asks for."""


@pytest.fixture(scope="session")
def count() -> Callable[[int, int], int]:
    """count(short, long): how often something is tried, in `make test` or in `make soak`."""
    return lambda short, long: max(short, round(long * SOAK))


@pytest.fixture
def figure(request: pytest.FixtureRequest, capfd: pytest.CaptureFixture[str]) -> Iterator[Callable[[str], None]]:
    """Tells a measured figure; `make soak` prints it and adds it to the file that BOBING_FIGURES names."""

    def tell(text: str) -> None:
        line = f"{request.node.name}: {text}"
        kept = os.environ.get("BOBING_FIGURES")
        if kept:
            with Path(kept).open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        if SOAK:
            with capfd.disabled():
                print(line, flush=True)

    yield tell

"""What end-to-end tests share: the emulated box, built once a run; helpers of other rooms are imported by name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "firmware_bridge"))
sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))

from emulated import built_emulator


@pytest.fixture(scope="session")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The emulated chip as a program."""
    return built_emulator(tmp_path_factory.mktemp("emulator"))

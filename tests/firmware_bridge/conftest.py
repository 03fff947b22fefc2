"""Fixtures of the box: built once a run, one chip a test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from emulated import Cable, Chip, built_emulator, built_firmware


@pytest.fixture(scope="session")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built emulator."""
    return built_emulator(tmp_path_factory.mktemp("emulator"))


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built firmware as Intel hex."""
    return built_firmware(tmp_path_factory.mktemp("firmware"))


@pytest.fixture
def new_chip(emulator: Path, firmware: Path) -> Iterator[Callable[..., Chip]]:
    """Powers chips on; further images (a bootloader) may follow the firmware."""
    chips: list[Chip] = []

    def make(*images: Path) -> Chip:
        chips.append(Chip(emulator, firmware, *images))
        return chips[-1]

    yield make
    for chip in chips:
        chip.close()


@pytest.fixture
def chip(new_chip: Callable[..., Chip]) -> Chip:
    """A box that was just powered on."""
    return new_chip()


@pytest.fixture
def cable(chip: Chip) -> Cable:
    """A box and a host that are linked."""
    return Cable(chip).link()

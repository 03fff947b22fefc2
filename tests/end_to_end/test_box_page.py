"""The page about the box is true: its commands exist, its settings are taken, its lines of the protocol hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bobing
from device.box_roles import Roles
from device.config import Config, load
from firmware_bridge.codec import LineReader

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "box.md").read_text(encoding="utf-8")
COMMANDS = [
    line.partition("#")[0].split()[1:] for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines() if line.startswith("bobing ")
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_each_command_exists_with_its_options(words: list[str]) -> None:
    assert bobing.parser().parse_args(words)


@pytest.mark.parametrize("block", re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
def test_each_setting_is_taken(block: str, tmp_path: Path) -> None:
    (tmp_path / "bobing.toml").write_text(block, encoding="utf-8")
    assert load(tmp_path / "bobing.toml") != Config()


def test_the_defaults_are_those_of_the_program(tmp_path: Path) -> None:
    stated = re.findall(r"^\|[^|]+\|[^|]+\| `(\w+ = \"\w+\")`", PAGE, re.MULTILINE)
    (tmp_path / "bobing.toml").write_text("[box]\n" + "\n".join(stated) + "\n", encoding="utf-8")
    config = load(tmp_path / "bobing.toml")
    assert len(stated) == 6
    assert config == Config()
    assert Roles(config.buttons, config.box_hold, config.box_together) == Roles()


def test_the_lines_of_the_protocol_hold() -> None:
    lines = re.findall(r"`([A-Z][^`*]*\*[0-9A-F]{4})`", PAGE)
    assert len(lines) == 3
    assert all(LineReader().feed(line.encode() + b"\n")[0].checked for line in lines)


def test_the_drawing_is_there() -> None:
    assert all((DOCS / name).exists() for name in re.findall(r"\]\(([\w.-]+)\)", PAGE))

"""README is true: every command that it names exists, with every option, and every file that it links is there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from device.config import Config, load

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


def written() -> list[list[str]]:
    """Every command that README shows, in a block or in a line, as its words; remarks left out, \\ as /."""
    lines = [line for block in BLOCK.findall(README) for line in block.splitlines()]
    lines += INLINE.findall(BLOCK.sub("", README))
    return [words for line in lines if (words := shlex.split(line.replace("\\", "/"), comments=True))]


def bobing_calls() -> list[list[str]]:
    """The words after `bobing`, wherever the program is called from."""
    return [words[1:] for words in written() if Path(words[0]).name == "bobing" and len(words) > 1]


@cache
def said(*words: str) -> str:
    """What the program answers to these words."""
    command = [sys.executable, "-c", "import sys, bobing; sys.exit(bobing.main())", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_two_commands_stand_on_the_first_screen() -> None:
    first_screen = README.splitlines()[:40]
    assert "make run" in "\n".join(first_screen)
    assert "make test" in "\n".join(first_screen)


def test_every_make_target_that_readme_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = {word for words in written() if words[0] == "make" for word in words[1:] if "=" not in word}
    assert {"run", "test", "bench"} <= named <= targets


def test_every_command_that_readme_names_exists() -> None:
    known = said("--help")
    named = {words[0] for words in bobing_calls() if not words[0].startswith("-")}
    assert named
    assert {name for name in named if not re.search(rf"\b{re.escape(name)}\b", known)} == set()


@pytest.mark.parametrize("words", bobing_calls(), ids=" ".join)
def test_every_option_that_readme_names_exists(words: list[str]) -> None:
    options = {word.split("=")[0] for word in words if word.startswith("--")}
    if options:
        assert {option for option in options if option not in said(words[0], "--help")} == set()


def test_everything_that_readme_links_is_there() -> None:
    links = [link for link in LINK.findall(README) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_windows_is_told_the_same_without_make() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for step in (r"ruff check .", r"mypy", r"pytest", r"bobing run"):
        assert step in makefile
        assert rf".venv\Scripts\{step}" in README


def block(language: str) -> str:
    """The one block of README in this language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_settings_and_the_game_that_readme_shows_are_taken(tmp_path: Path) -> None:
    (tmp_path / "bobing.toml").write_text(block("toml"), encoding="utf-8")
    assert load(tmp_path / "bobing.toml").players == ("甲", "乙")
    (tmp_path / "game.jsonl").write_text(block("json"), encoding="utf-8")
    assert "乙" in said("replay", str(tmp_path / "game.jsonl"))


def test_that_others_may_look_is_said_only_with_the_option_that_lets_them() -> None:
    assert Config().host == "127.0.0.1"
    looks = [line for line in README.splitlines() if re.search(r"network may look|phones look|http://table", line)]
    around = README.splitlines()
    assert looks
    for line in looks:
        at = around.index(line)
        assert "0.0.0.0" in "\n".join(around[max(0, at - 3) : at + 1]), line

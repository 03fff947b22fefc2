"""A file of house rules or settings that is wrong: one line names the file, the switch or line, the value, and what is allowed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from device.config import ConfigError
from device.config import load as load_settings
from device.errors import Refused
from device.rulesfile import allowed, load_rules
from rules.bobing.houserules import SWITCHES


def refused(content: bytes, folder: Path) -> str:
    """What is said of a rules file with this content."""
    (folder / "house.toml").write_bytes(content)
    with pytest.raises(Refused) as no:
        load_rules(str(folder / "house.toml"))
    said = str(no.value.en)
    assert said.startswith(f"{folder / 'house.toml'}: ") and len(said.splitlines()) == 1
    return said.removeprefix(f"{folder / 'house.toml'}: ")


@pytest.mark.parametrize("value", ["no such value", -7, 1.5, [1, "x"], {"a": 1}, "“" * 3000])
@pytest.mark.parametrize("switch", ["preset", *SWITCHES])
def test_a_wrong_value_is_told_with_its_switch_and_what_is_allowed(switch: str, value: object, tmp_path: Path) -> None:
    written = json.dumps(value, ensure_ascii=False) if not isinstance(value, dict) else "{ a = 1 }"
    said = refused(f"{switch} = {written}\n".encode(), tmp_path)
    assert said.startswith(f"{switch}: ") and "; allowed: " in said
    # the value, or the part of it that is wrong, as it is written
    shown = {"no such value": '"no such value"', "-7": "-7", "1.5": "1.5"}.get(str(value), "")
    assert shown in said and len(said) < 500


@pytest.mark.parametrize("switch", ["preset", *SWITCHES])
def test_a_switch_that_is_no_toml_is_told_with_its_line_and_what_is_allowed(switch: str, tmp_path: Path) -> None:
    for wrong in ("", "void", "[1, 2", '"void', "'void", "“void”", "5 of them", "True", "= 1"):
        before, after = "# our rules\n\n", "\n# the end\n"
        said = refused(f"{before}{switch} = {wrong}{after}".encode(), tmp_path)
        assert f"line 3, {switch} =" in said and f"allowed for {switch}: {allowed(switch)}" in said, wrong


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"sets = 1\nsets = 2\n", "line 2, sets = 2: sets is set a second time"),
        (b"jump = void\n", 'words stand in quotes, as jump = "void"'),
        (b"sets: 1\n", "a value is set with ="),
        (b"ladder = [\n\"wuzi\" \"wuhong\"]\n", "line 2, "),
        (b"sets = 1\n\xff\xfe\n", "line 2: not UTF-8"),
        (b"sld_out = 'chase'\n", "is sold_out meant?"),
        (b"liubohei_faces = [2, 1, 1]\n", "1 stands in it twice"),
        (b"chase_tiers = ['erju', 'erju']\n", '"erju" stands in it twice'),
        (b"\x1b[31m = [\n", "line 1, "),
    ],
)
def test_what_is_wrong_is_said_for_what_it_is(content: bytes, words: str, tmp_path: Path) -> None:
    said = refused(content, tmp_path)
    assert words in said and said.isprintable()


def test_settings_that_are_no_toml_are_told_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "bobing.toml").write_text("[table]\nrules = xiamen\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="not TOML: line 2, rules = xiamen: words stand in quotes"):
        load_settings(tmp_path / "bobing.toml")

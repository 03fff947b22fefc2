"""`bobing backup`, `restore` and `export` say what was saved and what comes next, and of a folder that holds no table why it does not."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from table_talk import THREE_REDS, give, started

import bobing
from device.backup import back_up, restore
from device.config import Places, load, places
from device.pairing import FILE_NAME, Pairing, Role
from device.rulesfile import load_rules
from device.table import Table

WALL = 1_700_000_000.0


@pytest.fixture
def evening(make: Callable[..., Table], tmp_path: Path) -> Path:
    """A folder in which two games were begun and three throws stand."""
    table = started(make(wall=lambda: WALL))
    give(table, "throw", dice=list(THREE_REDS))
    give(table, "end")
    started(table)
    for _ in range(3):
        give(table, "throw", dice=list(THREE_REDS))
    give(table, "undo")
    table.close()
    return tmp_path


@pytest.mark.parametrize("folder", ["there", "a folder with spaces"])
def test_a_restore_says_what_is_there_now_and_how_to_go_on(evening: Path, folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, there = str(evening / "evening.zip"), str(evening / folder)
    assert bobing.main(["backup", "--data", str(evening), "--out", out]) == 0
    assert bobing.main(["restore", out, "--data", there]) == 0
    said = capsys.readouterr().err
    until = time.strftime("%Y-%m-%d %H:%M", time.localtime(WALL))
    assert f"restored: 2 games, 3 throws, the last one changed on {until}" in said
    assert said.splitlines()[-1] == "bobing: go on with bobing run --data " + (there if " " not in there else f"'{there}'")
    # what programs read is as it was
    assert bobing.main(["restore", out, "--data", there, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"file", "records", "files"}


@pytest.mark.parametrize("command", ["backup", "export"])
@pytest.mark.parametrize(("kind", "words"), [("none", "does not exist"), ("file", "is a file"), ("empty", "no game was kept there")])
def test_a_folder_that_holds_no_table_is_named_with_the_reason_and_what_to_do(
    command: str, kind: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / kind
    if kind == "file":
        folder.write_text("x", encoding="utf-8")
    elif kind == "empty":
        folder.mkdir()
    assert bobing.main([command, "--data", str(folder)]) == 1
    said = capsys.readouterr().err
    assert str(folder) in said and words in said and "bobing run --data" in said and said.count("\n") == 1
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(("out", "words"), [("none/evening.zip", "there is no folder"), (".", "is a folder")])
def test_a_backup_that_has_no_place_to_go_is_told_why(evening: Path, out: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(evening.iterdir())
    assert bobing.main(["backup", "--data", str(evening), "--out", str(evening / out)]) == 1
    said = capsys.readouterr().err
    assert words in said and "--out" in said and sorted(evening.iterdir()) == before


def test_a_restore_speaks_of_paired_phones_only_where_there_are_some(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(evening / "evening.zip")
    assert bobing.main(["backup", "--data", str(evening), "--out", out]) == 0
    for phones in (0, 1):
        pairing = Pairing(evening / FILE_NAME, lambda: 0.0, lambda: WALL, random.Random(6).randbytes)
        if phones:
            pairing.pair(pairing.offer(Role.OPERATOR).code, "192.168.1.7", "phone")
        assert bobing.main(["restore", out, "--data", str(evening)]) == 0
        assert ("phones that were paired" in capsys.readouterr().err) == bool(phones)


def test_a_backup_takes_no_other_files_place(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = evening / "evening.zip"
    out.write_text("somebody's photos")
    assert bobing.main(["backup", "--data", str(evening), "--out", str(out)]) == 1
    said = capsys.readouterr().err
    assert str(out) in said and "another name" in said and said.count("\n") == 1
    assert out.read_text() == "somebody's photos"


def test_house_rules_are_in_the_backup_and_the_restored_table_plays_by_them(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (evening / "bobing.toml").write_text('[table]\nrules = "house.toml"\n')
    (evening / "house.toml").write_text('preset = "chase"\n')
    out, there = str(evening / "evening.zip"), evening / "there"
    assert bobing.main(["backup", "--data", str(evening), "--out", out]) == 0
    (evening / "house.toml").unlink()
    assert bobing.main(["restore", out, "--data", str(there)]) == 0
    assert "not there" not in capsys.readouterr().err
    assert load_rules(load(places(there).config).rules).preset == "chase"


def test_house_rules_that_are_not_there_are_named_by_a_backup(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (evening / "bobing.toml").write_text('[table]\nrules = "house.toml"\n')
    assert bobing.main(["backup", "--data", str(evening), "--out", str(evening / "evening.zip")]) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"bobing: {evening / 'house.toml'}: the settings name this file, but it is not there")


def test_a_table_whose_settings_lie_elsewhere_finds_what_was_restored(evening: Path, tmp_path: Path) -> None:
    (evening / "bobing.toml").write_text('[table]\nrules = "house.toml"\n')
    (evening / "house.toml").write_text('preset = "chase"\n')
    back_up(places(evening), tmp_path / "evening.zip", WALL, pictures=False)
    apart = Places(tmp_path / "share", tmp_path / "etc" / "bobing.toml")
    restore(tmp_path / "evening.zip", apart)
    assert load_rules(load(apart.config).rules).preset == "chase"

"""What a table is set to survives being written and read, and each mistake in the file is one line that helps."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device import config
from device.config import Config, ConfigError
from device.errors import Fault
from rules.bobing.houserules import PRESETS

LETTERS = st.characters(exclude_categories=("Cc", "Cs"))
TEXT = st.text(LETTERS, min_size=1, max_size=20).filter(str.strip)
ROLE = st.sampled_from(config.ROLES)
CONFIGS = st.builds(
    Config,
    language=st.sampled_from(["zh-CN", "zh-TW", "en"]),
    confirm=st.sampled_from(["unsure", "always"]),
    rules=st.sampled_from([*PRESETS]),
    players=st.lists(TEXT, unique=True, max_size=5).map(tuple),
    source=st.none() | TEXT,
    calibration=st.none() | TEXT.filter(lambda name: name.strip(". ") and "/" not in name and "\\" not in name),
    box_port=st.none() | TEXT,
    button_a=ROLE,
    button_b=ROLE,
    button_c=ROLE,
    button_d=ROLE,
    host=TEXT,
    port=st.integers(0, 65535),
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "bobing.toml"
    path.write_text(text, encoding="utf-8")
    return path


@settings(max_examples=60, deadline=None)
@given(CONFIGS)
def test_what_is_saved_is_what_is_loaded(tmp_path_factory: Any, wanted: Config) -> None:
    path = tmp_path_factory.mktemp("c") / "table" / "bobing.toml"
    config.save(path, wanted)
    beside = None if wanted.calibration is None else str(path.parent / wanted.calibration)
    assert config.load(path) == replace(wanted, calibration=beside)
    config.save(path, config.load(path))
    assert config.load(path) == replace(wanted, calibration=beside)


def test_a_table_that_was_never_set_up_has_the_defaults(tmp_path: Path) -> None:
    assert config.load(tmp_path / "bobing.toml") == Config()
    assert config.load(written(tmp_path, "")) == Config()
    assert Config().confirm == "unsure"
    assert Config().host == "127.0.0.1"
    assert Config().buttons == {"A": "confirm", "B": "undo", "C": "next", "D": "free"}


def test_a_file_of_every_section_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, """
        [table]
        language = "en"
        confirm = "always"
        rules = "chase"
        players = ["甲", "乙"]
        [camera]
        source = 0
        calibration = "rim.json"
        [box]
        port = "ttyUSB0"
        d = "jump"
        [server]
        host = "0.0.0.0"
        port = 80
    """)
    assert config.load(path) == Config(
        language="en", confirm="always", rules="chase", players=("甲", "乙"), source="0", calibration=str(tmp_path / "rim.json"),
        box_port="ttyUSB0", button_d="jump", host="0.0.0.0", port=80,
    )


@pytest.mark.parametrize(("text", "names"), [
    ("[tabel]\n", ["[tabel]", "[table]", "[camera]", "[box]", "[server]"]),
    ("[table]\nconfrim = 1\n", ["[table]", "confrim", "language", "confirm", "rules", "players"]),
    ('[table]\nconfirm = "never"\n', ["[table] confirm", '"never"', '"unsure" or "always"']),
    ("[table]\nconfirm = true\n", ["[table] confirm", "true", '"unsure" or "always"']),
    ("[table]\nrules = 3\n", ["[table] rules", "preset"]),
    ('[table]\nplayers = "甲"\n', ["[table] players", '"甲"', "a list"]),
    ('[table]\nplayers = ["甲", "甲"]\n', ["[table] players", "different"]),
    ('[table]\nplayers = ["甲", 3]\n', ["[table] players", "a list"]),
    ("[camera]\nsource = -1\n", ["[camera] source", "number"]),
    ("[camera]\nsource = true\n", ["[camera] source", "number"]),
    ("[box]\nport = 3\n", ["[box] port", "serial"]),
    ('[box]\na = "explode"\n', ["[box] a", '"confirm"', '"undo"', '"next"', '"free"']),
    ("[server]\nport = 65536\n", ["[server] port", "65536", "65535"]),
    ("[server]\nport = true\n", ["[server] port", "true", "65535"]),
    ('[server]\nhost = " "\n', ["[server] host"]),
    ('[server]\nhost = "a\\u0007"\n', ["[server] host"]),
    ("table = 1\n", ["[table]"]),
    ('[table]\n"a\\nb" = 1\n', ["has no key a b", "players"]),
    ("[table\n", ["TOML", "line 1"]),
    ("[server]\nport = 1979-05-27\n", ["[server] port", "1979-05-27"]),
])
def test_a_mistake_is_one_line_that_names_what_is_allowed(tmp_path: Path, text: str, names: list[str]) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as error:
        config.load(path)
    assert "\n" not in error.value.en
    for name in [str(path), *names]:
        assert name in error.value.en
        assert name in error.value.zh


def test_a_file_that_notepad_saved_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bobing.toml"
    path.write_bytes(b"\xef\xbb\xbf[table]\r\nlanguage = \"en\"\r\n")
    assert config.load(path).language == "en"


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bobing.toml"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(ConfigError, match="UTF-8"):
        config.load(path)


def test_a_file_that_cannot_be_read_is_a_fault_and_not_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="can't read"):
        config.load(tmp_path)


def test_settings_that_cannot_be_are_not_written(tmp_path: Path) -> None:
    path = written(tmp_path, '[table]\nlanguage = "en"\n')
    with pytest.raises(ConfigError, match="confirm"):
        config.save(path, replace(Config(), confirm="never"))
    assert config.load(path).language == "en"


def test_a_folder_that_cannot_be_written_leaves_the_settings_as_they_were(read_only_folder: Path) -> None:
    with pytest.raises(Fault, match="can't write"):
        config.save(read_only_folder / "bobing.toml", Config())
    assert list(read_only_folder.iterdir()) == []


def test_data_names_one_folder_for_everything(tmp_path: Path) -> None:
    assert config.places(tmp_path) == config.Places(tmp_path, tmp_path / "bobing.toml")


def test_without_data_the_folders_are_those_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "etc"))
    found = config.places(None)
    assert found.config.name == "bobing.toml"
    assert "bobing" in found.data.parts


KINDS = {"rules": "table", "calibration": "camera", "dice": "camera", "certificate": "server", "key": "server"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("restored", [False, True])
@pytest.mark.parametrize("named", ["a file", "/where/the/old/laptop/had/it/a file"])
def test_a_file_is_found_beside_the_settings_and_where_a_backup_restores_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, restored: bool, named: str
) -> None:
    file = tmp_path / "evening" / (kind if restored else "") / "a file"
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    (tmp_path / "evening" / "bobing.toml").write_text(f'[{KINDS[kind]}]\n{kind} = "{named}"\n')
    monkeypatch.chdir(tmp_path)
    found = getattr(config.load(Path("evening") / "bobing.toml"), kind)
    assert found == (str(file.resolve()) if restored or not named.startswith("/") else named)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_where_the_program_was_started_is_not_taken_for_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a file").write_text("{}")
    (tmp_path / "evening").mkdir()
    path = tmp_path / "evening" / "bobing.toml"
    path.write_text(f'[{KINDS[kind]}]\n{kind} = "a file"\n')
    monkeypatch.chdir(tmp_path / "here")
    assert getattr(config.load(path), kind) == str(tmp_path / "evening" / "a file")


def test_a_presets_name_stays_one_whatever_lies_beside_the_settings(tmp_path: Path) -> None:
    (tmp_path / "chase").write_text("")
    assert config.load(written(tmp_path, '[table]\nrules = "chase"\n')).rules == "chase"


def test_a_folder_beside_the_settings_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "bowl").mkdir()
    with pytest.raises(ConfigError, match='calibration can\'t be "bowl"'):
        config.load(written(tmp_path, '[camera]\ncalibration = "bowl"\n'))


@pytest.mark.skipif(sys.platform == "win32", reason="there it is as if nothing were there: run this test on Linux or macOS")
@pytest.mark.parametrize("below", [".", "deeper/still"])
def test_a_file_in_place_of_the_folder_is_called_one(tmp_path: Path, below: str) -> None:
    file = tmp_path / "evening"
    file.write_text("")
    with pytest.raises(Fault) as fault:
        config.load(config.places(file / below).config)
    assert fault.value.en == f"{file} is a file, not a folder: name a folder with --data"


def test_what_the_file_names_is_told_apart_from_what_it_leaves_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "bobing.toml"
    assert config.named(path) == frozenset()
    path.write_text('[table]\nplayers = []\nrules = "xiamen"\n[box]\na = "undo"\n[server]\n', encoding="utf-8")
    assert config.named(path) == {"players", "rules", "button_a"}
    path.write_text("table = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        config.named(path)

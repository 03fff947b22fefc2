"""What commands say of themselves and of what went wrong is what is so."""

from __future__ import annotations

import argparse
import io
import json
import re
import tomllib
from pathlib import Path

import pytest

import bobing
from device.cli.watching import _print
from device.config import FILE_NAME
from device.errors import Fault
from device.sources import open_source
from rules.bobing.houserules import PRESETS
from rules.bobing.names import KIND_ZH, TIER_ZH
from vision.reading import Reading, Verdict
from vision.seen import Seen

ROOT = Path(__file__).resolve().parents[2]


def arguments(parser: argparse.ArgumentParser) -> list[tuple[str, argparse.Action]]:
    """Every argument of every command, with the command's name."""
    found = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                found += arguments(sub)
        else:
            found.append((parser.prog, action))
    return found


@pytest.mark.parametrize("command", sorted({prog for prog, _ in arguments(bobing.parser())}))
def test_every_argument_says_what_it_is(command: str) -> None:
    silent = [action.dest for prog, action in arguments(bobing.parser()) if prog == command and not action.help]
    assert silent in ([], ["dice"])  # of `score`, whose own line says it


def test_the_version_is_the_projects(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        bobing.main(["--version"])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert ended.value.code == 0 and capsys.readouterr().out == f"bobing {project['version']}\n"


@pytest.mark.parametrize("preset", PRESETS)
def test_the_comments_of_shown_rules_stand_in_one_column_and_the_rest_is_a_rules_file(
    preset: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert bobing.main(["rules", "show", preset]) == 0
    shown = capsys.readouterr().out
    columns = {text.index("# ") for text in shown.splitlines() if "# " in text}
    assert len(columns) == 1 and not re.search(r"\S# ", shown)
    (tmp_path / "house.toml").write_text(shown, encoding="utf-8")
    assert bobing.main(["rules", "check", str(tmp_path / "house.toml")]) == 0


@pytest.mark.parametrize(
    ("content", "word"), [(b"x = = 1\n", "not TOML: "), (b"\xff\xfe", "not UTF-8"), (b"#" * 20_000, "too long")]
)
def test_settings_that_cant_be_read_are_said_for_what_they_are(
    content: bytes, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    assert bobing.main(["doctor", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert word in said and "allowed" not in said and said.count("\n") == 1


@pytest.mark.parametrize("host", ["nosuch.invalid", "192.0.2.77"])
def test_a_host_that_is_not_ours_is_named_and_not_the_port(host: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(bobing, "_ended", lambda status: status)
        assert bobing.main(["run", "--host", host, "--data", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "0.0.0.0" in said and "--port" not in said


def test_a_backup_that_is_not_there_is_a_wrong_call_and_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bobing.main(["restore", str(tmp_path / "none.zip"), "--data", str(tmp_path / "table")]) == 2
    assert "no such file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


OWN_NAMES = re.compile("|".join(sorted({*KIND_ZH.values(), *TIER_ZH.values(), "插金花", "带"}, key=len, reverse=True)))


def foreign(said: str) -> str:
    """What is Chinese in it besides the names of hands and cakes."""
    return "".join(re.findall(r"[\u3000-\u9fff\uff00-\uffef]", OWN_NAMES.sub("", said)))


@pytest.mark.parametrize("rules", PRESETS)
def test_a_score_speaks_one_language_besides_the_names_of_hands(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    for dice in ("444411", "123456", "233566", "666666", "111111", "444444", "111144", "444425", "333335", "444446", "411223", "444123"):
        assert bobing.main(["score", "--rules", rules, *dice]) == 0
    said = capsys.readouterr().out
    assert foreign(said) == "" and "no cakes" in said and "对堂 1" in said


@pytest.mark.parametrize(
    ("head", "throws", "words"),
    [
        ({}, [{"dice": [4, 1, 1, 2, 2, 3]}, {"jump": 1}], "under way: 2 throws, next Ann"),
        ({"liubohei": "share"}, [{"dice": [4, 4, 4, 4, 2, 5]}, {"dice": [2, 2, 2, 2, 2, 2]}], "over: 2 throws\n"),
        ({"sets": 2}, [{"dice": [4, 4, 4, 4, 2, 5]}, {"dice": [4, 4, 4, 4, 4, 5]}], "champion so far: Bob, 五红带5  (five reds with 5)  4 4 4 4 4 5"),
        ({}, [{"dice": [1, 2, 2, 3, 5, 6]}], "under way: 1 throw,"),
    ],
)
def test_a_replay_speaks_one_language_besides_the_names_of_hands(
    head: dict[str, object], throws: list[dict[str, object]], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [{"rules": {"preset": "xiamen", **head}, "players": ["Ann", "Bob"]}, *throws]
    (tmp_path / "game.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert bobing.main(["replay", str(tmp_path / "game.jsonl")]) == 0
    said = capsys.readouterr().out
    assert foreign(said) == "" and words in said


@pytest.mark.parametrize(
    "words",
    [
        ["read", ""],
        ["read", "a.jpg", " "],
        ["read", "--calibration", "", "a.jpg"],
        ["read", "--dice", "", "a.jpg"],
        ["watch", "--source", ""],
        ["calibrate", "", "--out", "x"],
        ["calibrate", "a.jpg", "--out", ""],
        ["enrol", "", "--out", "x"],
        ["run", "--source", ""],
        ["run", "--data", ""],
        ["run", "--host", ""],
        ["record", "--source", "", "--out", "x"],
        ["doctor", "--source", ""],
        ["export", "--data", ""],
        ["backup", "--out", ""],
        ["restore", ""],
        ["replay", ""],
        ["rules", "check", ""],
        ["score", "--rules", "", "444411"],
    ],
)
def test_an_empty_word_is_refused_and_stands_for_nothing(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bobing.main(words) == 2
    out, said = capsys.readouterr()
    assert out == "" and "an empty word names nothing" in said and f"bobing {words[0]}" in said and said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("spec", ["", " "])
def test_an_empty_source_is_none_wherever_it_is_named(spec: str) -> None:
    with pytest.raises(Fault, match="no source is named"):
        open_source(spec, lambda: 0.0)


@pytest.mark.parametrize("words", [["show", "--json", "xiamen"], ["--json", "show", "xiamen"], ["show", "xiamen", "--json"]])
def test_rules_are_shown_as_json_wherever_that_word_stands(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert bobing.main(["rules", *words]) == 0
    assert json.loads(capsys.readouterr().out)["preset"] == "xiamen"


@pytest.mark.parametrize(
    ("words", "help_"),
    [
        (["rules", "list", "foo"], "bobing rules list --help"),
        (["rules", "show", "xiamen", "--all"], "bobing rules show --help"),
        (["rules", "dance"], "bobing rules --help"),
        (["read", "a.jpg", "--colour"], "bobing read --help"),
        (["box", "test", "a", "b"], "bobing box test --help"),
        (["fly"], "bobing --help"),
    ],
)
def test_a_word_that_belongs_to_nothing_is_refused_with_the_help_of_its_command(
    words: list[str], help_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bobing.main(words) == 2
    assert capsys.readouterr().err.endswith(f"(see {help_})\n")


@pytest.mark.parametrize("content", ["", "# our house\n\n", "\ufeff"])
def test_a_rules_file_that_sets_nothing_is_good_and_called_that(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "house.toml").write_text(content, encoding="utf-8")
    words = ["rules", "check", str(tmp_path / "house.toml")]
    assert bobing.main(words) == 0
    assert "it sets nothing, so these are the rules of xiamen as they are" in capsys.readouterr().out
    assert bobing.main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True and told["preset"] == "xiamen" and "it sets nothing" in told["warnings"][0]


@pytest.mark.parametrize("content", ['preset = "xiamen"\n', "sets = 1\n"])
def test_a_rules_file_that_sets_something_is_not_called_empty(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "house.toml").write_text(content, encoding="utf-8")
    assert bobing.main(["rules", "check", str(tmp_path / "house.toml")]) == 0
    assert "nothing" not in capsys.readouterr().out
    assert bobing.main(["rules", "check", "xiamen", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == []


@pytest.mark.parametrize(
    ("given", "answers", "words"),
    [
        ("[1,2,3,4,5,6]\nfoo\n", [None, 2], ""),
        ("x\n[1,2]\n\n[4,4,4,4,1,1]\n", [1, 2, None], ""),
        ("[1,2,3,4,5,6]\n\n", [None], ""),
        ("", [], "nothing came on standard input"),
        ("\n\n", [], "nothing came on standard input"),
    ],
)
def test_a_stream_of_throws_is_answered_to_its_end_each_bad_line_in_its_place(
    given: str, answers: list[int | None], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(given))
    assert bobing.main(["score", "-"]) == 0
    out, said = capsys.readouterr()
    assert [json.loads(text).get("line") for text in out.splitlines()] == answers
    assert words in said and said.count("\n") == bool(words)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_watching_says_why_a_throw_is_not_sure_as_reading_does(verdict: Verdict, capsys: pytest.CaptureFixture[str]) -> None:
    reading = Reading((), None, verdict, "5 of 6 dice seen")
    _print(Seen("throw", 97, 3.23, 41, reading).as_json(), as_json=False)
    told = capsys.readouterr().out
    assert f"[{verdict}]" in told and ("5 of 6 dice seen" in told) == (verdict != Verdict.SURE)
    _print(Seen("cleared", 99, 3.3, 99).as_json(), as_json=False)
    assert capsys.readouterr().out.rstrip().endswith("the bowl is empty")

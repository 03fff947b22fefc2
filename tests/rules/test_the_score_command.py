"""`bobing score` as section 7 of the spec says: one throw, or a stream of them; and its faults."""

import io
import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import bobing

ROOT = Path(bobing.__file__).parent
FLOWER = {
    "dice": [4, 4, 4, 4, 1, 1],
    "kind": "chajinhua",
    "carry": None,
    "awards": {"zhuangyuan": 1, "duitang": 2},
    "rank": [3, 0],
    "text": "状元插金花",
}


def command(*words, feed=b"", **more):
    """The command in its own process, bytes in and out."""
    return subprocess.run(
        [sys.executable, "bobing.py", *words], cwd=ROOT, input=feed, capture_output=True, env={**os.environ, **more}
    )


def said(capsys, *words):
    status = bobing.main(["score", *words])
    out = capsys.readouterr()
    return status, out.out, out.err


def test_the_example_of_the_spec_to_the_letter():
    done = command("score", "--json", "4", "4", "4", "4", "1", "1")
    assert (done.returncode, done.stderr) == (0, b"")
    (line,) = done.stdout.decode("utf-8").splitlines()
    assert json.loads(line) == FLOWER and list(json.loads(line)) == list(FLOWER)


def test_without_json_it_speaks_in_words_on_one_line(capsys):
    status, out, err = said(capsys, "3", "3", "3", "3", "4", "1")
    assert (status, err, len(out.splitlines())) == (0, "", 1) and "四进带一秀" in out


@pytest.mark.parametrize(
    ("dice", "text"),
    [
        ("444425", "状元带7"),
        ("333335", "五子带5"),
        ("444446", "五红带6"),
        ("444444", "六博红"),
        ("222222", "六博黑"),
        ("333344", "四进带二举"),
        ("123456", "对堂"),
        ("112235", "罚黑"),
    ],
)
def test_the_text_is_what_people_call_it(capsys, dice, text):
    assert json.loads(said(capsys, "--json", *dice)[1])["text"] == text


def test_the_rules_may_be_a_preset_or_a_file(capsys, tmp_path):
    assert json.loads(said(capsys, "--json", "--rules", "fifteen", *"444411")[1])["rank"] == [6, 0]
    path = tmp_path / "house.toml"
    path.write_text('preset = "short"\nduitang_patterns = "three_pairs"\n', encoding="utf-8")
    assert json.loads(said(capsys, "--json", "--rules", str(path), *"113355")[1])["kind"] == "duitang"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["4", "4", "4"], "six"),
        (["4"] * 7, "six"),
        (["0", "1", "1", "1", "1", "1"], "0"),
        (["1", "1", "1", "1", "1", "7"], "7"),
        (["-1", "1", "1", "1", "1", "1"], "-1"),
        (["a", "b", "c", "d", "e", "f"], "a"),
        (["1.5", "1", "1", "1", "1", "1"], "1.5"),
        (["-", "1", "1", "1", "1", "1"], "-"),
        ([], "D"),
        (["--rules", "hongkong", "1", "1", "1", "1", "1", "1"], "hongkong"),
        (["--rules", "no/such/file.toml", "1", "1", "1", "1", "1", "1"], "no/such/file.toml"),
    ],
)
def test_bad_input_is_one_line_on_standard_error_and_exit_status_2(capsys, words, told):
    status, out, err = said(capsys, *words)
    assert status == 2 and out == "" and len(err.splitlines()) == 1 and told in err


def test_bad_input_ends_the_process_with_status_2():
    done = command("score", "4", "4")
    assert done.returncode == 2 and done.stdout == b"" and len(done.stderr.splitlines()) == 1


def streamed(feed, *words, **more):
    done = command("score", *words, "-", feed=feed, **more)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]


def test_the_stream_answers_each_line_in_order_and_goes_on_after_a_bad_one():
    answers = streamed(
        b"[4,4,4,4,1,1]\n[1,2,3]\nnonsense\n[1,2,3,4,5,7]\n[true,1,1,1,1,1]\n[1.0,1,1,1,1,1]\n"
        b'{"dice":[1,1,1,1,1,1]}\nnull\n"444411"\n[[1,1,1,1,1,1]]\n[1,2,3,4,5,6]\n'
    )
    assert answers[0] == FLOWER and answers[-1]["kind"] == "duitang"
    assert [set(answer) for answer in answers[1:-1]] == [{"error", "line"}] * 9
    assert [answer["line"] for answer in answers[1:-1]] == list(range(2, 11))


def test_a_line_that_is_no_text_is_one_bad_line_in_the_stream():
    answers = streamed(b"[4,4,4,4,1,1]\n\xff\xfe\n[1,2,3,4,5,6]\n", PYTHONIOENCODING="utf-8:strict")
    assert [answer.get("kind") for answer in answers] == ["chajinhua", None, "duitang"] and answers[1]["line"] == 2


def test_the_stream_takes_windows_line_ends_and_a_last_line_without_one():
    assert [a["kind"] for a in streamed(b"[4,4,4,4,1,1]\r\n[1,2,3,4,5,6]")] == ["chajinhua", "duitang"]


def test_the_stream_is_utf_8_whatever_the_console_speaks():
    assert streamed(b"[4,4,4,4,1,1]\n", PYTHONIOENCODING="cp1252") == [FLOWER]


def test_the_stream_takes_house_rules():
    assert streamed(b"[1,1,1,1,1,1]\n", "--rules", "fifteen")[0]["kind"] == "biandijin"


def test_all_46656_hands_through_the_stream_give_the_counts_of_the_table():
    feed = "".join(f"{list(dice)}\n" for dice in itertools.product(range(1, 7), repeat=6)).encode()
    counts = Counter(answer["kind"] for answer in streamed(feed))
    assert counts == {
        "liubohong": 1,
        "liubohei": 5,
        "chajinhua": 15,
        "wuhong": 30,
        "wuzi": 150,
        "sihong": 360,
        "duitang": 720,
        "sanhong": 2500,
        "sijin": 1875,
        "erju": 9300,
        "yixiu": 17400,
        "none": 14300,
    }


def test_a_reader_that_goes_away_is_no_fault(monkeypatch):
    class Gone(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

        def fileno(self):
            return os.open(os.devnull, os.O_WRONLY)

    monkeypatch.setattr(sys, "stdout", Gone())
    assert bobing.main(["score", "--json", *"444411"]) == 0

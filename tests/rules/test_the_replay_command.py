"""`bobing replay` as section 7 of the spec says: its lines, its answer, and its faults."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from game_lines import NONE, YIXIU, line, played

import bobing
from rules.bobing.replay import ReplayError, replay, summary

ROOT = Path(bobing.__file__).parent
TIERS = ["zhuangyuan", "duitang", "sanhong", "sijin", "erju", "yixiu"]
HEAD = '{"rules":"xiamen","players":["甲","乙"]}'


def command(*words, feed=b"", **more):
    return subprocess.run(
        [sys.executable, "bobing.py", *words], cwd=ROOT, input=feed, capture_output=True, env={**os.environ, **more}
    )


def fault(*lines):
    with pytest.raises(ReplayError) as refused:
        replay([HEAD, *lines])
    assert len(str(refused.value).splitlines()) == 1
    return str(refused.value)


def test_the_answer_is_one_object_with_these_keys_in_this_order(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(f'{HEAD}\n\n{{"dice":[4,4,4,4,2,5]}}\n{{"jump":1}}\n', encoding="utf-8")
    done = command("replay", str(path), "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    (text,) = done.stdout.decode("utf-8").splitlines()
    answer = json.loads(text)
    assert list(answer) == ["over", "throws", "turn", "stock", "players", "champion", "scramble"]
    assert list(answer["stock"]) == list(answer["scramble"]) == TIERS
    for player in answer["players"]:
        assert list(player) == ["name", "cakes", "skip"] and list(player["cakes"]) == TIERS
    assert answer["champion"] == {"player": "甲", "dice": [4, 4, 4, 4, 2, 5], "kind": "sihong", "carry": 7}
    assert list(answer["champion"]) == ["player", "dice", "kind", "carry"]
    assert (answer["over"], answer["throws"], answer["turn"]) == (False, 2, "甲")
    assert [player["skip"] for player in answer["players"]] == [False, True]


def test_without_json_it_tells_the_same_in_words(tmp_path, capsys):
    path = tmp_path / "game.jsonl"
    path.write_text(f'{HEAD}\n{{"dice":[4,4,4,4,2,5]}}\n{{"dice":[4,1,1,2,2,3]}}\n', encoding="utf-8")
    assert bobing.main(["replay", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines() == [
        "under way: 2 throws, next 甲",
        "  甲: no cakes",
        "  乙: 一秀 1",
        "champion so far: 甲, 状元带7  (four reds with 7)  4 4 4 4 2 5",
    ]


def test_a_game_may_come_from_standard_input_in_utf_8():
    done = command("replay", "-", "--json", feed=HEAD.encode(), PYTHONIOENCODING="cp1252")
    assert done.returncode == 0 and json.loads(done.stdout)["turn"] == "甲"


def test_the_dice_of_the_champion_are_in_the_order_thrown():
    assert played("xiamen", "甲", "142444")["champion"]["dice"] == [1, 4, 2, 4, 4, 4]


def test_without_a_champion_it_is_null_and_champions_is_there_only_with_several_cakes():
    answer = played("xiamen", "甲", NONE)
    assert answer["champion"] is None and "champions" not in answer
    assert played({"sets": 2}, "甲", NONE)["champions"] == []
    assert [c["player"] for c in played({"sets": 2}, "甲乙", "444412", "444413")["champions"]] == ["乙", "甲"]


def test_the_rules_may_be_left_out_or_be_a_name_or_an_object():
    heads = ('{"players":["甲"]}', '{"rules":"xiamen","players":["甲"]}', '{"rules":{},"players":["甲"]}')
    answers = [summary(replay([head])) for head in (*heads, '{"rules":{"preset":"xiamen"},"players":["甲"]}')]
    assert answers == [answers[0]] * 4


def test_players_are_listed_in_the_order_of_play_and_the_first_starts():
    answer = played("xiamen", "丙甲乙")
    assert [p["name"] for p in answer["players"]] == ["丙", "甲", "乙"] and answer["turn"] == "丙"


def test_blank_lines_are_ignored_but_counted():
    lines = ["", HEAD, "  ", '{"dice":[4,1,1,2,2,3]}', "", '{"dice":[9]}']
    with pytest.raises(ReplayError, match=r"^line 6: "):
        replay(lines)
    assert summary(replay(lines[:-1]))["throws"] == 1


def test_every_throw_that_stands_counts_void_ones_too():
    assert played("xiamen", "甲乙", YIXIU, "jump", "skip", NONE, "undo")["throws"] == 2


def test_a_jump_may_show_the_dice_that_lie_there():
    for dice in ([], [4, 4, 4], [4, 4, 4, 4, 4], [4] * 6):
        assert played("xiamen", "甲乙", {"jump": 1, "dice": dice}) == played("xiamen", "甲乙", "jump")


def test_off_needs_six_dice_with_a_jump():
    head = '{"rules":{"jump":"off"},"players":["甲"]}'
    for text in ('{"jump":1}', '{"jump":1,"dice":[4,4,4]}'):
        with pytest.raises(ReplayError, match=r"^line 2: "):
            replay([head, text])
    assert summary(replay([head, '{"jump":1,"dice":[4,4,4,4,1,2]}']))["champion"]["kind"] == "sihong"


def test_undo_with_none_left_does_nothing():
    assert played("xiamen", "甲乙", "undo", "undo") == played("xiamen", "甲乙")
    assert played("xiamen", "甲乙", "skip", "undo") == played("xiamen", "甲乙", "skip")


@pytest.mark.parametrize("after", ['{"dice":[1,1,2,2,3,5]}', '{"jump":1}', '{"skip":1}'])
def test_a_throw_after_the_end_is_an_error_that_names_its_line(after):
    assert fault('{"dice":[4,4,4,4,4,4]}', after).startswith("line 3: ")


@pytest.mark.parametrize(
    "bad",
    [
        "nonsense",
        "{",
        "[4,4,4,4,1,1]",
        "3",
        "null",
        '"dice"',
        "{}",
        '{"dice":[4,4]}',
        '{"dice":[4,4,4,4,4,7]}',
        '{"dice":[4,4,4,4,4,4.0]}',
        '{"dice":[4,4,4,4,4,true]}',
        '{"dice":"444411"}',
        '{"dice":null}',
        '{"dices":[4,4,4,4,1,1]}',
        '{"dice":[4,4,4,4,1,1],"player":"乙"}',
        '{"jump":0}',
        '{"jump":2}',
        '{"jump":1,"dice":[7]}',
        '{"jump":1,"dice":[1,1,1,1,1,1,1]}',
        '{"jump":1,"dice":4}',
        '{"undo":2}',
        '{"undo":"1"}',
        '{"skip":0}',
        '{"correct":1,"dice":[1,1,2,2,3,5]}',
        '{"correct":0,"jump":1}',
        '{"correct":-1,"jump":1}',
        '{"correct":"1","jump":1}',
        '{"correct":true,"jump":1}',
        '{"correct":1}',
        "[" * 20000,
        '{"dice":' + "9" * 5000 + "}",
    ],
)
def test_a_bad_line_is_named_by_its_number(bad):
    assert fault(bad).startswith("line 2: ")


def test_a_correction_of_a_throw_that_does_not_stand_is_a_bad_line():
    assert fault(json.dumps(line(YIXIU)), '{"correct":2,"dice":[1,1,2,2,3,5]}').startswith("line 3: ")
    assert fault(json.dumps(line(YIXIU)), '{"undo":1}', '{"correct":1,"jump":1}').startswith("line 4: ")
    assert fault(json.dumps(line(YIXIU)), '{"correct":1,"dice":[1,1]}').startswith("line 3: ")


@pytest.mark.parametrize(
    "head",
    [
        "{}",
        '{"rules":"xiamen"}',
        '{"rules":"xiamen","players":[]}',
        '{"rules":"xiamen","players":["甲","甲"]}',
        '{"rules":"xiamen","players":"甲乙"}',
        '{"rules":"xiamen","players":[1,2]}',
        '{"rules":"hongkong","players":["甲"]}',
        '{"rules":{"laddder":[]},"players":["甲"]}',
        '{"rules":{"stock":[1]},"players":["甲"]}',
        '{"rules":null,"players":["甲"]}',
        '{"dice":[4,4,4,4,1,1]}',
        "[]",
        "nonsense",
    ],
)
def test_a_bad_first_line_is_named(head):
    with pytest.raises(ReplayError, match=r"^line 1: ") as refused:
        replay([head])
    assert len(str(refused.value).splitlines()) == 1


def test_an_empty_file_lacks_its_first_line():
    for lines in ([], ["", "  "]):
        with pytest.raises(ReplayError, match="line 1"):
            replay(lines)


def test_a_bad_line_is_exit_2_with_its_number_and_nothing_on_standard_output(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(f'{HEAD}\n{{"dice":[4,1,1,2,2,3]}}\nnonsense\n', encoding="utf-8")
    done = command("replay", str(path), "--json")
    assert done.returncode == 2 and done.stdout == b""
    (told,) = done.stderr.decode("utf-8").splitlines()
    assert "line 3" in told and str(path) in told


def test_a_line_that_is_no_text_is_named_too(tmp_path, capsys):
    path = tmp_path / "game.jsonl"
    path.write_bytes(HEAD.encode() + b'\n{"dice":[4,1,1,2,2,3]}\n\xff\xfe\n')
    assert bobing.main(["replay", str(path), "--json"]) == 2
    out = capsys.readouterr()
    assert out.out == "" and "line 3" in out.err and len(out.err.splitlines()) == 1


@pytest.mark.parametrize(("name", "status"), [("nothing.jsonl", 2), ("", 1)])
def test_a_file_that_is_not_there_or_cant_be_read_is_one_line(tmp_path, capsys, name, status):
    assert bobing.main(["replay", str(tmp_path / name), "--json"]) == status
    out = capsys.readouterr()
    assert out.out == "" and len(out.err.splitlines()) == 1


def test_a_mark_at_the_head_and_windows_line_ends_do_no_harm(tmp_path, capsys):
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + HEAD.encode() + b'\r\n{"dice":[4,1,1,2,2,3]}\r\n')
    assert bobing.main(["replay", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["throws"] == 1

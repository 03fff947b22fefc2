"""House rules as files and objects: whatever is wrong is one line that names file, key and the allowed values."""

import subprocess
import sys
from pathlib import Path

import pytest

import bobing
from device.errors import Fault, Refused
from device.rulesfile import load_rules
from rules.bobing.errors import RulesError
from rules.bobing.houserules import CHOICES, PRESETS, house_rules, warnings

ROOT = Path(bobing.__file__).parent


def fault_of(given):
    with pytest.raises(RulesError) as fault:
        house_rules(given, "my.toml")
    text = str(fault.value)
    assert len(text.splitlines()) == 1 and text.startswith("my.toml: ")
    return text


@pytest.mark.parametrize("switch", sorted(CHOICES))
def test_a_value_that_a_switch_does_not_know_is_answered_with_those_it_knows(switch):
    for wrong in ("no such value", 3, True, None, ["xiamen"]):
        text = fault_of({switch: wrong})
        assert text.startswith(f"my.toml: {switch}: ") and "; allowed: " in text
        assert all(f'"{value}"' in text for value in CHOICES[switch])


@pytest.mark.parametrize("switch", sorted(CHOICES))
def test_every_value_that_the_spec_names_is_taken(switch):
    for value in CHOICES[switch]:
        assert getattr(house_rules({switch: value}), switch) == value


def test_the_values_of_the_spec_are_the_values_of_the_code():
    assert {k: set(v) for k, v in CHOICES.items()} == {
        "liubohong": {"everything", "remaining", "share_rest", "champion", "nothing"},
        "liubohei": {"grab", "share", "champion", "nothing"},
        "own_rolls": {"last", "best"},
        "sold_out": {"nothing", "chase"},
        "no_champion": {"play_on", "sum"},
        "jump": {"void_and_skip", "void", "rethrow", "off"},
        "titles": {"A", "D"},
        "wuzi_compare": {"carry", "face"},
        "liubohei_compare": {"equal", "face"},
        "direction": {"counter-clockwise", "clockwise"},
        "count_direction": {"counter-clockwise", "clockwise"},
        "start": {"two_dice", "first", "random", "chosen"},
    }


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("sijin_bundle", 1),
        ("six_ends", "true"),
        ("biandijin", None),
        ("chajinhua_duitang", 3),
        ("chajinhua_duitang", -1),
        ("chajinhua_duitang", True),
        ("chajinhua_duitang", 1.0),
        ("sets", 0),
        ("sets", "2"),
        ("stock", [1, 2, 4, 8, 16]),
        ("stock", [1, 2, 4, 8, 16, -1]),
        ("stock", [1, 2, 4, 8, 16, 32.0]),
        ("stock", [0, 2, 4, 8, 16, 32]),
        ("stock", [1, 0, 0, 0, 0, 0]),
        ("stock", 63),
        ("stock", {"yixiu": 3}),
        ("ladder", ["sihong", "wuzi"]),
        ("ladder", ["sihong", "sihong", "liubohong"]),
        ("ladder", ["yixiu", "liubohong"]),
        ("ladder", "liubohong"),
        ("chase_tiers", ["zhuangyuan"]),
        ("chase_tiers", "erju"),
        ("chase_tiers", ["erju", "erju"]),
        ("liubohei_faces", [4]),
        ("liubohei_faces", [1, 1]),
        ("liubohei_faces", ["1"]),
        ("liubohei_faces", 1),
        ("duitang_patterns", "triples"),
        ("duitang_patterns", []),
        ("duitang_patterns", ["straight", "straight"]),
        ("duitang_patterns", [["straight"]]),
        ("closing", "throws"),
        ("closing", "throws:0"),
        ("closing", "throws:-1"),
        ("closing", "throws:two"),
        ("closing", "throws:²"),
        ("closing", "clock:"),
        ("closing", "all"),
        ("closing", 6),
        ("preset", "hongkong"),
        ("preset", None),
        ("laddder", ["liubohong"]),
    ],
)
def test_a_wrong_switch_is_one_line_with_its_name_and_what_is_allowed(key, wrong):
    text = fault_of({key: wrong})
    assert text.startswith(f"my.toml: {key}: ") and "; allowed: " in text


def test_an_unknown_switch_is_answered_with_all_switches():
    text = fault_of({"chase": True})
    assert all(name in text for name in house_rules("xiamen").switches()) and "preset" in text


def test_a_ladder_without_liubohong_names_what_must_stand_on_it():
    assert "liubohong" in fault_of({"ladder": ["sihong", "wuhong"]})


def test_rules_under_which_nobody_can_be_champion_are_refused():
    text = fault_of({"ladder": ["liubohong"], "liubohong": "nothing"})
    assert text.startswith("my.toml: ladder: ") and "allowed" in text
    fault_of({"ladder": ["liubohong", "liubohei", "biandijin"], "liubohong": "nothing"})
    assert house_rules({"ladder": ["liubohong"]}).ladder == ("liubohong",)


def test_a_pattern_may_be_one_word_or_a_list():
    assert house_rules({"duitang_patterns": "three_pairs"}).duitang_patterns == ("three_pairs",)
    assert house_rules({"duitang_patterns": ["straight", "three_pairs"]}).duitang_patterns == (
        "straight",
        "three_pairs",
    )


@pytest.mark.parametrize("closing", ["all_out", "lap", "throws:1", "throws:12", "clock:30"])
def test_a_closing_rule_is_taken(closing):
    assert house_rules({"closing": closing}).closing == closing


@pytest.mark.parametrize("given", [None, 3, [], ["xiamen"], "no such preset"])
def test_what_is_neither_a_preset_nor_an_object_is_refused(given):
    assert all(preset in fault_of(given) for preset in PRESETS)


def test_switches_that_do_nothing_together_are_pointed_out_and_allowed():
    assert warnings(house_rules("xiamen")) == warnings(house_rules("fifteen")) == []
    for given, word in [
        ({"liubohei": "champion"}, "liubohei"),
        ({"sold_out": "chase", "chase_tiers": []}, "chase_tiers"),
        ({"biandijin": True}, "liubohei_faces"),
        ({"ladder": ["wuzi", "liubohong"]}, "sihong"),
    ]:
        lines = warnings(house_rules(given))
        assert any(word in line for line in lines) and all("\n" not in line for line in lines)


# files


def written(folder, text, name="my rules.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_flat_file_sets_switches_on_top_of_its_preset(tmp_path):
    rules = load_rules(written(tmp_path, 'preset = "contest"\nsets = 2\nstock = [1, 2, 4, 8, 16, 10]\n'))
    assert rules == house_rules({"preset": "contest", "sets": 2, "stock": [1, 2, 4, 8, 16, 10]})


def test_an_empty_file_is_xiamen_and_a_mark_at_its_head_does_no_harm(tmp_path):
    assert load_rules(written(tmp_path, "")) == house_rules("xiamen")
    assert load_rules(written(tmp_path, "\ufeffsets = 2\n")) == house_rules({"sets": 2})


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("laddder = 3\n", "laddder"),
        ("sets = 0\n", "sets"),
        ("sets = ", "TOML"),
        ('jump = "off', "TOML"),
        ('[rules]\njump = "off"\n', "rules"),
        ("sets = 2024-09-17\n", "sets"),
        ("sets = inf\n", "sets"),
        ("sets = 1\nsets = 2\n", "TOML"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line_that_names_it(tmp_path, text, word):
    path = written(tmp_path, text)
    with pytest.raises(Refused) as fault:
        load_rules(path)
    assert len(str(fault.value).splitlines()) == 1
    assert str(fault.value).startswith(path) and word in str(fault.value)


def test_a_file_that_is_no_text_or_no_file_is_named(tmp_path):
    path = tmp_path / "picture.toml"
    path.write_bytes(b"\xff\xd8\xff")
    for spec in (str(path), str(tmp_path), str(tmp_path / "nothing.toml"), "hongkong"):
        with pytest.raises((Refused, Fault)) as fault:
            load_rules(spec)
        assert len(str(fault.value).splitlines()) == 1 and spec in str(fault.value)


def command(*words, feed=None):
    return subprocess.run(
        [sys.executable, "bobing.py", *words], cwd=ROOT, input=feed, capture_output=True, text=True, encoding="utf-8"
    )


def test_rules_check_says_good_or_names_the_fault_with_exit_status_2(tmp_path):
    good = command("rules", "check", written(tmp_path, 'closing = "throws:6"\n'))
    assert good.returncode == 0 and good.stderr == ""
    path = written(tmp_path, 'closing = "throws:x"\n', "bad.toml")
    bad = command("rules", "check", path)
    assert bad.returncode == 2 and bad.stdout == "" and len(bad.stderr.splitlines()) == 1
    assert path in bad.stderr and "closing" in bad.stderr and "throws:N" in bad.stderr


def test_rules_list_and_show_name_every_preset_and_every_switch(capsys):
    assert bobing.main(["rules", "list"]) == 0
    listed = capsys.readouterr().out
    assert all(preset in listed for preset in PRESETS)
    assert bobing.main(["rules", "show", "fifteen"]) == 0
    shown = capsys.readouterr().out
    assert all(f"{switch} = " in shown for switch in house_rules("xiamen").switches())


def test_what_rules_show_prints_is_itself_a_house_rules_file(tmp_path, capsys):
    for preset in PRESETS:
        assert bobing.main(["rules", "show", preset]) == 0
        assert load_rules(written(tmp_path, capsys.readouterr().out)) == house_rules(preset)

"""Bad input at the command line: one plain line, the exit status of design.md, nothing lost, never a traceback."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "device" / "demo"


def bobing(*words: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """One command of the checkout, as a user would call it."""
    return subprocess.run(
        [sys.executable, str(ROOT / "bobing.py"), *words],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        timeout=300,
    )


def one_line(done: subprocess.CompletedProcess[str], status: int) -> str:
    """The single line of words that a fault must be; checks the status."""
    lines = done.stderr.strip().splitlines()
    assert done.returncode == status, done.stderr
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return lines[0]


def picture(path: Path, width: int = 320, height: int = 240) -> Path:
    """A plain grey picture."""
    cv2.imwrite(str(path), np.full((height, width, 3), 128, np.uint8))
    return path


def test_a_picture_that_is_no_picture_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_text("hello")
    good = picture(tmp_path / "good.png")
    done = bobing("read", "--no-bowl", "--json", str(bad), str(tmp_path / "none.jpg"), str(good))
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [line["image"] for line in lines] == [str(bad), str(tmp_path / "none.jpg"), str(good)]
    assert "error" in lines[0] and "error" in lines[1]
    assert lines[2]["verdict"] == "empty"
    assert "Traceback" not in done.stderr


def test_a_video_that_was_cut_off_is_read_as_far_as_it_goes_and_named(tmp_path: Path) -> None:
    whole = (DEMO / "demo.mp4").read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole[: len(whole) // 12])
    done = bobing("watch", "--no-bowl", "--json", "--source", str(cut))
    assert "cut.mp4" in one_line(done, 1)
    for line in done.stdout.splitlines():
        assert json.loads(line)["event"]


def test_a_file_that_is_no_video_is_one_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.mp4"
    bad.write_bytes(b"nothing here" * 100)
    assert "bad.mp4" in one_line(bobing("watch", "--no-bowl", "--source", str(bad)), 1)


def test_a_folder_without_pictures_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("no picture")
    assert "no pictures" in one_line(bobing("watch", "--no-bowl", "--source", str(tmp_path)), 1)


def test_a_calibration_of_another_camera_size_is_one_line_that_names_both_sizes(tmp_path: Path) -> None:
    done = bobing("read", "--calibration", str(DEMO / "demo.calibration"), str(picture(tmp_path / "small.png")))
    line = one_line(done, 1)
    assert "1280x720" in line and "320x240" in line


def test_a_file_that_is_no_calibration_is_a_wrong_call(tmp_path: Path) -> None:
    image = picture(tmp_path / "a.png")
    assert "no calibration file" in one_line(bobing("read", "--calibration", str(image), str(image)), 2)
    assert "no such calibration" in one_line(bobing("read", "--calibration", str(tmp_path / "none"), str(image)), 2)


def test_a_picture_without_a_bowl_can_not_be_calibrated_on_and_no_file_is_left(tmp_path: Path) -> None:
    out = tmp_path / "out.calibration"
    assert "no bowl" in one_line(bobing("calibrate", str(picture(tmp_path / "a.png")), "--out", str(out)), 1)
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("jmp = 1\n", ("house.toml", "jmp", "ladder")),
        ("six_ends = 1\n", ("house.toml", "six_ends", "true, false")),
        ('ladder = ["sihong", "wuzi"]\n', ("house.toml", "ladder", "liubohong")),
        ('closing = "throws:x"\n', ("house.toml", "closing", "throws:N")),
        ("stock = [1, 2, 3]\n", ("house.toml", "stock", "six")),
        ("a = = 1\n", ("house.toml", "TOML")),
    ],
)
def test_a_rules_file_with_a_fault_is_one_line_with_file_key_and_allowed_values(
    tmp_path: Path, text: str, words: tuple[str, ...]
) -> None:
    (tmp_path / "house.toml").write_text(text)
    line = one_line(bobing("rules", "check", "house.toml", cwd=tmp_path), 2)
    assert all(word in line for word in words), line


@pytest.mark.parametrize(
    "bad",
    ["not json", "[1,2,3,4,5,6]", '{"dice":[1,2]}', '{"dice":[1,2,3,4,5,9]}', '{"wine":1}', '{"correct":9,"jump":1}'],
)
def test_a_bad_replay_line_is_named_by_its_number_and_nothing_is_printed(tmp_path: Path, bad: str) -> None:
    game = tmp_path / "game.jsonl"
    game.write_text('{"rules":"xiamen","players":["甲","乙"]}\n\n{"dice":[4,1,2,3,5,5]}\n' + bad + "\n")
    done = bobing("replay", str(game), "--json")
    assert "line 4" in one_line(done, 2)
    assert done.stdout == ""


def test_two_dice_in_place_of_six_are_refused_but_the_stream_goes_on() -> None:
    assert "2 given" in one_line(bobing("score", "4", "4"), 2)
    done = bobing("score", "-", stdin="[4,4]\n[4,4,4,4,1,1]\nnonsense\n[1,2,3,4,5,6]\n")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line.get("kind") for line in lines] == [None, "chajinhua", None, "duitang"]
    assert [line.get("line") for line in lines] == [1, None, 3, None]


def test_a_port_in_use_is_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = bobing("run", "--data", str(tmp_path), "--players", "甲,乙", "--port", str(port))
    assert str(port) in one_line(done, 1)


def test_a_data_folder_that_can_not_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = bobing("run", "--data", str(tmp_path / "file" / "data"), "--players", "甲,乙", "--port", "0")
    assert one_line(done, 1)


@pytest.mark.parametrize(("words", "said"), [("run", "is a file, not a folder"), ("doctor", "is a file, not a folder")])
def test_a_file_in_place_of_the_data_folder_is_called_a_file(tmp_path: Path, words: str, said: str) -> None:
    file = tmp_path / "evening"
    file.write_text("in the way")
    line = one_line(bobing(words, "--data", str(file), *(["--players", "甲,乙", "--port", "0"] if words == "run" else [])), 1)
    assert said in line and str(file) in line and "--data" in line and "bobing.toml" not in line


@pytest.mark.skipif(sys.platform != "linux", reason="where nobody may make a folder is a place of Linux's")
def test_a_data_folder_that_nobody_may_make_is_named_and_no_results_are_spoken_of() -> None:
    line = one_line(bobing("run", "--data", "/proc/bobing-evening", "--players", "甲,乙", "--port", "0"), 1)
    assert "the folder /proc/bobing-evening can't be made" in line and "--data" in line and "results" not in line


@pytest.mark.parametrize("command", ["calibrate", "enrol"])
def test_a_file_for_which_there_is_no_folder_is_told_so_before_a_camera_is_asked(tmp_path: Path, command: str) -> None:
    line = one_line(bobing(command, "no-such-camera", "--out", str(tmp_path / "none" / "x")), 1)
    assert f"there is no folder {tmp_path / 'none'}: make it" in line and "--out" in line
    line = one_line(bobing(command, "no-such-camera", "--out", str(tmp_path)), 1)
    assert "is a folder: name a file in it" in line


def test_a_journal_of_a_newer_version_is_refused_and_left_untouched(tmp_path: Path) -> None:
    import sqlite3

    from device.journal import FILE_NAME, Journal

    Journal.open(tmp_path / FILE_NAME).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as link:
        link.execute("PRAGMA user_version = 999")
    link.close()
    before = (tmp_path / FILE_NAME).read_bytes()
    done = bobing("run", "--data", str(tmp_path), "--players", "甲,乙", "--port", "0")
    assert "newer" in one_line(done, 1)
    assert (tmp_path / FILE_NAME).read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("fly",),
        ("read",),
        ("read", "--expect", "x", "a.jpg"),
        ("read", "--expect", "0", "a.jpg"),
        ("read", "--calibration", "a", "--no-bowl", "b.jpg"),
        ("run", "--port", "99999"),
        ("run", "--players", "甲,甲", "--port", "0"),
        ("rules", "show"),
        ("rules", "show", "nobody"),
        ("replay", "none.jsonl"),
        ("score", "--rules", "none", "1", "2", "3", "4", "5", "6"),
        ("score", "a", "b", "c", "d", "e", "f"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_two(words: tuple[str, ...], tmp_path: Path) -> None:
    one_line(bobing(*words, cwd=tmp_path), 2)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["replay", "FOLDER"], 1, "Is a directory"),
        (["restore", "FOLDER", "--data", "FOLDER/new"], 2, "is a folder"),
        (["restore", "FOLDER/junk.zip", "--data", "FOLDER/new"], 1, "is no backup"),
    ],
)
def test_a_folder_or_junk_in_place_of_a_file_is_named_so_and_leaves_nothing(
    tmp_path: Path, words: list[str], status: int, said: str
) -> None:
    (tmp_path / "junk.zip").write_bytes(b"junk")
    line = one_line(bobing(*(word.replace("FOLDER", str(tmp_path)) for word in words)), status)
    assert said in line and "Errno" not in line
    assert [entry.name for entry in tmp_path.iterdir()] == ["junk.zip"]


@pytest.mark.skipif(sys.platform == "win32", reason="there ports are no files: run this test on Linux or macOS")
def test_a_device_that_is_no_serial_port_is_called_that() -> None:
    assert one_line(bobing("box", "test", "/dev/null"), 1).endswith("/dev/null can't be opened: it is no serial port")

"""What this user may not read or write is called that, with what to do; nobody is told to make a good file anew."""

from __future__ import annotations

import errno
import io
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bobing
from device.cli.output import CallError, WorldError
from device.cli.readers import Readers
from device.errors import Fault
from device.permission import in_words
from device.sources import demo_calibration, demo_file, is_recording, open_source

PICTURE = Path(__file__).parents[1] / "vision" / "small_pictures" / "eye_five.jpg"
Shut = Callable[[Path], Path]


@pytest.fixture
def shut(monkeypatch: pytest.MonkeyPatch) -> Shut:
    """Closes a file or folder as the system does for other users, which it does not do for the one who runs everything."""
    places: list[str] = []

    def inside(path: object, itself: bool) -> bool:
        if not isinstance(path, str | os.PathLike):
            return False
        name = os.fspath(path)
        return any((itself and name == place) or str(name).startswith(place + os.sep) for place in places)

    def kept(real: Callable[..., Any], itself: bool) -> Callable[..., Any]:
        def asked(path: Any = ".", *how: Any, **more: Any) -> Any:
            if inside(path, itself):
                raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))
            return real(path, *how, **more)

        return asked

    access = os.access
    for module, name, itself in ((os, "stat", False), (os, "listdir", True), (os, "scandir", True), (io, "open", True)):
        monkeypatch.setattr(module, name, kept(getattr(module, name), itself))
    monkeypatch.setattr(os, "access", lambda path, mode, **how: not inside(path, True) and access(path, mode, **how))

    def close(place: Path) -> Path:
        places.append(str(place))
        return place

    return close


def said_of(words: list[str], capsys: pytest.CaptureFixture[str], status: int = 1) -> str:
    """The one line that a command says of its fault."""
    assert bobing.main(words) == status
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "not complete" not in err and "Errno" not in err
    return err


@pytest.mark.parametrize("option", ["calibration", "dice"])
def test_a_file_of_ours_that_may_not_be_read_is_not_called_a_wrong_one(option: str, tmp_path: Path, shut: Shut) -> None:
    file = tmp_path / "good"
    shutil.copy(str(demo_calibration()), file)
    shut(file)
    with pytest.raises(WorldError) as no:
        Readers(str(file) if option == "calibration" else None, False, str(file) if option == "dice" else None)
    assert f"{file}: this user may not read it" in str(no.value) and "chmod" in str(no.value)
    assert "make one" not in str(no.value)


@pytest.mark.parametrize(("option", "maker"), [("calibration", "bobing calibrate"), ("dice", "bobing enrol")])
def test_a_folder_in_place_of_a_file_of_ours_is_called_a_folder(option: str, maker: str, tmp_path: Path) -> None:
    with pytest.raises(CallError) as no:
        Readers(str(tmp_path) if option == "calibration" else None, False, str(tmp_path) if option == "dice" else None)
    assert str(no.value) == f"{tmp_path} is a folder: name a file in it that {maker} wrote"


@pytest.mark.parametrize("option", ["--calibration", "--dice"])
def test_a_disk_that_fails_under_a_file_of_ours_is_told_and_no_new_file_is_asked_for(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = io.open

    def failing(path: Any, *how: Any, **more: Any) -> Any:
        if str(path) == str(tmp_path / "good"):
            raise OSError(errno.EIO, "Input/output error", str(path))
        return real(path, *how, **more)

    monkeypatch.setattr(io, "open", failing)
    said = said_of(["read", option, str(tmp_path / "good"), str(PICTURE)], capsys)
    assert "it can't be read (Input/output error)" in said and "may be good" in said and "make one" not in said


@pytest.mark.parametrize("command", [["watch", "--no-bowl", "--source"], ["calibrate", "--out", "OUT"], ["enrol", "--out", "OUT"]])
@pytest.mark.parametrize("kind", ["a folder", "a picture in a folder", "pictures of a folder", "a picture", "a video"])
def test_a_source_that_may_not_be_read_is_called_that_before_anything_is_begun(
    command: list[str], kind: str, tmp_path: Path, shut: Shut, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "shots").mkdir()
    picture = Path(shutil.copy(PICTURE, tmp_path / "shots" / "a.jpg"))
    video = Path(shutil.copy(demo_file(), tmp_path / "shots" / "a.mp4"))
    shut({"a picture": picture, "a video": video}.get(kind, tmp_path / "shots"))
    source = {"a folder": tmp_path / "shots", "a video": video, "pictures of a folder": tmp_path / "shots" / "*.jpg"}.get(kind, picture)
    words = [word.replace("OUT", str(tmp_path / "out")) for word in command]
    said = said_of([*words[:1], *words[1:], str(source)], capsys)
    assert f"{source}: this user may not read it" in said and "chmod" in said
    assert ("the folder" in said) == (kind in ("a picture in a folder", "pictures of a folder"))
    assert not (tmp_path / "out").exists()


def test_a_source_that_was_closed_is_a_fault_like_a_camera_that_went(tmp_path: Path, shut: Shut) -> None:
    (tmp_path / "shots").mkdir()
    with pytest.raises(Fault, match="may not read"):
        open_source(str(shut(tmp_path / "shots")), lambda: 0.0)
    assert is_recording(str(tmp_path / "shots" / "a.mp4"))


@pytest.mark.parametrize("command", ["calibrate", "enrol"])
def test_a_place_where_nothing_may_be_written_is_told_before_the_work(
    command: str, tmp_path: Path, shut: Shut, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    out = shut(tmp_path / "mine") / "out"
    said = said_of([command, "no-such-camera", "--out", str(out)], capsys)
    assert f"{out}: this user may not write it (the folder {tmp_path / 'mine'} is closed to them)" in said


@pytest.mark.parametrize("words", [["export", "--data", "TABLE"], ["backup", "--data", "TABLE"], ["restore", "TABLE/a.zip"], ["replay", "TABLE/a.jsonl"], ["rules", "check", "TABLE/a.toml"]])
def test_a_folder_that_this_user_may_not_enter_is_named(
    words: list[str], tmp_path: Path, shut: Shut, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table"
    table.mkdir()
    shut(table)
    said = said_of([word.replace("TABLE", str(table)) for word in words], capsys)
    assert "this user may not read it" in said and f"chmod or chown on {table}" in said


def test_a_restore_into_a_closed_folder_says_that_nothing_was_changed(
    tmp_path: Path, shut: Shut, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = Path(shutil.copy(PICTURE, tmp_path / "a.zip"))
    real = os.open
    table = tmp_path / "table"
    table.mkdir()

    def guarded(path: Any, *how: Any, **more: Any) -> int:
        if str(path).startswith(str(table)):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path, *how, **more)

    shut(table)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "open", guarded)
        said = said_of(["restore", str(backup), "--data", str(table)], capsys)
    assert "nothing was changed" in said and f"chmod or chown on {table}" in said


def test_results_that_could_not_be_written_are_called_incomplete_and_files_are_not() -> None:
    assert "the results are not complete: make room" in in_words(OSError(errno.ENOSPC, "No space left on device"))
    for number, why in ((errno.EACCES, "Permission denied"), (errno.EIO, "Input/output error")):
        said = in_words(OSError(number, why, "a.mp4"))
        assert said.startswith("a.mp4: ") and "results" not in said and said.count("\n") == 0

"""The folder of a table is tried before a game relies on it, and is left as it was."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from device.cli import doctor
from device.data_folder import make_folder, unkept
from device.errors import Fault
from device.files import FolderLock
from device.journal import FILE_NAME, Journal


@pytest.mark.parametrize("folder", [".", "evening", "autumn/evening", "autumn/../evening"])
def test_a_folder_that_can_be_made_and_written_is_tried_and_nothing_is_left(folder: str, tmp_path: Path) -> None:
    assert unkept(tmp_path / folder) is None
    assert list(tmp_path.iterdir()) == []
    make_folder(tmp_path / folder)
    assert (tmp_path / folder).is_dir()


def test_a_table_that_runs_from_the_folder_is_not_disturbed_by_the_trial(tmp_path: Path) -> None:
    with Journal.open(tmp_path / FILE_NAME) as journal:
        told = journal.append([("Started", {})], wall=0.0)
        before = sorted(file.name for file in tmp_path.iterdir())
        assert unkept(tmp_path) is None
        assert sorted(file.name for file in tmp_path.iterdir()) == before
        with pytest.raises(BlockingIOError):
            FolderLock(tmp_path / f"{FILE_NAME}.lock")
        assert list(journal.since(0)) == told


def test_a_folder_that_this_user_may_not_write_is_named_with_what_to_do(read_only_folder: Path) -> None:
    why = unkept(read_only_folder)
    assert why is not None and why.key == "folder_not_writable"
    assert f"can't write in {read_only_folder}" in why.en and "--data" in why.en and "--data" in why.zh
    why = unkept(read_only_folder / "autumn" / "evening")
    assert why is not None and why.key == "folder_not_made"
    assert f"the folder {read_only_folder / 'autumn' / 'evening'} can't be made" in why.en and "--data" in why.en and "--data" in why.zh
    assert list(read_only_folder.iterdir()) == []


def test_a_journal_that_this_user_may_not_write_is_found_in_a_folder_of_its_own(read_only_folder: Path) -> None:
    folder = Path(tempfile.mkdtemp(prefix="bobing-own-"))  # of the user whom the other folder is closed to
    try:
        (folder / FILE_NAME).touch(mode=0o444)
        why = unkept(folder)
        assert why is not None and why.key == "folder_not_writable"
        assert [file.name for file in folder.iterdir()] == [FILE_NAME]
    finally:
        shutil.rmtree(folder)


def test_a_file_in_the_way_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "evening").touch()
    for folder in (tmp_path / "evening", tmp_path / "evening" / "late"):
        why = unkept(folder)
        assert why is not None and why.key == "folder_not_made"
        with pytest.raises(Fault, match="can't be made"):
            make_folder(folder)
    assert (tmp_path / "evening").is_file()


def test_the_doctor_does_not_call_a_disk_well_that_the_table_may_not_write(read_only_folder: Path) -> None:
    for folder, words in ((read_only_folder, "can't write in"), (read_only_folder / "evening", "can't be made")):
        point = doctor._disk(folder)
        assert (point.part, point.ok) == ("disk", False)
        assert words in point.said and str(folder) in point.said and "--data" in point.said


@pytest.mark.skipif(sys.platform != "linux", reason="where nobody may make a folder is a place of Linux's")
@pytest.mark.parametrize(("folder", "words"), [("/proc/bobing-evening", "can't be made"), ("/proc", "can't write in")])
def test_where_nobody_may_make_a_folder_the_doctor_does_not_speak_of_room(folder: str, words: str) -> None:
    point = doctor._disk(Path(folder))
    assert point.ok is False and words in point.said and folder in point.said and "room" not in point.said


def test_the_doctor_leaves_no_folder_behind(tmp_path: Path) -> None:
    assert "GB free" in doctor._disk(tmp_path / "autumn" / "evening").said
    assert list(tmp_path.iterdir()) == []

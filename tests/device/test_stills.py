"""Pictures of throws are kept while there is room, and never more of them than the budget allows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.errors import Fault
from device.stills import Stills


def test_a_picture_comes_back_as_it_was(tmp_path: Path) -> None:
    stills = Stills(tmp_path / "stills")
    stills.put("12", b"\xff\xd8 one")
    stills.put("12", b"\xff\xd8 two")
    assert stills.get("12") == b"\xff\xd8 two"
    assert [file.name for file in (tmp_path / "stills").iterdir()] == ["12.jpg"]
    assert Stills(tmp_path / "stills").get("12") == b"\xff\xd8 two"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 40)), max_size=20), st.integers(1, 100))
def test_the_newest_are_kept_within_the_budget(tmp_path_factory: Any, puts: list[tuple[int, int]], budget: int) -> None:
    folder = tmp_path_factory.mktemp("s")
    stills = Stills(folder, budget)
    for name, size in puts:
        stills.put(str(name), b"x" * size)
        kept = {file.stem: file.stat().st_size for file in folder.iterdir()}
        assert str(name) in kept
        assert sum(kept.values()) <= budget or len(kept) == 1


def test_the_oldest_goes_first_also_after_a_restart(tmp_path: Path) -> None:
    stills = Stills(tmp_path, budget=20)
    for age, name in enumerate(["new", "middle", "old"]):
        stills.put(name, b"123456")
        os.utime(tmp_path / f"{name}.jpg", ns=(0, 10**9 - age))
    Stills(tmp_path, budget=20).put("newest", b"123456")
    assert {file.stem for file in tmp_path.iterdir()} == {"new", "middle", "newest"}


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x" * 100)
    Stills(tmp_path, budget=1).put("1", b"22")
    assert (tmp_path / "notes.txt").exists()


def test_a_half_written_picture_of_a_killed_run_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "7.jpg.abc.part").write_bytes(b"half")
    stills = Stills(tmp_path)
    assert stills.get("7") is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", ".", "..", "../journal", "a/b", "a\\b", "3.jpg", "x" * 65, "-x", "甲", "1\n"])
def test_a_name_that_could_lead_elsewhere_is_no_name(tmp_path: Path, name: str) -> None:
    stills = Stills(tmp_path / "stills")
    with pytest.raises(ValueError):
        stills.put(name, b"x")
    assert stills.get(name) is None


def test_a_folder_that_cannot_be_written_is_a_fault(read_only_folder: Path) -> None:
    with pytest.raises(Fault, match="can't keep pictures"):
        Stills(read_only_folder).put("1", b"x")
    with pytest.raises(Fault, match="can't keep pictures"):
        Stills(read_only_folder / "stills")

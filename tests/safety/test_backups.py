"""A backup holds the evening and no key to the house; a restore changes nothing before it has found the backup whole."""

from __future__ import annotations

import errno
import hashlib
import json
import random
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from device.backup import MANIFEST, MOST_MANIFEST, back_up, restore
from device.config import Config, load, places, save
from device.copies import KEPT, copies_of, copy_after_game
from device.errors import Fault
from device.journal import Journal

ROOT = Path(__file__).resolve().parents[2]


def evening(folder: Path, events: int = 5) -> Journal:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pairing.json").write_text('{"secret": "x"}', encoding="utf-8")
    journal = Journal.open(folder / "journal.db")
    journal.append([("Thrown", {"n": n}) for n in range(events)], 1.0)
    return journal


def held(folder: Path) -> list[int]:
    with Journal.view(folder / "journal.db") as journal:
        return [record.data["n"] for record in journal.since(0)]


def test_a_backup_of_a_table_that_plays_is_restored_elsewhere(tmp_path: Path) -> None:
    here, there, out = tmp_path / "here", tmp_path / "there", tmp_path / "evening.zip"
    (tmp_path / "bowl.calibration").write_text("{}", encoding="utf-8")
    save(places(here).config, Config(players=("甲",), calibration=str(tmp_path / "bowl.calibration")))
    (here / "stills").mkdir()
    (here / "stills" / "a.jpg").write_bytes(b"\xff\xd8")
    with evening(here) as journal:
        manifest = back_up(places(here), out, 1.0, pictures=False)
        journal.append([("Thrown", {"n": 99})], 2.0)
    with zipfile.ZipFile(out) as archive:
        assert set(archive.namelist()) == {MANIFEST, "journal.db", "bobing.toml", "calibration/bowl.calibration"}
    assert manifest["records"] == 5
    restore(out, places(there))
    assert held(there) == [0, 1, 2, 3, 4]
    assert "甲" in (there / "bobing.toml").read_text(encoding="utf-8")
    pictured = tmp_path / "pictured.zip"
    back_up(places(here), pictured, 1.0, pictures=True)
    restore(pictured, places(there))
    assert (there / "stills" / "a.jpg").read_bytes() == b"\xff\xd8"
    assert held(there / "before-restore-1") == [0, 1, 2, 3, 4]


def test_a_table_that_runs_is_not_restored_under(tmp_path: Path) -> None:
    out = tmp_path / "evening.zip"
    with evening(tmp_path / "here"):
        back_up(places(tmp_path / "here"), out, 1.0, pictures=False)
        with pytest.raises(Fault) as fault:
            restore(out, places(tmp_path / "here"))
        assert fault.value.key == "folder_in_use"


def damaged(out: Path) -> list[bytes]:
    whole = out.read_bytes()
    return [b"", b"PK", whole[:200], whole[: len(whole) // 2], whole.replace(b"journal.db", b"../../x.db"), bytes(len(whole))]


def test_what_is_no_whole_backup_changes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "evening.zip"
    evening(tmp_path / "here").close()
    back_up(places(tmp_path / "here"), out, 1.0, pictures=False)
    for content in damaged(out):
        bad = tmp_path / "bad.zip"
        bad.write_bytes(content)
        with pytest.raises(Fault) as fault:
            restore(bad, places(tmp_path / "here"))
        assert "\n" not in fault.value.en
        assert held(tmp_path / "here") == [0, 1, 2, 3, 4]
    assert not (tmp_path / "x.db").exists()


def packed(out: Path, manifest: Any, **files: bytes) -> Path:
    """A ZIP with this manifest and these files, as somebody makes it who wants to see it fail."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, manifest if isinstance(manifest, str | bytes) else json.dumps(manifest))
        for name, content in files.items():
            archive.writestr(name, content)
    return out


def seal(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "stills/../../evil", "pairing.json", "running.json", "a/b/c", "stills\\..\\evil", "stills/c:evil", "stills"])
def test_a_name_in_a_backup_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    evening(tmp_path / "here").close()
    whole = (tmp_path / "here" / "journal.db").read_bytes()
    manifest = {"format": 1, "records": 5, "files": {"journal.db": seal(whole), "stills/a.jpg": seal(b"x")}}
    files = {"journal.db": whole, "stills/a.jpg": b"x"}
    restore(packed(tmp_path / "good.zip", manifest, **files), places(tmp_path / "there"))  # all but the name is well
    bad = {**manifest, "files": {name: seal(b"x"), **manifest["files"]}}  # type: ignore[dict-item]
    with pytest.raises(Fault) as fault:
        restore(packed(tmp_path / "bad.zip", bad, **files, **{name: b"x"}), places(tmp_path / "here"))
    assert fault.value.key == "no_backup"
    assert held(tmp_path / "here") == [0, 1, 2, 3, 4]
    assert (tmp_path / "here" / "pairing.json").read_bytes() == b'{"secret": "x"}'
    assert not list(tmp_path.rglob("*evil"))


@pytest.mark.parametrize("manifest", [
    [], None, 5, "text", {"format": 1}, {"format": 1, "records": 1, "files": ["journal.db"]}, {"format": 1, "records": 1, "files": "journal.db"},
    {"format": 1, "records": "many", "files": {}}, {"format": 1, "records": 1, "files": {"journal.db": 5}}, {"format": 1, "records": 1, "files": None},
    {"format": 1, "records": 1, "files": {"journal.db": None, "stills/\0": None}}, b"[" * 100_000, b" " * (MOST_MANIFEST + 1) + b"{}",
])  # fmt: skip
def test_a_list_of_files_that_is_none_is_refused_in_words(tmp_path: Path, manifest: Any) -> None:
    text = json.dumps(manifest) if isinstance(manifest, str) else manifest
    with pytest.raises(Fault) as fault:
        restore(packed(tmp_path / "bad.zip", text, **{"journal.db": b"x"}), places(tmp_path / "there"))
    assert "\n" not in fault.value.en
    assert not (tmp_path / "there").exists()


def test_a_flipped_bit_or_a_cut_in_a_backup_is_told_or_harmless(tmp_path: Path, count: Any, figure: Any) -> None:
    evening(tmp_path / "here").close()
    out, bad, chance = tmp_path / "evening.zip", tmp_path / "bad.zip", random.Random(7)
    save(places(tmp_path / "here").config, Config(players=("甲",)))
    back_up(places(tmp_path / "here"), out, 1.0, pictures=False)
    whole, told = out.read_bytes(), 0
    tries = count(150, 5000)
    for n in range(tries):
        content = bytearray(whole)
        content[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        bad.write_bytes(content if n % 4 else content[: chance.randrange(len(whole))])
        there = tmp_path / f"there-{n}"
        try:
            restore(bad, places(there))
        except Fault as fault:
            assert "\n" not in fault.en
            assert not there.exists()
            told += 1
        else:
            assert held(there) == [0, 1, 2, 3, 4]
    assert told > tries // 3
    figure(f"{told} of {tries} damaged backups refused in words, the others restored whole")


def test_the_last_copies_after_games_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "here" / "journal.db"
    with evening(tmp_path / "here") as journal:
        for n in range(KEPT + 3):
            journal.append([("Thrown", {"n": 100 + n})], 1.0)
            copy_after_game(path, journal.last_seq)
    copies = copies_of(path)
    assert len(copies) == KEPT
    with Journal.view(copies[0]) as newest:
        assert newest.last_seq == 5 + KEPT + 3


@pytest.mark.parametrize(
    "words", [["backup"], ["restore", "nothing.zip"], ["pair"], ["run", "--host", "0.0.0.0", "--port", "0"]], ids=lambda w: w[0]
)
def test_a_call_that_can_not_be_done_is_one_plain_line(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "bobing.toml").write_text("[server]\npairing = false\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(ROOT / "bobing.py"), *words, "--data", str(tmp_path)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode in (1, 2)
    assert done.stderr.startswith("bobing: ") and len(done.stderr.strip().splitlines()) == 1


def test_a_restore_that_is_cut_short_does_not_say_that_nothing_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    with Journal.open(here / "journal.db") as journal:
        journal.append([("Thrown", {"n": 1})], wall=1.0)
    out = tmp_path / "evening.zip"
    back_up(places(here), out, 1.0, False)
    replace = Path.replace

    def full(self: Path, target: Path) -> Path:
        if Path(target) == here / "journal.db":
            raise OSError(errno.ENOSPC, "No space left on device", str(target))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(Fault) as fault:
        restore(out, places(here))
    assert "in part" in fault.value.en and "nothing was changed" not in fault.value.en and "before-restore" in fault.value.en
    monkeypatch.undo()
    _, aside = restore(out, places(here))
    with Journal.view(here / "journal.db") as journal:
        assert journal.last_seq == 1
    assert aside is None  # the journal had been moved aside by the first try


def test_a_restored_table_finds_its_calibration_and_what_was_not_there_is_named(tmp_path: Path) -> None:
    here, there, out = tmp_path / "here", tmp_path / "there", tmp_path / "evening.zip"
    with evening(here):
        (here / "bowl.calibration").write_text("{}", encoding="utf-8")
        (here / "bobing.toml").write_text('[camera]\ncalibration = "bowl.calibration"\ndice = "our.dice"\n', encoding="utf-8")
        manifest = back_up(places(here), out, 1.0, pictures=False)
    assert manifest["missing"] == [str(here / "our.dice")]
    (here / "bowl.calibration").unlink()
    restore(out, places(there))
    assert load(places(there).config).calibration == str((there / "calibration" / "bowl.calibration").resolve())
    told = subprocess.run(
        [sys.executable, ROOT / "bobing.py", "backup", "--data", there, "--out", tmp_path / "again.zip"], capture_output=True, text=True, check=True
    )
    assert told.stderr.startswith(f"bobing: {there / 'our.dice'}: the settings name this file, but it is not there")

"""A table's evening in one file: the journal, the settings, the house rules, the calibration and the dice; pictures only when asked for.

Paired phones are left out: who finds the file on a stick should not be let in by it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.config import Config, Places, load, own_files
from device.copies import copied
from device.errors import Fault, Refused
from device.files import FolderLock, sync_folder
from device.journal import FILE_NAME, Journal
from device.journal_faults import missing
from device.journal_head import head_of
from device.permission import closed, kept_back, not_allowed

MANIFEST = "backup.json"
FORMAT = 1
SETTINGS = "bobing.toml"
MOST_BYTES, MOST_MANIFEST = 2_000_000_000, 10_000_000
FOLDERS = ("stills", "replays")
OWN = ("rules", "calibration", "dice")
"""Folders of what the settings name."""


def back_up(where: Places, out: Path, wall: float, pictures: bool) -> dict[str, object]:
    """Write the backup to `out`, also while the table plays; returns its manifest; raises Fault."""
    path = where.data / FILE_NAME
    for file in (path, where.config):
        if kept_back(file):
            raise not_allowed(file, "read")
    if not path.is_file():
        raise missing(str(path))
    if not out.parent.is_dir():
        raise Fault("backup_failed", f"the backup {out} can't be made: there is no folder {out.parent}; make it, or choose another place with --out",
                    f"写不了备份 {out}：没有文件夹 {out.parent}；请先新建，或用 --out 另选地方")
    if closed(out):
        raise not_allowed(out, "write")
    if out.is_dir():
        raise Fault("backup_failed", f"the backup can't be made: {out} is a folder; name a file in it with --out", f"写不了备份：{out} 是文件夹；请用 --out 写明文件名")
    if out.exists():
        raise Fault("backup_failed", f"there is a file {out} already, and nothing was written: choose another name with --out", f"{out} 已存在，未写入：请用 --out 另起文件名")
    config = load(where.config) if where.config.is_file() else Config()
    part = out.with_name(out.name + ".part")
    try:
        with tempfile.TemporaryDirectory(prefix="bobing-backup-") as scratch:
            copy = Path(scratch) / FILE_NAME
            copied(path, copy)
            with Journal.view(copy) as journal:
                records = journal.last_seq
            files = [(FILE_NAME, copy), *_settings(where, config), *(_pictures(where) if pictures else ())]
            manifest: dict[str, object] = {
                "format": FORMAT, "made": round(wall), "records": records,
                "files": {name: _digest(file) for name, file in files},
                "missing": [str(file) for file in own_files(config).values() if not file.is_file()],
            }
            with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1))
                for name, file in files:
                    archive.write(file, name)
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            part.replace(out)
            sync_folder(out.resolve().parent)
    except OSError as fault:
        part.unlink(missing_ok=True)
        what = f"{fault.filename}: {fault.strerror}" if fault.filename else str(fault.strerror or fault)
        raise Fault("backup_failed", f"the backup {out} could not be made ({what}): make room there, or choose another place with --out",
                    f"未能写成备份 {out}（{what}）：请腾出空间，或用 --out 另选地方") from fault
    return manifest


def restore(file: Path, where: Places) -> tuple[dict[str, object], Path | None]:
    """Put a backup in the place of what the folder holds; returns its manifest, and where what was there went (None: nothing was); raises Fault.

    Nothing is changed before every file of the backup is found whole and its journal's seals are true. Raises Refused where
    there is no such file.
    """
    if kept_back(file):
        raise not_allowed(file, "read")
    if file.is_dir():
        raise Refused("no_file", f"{file} is a folder: name a backup in it that bobing backup wrote", f"{file} 是文件夹：请写明里面的备份")
    if not file.is_file():
        raise Refused("no_file", f"{file}: no such file: name a backup that bobing backup wrote", f"没有文件 {file}")
    begun, new = False, not where.data.exists()
    try:
        where.data.mkdir(parents=True, exist_ok=True)
        with _alone(where), tempfile.TemporaryDirectory(prefix="restore-", dir=where.data) as scratch:
            manifest = _unpacked(file, Path(scratch))
            with Journal.view(Path(scratch) / FILE_NAME):
                pass  # opening checks the seals
            begun = True
            aside = _swap(Path(scratch), where)
    except OSError as fault:
        what = f"{fault.filename}: {fault.strerror}" if fault.filename else str(fault.strerror or fault)
        if begun:
            raise Fault("restore_failed", f"{file} was restored in part only ({what}): make room and restore it again; what was there lies in {where.data}, in before-restore-…",
                        f"{file} 只恢复了一部分（{what}）：请腾出空间后再恢复；原有的在 before-restore-… 里") from fault
        no = not_allowed(fault.filename, "write") if isinstance(fault, PermissionError) and fault.filename else None
        en, zh = (what, what) if no is None else (no.en, no.zh)
        raise Fault("restore_failed", f"can't restore {file}, and nothing was changed ({en})", f"无法恢复 {file}，未作改动（{zh}）") from fault
    finally:
        if new and not begun:
            shutil.rmtree(where.data, ignore_errors=True)
    return manifest, aside


def _settings(where: Places, config: Config) -> Iterator[tuple[str, Path]]:
    if where.config.is_file():
        yield SETTINGS, where.config
    for kind, file in own_files(config).items():
        if file.is_file():
            yield f"{kind}/{file.name}", file


def _pictures(where: Places) -> Iterator[tuple[str, Path]]:
    for folder in FOLDERS:
        for file in sorted((where.data / folder).glob("*.*")):
            yield f"{folder}/{file.name}", file


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _unpacked(file: Path, scratch: Path) -> dict[str, object]:
    try:
        with zipfile.ZipFile(file) as archive:
            return _taken_out(archive, file, scratch)
    except (Fault, OSError):
        raise
    except Exception as fault:  # whatever the parts of a damaged ZIP raise, down to the decompressor's own kinds
        raise _no_backup(file) from fault


def _taken_out(archive: zipfile.ZipFile, file: Path, scratch: Path) -> dict[str, object]:
    if archive.getinfo(MANIFEST).file_size > MOST_MANIFEST or sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
        raise _no_backup(file)
    manifest = json.loads(archive.read(MANIFEST))
    if manifest["format"] != FORMAT or type(manifest["records"]) is not int or FILE_NAME not in manifest["files"]:
        raise _no_backup(file)
    for name, digest in manifest["files"].items():
        parts = Path(name).parts
        known = name in (FILE_NAME, SETTINGS) or (len(parts) == 2 and parts[0] in (*FOLDERS, *OWN))
        if not known or ".." in parts or "\\" in name or ":" in name:
            raise _no_backup(file)
        target = scratch / name
        target.parent.mkdir(exist_ok=True)
        with archive.open(name) as packed, target.open("wb") as out:
            shutil.copyfileobj(packed, out)
            out.flush()
            os.fsync(out.fileno())
        if _digest(target) != digest:
            raise Fault("backup_damaged", f"{file} is damaged ({name} is not what was written): use another backup",
                        f"{file} 已损坏（{name}）：请换一个备份")
    return dict(manifest)


def _swap(scratch: Path, where: Places) -> Path | None:
    """What is there now goes into a folder of its own, which is returned; the names change one by one, the journal's last."""
    number = 1
    while (aside := where.data / f"before-restore-{number}").exists():
        number += 1
    path = where.data / FILE_NAME
    for old in (where.config, *(path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm")), head_of(path)):
        if old.is_file():
            aside.mkdir(exist_ok=True)
            shutil.move(old, aside / old.name)
    sync_folder(where.data)
    for folder in (*FOLDERS, *OWN):
        place = (where.config.parent if folder in OWN else where.data) / folder  # the settings are looked at from their own folder
        for file in sorted((scratch / folder).glob("*")):
            place.mkdir(parents=True, exist_ok=True)
            shutil.move(file, place / file.name)
    if (scratch / SETTINGS).is_file():
        where.config.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(scratch / SETTINGS, where.config)
    (scratch / FILE_NAME).replace(path)
    sync_folder(where.data)
    return aside if aside.is_dir() else None


@contextmanager
def _alone(where: Places) -> Iterator[None]:
    try:
        lock = FolderLock(where.data / (FILE_NAME + ".lock"))
    except BlockingIOError as fault:
        raise Fault("folder_in_use", f"a table runs from {where.data}: end it, then restore", "牌桌正在运行：请先关掉再恢复") from fault
    try:
        yield
    finally:
        lock.release()


def _no_backup(file: Path) -> Fault:
    return Fault("no_backup", f"{file} is no backup of this program, or is damaged: use another", f"{file} 不是本程序的备份，或已损坏")


def name_of(wall: float) -> str:
    """What a backup is called when no name is given."""
    return time.strftime("bobing-%Y%m%d-%H%M%S.zip", time.localtime(wall))

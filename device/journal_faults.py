"""What can be wrong with a journal, each in one plain line that says what to do."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from device.errors import Fault

CAUSES = (sqlite3.Error, UnicodeDecodeError)  # a damaged file may even spoil the text of SQLite's own complaint


def fault_of(name: str, error: sqlite3.Error | UnicodeDecodeError) -> Fault:
    """What SQLite's complaint about the journal `name` means to a person."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return Fault(
            "disk_full",
            f"the disk is full and nothing was stored: make room beside {name}, then try again",
            f"磁盘已满，没有存下：请在 {name} 所在的磁盘腾出空间再试",
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return unwritable(name)
    if code == sqlite3.SQLITE_NOTADB:
        return not_a_journal(name)
    if code == sqlite3.SQLITE_CORRUPT or not hasattr(error, "sqlite_errorcode"):  # Python's own: text that is no text
        return damaged(name)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return in_use(name)
    said = " ".join(str(error).split())
    return Fault(
        "journal_failed",
        f"the disk under the journal {name} fails ({said}) and nothing was stored: check the disk",
        f"存放记录 {name} 的磁盘出错（{said}），没有存下：请检查磁盘",
    )


def unwritable(name: str) -> Fault:
    """The folder or the file can't be written."""
    folder = Path(name).parent
    return Fault(
        "folder_not_writable",
        f"can't write in {folder}: give it to this user, or choose another folder with --data",
        f"不能写入 {folder}：请改权限，或用 --data 另选文件夹",
    )


def in_use(name: str) -> Fault:
    """Another process holds the folder."""
    folder = Path(name).parent
    return Fault(
        "folder_in_use",
        f"another table uses this folder: {folder}; end it, or choose another folder with --data",
        f"另一桌正在用这个文件夹：{folder}；请先关掉它，或用 --data 另选一个",
    )


def gone(name: str) -> Fault:
    """The file under the name is no longer the one that is written."""
    return Fault(
        "journal_gone",
        f"the journal {name} was removed or replaced under the running table: put it back, and download the results before the table ends",
        f"记录 {name} 在运行中被移走或替换：请放回原处，并在关机前下载结果",
    )


def not_a_journal(name: str) -> Fault:
    """Something else lies where the journal should."""
    return Fault(
        "not_a_journal",
        f"{name} is not a journal of this program: move it away, or choose another folder with --data",
        f"{name} 不是本程序的记录：请移走它，或用 --data 另选文件夹",
    )


def newer(name: str) -> Fault:
    """A newer program wrote this journal; this one could lose what it doesn't know."""
    return Fault(
        "journal_newer",
        f"the journal {name} was written by a newer version, nothing was changed: update this program",
        f"记录 {name} 由更新的版本写成，未作改动：请升级本程序",
    )


def older(name: str) -> Fault:
    """An older program wrote this journal, and whoever only reads may not change it."""
    return Fault(
        "journal_older",
        f"the journal {name} is of an older version: start the table once, that brings it up to date",
        f"记录 {name} 是旧版本：先开一次桌，会自动更新",
    )


def missing(name: str) -> Fault:
    """There is no journal where one was to be read: no folder, no folder but a file, or one in which nothing was played."""
    folder = Path(name).parent
    if folder.is_dir():
        return Fault(
            "journal_missing",
            f"there is no journal in {folder}: no game was kept there (the demo keeps none); name the folder that bobing run --data plays in",
            f"{folder} 没有记录：还没有在那里玩过（演示不留记录）；请用 --data 指定 bobing run 用的文件夹",
        )
    what, zh = ("is a file, not a folder", "是文件，不是文件夹") if folder.exists() else ("does not exist", "不存在")
    return Fault(
        "journal_missing",
        f"the folder {folder} {what}: name the one that bobing run --data plays in",
        f"{folder} {zh}：请用 --data 指定 bobing run 用的文件夹",
    )


def damaged(name: str, seq: int | None = None) -> Fault:
    """The journal is not what was written; `seq` is the first record that is not, where that is known."""
    where_en, where_zh = ("", "") if seq is None else (f" from record {seq} on", f"（从第 {seq} 条起）")
    return Fault(
        "journal_damaged",
        f"the journal {name} is damaged{where_en}: start the table once, it keeps every record before the damage",
        f"记录 {name} 已损坏{where_zh}：开一次桌，损坏之前的记录都会保留",
    )


def unreadable(name: str, error: OSError) -> Fault:
    """The files can't be read, copied or put aside."""
    return Fault(
        "journal_failed",
        f"the journal {name} can't be mended ({error.strerror or error}): check the disk, or make room beside it",
        f"记录 {name} 无法修复（{error.strerror or error}）：请检查磁盘或腾出空间",
    )

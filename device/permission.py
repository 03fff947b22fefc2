"""What the system keeps from this user, in one plain line: which file or folder it is, and what to do about it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from device.errors import Fault, Refused

Deed = Literal["read", "write", "open"]
ZH: dict[Deed, str] = {"read": "读取", "write": "写入", "open": "打开"}


def not_allowed(path: Path | str, deed: Deed = "open") -> Fault:
    """This user may not read (write, open) what lies there; a folder on the way that is closed to them is named."""
    shut = _closed_above(Path(path)) or (Path(path).parent if deed == "write" and closed(Path(path)) else None)
    what = path if shut is None else shut
    by_en, by_zh = ("", "") if shut is None else (f" (the folder {shut} is closed to them)", f"（文件夹 {shut} 不让进）")
    return Fault(
        "not_allowed",
        f"{path}: this user may not {deed} it{by_en}: change who may, with chmod or chown on {what}, or name another place",
        f"{path}：当前用户无权{ZH[deed]}{by_zh}：请用 chmod 或 chown 改 {what} 的权限，或另指定一个",
    )


def not_read(path: Path | str, fault: OSError, made_by: str) -> Fault | Refused:
    """Why a file that a command made was not read, where the reason lies outside of it: what is in it may be good. made_by: the command."""
    if os.path.isdir(path):  # noqa: PTH112 - pathlib raises where it may not look
        return Refused("no_file", f"{path} is a folder: name a file in it that {made_by} wrote", f"{path} 是文件夹：请写明里面的文件")
    if isinstance(fault, PermissionError):
        return not_allowed(path, "read")
    why = fault.strerror or str(fault)
    return Fault("unreadable", f"{path}: it can't be read ({why}), though what is in it may be good: look whether name and disk are well",
                 f"{path} 读不了（{why}），内容可能完好：请检查文件名和磁盘")


def kept_back(path: Path) -> bool:
    """Whether something lies there, or may lie there, that this user may not read; nothing is opened for it."""
    try:
        return path.exists() and not os.access(path, os.R_OK)
    except PermissionError:  # the folder is closed
        return True


def closed(path: Path) -> bool:
    """Whether this user may not write a file of this name, as far as its folder tells; the folder is there."""
    return not os.access(path.parent, os.W_OK | os.X_OK)


def in_words(fault: OSError) -> str:
    """One plain line about what the system refused: a file by its name, or, where none is named, the place where results are written to."""
    if fault.filename is None:
        return f"{fault.strerror or fault}: the results are not complete: make room where they are written to, or write them elsewhere"
    name = os.fsdecode(fault.filename) if isinstance(fault.filename, str | bytes) else str(fault.filename)
    if isinstance(fault, PermissionError):
        return not_allowed(name).en
    return f"{name}: {fault.strerror or fault}: look whether it is there and its disk is well, or name another place"


def _closed_above(path: Path) -> Path | None:
    """The topmost folder on the way to this path that this user may not enter."""
    return next((folder for folder in reversed(path.absolute().parents) if folder.exists() and not os.access(folder, os.X_OK)), None)

"""What is wrong with a box or its port, in words that say what to do."""

from __future__ import annotations

import errno
from dataclasses import dataclass

PERMISSION = frozenset({errno.EACCES, errno.EPERM})
BUSY = frozenset({errno.EAGAIN, errno.EBUSY})


@dataclass(frozen=True, slots=True)
class Words:
    """A fault or a state of the box. key: a word for programs; en, zh: one line each for people."""

    key: str
    en: str
    zh: str


def permission(device: str, group: str) -> Words:
    """The port may not be opened by this user. group: the group that may, "" where it is not known."""
    if not group:
        return Words(
            "permission", f"{device} may not be opened: ask whoever keeps this machine", f"没有权限打开 {device}"
        )
    line = f"sudo usermod -aG {group} $USER"
    return Words(
        "permission",
        f"{device} belongs to the group {group}: {line}, then log out and in again",
        f"{device} 属于 {group} 组：请运行 {line}，然后注销并重新登录",
    )


def busy(device: str) -> Words:
    """Somebody else has the port."""
    return Words(
        "busy",
        f"{device} is in use by another program: close it (another bobing, the Arduino IDE); "
        "ModemManager lets go after half a minute, and the rules that bobing boxes --udev prints keep it away",
        f"{device} 被别的程序占用：请关掉它（另一个 bobing、Arduino IDE）；ModemManager 半分钟后会放开",
    )


def vanished(device: str, seconds: float) -> Words:
    """The port came and went: on some systems brltty takes it for a Braille display."""
    return Words(
        "brltty",
        f"{device} vanished {seconds:.0f} s after it appeared: if nobody unplugged it, brltty has taken it: "
        "sudo apt-get remove brltty",
        f"{device} 出现 {seconds:.0f} 秒后又消失了：若没有拔线，是 brltty 抢走了它：sudo apt-get remove brltty",
    )


def version(device: str, protocol: int, firmware: str) -> Words:
    """A box whose firmware speaks another protocol."""
    return Words(
        "version",
        f"the box at {device} speaks protocol {protocol} (firmware {firmware}), this program protocol 1: "
        "bobing box flash",
        f"{device} 上的盒子固件 {firmware} 版本不合（协议 {protocol}）：请运行 bobing box flash",
    )


def other_box(device: str, found: str, wanted: str) -> Words:
    """A box that belongs to another table."""
    return Words(
        "other_box",
        f"the box at {device} is {found}, this table's box is {wanted} ([box] id in bobing.toml)",
        f"{device} 上的盒子是 {found}，本桌的是 {wanted}",
    )


def no_box(device: str, why: str) -> Words:
    """What is at the port does not answer as a box. why: "echo", "nonsense" or "silent"."""
    reason = {
        "echo": ("it repeats what it is sent", "它只是原样返回"),
        "nonsense": ("it says other things", "它说的是别的"),
        "silent": ("it says nothing", "它没有回应"),
    }[why]
    return Words("no_box", f"{device} is no button box: {reason[0]}", f"{device} 不是按钮盒：{reason[1]}")


def unopened(device: str, reason: str) -> Words:
    """The port can't be opened for any other reason."""
    return Words("unopened", f"{device} can't be opened: {reason}", f"打不开 {device}：{reason}")


def missing(wanted: str) -> Words:
    """The port that was named is not there."""
    return Words("missing", f"there is no {wanted}: plug the box in (bobing boxes lists ports)", f"没有 {wanted}：请插上盒子")


def lost(device: str) -> Words:
    """A box that was linked is gone."""
    return Words("lost", f"the box at {device} is gone: plug it in again", f"{device} 上的盒子断开了：请重新插上")


SEARCHING = Words("searching", "no box is plugged in", "没有插按钮盒")
"""Nothing that could be a box is there; the table is played without one."""

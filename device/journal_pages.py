"""Records found in the bytes of a journal's files, without SQLite: what is left to do when SQLite can't open them.

The layout is SQLite's file format (sqlite.org/fileformat2.html, sections 1.6, 2 and 4): a record of ours has a header of
serial types `size 0 text text number blob-of-32`, which is looked for everywhere, so that a damaged page or header
above it does no harm. Nothing found here is believed before its seal is checked.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

PAGE = 4096
WAL_HEADER, FRAME_HEADER = 32, 24
_NUMBERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # serial type → bytes of a whole number
# header size, NULL (the number is the row's own), two texts, a number, a blob of 32 bytes (12 + 2·32)
_HEADER = re.compile(rb"[\x06-\x0c]\x00(?=([\x80-\xff]{0,4}[\x00-\x7f])([\x80-\xff]{0,4}[\x00-\x7f])([\x01-\x09])\x4c)", re.S)


@dataclass(frozen=True, slots=True)
class Found:
    """What may be a record, unchecked."""

    seq: int
    kind: str
    text: str
    wall: float
    hash: bytes


def found_in(database: bytes, log: bytes = b"") -> Iterator[Found]:
    """Everything that looks like a record in a journal file and its write-ahead log, also more than once."""
    frames = list(committed(log))
    latest = _pages(database) | dict(frames) | dict(committed(log, _salt(log)))
    for page in [database, *(image for _, image in frames)]:
        yield from _scan(page, latest)


def found_in_newest(database: bytes, log: bytes) -> Iterator[Found]:
    """What looks like a record in the newest image of each page: all of them where nothing is damaged, in a fraction of the time."""
    newest = _pages(database) | dict(committed(log, _salt(log)))
    for page in newest.values():
        yield from _scan(page, newest)


def _pages(database: bytes) -> dict[int, bytes]:
    return {n + 1: database[n * PAGE : (n + 1) * PAGE] for n in range(-(-len(database) // PAGE))}


def _salt(log: bytes) -> bytes:
    """What the frames of the log's present round carry; behind them those of an earlier round may still stand."""
    return log[16:24]


def committed(log: bytes, round_of: bytes | None = None) -> Iterator[tuple[int, bytes]]:
    """(page number, image) of the frames of a write-ahead log that belong to finished transactions; of one round or of all."""
    frames: list[tuple[int, bool, bytes, bytes]] = []
    for at in range(WAL_HEADER, len(log), FRAME_HEADER + PAGE):
        head, image = log[at : at + FRAME_HEADER], log[at + FRAME_HEADER : at + FRAME_HEADER + PAGE]
        if len(head) == FRAME_HEADER:
            number, size = struct.unpack(">II", head[:8])
            # a frame that was cut off is no finished one, but what precedes the cut in it may be whole
            frames.append((number, size > 0 and len(image) == PAGE, head[8:16], image))
    last = {salt: at for at, (_, commits, salt, _) in enumerate(frames) if commits}
    for at, (number, _, salt, image) in enumerate(frames):
        if at <= last.get(salt, -1) and round_of in (None, salt):
            yield number, image


def _scan(content: bytes, pages: Mapping[int, bytes]) -> Iterator[Found]:
    for match in _HEADER.finditer(content):
        kinds = [_varint(match[1]), _varint(match[2]), match[3][0]]
        size = 2 + len(match[1]) + len(match[2]) + 2
        if match[0][0] != size or any(k < 13 or k % 2 == 0 for k in kinds[:2]):
            continue
        lengths = [(kinds[0] - 13) // 2, (kinds[1] - 13) // 2, _NUMBERS.get(kinds[2], 8 if kinds[2] == 7 else 0), 32]
        body = _payload(content, match.start(), size + sum(lengths), pages)[size:]
        if len(body) < sum(lengths):
            continue
        kind, text, wall, sealed = (body[sum(lengths[:n]) : sum(lengths[: n + 1])] for n in range(4))
        try:
            yield Found(_row(content, match.start()), kind.decode(), text.decode(), _number(kinds[2], wall), sealed)
        except UnicodeDecodeError:
            continue


def _payload(content: bytes, start: int, length: int, pages: Mapping[int, bytes]) -> bytes:
    """The record's bytes: at most 4061 lie in its page, the rest in a chain of further pages."""
    if length <= PAGE - 35:
        return content[start : start + length]
    least = (PAGE - 12) * 32 // 255 - 23
    here = least + (length - least) % (PAGE - 4)
    here = here if here <= PAGE - 35 else least
    parts, left = [content[start : start + here]], length - here
    following = content[start + here : start + here + 4]
    while left > 0 and len(following) == 4:
        page = pages.get(int.from_bytes(following, "big"), b"")
        following, part = page[:4], page[4 : 4 + left]
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _row(content: bytes, header: int) -> int:
    """The row number: the variable-length integer that ends where the header begins; 0 where there is none."""
    start = header - 1
    while start > 0 and content[start - 1] >= 0x80 and header - start < 9:
        start -= 1
    return _varint(content[max(0, start) : header])


def _varint(content: bytes) -> int:
    value = 0
    for byte in content:
        value = value << 7 | byte & 0x7F
    return value


def _number(kind: int, content: bytes) -> float:
    if kind == 7:
        return float(struct.unpack(">d", content)[0])
    return float(kind - 8) if kind in (8, 9) else float(int.from_bytes(content, "big", signed=True))

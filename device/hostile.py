"""Text that others wrote: what may be shown of it. Whatever comes from a phone, a camera or a box is taken for hostile."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import urlsplit, urlunsplit

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JOINERS = frozenset("\u200c\u200d")
"""Letters of some scripts and emoji are joined by these; everything else that can't be seen is taken out."""
MARKS = 3
"""So many marks may stand on one letter; more climb over the lines above."""
_CREDENTIALS = re.compile(r"([a-z][a-z0-9+.-]*://)[^/@\s]*@", re.IGNORECASE)


def plain(text: str, most: int) -> str:
    """At most `most` characters of the text on one line, without control, direction and invisible characters."""
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", text[: 8 * most]):
        kind = unicodedata.category(sign)
        if sign in _BIDI or (kind in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") and sign not in _JOINERS):
            sign, kind = (" ", "Zs") if kind in ("Cc", "Zl", "Zp") else ("", "")
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks <= MARKS:
            kept.append(sign)
    return " ".join("".join(kept).split())[:most].rstrip()


def is_plain(text: str) -> bool:
    """Whether nothing in the text would be taken out or changed but blanks."""
    return plain(text, len(text) + 1) == " ".join(unicodedata.normalize("NFC", text).split())


def without_credentials(text: str) -> str:
    """The text with the user and password of every address in it left out."""
    return _CREDENTIALS.sub(r"\1…@", text)


def address_shown(address: str) -> str:
    """An address for logs and pages: no credentials, no query."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "…"
    if not parts.scheme or not parts.netloc:
        return without_credentials(address)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

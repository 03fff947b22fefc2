"""Text that others wrote: what may be shown of it. Whatever comes from a phone, a camera or a box is taken for hostile."""

from __future__ import annotations

import re
import unicodedata

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JOINERS = frozenset("\u200c\u200d")
"""Letters of some scripts and emoji are joined by these; everything else that can't be seen is taken out."""
MARKS = 3
"""So many marks may stand on one letter; more climb over the lines above."""
_CREDENTIALS = re.compile(r"([a-z][a-z0-9+.-]*://)\S*@", re.IGNORECASE)
"""Up to the last @ of the word: a password may hold one itself, and some hold a slash."""
_QUERY = re.compile(r"([a-z][a-z0-9+.-]*://[^\s?#]*)[?#]\S*", re.IGNORECASE)
"""Cameras take their password behind the question mark, too. What follows the address in a sentence is kept."""


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
    """The text with user, password and query of every address in it left out."""
    return _QUERY.sub(_asked, _CREDENTIALS.sub(r"\1…@", text))


def _asked(found: re.Match[str]) -> str:
    """The address, and the sign that ended the clause it stood in."""
    last = found[0][-1]
    return f"{found[1]}?…" + (last if last in ":;,.)" else "")


def address_shown(address: str) -> str:
    """A source as logs, pages and notices name it: of an address neither credentials nor query; anything else as it is."""
    scheme, between, rest = address.partition("://")
    if not between:
        return address
    # as a whole: here a password may hold blanks
    place, asks, _ = rest.rpartition("@")[2].partition("?")
    return f"{scheme}://{'…@' if '@' in rest else ''}{place.partition('#')[0]}{asks and '?…'}"

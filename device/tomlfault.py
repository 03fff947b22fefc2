"""What is wrong with a file that is no TOML, for whoever wrote it: the line, what stands there, and what belongs there."""

from __future__ import annotations

import re

AT = re.compile(r" \(at line (\d+), column \d+\)$")
SET = re.compile(r"""\s*(["']?)([\w-]+)\1\s*(=|:)?\s*(.*?)\s*$""")
MOST = 60
"""Characters of a line that are shown."""


def explain(text: str, fault: ValueError) -> tuple[str, str | None]:
    """One plain line about what `tomllib` refused in this text, and the name that the line sets; None: it sets none."""
    said = (str(fault).splitlines() or [""])[0]
    lines = text.splitlines() or [""]
    place = AT.search(said)
    if place is not None:
        number = min(int(place[1]), len(lines))
    else:  # something is open until the end: it was opened where a value was last begun
        number = max((n for n, line in enumerate(lines, 1) if "=" in line), default=len(lines))
    line = "".join(sign if sign.isprintable() else " " for sign in lines[number - 1]).strip()
    parts = SET.fullmatch(re.sub(r"\s#.*", "", line))
    name = parts[2] if parts is not None and parts[3] else None
    why = _why(said, parts) or re.sub(r" \(at .*\)$", "", said)
    return f"line {number}, {line if len(line) <= MOST else line[:MOST] + '…'}: {why}", name


def _why(said: str, parts: re.Match[str] | None) -> str | None:
    if parts is None or (parts[1] and parts[3] is None):
        return None  # the middle of a list, say
    name, sign, value = parts[2], parts[3], parts[4]
    if "overwrite" in said:
        return f"{name} is set a second time: keep one of the two"
    if sign != "=":
        return f"a value is set with =, as {name} = …"
    if not value:
        return f"{name} has no value: write one behind the ="
    if value[0] in "“”‘’„«「":
        return f'text stands in straight quotes, as {name} = "…"'
    if value[0] in "\"'" and (len(value) == 1 or value[-1] != value[0]):
        return f"the quote that opens {name}'s value is not closed"
    if value[0] == "[" and "]" not in value:
        return f"the list of {name} is not closed: ] is missing"
    if re.match(r"[^\W\d]", value):
        return f'words stand in quotes, as {name} = "{value[:MOST]}"' if value.lower() not in ("true", "false") else f"write {value.lower()}"
    return "something stands behind the value that does not belong there" if "after a statement" in said else None

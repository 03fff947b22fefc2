"""Cells for people's spreadsheets."""

from __future__ import annotations

import re
from typing import Any

_FORMULA = "=+\\-@\t\r\n＝＋－＠"
"""What begins a formula; a spreadsheet that is set to Chinese or Japanese takes the wide signs for the narrow ones."""
_BEGINS = re.compile(f"[{_FORMULA}]")
_AFTER_SEMICOLON = re.compile(f';(?="*[{_FORMULA}])')
"""Where commas are decimal signs, a spreadsheet parts the cells at semicolons."""


def safe(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula, nor a part of it; numbers stay numbers."""
    if not isinstance(cell, str):
        return cell
    return ("'" if _BEGINS.match(cell) else "") + _AFTER_SEMICOLON.sub("; ", cell)

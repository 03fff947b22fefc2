"""Cells for people's spreadsheets."""

from __future__ import annotations

from typing import Any

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def safe(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula; numbers stay numbers."""
    return "'" + cell if isinstance(cell, str) and cell[:1] in _FORMULA else cell

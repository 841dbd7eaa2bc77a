"""How wide text is on a terminal: Chinese and emoji take two cells, combining marks none."""

from __future__ import annotations

import unicodedata

ELLIPSIS = "…"


def cell(char: str) -> int:
    """Cells of one character."""
    if char < "\u0300":
        return 1
    if (
        unicodedata.combining(char)
        or char in "\u200d\ufe0e\ufe0f"
        or unicodedata.category(char) in {"Mn", "Me", "Cf"}
    ):
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def width(text: str) -> int:
    """Cells of a line."""
    if text.isascii():
        return len(text)
    return sum(map(cell, text))


def fit(text: str, cells: int) -> str:
    """The line cut to at most `cells`, with an ellipsis where something is missing."""
    if len(text) * 2 <= cells or width(text) <= cells:
        return text
    if cells <= 0:
        return ""
    used, end = 0, 0
    for char in text:
        step = cell(char)
        if used + step > cells - 1:
            break
        used += step
        end += 1
    return text[:end] + ELLIPSIS


def pad(text: str, cells: int, *, right: bool = False) -> str:
    """The line filled up with spaces to `cells`; `right` puts them in front."""
    gap = " " * max(0, cells - width(text))
    return gap + text if right else text + gap

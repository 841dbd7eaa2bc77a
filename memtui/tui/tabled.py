"""Tables of a Markdown text as they are read: columns aligned by cells, the widest cut where there is no room."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len

from memtui.locale import _n
from memtui.safety.safe_text import safe_text
from memtui.tui import draw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.tui.draw import Piece

LEAST = 16
"""Cells that a column keeps of what it holds."""

_RULE = re.compile(r"[\s|:-]+")
_CELL = re.compile(r"(?<!\\)\|")

Rows = list[list[str]]


def parts(text: str) -> Iterator[tuple[str, Rows]]:
    """The text in its order: a stretch of lines without a table, or a table's rows."""
    plain: list[str] = []
    rows: Rows = []
    for line in text.split("\n"):
        if line.lstrip().startswith("|") and line.count("|") > 2:
            if plain:
                yield "\n".join(plain), []
                plain = []
            if not _RULE.fullmatch(line):
                rows.append([cell.strip() for cell in _CELL.split(line.strip().strip("|"))])
            continue
        if rows:
            yield "", rows
            rows = []
        plain.append(line)
    if rows:
        yield "", rows
    if plain:
        yield "\n".join(plain), []


def table(rows: Rows, cells: int) -> list[list[Piece]]:
    """The rows in at most `cells`, the first of them as a head."""
    many = max(map(len, rows))
    shown = [[safe_text(cell, keep_newlines=False).replace("**", "") for cell in row] for row in rows]
    shown = [row + [""] * (many - len(row)) for row in shown]
    natural = [max(cell_len(row[at]) for row in shown) for at in range(many)]
    # A few columns that can be read say more than all of them cut to pieces.
    while many > 1 and sum(min(wide, LEAST) for wide in natural[:many]) + 2 * (many - 1) > cells:
        many -= 1
    widths = natural[:many]
    while sum(widths) + 2 * (many - 1) > cells and max(widths) > LEAST:
        widths[widths.index(max(widths))] -= 1
    lines: list[list[Piece]] = []
    for number, row in enumerate(shown):
        line = "  ".join(draw.pad(cell, wide) for cell, wide in zip(row, widths, strict=False))
        lines.append([(draw.cut(line.rstrip(), cells), "" if number else "bold")])
    if left := len(natural) - many:
        told = _n("{count} more column: z makes room", "{count} more columns: z makes room", left)
        lines.append([(draw.cut(f"… {told}", cells), "faint")])
    return lines

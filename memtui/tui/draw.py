"""Drawing by cells: text cut to a width, and a row of pieces with one that takes what is left.

A piece is `(text, style name)`; the text has been through `safe_text`. Chinese and emoji take two cells, so that
nothing here ever asks for the length of a string.
"""

from __future__ import annotations

import sys
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.strip import Strip

from memtui.safety.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.style import Style

    from memtui.tui.look import Look

Piece = tuple[str, str]
"""Text and the name of its style in the look."""

Marks = "Sequence[tuple[int, int]]"

EIGHTHS = " ▏▎▍▌▋▊▉█"
"""Blocks from nothing to a whole cell."""

LINE = 400
"""Characters of a text that a row looks at: no terminal is wider."""


def one_line(text: str) -> str:
    """The beginning of a text as one safe line."""
    head = text[:LINE]
    if "\n" in head:
        head = " ".join(head.split())
    return safe_text(head, keep_newlines=False).strip()


@lru_cache(maxsize=4096)
def cut(text: str, cells: int) -> str:
    """The text in at most `cells` cells, with … where something is missing."""
    if cells <= 0:
        return ""
    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, cells - 1).rstrip() + "…"


def tail(text: str, cells: int) -> str:
    """The end of a path in at most `cells` cells, with … where its beginning is missing."""
    if cell_len(text) <= cells:
        return text
    kept = text
    while kept and cell_len(kept) > cells - 1:
        kept = kept[max(1, (cell_len(kept) - cells) // 2) :]
    return "…" + kept if cells > 1 else ""


def pad(text: str, cells: int, *, right: bool = False) -> str:
    """The text in exactly `cells` cells; `right` aligns it to the right."""
    text = cut(text, cells)
    gap = " " * (cells - cell_len(text))
    return gap + text if right else text + gap


def bar(share: float, cells: int) -> str:
    """0 to 1 as a bar of exactly `cells`, to an eighth of a cell; whoever has any share sees something of it.

    It is read by its length alone, so that it says the same in sixteen colours and in none; where what prints it knows
    no blocks, in number signs.
    """
    eighths = round(max(0.0, min(1.0, share)) * cells * 8) or int(share > 0)
    whole, rest = divmod(eighths, 8)
    if not _blocks():
        return ("#" * max(1 if eighths else 0, round(eighths / 8))).ljust(cells)
    return ("█" * whole + (EIGHTHS[rest] if rest else "")).ljust(cells)


@cache
def _blocks() -> bool:
    """Whether what stdout is written in has them."""
    try:
        EIGHTHS.encode(getattr(sys.__stdout__, "encoding", None) or "utf-8")
    except (LookupError, UnicodeError):
        return False
    return True


def width(pieces: Iterable[Piece]) -> int:
    """Cells that the pieces take."""
    return sum(cell_len(text) for text, _ in pieces)


def fit(pieces: Sequence[Piece], cells: int) -> list[Piece]:
    """The pieces cut to at most `cells`."""
    out: list[Piece] = []
    for text, style in pieces:
        length = cell_len(text)
        if length <= cells:
            out.append((text, style))
            cells -= length
        else:
            if cells > 0:
                out.append((cut(text, cells), style))
            break
    return out


def _in_view(pieces: Sequence[Piece], cells: int) -> list[Piece]:
    """Pieces of which the first `mark` is seen in `cells`: what stands before it gives way."""
    at = next((n for n, (_text, style) in enumerate(pieces) if style == "mark"), 0)
    if not at or width(pieces[: at + 1]) <= cells:
        return list(pieces)
    before = "".join(text for text, _style in pieces[:at])
    return [(tail(before, max(1, cells // 4, cells - width(pieces[at:]))), pieces[0][1]), *pieces[at:]]


def row(left: Sequence[Piece], middle: Sequence[Piece], right: Sequence[Piece], cells: int) -> list[Piece]:
    """Exactly `cells` wide: left and right as they are, the middle cut or filled; the right goes first when
    there is no room for it. A mark in the middle is seen, whatever stands before it.
    """
    room = cells - width(left) - width(right)
    if right and room < (12 if middle else 0):
        right, room = (), cells - width(left)
    inner = fit(_in_view(middle, room), max(0, room))
    gap = room - width(inner)
    out = [*fit(left, cells), *inner]
    if gap > 0:
        out.append((" " * gap, ""))
    return [*out, *right]


def marked(text: str, marks: Sequence[tuple[int, int]], style: str = "") -> list[Piece]:
    """Raw text with the places `marks` made visible, as one safe line: safe_text moves offsets, so it comes last."""
    out: list[Piece] = []
    done = 0
    for start, end in sorted(marks):
        begin, stop = max(start, done), min(end, len(text))
        if begin >= stop:
            continue
        out.append((safe_text(text[done:begin].replace("\n", " "), keep_newlines=False), style))
        out.append((safe_text(text[begin:stop].replace("\n", " "), keep_newlines=False), "mark"))
        done = stop
    out.append((safe_text(text[done : done + LINE].replace("\n", " "), keep_newlines=False), style))
    return [piece for piece in out if piece[0]]


def strip(pieces: Sequence[Piece], cells: int, look: Look, base: Style, over: Style | None = None) -> Strip:
    """The pieces as a line of exactly `cells`, on `base`, with `over` (the cursor) above all.

    Everything a list, a text or a bar shows goes through here, so it is made safe here once more.
    """
    segments = []
    used = 0
    for raw, name in pieces:
        text = safe_text(raw, keep_newlines=False)
        style = base + look[name]
        segments.append(Segment(text, style + over if over else style))
        used += cell_len(text)
    line = Strip(segments, used)
    if used == cells:
        return line
    fill = base + over if over else base
    return line.extend_cell_length(cells, fill) if used < cells else line.crop(0, cells)

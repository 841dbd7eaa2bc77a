"""Text of a memory as styled, wrapped lines: a little Markdown, no links that open, nothing that is obeyed.

Breaks lines where Chinese and Latin text may be broken. A widget tree per memory would cost a hundred times as much
with every move of the cursor; a whole document is read in the text window instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len, get_character_cell_size

from memtui.locale import _, _n
from memtui.pattern import pattern
from memtui.safety.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.tui.draw import Piece

MOST = 64 * 1024
"""Characters of one memory that are shown; the whole file is an enter away."""

_INLINE = pattern(
    r"(?P<code>`[^`\n]+`)"
    r"|(?P<bold>\*\*[^*\n]+\*\*)"
    r"|(?P<struck>~~[^~\n]+~~)"
    r"|(?P<link>\[\[[^\]\n]{1,200}\]\]|\[[^\]\n]{1,200}\]\([^)\s]{0,500}\)|https?://[^\s<>()\[\]\"'，。；）]{1,500})"
    r"|(?P<tag>(?<![\w&/#])#[^\W\d][\w/-]{0,40})"
)
_BULLET = pattern(r"(\s*)([-*+]|\d{1,3}[.)])(\s+)(\[[ xX]\]\s)?")
_HEADING = pattern(r"#{1,6}\s")
_JOINER, _SELECTOR = "\u200d", "\ufe0f"
_NO_START = frozenset("，。、！？；：）》」』】〕”’％…·,.!?;:)]}%")
_NO_END = frozenset("（《「『【〔“‘([{")


def prose(text: str, cells: int, words: tuple[str, ...] = ()) -> list[list[Piece]]:
    """The text's lines as they are drawn at this width; `words` (lower case) are marked."""
    left_out = len(text) - MOST
    lines: list[list[Piece]] = []
    fenced = False
    for raw in safe_text(text[:MOST]).split("\n"):
        if raw.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            lines += wrapped([(raw, "faint")], cells)
        elif fenced:
            lines += wrapped(_mark([(raw, "code")], words), cells)
        else:
            lines += _line(raw, cells, words)
    if left_out > 0:
        more = _n("… {count} more character", "… {count} more characters", left_out)
        lines.append([(f"{more}: {_('open the file')}", "dim")])
    return lines


def _line(raw: str, cells: int, words: tuple[str, ...]) -> list[list[Piece]]:
    if _HEADING.match(raw):
        return wrapped(_mark([(raw, "head")], words), cells)
    bullet = _BULLET.match(raw)
    if bullet is None:
        return wrapped(_mark(inline(raw), words), cells)
    indent, sign, gap, box = bullet.groups()
    lead = f"{indent}{'•' if sign in '-*+' else sign}{gap}"
    box = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}.get(box or "", box or "")
    pieces: list[Piece] = [(lead + box, "dim"), *inline(raw[bullet.end() :])]
    return wrapped(_mark(pieces, words), cells, hang=cell_len(lead))


def inline(text: str) -> list[Piece]:
    """Bold, code, links and tags of one line; what they are written with stays where it carries meaning."""
    out: list[Piece] = []
    done = 0
    for match in _INLINE.finditer(text):
        if match.start() > done:
            out.append((text[done : match.start()], ""))
        style = match.lastgroup or ""
        found = match.group()
        out.append(
            (found[2:-2] if style in {"bold", "struck"} else found[1:-1] if style == "code" else found, style)
        )
        done = match.end()
    if done < len(text):
        out.append((text[done:], ""))
    return out


def _mark(pieces: Iterable[Piece], words: tuple[str, ...]) -> list[Piece]:
    """Every occurrence of the words in the pieces, made visible."""
    if not words:
        return list(pieces)
    wanted = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    out: list[Piece] = []
    for text, style in pieces:
        done = 0
        for match in wanted.finditer(text):
            if match.start() > done:
                out.append((text[done : match.start()], style))
            if match.group():
                out.append((match.group(), "mark"))
            done = match.end()
        if done < len(text):
            out.append((text[done:], style))
    return out


def wrapped(pieces: list[Piece], cells: int, *, hang: int = 0) -> list[list[Piece]]:
    """The pieces in lines of at most `cells`; lines after the first are indented by `hang`."""
    text = "".join(piece for piece, _style in pieces)
    if not text:
        return [[]]
    if hang > cells // 2:
        hang = 0
    lines: list[list[Piece]] = []
    for number, (start, end) in enumerate(breaks(text, max(2, cells), hang)):
        line = _slice(pieces, start, end)
        lines.append([(" " * hang, ""), *line] if hang and number else line)
    return lines


def _slice(pieces: list[Piece], start: int, end: int) -> list[Piece]:
    out: list[Piece] = []
    at = 0
    for text, style in pieces:
        first, last = max(start - at, 0), min(end - at, len(text))
        if first < last:
            out.append((text[first:last], style))
        at += len(text)
        if at >= end:
            break
    return out


def breaks(text: str, cells: int, hang: int = 0) -> list[tuple[int, int]]:
    """Where each line starts and ends, as offsets: at spaces, between wide characters, else anywhere but inside
    what is drawn as one.
    """
    lines: list[tuple[int, int]] = []
    start = used = 0
    last = -1
    room = cells
    sizes = _sizes(text)
    for index, char in enumerate(text):
        size = sizes[index]
        while used + size > room and index > start:
            stop = index if char == " " or last <= start else last
            lines.append((start, stop))
            start, last, room = stop, -1, cells - hang
            used = sum(sizes[start:index])
        if char == " " and lines and start == index:
            start += 1
            continue
        used += size
        if index + 1 < len(text) and _may_break(char, size, text[index + 1], sizes[index + 1]):
            last = index + 1
    lines.append((start, len(text)))
    return lines


def _sizes(text: str) -> list[int]:
    """Cells of each character where it stands: what is joined to an emoji takes none of its own."""
    if text.isascii():
        return [1] * len(text)
    sizes: list[int] = []
    before = ""
    for char in text:
        if before == _JOINER:
            size = 0
        elif char == _SELECTOR:
            size = 1 if sizes and sizes[-1] == 1 else 0
        else:
            size = get_character_cell_size(char)
        sizes.append(size)
        before = char
    return sizes


def _may_break(char: str, size: int, following: str, next_size: int) -> bool:
    if next_size == 0 or following == _SELECTOR:
        return False
    return char in " -/" or (
        (size == 2 or next_size == 2) and following not in _NO_START and char not in _NO_END
    )

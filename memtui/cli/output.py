"""What commands print: data on stdout (one JSON document, or lines for people), talk on stderr.

Whatever came from a disk passes `safe_text` here, at the last step before a terminal.
"""

from __future__ import annotations

import os
import sys

from memtui.cli import cells
from memtui.record import TYPE_CHECKING, Any, NamedTuple
from memtui.safety.characters import HIDDEN
from memtui.safety.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

BOLD, DIM, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN = "1", "2", "31", "32", "33", "34", "35", "36"

_state = {"answered": False}


class Column(NamedTuple):
    """One column of a table for people."""

    title: str
    style: str = ""
    right: bool = False
    grows: bool = False
    """Takes what width is left, and is cut where there is too little. One column a table."""


def answered() -> bool:
    """Whether a JSON document has been printed: there is to be one only."""
    return _state["answered"]


def forget() -> None:
    """Begin anew: for a process that runs more than one command."""
    _state["answered"] = False


def document(value: Any) -> None:
    """Print one JSON document, with nothing in it that a terminal would obey or a decoder refuse."""
    import json

    body = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2 if _terminal(sys.stdout) else None)
    if not body.isascii() or "\x7f" in body:
        import re

        body = re.sub(f"[{HIDDEN}]", _escaped, body)
    _state["answered"] = True
    _write(sys.stdout, body + "\n", utf8=True)


def _escaped(match: Any) -> str:
    point = ord(match.group())
    if point > 0xFFFF:
        point -= 0x10000
        return f"\\u{0xD800 + (point >> 10):04x}\\u{0xDC00 + (point & 0x3FF):04x}"
    return f"\\u{point:04x}"


def line(ready: str = "") -> None:
    """Print a line that is safe already: it may hold the styles that `paint` put there."""
    _write(sys.stdout, ready + "\n")


def talk(remark: str) -> None:
    """One remark for people, on stderr."""
    _write(sys.stderr, safe_text(remark) + "\n")


def safe(passage: str) -> str:
    """Text from a disk as one harmless line."""
    return safe_text(passage.replace("\n", " ")) if "\n" in passage else safe_text(passage)


def text(passage: str) -> str:
    """Text from a disk with its line ends kept."""
    return safe_text(passage)


def paint(text: str, *styles: str) -> str:
    """The text in ANSI styles, on a terminal that wants them."""
    wanted = [style for style in styles if style]
    if not wanted or not text or not coloured():
        return text
    return f"\x1b[{';'.join(wanted)}m{text}\x1b[0m"


def coloured() -> bool:
    """NO_COLOR and TERM=dumb forbid, FORCE_COLOR and CLICOLOR_FORCE demand, else a terminal decides."""
    env = os.environ
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR", "0") not in {"", "0"} or env.get("CLICOLOR_FORCE", "0") not in {"", "0"}:
        return True
    return env.get("TERM") != "dumb" and _terminal(sys.stdout)


def columns() -> int | None:
    """Cells of a line on the terminal; None where stdout is none, so that nothing is cut in a pipe."""
    named = os.environ.get("COLUMNS", "")
    if named.isdigit() and int(named) > 0:
        return int(named)
    if not _terminal(sys.stdout):
        return None
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def table(heads: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """Rows aligned by cells, one column cut to the terminal's width; in a pipe, fields divided by tabs."""
    limit = columns()
    clean = [[safe(field) for field in row] for row in rows]
    if limit is None:
        for row in clean:
            line("\t".join(field.replace("\t", " ") for field in row))
        return
    widths = [
        max([cells.width(head.title), *(cells.width(row[i]) for row in clean)])
        for i, head in enumerate(heads)
    ]
    # Whatever a file calls a kind or an id, there is room for the memory beside it.
    widths = [wide if head.grows else min(wide, limit // 2) for head, wide in zip(heads, widths, strict=True)]
    for i, head in enumerate(heads):
        if head.grows:
            others = sum(widths) - widths[i] + 2 * (len(heads) - 1)
            widths[i] = min(widths[i], max(limit - others, 12))
    titles = _row(heads, [head.title for head in heads], widths, limit)
    if titles.strip():
        line(paint(titles, BOLD))
    for row in clean:
        line(_row(heads, row, widths, limit, styled=True))


def _row(
    heads: Sequence[Column], row: Sequence[str], widths: Sequence[int], limit: int, *, styled: bool = False
) -> str:
    out: list[str] = []
    used = 0
    for i, (head, field, wide) in enumerate(zip(heads, row, widths, strict=True)):
        room = limit - used
        if room <= 0:
            break
        text = cells.fit(field, min(wide, room))
        if i < len(heads) - 1 or head.right:
            text = cells.pad(text, min(wide, room), right=head.right)
        used += min(wide, room) + 2
        out.append(paint(text, head.style) if styled else text)
    return "  ".join(out).rstrip()


def _terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def _write(stream: TextIO, text: str, *, utf8: bool = False) -> None:
    try:
        stream.write(text)
    except UnicodeEncodeError:
        # A console of another encoding shows an escape for what it lacks; JSON is UTF-8 by definition.
        buffer = getattr(stream, "buffer", None)
        if buffer is None:
            stream.write(text.encode("ascii", "backslashreplace").decode("ascii"))
            return
        stream.flush()
        encoding = "utf-8" if utf8 else (stream.encoding or "ascii")
        buffer.write(text.encode(encoding, "backslashreplace"))

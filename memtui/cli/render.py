"""What commands print: data on stdout (one JSON document, or lines for people), remarks on stderr.

Text from a disk passes `sanitize_text` here, the last step before a terminal. The first functions measure text
in cells (Chinese and emoji take two, combining marks none); the last ones print a unified diff, in colour on a
terminal, with hidden characters shown.
"""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata

from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple
from memtui.safety.sanitize import HIDDEN, sanitize_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TextIO

ELLIPSIS = "…"


def count_char_cells(char: str) -> int:
    """Cells of one character."""
    if char < "\u0300":
        return 1
    if unicodedata.combining(char) or char in "\u200d\ufe0e\ufe0f" or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def count_line_cells(text: str) -> int:
    """Cells of a line."""
    if text.isascii():
        return len(text)
    return sum(map(count_char_cells, text))


def fit(text: str, cells: int) -> str:
    """The line cut to at most `cells`, with an ellipsis where something is missing."""
    if len(text) * 2 <= cells or count_line_cells(text) <= cells:
        return text
    if cells <= 0:
        return ""
    used, end = 0, 0
    for char in text:
        step = count_char_cells(char)
        if used + step > cells - 1:
            break
        used += step
        end += 1
    return text[:end] + ELLIPSIS


def pad(text: str, cells: int, *, right: bool = False) -> str:
    """The line filled up with spaces to `cells`; `right` puts them in front."""
    gap = " " * max(0, cells - count_line_cells(text))
    return gap + text if right else text + gap


BOLD, DIM, RED, GREEN, YELLOW, BLUE, CYAN = "1", "2", "31", "32", "33", "34", "36"

_state = {"answered": False}


class Column(NamedTuple):
    """One column of a table for people."""

    title: str
    style: str = ""
    right: bool = False
    grows: bool = False
    """Takes what width is left, and is cut where there is too little. One column a table."""


def has_answered() -> bool:
    """Whether a JSON document has been printed: there is to be one only."""
    return _state["answered"]


def forget() -> None:
    """Begin anew: for a process that runs more than one command."""
    _state["answered"] = False


def print_document(value: Any) -> None:
    """Print one JSON document, with nothing in it that a terminal would obey or a decoder refuse."""
    body = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2 if _is_terminal(sys.stdout) else None)
    if not body.isascii() or "\x7f" in body:
        body = re.sub(f"[{HIDDEN}]", _escape, body)
    _state["answered"] = True
    _write(sys.stdout, body + "\n", utf8=True)


def _escape(match: Any) -> str:
    point = ord(match.group())
    if point > 0xFFFF:
        point -= 0x10000
        return f"\\u{0xD800 + (point >> 10):04x}\\u{0xDC00 + (point & 0x3FF):04x}"
    return f"\\u{point:04x}"


def print_line(ready: str = "") -> None:
    """Print a line that is safe already: it may hold the styles that `paint` put there."""
    _write(sys.stdout, ready + "\n")


def print_remark(remark: str) -> None:
    """One remark for people, on stderr."""
    _write(sys.stderr, sanitize_text(remark) + "\n")


def make_safe_line(passage: str) -> str:
    """Text from a disk as one harmless line."""
    return sanitize_text(passage.replace("\n", " ")) if "\n" in passage else sanitize_text(passage)


def make_safe_text(passage: str) -> str:
    """Text from a disk with its line ends kept."""
    return sanitize_text(passage)


def paint(text: str, *styles: str) -> str:
    """The text in ANSI styles, on a terminal that wants them."""
    wanted = [style for style in styles if style]
    if not wanted or not text or not is_colour_wanted():
        return text
    return f"\x1b[{';'.join(wanted)}m{text}\x1b[0m"


def is_colour_wanted() -> bool:
    """NO_COLOR and TERM=dumb forbid, FORCE_COLOR and CLICOLOR_FORCE demand, else a terminal decides."""
    env = os.environ
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR", "0") not in {"", "0"} or env.get("CLICOLOR_FORCE", "0") not in {"", "0"}:
        return True
    return env.get("TERM") != "dumb" and _is_terminal(sys.stdout)


def count_columns() -> int | None:
    """Cells of a line on the terminal; None where stdout is none, so that nothing is cut in a pipe."""
    named = os.environ.get("COLUMNS", "")
    if named.isdigit() and int(named) > 0:
        return int(named)
    if not _is_terminal(sys.stdout):
        return None
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def print_table(heads: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """Rows aligned by cells, one column cut to the terminal's width; in a pipe, fields divided by tabs."""
    limit = count_columns()
    clean = [[make_safe_line(field) for field in row] for row in rows]
    if limit is None:
        for row in clean:
            print_line("\t".join(field.replace("\t", " ") for field in row))
        return
    widths = [
        max([count_line_cells(head.title), *(count_line_cells(row[i]) for row in clean)])
        for i, head in enumerate(heads)
    ]
    # Whatever a file calls a kind or an id, there is room for the memory beside it.
    widths = [wide if head.grows else min(wide, limit // 2) for head, wide in zip(heads, widths, strict=True)]
    for i, head in enumerate(heads):
        if head.grows:
            others = sum(widths) - widths[i] + 2 * (len(heads) - 1)
            widths[i] = min(widths[i], max(limit - others, 12))
    titles = _format_row(heads, [head.title for head in heads], widths, limit)
    if titles.strip():
        print_line(paint(titles, BOLD))
    for row in clean:
        print_line(_format_row(heads, row, widths, limit, styled=True))


def print_fields(rows: Iterable[tuple[str, str]]) -> None:
    """Names and what they stand for, a line each, aligned by cells; `!` is a warning."""
    clean = [(make_safe_line(name), make_safe_line(value)) for name, value in rows if value]
    wide = min(max((count_line_cells(name) for name, _value in clean), default=0), 20)
    for name, value in clean:
        print_line(f"{paint(pad(name, wide), YELLOW if name == '!' else DIM)}  {value}")


def _format_row(
    heads: Sequence[Column], row: Sequence[str], widths: Sequence[int], limit: int, *, styled: bool = False
) -> str:
    out: list[str] = []
    used = 0
    for i, (head, field, wide) in enumerate(zip(heads, row, widths, strict=True)):
        room = limit - used
        if room <= 0:
            break
        text = fit(field, min(wide, room))
        if i < len(heads) - 1 or head.right:
            text = pad(text, min(wide, room), right=head.right)
        used += min(wide, room) + 2
        out.append(paint(text, head.style) if styled else text)
    return "  ".join(out).rstrip()


def _is_terminal(stream: TextIO) -> bool:
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


STYLES = {"+": GREEN, "-": RED, "@": CYAN}
MOST = 400
"""Lines of one difference that are shown; the rest is counted."""


def diff_files(old: bytes | None, new: bytes | None, path: str) -> str:
    """The unified diff of two contents of one file; None: there is no file."""
    from difflib import unified_diff

    lines = unified_diff(
        _split_lines(old), _split_lines(new), _name("a", old, path), _name("b", new, path), lineterm="\n"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def paint_diff(diff: str) -> Iterator[str]:
    """The lines of a diff, safe and in colour."""
    for line in make_safe_diff(diff):
        head = line[:4] in {"--- ", "+++ "}
        yield paint(line, BOLD if head else STYLES.get(line[:1], ""))


def make_safe_diff(diff: str) -> Iterator[str]:
    """The same without colour."""
    # Only newlines end a line here: what else splitlines takes for one stands in the middle of a changed line.
    lines = diff.removesuffix("\n").split("\n") if diff else []
    yield from map(make_safe_line, lines[:MOST])
    if len(lines) > MOST:
        yield f"… +{len(lines) - MOST:,}"


def _split_lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "backslashreplace")
    found = text.split("\n")
    return [f"{line}\n" for line in found[:-1]] + ([found[-1]] if found[-1] else [])


def _name(side: str, data: bytes | None, path: str) -> str:
    return "/dev/null" if data is None else f"{side}/{path}"

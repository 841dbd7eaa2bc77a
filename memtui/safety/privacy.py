"""What a person marked #private, left out of what leaves this machine: pure text in, text out."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from memtui.core.startup import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_PRIVATE = compile_pattern(r"(?i)(?<![\w/#&])#(?:private|私密|私有|隐私)(?![\w/])")
_PRIVATE_KEY = compile_pattern(
    r"(?im)^\s*private\s*:\s*(?:true|yes|on|1)\b|^\s*(?:tags|keywords)\s*:.*\bprivate\b|^\s*-\s*[\"']?private[\"']?\s*$"
)
_PRIVATE_VALUE = compile_pattern(r"(?i)\"#?(?:private|私密|私有|隐私)\"(?!\s*:\s*(?:false|null|0))")
_HEADING = compile_pattern(r" {0,3}(#{1,6})(?:\s|$)")
_ITEM = compile_pattern(r"(\s*)(?:[-*+•]|\d{1,9}[.)、])\s")
_FENCE = compile_pattern(r"\s{0,3}(```+|~~~+)")
_RULED = compile_pattern(r" {0,3}(=+|-{2,})\s*$")


def drop_private(text: str) -> str | None:
    """A Markdown text without what is marked #private; None: all of it is.

    A mark on a heading takes its section with it, on a list item what stands below it, in a paragraph the paragraph,
    in a table its row; in the frontmatter it takes all.
    """
    lines = text.splitlines(keepends=True)
    if lines and lines[0].rstrip() == "---":
        end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() in {"---", "..."}), 0)
        if end and (_PRIVATE_KEY.search(head := "".join(lines[1:end])) or is_private(head)):
            return None
    if not is_private(text):
        return text
    fenced = [False] * len(lines)
    for start, end in _fences(lines):
        fenced[start:end] = [True] * (end - start)
    gone: set[int] = set()
    for at, line in enumerate(lines):
        if at not in gone and is_private(line):
            gone.update(_block(lines, at, fenced))
    left = "".join(line for at, line in enumerate(lines) if at not in gone)
    # A mark that is still there stands in no block that is known.
    return None if is_private(left) else left


def is_private(text: str) -> bool:
    """Whether a text holds the mark, however it is spelt."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _PRIVATE.search(text) is not None


def drop_private_records(text: str, *, lines: bool) -> str | None:
    """JSON without the lines that are marked private; None: it is one document, and something in it is."""

    def marked(part: str) -> bool:
        plain = part if part.isascii() else unicodedata.normalize("NFKC", part)
        return is_private(part) or _PRIVATE_VALUE.search(plain) is not None

    if not lines:
        return None if marked(text) else text
    return "".join(line for line in text.splitlines(keepends=True) if not marked(line))


def _fences(lines: list[str]) -> Iterator[tuple[int, int]]:
    start, mark = -1, ""
    for at, line in enumerate(lines):
        found = _FENCE.match(line)
        if start < 0 and found:
            start, mark = at, found[1]
        elif start >= 0 and found and found[1].startswith(mark) and line.strip() == found[1]:
            yield start, at + 1
            start = -1
    if start >= 0:
        yield start, len(lines)


def _level(lines: list[str], at: int, fenced: list[bool]) -> int:
    """The level of the heading that stands in a line; 0: none does."""
    if fenced[at]:
        return 0
    found = _HEADING.match(lines[at])
    if found:
        return len(found[1])
    ruled = _RULED.match(lines[at + 1]) if at + 1 < len(lines) and lines[at].strip() else None
    return 0 if ruled is None or _ITEM.match(lines[at]) else 1 if ruled[1][0] == "=" else 2


def _block(lines: list[str], at: int, fenced: list[bool]) -> range:
    """The lines of what a mark in line `at` marks."""
    level, count = _level(lines, at, fenced), len(lines)
    if level:
        ends = (end for end in range(at + 1, count) if 0 < _level(lines, end, fenced) <= level)
        return range(at, next(ends, count))
    if fenced[at]:
        start = next(line for line in range(at, -1, -1) if line == 0 or not fenced[line - 1])
        return range(start, next((line for line in range(at, count) if not fenced[line]), count))
    if lines[at].lstrip().startswith("|"):
        return range(at, at + 1)
    start = at
    # The item, or the paragraph, that the line is within.
    while not _ITEM.match(lines[start]) and start and lines[start - 1].strip():
        if _level(lines, start - 1, fenced):
            break
        start -= 1
    item = _ITEM.match(lines[start])
    if item is None and lines[at][:1].isspace():
        # A paragraph further down in an item belongs to it.
        above = (
            line
            for line in range(at, -1, -1)
            if (found := _ITEM.match(lines[line])) and len(found[1]) < _indent(lines[at])
        )
        start = next(above, start)
        item = _ITEM.match(lines[start])
    end = at + 1
    while end < count and lines[end].strip() and not _level(lines, end, fenced):
        found = _ITEM.match(lines[end])
        if found and (item is None or len(found[1]) <= len(item[1])):
            return range(start, end)
        end += 1
    deep = -1 if item is None else len(item[1])
    while item is not None and end < count:
        # What stands deeper belongs to the item, blank lines between or not.
        after = next((line for line in range(end, count) if lines[line].strip()), count)
        if after == count or _indent(lines[after]) <= deep or _level(lines, after, fenced):
            break
        end = after + 1
    return range(start, end)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())

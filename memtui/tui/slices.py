"""Whole lines of a file: an entry, a section, and the same lines again after somebody else wrote to the file."""

from __future__ import annotations

import contextlib
import re
from typing import NamedTuple

_HEADING = re.compile(rb" {0,3}(#{1,6})(?:[ \t]|$)")
_FENCE = re.compile(rb" {0,3}(```|~~~)")


class Slice(NamedTuple):
    """Some whole lines of a file, as they were when it was read."""

    base: bytes
    start: int
    end: int

    @property
    def data(self) -> bytes:
        """Them."""
        return self.base[self.start : self.end]


def lines_of(base: bytes, first: int, last: int) -> Slice:
    """Lines `first` to `last`, counted from 1."""
    starts = _starts(base)
    start = starts[min(first - 1, len(starts) - 1)]
    return Slice(base, start, starts[last] if last < len(starts) else len(base))


def section_of(base: bytes, line: int) -> Slice:
    """The section that a line stands in: from its heading to the next one that is no deeper."""
    starts = _starts(base)
    levels: list[int] = []
    fence = b""
    for number, start in enumerate(starts):
        text = base[start : starts[number + 1] if number + 1 < len(starts) else len(base)]
        mark = _FENCE.match(text)
        if mark and (not fence or mark[1] == fence):
            fence = b"" if fence else mark[1]
        heading = None if fence or mark else _HEADING.match(text.rstrip(b"\r\n"))
        levels.append(len(heading[1]) if heading else 0)
    first = next((n for n in range(min(line, len(levels)) - 1, -1, -1) if levels[n]), 0)
    level = levels[first] or 7
    after = (n for n in range(first + 1, len(levels)) if 0 < levels[n] <= level)
    return lines_of(base, first + 1, next(after, len(levels)))


def as_before(part: Slice, new: bytes) -> bytes:
    """What came back, ending as the lines did that it stands for: editors add and drop the last line's end."""
    ends = part.data.endswith(b"\n")
    if ends and new and not new.endswith(b"\n"):
        return new + (b"\r\n" if part.data.endswith(b"\r\n") else b"\n")
    if not ends and new.endswith(b"\n"):
        return new.removesuffix(b"\n").removesuffix(b"\r")
    return new


def rebased(part: Slice, current: bytes | None, shift: int) -> Slice:
    """The same lines in the file as it is now, where just they still stand; else as they were, for a conflict."""
    if current is None or current == part.base:
        return part
    first = part.base.count(b"\n", 0, part.start) + 1 + shift
    last = first + part.data.rstrip(b"\n").count(b"\n")
    with contextlib.suppress(IndexError):
        now = lines_of(current, max(1, first), max(1, last))
        if now.data == part.data:
            return now
    return part


def _starts(base: bytes) -> list[int]:
    found = [0]
    at = base.find(b"\n")
    while 0 <= at < len(base) - 1:
        found.append(at + 1)
        at = base.find(b"\n", at + 1)
    return found

"""A text file's lines as parsers see them, and what was odd about its bytes."""

from __future__ import annotations

from memtui.model import Problem
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from memtui.parse.source import Source

_LONG = 1024 * 1024
_SINGLY = 8
_SURROGATE = pattern("[\ud800-\udfff]")


def readable(source: Source) -> tuple[list[str], list[Problem]]:
    """The lines, numbered as the file's own, and the problems. NUL bytes (a gap after a power loss, T22) are left out.

    Bytes that are no text become U+FFFD, so that whatever is made of the lines can be written anywhere.
    """
    lines = source.lines
    problems: list[Problem] = []
    text = source.text
    if "\0" in text:
        gaps = [(index, line.count("\0")) for index, line in enumerate(lines) if "\0" in line]
        lines = list(lines)
        for index, _ in gaps:
            lines[index] = lines[index].replace("\0", "")
        if len(gaps) > _SINGLY:
            gaps = [(gaps[0][0], text.count("\0"))]
        for index, count in gaps:
            problems.append(Problem(source.path, index + 1, f"{count:,} NUL byte{'s' * (count > 1)}"))
    if "\ufeff" in text:
        # Where a program put one file above another, the mark at the head of the lower one stands amid the text.
        lines = [line.removeprefix("\ufeff") for line in lines]
    if source.encoding == "bytes":
        lines = [line if line.isascii() else _SURROGATE.sub("\ufffd", line) for line in lines]
    if source.cut:
        read = f"only the first {len(source.data):,} of {source.size:,} bytes were read"
        problems.append(Problem(source.path, len(lines), read))
    if len(text) > _LONG:
        problems += [
            Problem(source.path, index + 1, f"a line of {len(line):,} characters: shown shortened")
            for index, line in enumerate(lines)
            if len(line) > _LONG
        ][:16]
    return lines, problems


def undecoded(source: Source, known: Collection[int]) -> list[Problem]:
    """What is to be said of a text that is no UTF-8, whoever parsed it; `known` lines have a problem already."""
    if source.encoding == "gb18030":
        return [
            Problem(
                source.path, 0, "written in GB18030, not UTF-8: shown, but other programs may not read it"
            )
        ]
    if source.encoding != "bytes":
        return []
    bad = [
        index
        for index, line in enumerate(source.lines, 1)
        if index not in known and not line.isascii() and _SURROGATE.search(line)
    ]
    more = f" (and {len(bad) - 1:,} more line{'s' * (len(bad) > 2)})" if len(bad) > 1 else ""
    return [Problem(source.path, bad[0], f"bytes that are not UTF-8{more}")] if bad else []

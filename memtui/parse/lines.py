"""A text file's lines as parsers see them, and what was odd about its bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.model import Problem

if TYPE_CHECKING:
    from memtui.parse.source import Source

_LONG = 1024 * 1024
_SINGLY = 8
_SURROGATE = re.compile("[\ud800-\udfff]")


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
    if source.encoding == "bytes":
        bad = [index for index, line in enumerate(lines) if not _whole(line)]
        more = f" (and {len(bad) - 1:,} more lines)" if len(bad) > 1 else ""
        if bad:
            problems.append(Problem(source.path, bad[0] + 1, f"bytes that are not UTF-8{more}"))
            lines = list(lines)
            for index in bad:
                lines[index] = _SURROGATE.sub("\ufffd", lines[index])
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


def _whole(line: str) -> bool:
    if line.isascii():
        return True
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True

"""Where an edited file stands: its project, what of it is read, and what the files around it say."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

from memtui.disk.files import Reader
from memtui.errors import MemtuiError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from memtui.agents.avoid.rule import Need

SIZE = 1 << 20
"""Bytes of an edited file; a larger one was not written by hand."""

NEEDED = 256 << 10
"""Bytes of a package.json or its like."""

PART = 1 << 12
"""About how many characters an expression sees at once."""

STEPS = 30
"""Directories gone up, at most."""


def contents(root: Path, path: str, limit: int = SIZE) -> str | None:
    """The text of a file inside a directory; None: there is none, it is a link, no text, too large, or unreadable."""
    try:
        with Reader(root) as reader:
            data, status = reader.read(path, limit)
    except (OSError, MemtuiError, ValueError):
        return None
    if status.st_size > limit or b"\0" in data:
        return None
    return data.decode("utf-8-sig", "replace")


def project(file: Path, cwd: Path) -> Path:
    """The top of the project: the repository that holds the file, or else the directory worked in."""
    inside = cwd in file.parents
    for number, directory in enumerate(file.parents if inside else (cwd, *cwd.parents)):
        if number == STEPS:
            break
        if os.path.lexists(directory / ".git"):
            return directory
    if inside or not file.is_absolute():
        return cwd
    # Edited elsewhere: that place's repository, if it is in one.
    for directory in file.parents[:STEPS]:
        if os.path.lexists(directory / ".git"):
            return directory
    return file.parent


def relative(file: Path, top: Path) -> str:
    """A file's path as rules see it: below the project, else its whole path without what a drive adds."""
    try:
        return file.relative_to(top).as_posix()
    except ValueError:
        return file.as_posix().lstrip("/")


def meets(needs: Sequence[Need], file: Path, top: Path, deadline: float) -> bool:
    """Whether one of the needs holds; true where there are none. The nearest file of that name decides."""
    return not needs or any(_met(need, file, top, deadline) for need in needs)


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where the pieces of a text begin and end, cut at the ends of lines."""
    at = 0
    while at < len(text):
        end = text.find("\n", at + PART)
        end = len(text) if end < 0 else end + 1
        yield at, end
        at = end


def holds(pattern: str, text: str, deadline: float) -> bool:
    """Whether an expression finds something in a text, seeing only so much of it at once; false when time is up."""
    compiled = re.compile(pattern, re.MULTILINE)
    for start, end in pieces(text):
        if time.monotonic() > deadline:
            return False
        if compiled.search(text, start, end):
            return True
    return False


def _met(need: Need, file: Path, top: Path, deadline: float) -> bool:
    for directory in _around(file, top):
        text = contents(directory, need.file, NEEDED)
        if text is not None:
            if need.lacks and holds(need.lacks, text, deadline):
                return False
            return not need.pattern or holds(need.pattern, text, deadline)
    return False


def _around(file: Path, top: Path) -> Iterator[Path]:
    for directory in file.parents[:STEPS]:
        yield directory
        if directory == top:
            return

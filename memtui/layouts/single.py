"""One file that a person names, outside of every home: that file, and nothing that lies beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.layouts import layout

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.layouts import Surroundings
    from memtui.model import Home
    from memtui.parse.source import Role

PREFIX = "file:"
"""Its layout is named for the file: 'file:notes.md'."""


class Single:
    """The directory of a file as a home that holds this file alone."""

    def __init__(self, file: str) -> None:
        self.name = PREFIX + file
        self._file = file

    def find(self, around: Surroundings) -> Iterator[Home]:
        """None: only a person names one."""
        yield from ()

    def recognise(self, path: Path) -> str:
        """Whether the file is there."""
        return f"the file {self._file}" if (path / self._file).is_file() else ""

    def role(self, home: Path, path: str) -> Role | None:
        """As a directory of Markdown has it."""
        return layout("plain").role(home, path) if path == self._file else None

    def prune(self, home: Path, path: str) -> bool:
        """Every directory."""
        return True

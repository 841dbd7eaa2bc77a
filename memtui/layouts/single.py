"""One file that a person names, outside of every home: that file, and nothing that lies beside it."""

from __future__ import annotations

from memtui.layouts import layout
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.edits import Draft, Target
    from memtui.layouts import Surroundings
    from memtui.model import Home, Layer
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

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """This file, whatever the layer, in its own format."""
        from memtui.format import FORMATS
        from memtui.layouts.places import place, refused

        role = self.role(home.path, self._file)
        if role is None or role.parser not in dict(FORMATS):
            raise refused(home, layer, "the file is in a form that memtui only reads")
        append = role.parser in {"journal", "daily-jsonl"}
        return place(home, self._file, draft, role.layer, role.parser, append_only=append)

    def append_only(self, path: str) -> bool:
        """A person named it, and may change it."""
        return False

    def read_only(self, path: str) -> str:
        """Nothing is."""
        return ""

"""One file as a parser is given it: its role in the home, its bytes, its text."""

from __future__ import annotations

import codecs
from functools import cached_property

from memtui.model import Status
from memtui.parse.veil import AFTERWARDS, veiled
from memtui.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memtui.model import Layer

WHOLE = 10 * 1024 * 1024
"""Most bytes of one file that are read (reliability: a parser's size cap)."""

HEAD = 256 * 1024
"""Enough of a transcript to name it; its turns are read when somebody opens it."""


class Role(NamedTuple):
    """What a file is in its home: said by the layout from the path alone."""

    layer: Layer
    kind: str
    """Default kind of its entries; parsers may know better from headings or fields."""
    parser: str
    """A name in `PARSERS`."""
    limit: int = WHOLE
    """Bytes to read; 0: the parser opens the file itself (databases)."""
    project: str = ""
    """For L1 files that belong to one project, pattern or tool: its name."""
    status: Status = Status.ACTIVE
    """Of all that stands in it and holds, where the file itself is no live one: archived, a template, …"""
    shipped: bool = False
    """Its tool puts it there with text of its own, which no person wrote (see `parse.stock`)."""


class Source:
    """What a parser gets. `text` has exactly the lines that spans count ('\\n' ends a line, nothing else does)."""

    def __init__(
        self,
        path: str,
        role: Role,
        data: bytes = b"",
        file: str = "",
        modified: float = 0.0,
        size: int = 0,
        *,
        masked: bool = False,
    ) -> None:
        self.path = path
        """Relative to the home, '/'-separated."""
        self.role = role
        self.data = data
        self.file = file
        """The absolute path, for parsers that must open the file themselves."""
        self.modified = modified
        self.size = size
        """The file's full size; greater than len(data) where only its head was read."""
        self.masked = masked
        """To be shown or indexed, not written: the secrets in it are masked."""
        self.encoding = "utf-8"

    @cached_property
    def text(self) -> str:
        """Decoded leniently: UTF-8 (a BOM is dropped), UTF-16 by its BOM, else as `decoded` has it."""
        text = self._decoded()
        if not self.masked or self.role.parser in AFTERWARDS:
            return text
        return veiled(text, self.data if self.encoding in {"utf-8", "bytes"} else None)

    def _decoded(self) -> str:
        if self.data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            self.encoding = "utf-16"
            return self.data.decode("utf-16", "replace")
        data = self.data.removeprefix(codecs.BOM_UTF8)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            from memtui.parse.encoding import decoded

            text, self.encoding = decoded(data)
            return text

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines without their '\\n' ('\\r' stays); a final newline adds no empty line."""
        lines = self.text.split("\n")
        if lines and not lines[-1]:
            lines.pop()
        return lines

    @property
    def cut(self) -> bool:
        """Whether the file is longer than what was read."""
        return self.size > len(self.data) > 0

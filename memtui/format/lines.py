"""A Markdown file as bytes and as its parser sees it, side by side: the same lines, and where each stands.

Only '\\n' ends a line, for the parser as for the bytes, so a line's number says where its bytes are. What is written
is encoded as the file is, with the line end that most of its lines have.
"""

from __future__ import annotations

import codecs
from functools import cached_property
from itertools import accumulate

from memtui.errors import RefusedError
from memtui.locale import _
from memtui.model import Layer
from memtui.parse.blocks import HEADING, MATTER, Block, blocks
from memtui.parse.lines import readable
from memtui.parse.source import Role, Source
from memtui.pattern import pattern

_SURROGATE = pattern("[\ud800-\udfff]")
_ROLE = Role(Layer.KNOWLEDGE, "note", "markdown")


class Lines:
    """One file, read. Lines are counted from 0 here."""

    def __init__(self, data: bytes, path: str = "") -> None:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            reason = _("{path} is written in UTF-16: save it as UTF-8 first, then memtui can change it.")
            raise RefusedError(reason.format(path=path or _("the file")))
        self.data = data
        self.path = path
        source = Source(path, _ROLE, data)
        self.text, _problems = readable(source)
        self.encoding = "gb18030" if source.encoding == "gb18030" else "utf-8"
        raw = data.split(b"\n")
        self._starts = list(accumulate((len(line) + 1 for line in raw), initial=0))
        ends = data.count(b"\n")
        self.eol = "\r\n" if 2 * data.count(b"\r\n") > ends else "\n"

    @cached_property
    def blocks(self) -> list[Block]:
        """The file's blocks, in order."""
        return blocks(self.text)

    @cached_property
    def sections(self) -> list[Section]:
        """What stands before the first heading, then every heading with what is directly under it."""
        found = [Section(self, 0, "", -1, 0)]
        for block in self.blocks:
            what, first, end, data = block
            if what == HEADING:
                found.append(Section(self, data[0], data[1], first, end))
            elif what == MATTER:
                # Frontmatter begins a document of its own: no heading above it reaches further.
                found.append(Section(self, 0, "", first, end))
            else:
                found[-1].body.append(block)
        return found

    @property
    def ended(self) -> bool:
        """Whether the last line has its end."""
        return not self.data or self.data.endswith(b"\n") or self.data == codecs.BOM_UTF8

    def start(self, line: int) -> int:
        """The offset of a line's first byte; of the file's end for the line after the last."""
        at = self._starts[line] if line < len(self._starts) else len(self.data)
        if at == 0 and self.data.startswith(codecs.BOM_UTF8):
            at = len(codecs.BOM_UTF8)
        return min(at, len(self.data))

    def column(self, line: int, characters: int) -> int:
        """The offset of a character of a line."""
        return self.start(line) + len(self._bytes(self.exact(line)[:characters]))

    def exact(self, line: int) -> str:
        """A line as it stands, without its end: with what the parser leaves out, bad bytes as lone surrogates."""
        data = self.data[self.start(line) : self.start(line + 1)]
        text = data.decode(self.encoding, "surrogateescape" if self.encoding == "utf-8" else "replace")
        return text.removesuffix("\n").removesuffix("\r")

    def raw(self, line: int) -> str:
        """The same as it is shown: one U+FFFD for each bad byte."""
        return _SURROGATE.sub("\ufffd", self.exact(line))

    def encoded(self, text: str) -> bytes:
        """New text in the file's encoding, its line ends the file's."""
        return self._bytes(text.replace("\n", self.eol))

    def _bytes(self, text: str) -> bytes:
        try:
            return text.encode(self.encoding, "surrogateescape" if self.encoding == "utf-8" else "strict")
        except UnicodeEncodeError:
            return text.encode(self.encoding, "replace")


class Section:
    """A heading and what stands under it before the next one, of whatever level."""

    def __init__(self, lines: Lines, level: int, text: str, first: int, end: int) -> None:
        self.level = level
        self.text = text
        """Of the heading, without '#'; empty before the first one."""
        self.first = first
        self.end = end
        """The line after the heading."""
        self.body: list[Block] = []
        self._lines = lines

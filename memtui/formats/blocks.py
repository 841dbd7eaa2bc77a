"""Lines of Markdown as blocks with their lines. This is the hot path of a cold build, so str methods come first.

A block is a plain tuple `(what, start, end, data)`; lines count from 0 and `end` is exclusive. Where CommonMark
and what agents write disagree nothing may vanish: an unclosed fence ends at the next heading or record, and a
line that follows a dated record unindented is a line of its own.
"""

from __future__ import annotations

from memtui.core.startup import Any
from memtui.formats import frontmatter
from memtui.formats.marks import (
    DIGITS,
    is_table_delimiter,
    is_thematic_break,
    measure_bullet,
    measure_indent,
    parse_atx_heading,
    split_cells,
    strip_comments,
)
from memtui.formats.todos import SIGNS

HEADING, ITEM, PARAGRAPH, ROW, FENCE, COMMENT, MATTER = range(7)
"""The data of a HEADING is (level, text), of an ITEM the length of its marker, of a ROW the header's cells, of a FENCE
(info, closed), of MATTER its fields; else None."""

Block = tuple[int, int, int, Any]

_STARTS = frozenset("#-*+`~|<0123456789•_=")


def split_blocks(lines: list[str], start: int = 0, end: int | None = None) -> list[Block]:
    """The blocks of the lines from `start` to `end`, in order; blank lines and thematic breaks are none."""
    return Splitter(lines, len(lines) if end is None else end).split(start)


class Splitter:
    """One pass over a file's lines; remembers what it has looked for in vain, so that it stays linear."""

    def __init__(self, lines: list[str], end: int) -> None:
        self.lines = lines
        self.end = end
        self.found: list[Block] = []
        self._unclosed: dict[str, int] = {}

    def split(self, index: int) -> list[Block]:
        """See `split_blocks`."""
        lines, end, add = self.lines, self.end, self.found.append
        while index < end:
            line = lines[index]
            text = line.strip()
            if not text:
                index += 1
                continue
            char = text[0]
            if char in _STARTS:
                if char == "-" and text[1:2] == " " and text[2:3] != "-":
                    below = self.item(index, 0 if line[0] == "-" else len(line) - len(line.lstrip()), text[2:3])
                    add((ITEM, index, below, 2))
                    index = below
                    continue
                below = self._start(index, line, text)
                if below:
                    index = below
                    continue
            index = self._take_paragraph(index, text)
        return self.found

    def _start(self, index: int, line: str, text: str) -> int:
        """Takes the block that begins here with a sign of its own; 0: it is a paragraph after all."""
        char = text[0]
        if char == "#":
            heading = parse_atx_heading(line, text)
            if heading:
                self.found.append((HEADING, index, index + 1, heading))
                return index + 1
            return 0
        if char in "`~":
            return self._take_fence(index, text)
        if char == "|":
            return self._take_table(index, text)
        if char == "<":
            return self._take_comment(index, text)
        if char in "-*_" and is_thematic_break(text):
            return self._take_frontmatter(index, line, text)
        if char == "=" and not text.strip("="):
            # A rule that somebody drew: it is below no text, so it makes no heading.
            return index + 1
        length = measure_bullet(text)
        if not length:
            return 0
        below = self.item(index, len(line) - len(line.lstrip()), text[length : length + 1])
        self.found.append((ITEM, index, below, length))
        return below

    def item(self, index: int, indent: int, first: str) -> int:
        """The line after a list item with its continuation lines and nested items; `first` begins its text."""
        lines, end = self.lines, self.end
        index += 1
        while index < end:
            line = lines[index]
            char = line[:1]
            if char in _STARTS and char:
                if (indent == 0 and char == "-") or first in DIGITS or self._begins_block(line):
                    return index
            elif char in {" ", "\t", "\r", "\0", ""} or line.isspace():
                text = line.strip()
                if not text:
                    below = self._skip_blank_lines(index)
                    if below < end and measure_indent(lines[below]) > indent + (1 if indent == 0 else 0):
                        index = below
                        continue
                    return index
                if measure_indent(line) <= indent and (measure_bullet(text) or first in DIGITS):
                    return index
                if text[0] in "`~" and text[:3] in {"```", "~~~"}:
                    index = max(self._close(index, text), index)
            elif first in DIGITS or char in "[>【":
                return index
            index += 1
        return index

    def _skip_blank_lines(self, index: int) -> int:
        lines, end = self.lines, self.end
        while index < end and not lines[index].strip():
            index += 1
        return index

    def _begins_block(self, line: str) -> bool:
        """Whether an unindented line begins something of its own rather than going on with what is above."""
        text = line.strip()
        char = text[0]
        if char == "#":
            return bool(parse_atx_heading(line, text))
        if char in "`~":
            return text[:3] in {"```", "~~~"}
        if char == "|" or text.startswith("<!--"):
            return True
        if char in DIGITS and text[4:5] == "-":
            return True
        return measure_bullet(text) > 0 or (char in "-*_" and is_thematic_break(text))

    def _take_paragraph(self, index: int, text: str) -> int:
        lines, end = self.lines, self.end
        if "|" in text and index + 1 < end and is_table_delimiter(lines[index + 1]):
            return self._take_table(index, text)
        start = index
        index += 1
        while index < end:
            line = lines[index]
            text = line.strip()
            if not text:
                break
            char = text[0]
            if char == "=" and not text.strip("=") and index == start + 1:
                return self._find_setext_start(start, 1)
            if char in _STARTS:
                if char == "-" and index == start + 1 and len(text) > 2 and not text.strip("-"):
                    above = lines[start].strip()
                    if ":**" not in above and "**:" not in above and "：" not in above and above[0] != ">":
                        return self._find_setext_start(start, 2)
                if self._begins_block(line):
                    break
            index += 1
        listed = self._find_signed(start, index)
        if start < listed:
            self.found.append((PARAGRAPH, start, listed, None))
        self.found += [(PARAGRAPH, line, line + 1, None) for line in range(listed, index)]
        return index

    def _find_signed(self, start: int, end: int) -> int:
        """Where the last lines of a paragraph begin each of which has a sign for how far it is: a list by itself."""
        begin = end
        while begin > start and self.lines[begin - 1].lstrip()[:1] in SIGNS:
            begin -= 1
        return begin if end - begin > 1 else end

    def _find_setext_start(self, start: int, level: int) -> int:
        self.found.append((HEADING, start, start + 2, (level, self.lines[start].strip())))
        return start + 2

    def _take_fence(self, index: int, text: str) -> int:
        below = self._close(index, text)
        if below < 0:
            return 0
        info = text.strip("`~").strip()
        if below:
            self.found.append((FENCE, index, below + 1, (info, True)))
            return below + 1
        below = index + 1
        while below < self.end and not _is_clearly_no_code(self.lines[below]):
            below += 1
        self.found.append((FENCE, index, below, (info, False)))
        return below

    def _close(self, index: int, text: str) -> int:
        """The line that closes the fence opened here; 0: none does; -1: it opens none."""
        char = text[0]
        length = len(text) - len(text.lstrip(char))
        if length < 3 or (char == "`" and char in text[length:]):
            return -1
        if length >= self._unclosed.get(char, 1 << 30):
            return 0
        lines = self.lines
        mark = char * 3
        for below in range(index + 1, self.end):
            line = lines[below]
            if mark in line:
                line = line.strip()
                if len(line) >= length and not line.strip(char):
                    return below
        self._unclosed[char] = length
        return 0

    def _take_table(self, index: int, text: str) -> int:
        lines, end = self.lines, self.end
        header: tuple[str, ...] = ()
        if index + 1 < end and is_table_delimiter(lines[index + 1]):
            header = split_cells(text)
            index += 2
        elif is_table_delimiter(text) and "-" in text:
            return index + 1
        while index < end:
            text = lines[index].strip()
            # A row may begin with code or with what is struck out; three of either open a fence.
            other = text[:1] in "#<-" or text[:3] in {"```", "~~~"}
            if "|" not in text or (text[0] != "|" and (not header or other)):
                break
            self.found.append((ROW, index, index + 1, header))
            index += 1
        return index

    def _take_comment(self, index: int, text: str) -> int:
        if not text.startswith("<!--"):
            return 0
        start = index
        if "-->" in text:
            if strip_comments(text)[0]:
                return 0
            index += 1
        else:
            if "<!--" in self._unclosed:
                return 0
            while index < self.end and "-->" not in self.lines[index]:
                index += 1
            if index == self.end:
                self._unclosed["<!--"] = start
                return 0
            if not self.lines[index].partition("-->")[2].strip():
                index += 1
        self.found.append((COMMENT, start, index, None))
        return index

    def _take_frontmatter(self, index: int, line: str, text: str) -> int:
        """A thematic break is passed over; one that opens frontmatter is taken with its fields."""
        if text == "---" and line[0] == "-":
            below = frontmatter.find_frontmatter_end(self.lines, index)
            if 0 < below < self.end:
                self.found.append(
                    (
                        MATTER,
                        index,
                        below + 1,
                        frontmatter.parse_frontmatter_fields(self.lines[index + 1 : below]),
                    )
                )
                return below + 1
        return index + 1


def _is_clearly_no_code(line: str) -> bool:
    """Whether a line inside a fence that never closes is clearly not code: a section's heading, or a dated record."""
    if line.startswith("- "):
        return line[2:6].isdigit() and line[6:7] == "-"
    return line.startswith(("## ", "### ", "---"))

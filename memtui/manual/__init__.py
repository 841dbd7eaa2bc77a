"""The manual: pages of Markdown that ship with the package, for `memtui help` and for `?` in the app.

A page is written text, in English here and in Chinese in `zh/`; the tables in it, between `<!-- name -->` and
`<!-- /name -->`, are made from the code, in both languages, by `python -m tests.readme`.

Floor: above core, beside safety and demo. Doors: `TOPICS`, `load_page`, `lay_out`, `write_man`.

- `lay_out`: a page as lines of a given width in cells, for the terminal and the app's text viewer. It knows the
  Markdown that the pages use. A table that fits is drawn in columns, one that nearly fits has its cells wrapped,
  and a wider one is written row by row: nothing is ever cut.
- `write_man`: the whole manual as one man page in roff, for `memtui help --man`. `man` reads it from any directory
  `man1` in its path; a Chinese one belongs below `zh_CN/`.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from memtui.core import __version__
from memtui.core.locale import _, find_language
from memtui.core.startup import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markdown_it.token import Token


_FOLDER = os.path.dirname(__file__)
_MARKER = compile_pattern(r"^<!-- /?[a-z]+ -->\n", re.MULTILINE)


class Topic(NamedTuple):
    """One page."""

    name: str
    """What `memtui help` calls it, and its file without the ending."""
    about: str
    """What it answers, in one line: a source string."""


TOPICS: tuple[Topic, ...] = (
    Topic("start", "What memtui is, how to install it, and the first minute"),
    Topic("homes", "Which homes are found, and what counts as one memory"),
    Topic("team", "One memory on several machines, and a team's: what leaves, who may change what"),
    Topic("search", "What can be typed, how hits are ranked, search by meaning"),
    Topic("review", "The review queue: what is proposed, and what approving writes"),
    Topic("agents", "Hooks, the MCP server and its tools, session context"),
    Topic("evolution", "Effects, signals, skills, expiry and consolidation"),
    Topic("keys", "Every key of the app, and how to change one"),
    Topic("commands", "Every command with its options and exit statuses"),
    Topic("settings", "Every setting with its default"),
    Topic("python", "Using memtui as a library"),
    Topic("promises", "What memtui promises, and what it does not do yet"),
    Topic("evidence", "What was measured: search, learning, faults, speed"),
    Topic("words", "The words that memtui uses: a glossary"),
)
"""In the order in which they are listed."""


def find_topic(name: str) -> Topic | None:
    """The topic of that name, however it is capitalised; None where there is none."""
    return next((topic for topic in TOPICS if topic.name == name.lower()), None)


def locate_page(topic: Topic, language: str = "") -> str:
    """The path of a topic's file, in a language or in that of the reader."""
    language = language or find_language()
    return os.path.join(_FOLDER, *([] if language == "en" else [language]), f"{topic.name}.md")


def load_page(topic: Topic) -> str:
    """A topic's Markdown, without the markers around its tables. Raises OSError where the file is missing."""
    with open(locate_page(topic), encoding="utf-8") as file:
        return _MARKER.sub("", file.read())


Span = tuple[str, str]
"""Text and its style: head, bold, code, dim or nothing."""

Line = list[Span]

GAP = "  "
"""Between two columns."""

CLOSING = frozenset("，。、；：！？）」』》”…")
"""What begins no line in Chinese: it takes the character before it along."""

OPENING = frozenset("（「『《“")
"""What ends no line in Chinese: it goes along with what follows."""

READABLE = 30
"""Cells that a column of sentences keeps; where all columns cannot have that, the rows are read one by one."""


def lay_out(text: str, cells: int, *, ticks: bool = False) -> list[Line]:
    """The page in lines of at most `cells`. `ticks` keeps the backticks of code, for where there are no styles.

    A line is longer only where it is code, or one word that has no room.
    """
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    lines: list[Line] = []
    for block in _draw_blocks(_Reader(tokens, ticks), max(20, cells)):
        if lines:
            lines.append([])
        lines += block
    return lines


def flatten(line: Line) -> str:
    """A line without its styles."""
    return "".join(text for text, _style in line)


class _Reader:
    """The tokens of a page, one after the other."""

    def __init__(self, tokens: Sequence[Token], ticks: bool) -> None:
        self._tokens, self._at, self._ticks = tokens, 0, ticks

    def take(self) -> Token | None:
        """The next token; None at the end."""
        if self._at >= len(self._tokens):
            return None
        self._at += 1
        return self._tokens[self._at - 1]

    def read_inline(self, *, cell: bool = False) -> Line:
        """The spans of the inline token that comes next, and its closing token with it."""
        spans = self._read_spans(self.take())
        self.take()
        if self._ticks and not (cell and all(style == "code" or not text.strip() for text, style in spans)):
            spans = [(f"`{text}`" if style == "code" else text, style) for text, style in spans]
        return spans

    def _read_spans(self, token: Token | None) -> Line:
        spans: Line = []
        style = ""
        for child in (token.children if token is not None else None) or ():
            if child.type in {"strong_open", "em_open"}:
                style = "bold"
            elif child.type in {"strong_close", "em_close"}:
                style = ""
            elif child.type == "code_inline":
                spans.append((child.content, "code"))
            elif child.type in {"softbreak", "hardbreak"}:
                spans.append((" ", style))
            elif child.type == "text" and child.content:
                spans.append((child.content, style))
        return spans


def _draw_blocks(reader: _Reader, cells: int, end: str = "") -> Iterator[list[Line]]:
    """The blocks up to the token `end`, each as its lines."""
    while (token := reader.take()) is not None and token.type != end:
        if token.type == "heading_open":
            yield wrap([(text, "head") for text, _style in reader.read_inline(cell=True)], cells)
        elif token.type == "paragraph_open":
            yield wrap(reader.read_inline(), cells)
        elif token.type in {"fence", "code_block"}:
            yield [[("  ", ""), (line, "code")] for line in token.content.rstrip("\n").split("\n")]
        elif token.type in {"bullet_list_open", "ordered_list_open"}:
            yield _draw_list(reader, cells, token)
        elif token.type == "table_open":
            yield _draw_table(*_read_rows(reader), cells)


def _draw_list(reader: _Reader, cells: int, opening: Token) -> list[Line]:
    lines: list[Line] = []
    number = int(opening.attrs.get("start", 1)) if opening.type.startswith("ordered") else 0
    end = opening.type.replace("_open", "_close")
    while (token := reader.take()) is not None and token.type != end:
        sign = f"{number}. " if number else "• "
        number += number > 0
        first = True
        for block in _draw_blocks(reader, cells - len(sign), "list_item_close"):
            for line in block:
                lines.append([(sign if first else " " * len(sign), "dim"), *line])
                first = False
    return lines


def _read_rows(reader: _Reader) -> tuple[list[list[Line]], list[bool]]:
    """The cells of each row, and which columns are aligned to the right."""
    rows: list[list[Line]] = []
    right: list[bool] = []
    while (token := reader.take()) is not None and token.type != "table_close":
        if token.type == "tr_open":
            rows.append([])
        elif token.type in {"th_open", "td_open"}:
            if token.type == "th_open":
                right.append("right" in str(token.attrs.get("style", "")))
            rows[-1].append(reader.read_inline(cell=True))
    return rows, right


def _draw_table(rows: list[list[Line]], right: list[bool], cells: int) -> list[Line]:
    natural = [max(_measure(row[at]) for row in rows) for at in range(len(right))]
    longest = [max(_find_longest(row[at]) for row in rows) for at in range(len(right))]
    room = cells - len(GAP) * (len(natural) - 1)
    widths = list(natural)
    while sum(widths) > room and max(widths) > READABLE:
        widths[widths.index(max(widths))] -= 1
    if sum(widths) > room or any(have < need for have, need in zip(widths, longest, strict=True)):
        return _draw_records(rows, cells)
    lines: list[Line] = []
    for number, row in enumerate(rows):
        columns = [wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
        for at in range(max(map(len, columns))):
            line: Line = []
            for column, width, ends in zip(columns, widths, right, strict=True):
                spans = column[at] if at < len(column) else []
                gap = " " * (width - _measure(spans))
                drawn = spans if number else [(text, "bold") for text, _style in spans]
                line += [(gap, ""), *drawn, (GAP, "")] if ends else [*drawn, (gap + GAP, "")]
            lines.append(_strip_end(line))
    return lines


def _draw_records(rows: list[list[Line]], cells: int) -> list[Line]:
    """Each row by itself: what names it and what is short on a line, the sentence below it."""
    lines: list[Line] = []
    heads = [flatten(cell) for cell in rows[0]]
    for row in rows[1:]:
        if lines:
            lines.append([])
        lines += wrap([(text, style or "bold") for text, style in row[0]], cells)
        for title, cell in zip(heads[1:], row[1:], strict=True):
            if flatten(cell).strip():
                label: Line = [(mark_label(title), "dim")] if len(row) > 2 else []
                lines += [[("    ", ""), *line] for line in wrap([*label, *cell], cells - 4)]
    return lines


def mark_label(title: str) -> str:
    """A column's title before what stands in the column: 'type: ', '类型：'."""
    return f"{title}: " if title.isascii() else f"{title}："


def _strip_end(line: Line) -> Line:
    while line and not line[-1][0].strip():
        line.pop()
    return [*line[:-1], (line[-1][0].rstrip(), line[-1][1])] if line else line


def _measure(spans: Iterable[Span]) -> int:
    return sum(cell_len(text) for text, _style in spans)


def _find_longest(spans: Iterable[Span]) -> int:
    """Cells of the longest word."""
    return max((cell_len(word) for text, _style in spans for word in text.split()), default=0)


def wrap(spans: Line, cells: int) -> list[Line]:
    """The spans in lines of at most `cells`, broken at spaces; a word that has no room is cut in pieces."""
    lines: list[Line] = [[]]
    used = 0
    for word in _iterate_units(spans, cells):
        long = _measure(word)
        if used + long > cells and used:
            lines[-1] = _strip_end(lines[-1])
            lines.append([])
            used = 0
        if word[0][0] == " " and not used:
            continue
        lines[-1] += word
        used += long
    lines[-1] = _strip_end(lines[-1])
    return lines


def _iterate_units(spans: Line, cells: int) -> Iterator[Line]:
    """What no line is broken in: words and wide characters, with the punctuation that may not stand apart."""
    unit: Line = []
    for word in _iterate_words(spans, cells):
        joins = word[0][0][:1] in CLOSING or (unit and unit[-1][0][-1:] in OPENING)
        if unit and joins and unit[-1][0] != " " and _measure(unit) + _measure(word) <= cells:
            unit = unit + word
            continue
        if unit:
            yield unit
        unit = word
    if unit:
        yield unit


def _iterate_words(spans: Line, cells: int) -> Iterator[Line]:
    """Stretches that are not broken, and the spaces between them. A wide character is a word of its own."""
    word: Line = []
    for text, style in spans:
        start = 0
        for at, char in enumerate(text):
            wide = cell_len(char) == 2
            full = _measure([*word, (text[start:at], style)]) >= cells
            if char == " " or wide or full:
                if at > start:
                    word.append((text[start:at], style))
                if word:
                    yield word
                word, start = [], at
                if not full or char == " " or wide:
                    yield [(char, style)]
                    start = at + 1
        if start < len(text):
            word.append((text[start:], style))
    if word:
        yield word


def write_man(about: str, usage: Sequence[str]) -> str:
    """The man page: what memtui is and how it is called, then every page of the manual."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark").enable("table")
    parts = [
        f'.TH MEMTUI 1 "" "memtui {__version__}"',
        ".ad l",
        ".nh",
        f".SH {_escape(_('Name'))}",
        f"memtui \\- {_escape(about)}",
        f".SH {_escape(_('Synopsis'))}",
        ".nf",
        *map(_escape, usage),
        ".fi",
    ]
    for topic in TOPICS:
        parts += _write_blocks(reader.parse(load_page(topic)))
    return "\n".join(parts) + "\n"


def _write_blocks(tokens: Sequence[Token]) -> Iterator[str]:
    at, heads, row = 0, list[str](), list[str]()
    while at < len(tokens):
        token, inner = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
        text = _write_line(inner) if inner is not None and inner.type == "inline" else ""
        if token.type == "heading_open":
            yield f".{'SH' if token.tag == 'h1' else 'SS'} {text.replace(_BREAK, '')}"
        elif token.type == "paragraph_open":
            yield from (text,) if token.hidden or token.level else (".PP", text)
        elif token.type == "list_item_open":
            yield ".IP \\(bu 2"
        elif token.type in {"fence", "code_block"}:
            yield from (".PP", ".nf", ".RS 4", *map(_escape, token.content.rstrip("\n").split("\n")), ".RE", ".fi")
        elif token.type == "th_open":
            heads.append(text)
        elif token.type == "td_open":
            row.append(text)
        elif token.type == "table_close":
            heads = []
        elif token.type == "tr_close" and row:
            # The first cell is what is told of; what two or more others say is named.
            yield from (".TP", row[0].strip() or "\\ ")
            told = [
                mark_label(head) + cell if len(row) > 2 else cell for head, cell in zip(heads[1:], row[1:], strict=True)
            ]
            yield "\n.br\n".join(line for line, cell in zip(told, row[1:], strict=True) if cell) or "\\ "
            row = []
        at += 1


def _write_line(token: Token) -> str:
    parts: list[str] = []
    end = ""
    for child in token.children or ():
        if child.type == "code_inline" and _is_wide(end) and end not in OPENING:
            parts.append(_BREAK)
        if child.type in {"strong_open", "code_inline"}:
            parts.append("\\fB")
        if child.type in {"text", "code_inline"}:
            text = _escape(child.content, start=not parts)
            begin = child.content[:1]
            if child.type == "text" and end and _is_wide(begin) and begin not in CLOSING:
                parts.append(_BREAK)
            parts.append(_allow_breaks(text) if child.type == "text" else text)
            end = child.content[-1:]
        if child.type in {"strong_close", "code_inline"}:
            parts.append("\\fR")
        if child.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
    return "".join(parts)


_BREAK = "\\:"
"""An invisible place to break a line at: roff itself breaks at spaces alone."""
_BETWEEN = compile_pattern(r"(?<=[^\x00-\u2e7f])(?=[^\x00-\u2e7f])|(?<=[^\x00-\u2e7f])(?=\w)|(?<=\w)(?=[^\x00-\u2e7f])")


def _is_wide(char: str) -> bool:
    return char > "\u2e7f"


def _allow_breaks(text: str) -> str:
    """The same text with places to break at between Chinese characters."""
    marks = [at.start() for at in _BETWEEN.finditer(text)]
    for at in reversed(marks):
        if text[at] not in CLOSING and text[at - 1] not in OPENING:
            text = text[:at] + _BREAK + text[at:]
    return text


def _escape(text: str, *, start: bool = True) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    return f"\\&{text}" if start and text[:1] in {".", "'"} else text

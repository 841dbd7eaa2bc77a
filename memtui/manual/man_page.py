"""The whole manual as one man page, for `memtui help --man`: Markdown to roff, as far as the pages use it.

`man` reads it from any directory `man1` in its path; a Chinese one belongs below `zh_CN/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.core import __version__
from memtui.core.locale import _
from memtui.manual import TOPICS, load_page
from memtui.manual.page_layout import mark_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token


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
            yield f".{'SH' if token.tag == 'h1' else 'SS'} {text}"
        elif token.type == "paragraph_open":
            yield from (text,) if token.hidden or token.level else (".PP", text)
        elif token.type == "list_item_open":
            yield ".IP \\(bu 2"
        elif token.type in {"fence", "code_block"}:
            yield from (
                ".PP",
                ".nf",
                ".RS 4",
                *map(_escape, token.content.rstrip("\n").split("\n")),
                ".RE",
                ".fi",
            )
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
                mark_label(head) + cell if len(row) > 2 else cell
                for head, cell in zip(heads[1:], row[1:], strict=True)
            ]
            yield "\n.br\n".join(line for line, cell in zip(told, row[1:], strict=True) if cell) or "\\ "
            row = []
        at += 1


def _write_line(token: Token) -> str:
    parts = []
    for child in token.children or ():
        if child.type in {"strong_open", "code_inline"}:
            parts.append("\\fB")
        if child.type in {"text", "code_inline"}:
            parts.append(_escape(child.content, start=not parts))
        if child.type in {"strong_close", "code_inline"}:
            parts.append("\\fR")
        if child.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
    return "".join(parts)


def _escape(text: str, *, start: bool = True) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    return f"\\&{text}" if start and text[:1] in {".", "'"} else text

"""Sections of a Markdown file that memtui owns: found between their marks, told whether a person wrote into them.

Marks count only where each is a line of its own, outside of code. Whatever is odd about them (one is missing, twice
there, inside another) is a fault, and then nothing in that file is anybody's but the person's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.digest import sha256
from memtui.edits import Piece
from memtui.errors import RefusedError
from memtui.format.lines import Lines
from memtui.locale import _
from memtui.parse.blocks import COMMENT
from memtui.parse.owned import mark
from memtui.parse.signs import uncommented

if TYPE_CHECKING:
    from collections.abc import Sequence

_HINT = b"memtui:"


class Section(NamedTuple):
    """What stands between two marks, by bytes of the file."""

    name: str
    sha: str
    """The digest that the mark names; empty: none."""
    start: int
    """Where the line of the mark that opens it begins."""
    body: int
    """Where what it holds begins."""
    end: int
    """Where the line of the mark that closes it begins."""
    line: int
    """Of the mark that opens it, from 1."""


def sections(data: bytes, path: str = "") -> tuple[Section, ...]:
    """The sections of a file, in order. Raises RefusedError, with a sentence, where its marks are not in order."""
    if _HINT not in data:
        return ()
    lines = Lines(data, path)
    found: list[Section] = []
    opened: Section | None = None
    for what, first, end, _data in lines.blocks:
        if what != COMMENT:
            continue
        said = uncommented("\n".join(lines.text[first:end]))[1]
        marks = [one for one in map(mark, said) if one is not None]
        if not marks:
            continue
        if len(said) > 1 or end - first > 1:
            raise _fault(path, first, _("a mark shares its line"))
        (one,) = marks
        at, below = lines.start(first), lines.start(end)
        if one.begins:
            if opened is not None:
                raise _fault(path, first, _("{name} begins inside {outer}"), one.name, opened.name)
            if any(other.name == one.name for other in found):
                raise _fault(path, first, _("{name} is there twice"), one.name)
            opened = Section(one.name, one.sha, at, below, below, first + 1)
        elif opened is None or opened.name != one.name:
            raise _fault(path, first, _("{name} ends and has not begun"), one.name)
        else:
            found.append(opened._replace(end=at))
            opened = None
    if opened is not None:
        raise _fault(path, opened.line - 1, _("{name} begins and never ends"), opened.name)
    return tuple(found)


def _fault(path: str, line: int, why: str, name: str = "", outer: str = "") -> RefusedError:
    told = why.format(name=name, outer=outer)
    return RefusedError(
        _("{path}:{line}: {why}: what memtui owns there is left alone.").format(
            path=path, line=line + 1, why=told
        )
    )


def intact(data: bytes, section: Section) -> bool:
    """Whether it holds what memtui wrote there, or nothing: else a person wrote into it."""
    body = data[section.body : section.end]
    return not body.strip() or (section.sha != "" and section.sha == digest(body))


def digest(body: bytes) -> str:
    """What a mark says of what stands below it, however its lines end."""
    return sha256(body.replace(b"\r\n", b"\n"))[:16]


def renewed(data: bytes, section: Section, body: str, path: str = "") -> Piece | None:
    """The one piece that gives a section another body (whole lines, or nothing); None: it holds that already."""
    lines = Lines(data, path)
    text = lines.encoded(body)
    new = lines.encoded(f"{_begin(section.name, text)}\n") + text
    old = data[section.start : section.end]
    same = data[section.body : section.end] == text and section.sha == digest(text)
    return None if same or new == old else Piece(section.start, section.end, new)


def appended(data: bytes, name: str, heading: str, body: str, path: str = "") -> Piece:
    """The one piece that makes a section at the end of a file, under a heading of its own.

    Raises RefusedError where it would not be one there: a block of code, or a comment, that is never closed.
    """
    lines = Lines(data, path)
    gap = "" if not data else "\n" if lines.ended else "\n\n"
    begin = _begin(name, lines.encoded(body))
    block = f"{gap}## {heading}\n\n{begin}\n{body}<!-- memtui:end {name} -->\n"
    piece = Piece(len(data), len(data), lines.encoded(block))
    made = sections(data + piece.new, path)
    if not made or made[-1].name != name or not intact(data + piece.new, made[-1]):
        raise RefusedError(
            _("{path} has a code block that is never closed: close it first.").format(path=path)
        )
    return piece


def covers(data: bytes, pieces: Sequence[Piece], path: str = "") -> bool:
    """Whether pieces change nothing but sections that memtui owns and nobody wrote into."""
    try:
        whole = [one for one in sections(data, path) if intact(data, one)]
    except RefusedError:
        return False
    return bool(pieces) and all(
        any(one.start <= piece.start and piece.end <= one.end for one in whole) for piece in pieces
    )


def _begin(name: str, body: bytes) -> str:
    return f"<!-- memtui:begin {name} sha={digest(body)} -->"

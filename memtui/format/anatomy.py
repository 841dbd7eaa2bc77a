"""One entry of a Markdown file taken apart: where in the bytes its text stands, and where its marks do.

The parser took bullets, times, tags, comments and asides off; this finds, for each line of what was left, the place
it was taken from, so that a change touches that place and nothing beside it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.errors import RefusedError
from memtui.locale import _
from memtui.parse.blocks import FENCE, HEADING, ITEM, MATTER, PARAGRAPH, ROW
from memtui.parse.marks import made
from memtui.parse.signs import bullet, indent_of
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.format.lines import Lines
    from memtui.model import Entry
    from memtui.parse.blocks import Block

SENTINEL = "xQzSentinelzQx"
_QUOTE = pattern(r"[\s>]*")


class Spot(NamedTuple):
    """Where a line of an entry's text stands."""

    line: int
    start: int
    """The character of the line with which it begins."""
    end: int


class Anatomy(NamedTuple):
    """An entry's places."""

    what: int
    """Its block: ITEM, PARAGRAPH, ROW, FENCE, HEADING or MATTER."""
    first: int
    """Its first line, counted from 0."""
    end: int
    """The line after its last."""
    spots: tuple[Spot, ...]
    """One for each line of the text; empty where they cannot be told."""
    below: str
    """What its further lines begin with."""


def anatomy(lines: Lines, entry: Entry) -> Anatomy | None:
    """The entry's places; None: it is a run of lines, no single block. Raises RefusedError where it is not there."""
    first, end = entry.start - 1, entry.end
    if not 0 <= first < end <= len(lines.text):
        raise RefusedError(_("The memory is not where it was; open it again."))
    block = next((block for block in lines.blocks if block[1] <= first < block[2]), None)
    if block is None or end > block[2]:
        return None
    what = block[0]
    if what in {FENCE, MATTER, HEADING} and (first, end) != (block[1], block[2]):
        return None
    if what == FENCE:
        inside = range(first + 1, end - 1 if block[3][1] else end)
        return Anatomy(what, first, end, _verbatim(lines, inside, entry.text), "")
    if what == HEADING:
        return Anatomy(what, first, end, _found(lines, first, entry.text), "")
    if what in {MATTER, ROW}:
        return Anatomy(what, first, end, (), "")
    if what == ITEM:
        return _item(lines, block, first, end, entry.text)
    if what == PARAGRAPH:
        quote = _QUOTE.match(lines.raw(first))
        below = quote[0] if quote else ""
        return Anatomy(what, first, end, _spread(lines, first, end, len(below), entry.text, True), below)
    return None


def content(lines: Lines, line: int) -> int:
    """Where a list item's text begins: behind its indentation and its marker."""
    raw = lines.raw(line)
    bare = raw.strip()
    at = len(raw) - len(raw.lstrip())
    if not bare:
        return at
    marker = bullet(bare)
    return at + marker + len(bare[marker:]) - len(bare[marker:].lstrip())


def _item(lines: Lines, block: Block, first: int, end: int, text: str) -> Anatomy:
    at = content(lines, first)
    follows = [lines.raw(line) for line in range(first + 1, end) if lines.raw(line).strip()]
    margin = min((len(raw) - len(raw.lstrip()) for raw in follows), default=0)
    below = (
        follows[0][:margin] if follows else " " * indent_of(" " * len(lines.raw(first)[:at].expandtabs(4)))
    )
    spots = _spread(lines, first, end, at, text, False)
    if not spots and first > block[1]:
        # A piece of a long item goes on without a marker of its own.
        raw = lines.raw(first)
        spots = _spread(lines, first, end, len(raw) - len(raw.lstrip()), text, False)
    return Anatomy(ITEM, first, end, spots, below)


def _spread(lines: Lines, first: int, end: int, at: int, text: str, whole: bool) -> tuple[Spot, ...]:
    """The text's lines one after the other; `whole`: marks are read at the ends of it all, not of its first line."""
    parts = text.split("\n")
    head = _head(lines, first, at, parts[0], whole and len(parts) > 1)
    if head is None:
        # The first line may be nothing but marks: what is left begins on the next.
        spots, line = [], first + 1
        rest = parts
    else:
        spots, line, rest = [head], first + 1, parts[1:]
    for part in rest:
        bare = part.strip()
        while line < end:
            raw = lines.raw(line)
            column = raw.find(bare) if bare else len(raw) if not raw.strip() else -1
            line += 1
            if column >= 0:
                spots.append(Spot(line - 1, column, column + len(bare)))
                break
        else:
            return ()
    return tuple(spots)


def _head(lines: Lines, line: int, at: int, text: str, opens: bool) -> Spot | None:
    raw = lines.raw(line)
    if opens:
        bare = raw.rstrip()
        return Spot(line, len(bare) - len(text), len(bare)) if text and bare[at:].endswith(text) else None
    found: Spot | None = None
    column = raw.find(text, at) if text else -1
    while column >= 0:
        tried = f"{raw[at:column]}{SENTINEL}{raw[column + len(text) :]}"
        read = made(tried.replace("\0", "").strip(), 1, 1, "note", ()).text
        if read == SENTINEL:
            return Spot(line, column, column + len(text))
        if read.endswith(SENTINEL) and found is None:
            found = Spot(line, column, column + len(text))
        column = raw.find(text, column + 1)
    return found


def _verbatim(lines: Lines, inside: range, text: str) -> tuple[Spot, ...]:
    parts = text.split("\n")
    raws = [(line, lines.raw(line)) for line in inside]
    kept = [(line, raw) for line, raw in raws]
    while kept and not kept[0][1].strip():
        del kept[0]
    if len(kept) < len(parts):
        return ()
    spots = [Spot(line, 0, len(raw.rstrip())) for line, raw in kept[: len(parts)]]
    same = all(raw.rstrip() == part for (_line, raw), part in zip(kept, parts, strict=False))
    return tuple(spots) if same else ()


def _found(lines: Lines, line: int, text: str) -> tuple[Spot, ...]:
    column = lines.raw(line).find(text)
    return (Spot(line, column, column + len(text)),) if column >= 0 else ()


def kept_comments(raws: Sequence[str]) -> str:
    """The comments in some text, to stand behind what replaces it."""
    said = [word for raw in raws for word in re.findall(r"<!--.*?-->", raw)]
    return "".join(f" {word}" for word in said)

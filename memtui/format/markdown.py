"""Markdown: a new memory is a list item at the end of its section, written as its neighbours are.

Only whole lines are put in and only what changes is touched, so a file keeps its BOM, its line ends, a missing last
newline, and bytes that are no text. Sections are the headings that the parser sees: none in code, none that only
begins like the one that is wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.edits import Piece
from memtui.errors import RefusedError
from memtui.format import Added, Record
from memtui.format.bullet import Manner, item, manner
from memtui.format.items import change, mark, remove
from memtui.format.lines import Lines
from memtui.format.sections import CORE, chosen, named, titled
from memtui.locale import _
from memtui.parse.blocks import COMMENT, FENCE, HEADING, ITEM, Block, blocks

if TYPE_CHECKING:
    from memtui.edits import Draft
    from memtui.format.lines import Section

__all__ = ["add", "change", "mark", "record", "remove"]

_TITLES = {"memory": "MEMORY", "profile": "用户记忆", "user": "USER", "scratchpad": "Scratchpad"}


class _Place(NamedTuple):
    """Where new lines go: after this line (counted from 0), and what frames them there."""

    line: int
    before: str = ""
    """Lines that only frame: blank ones, a heading that is made."""


def add(data: bytes, draft: Draft, now: float, path: str) -> Added:
    """A list item at the end of the draft's section; the section is made at the end of the file where it is missing."""
    lines = Lines(data, path)
    heading = draft.section.strip() or chosen(lines, draft.kind, draft.text, CORE)
    section = named(lines.sections, heading) if heading else _main(lines)
    if section is None:
        place = _Place(len(lines.text), _made(lines, heading, path))
        how = manner(lines, (), path, heading)
    else:
        how = manner(lines, section.body, path, titled(section))
        place = _end(lines, section)
    new = item(draft, how, now)
    if b"<!--" in data.rpartition(b"-->")[2]:
        # A comment that is never closed is text; it must not be closed from here.
        new = [line.replace("-->", "--\\>") for line in new]
    return Added(_checked(lines, place, new, heading))


def record(draft: Draft, now: float, path: str) -> Record:
    """A list item by itself, for a file that is only appended to."""
    return Record("\n".join(item(draft, Manner(), now)))


def _main(lines: Lines) -> Section | None:
    """The part of a file without headings that its items stand in."""
    return next((s for s in reversed(lines.sections) if s.level == 0 and (s.body or s.first >= 0)), None)


def _made(lines: Lines, heading: str, path: str) -> str:
    """A new heading with the blank lines around it, as the file's other headings have them."""
    levels = [section.level for section in lines.sections if section.level in {2, 3}]
    level = max(set(levels), key=levels.count) if levels else 2
    made = f"{'#' * level} {heading}\n" + ("\n" if _airy(lines) else "") if heading else ""
    if not lines.text:
        return (f"# {_title(path)}\n\n" if heading else "") + made
    # An empty last line is one that is there already.
    return made if not lines.text[-1].strip() else f"\n{made}"


def _title(path: str) -> str:
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0] or name
    if stem == "rules" and folders:
        return f"{folders[-1]} 开发规范"
    return _TITLES.get(stem.lower(), stem)


def _airy(lines: Lines) -> bool:
    """Whether most headings that have something under them leave a blank line first."""
    spoken = [s for s in lines.sections if s.level and s.body and s.body[0][0] != COMMENT]
    gaps = [section.body[0][1] > section.end for section in spoken]
    return 2 * sum(gaps) >= len(gaps)


def _end(lines: Lines, section: Section) -> _Place:
    """The end of what stands directly under a heading: after its last line, before blank lines and rules.

    A comment that stands apart speaks for what follows, and code that is never closed would take in whatever does.
    """
    body = list(section.body)
    while body and ((body[-1][0] == FENCE and not body[-1][3][1]) or _ahead(body, section)):
        body.pop()
    if not body:
        airy = section.level > 0 and _airy(lines)
        return _Place(section.end, "\n" if airy else "")
    last = body[-1]
    close = last[0] in {ITEM, COMMENT} or (len(body) == 1 and last[0] == COMMENT)
    return _Place(last[2], "" if close else "\n")


def _ahead(body: list[Block], section: Section) -> bool:
    """Whether the last block is a comment that speaks for what comes next."""
    if body[-1][0] != COMMENT or len(body) == 1:
        return False
    return body[-1][1] != body[-2][2]


def _checked(lines: Lines, place: _Place, new: list[str], heading: str) -> tuple[Piece, ...]:
    """The pieces, if the parser will see just one item more and everything else as before."""
    frame = place.before.split("\n")[:-1]
    text = [*lines.text[: place.line], *frame, *new, *lines.text[place.line :]]
    shift = len(frame) + len(new)
    before = [_seen(block, 0) for block in lines.blocks]
    made = blocks(text)
    added = place.line + len(frame)
    kept = [
        _seen(block, shift if block[1] >= place.line + shift else 0)
        for block in made
        if not place.line <= block[1] < place.line + shift
    ]
    inside = [block for block in made if place.line <= block[1] < place.line + shift]
    items = [block for block in inside if block[0] == ITEM]
    headings = [block for block in inside if block[0] == HEADING]
    good = len(items) == 1 and items[0][1:3] == (added, added + len(new)) and len(inside) == 1 + len(headings)
    if kept != before or not good:
        if any(block[0] == FENCE and not block[3][1] for block in lines.blocks):
            raise RefusedError(
                _("{path} has a code block that is never closed: close it first.").format(path=lines.path)
            )
        reason = _("{path} is written so that a line added under {heading} would change what else it says.")
        raise RefusedError(reason.format(path=lines.path, heading=heading or _("its text")))
    return _pieces(lines, place, "\n".join(new))


def _seen(block: Block, shift: int) -> tuple[int, int, int]:
    return block[0], block[1] - shift, block[2] - shift


def _pieces(lines: Lines, place: _Place, new: str) -> tuple[Piece, ...]:
    at = lines.start(place.line)
    if at == len(lines.data) and not lines.ended:
        # The last line has no end and keeps none: each new one brings the end of the line before it.
        frame = lines.encoded(("\n" + place.before)[:-1]) if place.before else b""
        framed = (Piece(at, at, frame, True),) if frame else ()
        return (*framed, Piece(at, at, lines.encoded(f"\n{new}")))
    framed = (Piece(at, at, lines.encoded(place.before), True),) if place.before else ()
    return (*framed, Piece(at, at, lines.encoded(f"{new}\n")))

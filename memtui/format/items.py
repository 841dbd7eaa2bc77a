"""Changes to one entry of a Markdown file: other words, other marks, another status, or none of its lines left.

A bullet that no longer holds stays readable for people and agents: `- ~~old~~ (superseded 2026-11-21 → how the new
one begins)`; one put aside `- text (archived 2026-11-21)`. Both are taken off again byte by byte.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.edits import Piece, spliced
from memtui.errors import RefusedError
from memtui.format import matter
from memtui.format.anatomy import Anatomy, Spot, anatomy, content
from memtui.format.bullet import ending, known
from memtui.format.lines import Lines
from memtui.format.matter import named
from memtui.format.tail import behind, noted, tagged, unmarked
from memtui.format.wording import retailed, reworded
from memtui.locale import _
from memtui.model import Layer, Status
from memtui.parse import parse
from memtui.parse.asides import called
from memtui.parse.blocks import COMMENT, ITEM, MATTER, PARAGRAPH, blocks
from memtui.parse.marks import made
from memtui.parse.source import Role, Source
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.model import Entry
    from memtui.parse.blocks import Block

_NOTED = {
    "expires": ("expires", "expires_at", "有效期至", "过期"),
    "confidence": ("confidence", "置信度"),
    "evidence": ("evidence", "证据"),
}
_KIND = pattern(r"[\[【][^\W\d][\w -]{0,23}[\]】]\s*$")
_MARKED = (ITEM, PARAGRAPH)
_ROLE = Role(Layer.KNOWLEDGE, "note", "markdown")


def change(data: bytes, entry: Entry, changes: Mapping[str, Any], now: float) -> tuple[Piece, ...]:
    """New values for text, kind, tags, expires, confidence, evidence (a document's: title, status too)."""
    lines = Lines(data)
    found = anatomy(lines, entry)
    if found is not None and found.what == MATTER:
        return matter.changed(lines, found.first, found.end, entry, changes, now)
    pieces: list[Piece] = []
    rest = dict(changes)
    if "text" in rest:
        text = str(rest.pop("text"))
        pieces += reworded(lines, entry, found, text)
        pieces += _renamed(lines, entry, pieces)
    if rest:
        pieces += _marks(lines, entry, found, rest)
    return _checked(lines, entry, found, tuple(sorted(pieces, key=lambda piece: (piece.start, piece.end))))


def mark(
    data: bytes,
    entry: Entry,
    status: Status,
    now: float,
    *,
    successor: str = "",
    reason: str = "",
    alone: bool = True,
) -> tuple[Piece, ...]:
    """Superseded, archived, or active again. `successor` is the key or the text of what replaces it."""
    lines = _lines(data)
    found = anatomy(lines, entry)
    if status not in {Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED}:
        raise RefusedError(_("A line of Markdown cannot be marked as {status}.").format(status=status.value))
    if found is not None and found.what == MATTER:
        return matter.marked(lines, found.first, found.end, status, successor)
    if found is None or found.what not in _MARKED or not found.spots:
        raise RefusedError(_("Only list items and paragraphs can carry such a mark: edit this in the file."))
    head = found.spots[0]
    foot = found.spots[-1] if found.what == PARAGRAPH else head
    exact = lines.exact(foot.line)
    tail = unmarked(exact[foot.end :])
    left, right = _struck(lines, head, foot)
    strike = status is Status.SUPERSEDED and _strikable(lines, head, foot)
    if status is not Status.ACTIVE:
        name = named(successor)
        what = f"{status.value} {clock.day(now)}" + (f" → {name}" if name else "")
        tail = behind(tail, f"({what})")
    pieces: list[Piece] = []
    if strike and not left:
        at = lines.column(head.line, head.start)
        pieces.append(Piece(at, at, b"~~"))
        tail = f"~~{tail}"
    elif not strike and left and right:
        at = lines.column(head.line, head.start - left)
        pieces.append(Piece(at, at + 2, b""))
        tail = tail[: right - 2] + tail[right:]
    pieces += retailed(lines, foot, tail)
    last = found.spots[-1]
    if last.line != foot.line:
        # What somebody wrote at the end of an item of several lines goes as well.
        exact = lines.exact(last.line)
        pieces += retailed(lines, last, unmarked(exact[last.end :]))
    if not alone:
        return tuple(pieces)
    again = parse(Source("", _ROLE, spliced(data, tuple(pieces)))).entries
    if not any(e.start == entry.start and e.status is status and e.text == entry.text for e in again):
        raise RefusedError(
            _("This memory cannot carry that mark: its section decides, or it is nothing but marks.")
        )
    return tuple(pieces)


@lru_cache(maxsize=1)
def _lines(data: bytes) -> Lines:
    """The file, taken apart once for all marks that it gets at a time."""
    return Lines(data)


def remove(data: bytes, entry: Entry) -> tuple[Piece, ...]:
    """The entry's lines and those of its parts, with a comment that speaks for it alone; a blank line where its
    neighbours would join.
    """
    lines = Lines(data)
    first, end = entry.start - 1, entry.last
    found = anatomy(lines, entry)
    if found is not None and found.what == MATTER:
        raise RefusedError(_("Frontmatter is the head of its document: delete the file, or edit it."))
    comment = next((block for block in lines.blocks if block[0] == COMMENT and block[1] == end), None)
    if comment is not None and found is not None and found.what in _MARKED:
        end = comment[2]
    start, stop = lines.start(first), lines.start(end)
    if stop == len(data) and not lines.ended and first:
        # The line before becomes the last one, and the file goes on having no line end there.
        start = lines.start(first) - len("\r\n" if data[: lines.start(first)].endswith(b"\r\n") else "\n")
    for blank in ([], [""]):
        made = blocks([*lines.text[:first], *blank, *lines.text[end:]])
        if _others(made, lines.blocks, first, end, len(blank) - (end - first)):
            return (
                Piece(lines.start(first), stop, lines.encoded("\n")) if blank else Piece(start, stop, b""),
            )
    raise RefusedError(_("Without these lines the file would mean something else: edit it in the file."))


def _others(now: Sequence[Block], before: Sequence[Block], first: int, end: int, shift: int) -> bool:
    """Whether all blocks but those of the lines from `first` to `end` are what they were."""
    kept = [
        (what, at + (shift if at >= end else 0), to + (shift if to >= end else 0))
        for what, at, to, _data in before
        if to <= first or at >= end or (at < first or to > end)
    ]
    return [block[:3] for block in now] == kept


def _renamed(lines: Lines, entry: Entry, pieces: Sequence[Piece]) -> list[Piece]:
    """What it replaced in this file calls it by how it begins: that follows its text."""
    was = called(entry.text)
    named = lines.encoded(f" → {was})")
    if entry.key or not was or not pieces or named not in lines.data:
        return []
    entries = parse(Source("", _ROLE, spliced(lines.data, tuple(pieces)))).entries
    name = next((called(again.text) for again in entries if again.start == entry.start), "")
    if name in {"", was}:
        return []
    found: list[Piece] = []
    at = lines.data.find(named)
    own = range(lines.start(entry.start - 1), lines.start(entry.end))
    while at >= 0:
        if at not in own:
            found.append(Piece(at, at + len(named), lines.encoded(f" → {name})")))
        at = lines.data.find(named, at + len(named))
    return found


def _tail_spot(lines: Lines, found: Anatomy) -> Spot:
    """Where an entry's marks stand: behind its last line where that has any or it is a paragraph, else its first."""
    last = found.spots[-1]
    marked = found.what == PARAGRAPH or lines.raw(last.line)[last.end :].strip()
    return last if marked else found.spots[0]


def _struck(lines: Lines, head: Spot, foot: Spot) -> tuple[int, int]:
    """How far before and behind the text its strokes stand, themselves included; 0, 0: it is not struck out."""
    before = lines.raw(head.line)[: head.start]
    behind_it = lines.raw(foot.line)[foot.end :]
    left = len(before) - len(before.rstrip("*~"))
    right = len(behind_it) - len(behind_it.lstrip("*~"))
    at, to = before[len(before) - left :].find("~~"), behind_it[:right].find("~~")
    return (left - at, to + 2) if at >= 0 and to >= 0 else (0, 0)


def _strikable(lines: Lines, head: Spot, foot: Spot) -> bool:
    text = lines.raw(head.line)[head.start : head.end] + lines.raw(foot.line)[foot.start : foot.end]
    return "~~" not in text and head.end > head.start and foot.end > foot.start


def _marks(lines: Lines, entry: Entry, found: Anatomy | None, changes: dict[str, Any]) -> list[Piece]:
    strange = [name for name in changes if name not in {"kind", "tags", *_NOTED}]
    if strange or found is None or found.what not in _MARKED or not found.spots:
        what = ", ".join(strange or changes)
        raise RefusedError(_("Markdown has no place for this here: {what}.").format(what=what))
    pieces: list[Piece] = []
    kind = known(str(changes.pop("kind", entry.kind)))
    if kind != entry.kind:
        pieces.append(_kind(lines, found.spots[0], kind))
    spot = _tail_spot(lines, found)
    exact = lines.exact(spot.line)
    tail = exact[spot.end :]
    for name, value in changes.items():
        if name == "tags":
            if tuple(value) != entry.tags:
                tail = tagged(tail, value)
        elif value != getattr(entry, name):
            tail = noted(tail, _NOTED[name], _said(name, value))
    pieces += retailed(lines, spot, tail)
    return pieces


def _kind(lines: Lines, spot: Spot, kind: str) -> Piece:
    """`[kind]` before the text, which the parser reads wherever a line begins so."""
    raw = lines.raw(spot.line)
    marked = _KIND.search(raw, 0, spot.start)
    at = marked.start() if marked else spot.start
    bare = raw[content(lines, spot.line) : at] + f"[{kind}] " + raw[spot.start :]
    if made(bare.strip(), 1, 1, "", ()).kind != kind:
        raise RefusedError(
            _("A line cannot say that it is a {kind}: move it to such a section.").format(kind=kind)
        )
    return Piece(
        lines.column(spot.line, at), lines.column(spot.line, spot.start), lines.encoded(f"[{kind}] ")
    )


def _said(name: str, value: Any) -> str:
    if value is None or value == "":
        return ""
    if name == "expires":
        return ending(float(value))
    if name == "confidence":
        return f"{float(value):g}"
    return called(str(value))


def _checked(
    lines: Lines, entry: Entry, found: Anatomy | None, pieces: tuple[Piece, ...]
) -> tuple[Piece, ...]:
    """The pieces, if all other blocks stay what they are and this one stays one block."""
    if found is None or not pieces:
        return pieces
    made = Lines(spliced(lines.data, pieces))
    shift = len(made.text) - len(lines.text)
    whole = [
        (b[0], b[1] + (shift if b[1] > found.first else 0), b[2] + (shift if b[2] > found.first else 0))
        for b in lines.blocks
    ]
    if [block[:3] for block in made.blocks] != whole:
        raise RefusedError(
            _("With this text its line would change what else the file says: edit it in the file.")
        )
    if entry.reach > entry.end:
        # What belongs to it must not be left alone by other words.
        entries = parse(Source("", _ROLE, spliced(lines.data, pieces))).entries
        if not any(one.start == entry.start and one.reach > one.end for one in entries):
            raise RefusedError(
                _("With this text what stands below would no longer belong to it: let it end as it did.")
            )
    return pieces

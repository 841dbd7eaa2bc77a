"""An entry's text in other words, in its own place: only the lines that differ, of a line only what differs."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from memtui.edits import Piece
from memtui.errors import RefusedError
from memtui.format.anatomy import Anatomy, Spot, kept_comments
from memtui.format.bullet import worded
from memtui.locale import _
from memtui.parse.blocks import FENCE, HEADING, PARAGRAPH, ROW
from memtui.parse.signs import bullet
from memtui.pattern import pattern

_MARK = pattern(r"\s*(?:\([^()]*\)|（[^（）]*）|<!--.*?-->|#\S+)|[*~]+|\s*[^\s(（<#*~]+|\s+|.")

if TYPE_CHECKING:
    from memtui.format.lines import Lines
    from memtui.model import Entry


def reworded(lines: Lines, entry: Entry, found: Anatomy | None, text: str) -> list[Piece]:
    """The pieces that give an entry this text; `found` is None for a run of lines, which is replaced as it stands."""
    if text == entry.text:
        return []
    if not text.strip():
        raise RefusedError(_("There is nothing to write: the text is empty."))
    if found is None:
        start, stop = lines.start(entry.start - 1), lines.start(entry.end)
        own = lines.data[start:stop]
        end = "\n" if own.endswith(b"\n") and not text.endswith("\n") else ""
        return [Piece(start, stop, lines.encoded("\n".join(text.splitlines()) + end))]
    if found.what == ROW or not found.spots or entry.text.count("\n") + 1 != len(found.spots):
        raise RefusedError(_("This memory is woven into its lines: edit them in the file."))
    old = entry.text.split("\n")
    new = _fit(found, text)
    if [line.strip() for line in old] == [line.strip() for line in new]:
        return []
    same = 0
    while same < min(len(old), len(new)) and old[same].strip() == new[same].strip():
        same += 1
    after = 0
    while after < min(len(old), len(new)) - same and old[-1 - after].strip() == new[-1 - after].strip():
        after += 1
    spots, middle = found.spots, new[same : len(new) - after]
    gone = spots[same : len(spots) - after]
    indent = f"\n{found.below}"
    if gone and middle:
        first, last = gone[0], gone[-1]
        if first.line == last.line:
            return replaced(lines, first, indent.join([middle[0].strip(), *middle[1:]]))
        raws = [lines.exact(line) for line in range(first.line, last.line + 1)]
        raws = [raws[0][first.end :], *raws[1:-1], raws[-1][: last.start]]
        written = indent.join([middle[0].strip(), *middle[1:]]) + kept_comments(raws)
        return [_piece(lines, first.line, first.start, last.line, last.end, written)]
    if middle:
        if same:
            at = spots[same - 1]
            return [_piece(lines, at.line, at.end, at.line, at.end, indent + indent.join(middle))]
        at = spots[0]
        written = indent.join([middle[0].strip(), *middle[1:]]) + indent
        return [_piece(lines, at.line, at.start, at.line, at.start, written)]
    if same:
        return [_piece(lines, spots[same - 1].line, spots[same - 1].end, gone[-1].line, gone[-1].end, "")]
    return [_piece(lines, gone[0].line, gone[0].start, spots[len(gone)].line, spots[len(gone)].start, "")]


def _fit(found: Anatomy, text: str) -> list[str]:
    """New text as lines that this kind of block can hold."""
    if found.what == FENCE:
        fitting = [line.rstrip() for line in text.splitlines()]
        if any(line.strip()[:3] in {"```", "~~~"} for line in fitting):
            raise RefusedError(_("A code block cannot hold the line that ends it."))
        return fitting
    fitting = worded(text)
    if found.what == HEADING:
        return [" ".join(" ".join(fitting).split())]
    if found.what == PARAGRAPH:
        fitting = [line.strip() for line in fitting if line.strip()]
        return [
            f"\\{line}" if index and (bullet(line) or line[0] in "|>`~<") else line
            for index, line in enumerate(fitting)
        ]
    return fitting


def replaced(lines: Lines, spot: Spot, text: str) -> list[Piece]:
    """Part of a line replaced, as little of it as differs: bad bytes beside the change stay."""
    old = lines.exact(spot.line)[spot.start : spot.end]
    if old != text:
        old = lines.raw(spot.line)[spot.start : spot.end] if "\ufffd" in text else old
    if old == text:
        return []
    shared = min(len(old), len(text))
    head = next((at for at in range(shared) if old[at] != text[at]), shared)
    rest = range(shared - head)
    foot = next((at for at in rest if old[-1 - at] != text[-1 - at]), shared - head)
    return [
        _piece(lines, spot.line, spot.start + head, spot.line, spot.end - foot, text[head : len(text) - foot])
    ]


def retailed(lines: Lines, spot: Spot, tail: str) -> list[Piece]:
    """What stands behind a text changed mark by mark, so that two changes to two marks never touch the same bytes."""
    from difflib import SequenceMatcher

    exact = lines.exact(spot.line)
    before, after = _MARK.findall(exact[spot.end :]), _MARK.findall(tail)
    starts = list(accumulate(map(len, before), initial=spot.end))
    pieces: list[Piece] = []
    for what, low, high, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        new = "".join(after[first:last])
        pieces += replaced(lines, Spot(spot.line, starts[low], starts[high]), new)
    return pieces


def _piece(lines: Lines, line: int, start: int, last: int, end: int, text: str) -> Piece:
    first, stop, new = lines.column(line, start), lines.column(last, end), lines.encoded(text)
    if first == stop == len(lines.data) and start:
        # A line that is added there at the same time must come behind it.
        first, new = first - 1, lines.data[first - 1 :] + new
    return Piece(first, stop, new)

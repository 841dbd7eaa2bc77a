"""An entry of a Markdown file given other words in place; and two versions of a text merged line by line.

- `locate_entry_parts`: for each line of an entry's text the bytes that it was taken from, without the bullets,
  times, tags, comments and asides that the parser took off.
- `replace_entry_text`: only the lines that differ are changed, and of a line only what differs.
- `merge_three_way`: two texts made from one base, merged; where both changed the same lines, both stand there.
"""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

from memtui.core.edits import Piece
from memtui.core.errors import RefusedError
from memtui.core.locale import _, _n
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.formats.blocks import FENCE, HEADING, ITEM, MATTER, PARAGRAPH, ROW
from memtui.formats.markdown_lines import escape_item_text
from memtui.formats.marks import BETWEEN, measure_bullet, measure_indent, parse_marked_entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.model import Entry
    from memtui.formats.blocks import Block
    from memtui.formats.markdown_lines import Lines

SENTINEL = "xQzSentinelzQx"
_QUOTE = compile_pattern(r"[\s>]*")
_PIPE = compile_pattern(r"(?<!\\)\|")


class TextSpot(NamedTuple):
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
    spots: tuple[TextSpot, ...]
    """One for each line of the text; empty where they cannot be located."""
    below: str
    """What its further lines begin with."""


def locate_entry_parts(lines: Lines, entry: Entry) -> Anatomy | None:
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
        return Anatomy(what, first, end, _find_verbatim_spots(lines, inside, entry.text), "")
    if what == HEADING:
        return Anatomy(what, first, end, _find_in_line(lines, first, entry.text), "")
    if what in {MATTER, ROW}:
        return Anatomy(what, first, end, (), "")
    if what == ITEM:
        return _anatomize_item(lines, block, first, end, entry.text)
    if what == PARAGRAPH:
        quote = _QUOTE.match(lines.raw(first))
        below = quote[0] if quote else ""
        return Anatomy(what, first, end, _spread(lines, first, end, len(below), entry.text, True), below)
    return None


def find_content_start(lines: Lines, line: int) -> int:
    """Where a list item's text begins: behind its indentation and its marker."""
    raw = lines.raw(line)
    bare = raw.strip()
    at = len(raw) - len(raw.lstrip())
    if not bare:
        return at
    marker = measure_bullet(bare)
    return at + marker + len(bare[marker:]) - len(bare[marker:].lstrip())


def _anatomize_item(lines: Lines, block: Block, first: int, end: int, text: str) -> Anatomy:
    at = find_content_start(lines, first)
    follows = [lines.raw(line) for line in range(first + 1, end) if lines.raw(line).strip()]
    margin = min((len(raw) - len(raw.lstrip()) for raw in follows), default=0)
    below = follows[0][:margin] if follows else " " * measure_indent(" " * len(lines.raw(first)[:at].expandtabs(4)))
    spots = _spread(lines, first, end, at, text, False)
    if not spots and first > block[1]:
        # A piece of a long item goes on without a marker of its own.
        raw = lines.raw(first)
        spots = _spread(lines, first, end, len(raw) - len(raw.lstrip()), text, False)
    return Anatomy(ITEM, first, end, spots, below)


def _spread(lines: Lines, first: int, end: int, at: int, text: str, whole: bool) -> tuple[TextSpot, ...]:
    """The text's lines one after the other; `whole`: marks are read at the ends of it all, not of its first line."""
    parts = text.split("\n")
    head = _find_head_spot(lines, first, at, parts[0], whole and len(parts) > 1)
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
                spots.append(TextSpot(line - 1, column, column + len(bare)))
                break
        else:
            return ()
    return tuple(spots)


def _find_head_spot(lines: Lines, line: int, at: int, text: str, opens: bool) -> TextSpot | None:
    raw = lines.raw(line)
    if opens:
        bare = raw.rstrip()
        return TextSpot(line, len(bare) - len(text), len(bare)) if text and bare[at:].endswith(text) else None
    found: TextSpot | None = None
    column = raw.find(text, at) if text else -1
    while column >= 0:
        tried = f"{raw[at:column]}{SENTINEL}{raw[column + len(text) :]}"
        read = parse_marked_entry(tried.replace("\0", "").strip(), 1, 1, "note", ()).text
        if read == SENTINEL:
            return TextSpot(line, column, column + len(text))
        if read.endswith(SENTINEL) and found is None:
            found = TextSpot(line, column, column + len(text))
        column = raw.find(text, column + 1)
    return found


def _find_verbatim_spots(lines: Lines, inside: range, text: str) -> tuple[TextSpot, ...]:
    parts = text.split("\n")
    raws = [(line, lines.raw(line)) for line in inside]
    kept = [(line, raw) for line, raw in raws]
    while kept and not kept[0][1].strip():
        del kept[0]
    if len(kept) < len(parts):
        return ()
    spots = [TextSpot(line, 0, len(raw.rstrip())) for line, raw in kept[: len(parts)]]
    same = all(raw.rstrip() == part for (_line, raw), part in zip(kept, parts, strict=False))
    return tuple(spots) if same else ()


def _find_in_line(lines: Lines, line: int, text: str) -> tuple[TextSpot, ...]:
    column = lines.raw(line).find(text)
    return (TextSpot(line, column, column + len(text)),) if column >= 0 else ()


def collect_comments(raws: Sequence[str]) -> str:
    """The comments in some text, to stand behind what replaces it."""
    said = [word for raw in raws for word in re.findall(r"<!--.*?-->", raw)]
    return "".join(f" {word}" for word in said)


_MARK = compile_pattern(r"\s*(?:\([^()]*\)|（[^（）]*）|<!--.*?-->|#\S+)|[*~]+|\s*[^\s(（<#*~]+|\s+|.")


def replace_entry_text(lines: Lines, entry: Entry, found: Anatomy | None, text: str) -> list[Piece]:
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
    if found.what == ROW:
        return _replace_cells(lines, found.first, entry.text, text)
    if not found.spots or entry.text.count("\n") + 1 != len(found.spots):
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
            return replace_line_part(lines, first, indent.join([middle[0].strip(), *middle[1:]]))
        raws = [lines.exact(line) for line in range(first.line, last.line + 1)]
        raws = [raws[0][first.end :], *raws[1:-1], raws[-1][: last.start]]
        # In code a comment is a part of the text.
        kept = "" if found.what == FENCE else collect_comments(raws)
        written = indent.join([middle[0].strip(), *middle[1:]]) + kept
        return [_build_piece(lines, first.line, first.start, last.line, last.end, written)]
    if middle:
        if same:
            at = spots[same - 1]
            return [_build_piece(lines, at.line, at.end, at.line, at.end, indent + indent.join(middle))]
        at = spots[0]
        written = indent.join([middle[0].strip(), *middle[1:]]) + indent
        return [_build_piece(lines, at.line, at.start, at.line, at.start, written)]
    if same:
        return [_build_piece(lines, spots[same - 1].line, spots[same - 1].end, gone[-1].line, gone[-1].end, "")]
    return [_build_piece(lines, gone[0].line, gone[0].start, spots[len(gone)].line, spots[len(gone)].start, "")]


def locate_cells(lines: Lines, line: int) -> list[TextSpot]:
    """Where the cells of a table's row stand that hold anything, without the blanks around them."""
    raw, spots = lines.raw(line), []
    bounds = [match.start() for match in _PIPE.finditer(raw)]
    for start, end in pairwise([-1, *bounds, len(raw)]):
        cell = raw[start + 1 : end]
        if cell.strip():
            begin = start + 1 + len(cell) - len(cell.lstrip())
            spots.append(TextSpot(line, begin, begin + len(cell.strip())))
    return spots


def _replace_cells(lines: Lines, line: int, old: str, new: str) -> list[Piece]:
    """The cells of a table's row that read otherwise now; what marks it, before and behind its text, stays."""
    spots, raw = locate_cells(lines, line), lines.raw(line)
    cells = [raw[spot.start : spot.end] for spot in spots]
    before, text, behind_it = BETWEEN.join(cells).replace("\\|", "|").partition(old)
    if not text:
        raise RefusedError(_("This memory is woven into its lines: edit them in the file."))
    wanted = (before + " ".join(new.split())).split(BETWEEN)
    wanted[-1] += behind_it
    if len(wanted) != len(spots) or not all(map(str.strip, wanted)):
        told = _n(
            "A table's row keeps its columns: write {count} part.",
            "A table's row keeps its columns: write {count} parts with “ · ” between them.",
            len(spots),
        )
        raise RefusedError(told)
    pairs = zip(spots, wanted, strict=True)
    return [piece for spot, cell in pairs for piece in replace_line_part(lines, spot, cell.strip().replace("|", "\\|"))]


def _fit(found: Anatomy, text: str) -> list[str]:
    """New text as lines that this kind of block can hold."""
    if found.what == FENCE:
        fitting = [line.rstrip() for line in text.splitlines()]
        if any(line.strip()[:3] in {"```", "~~~"} for line in fitting):
            raise RefusedError(_("A code block cannot hold the line that ends it."))
        return fitting
    fitting = escape_item_text(text)
    if found.what == HEADING:
        return [" ".join(" ".join(fitting).split())]
    if found.what == PARAGRAPH:
        fitting = [line.strip() for line in fitting if line.strip()]
        return [
            f"\\{line}" if index and (measure_bullet(line) or line[0] in "|>`~<") else line
            for index, line in enumerate(fitting)
        ]
    return fitting


def replace_line_part(lines: Lines, spot: TextSpot, text: str) -> list[Piece]:
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
        _build_piece(lines, spot.line, spot.start + head, spot.line, spot.end - foot, text[head : len(text) - foot])
    ]


def replace_tail_marks(lines: Lines, spot: TextSpot, tail: str) -> list[Piece]:
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
        pieces += replace_line_part(lines, TextSpot(spot.line, starts[low], starts[high]), new)
    return pieces


def _build_piece(lines: Lines, line: int, start: int, last: int, end: int, text: str) -> Piece:
    first, stop, new = lines.column(line, start), lines.column(last, end), lines.encoded(text)
    if first == stop == len(lines.data) and start:
        # A line that is added there at the same time must come behind it.
        first, new = first - 1, lines.data[first - 1 :] + new
    return Piece(first, stop, new)


class Together(NamedTuple):
    """Both changes in one text."""

    data: bytes
    clashes: int
    """Places that both changed: their lines stand there first, then mine."""


class _Change(NamedTuple):
    """Lines [start, end) of the base became `new`."""

    start: int
    end: int
    new: list[bytes]


def merge_three_way(base: bytes, theirs: bytes, mine: bytes) -> Together:
    """Theirs, with my change in it. Where both changed the same lines, both stand there."""
    # What stands behind the last line end is a line too, mostly an empty one: so ends need no care of their own.
    lines = base.split(b"\n")
    left, right = _diff_lines(lines, theirs.split(b"\n")), _diff_lines(lines, mine.split(b"\n"))
    out: list[bytes] = []
    at = clashes = 0
    while left or right:
        start = min(side[0].start for side in (left, right) if side)
        end = start
        ours: tuple[list[_Change], list[_Change]] = ([], [])
        grown = True
        while grown:
            grown = False
            for side, taken in zip((left, right), ours, strict=True):
                # What begins where the other's change begins, or inside it, is about the same lines.
                while side and (side[0].start < end or side[0].start == start):
                    taken.append(side.pop(0))
                    end, grown = max(end, taken[-1].end), True
        out += lines[at:start]
        their, my = (_apply_line_changes(lines, start, end, taken) for taken in ours)
        if not ours[1] or their == my:
            out += their
        elif not ours[0]:
            out += my
        else:
            clashes += lines[start:end] not in (their, my) and start < end
            out += _join_endings(their, my)
        at = end
    out += lines[at:]
    return Together(b"\n".join(out), clashes)


def _diff_lines(base: list[bytes], new: list[bytes]) -> list[_Change]:
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, base, new, autojunk=False)
    return [
        _Change(low, high, new[first:last]) for tag, low, high, first, last in matcher.get_opcodes() if tag != "equal"
    ]


def _apply_line_changes(lines: list[bytes], start: int, end: int, changes: list[_Change]) -> list[bytes]:
    out: list[bytes] = []
    at = start
    for change in changes:
        out += [*lines[at : change.start], *change.new]
        at = change.end
    return [*out, *lines[at:end]]


def _join_endings(their: list[bytes], my: list[bytes]) -> list[bytes]:
    """Their lines, then those of mine that are not there already."""
    return [*their, *(line for line in my if line not in their)]

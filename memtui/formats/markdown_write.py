"""Markdown written: marks at the end of a line, changes to one entry, new memories at the end of their section.

- The tail of a line: tags, asides in brackets, comments, each changed by itself.
- `change`, `mark`, `remove`: a bullet that no longer holds stays readable, `- ~~old~~ (superseded 2026-11-21 →
  m-1f0c22ab)` with the id that what replaces it carries in a comment, or, put aside, `- text (archived 2026-11-21)`.
  Both are taken off again byte by byte. How the new one begins is named where no id can stand, and is read, too.
- `add`, `record`: a new list item, written as its neighbours are. Only whole lines are inserted, so a file
  keeps its BOM, its line ends, a missing last newline, and bytes that are no text. Sections are the headings
  that the parser sees: none in code, and none that only begins like the one that is wanted.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memtui.core import clock
from memtui.core.edits import Piece, splice_pieces
from memtui.core.errors import RefusedError
from memtui.core.locale import _
from memtui.core.model import Layer, Role, Status
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern
from memtui.core.text import CJK_RUN, derive_opening_name
from memtui.formats import Added, AppendRecord, Source, markdown_lines, parse
from memtui.formats.blocks import COMMENT, FENCE, HEADING, ITEM, MATTER, PARAGRAPH, ROW, Block, split_blocks
from memtui.formats.markdown_lines import (
    Lines,
    ListStyle,
    clean_tags,
    detect_item_style,
    format_item_expiry,
    format_successor,
    normalize_kind,
    render_item_lines,
)
from memtui.formats.marks import BETWEEN, parse_marked_entry, parse_status_aside
from memtui.formats.rewording import (
    Anatomy,
    TextSpot,
    find_content_start,
    locate_cells,
    locate_entry_parts,
    replace_entry_text,
    replace_line_part,
    replace_tail_marks,
)
from memtui.formats.sections import CORE, choose_heading, clean_heading, find_named_section

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.core.edits import Draft
    from memtui.core.model import Entry
    from memtui.formats.markdown_lines import MarkdownSection

_ASIDE = compile_pattern(r"[ \t]*(?:\(([^()]*)\)|（([^（）]*)）)")
_COMMENTS = compile_pattern(r"(?:\s*<!--(?:(?!-->).)*-->)*\s*$")
_TAG = compile_pattern(r"[ \t,，、]*(?<![^\s,，、])#[\w][\w/.+-]{0,63}(?![\w/.+-])")
_CLOSERS = compile_pattern(r"(?:\*\*|~~)*")
_ARROW = compile_pattern(r"\s*→\s*[A-Za-z][\w:.-]{0,80}-?\d[\w-]*(?=\s*$|\s*<!--)")


def set_tail_tags(tail: str, words: Sequence[str]) -> str:
    """With these tags and no others."""
    bare = _change_before_comments(tail, lambda part: _TAG.sub("", part))
    closers = _CLOSERS.match(bare)
    at = closers.end() if closers else 0
    return bare[:at] + "".join(f" #{word}" for word in clean_tags(words)) + bare[at:]


def set_tail_note(tail: str, names: Sequence[str], value: str) -> str:
    """With `(name: value)`, changed where it stands, else behind the other marks; an empty value takes it out."""
    field = re.compile(rf"^\s*(?:{'|'.join(map(re.escape, names))})(\s*[:=：]\s*)(.*?)\s*$", re.IGNORECASE | re.DOTALL)
    for match in _ASIDE.finditer(tail):
        inner = match[1] if match[1] is not None else match[2]
        parts = re.split(r"([,，;])", inner)
        for index in range(0, len(parts), 2):
            found = field.match(parts[index])
            if not found:
                continue
            if value:
                start, end = found.span(2)
                parts[index] = parts[index][:start] + value + parts[index][end:]
            else:
                parts = _drop_part(parts, index)
            return _replace_inner(tail, match, "".join(parts))
    return insert_tail_mark(tail, f"({names[0]}: {value})") if value else tail


def insert_tail_mark(tail: str, mark: str) -> str:
    """With a mark behind the others, before the comments at the end."""
    found = _COMMENTS.search(tail)
    at = found.start() if found else len(tail)
    return f"{tail[:at].rstrip()} {mark}{tail[at:]}"


def strip_status_marks(tail: str) -> str:
    """Without anything that says it does not hold: `(superseded by fact-2)`, `(2026-02-26, archived)` but its date."""
    done = 0
    while (match := _ASIDE.search(tail, done)) is not None:
        inner = match[1] if match[1] is not None else match[2]
        parts = [inner] if parse_status_aside(inner) is not Status.ACTIVE else re.split(r"([,，;])", inner)
        index = next((at for at in range(0, len(parts), 2) if parse_status_aside(parts[at]) is not Status.ACTIVE), -1)
        if index < 0:
            done = match.end()
            continue
        tail = _replace_inner(tail, match, "".join(_drop_part(parts, index)))
        done = match.start()
    return _ARROW.sub("", tail)


def _drop_part(parts: list[str], index: int) -> list[str]:
    if index:
        return parts[: index - 1] + parts[index + 1 :]
    rest = parts[2:]
    return [rest[0].lstrip(), *rest[1:]] if rest else []


def _replace_inner(tail: str, match: re.Match[str], inner: str) -> str:
    if not inner.strip():
        return tail[: match.start()] + tail[match.end() :]
    at = match.start(1) if match[1] is not None else match.start(2)
    end = match.end(1) if match[1] is not None else match.end(2)
    return tail[:at] + inner + tail[end:]


def _change_before_comments(tail: str, change: object) -> str:
    assert callable(change)
    found = _COMMENTS.search(tail)
    at = found.start() if found else len(tail)
    return f"{change(tail[:at])}{tail[at:]}"


_NOTED = {
    "expires": ("expires", "expires_at", "有效期至", "过期"),
    "confidence": ("confidence", "置信度"),
    "evidence": ("evidence", "证据"),
}
_KIND = compile_pattern(r"[\[【][^\W\d][\w -]{0,23}[\]】]\s*$")
_HOUR = compile_pattern(r"(?<![\d:])\d{1,2}:\d\d(?::\d\d)?[\W_]*$")
_MARKED = (ITEM, PARAGRAPH)
_ROLE, _DAY = Role(Layer.KNOWLEDGE, "note", "markdown"), Role(Layer.JOURNAL, "note", "journal")


def change(data: bytes, entry: Entry, changes: Mapping[str, Any], now: float) -> tuple[Piece, ...]:
    """New values for text, kind, tags, expires, confidence, evidence (a document's: title, status too)."""
    lines = Lines(data)
    found = locate_entry_parts(lines, entry)
    if found is not None and found.what == MATTER:
        return markdown_lines.change_document_fields(lines, found.first, found.end, entry, changes, now)
    pieces: list[Piece] = []
    rest = dict(changes)
    if "text" in rest:
        text = str(rest.pop("text"))
        pieces += replace_entry_text(lines, entry, found, text)
        pieces += _rename_references(lines, entry, pieces)
    if rest:
        pieces += _build_mark_pieces(lines, entry, found, rest)
    return _check_one_item_stays(lines, entry, found, _order_pieces(lines.data, pieces))


def _order_pieces(data: bytes, pieces: list[Piece]) -> tuple[Piece, ...]:
    """By their places; a mark behind a last line without an end repeats its last byte, which a new text may replace."""
    ordered = sorted(pieces, key=lambda piece: (piece.start, piece.end))
    if len(ordered) > 1 and ordered[-1].start < ordered[-2].end == ordered[-1].end == len(data):
        text, mark = ordered[-2:]
        ordered[-2:] = [text._replace(new=text.new + mark.new.removeprefix(data[mark.start :]))]
    return tuple(ordered)


def mark(
    data: bytes, entry: Entry, status: Status, now: float, *, successor: str = "", alone: bool = True
) -> tuple[Piece, ...]:
    """Superseded, archived, or active again. `successor` is the key or the text of what replaces it."""
    lines = _parse_lines(data)
    found = locate_entry_parts(lines, entry)
    if status not in {Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED}:
        raise RefusedError(_("A line of Markdown cannot be marked as {status}.").format(status=status.value))
    if found is not None and found.what == MATTER:
        return markdown_lines.mark_document(lines, found.first, found.end, status, successor)
    if found is not None and found.what == ROW:
        return _check_status_is_read(
            data, entry, status, _mark_row(lines, found.first, entry.text, status, successor, now)
        )
    if found is None or found.what not in _MARKED or not found.spots:
        raise RefusedError(_("Only list items, rows and paragraphs can carry such a mark: edit this in the file."))
    head = found.spots[0]
    foot = found.spots[-1] if found.what == PARAGRAPH else head
    exact = lines.exact(foot.line)
    tail = strip_status_marks(exact[foot.end :])
    left, right = _measure_strokes(lines, head, foot)
    strike = status is Status.SUPERSEDED and _can_strike(lines, head, foot)
    if status is not Status.ACTIVE:
        tail = insert_tail_mark(tail, _format_status(status, successor, now))
    pieces: list[Piece] = []
    if strike and not left:
        at = lines.column(head.line, head.start)
        pieces.append(Piece(at, at, b"~~"))
        tail = f"~~{tail}"
    elif not strike and left and right:
        at = lines.column(head.line, head.start - left)
        pieces.append(Piece(at, at + 2, b""))
        tail = tail[: right - 2] + tail[right:]
    pieces += replace_tail_marks(lines, foot, tail)
    last = found.spots[-1]
    if last.line != foot.line:
        # What somebody wrote at the end of an item of several lines goes as well.
        exact = lines.exact(last.line)
        pieces += replace_tail_marks(lines, last, strip_status_marks(exact[last.end :]))
    return _check_status_is_read(data, entry, status, pieces) if alone else tuple(pieces)


def _check_status_is_read(data: bytes, entry: Entry, status: Status, pieces: list[Piece]) -> tuple[Piece, ...]:
    """The pieces, if the entry is read with that status afterwards, and with the same text."""
    new = splice_pieces(data, tuple(pieces))
    # The hour that a day's note begins with is no word of it: it is read as it was read.
    again = (e for role in (_ROLE, _DAY) for e in parse(Source("", role, new)).entries)
    if not any(e.start == entry.start and e.status is status and e.text == entry.text for e in again):
        raise RefusedError(_("This memory cannot carry that mark: its section decides, or it is nothing but marks."))
    return tuple(pieces)


def _format_status(status: Status, successor: str, now: float) -> str:
    name = format_successor(successor)
    return f"({status.value} {clock.format_day(now)}" + (f" → {name})" if name else ")")


def _mark_row(lines: Lines, line: int, text: str, status: Status, successor: str, now: float) -> list[Piece]:
    """A table's row is marked at the end of its last cell."""
    spots = locate_cells(lines, line)
    cell = lines.raw(line)[spots[-1].start : spots[-1].end] if spots else ""
    words = text.rpartition(BETWEEN)[2].replace("|", "\\|")
    at = spots[-1].start + cell.find(words) + len(words) if words in cell else spots[-1].end if spots else 0
    spot = TextSpot(line, at, spots[-1].end if spots else 0)
    tail = strip_status_marks(lines.exact(line)[spot.start : spot.end])
    if status is not Status.ACTIVE:
        # A bar in what replaces it would begin a cell.
        tail = insert_tail_mark(tail, _format_status(status, successor, now).replace("|", "\\|"))
    return replace_line_part(lines, spot, tail)


@lru_cache(maxsize=1)
def _parse_lines(data: bytes) -> Lines:
    """The file, taken apart once for all marks that it gets at a time."""
    return Lines(data)


def remove(data: bytes, entry: Entry) -> tuple[Piece, ...]:
    """The entry's lines and those of its parts, with a comment that applies to it alone; a blank line where its
    neighbours would join.
    """
    lines = Lines(data)
    first, end = entry.start - 1, entry.last
    found = locate_entry_parts(lines, entry)
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
        made = split_blocks([*lines.text[:first], *blank, *lines.text[end:]])
        if _are_others_unchanged(made, lines.blocks, first, end, len(blank) - (end - first)):
            return (Piece(lines.start(first), stop, lines.encoded("\n")) if blank else Piece(start, stop, b""),)
    raise RefusedError(_("Without these lines the file would mean something else: edit it in the file."))


def _are_others_unchanged(now: Sequence[Block], before: Sequence[Block], first: int, end: int, shift: int) -> bool:
    """Whether all blocks but those of the lines from `first` to `end` are what they were."""
    kept = [
        (what, at + (shift if at >= end else 0), to + (shift if to >= end else 0))
        for what, at, to, _data in before
        if to <= first or at >= end or (at < first or to > end)
    ]
    return [block[:3] for block in now] == kept


def _rename_references(lines: Lines, entry: Entry, pieces: Sequence[Piece]) -> list[Piece]:
    """What it replaced in this file calls it by how it begins: that follows its text."""
    was = derive_opening_name(entry.text)
    named = lines.encoded(f" → {was})")
    if not was or not pieces or named not in lines.data:
        return []
    entries = parse(Source("", _ROLE, splice_pieces(lines.data, tuple(pieces)))).entries
    name = next((derive_opening_name(again.text) for again in entries if again.start == entry.start), "")
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


def _find_tail_spot(lines: Lines, found: Anatomy) -> TextSpot:
    """Where an entry's marks stand: behind its last line where that has any or it is a paragraph, else its first."""
    last = found.spots[-1]
    marked = found.what == PARAGRAPH or lines.raw(last.line)[last.end :].strip()
    return last if marked else found.spots[0]


def _measure_strokes(lines: Lines, head: TextSpot, foot: TextSpot) -> tuple[int, int]:
    """How far before and behind the text its strokes stand, themselves included; 0, 0: it is not struck out."""
    before = lines.raw(head.line)[: head.start]
    behind_it = lines.raw(foot.line)[foot.end :]
    left = len(before) - len(before.rstrip("*~"))
    right = len(behind_it) - len(behind_it.lstrip("*~"))
    at, to = before[len(before) - left :].find("~~"), behind_it[:right].find("~~")
    return (left - at, to + 2) if at >= 0 and to >= 0 else (0, 0)


def _can_strike(lines: Lines, head: TextSpot, foot: TextSpot) -> bool:
    """Whether strokes around the text are read as such: behind the hour of a day's note they are not."""
    if _HOUR.search(lines.raw(head.line), 0, head.start):
        return False
    text = lines.raw(head.line)[head.start : head.end] + lines.raw(foot.line)[foot.start : foot.end]
    return "~~" not in text and head.end > head.start and foot.end > foot.start


def _build_mark_pieces(lines: Lines, entry: Entry, found: Anatomy | None, changes: dict[str, Any]) -> list[Piece]:
    strange = [name for name in changes if name not in {"key", "kind", "tags", *_NOTED}]
    if strange or found is None or found.what not in _MARKED or not found.spots:
        what = ", ".join(strange or changes)
        raise RefusedError(_("Markdown has no place for this here: {what}.").format(what=what))
    pieces: list[Piece] = []
    kind = normalize_kind(str(changes.pop("kind", entry.kind)))
    if kind != entry.kind:
        pieces.append(_build_kind_piece(lines, found.spots[0], kind))
    spot = _find_tail_spot(lines, found)
    exact = lines.exact(spot.line)
    tail = exact[spot.end :]
    for name, value in changes.items():
        if name == "tags":
            if tuple(value) != entry.tags:
                tail = set_tail_tags(tail, value)
        elif name == "key":
            tail = f"{tail.rstrip()}{render_id(value)}" if not entry.key else tail
        elif value != getattr(entry, name):
            tail = set_tail_note(tail, _NOTED[name], _format_mark_value(name, value))
    pieces += replace_tail_marks(lines, spot, tail)
    return pieces


def render_id(key: str) -> str:
    """The comment in which an item carries the id by which those that it replaces name it."""
    return f" <!-- id: {key} -->"


def _build_kind_piece(lines: Lines, spot: TextSpot, kind: str) -> Piece:
    """`[kind]` before the text, which the parser reads wherever a line begins so."""
    raw = lines.raw(spot.line)
    marked = _KIND.search(raw, 0, spot.start)
    at = marked.start() if marked else spot.start
    bare = raw[find_content_start(lines, spot.line) : at] + f"[{kind}] " + raw[spot.start :]
    if parse_marked_entry(bare.strip(), 1, 1, "", ()).kind != kind:
        raise RefusedError(_("A line cannot say that it is a {kind}: move it to such a section.").format(kind=kind))
    return Piece(lines.column(spot.line, at), lines.column(spot.line, spot.start), lines.encoded(f"[{kind}] "))


def _format_mark_value(name: str, value: Any) -> str:
    if value is None or value == "":
        return ""
    if name == "expires":
        return format_item_expiry(float(value))
    if name == "confidence":
        return f"{float(value):g}"
    return derive_opening_name(str(value))


def _check_one_item_stays(
    lines: Lines, entry: Entry, found: Anatomy | None, pieces: tuple[Piece, ...]
) -> tuple[Piece, ...]:
    """The pieces, if all other blocks stay what they are and this one stays one block."""
    if found is None or not pieces:
        return pieces
    made = Lines(splice_pieces(lines.data, pieces))
    shift = len(made.text) - len(lines.text)
    whole = [
        (b[0], b[1] + (shift if b[1] > found.first else 0), b[2] + (shift if b[2] > found.first else 0))
        for b in lines.blocks
    ]
    if [block[:3] for block in made.blocks] != whole:
        raise RefusedError(_("With this text its line would change what else the file says: edit it in the file."))
    if entry.reach > entry.end:
        # What belongs to it must not be left alone by other words.
        entries = parse(Source("", _ROLE, splice_pieces(lines.data, pieces))).entries
        if not any(one.start == entry.start and one.reach > one.end for one in entries):
            raise RefusedError(
                _("With this text what stands below would no longer belong to it: let it end as it did.")
            )
    return pieces


_TITLES = {"memory": "MEMORY", "profile": "用户记忆", "user": "USER", "scratchpad": "Scratchpad"}


class _Place(NamedTuple):
    """Where new lines go: after this line (counted from 0), and what frames them there."""

    line: int
    before: str = ""
    """Lines that only frame: blank ones, a heading that is made."""


def add(data: bytes, draft: Draft, now: float, path: str) -> Added:
    """A list item at the end of the draft's section; the section is made at the end of the file where it is missing."""
    lines = Lines(data, path)
    heading = draft.section.strip() or choose_heading(lines, draft.kind, draft.text, CORE)
    section = find_named_section(lines.sections, heading) if heading else _find_headless_section(lines)
    if section is None:
        place = _Place(len(lines.text), _build_heading(lines, heading, path))
        how = detect_item_style(lines, (), path, heading)
    else:
        how = detect_item_style(lines, section.body, path, clean_heading(section))
        place = _end(lines, section)
    new = render_item_lines(draft, how, now)
    key = draft.key if draft.supersedes else ""
    if section is not None and section.body and (row := _make_row(section.body[-1], new, how)):
        new, place, key = [row], _Place(section.body[-1][2]), ""
    if b"<!--" in data.rpartition(b"-->")[2]:
        # A comment that is never closed is text; it must not be closed from here.
        new, key = [line.replace("-->", "--\\>") for line in new], ""
    if key:
        new[0] += render_id(key)
    return Added(_check_one_item_more(lines, place, new, heading), key)


def _make_row(last: Block, new: Sequence[str], how: ListStyle) -> str:
    """A row below a table's last one, where the new item has as many parts as it has columns; else nothing."""
    cells = new[0].removeprefix(how.prefix).split(BETWEEN)
    if last[0] != ROW or len(new) > 1 or len(cells) < 2 or len(cells) != len(last[3]):
        return ""
    return "| " + " | ".join(cell.strip().replace("|", "\\|") for cell in cells) + " |"


def record(draft: Draft, now: float, path: str) -> AppendRecord:
    """A list item by itself, for a file that is only appended to."""
    return AppendRecord("\n".join(render_item_lines(draft, ListStyle(), now)))


def _find_headless_section(lines: Lines) -> MarkdownSection | None:
    """The part of a file without headings that its items stand in."""
    return next((s for s in reversed(lines.sections) if s.level == 0 and (s.body or s.first >= 0)), None)


def _build_heading(lines: Lines, heading: str, path: str) -> str:
    """A new heading with the blank lines around it, as the file's other headings have them."""
    levels = [section.level for section in lines.sections if section.level in {2, 3}]
    level = max(set(levels), key=levels.count) if levels else 2
    made = f"{'#' * level} {heading}\n" + ("\n" if _has_blank_after_headings(lines) else "") if heading else ""
    if not lines.text:
        return (f"# {_choose_document_title(path, heading)}\n\n" if heading else "") + made
    # An empty last line is one that is there already.
    return made if not lines.text[-1].strip() else f"\n{made}"


def _choose_document_title(path: str, heading: str) -> str:
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0] or name
    if stem == "rules" and folders:
        # In the language of what stands below it.
        return f"{folders[-1]} 开发规范" if CJK_RUN.search(heading) else f"{folders[-1]} rules"
    return _TITLES.get(stem.lower(), stem)


def _has_blank_after_headings(lines: Lines) -> bool:
    """Whether most headings that have something under them leave a blank line first."""
    spoken = [s for s in lines.sections if s.level and s.body and s.body[0][0] != COMMENT]
    gaps = [section.body[0][1] > section.end for section in spoken]
    return 2 * sum(gaps) >= len(gaps)


def _end(lines: Lines, section: MarkdownSection) -> _Place:
    """The end of what stands directly under a heading: after its last line, before blank lines and rules.

    A comment that stands apart speaks for what follows, and code that is never closed would take in whatever does.
    """
    body = list(section.body)
    while body and ((body[-1][0] == FENCE and not body[-1][3][1]) or _ends_in_comment_ahead(body, section)):
        body.pop()
    if not body:
        airy = section.level > 0 and _has_blank_after_headings(lines)
        return _Place(section.end, "\n" if airy else "")
    last = body[-1]
    close = last[0] in {ITEM, COMMENT} or (len(body) == 1 and last[0] == COMMENT)
    return _Place(last[2], "" if close else "\n")


def _ends_in_comment_ahead(body: list[Block], section: MarkdownSection) -> bool:
    """Whether the last block is a comment that applies to what comes next."""
    if body[-1][0] != COMMENT or len(body) == 1:
        return False
    return body[-1][1] != body[-2][2]


def _check_one_item_more(lines: Lines, place: _Place, new: list[str], heading: str) -> tuple[Piece, ...]:
    """The pieces, if the parser will see just one item more and everything else as before."""
    frame = place.before.split("\n")[:-1]
    text = [*lines.text[: place.line], *frame, *new, *lines.text[place.line :]]
    shift = len(frame) + len(new)
    before = [_shift_block(block, 0) for block in lines.blocks]
    made = split_blocks(text)
    added = place.line + len(frame)
    kept = [
        _shift_block(block, shift if block[1] >= place.line + shift else 0)
        for block in made
        if not place.line <= block[1] < place.line + shift
    ]
    inside = [block for block in made if place.line <= block[1] < place.line + shift]
    items = [block for block in inside if block[0] in {ITEM, ROW}]
    headings = [block for block in inside if block[0] == HEADING]
    good = len(items) == 1 and items[0][1:3] == (added, added + len(new)) and len(inside) == 1 + len(headings)
    if kept != before or not good:
        if any(block[0] == FENCE and not block[3][1] for block in lines.blocks):
            raise RefusedError(
                _("{path} has a code block that is never closed: close it first.").format(path=lines.path)
            )
        reason = _("{path} is written so that a line added under {heading} would change what else it says.")
        raise RefusedError(reason.format(path=lines.path, heading=heading or _("its text")))
    return _build_insert_pieces(lines, place, "\n".join(new))


def _shift_block(block: Block, shift: int) -> tuple[int, int, int]:
    return block[0], block[1] - shift, block[2] - shift


def _build_insert_pieces(lines: Lines, place: _Place, new: str) -> tuple[Piece, ...]:
    at = lines.start(place.line)
    if at == len(lines.data) and not lines.ended:
        # The last line has no end and keeps none: each new one brings the end of the line before it.
        frame = lines.encoded(("\n" + place.before)[:-1]) if place.before else b""
        framed = (Piece(at, at, frame, True),) if frame else ()
        return (*framed, Piece(at, at, lines.encoded(f"\n{new}")))
    framed = (Piece(at, at, lines.encoded(place.before), True),) if place.before else ()
    return (*framed, Piece(at, at, lines.encoded(f"{new}\n")))

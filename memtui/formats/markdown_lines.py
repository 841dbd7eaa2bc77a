"""Parts of writing Markdown: a file's lines beside its parsed blocks, a memory as a list item, frontmatter by name.

- `Lines`: the file as bytes and as its parser sees it. Only a line feed ends a line, for both, so a line's
  number says where its bytes are. Text is encoded as the file is, with the line end that most of its lines
  have.
- `render_item_lines` and its kin: a text made harmless for Markdown, with the marks that its neighbours carry.
  The item stays one item: no heading, rule, fence or list of its own begins in it.
- `change_document_fields`, `mark_document`, `put`: frontmatter changed name by name; what is there keeps its
  order, quotes and blanks. It is never added to a file that has none.
"""

from __future__ import annotations

import codecs
import json
import re
from datetime import UTC, datetime
from functools import cached_property
from itertools import accumulate

from memtui.core import clock
from memtui.core.edits import Piece
from memtui.core.errors import RefusedError
from memtui.core.locale import _
from memtui.core.model import Layer, Role, Status
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern
from memtui.core.text import SURROGATE, derive_opening_name
from memtui.formats import Source, kinds, split_readable_lines
from memtui.formats.blocks import FENCE, HEADING, ITEM, MATTER, Block, split_blocks
from memtui.formats.frontmatter import parse_scalar
from memtui.formats.marks import COLOUR, is_thematic_break, measure_bullet, parse_atx_heading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.core.edits import Draft
    from memtui.core.model import Entry

_ROLE = Role(Layer.KNOWLEDGE, "note", "markdown")


class Lines:
    """One file, read. Lines are counted from 0 here."""

    def __init__(self, data: bytes, path: str = "") -> None:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            reason = _("{path} is written in UTF-16: save it as UTF-8 first, then memtui can change it.")
            raise RefusedError(reason.format(path=path or _("the file")))
        self.data = data
        self.path = path
        source = Source(path, _ROLE, data)
        self.text, _problems = split_readable_lines(source)
        self.encoding = "gb18030" if source.encoding == "gb18030" else "utf-8"
        raw = data.split(b"\n")
        self._starts = list(accumulate((len(line) + 1 for line in raw), initial=0))
        ends = data.count(b"\n")
        self.eol = "\r\n" if 2 * data.count(b"\r\n") > ends else "\n"

    @cached_property
    def blocks(self) -> list[Block]:
        """The file's blocks, in order."""
        return split_blocks(self.text)

    @cached_property
    def sections(self) -> list[MarkdownSection]:
        """What stands before the first heading, then every heading with what is directly under it."""
        found = [MarkdownSection(self, 0, "", -1, 0)]
        for block in self.blocks:
            what, first, end, data = block
            if what == HEADING:
                found.append(MarkdownSection(self, data[0], data[1], first, end))
            elif what == MATTER:
                # Frontmatter begins a document of its own: no heading above it reaches further.
                found.append(MarkdownSection(self, 0, "", first, end))
            else:
                found[-1].body.append(block)
        return found

    @property
    def ended(self) -> bool:
        """Whether the last line has its end."""
        return not self.data or self.data.endswith(b"\n") or self.data == codecs.BOM_UTF8

    def start(self, line: int) -> int:
        """The offset of a line's first byte; of the file's end for the line after the last."""
        at = self._starts[line] if line < len(self._starts) else len(self.data)
        if at == 0 and self.data.startswith(codecs.BOM_UTF8):
            at = len(codecs.BOM_UTF8)
        return min(at, len(self.data))

    def column(self, line: int, characters: int) -> int:
        """The offset of a character of a line."""
        return self.start(line) + len(self._bytes(self.exact(line)[:characters]))

    def exact(self, line: int) -> str:
        """A line as it stands, without its end: with what the parser leaves out, bad bytes as lone surrogates."""
        data = self.data[self.start(line) : self.start(line + 1)]
        text = data.decode(self.encoding, "surrogateescape" if self.encoding == "utf-8" else "replace")
        return text.removesuffix("\n").removesuffix("\r")

    def raw(self, line: int) -> str:
        """The same as it is shown: one U+FFFD for each bad byte."""
        return SURROGATE.sub("\ufffd", self.exact(line))

    def encoded(self, text: str) -> bytes:
        """New text in the file's encoding, its line ends the file's."""
        return self._bytes(text.replace("\n", self.eol))

    def _bytes(self, text: str) -> bytes:
        try:
            return text.encode(self.encoding, "surrogateescape" if self.encoding == "utf-8" else "strict")
        except UnicodeEncodeError:
            return text.encode(self.encoding, "replace")


class MarkdownSection:
    """A heading and what stands under it before the next one, of whatever level."""

    def __init__(self, lines: Lines, level: int, text: str, first: int, end: int) -> None:
        self.level = level
        self.text = text
        """Of the heading, without '#'; empty before the first one."""
        self.first = first
        self.end = end
        """The line after the heading."""
        self.body: list[Block] = []
        self._lines = lines


PLAIN = "- "

_FENCE = compile_pattern(r"`{3,}|~{3,}")
_SETEXT = compile_pattern(r"(?:=+|-+)$")
_NUMBER = compile_pattern(r"\d+")
_DATED = compile_pattern(r"[(（]\d{4}-\d\d-\d\d\s*(?:[,，]\s*(auto|自动|manual|手动)\s*)?[)）]$")
_LED = compile_pattern(r"[\[【]\d{4}-\d\d-\d\d[\]】]\s")
_TIMED = compile_pattern(r"\d{4}-\d\d-\d\d \d\d:\d\d\s")
_CHECK = compile_pattern(r"\[[ xX]\]\s")
_WORD = compile_pattern(r"[^\w/.+-]+")
_UNSAID = compile_pattern(r"[\s,，;()（）]+")
_EXACT = 3 * 86400.0
"""Seconds from now in which an hour matters."""


class ListStyle(NamedTuple):
    """How a list writes its items."""

    prefix: str = PLAIN
    """Indentation and marker, the blank behind it included; of a numbered list the next number."""
    dated: bool = False
    """`- text (2026-02-08)`."""
    led: bool = False
    """`- [2026-02-20] text`."""
    bold: bool = False
    """`- **text** (2026-02-26, auto)`: what no person wrote."""
    sourced: bool = False
    """`- text (source=run-1)`."""
    sure: bool = False
    """`- text (confidence: 0.9)`."""
    checked: bool = False
    """`- [ ] text`."""
    timed: bool = False
    """`- 2026-02-25 03:16 text`."""
    wide: bool = False
    """`- text（confidence: 0.9）`."""


def detect_item_style(lines: Lines, own: Sequence[Block], path: str, heading: str) -> ListStyle:
    """The manner of a section's items; where it has none, of the file's, or what its name and heading are known for."""
    items = [block for block in own if block[0] == ITEM]
    others = items or [block for block in lines.blocks if block[0] == ITEM]
    told = [_said_bullet(lines, block) for block in items]
    everywhere = [_said_bullet(lines, block) for block in others[-50:]]
    prefix = _prefix(lines, items[-1]) if items else _marker(lines, others[0]) if others else PLAIN
    stamped = any("memory_md_update:" in lines.text[at] for at in range(min(8, len(lines.text))))
    if told:
        dated, led = _most(told, _DATED.search), _most(told, _LED.match)
        checked = _most(told, _CHECK.match)
        bold = any(text.startswith("**") and text.endswith("auto)") for text in told)
    else:
        avoided = heading == "避坑经验"
        dated, led, bold, checked = path.rsplit("/", 1)[-1].lower() == "rules.md", avoided, avoided, False
    sourced = stamped or any("(source=" in text for text in everywhere)
    sure, wide = (any(f"{mark}confidence:" in text for text in told) for mark in ("", "（"))
    timed = bool(told) and _most(told, _TIMED.match)
    return ListStyle(prefix, dated, led or (bold and not dated), bold, sourced, sure, checked, timed, wide)


def render_item_lines(draft: Draft, how: ListStyle, now: float) -> list[str]:
    """The lines of a new item, its marker on the first. Raises RefusedError for a text with nothing in it."""
    first, *rest = escape_item_text(draft.text)
    day = clock.format_day(now)
    marks: list[str] = []
    if how.bold and draft.source:
        if not rest and "**" not in first:
            first = f"**{first}**"
        marks.append(f"({day}, auto)")
    elif how.led:
        first = f"[{day}] {first}"
    elif how.timed:
        first = f"{clock.format_minute(now)} {first}"
    elif how.dated:
        marks.append(f"({day})")
    if how.checked and draft.kind == "todo":
        first = f"[ ] {first}"
    marks = [*(f"#{tag}" for tag in clean_tags(draft.tags)), *marks]
    if how.sure and draft.confidence is not None:
        said = f"confidence: {draft.confidence:g}"
        marks.append(f"（{said}）" if how.wide else f"({said})")
    if draft.expires is not None:
        marks.append(f"(expires: {format_item_expiry(draft.expires)})")
    if how.sourced and draft.source:
        marks.append(f"(source={clean_source_label(draft.source)})")
    first += "".join(mark if mark[0] == "（" else f" {mark}" for mark in marks)
    return render_prefixed_lines([first, *rest], how.prefix)


def render_prefixed_lines(text: Sequence[str], prefix: str) -> list[str]:
    """The lines of a text as one item with this prefix; joined to a single line where they would not stay together."""
    below = " " * len(prefix.expandtabs(4))
    found = [prefix + text[0], *(below + line if line else "" for line in text[1:])]
    if len(found) > 1 and not _together(found, prefix):
        return [prefix + " ".join(line.strip() for line in text if line.strip())]
    return found


def escape_item_text(text: str) -> list[str]:
    """A text's lines, none of which is anything but text: its own bullet off, structure escaped, ends trimmed.

    Code between fences that close stays as it is, but not at the head, where no fence is looked for.
    """
    text = text.encode("utf-8", "replace").decode().replace("\0", "")
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    if not lines:
        raise RefusedError(_("There is nothing to write: the text is empty."))
    lines[0] = lines[0].strip()
    marker = measure_bullet(lines[0]) if lines[0][0] in "-*+•" else 0
    if marker and lines[0][marker:].strip() and not is_thematic_break(lines[0]):
        lines[0] = lines[0][marker:].strip()
    code = _code(lines)
    fences = any(_FENCE.match(line.strip()) for line in lines) and not code
    found: list[str] = []
    for index, line in enumerate(lines):
        bare = line.strip()
        if index in code:
            found.append(line)
        elif bare or (found and found[-1]):
            found.append(_plain(line, bare, index, fences))
    return found


def format_item_expiry(seconds: float) -> str:
    """When something ends, as people write it: the day; the minute too, where the day alone would be over too soon."""
    moment = clock.convert_to_local(seconds)
    day = (moment.hour, moment.minute, moment.second) == (23, 59, 59)
    exact = seconds - clock.now() < _EXACT and not day
    return f"{moment:%Y-%m-%dT%H:%M}" if exact else f"{moment:%Y-%m-%d}"


def clean_tags(words: Sequence[str]) -> list[str]:
    """Tags as the parser reads them back: one word each, nothing that looks like a colour or an issue's number."""
    found = (_WORD.sub("-", word.strip().lstrip("#")).strip("-./+")[:64] for word in words)
    return list(dict.fromkeys(f"tag-{word}" if COLOUR.fullmatch(word) else word for word in found if word))


def clean_source_label(source: str) -> str:
    """A session or run as it can stand in brackets; empty where nothing is left of it."""
    return _UNSAID.sub("-", source.replace("\0", "").strip())


def _plain(line: str, bare: str, index: int, fences: bool) -> str:
    if not bare:
        return ""
    odd = (
        parse_atx_heading(bare, bare) is not None
        if bare[0] == "#"
        else (is_thematic_break(bare) if bare[0] in "-*_" else False) or (index > 0 and bool(_SETEXT.match(bare)))
    )
    if odd or (fences and _FENCE.match(bare)) or (index == 0 and _SETEXT.match(bare)):
        at = len(line) - len(line.lstrip())
        return f"{line[:at]}\\{line[at:]}"
    return line


def _code(lines: list[str]) -> set[int]:
    """The lines of code between fences, where every fence closes and none stands at the head."""
    if _FENCE.match(lines[0]):
        return set()
    found: set[int] = set()
    for what, first, end, data in split_blocks(["x", "", *(line.strip() for line in lines[1:])]):
        if what == FENCE:
            if not data[1]:
                return set()
            found.update(range(first - 1, end - 1))
    return found


def _together(found: list[str], prefix: str) -> bool:
    """Whether the parser takes the lines for one item, and no fence or comment in them reaches what comes after."""
    after = [f"{prefix}x", "", "```", "x", "```", "~~~", "x", "~~~"]
    whole = split_blocks([*found, *after])
    alone = [(what, first + len(found), end + len(found)) for what, first, end, _data in split_blocks(after)]
    return [block[:3] for block in whole] == [(ITEM, 0, len(found)), *alone]


def _said_bullet(lines: Lines, block: Block) -> str:
    return lines.text[block[1]].strip()[block[3] :].strip()


def _marker(lines: Lines, block: Block) -> str:
    """The file's usual bullet, at the margin; a number is no bullet to begin a new list with."""
    line = lines.text[block[1]].strip()
    return f"{line[0]} " if line[0] in "-*+•" else PLAIN


def _prefix(lines: Lines, block: Block) -> str:
    line = lines.text[block[1]].rstrip("\r")
    at = len(line) - len(line.lstrip())
    prefix = line[: at + block[3]]
    number = _NUMBER.match(prefix, at)
    if number:
        counted = str(int(number[0]) + 1)
        prefix = prefix[:at] + counted + prefix[number.end() :]
    return prefix if prefix[-1:] in {" ", "\t", "、", "．"} else f"{prefix} "


def _most(told: list[str], match: object) -> bool:
    assert callable(match)
    return 2 * sum(1 for text in told if match(text)) > len(told)


def normalize_kind(kind: str) -> str:
    """A kind as it can stand in brackets: lower case, `note` where it is none."""
    kind = kind.strip().lower()
    return kind if kinds.match_exact_kind(kind) or re.fullmatch(r"[^\W\d][\w -]{1,23}", kind) else "note"


_FIELDS = {
    "text": ("description", "summary"),
    "title": ("name", "title"),
    "kind": ("type", "kind"),
    "tags": ("tags", "keywords"),
    "entities": ("entities",),
    "expires": ("expires", "expires_at"),
    "confidence": ("confidence",),
    "evidence": ("evidence",),
    "priority": ("priority",),
}
_MODIFIED = ("modified", "updated", "updatedAt", "lastUpdated")
_SUCCESSOR = ("superseded_by", "supersededBy")
_KEY_LENGTH = 80
_UNKEYED = frozenset("()（）,，;；~→<>")
_PLAIN = compile_pattern(r"[\w一-鿿(/][^\n\"'\[\]{}]*")
_KEY = compile_pattern(r"(\s*)([\"']?)([^:\"']+)\2\s*:(\s*)")


def change_document_fields(
    lines: Lines, first: int, end: int, entry: Entry, changes: Mapping[str, Any], now: float
) -> tuple[Piece, ...]:
    """The pieces that give a document's fields new values; `modified` follows where it is there."""
    values: dict[tuple[str, ...], str | None] = {}
    for name, value in changes.items():
        if name not in _FIELDS:
            raise RefusedError(_("Frontmatter has no place for this: {what}.").format(what=name))
        if value == getattr(entry, name, entry.extra.get(name)):
            continue
        values[_FIELDS[name]] = _said(name, value)
    if values:
        moment = datetime.fromtimestamp(now, UTC)
        stamp = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"
        for name in _MODIFIED:
            if _line(lines, first, end, (name,)) is not None:
                values[(name,)] = stamp
    return put(lines, first, end, values)


def mark_document(lines: Lines, first: int, end: int, status: Status, successor: str) -> tuple[Piece, ...]:
    """A document's status, and what replaces it; active again, both lines go."""
    name = format_successor(successor)
    return put(
        lines,
        first,
        end,
        {
            ("status",): None if status is Status.ACTIVE else status.value,
            _SUCCESSOR: name if status is Status.SUPERSEDED and name else None,
        },
    )


def format_successor(successor: str) -> str:
    """How a memory is named by what it gave way to: by its key, else by how its text begins."""
    word = successor.strip()
    return (
        derive_opening_name(word)
        if len(word) > _KEY_LENGTH or any(c in _UNKEYED or c.isspace() for c in word)
        else word
    )


def put(lines: Lines, first: int, end: int, values: Mapping[tuple[str, ...], str | None]) -> tuple[Piece, ...]:
    """Values for names (the first of each is written where none is there); None: its lines go."""
    pieces: list[Piece] = []
    new: list[str] = []
    for names, value in values.items():
        at = _line(lines, first, end, names)
        if at is None:
            if value is not None:
                new.append(f"{names[0]}: {quote_yaml_value(value)}\n")
            continue
        below = _below(lines, at, end)
        if value is None:
            pieces.append(Piece(lines.start(at), lines.start(below), b""))
            continue
        raw = lines.exact(at)
        key = _KEY.match(raw)
        assert key is not None
        old = raw[key.end() :].rstrip()
        if below == at + 1 and parse_scalar(old) == value:
            continue
        start = key.end() - len(key[4])
        single = below == at + 1
        stop = max(len(lines.exact(below - 1).rstrip()), start if single else 0)
        text = (key[4][:1] or " ") + _alike(old if single else "", value)
        pieces.append(Piece(lines.column(at, start), lines.column(below - 1, stop), lines.encoded(text)))
    if new:
        at = lines.start(end - 1)
        pieces.append(Piece(at, at, lines.encoded("".join(new))))
    return tuple(sorted(pieces, key=lambda piece: (piece.start, piece.end)))


def quote_yaml_value(value: str) -> str:
    """A value as every reader of YAML takes it: in quotes where anything in it could mean something else."""
    plain = _PLAIN.fullmatch(value) and ": " not in value and " #" not in value and value[-1] not in ": "
    words = {"true", "false", "null", "yes", "no", "on", "off", "~"}
    if plain and value.lower() not in words:
        return value
    return json.dumps(value, ensure_ascii=False)


def _alike(old: str, value: str) -> str:
    if old[:1] == '"':
        return json.dumps(value, ensure_ascii=False)
    if old[:1] == "'" and "\n" not in value:
        return "'" + value.replace("'", "''") + "'"
    return value if old[:1] == "[" and value[:1] == "[" else quote_yaml_value(value)


def _line(lines: Lines, first: int, end: int, names: tuple[str, ...]) -> int | None:
    """The line that gives one of these names a value, at the top or right under `metadata:`."""
    wanted = {name.lower() for name in names}
    inside = ""
    nested: int | None = None
    for at in range(first + 1, end - 1):
        raw = lines.raw(at)
        key = _KEY.match(raw)
        if key is None or not raw.strip():
            continue
        name = key[3].strip().lower()
        if not key[1]:
            inside = name
            if name in wanted:
                return at
        elif inside == "metadata" and name in wanted and nested is None:
            nested = at
    return nested


def _below(lines: Lines, at: int, end: int) -> int:
    """The line after a name's value, which may go on further in."""
    raw = lines.raw(at)
    indent = len(raw) - len(raw.lstrip())
    below = at + 1
    while below < end - 1:
        text = lines.raw(below)
        bare = text.lstrip()
        if bare and len(text) - len(bare) <= indent and not (bare[0] == "-" and bare[1:2] in {"", " "}):
            break
        below += 1
    while below > at + 1 and not lines.raw(below - 1).strip():
        below -= 1
    return below


def _said(name: str, value: Any) -> str | None:
    if not value and value != 0:
        return None
    if name in {"tags", "entities"}:
        return "[" + ", ".join(" ".join(str(word).replace(",", " ").split()) for word in value) + "]"
    if name == "expires":
        return format_item_expiry(float(value))
    if name == "confidence":
        return f"{float(value):g}"
    return " ".join(str(value).split())

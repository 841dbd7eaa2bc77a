"""The formats of memory files: bytes to entries with line spans, and entries back to the bytes that change.

Reading: `parse` calls the parser that a file's role names (`PARSERS`). A parser is pure, but for databases,
which SQLite must open by name; what is wrong in a file becomes a Problem. To add one, write `formats/<name>.py`
with `parse(source) -> Parsed` and one line in `PARSERS`.

Writing: a `Format` answers the pieces that add, change, mark or remove one memory in the style of its file; its
parser reads back what it writes. To add one, write its functions and one line in `FORMATS`.

Floor: above fs and llm, below layouts. Doors: `parse`, `format_named`, `Source`, `transcripts`.

`Source` is one file as a parser is given it: bytes that are not UTF-8 as text (GB18030, which editors on Chinese
systems still write, else byte by byte), the lines as spans count them, and what was odd about the bytes; secrets
masked in what others wrote, line for line, so that spans hold and JSON stays JSON. The file itself is never altered.
"""

from __future__ import annotations

import codecs
from functools import cached_property
from importlib import import_module

from memtui.core.model import PERISHABLE, Layer, Parsed, Problem, Role, Status
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, Protocol, cast, compile_pattern
from memtui.core.text import SURROGATE
from memtui.safety.sanitize import needs_secret_scan, redact_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from memtui.core.edits import Draft, Piece
    from memtui.core.model import Entry


_COMMON = compile_pattern(rb"[\xa1-\xf7][\xa1-\xfe]")
"""A character of GB 2312, the part of the standard in which people write."""


def decode_text(data: bytes) -> tuple[str, str]:
    """The text, and in what it was written: gb18030, or bytes where that is unknown (bad ones as lone surrogates)."""
    lenient = data.decode("utf-8", "surrogateescape")
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return lenient, "bytes"
    odd = len(text) - len(text.encode("ascii", "ignore"))
    bad = len(data) - len(lenient.encode("utf-8", "ignore"))
    good = len(lenient) - len(lenient.encode("ascii", "ignore")) - bad
    # Broken UTF-8 is mostly whole, and the accents of Western encodings stand alone between letters; a character
    # or two may be what a torn write left.
    if odd > 2 and bad > 2 * good and 10 * len(_COMMON.findall(data)) >= 9 * odd:
        return text, "gb18030"
    return lenient, "bytes"


_LONG = 1024 * 1024
_SINGLY = 8


def split_readable_lines(source: Source) -> tuple[list[str], list[Problem]]:
    """The lines, numbered as the file's own, and the problems. NUL bytes (a gap after a power loss, T22) are left out;
    lines that another program wrote on in UTF-16, as `>>` does on Windows, are read as such.

    Bytes that are no text become U+FFFD, so that whatever is made of the lines can be written anywhere.
    """
    text = source.text
    lines, wide = source.lines, source.wide
    problems: list[Problem] = []
    if "\0" in text and not source.masked:
        lines, wide = read_wide_lines(lines)
        text = "\n".join(lines)
    if wide:
        problems.append(Problem(source.path, wide[0] + 1, _WIDE.format(len(wide))))
    if "\0" in text:
        gaps = [(index, line.count("\0")) for index, line in enumerate(lines) if "\0" in line]
        lines = list(lines)
        for index, _ in gaps:
            lines[index] = lines[index].replace("\0", "")
        if len(gaps) > _SINGLY:
            gaps = [(gaps[0][0], sum(count for _index, count in gaps))]
        for index, count in gaps:
            problems.append(Problem(source.path, index + 1, f"{count:,} NUL byte{'s' * (count > 1)}"))
    if "\ufeff" in text:
        # Where a program put one file above another, the mark at the head of the lower one stands amid the text.
        lines = [line.removeprefix("\ufeff") if line.startswith("\ufeff#") else line for line in lines]
    if source.encoding == "bytes":
        lines = [line if line.isascii() else SURROGATE.sub("\ufffd", line) for line in lines]
    if source.cut:
        read = source.describe_cut()
        problems.append(Problem(source.path, len(lines), read))
    if len(text) > _LONG:
        problems += [
            Problem(source.path, index + 1, f"a line of {len(line):,} characters: shown shortened")
            for index, line in enumerate(lines)
            if len(line) > _LONG
        ][:16]
    return lines, problems


_WIDE = "lines in UTF-16 in a file in UTF-8: {:,}; other programs may not read them"


def read_wide_lines(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """The lines with those that are of UTF-16 read as such, and their numbers from 0: in most of them every other byte
    is NUL, and each of the others begins with what is left of the line end before it."""
    wide: list[int] = []
    read = list(lines)
    for index, line in enumerate(lines):
        if "\0" in line and (
            4 * line.count("\0") >= len(line) > _SINGLY or (wide[-1:] == [index - 1] and line[0] == "\0")
        ):
            raw = line.encode("utf-8", "surrogateescape").removeprefix(b"\0")
            text = raw.decode("utf-16-le", "replace").rstrip("\r\ufffd")
            if text.count("\0") * 4 < len(line):
                wide += [index] if text or index + 1 < len(lines) else []
                read[index] = text.replace("\n", " ")
    return read, wide


def report_undecoded(source: Source, known: Collection[int]) -> list[Problem]:
    """What is to be said of a text that is no UTF-8, whoever parsed it; `known` lines have a problem already."""
    if source.encoding == "gb18030":
        return [Problem(source.path, 0, "written in GB18030, not UTF-8: shown, but other programs may not read it")]
    if source.encoding != "bytes":
        return []
    bad = [
        index
        for index, line in enumerate(source.lines, 1)
        if index not in known and not line.isascii() and SURROGATE.search(line)
    ]
    more = f" (and {len(bad) - 1:,} more line{'s' * (len(bad) > 2)})" if len(bad) > 1 else ""
    return [Problem(source.path, bad[0], f"bytes that are not UTF-8{more}")] if bad else []


AFTERWARDS = frozenset({
    "memory-rows", "store-rows", "packed-rows", "claude-transcript", "codex-transcript", "gemini-transcript",
    "copilot-transcript",
})  # fmt: skip
"""Parsers whose entries are veiled once made: a database has no text before, of a transcript little is kept."""


def mask_text_secrets(text: str, data: bytes | None = None) -> str:
    """The text with its secrets masked; `data` are its bytes in UTF-8, where they are at hand."""
    if not needs_secret_scan(text.encode("utf-8", "surrogatepass") if data is None else data):
        return text
    # Only where something may be found: the rules cost more to load than most files to read.
    found = redact_text(text)
    if not found.secrets or text.lstrip()[:1] not in {"{", "["}:
        return found.text
    parts: list[str] = []
    done = 0
    for secret in found.secrets:
        mask = secret.mask
        if text[secret.start : secret.end].isdigit() and text[secret.start - 1 : secret.start] not in {
            '"',
            "\\",
        }:
            # A number in JSON: the mask must be a value, too.
            bare = text[max(0, secret.start - 40) : secret.start].rstrip()[-1:] in {":", ",", "["}
            mask = f'"{mask}"' if bare else mask
        parts += (text[done : secret.start], mask)
        done = secret.end
    parts.append(text[done:])
    return "".join(parts)


def mask_parsed_entries(parsed: Parsed, parser: str) -> Parsed:
    """The entries' own words veiled, where they were made of text that was not; and a database's text view."""
    for entry in parsed.entries:
        _mask_entry_secrets(entry)
    text = mask_text_secrets(parsed.text) if parser.endswith("-rows") else parsed.text
    return parsed._replace(title=mask_text_secrets(parsed.title), text=text)


def _mask_entry_secrets(entry: Entry) -> None:
    entry.text = mask_text_secrets(entry.text)
    if entry.title:
        entry.title = mask_text_secrets(entry.title)
    if entry.search is not None:
        entry.search = mask_text_secrets(entry.search)
    if entry.heading:
        entry.heading = tuple(map(mask_text_secrets, entry.heading))
    if entry.extra:
        entry.extra = {
            name: mask_text_secrets(value) if isinstance(value, str) else value for name, value in entry.extra.items()
        }


HEAD = 256 * 1024
"""Enough of a transcript to name it; its turns are read when somebody opens it."""


class Source:
    """What a parser gets. `text` has exactly the lines that spans count ('\\n' ends a line, nothing else does)."""

    def __init__(
        self,
        path: str,
        role: Role,
        data: bytes = b"",
        file: str = "",
        modified: float = 0.0,
        size: int = 0,
        *,
        masked: bool = False,
    ) -> None:
        self.path = path
        """Relative to the home, '/'-separated."""
        self.role = role
        self.data = data
        self.file = file
        """The absolute path, for parsers that must open the file themselves."""
        self.modified = modified
        self.size = size
        """The file's full size; greater than len(data) where only its head was read."""
        self.masked = masked
        """To be shown or indexed, not written: the secrets in it are masked."""
        self.bare = False
        """Whether they were looked for in all of its text, and there are none; known once there is `text`."""
        self.encoding = "utf-8"
        self.wide: list[int] = []
        """Numbers, from 0, of lines that are of UTF-16 in a text that is not; known once there is `text`."""

    @cached_property
    def text(self) -> str:
        """Decoded leniently: UTF-8 (a BOM is dropped), UTF-16 by its BOM, else as `decode_text` has it."""
        text = self._decode_data()
        if not self.masked or self.role.parser in AFTERWARDS:
            return text
        if "\0" in text and self.encoding in {"utf-8", "bytes"}:
            read, self.wide = read_wide_lines(text.split("\n"))
            text = "\n".join(read)
        known = self.encoding in {"utf-8", "bytes"} and not self.wide
        masked = mask_text_secrets(text, self.data if known else None)
        self.bare = masked == text and not self.wide
        return masked

    def _decode_data(self) -> str:
        if self.data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            self.encoding = "utf-16"
            return self.data.decode("utf-16", "replace")
        data = self.data.removeprefix(codecs.BOM_UTF8)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            text, self.encoding = decode_text(data)
            return text

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines without their '\\n' ('\\r' stays); a final newline adds no empty line."""
        lines = self.text.split("\n")
        if lines and not lines[-1]:
            lines.pop()
        return lines

    @property
    def cut(self) -> bool:
        """Whether the file is longer than what was read."""
        return self.size > len(self.data) > 0

    def describe_cut(self) -> str:
        """What is to be said of it where it is."""
        return f"only the first {len(self.data):,} of {self.size:,} bytes were read"


VERSION = 34
"""Changes whenever a parser, a layout or a rule for secrets would answer differently: indexes made with another one are
made anew."""

PARSERS: tuple[tuple[str, str], ...] = (
    ("markdown", "memtui.formats.markdown:parse"),
    ("journal", "memtui.formats.journal:parse"),
    ("session", "memtui.formats.session_files:parse_session"),
    ("index", "memtui.formats.session_files:parse"),
    ("report", "memtui.formats.session_files:parse_report"),
    ("facts", "memtui.formats.facts:parse"),
    ("events", "memtui.formats.jsonl:parse_events"),
    ("json", "memtui.formats.records:parse"),
    ("jsonl", "memtui.formats.jsonl:parse"),
    ("daily-jsonl", "memtui.formats.daily_records:parse"),
    ("memories-json", "memtui.formats.memory_rows:parse_json"),
    ("memory-rows", "memtui.formats.memory_rows:parse"),
    ("claude-transcript", "memtui.formats.transcript_claude:parse"),
    ("codex-transcript", "memtui.formats.transcript_codex:parse"),
    ("store-rows", "memtui.formats.store_rows:parse"),
    ("packed-rows", "memtui.formats.store_rows:parse_packed"),
    ("notes", "memtui.formats.topic:parse_notes"),
    ("gemini-transcript", "memtui.formats.transcript_logs:parse_gemini"),
    ("copilot-transcript", "memtui.formats.transcript_logs:parse_copilot"),
    ("opencode-session", "memtui.formats.transcript_logs:parse_opencode"),
)
"""Name -> module:function, imported when first used: a command that meets no database never loads SQLite."""

_loaded: dict[str, Callable[[Source], Parsed]] = {}


def load_parser(name: str) -> Callable[[Source], Parsed]:
    """The function for a parser's name. Raises KeyError for a name that is not in `PARSERS`."""
    found = _loaded.get(name)
    if found is None:
        module, _, function = dict(PARSERS)[name].partition(":")
        found = _loaded[name] = getattr(import_module(module), function)
    return found


def parse(source: Source) -> Parsed:
    """Read one file as its role says. Never raises for what stands in the file: that becomes a Problem."""
    try:
        found = load_parser(source.role.parser)(source)
    except (
        ValueError,
        RecursionError,
        OverflowError,
        KeyError,
        IndexError,
        TypeError,
        AttributeError,
    ) as error:
        reason = f"could not be understood as {source.role.parser}: {str(error) or type(error).__name__}"
        return Parsed(source.text, [], [Problem(source.path, 0, reason)])
    if source.role.shipped:
        from memtui.formats.stock import mark_stock

        role = source.role
        rules = role.kind == "rule" and bool(role.project)
        mark_stock(found.entries, source.lines, profile=role.layer is Layer.PROFILE, rules=rules)
    if source.role.status is not Status.ACTIVE:
        for entry in found.entries:
            if entry.status in PERISHABLE:
                entry.status = source.role.status
    if source.masked and source.role.parser in AFTERWARDS:
        found = mask_parsed_entries(found, source.role.parser)
    if source.encoding not in {"utf-8", "utf-16"}:
        found.problems.extend(report_undecoded(source, {problem.line for problem in found.problems}))
    return found


class Added(NamedTuple):
    """What adding a draft writes."""

    pieces: tuple[Piece, ...]
    key: str = ""
    """The home's own id of the new memory, where the format has ids."""


class AppendRecord(NamedTuple):
    """What an append-only file gets at its end."""

    text: str
    """Without the last newline."""
    key: str = ""
    header: str = ""
    """What a file that did not exist begins with."""


class Format(Protocol):
    """How one file format writes. A module with these functions; each raises RefusedError for what it cannot say.

    `data` is the whole file (empty: it does not exist or is empty), `entry` what its parser found in just these bytes,
    `now` seconds since the epoch. Nothing outside the pieces changes; new lines end as the file's lines do.
    """

    def add(self, data: bytes, draft: Draft, now: float, path: str) -> Added:
        """A new memory, under the draft's section, which is made where it is missing."""

    def record(self, draft: Draft, now: float, path: str) -> AppendRecord:
        """The same for an append-only file."""

    def change(self, data: bytes, entry: Entry, changes: Mapping[str, Any], now: float) -> tuple[Piece, ...]:
        """New values for fields of the entry: text, kind, tags, entities, expires, confidence, evidence, title."""

    def mark(
        self,
        data: bytes,
        entry: Entry,
        status: Status,
        now: float,
        *,
        successor: str = "",
        alone: bool = True,
    ) -> tuple[Piece, ...]:
        """Another status, in the format's own way; `successor` is the key or text of what replaces it.

        Not `alone`: whoever puts several marks together reads once what they make, so this need not.
        """

    def remove(self, data: bytes, entry: Entry) -> tuple[Piece, ...]:
        """The entry's own lines go, and nothing else."""


FORMATS: tuple[tuple[str, str], ...] = (
    ("markdown", "memtui.formats.markdown_write"),
    ("journal", "memtui.formats.journal"),
    ("hours", "memtui.formats.hours"),
    ("topic", "memtui.formats.topic"),
    ("facts", "memtui.formats.facts"),
    ("daily-jsonl", "memtui.formats.daily_records"),
    ("memories-json", "memtui.formats.memories_json"),
)
"""Name (as in `Target.format`; the parser's where one writes what it reads) -> module."""


def format_named(name: str) -> Format:
    """The format of that name. Raises KeyError for one that nothing is written in."""
    return cast("Format", import_module(dict(FORMATS)[name]))

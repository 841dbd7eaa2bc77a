"""The formats of memory files: bytes to entries with line spans, and entries back to the bytes that change.

Reading: `parse` calls the parser that a file's role names (`PARSERS`). A parser is pure, but for databases,
which SQLite must open by name; what is wrong in a file becomes a Problem. To add one, write `formats/<name>.py`
with `parse(source) -> Parsed` and one line in `PARSERS`.

Writing: a `Format` answers the pieces that add, change, mark or remove one memory in the style of its file; its
parser reads back what it writes. To add one, write its functions and one line in `FORMATS`.

Floor: above fs and llm, below layouts. Doors: `parse`, `format_named`, `source.Source`, `transcripts`.
"""

from __future__ import annotations

from importlib import import_module

from memtui.core.model import PERISHABLE, Layer, Parsed, Problem, Status
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, Protocol, cast
from memtui.formats.source import AFTERWARDS, mask_parsed_entries, report_undecoded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memtui.core.edits import Draft, Piece
    from memtui.core.model import Entry
    from memtui.formats.source import Source

VERSION = 18
"""Changes whenever a parser or a layout would answer differently: indexes made with another one are made anew."""

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

        mark_stock(found.entries, source.lines, profile=source.role.layer is Layer.PROFILE)
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
        reason: str = "",
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

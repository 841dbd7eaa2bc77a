"""Bytes -> entries with line spans. Pure but for databases, which SQLite must open by name.

To add a file format, write `parse/<name>.py` with `parse(source) -> Parsed` and one line in `PARSERS`.
"""

from __future__ import annotations

from importlib import import_module

from memtui.model import PERISHABLE, Layer, Parsed, Problem, Status
from memtui.parse.veil import AFTERWARDS, veil
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.parse.source import Source

VERSION = 15
"""Changes whenever a parser or a layout would answer differently: indexes made with another one are made anew."""

PARSERS: tuple[tuple[str, str], ...] = (
    ("markdown", "memtui.parse.markdown:parse"),
    ("journal", "memtui.parse.journal:parse"),
    ("session", "memtui.parse.session:parse"),
    ("index", "memtui.parse.index_table:parse"),
    ("report", "memtui.parse.report:parse"),
    ("facts", "memtui.parse.facts:parse"),
    ("events", "memtui.parse.events:parse"),
    ("json", "memtui.parse.json_any:parse"),
    ("jsonl", "memtui.parse.jsonl:parse"),
    ("daily-jsonl", "memtui.parse.daily_records:parse"),
    ("memories-json", "memtui.parse.openakita:parse_json"),
    ("openakita", "memtui.parse.openakita:parse"),
    ("claude-transcript", "memtui.parse.transcript_claude:parse"),
    ("codex-transcript", "memtui.parse.transcript_codex:parse"),
)
"""Name -> module:function, imported when first used: a command that meets no database never loads SQLite."""

_loaded: dict[str, Callable[[Source], Parsed]] = {}


def parser(name: str) -> Callable[[Source], Parsed]:
    """The function for a parser's name. Raises KeyError for a name that is not in `PARSERS`."""
    found = _loaded.get(name)
    if found is None:
        module, _, function = dict(PARSERS)[name].partition(":")
        found = _loaded[name] = getattr(import_module(module), function)
    return found


def parse(source: Source) -> Parsed:
    """Read one file as its role says. Never raises for what stands in the file: that becomes a Problem."""
    try:
        found = parser(source.role.parser)(source)
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
        from memtui.parse.stock import mark_stock

        mark_stock(found.entries, source.lines, profile=source.role.layer is Layer.PROFILE)
    if source.role.status is not Status.ACTIVE:
        for entry in found.entries:
            if entry.status in PERISHABLE:
                entry.status = source.role.status
    if source.masked and source.role.parser in AFTERWARDS:
        found = veil(found, source.role.parser)
    if source.encoding not in {"utf-8", "utf-16"}:
        from memtui.parse.lines import undecoded

        found.problems.extend(undecoded(source, {problem.line for problem in found.problems}))
    return found

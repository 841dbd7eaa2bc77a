"""OpenAkita's database (spec 003) as memories, through a text view: line n of `Parsed.text` is a header or one row.

Columns are taken by introspection, so schemas from v1 to newer than known all show what they have; type and priority
are compared in any case. What upstream hides (scopes legacy_quarantine, pending_consolidation) shows as candidates.
"""

from __future__ import annotations

import zlib

from memtui import clock
from memtui.errors import UnavailableError
from memtui.model import Entry, Parsed, Problem, Status
from memtui.parse import openakita_rows
from memtui.parse.fields import plain
from memtui.parse.json_reader import Reader
from memtui.parse.sqlite import count, database, rows, said, tables
from memtui.record import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw

    from memtui.parse.source import Source

MOST_ROWS = 500_000
LONGEST_ROW = 4000

_TABLES: tuple[tuple[str, Callable[[dict[str, Any], int, int], Entry | None]], ...] = (
    ("memories", openakita_rows.memory),
    ("episodes", openakita_rows.episode),
    ("scratchpad", openakita_rows.scratchpad),
    ("extraction_queue", openakita_rows.queued),
    ("attachments", openakita_rows.attachment),
)
_UNUSED = frozenset({"embedding", "content_zlib", "patch_zlib"})


class _View:
    """The text view as it grows."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.lines: list[str] = []
        self.entries: list[Entry] = []
        self.problems: list[Problem] = []

    def read(self, connection: apsw.Connection, have: dict[str, list[str]]) -> None:
        """Every table that holds memories, one after the other; a damaged one costs its own rest only."""
        import apsw

        for table, made in _TABLES:
            if table not in have:
                continue
            self.lines.append(f"# {table}")
            header = len(self.lines)
            try:
                self._rows(connection, table, have[table], made)
            except apsw.Error as error:
                self.problems.append(Problem(self.path, header, f"{table}: {said(error)}"))

    def _rows(
        self,
        connection: apsw.Connection,
        table: str,
        columns: list[str],
        made: Callable[[dict[str, Any], int, int], Entry | None],
    ) -> None:
        wanted = [column for column in columns if column.lower() not in _UNUSED]
        if not wanted:
            return
        for row in rows(connection, table, wanted):
            if len(self.lines) >= MOST_ROWS:
                self.problems.append(Problem(self.path, 0, f"only the first {MOST_ROWS:,} rows were read"))
                return
            at = len(self.lines) + 1
            entry = made(row, at, at)
            if entry is not None:
                self.lines.append(_line(entry))
                self.entries.append(entry)

    def count_turns(self, connection: apsw.Connection, columns: list[str]) -> None:
        """Conversation turns are no memories: they are counted, and each session is told how many it had."""
        import apsw

        grouped = "session_id" in (column.lower() for column in columns)
        try:
            counted = count(connection, "conversation_turns", "session_id" if grouped else "")
        except apsw.Error as error:
            self.problems.append(Problem(self.path, 0, f"conversation_turns: {said(error)}"))
            return
        self.lines.append(f"# conversation_turns: {sum(counted.values()):,} rows, not listed")
        for entry in self.entries:
            if entry.kind == "session" and entry.session in counted:
                entry.extra = {**entry.extra, "turns": counted[entry.session]}


def _line(entry: Entry) -> str:
    """A row of the text view: the kind, the words, the tags and what else is known; on one line whatever it holds."""
    words = entry.text if not entry.title else f"{entry.title}: {entry.text}"
    text = " ⏎ ".join(part for part in words[: LONGEST_ROW * 2].splitlines() if part.strip())
    if len(text) > LONGEST_ROW:
        text = f"{text[:LONGEST_ROW]}…"
    tags = "".join(f" #{tag}" for tag in entry.tags)
    known = [f"id {entry.key}"] if entry.key else []
    if entry.status is not Status.ACTIVE:
        known.append(f"superseded by {entry.superseded_by}" if entry.superseded_by else entry.status.value)
    for name, moment in (("", entry.updated or entry.created), ("expires ", entry.expires)):
        if moment is not None:
            known.append(name + clock.local(moment).strftime("%Y-%m-%d %H:%M"))
    aside = f" ({', '.join(known)})" if known else ""
    return f"- [{entry.kind}] {text}{tags}{aside}"


def _checksum(entries: list[Entry]) -> str:
    """A number that changes with anything a row says: the view's bytes tell the index whether to look again."""
    number = 0
    for entry in entries:
        number = zlib.crc32(repr(entry).encode("utf-8", "replace"), number)
    return f"# {len(entries):,} rows, checksum {number:08x}"


def parse(source: Source) -> Parsed:
    """The memories, episodes, working memory, queue and attachments of one database, opened read-only."""
    import apsw

    view = _View(source.path)
    try:
        with database(source.file) as connection:
            have = tables(connection)
            view.read(connection, have)
            if "conversation_turns" in have:
                view.count_turns(connection, have["conversation_turns"])
            if not have.keys() & {name for name, _ in _TABLES}:
                view.problems.append(Problem(source.path, 0, "no tables with memories in this database"))
            view.lines.append(_checksum(view.entries))
    except (UnavailableError, OSError) as error:
        view.problems.append(Problem(source.path, 0, str(error)))
    except apsw.Error as error:
        view.problems.append(Problem(source.path, 0, said(error)))
    return Parsed("".join(f"{line}\n" for line in view.lines), view.entries, view.problems)


def parse_json(source: Source) -> Parsed:
    """`memories.json` of v1: the same records as the table, as an array or under `memories`."""
    reader = Reader(source.text, source.path)
    entries: list[Entry | None] = []
    char = reader.peek()
    if char == "[":
        entries += [_record(item.value, item.start, item.end) for item in reader.items()]
    elif char == "{":
        for key in reader.members():
            if reader.peek() == "[":
                entries += [_record(item.value, item.start, item.end) for item in reader.items()]
            elif reader.peek() == "{":
                item = reader.value()
                if item is not None and key == "memories":
                    keyed = (
                        {"id": name, **value} for name, value in item.value.items() if isinstance(value, dict)
                    )
                    entries += [_record(value, item.start, item.end) for value in keyed]
                elif item is not None:
                    entries.append(_record({"id": key, **item.value}, item.start, item.end))
    elif char:
        reader.fault("no memories: neither an object nor an array", 0)
        reader.pos = len(reader.text)
    reader.end()
    if source.cut:
        reader.fault(f"only the first {len(source.data):,} of {source.size:,} bytes were read", 0)
    return Parsed(source.text, [entry for entry in entries if entry is not None], reader.problems)


def _record(value: Any, start: int, end: int) -> Entry | None:
    if isinstance(value, dict):
        return openakita_rows.memory(value, start, end)
    return openakita_rows.memory({"content": value}, start, end) if plain(value).strip() else None

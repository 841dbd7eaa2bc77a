"""OpenAkita's database (spec 003) as memories, and the values that a changed memory has in its row.

Reading: `parse` makes a text view, in which line n of `Parsed.text` is a header or one row. Columns are taken
by introspection, so that schemas from v1 to newer than known show what they have; type and priority are
compared in any case. What upstream hides (scopes legacy_quarantine, pending_consolidation) shows as candidates.

Writing: new values in the columns' own types and words. Upstream leaves out what has `superseded_by` or is past
`expires_at`, and its retention removes what expired, so what is archived or deleted here gets a mark of ours in
`superseded_by`: kept, out of the agent's sight, and restorable.
"""

from __future__ import annotations

import json
import secrets
import zlib

import apsw

from memtui.core import clock
from memtui.core.edits import RowEdit
from memtui.core.errors import RefusedError, UnavailableError
from memtui.core.locale import _
from memtui.core.model import Entry, Layer, Parsed, Problem, Status
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.formats.json_spans import JsonReader
from memtui.formats.records import (
    build_search_text,
    collect_unread_fields,
    decode_nested_json,
    derive_record_status,
    find_first_text,
    fit_line,
    format_json_value,
    parse_end_moment,
    parse_moment,
    parse_number,
    parse_word_list,
    shorten_value,
)
from memtui.fs import database_rows
from memtui.fs.database_rows import count, format_sqlite_error, iterate_rows, list_tables, open_read_only

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memtui.core.edits import Draft, Value
    from memtui.formats import Source

KINDS = {
    "fact": "fact",
    "preference": "pref",
    "persona_trait": "pref",
    "rule": "rule",
    "error": "lesson",
    "skill": "skill",
    "experience": "experience",
    "context": "note",
}
MARKS = {"memtui:archived": Status.ARCHIVED, "memtui:deleted": Status.DELETED}
"""What memtui writes as the successor of a row that has none and is not to be shown to agents any more; an attachment,
which knows no successor, gets it as a tag."""
_HIDDEN = frozenset({"legacy_quarantine", "pending_consolidation"})
_DONE = frozenset({"done", "completed", "processed", "success"})
_JSON = frozenset({"metadata", "action_nodes", "tools_used", "linked_memory_ids"})

_MEMORY = frozenset({
    "id", "content", "importance_score", "importance", "tags", "created_at", "updated_at", "expires_at", "confidence",
    "superseded_by", "source", "entities", "type",
})  # fmt: skip
_EPISODE = frozenset({
    "id", "session_id", "summary", "goal", "started_at", "ended_at", "entities", "tags", "importance_score", "source",
})  # fmt: skip


def _extra(row: Mapping[str, Any], taken: frozenset[str]) -> dict[str, Any]:
    """The other columns that say something, JSON columns decoded."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        if key in taken or value in (None, "", "[]", "{}"):
            continue
        decoded = decode_nested_json(value) if key in _JSON else None
        found[key] = format_json_value(value) if isinstance(value, bytes) else value if decoded is None else decoded
    return found


def parse_memory_row(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """A semantic memory; None where it has no words."""
    text = shorten_value(row.get("content"))
    if not text:
        return None
    named = _named(row)
    kind = map_memory_kind(row)
    extra = _extra(row, _MEMORY)
    if KINDS.get(named) != named and named:
        extra["type"] = row["type"]
    tags, entities = parse_word_list(row.get("tags")), parse_word_list(row.get("entities"))
    about = [fit_line(row.get(key, "")) for key in ("subject", "predicate")]
    made = Entry(
        text=text,
        start=start,
        end=end,
        kind=kind,
        layer=Layer.KNOWLEDGE,
        status=_status(row),
        created=parse_moment(row.get("created_at")),
        updated=parse_moment(row.get("updated_at")),
        expires=parse_end_moment(row.get("expires_at")),
        confidence=parse_number(row.get("confidence")),
        importance=parse_number(row.get("importance_score", row.get("importance"))),
        tags=tags,
        entities=entities,
        source=fit_line(row.get("source", "")),
        key=fit_line(row.get("id", "")),
        superseded_by="" if _marked(row) else fit_line(row.get("superseded_by", "")),
        search=build_search_text(text, " ".join(filter(None, about)), tags, entities),
        extra=extra,
    )
    made.extra = {**extra, **collect_unread_fields(made, row)}
    return made


def _named(row: Mapping[str, Any]) -> str:
    return fit_line(row.get("type", "")).lower()


def map_memory_kind(row: Mapping[str, Any]) -> str:
    """The kind that a memory's type means."""
    named = _named(row)
    return KINDS.get(named, named if named.isidentifier() else "fact")


def _marked(row: Mapping[str, Any]) -> Status | None:
    successor = row.get("superseded_by")
    return MARKS.get(successor) if isinstance(successor, str) else None


def _status(row: Mapping[str, Any]) -> Status:
    status, scope = _marked(row) or derive_record_status(row), row.get("scope")
    hidden = isinstance(scope, str) and scope.lower() in _HIDDEN
    return Status.CANDIDATE if hidden and status is Status.ACTIVE else status


def parse_episode_row(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """One session's summary: its goal is the title."""
    goal, text = shorten_value(row.get("goal")), shorten_value(row.get("summary"))
    if not text and not goal:
        return None
    extra = _extra(row, _EPISODE)
    tools = parse_word_list(extra.get("tools_used"))
    tags, entities = parse_word_list(row.get("tags")), parse_word_list(row.get("entities"))
    return Entry(
        text=text or goal,
        start=start,
        end=end,
        kind="session",
        layer=Layer.SESSION,
        title=fit_line(goal) if text else "",
        created=parse_moment(row.get("started_at")),
        updated=parse_moment(row.get("ended_at")),
        importance=parse_number(row.get("importance_score")),
        tags=tags,
        entities=entities,
        session=fit_line(row.get("session_id", "")),
        source=fit_line(row.get("source", "")),
        key=fit_line(row.get("id", "")),
        search=build_search_text(text, goal, tags, entities, tools),
        extra=extra,
    )


def parse_scratchpad_row(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """Working memory: the current task, and what else is written beside it."""
    focus = shorten_value(row.get("current_focus"))
    content = shorten_value(row.get("content"))
    # The program writes the task and what was done lately into `content` as well.
    parts = [focus if focus not in content else "", content]
    for key in ("active_projects", "open_questions", "next_steps"):
        listed = [one for one in parse_word_list(row.get(key)) if one not in content]
        if listed:
            parts.append(f"{key.replace('_', ' ').removeprefix('active ')}: {'; '.join(listed)}")
    text = "\n".join(dict.fromkeys(part for part in parts if part))
    if not text:
        return None
    return Entry(
        text=text,
        start=start,
        end=end,
        kind="scratchpad",
        layer=Layer.SESSION,
        title=fit_line(focus) if focus != text else "",
        updated=parse_moment(row.get("updated_at")),
        key=fit_line(row.get("user_id", "")),
        search=text,
    )


def parse_queued_row(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """A turn that waits to be distilled; None for one that was."""
    status = fit_line(row.get("status", "pending")).lower()
    text = shorten_value(row.get("content"))
    if not text or status in _DONE:
        return None
    taken = frozenset({"id", "session_id", "content", "created_at", "last_attempted_at"})
    return Entry(
        text=text,
        start=start,
        end=end,
        kind="queue",
        layer=Layer.SESSION,
        created=parse_moment(row.get("created_at")),
        updated=parse_moment(row.get("last_attempted_at")),
        session=fit_line(row.get("session_id", "")),
        key=f"queue-{fit_line(row['id'])}" if row.get("id") is not None else "",
        search=text,
        extra=_extra(row, taken),
    )


def parse_attachment_row(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """A file or a picture, by what was said or read in it."""
    name = find_first_text(row, "original_filename", "filename", "local_path", "url")
    parts = [shorten_value(row.get(key)) for key in ("description", "transcription", "extracted_text")]
    text = "\n".join(dict.fromkeys(part for part in parts if part)) or name
    if not text:
        return None
    said = parse_word_list(row.get("tags"))
    tags = tuple(tag for tag in said if tag not in MARKS)
    taken = frozenset({
        "id", "session_id", "description", "transcription", "extracted_text", "tags", "created_at", "expires_at",
    })  # fmt: skip
    return Entry(
        text=text,
        start=start,
        end=end,
        kind="attachment",
        layer=Layer.KNOWLEDGE,
        status=next((MARKS[tag] for tag in said if tag in MARKS), Status.ACTIVE),
        title=fit_line(name) if name != text else "",
        created=parse_moment(row.get("created_at")),
        expires=parse_end_moment(row.get("expires_at")),
        tags=tags,
        session=fit_line(row.get("session_id", "")),
        key=fit_line(row.get("id", "")),
        search=build_search_text(text, name, tags),
        extra=_extra(row, taken),
    )


_NODE = frozenset({
    "id", "content", "occurred_at", "updated_at", "created_at", "valid_until", "entities", "importance", "confidence",
    "session_id", "node_type",
})  # fmt: skip


def parse_node_row(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """A node of the relational memory: what happened, or was found, with what it is about. Only read."""
    text = shorten_value(row.get("content"))
    if not text:
        return None
    entities = parse_word_list(row.get("entities"))
    named = fit_line(row.get("node_type", "")).lower()
    return Entry(
        text=text,
        start=start,
        end=end,
        kind=named if named.isidentifier() else "event",
        layer=Layer.SESSION,
        created=parse_moment(row.get("occurred_at") or row.get("created_at")),
        updated=parse_moment(row.get("updated_at")),
        expires=parse_end_moment(row.get("valid_until")),
        confidence=parse_number(row.get("confidence")),
        importance=parse_number(row.get("importance")),
        entities=entities,
        session=fit_line(row.get("session_id", "")),
        key=fit_line(row.get("id", "")),
        search=build_search_text(text, fit_line(row.get("goal", "")), (), entities),
        extra=_extra(row, _NODE),
    )


def link_nodes(entries: Iterable[Entry], edges: Iterable[Mapping[str, Any]]) -> None:
    """Tell each node of the relational memory what it is tied to, and how: 'causes: the import was slow'."""
    nodes = {entry.key: entry for entry in entries if entry.key}
    tied: dict[str, list[str]] = {}
    for edge in edges:
        one, two = (nodes.get(fit_line(edge.get(name, ""))) for name in ("source_id", "target_id"))
        if one is not None and two is not None and len(tied.setdefault(one.key, [])) < _TIES:
            tied[one.key].append(f"{fit_line(edge.get('edge_type', ''))}: {two.text[:_TOLD]}")
    for key, told in tied.items():
        nodes[key].extra = {**nodes[key].extra, "leads to": told}


if TYPE_CHECKING:
    RowReader = Callable[[dict[str, Any], int, int], Entry | None]

_TIES, _TOLD = 20, 120
MOST_ROWS = 500_000
LONGEST_ROW = 4000

_TABLES: tuple[tuple[str, RowReader], ...] = (
    ("memories", parse_memory_row),
    ("episodes", parse_episode_row),
    ("scratchpad", parse_scratchpad_row),
    ("extraction_queue", parse_queued_row),
    ("attachments", parse_attachment_row),
    ("mdrm_nodes", parse_node_row),
)
_UNUSED = frozenset({"embedding", "content_zlib", "patch_zlib"})


class RowsView:
    """The text view of a database as it grows; `tables`: what holds memories, and what makes one of a row."""

    def __init__(self, path: str, tables: Sequence[tuple[str, RowReader]]) -> None:
        self.path = path
        self.tables = tables
        self.lines: list[str] = []
        self.entries: list[Entry] = []
        self.problems: list[Problem] = []

    def read(self, connection: apsw.Connection, have: dict[str, list[str]]) -> None:
        """Every table that holds memories, one after the other; a damaged one costs its own rest only."""
        for table, made in self.tables:
            if table not in have:
                continue
            self.lines.append(f"# {table}")
            header = len(self.lines)
            try:
                self._rows(connection, table, have[table], made)
            except apsw.Error as error:
                self.problems.append(Problem(self.path, header, f"{table}: {format_sqlite_error(error)}"))

    def _rows(
        self,
        connection: apsw.Connection,
        table: str,
        columns: list[str],
        made: RowReader,
    ) -> None:
        wanted = [column for column in columns if column.lower() not in _UNUSED]
        if not wanted:
            return
        for row in iterate_rows(connection, table, wanted):
            if len(self.lines) >= MOST_ROWS:
                self.problems.append(Problem(self.path, 0, f"only the first {MOST_ROWS:,} rows were read"))
                return
            self.add_row(made, row)

    def add_row(self, made: RowReader, row: dict[str, Any]) -> None:
        """A line of the view for what a row says, if it says anything."""
        at = len(self.lines) + 1
        entry = made(row, at, at)
        if entry is not None:
            self.lines.append(_line(entry))
            self.entries.append(entry)

    def count_turns(self, connection: apsw.Connection, columns: list[str]) -> None:
        """Conversation turns are no memories: they are counted, and each session is told how many it had."""
        grouped = "session_id" in (column.lower() for column in columns)
        try:
            counted = count(connection, "conversation_turns", "session_id" if grouped else "")
        except apsw.Error as error:
            self.problems.append(Problem(self.path, 0, f"conversation_turns: {format_sqlite_error(error)}"))
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
            known.append(name + clock.format_minute(moment))
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
    return parse_tables(source, _TABLES, _relate)


def _relate(view: RowsView, connection: apsw.Connection, have: dict[str, list[str]]) -> None:
    if "mdrm_edges" in have:
        nodes = [entry for entry in view.entries if entry.key and entry.layer is Layer.SESSION]
        link_nodes(nodes, iterate_rows(connection, "mdrm_edges", have["mdrm_edges"]))
    if "conversation_turns" in have:
        view.count_turns(connection, have["conversation_turns"])


def parse_tables(
    source: Source,
    tables: Sequence[tuple[str, RowReader]],
    finish: Callable[[RowsView, apsw.Connection, dict[str, list[str]]], None],
) -> Parsed:
    """The rows of these tables as memories, read without a trace; `finish` sees them before they are numbered."""
    view = RowsView(source.path, tables)
    try:
        with open_read_only(source.file) as connection:
            have = list_tables(connection)
            view.read(connection, have)
            finish(view, connection, have)
            if not have.keys() & {name for name, _ in tables}:
                view.problems.append(Problem(source.path, 0, "no tables with memories in this database"))
            view.lines.append(_checksum(view.entries))
    except (UnavailableError, OSError) as error:
        view.problems.append(Problem(source.path, 0, str(error)))
    except apsw.Error as error:
        view.problems.append(Problem(source.path, 0, format_sqlite_error(error)))
    return Parsed("".join(f"{line}\n" for line in view.lines), view.entries, view.problems)


def parse_json(source: Source) -> Parsed:
    """`memories.json` of v1: the same records as the table, as an array or under `memories`."""
    reader = JsonReader(source.text, source.path)
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
                    keyed = ({"id": name, **value} for name, value in item.value.items() if isinstance(value, dict))
                    entries += [_record(value, item.start, item.end) for value in keyed]
                elif item is not None:
                    entries.append(_record({"id": key, **item.value}, item.start, item.end))
    elif char:
        reader.fault("no memories: neither an object nor an array", 0)
        reader.pos = len(reader.text)
    reader.end()
    if source.cut:
        reader.fault(source.describe_cut(), 0)
    return Parsed(source.text, [entry for entry in entries if entry is not None], reader.problems)


def _record(value: Any, start: int, end: int) -> Entry | None:
    if isinstance(value, dict):
        return parse_memory_row(value, start, end)
    return parse_memory_row({"content": value}, start, end) if format_json_value(value).strip() else None


TABLE = "memories"
_SHARED = ("scope", "scope_owner", "agent_id", "user_id", "workspace_id")
COLUMNS = {
    "text": "content", "kind": "type", "tags": "tags", "expires": "expires_at", "confidence": "confidence",
    "importance": "importance_score", "priority": "priority",
}  # fmt: skip


USER = "用户"
"""The subject by which the program calls its person."""
_OF_USER = compile_pattern(r"(?i)\s*(?:用户|the user\b|user\b)")
TASK_TAGS = frozenset({"task", "任务"})
"""Of a rule that holds for the task at hand alone."""
_DAY = 86400.0
_AWHILE = 60.0
"""Seconds that a duration may have grown old between its being said and its being written."""


def choose_priority(expires: float | None, now: float) -> str:
    """The priority that belongs to a duration (spec 003): a day is transient, three are short, more is long.

    What expires by itself does so whatever its priority is; but only short-term rows fade, and transient ones go at
    the end of their session.
    """
    if expires is None:
        return "permanent"
    lasts = expires - now - _AWHILE
    return "transient" if lasts <= _DAY else "short_term" if lasts <= 3 * _DAY else "long_term"


def build_row_insert(home: str, path: str, draft: Draft, now: float, model: Mapping[str, Value]) -> RowEdit:
    """A new row; `model` is one that stands there and says whose memory it is, or only the names of the columns."""
    expires = draft.expires
    tasks = draft.kind == "rule" and not TASK_TAGS.isdisjoint(tag.lower() for tag in draft.tags)
    if expires is None and not draft.lasting and (tasks or draft.kind == "lesson"):
        # Spec 003: where nobody says how long, a lesson stays a week, and a rule of the task at hand a day.
        expires = now + (_DAY if tasks else 7 * _DAY)
    made: dict[str, Value] = {
        "content": _whole(draft.text),
        "type": name_memory_type(draft.kind),
        "priority": choose_priority(expires, now),
        "source": draft.source or "memtui",
        "tags": json.dumps(list(draft.tags), ensure_ascii=False),
        "created_at": _naive(now),
        "updated_at": _naive(now),
        "expires_at": None if expires is None else _naive(expires),
        "confidence": draft.confidence,
    }
    made |= {name: model[name] for name in _SHARED if model.get(name) is not None}
    if draft.confidence is None:
        del made["confidence"]
    if draft.kind == "pref" or _OF_USER.match(draft.text):
        # By it alone the program knows what belongs in USER.md.
        made["subject"] = USER
    key = draft.key or secrets.token_hex(4)
    return RowEdit(home, path, TABLE, key, None, {name: value for name, value in made.items() if name in model})


def build_row_update(home: str, path: str, row: Mapping[str, Value], changes: Mapping[str, Any], now: float) -> RowEdit:
    """New values for the fields of the memory in this row."""
    after: dict[str, Value] = {}
    for field, value in changes.items():
        name = COLUMNS.get(field)
        if name is None:
            raise RefusedError(_("OpenAkita's memories have no “{field}”.").format(field=field))
        if field == "tags":
            if parse_word_list(row.get(name)) != tuple(value):
                after[name] = json.dumps(list(value), ensure_ascii=False)
        elif field == "kind":
            if map_memory_kind(row) != value:
                after[name] = name_memory_type(value)
        elif field == "expires":
            after[name] = None if value is None else _naive(value)
            priority = choose_priority(value, now)
            if "priority" in row and str(row["priority"]).lower() != priority:
                after["priority"] = priority
        else:
            after[name] = _whole(value) if isinstance(value, str) else value
    return _set(home, path, row, after, now)


def build_row_status(
    home: str, path: str, row: Mapping[str, Value], status: Status, now: float, *, successor: str = ""
) -> RowEdit:
    """Another status, as `superseded_by` can say it."""
    marks = {status: mark for mark, status in MARKS.items()}
    if status not in {Status.ACTIVE, Status.SUPERSEDED, *marks} or (status is Status.SUPERSEDED and not successor):
        raise RefusedError(_("OpenAkita's memories cannot be marked {status}.").format(status=status.value))
    mark = None if status is Status.ACTIVE else marks.get(status, successor)
    return _set(home, path, row, {"superseded_by": mark}, now)


def _set(home: str, path: str, row: Mapping[str, Value], after: dict[str, Value], now: float) -> RowEdit:
    for name in after:
        if name not in row:
            raise RefusedError(_("This database is too old to say that: it has no “{name}”.").format(name=name))
    if after and "updated_at" in row:
        after["updated_at"] = _naive(now)
    before = {name: row[name] for name in ("content", *after)}
    return RowEdit(home, path, TABLE, str(row["id"]), before, after)


def name_memory_type(kind: str) -> str:
    """The type that a kind is kept as."""
    return next((name for name, known in KINDS.items() if known == kind), "fact")


def _naive(seconds: float) -> str:
    return clock.convert_to_local(seconds).replace(tzinfo=None).isoformat()


def _whole(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RefusedError(_("the text holds half of a character, which no file can keep")) from None
    return text


def load_scratchpad_entries(file: str) -> list[Entry | None]:
    """What the scratchpad of a database holds; nothing of one that cannot be read."""
    try:
        with database_rows.open_read_only(file) as connection:
            columns = database_rows.list_tables(connection).get("scratchpad", [])
            rows = database_rows.iterate_rows(connection, "scratchpad", columns) if columns else ()
            return [parse_scratchpad_row(row, 0, 0) for row in rows]
    except (UnavailableError, OSError, apsw.Error):
        return []

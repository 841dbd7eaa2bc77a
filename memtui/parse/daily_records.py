"""Daily records (spec 004): daily/*.jsonl, sessions.jsonl and the legacy facts.jsonl, one record a line.

All six types are read: fact, session_start, session_end, session_metrics, audit, warning. memory_type W is a fact,
O a preference, B an event, S a stage summary. Appending supersedes: of the records of one id the last one holds,
the earlier ones point to it. Ids repeat across days by construction, so a key means something in its file only.
"""

from __future__ import annotations

from memtui.model import Entry, Layer, Parsed, Status
from memtui.parse.dates import day_of_path
from memtui.parse.fields import ending, first, line, moment, number, plain, searchable, short, words
from memtui.parse.jsonl import Faults, records
from memtui.parse.kinds import exact
from memtui.parse.record import entry, spelled, standing, successor_of, unread
from memtui.record import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memtui.parse.source import Source

_KINDS = {"W": "fact", "O": "pref", "B": "event", "S": "summary"}
_TAKEN = frozenset({
    "id", "content", "timestamp", "entities", "tags", "confidence", "session_id", "superseded_by", "supersededBy",
    "updated_at", "expires_at", "type", "evidence",
})  # fmt: skip

_NAMES = frozenset(
    {"id", "type", "memory_type", "content", "timestamp", "topic", "summary", "source", "deleted_at"}
)
_USUAL = frozenset({"id", "type", "memory_type", "content", "entities", "confidence", "timestamp", "source"})


def parse(source: Source) -> Parsed:
    """An entry a record, in the order of the file."""
    faults = Faults(source.path)
    entries: list[Entry] = []
    heads = is_heads(source.path)
    latest: dict[str, Entry] = {}
    day = moment(day_of_path(source.path))
    for at, record in records(source, faults):
        if not isinstance(record, dict):
            faults.add(at, "not a record: no object")
            continue
        found = read_record(record, at, heads, source.role.kind)
        if found is None:
            faults.add(at, "a record with nothing in it")
            continue
        if found.created is None:
            # Which day it was the file's name says.
            found.created = day
        entries.append(found)
        if found.key:
            earlier = latest.get(found.key)
            if earlier is not None:
                earlier.status = Status.SUPERSEDED
                earlier.superseded_by = found.key
            latest[found.key] = found
    return Parsed(source.text, entries, faults.close())


def is_heads(path: str) -> bool:
    """Whether every record of the file is a session's head."""
    return path.rsplit("/", 1)[-1].startswith("sessions")


def read_record(record: dict[str, Any], at: int, heads: bool, kind: str) -> Entry | None:
    """What one record says; None where that is nothing. `kind` is that of records of an unknown type."""
    if _NAMES.isdisjoint(record):
        record = spelled(record, _TAKEN | _NAMES)
    name = record.get("type")
    if isinstance(name, str):
        name = name.lower()
    if heads or (name is None and "content" not in record and ("topic" in record or "summary" in record)):
        return session(record, at)
    if name is None or name == "fact":
        return fact(record, at)
    told = _TOLD.get(name) if isinstance(name, str) else None
    if told is None:
        found = entry(record, at, at, kind)
        if found is not None and isinstance(name, str) and name.replace("_", "").isalnum():
            found.kind = name
        return found
    text = told(record)
    return _entry(record, at, name, text, frozenset(_TAKEN - {"type", "content"}))


def fact(record: dict[str, Any], at: int) -> Entry | None:
    """A remembered fact; None where it says nothing."""
    text = short(record.get("content"))
    taken = _TAKEN
    if not text:
        text, taken = first(record, "fact", "text", "summary"), _TAKEN - {"content"}
    if not text:
        return None
    memory_type = record.get("memory_type")
    kind = _KINDS.get(memory_type.upper(), "fact") if isinstance(memory_type, str) else "fact"
    if "kind" in record and (named := exact(line(record["kind"]))):
        # memtui's own records say what the three letters have no word for.
        kind, taken = named, taken | {"kind"}
    return _entry(record, at, kind, text, taken)


def session(record: dict[str, Any], at: int) -> Entry | None:
    """A session's head (spec 004 sessions.jsonl): its topic is the title, its summary the text."""
    topic = first(record, "topic", "title")
    text = first(record, "summary", "content") or topic
    if not text:
        return None
    found = _entry(record, at, "session", text, _TAKEN | {"topic", "summary", "source"})
    lists = [word for key in ("decisions", "todos") for word in _listed(record.get(key))]
    found.layer = Layer.SESSION
    found.title = line(topic)
    found.source = line(record.get("source", ""))
    found.search = searchable(text, topic, lists, found.tags, found.entities)
    return found


def _listed(value: Any) -> list[str]:
    return [short(item, 2000) for item in value[:200]] if isinstance(value, list) else [short(value, 2000)]


def _entry(record: dict[str, Any], at: int, kind: str, text: str, taken: frozenset[str]) -> Entry:
    get = record.get
    source = get("source")
    where = get("session_id", "")
    if not where and isinstance(source, dict):
        where = source.get("session") or first(source, "session_id", "id")
    entities = words(get("entities"))
    made = Entry(
        text=text,
        start=at,
        end=at,
        kind=kind,
        created=moment(get("timestamp")),
        confidence=number(get("confidence")),
        entities=entities,
        session=line(where) if where else "",
        key=line(get("id", "")),
        search=searchable(text, entities),
        extra={key: value for key, value in record.items() if key not in taken},
    )
    if isinstance(source, str):
        made.source = line(source)
    if not record.keys() <= _USUAL:
        made.tags = words(get("tags"))
        made.updated = moment(get("updated_at"))
        made.expires = ending(get("expires_at"))
        made.evidence = first(record, "evidence")
        made.superseded_by = successor_of(record)
        made.search = searchable(text, entities, made.tags)
        made.status = standing(record)
        made.extra = {**made.extra, **unread(made, record)}
    elif made.created is None or made.confidence is None:
        made.extra = {**made.extra, **unread(made, record)}
    return made


def _started(record: dict[str, Any]) -> str:
    where = first(record, "workspace", "project_path", "cwd")
    return f"session {_session(record)} started" + (f" in {where}" if where else "")


def _ended(record: dict[str, Any]) -> str:
    took = number(record.get("duration_ms"))
    parts = [first(record, "reason", "status")]
    if took is not None:
        parts.append(f"{took / 1000:,.1f} s")
    if record.get("error"):
        parts.append(f"error: {line(record['error'])}")
    told = ", ".join(part for part in parts if part)
    return f"session {_session(record)} ended" + (f": {told}" if told else "")


def _measured(record: dict[str, Any]) -> str:
    known = {"id", "type", "timestamp", "session_id"}
    told = ", ".join(f"{line(key)} {line(value)}" for key, value in record.items() if key not in known)
    return f"session {_session(record)}: {told}"


def _audited(record: dict[str, Any]) -> str:
    command, action = first(record, "command"), first(record, "action")
    if action or command:
        return f"{action or 'command'}: {line(command, 2000)}" if command else action
    signals = plain(record.get("signals"))
    snippet = first(record, "snippet", "content")
    return ": ".join(part for part in (signals, snippet) if part) or "audit"


def _warned(record: dict[str, Any]) -> str:
    return first(record, "content", "message", "warning") or f"warning about session {_session(record)}"


def _session(record: dict[str, Any]) -> str:
    return line(record.get("session_id", "")) or "?"


_TOLD = {
    "session_start": _started,
    "session_end": _ended,
    "session_metrics": _measured,
    "audit": _audited,
    "warning": _warned,
}

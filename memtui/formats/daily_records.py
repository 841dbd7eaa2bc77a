"""Daily records (spec 004), read and written: daily/*.jsonl, sessions.jsonl and the legacy facts.jsonl, one a line.

Reading: six types: fact, session_start, session_end, session_metrics, audit, warning. memory_type W is a fact,
O a preference, B an event, S a stage summary. Appending supersedes: of the records of one id the last one holds
and the earlier ones point to it. Ids repeat across days by construction, so a key means something in its file
only.

Writing: where a file may be edited (the memory skill's own tool does so) a record changes in its own bytes, and
what no longer holds also gets `deleted_at`, the only mark that the skill heeds. Where a file only grows, the
record is appended again under the same id.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime

from memtui.core import clock
from memtui.core.edits import Piece
from memtui.core.errors import RefusedError
from memtui.core.locale import _
from memtui.core.model import Entry, Layer, Parsed, Status
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.formats import Added, AppendRecord
from memtui.formats.dates import find_path_day
from memtui.formats.json_spans import Gone, Json, JsonSpot, encode_json
from memtui.formats.jsonl import RecordFaults, iterate_records
from memtui.formats.kinds import match_exact_kind
from memtui.formats.records import (
    build_record_entry,
    build_search_text,
    collect_unread_fields,
    derive_record_status,
    find_first_text,
    find_successor,
    fit_line,
    format_json_value,
    normalize_field_names,
    parse_end_moment,
    parse_moment,
    parse_number,
    parse_word_list,
    shorten_value,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memtui.core.edits import Draft
    from memtui.formats import Source

_KINDS = {"W": "fact", "O": "pref", "B": "event", "S": "summary"}
_TAKEN = frozenset({
    "id", "content", "timestamp", "entities", "tags", "confidence", "session_id", "superseded_by", "supersededBy",
    "updated_at", "expires_at", "type", "evidence",
})  # fmt: skip

_NAMES = frozenset({"id", "type", "memory_type", "content", "timestamp", "topic", "summary", "source", "deleted_at"})
_USUAL = frozenset({"id", "type", "memory_type", "content", "entities", "confidence", "timestamp", "source"})


def parse(source: Source) -> Parsed:
    """An entry a record, in the order of the file."""
    faults = RecordFaults(source.path)
    entries: list[Entry] = []
    heads = is_heads(source.path)
    latest: dict[str, Entry] = {}
    day = parse_moment(find_path_day(source.path))
    for at, record in iterate_records(source, faults):
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
        record = normalize_field_names(record, _TAKEN | _NAMES)
    name = record.get("type")
    if isinstance(name, str):
        name = name.lower()
    if heads or (name is None and "content" not in record and ("topic" in record or "summary" in record)):
        return parse_session_record(record, at)
    if name is None or name == "fact":
        return parse_fact_record(record, at)
    told = _TOLD.get(name) if isinstance(name, str) else None
    if told is None:
        found = build_record_entry(record, at, at, kind)
        if found is not None and isinstance(name, str) and name.replace("_", "").isalnum():
            found.kind = name
        return found
    text = told(record)
    return _build_entry(record, at, name, text, frozenset(_TAKEN - {"type", "content"}))


def parse_fact_record(record: dict[str, Any], at: int) -> Entry | None:
    """A remembered fact; None where it says nothing."""
    text = shorten_value(record.get("content"))
    taken = _TAKEN
    if not text:
        text, taken = find_first_text(record, "fact", "text", "summary"), _TAKEN - {"content"}
    if not text:
        return None
    memory_type = record.get("memory_type")
    kind = _KINDS.get(memory_type.upper(), "fact") if isinstance(memory_type, str) else "fact"
    if "kind" in record and (named := match_exact_kind(fit_line(record["kind"]))):
        # memtui's own records say what the three letters have no word for.
        kind, taken = named, taken | {"kind"}
    return _build_entry(record, at, kind, text, taken)


def parse_session_record(record: dict[str, Any], at: int) -> Entry | None:
    """A session's head (spec 004 sessions.jsonl): its topic is the title, its summary the text."""
    topic = find_first_text(record, "topic", "title")
    text = find_first_text(record, "summary", "content") or topic
    if not text:
        return None
    found = _build_entry(record, at, "session", text, _TAKEN | {"topic", "summary", "source"})
    lists = [word for key in ("decisions", "todos") for word in _list_values(record.get(key))]
    found.layer = Layer.SESSION
    found.title = fit_line(topic)
    found.source = fit_line(record.get("source", ""))
    found.search = build_search_text(text, topic, lists, found.tags, found.entities)
    return found


def _list_values(value: Any) -> list[str]:
    return (
        [shorten_value(item, 2000) for item in value[:200]] if isinstance(value, list) else [shorten_value(value, 2000)]
    )


def _build_entry(record: dict[str, Any], at: int, kind: str, text: str, taken: frozenset[str]) -> Entry:
    get = record.get
    source = get("source")
    where = get("session_id", "")
    if not where and isinstance(source, dict):
        where = source.get("session") or find_first_text(source, "session_id", "id")
    entities = parse_word_list(get("entities"))
    made = Entry(
        text=text,
        start=at,
        end=at,
        kind=kind,
        created=parse_moment(get("timestamp")),
        confidence=parse_number(get("confidence")),
        entities=entities,
        session=fit_line(where) if where else "",
        key=fit_line(get("id", "")),
        search=build_search_text(text, entities),
        extra={key: value for key, value in record.items() if key not in taken},
    )
    if isinstance(source, str):
        made.source = fit_line(source)
    if not record.keys() <= _USUAL:
        made.tags = parse_word_list(get("tags"))
        made.updated = parse_moment(get("updated_at"))
        made.expires = parse_end_moment(get("expires_at"))
        made.evidence = find_first_text(record, "evidence")
        made.superseded_by = find_successor(record)
        made.search = build_search_text(text, entities, made.tags)
        made.status = derive_record_status(record)
        made.extra = {**made.extra, **collect_unread_fields(made, record)}
    elif made.created is None or made.confidence is None:
        made.extra = {**made.extra, **collect_unread_fields(made, record)}
    return made


def _describe_session_start(record: dict[str, Any]) -> str:
    where = find_first_text(record, "workspace", "project_path", "cwd")
    return f"session {_read_session_id(record)} started" + (f" in {where}" if where else "")


def _describe_session_end(record: dict[str, Any]) -> str:
    took = parse_number(record.get("duration_ms"))
    parts = [find_first_text(record, "reason", "status")]
    if took is not None:
        parts.append(f"{took / 1000:,.1f} s")
    if record.get("error"):
        parts.append(f"error: {fit_line(record['error'])}")
    told = ", ".join(part for part in parts if part)
    return f"session {_read_session_id(record)} ended" + (f": {told}" if told else "")


def _describe_metrics(record: dict[str, Any]) -> str:
    known = {"id", "type", "timestamp", "session_id"}
    told = ", ".join(f"{fit_line(key)} {fit_line(value)}" for key, value in record.items() if key not in known)
    return f"session {_read_session_id(record)}: {told}"


def _describe_audit(record: dict[str, Any]) -> str:
    command, action = find_first_text(record, "command"), find_first_text(record, "action")
    if action or command:
        return f"{action or 'command'}: {fit_line(command, 2000)}" if command else action
    signals = format_json_value(record.get("signals"))
    snippet = find_first_text(record, "snippet", "content")
    return ": ".join(part for part in (signals, snippet) if part) or "audit"


def _describe_warning(record: dict[str, Any]) -> str:
    return (
        find_first_text(record, "content", "message", "warning") or f"warning about session {_read_session_id(record)}"
    )


def _read_session_id(record: dict[str, Any]) -> str:
    return fit_line(record.get("session_id", "")) or "?"


_TOLD = {
    "session_start": _describe_session_start,
    "session_end": _describe_session_end,
    "session_metrics": _describe_metrics,
    "audit": _describe_audit,
    "warning": _describe_warning,
}


_RECORD = compile_pattern(r'\{[ \t]*"')
_MOST = 64
"""Beginnings that are tried on one line, as the parser does."""
_TYPES = {"pref": "O", "event": "B", "summary": "S"}
_PLAIN = frozenset({"fact", "note", *_TYPES})
_RECORDS_NAMES = {
    "text": "content", "tags": "tags", "entities": "entities", "expires": "expires_at",
    "confidence": "confidence", "evidence": "evidence", "priority": "priority",
}  # fmt: skip
_TEXTS = ("content", "fact", "text", "summary")
_MARKS = ("status", "supersededBy", "superseded_by", "deleted_at", "deleted_by")
_RAW = json.JSONDecoder(strict=False).raw_decode


def add(data: bytes, draft: Draft, now: float, path: str) -> Added:
    """A new record on a line of its own at the end."""
    new = record(draft, now, path)
    healed = b"" if not data or data.endswith(b"\n") else b"\n"
    return Added((Piece(len(data), len(data), healed + new.text.encode() + b"\n"),), new.key)


def record(draft: Draft, now: float, path: str) -> AppendRecord:
    """The draft as the memory skill's `save_fact` writes it."""
    if is_heads(path):
        raise RefusedError(_("{path} holds what sessions were about, not facts").format(path=path))
    key = draft.key or _generate_log_id(now)
    made: dict[str, Any] = {
        "id": key,
        "type": "fact",
        "memory_type": draft.memory_type or _TYPES.get(draft.kind, "W"),
        "content": draft.text,
        "entities": list(draft.entities),
        "confidence": None if draft.confidence is None else round(draft.confidence, 4),
        "timestamp": clock.format_utc(now),
        "source": {"session": draft.source} if draft.source else None,
        "kind": "" if draft.kind in _PLAIN else draft.kind,
        "tags": list(draft.tags) or None,
        "evidence": draft.evidence,
        "expires_at": None if draft.expires is None else clock.format_utc(draft.expires),
    }
    return AppendRecord(_encode_record({name: value for name, value in made.items() if value not in ("", None)}), key)


def change(data: bytes, entry: Entry, changes: Mapping[str, Any], now: float) -> tuple[Piece, ...]:
    """New values in the record's own line."""
    file, spot, had = _find_record(data, entry)
    wanted = _build_changed_members(changes, had)
    if "updated_at" in had:
        wanted["updated_at"] = clock.format_utc(now)
    return file.changed(spot, wanted)


def mark(
    data: bytes, entry: Entry, status: Status, now: float, *, successor: str = "", alone: bool = True
) -> tuple[Piece, ...]:
    """Another status in the record's own line."""
    file, spot, had = _find_record(data, entry)
    wanted = _build_status_members(had, status, successor)
    if status in {Status.DELETED, Status.ARCHIVED, Status.SUPERSEDED} and "deleted_at" not in had:
        wanted |= {"deleted_at": clock.format_utc(now), "deleted_by": "memtui"}
    return file.changed(spot, wanted)


def remove(data: bytes, entry: Entry) -> tuple[Piece, ...]:
    """The record's line goes; of several records on one line only this one."""
    spot = _find_record(data, entry)[1]
    start, end = _find_line_bounds(data, entry.start)
    alone = not data[start : spot.start].strip() and not data[spot.end : end].strip()
    return (Piece(start, end, b"") if alone else Piece(spot.start, spot.end, b""),)


def rewrite_record(
    data: bytes,
    entry: Entry,
    now: float,
    *,
    changes: Mapping[str, Any] | None = None,
    status: Status | None = None,
    successor: str = "",
) -> AppendRecord:
    """The record as it shall be from now on, for the end of a file that only grows."""
    had = _find_record(data, entry)[2]
    if not entry.key:
        raise RefusedError(_("the record has no id, so no later line of this file can speak of it"))
    wanted = _build_changed_members(changes or {}, had)
    if status is not None:
        wanted |= _build_status_members(had, status, successor)
    made = {name: value for name, value in {**had, **wanted}.items() if value is not Gone}
    made["updated_at"] = clock.format_utc(now)
    return AppendRecord(_encode_record(made), entry.key)


def _build_status_members(had: Mapping[str, Any], status: Status, successor: str) -> dict[str, Any]:
    wanted: dict[str, Any] = {name: Gone for name in _MARKS if name in had}
    if status in {Status.ACTIVE, Status.CANDIDATE}:
        return wanted
    wanted.pop("deleted_at", None)
    wanted.pop("deleted_by", None)
    wanted["status"] = status.value
    if status is Status.SUPERSEDED and successor:
        wanted["superseded_by" if "superseded_by" in had else "supersededBy"] = successor
    return wanted


def _build_changed_members(changes: Mapping[str, Any], had: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an entry -> members of the record; an empty value takes its member away."""
    wanted: dict[str, Any] = {}
    for field, value in changes.items():
        if field == "kind":
            wanted["memory_type"] = _TYPES.get(value, "W")
            if value not in _PLAIN or "kind" in had:
                wanted["kind"] = Gone if value in _PLAIN else value
            continue
        name = _RECORDS_NAMES.get(field)
        if name is None:
            raise RefusedError(_("a daily record has no “{field}”").format(field=field))
        if field == "text":
            name = next((other for other in _TEXTS if find_first_text(had, other)), name)
        told = list(value) if isinstance(value, tuple) else value
        if field == "expires" and value is not None:
            told = clock.format_utc(value)
        if told not in ("", None, []):
            wanted[name] = told
        elif name in had:
            wanted[name] = [] if name == "entities" else Gone
    return wanted


def _find_record(data: bytes, entry: Entry) -> tuple[Json, JsonSpot, dict[str, Any]]:
    """The record that the entry was read from. Raises RefusedError where it does not stand there whole."""
    start, end = _find_line_bounds(data, entry.start)
    for at, after in _split_records(data[start:end].decode("latin-1")):
        try:
            file = Json(data, start=start + at, end=start + after, line=entry.start)
        except RefusedError:
            continue
        if not isinstance(file.value, dict):
            continue
        # Whether it is a session's head the file's name says, which is not known here; the text tells them apart.
        for heads in (False, True):
            read = read_record(file.value, entry.start, heads, entry.kind)
            if read is not None and (read.key, read.text) == (entry.key, entry.text):
                return file, JsonSpot(file.top, file.end), file.value
    raise RefusedError(_("line {line} does not hold this record whole").format(line=entry.start))


def _split_records(line: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each whole record on a line; several may stand on it, and the last may be cut off."""
    at = tried = 0
    while tried < _MOST and (match := _RECORD.search(line, at)):
        tried += 1
        try:
            end = _RAW(line, match.start())[1]
        except (ValueError, RecursionError):
            at = match.start() + 1
            continue
        yield match.start(), end
        at = end


def _find_line_bounds(data: bytes, line: int) -> tuple[int, int]:
    start = 0
    for _number in range(line - 1):
        start = data.find(b"\n", start) + 1
        if not start:
            raise RefusedError(_("the file has no line {line} any more").format(line=line))
    end = data.find(b"\n", start) + 1
    return start, end or len(data)


def _encode_record(value: Mapping[str, Any]) -> str:
    return encode_json(value, separators=(",", ":")).decode()


def _generate_log_id(now: float) -> str:
    """As the memory skill counts: the time of day, and four letters against twins."""
    moment = datetime.fromtimestamp(now, UTC)
    # The library's own `secrets` loads half of OpenSSL, for each search that meets such a file.
    return f"log-{moment:%H%M%S}{moment.microsecond // 1000:03d}-{os.urandom(2).hex()}"

"""Daily records (spec 004) written: a fact as one line of JSONL; edited in its line, or by a later line of its id.

Where a file may be edited (the memory skill's own tool does so) a record changes in its own bytes; what no longer
holds gets `deleted_at`, too, which is all that the skill itself heeds. Where a file only grows, the record is said
anew under the same id: of the records of one id the last one holds, for every reader that goes through the file.
"""

from __future__ import annotations

import json
import secrets
from datetime import UTC, datetime
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING, Any

from memtui.edits import Piece
from memtui.errors import RefusedError
from memtui.format import Added, Record
from memtui.format.spans import Gone, Json, Spot, written
from memtui.locale import _
from memtui.model import Status
from memtui.parse.daily_records import is_heads, read_record
from memtui.parse.fields import first
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memtui.edits import Draft
    from memtui.model import Entry

_RECORD = pattern(r'\{[ \t]*"')
_MOST = 64
"""Beginnings that are tried on one line, as the parser does."""
_TYPES = {"pref": "O", "event": "B", "summary": "S"}
_PLAIN = frozenset({"fact", "note", *_TYPES})
_NAMES = {
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


def record(draft: Draft, now: float, path: str) -> Record:
    """The draft as the memory skill's `save_fact` writes it."""
    if is_heads(path):
        raise RefusedError(_("{path} holds what sessions were about, not facts").format(path=path))
    key = draft.key or _id(now)
    made: dict[str, Any] = {
        "id": key,
        "type": "fact",
        "memory_type": draft.memory_type or _TYPES.get(draft.kind, "W"),
        "content": draft.text,
        "entities": list(draft.entities),
        "confidence": draft.confidence,
        "timestamp": _stamp(now),
        "source": {"session": draft.source} if draft.source else None,
        "kind": "" if draft.kind in _PLAIN else draft.kind,
        "tags": list(draft.tags) or None,
        "evidence": draft.evidence,
        "expires_at": None if draft.expires is None else _stamp(draft.expires),
    }
    return Record(_line({name: value for name, value in made.items() if value not in ("", None)}), key)


def change(data: bytes, entry: Entry, changes: Mapping[str, Any], now: float) -> tuple[Piece, ...]:
    """New values in the record's own line."""
    file, spot, had = _found(data, entry)
    wanted = _values(changes, had)
    if "updated_at" in had:
        wanted["updated_at"] = _stamp(now)
    return file.changed(spot, wanted)


def mark(
    data: bytes,
    entry: Entry,
    status: Status,
    now: float,
    *,
    successor: str = "",
    reason: str = "",
    alone: bool = True,
) -> tuple[Piece, ...]:
    """Another status in the record's own line."""
    file, spot, had = _found(data, entry)
    wanted = _marks(had, status, successor)
    if status in {Status.DELETED, Status.ARCHIVED, Status.SUPERSEDED} and "deleted_at" not in had:
        wanted |= {"deleted_at": _stamp(now), "deleted_by": "memtui"}
    return file.changed(spot, wanted)


def remove(data: bytes, entry: Entry) -> tuple[Piece, ...]:
    """The record's line goes; of several records on one line only this one."""
    spot = _found(data, entry)[1]
    start, end = _bounds(data, entry.start)
    alone = not data[start : spot.start].strip() and not data[spot.end : end].strip()
    return (Piece(start, end, b"") if alone else Piece(spot.start, spot.end, b""),)


def anew(
    data: bytes,
    entry: Entry,
    now: float,
    *,
    changes: Mapping[str, Any] | None = None,
    status: Status | None = None,
    successor: str = "",
) -> Record:
    """The record as it shall be from now on, for the end of a file that only grows."""
    had = _found(data, entry)[2]
    if not entry.key:
        raise RefusedError(_("the record has no id, so no later line of this file can speak of it"))
    wanted = _values(changes or {}, had)
    if status is not None:
        wanted |= _marks(had, status, successor)
    made = {name: value for name, value in {**had, **wanted}.items() if value is not Gone}
    made["updated_at"] = _stamp(now)
    return Record(_line(made), entry.key)


def _marks(had: Mapping[str, Any], status: Status, successor: str) -> dict[str, Any]:
    wanted: dict[str, Any] = {name: Gone for name in _MARKS if name in had}
    if status in {Status.ACTIVE, Status.CANDIDATE}:
        return wanted
    wanted.pop("deleted_at", None)
    wanted.pop("deleted_by", None)
    wanted["status"] = status.value
    if status is Status.SUPERSEDED and successor:
        wanted["superseded_by" if "superseded_by" in had else "supersededBy"] = successor
    return wanted


def _values(changes: Mapping[str, Any], had: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an entry -> members of the record; an empty value takes its member away."""
    wanted: dict[str, Any] = {}
    for field, value in changes.items():
        if field == "kind":
            wanted["memory_type"] = _TYPES.get(value, "W")
            if value not in _PLAIN or "kind" in had:
                wanted["kind"] = Gone if value in _PLAIN else value
            continue
        name = _NAMES.get(field)
        if name is None:
            raise RefusedError(_("a daily record has no “{field}”").format(field=field))
        if field == "text":
            name = next((other for other in _TEXTS if first(had, other)), name)
        told = list(value) if isinstance(value, tuple) else value
        if field == "expires" and value is not None:
            told = _stamp(value)
        if told not in ("", None, []):
            wanted[name] = told
        elif name in had:
            wanted[name] = [] if name == "entities" else Gone
    return wanted


def _found(data: bytes, entry: Entry) -> tuple[Json, Spot, dict[str, Any]]:
    """The record that the entry was read from. Raises RefusedError where it does not stand there whole."""
    start, end = _bounds(data, entry.start)
    for at, after in _records(data[start:end].decode("latin-1")):
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
                return file, Spot(file.top, file.end), file.value
    raise RefusedError(_("line {line} does not hold this record whole").format(line=entry.start))


def _records(line: str) -> Iterator[tuple[int, int]]:
    """Where whole records begin and end on a line, welded and torn ones minded."""
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


def _bounds(data: bytes, line: int) -> tuple[int, int]:
    start = 0
    for _number in range(line - 1):
        start = data.find(b"\n", start) + 1
        if not start:
            raise RefusedError(_("the file has no line {line} any more").format(line=line))
    end = data.find(b"\n", start) + 1
    return start, end or len(data)


def _line(value: Mapping[str, Any]) -> str:
    return written(value, separators=(",", ":")).decode()


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _id(now: float) -> str:
    """As the memory skill counts: the time of day, and four letters against twins."""
    moment = datetime.fromtimestamp(now, UTC)
    tail = "".join(secrets.choice(ascii_lowercase + digits) for _ in range(4))
    return f"log-{moment:%H%M%S}{moment.microsecond // 1000:03d}-{tail}"

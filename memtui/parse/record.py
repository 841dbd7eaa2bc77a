"""A record of no particular dialect -> an entry: the likeliest text field, the usual names for the rest."""

from __future__ import annotations

from memtui.model import ASIDE, Entry, Status
from memtui.parse.fields import ending, first, line, moment, number, plain, rest, searchable, short, words
from memtui.record import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

TEXTS = ("content", "fact", "text", "summary", "message", "description", "value", "body", "note", "rule")
TITLES = ("title", "topic", "name", "goal", "subject")
CREATED = (
    "timestamp",
    "ts",
    "created_at",
    "createdAt",
    "created",
    "time",
    "date",
    "started_at",
    "last_generation_at",
)
UPDATED = ("updated_at", "updatedAt", "updated", "modified")

_TAKEN = frozenset(
    {"tags", "entities", "confidence", "importance", "importance_score", "expires_at", "evidence"}
)

_STATUSES = {status.value: status for status in Status if status not in ASIDE} | {
    "pending": Status.CANDIDATE,
    "outdated": Status.SUPERSEDED,
}


_READ = (
    ("created", "timestamp"), ("created", "created_at"), ("updated", "updated_at"), ("expires", "expires_at"),
    ("confidence", "confidence"), ("importance", "importance"), ("importance", "importance_score"),
)  # fmt: skip


def spelled(record: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """The record with the names that we know as we spell them: 'Fact' and 'ID' mean what 'fact' and 'id' do."""
    known = {name.lower(): name for name in names}
    found = {known.get(key.lower(), key): value for key, value in record.items() if key not in names}
    return {**found, **{key: value for key, value in record.items() if key in names}}


def unread(made: Entry, record: Mapping[str, Any]) -> dict[str, Any]:
    """What stands under a name that we know and could not be understood: it is shown as it stands."""
    return {
        name: record[name]
        for field, name in _READ
        if getattr(made, field) is None and record.get(name) not in (None, "")
    }


def status_of(value: Any) -> Status | None:
    """The status a record names, in any case; None where it names none that we know."""
    return _STATUSES.get(value.strip().lower()) if isinstance(value, str) else None


def standing(record: Mapping[str, Any]) -> Status:
    """The status of a record: what it says, else what its other keys say of it."""
    named = status_of(record.get("status"))
    if record.get("deleted_at") and named not in {Status.SUPERSEDED, Status.ARCHIVED}:
        return Status.DELETED
    return named or (Status.SUPERSEDED if successor_of(record) else Status.ACTIVE)


def successor_of(record: Mapping[str, Any]) -> str:
    """What replaced it: `supersededBy` or `superseded_by`, a list's first."""
    value = record.get("supersededBy") or record.get("superseded_by")
    if isinstance(value, list):
        value = value[0] if value else ""
    return line(value, 200) if value else ""


def session_of(path: str) -> str:
    """The session that a file of records belongs to, by its place; empty: its place names none.

    HelloAGENTS keeps sessions/<workspace>/<session>/…, OpenAkita conversation_history/<session>.jsonl.
    """
    *folders, name = path.split("/")
    if folders[-1:] == ["conversation_history"]:
        return name.rpartition(".")[0]
    below = folders[folders.index("sessions") + 1 :] if "sessions" in folders else []
    return below[1] if len(below) > 1 else ""


def said(value: Any) -> str:
    """The words of a message: a text, or the text blocks of a list or of an object with `content`."""
    if isinstance(value, dict):
        value = value.get("content", value.get("text"))
    if isinstance(value, list):
        blocks = (said(block) if isinstance(block, dict) else plain(block) for block in value[:64])
        value = "\n".join(block for block in blocks if block)
    return short(value) if isinstance(value, str) else ""


def entry(record: Mapping[str, Any], start: int, end: int, kind: str) -> Entry | None:
    """An entry made of any object; None for one with nothing in it."""
    if not record:
        return None
    text, taken = _text(record)
    title = first(record, *TITLES)
    created = next((name for name in CREATED if moment(record.get(name)) is not None), "")
    updated = next((name for name in UPDATED if moment(record.get(name)) is not None), "")
    tags, entities = words(record.get("tags")), words(record.get("entities"))
    role = record.get("role")
    if isinstance(role, str) and role and taken:
        text = f"{line(role, 20)}: {text}"
    made = Entry(
        text=text,
        start=start,
        end=end,
        kind=kind,
        status=standing(record),
        title=line(title) if title != text else "",
        created=moment(record.get(created)),
        updated=moment(record.get(updated)),
        expires=ending(record.get("expires_at")),
        confidence=number(record.get("confidence")),
        importance=number(record.get("importance_score", record.get("importance"))),
        tags=tags,
        entities=entities,
        session=first(record, "session_id", "sessionId", "session"),
        evidence=first(record, "evidence"),
        key=line(record.get("id", "")),
        superseded_by=successor_of(record),
        search=searchable(text, title if title != text else "", tags, entities),
        extra=rest(record, _TAKEN | {taken, created, updated, "id", "session_id", "sessionId"}),
    )
    made.extra = {**made.extra, **unread(made, record)}
    return made


def _text(record: Mapping[str, Any]) -> tuple[str, str]:
    """The text of a record and the key it came from; with no likely key, all of them on one line."""
    for name in TEXTS:
        text = said(record.get(name))
        if text:
            return text, name
    title = first(record, *TITLES)
    if title:
        return title, ""
    return short("; ".join(f"{line(key)}: {line(value)}" for key, value in list(record.items())[:64])), ""

"""Rows of OpenAkita's tables (spec 003) -> entries, with whatever columns they have."""

from __future__ import annotations

from memtui.model import Entry, Layer, Status
from memtui.parse.fields import (
    decoded_json,
    ending,
    first,
    line,
    moment,
    number,
    plain,
    searchable,
    short,
    words,
)
from memtui.parse.record import standing, unread
from memtui.record import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        decoded = decoded_json(value) if key in _JSON else None
        found[key] = plain(value) if isinstance(value, bytes) else value if decoded is None else decoded
    return found


def memory(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """A semantic memory; None where it has no words."""
    text = short(row.get("content"))
    if not text:
        return None
    named = _named(row)
    kind = kind_of(row)
    extra = _extra(row, _MEMORY)
    if KINDS.get(named) != named and named:
        extra["type"] = row["type"]
    tags, entities = words(row.get("tags")), words(row.get("entities"))
    about = [line(row.get(key, "")) for key in ("subject", "predicate")]
    made = Entry(
        text=text,
        start=start,
        end=end,
        kind=kind,
        layer=Layer.KNOWLEDGE,
        status=_status(row),
        created=moment(row.get("created_at")),
        updated=moment(row.get("updated_at")),
        expires=ending(row.get("expires_at")),
        confidence=number(row.get("confidence")),
        importance=number(row.get("importance_score", row.get("importance"))),
        tags=tags,
        entities=entities,
        source=line(row.get("source", "")),
        key=line(row.get("id", "")),
        superseded_by="" if _marked(row) else line(row.get("superseded_by", "")),
        search=searchable(text, " ".join(filter(None, about)), tags, entities),
        extra=extra,
    )
    made.extra = {**extra, **unread(made, row)}
    return made


def _named(row: Mapping[str, Any]) -> str:
    return line(row.get("type", "")).lower()


def kind_of(row: Mapping[str, Any]) -> str:
    """The kind that a memory's type means."""
    named = _named(row)
    return KINDS.get(named, named if named.isidentifier() else "fact")


def _marked(row: Mapping[str, Any]) -> Status | None:
    successor = row.get("superseded_by")
    return MARKS.get(successor) if isinstance(successor, str) else None


def _status(row: Mapping[str, Any]) -> Status:
    status, scope = _marked(row) or standing(row), row.get("scope")
    hidden = isinstance(scope, str) and scope.lower() in _HIDDEN
    return Status.CANDIDATE if hidden and status is Status.ACTIVE else status


def episode(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """One session's summary: its goal is the title."""
    goal, text = short(row.get("goal")), short(row.get("summary"))
    if not text and not goal:
        return None
    extra = _extra(row, _EPISODE)
    tools = words(extra.get("tools_used"))
    tags, entities = words(row.get("tags")), words(row.get("entities"))
    return Entry(
        text=text or goal,
        start=start,
        end=end,
        kind="session",
        layer=Layer.SESSION,
        title=line(goal) if text else "",
        created=moment(row.get("started_at")),
        updated=moment(row.get("ended_at")),
        importance=number(row.get("importance_score")),
        tags=tags,
        entities=entities,
        session=line(row.get("session_id", "")),
        source=line(row.get("source", "")),
        key=line(row.get("id", "")),
        search=searchable(text, goal, tags, entities, tools),
        extra=extra,
    )


def scratchpad(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """Working memory: the current task, and what else is written beside it."""
    focus = short(row.get("current_focus"))
    parts = [focus, short(row.get("content"))]
    for key, name in (
        ("active_projects", "projects"),
        ("open_questions", "open questions"),
        ("next_steps", "next steps"),
    ):
        listed = words(row.get(key))
        if listed:
            parts.append(f"{name}: {'; '.join(listed)}")
    text = "\n".join(dict.fromkeys(part for part in parts if part))
    if not text:
        return None
    return Entry(
        text=text,
        start=start,
        end=end,
        kind="scratchpad",
        layer=Layer.SESSION,
        title=line(focus) if focus != text else "",
        updated=moment(row.get("updated_at")),
        key=line(row.get("user_id", "")),
        search=text,
    )


def queued(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """A turn that waits to be distilled; None for one that was."""
    status = line(row.get("status", "pending")).lower()
    text = short(row.get("content"))
    if not text or status in _DONE:
        return None
    taken = frozenset({"id", "session_id", "content", "created_at", "last_attempted_at"})
    return Entry(
        text=text,
        start=start,
        end=end,
        kind="queue",
        layer=Layer.SESSION,
        created=moment(row.get("created_at")),
        updated=moment(row.get("last_attempted_at")),
        session=line(row.get("session_id", "")),
        key=f"queue-{line(row['id'])}" if row.get("id") is not None else "",
        search=text,
        extra=_extra(row, taken),
    )


def attachment(row: Mapping[str, Any], start: int, end: int) -> Entry | None:
    """A file or a picture, by what was said or read in it."""
    name = first(row, "original_filename", "filename", "local_path", "url")
    parts = [short(row.get(key)) for key in ("description", "transcription", "extracted_text")]
    text = "\n".join(dict.fromkeys(part for part in parts if part)) or name
    if not text:
        return None
    said = words(row.get("tags"))
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
        title=line(name) if name != text else "",
        created=moment(row.get("created_at")),
        expires=ending(row.get("expires_at")),
        tags=tags,
        session=line(row.get("session_id", "")),
        key=line(row.get("id", "")),
        search=searchable(text, name, tags),
        extra=_extra(row, taken),
    )

"""Summaries of sessions as records of sessions.jsonl (spec 004): a line each, the newest of a session holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.layouts import layout
from memtui.model import Layer
from memtui.sessions.passage import Passage, held, holds, masked

if TYPE_CHECKING:
    from memtui.model import Entry, Home
    from memtui.sessions.passage import Patterns

PATH = "sessions.jsonl"


class Record(NamedTuple):
    """One session's."""

    session: str
    time: float
    passage: Passage


def records(home: Home, *, now: float, hidden: Patterns) -> list[Record]:
    """All that a home keeps, in the order of the file."""
    role = layout(home.layout).role(home.path, PATH)
    if role is None or role.layer is not Layer.SESSION:
        return []
    source = held(home, PATH, role, role.limit)
    if source is None or not source.data:
        return []
    from memtui.parse.daily_records import parse

    newest: dict[str, Record] = {}
    for entry in parse(source).entries:
        if entry.layer is Layer.SESSION and holds(entry, now):
            lines = ((entry.start, masked(_told(entry), hidden)),)
            one = Passage(home, PATH, Layer.SESSION, "session", "", lines)
            key = entry.session or entry.key or str(entry.start)
            newest[key] = Record(entry.session, entry.created or 0.0, one)
    return list(newest.values())


def _told(entry: Entry) -> str:
    """A record as a person would write it."""
    parts = [part for part in dict.fromkeys((entry.title, entry.text)) if part]
    for name in ("decisions", "todos"):
        listed = entry.extra.get(name)
        items = listed if isinstance(listed, list) else [listed]
        told = [" ".join(item.split()) for item in items if isinstance(item, str) and item.strip()]
        if told:
            parts.append(f"{name}: {'; '.join(told)}")
    return "\n".join(parts)

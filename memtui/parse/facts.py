"""facts.json (spec 002): atomic facts with a status, what superseded them, and where each stands in the file.

Read are `{"facts": […]}`, a bare array, an object of facts by their ids, and any other top-level list of facts
(`archived_facts`); ids, `supersededBy` and categories are written by hand and by models, so none is relied on.
"""

from __future__ import annotations

from memtui.model import Entry, Parsed, Problem
from memtui.parse.fields import ending, first, line, moment, number, rest, searchable, short, words
from memtui.parse.json_reader import Item, Reader
from memtui.parse.kinds import exact
from memtui.parse.record import spelled, standing, status_of, successor_of, unread
from memtui.record import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.parse.source import Source

_TAKEN = frozenset({
    "id", "fact", "evidence", "timestamp", "status", "category", "supersededBy", "superseded_by", "confidence",
    "tags", "entities", "importance", "importance_score", "session_id", "updated_at", "expires_at", "title", "source",
})  # fmt: skip
_USUAL = frozenset(
    {"id", "fact", "evidence", "timestamp", "status", "category", "supersededBy", "superseded_by"}
)
OTHERS = ("text", "content", "statement", "description", "summary", "value")
_TOLD = frozenset({"fact", *OTHERS})


def parse(source: Source) -> Parsed:
    """Every fact that is whole, in the order of the file; faults as Problems with their lines."""
    reader = Reader(source.text, source.path)
    entries: list[Entry] = []
    char = reader.peek()
    if char == "[":
        entries += (fact(item) for item in reader.items())
    elif char == "{":
        for key in reader.members():
            entries += _member(reader, key)
    elif char:
        reader.fault("no facts: neither an object nor an array", 0)
        reader.pos = len(reader.text)
    reader.end()
    if source.cut:
        reader.fault(f"only the first {len(source.data):,} of {source.size:,} bytes were read", 0)
    for entry in entries:
        if not entry.text and (entry.key or entry.extra or entry.evidence):
            reader.problems.append(Problem(source.path, entry.start, "a fact with nothing in it"))
    return Parsed(source.text, [entry for entry in entries if entry.text], reader.problems)


def _member(reader: Reader, key: str) -> list[Entry]:
    """The facts under one top-level key; keys that hold anything else are left to the file view."""
    char = reader.peek()
    if char == "[":
        items = list(reader.items())
        if key.lower() == "facts":
            return [fact(item) for item in items]
        return [fact(item) for item in items if isinstance(item.value, dict) and telling(item.value)]
    if char != "{":
        return []
    if key.lower() == "facts":
        return [fact(Item(keyed(name, item.value), item.start, item.end)) for name, item in _members(reader)]
    item = reader.value()
    return [fact(Item(keyed(key, item.value), item.start, item.end))] if item and telling(item.value) else []


def _members(reader: Reader) -> Iterator[tuple[str, Item]]:
    for name in reader.members():
        item = reader.value()
        if item is not None:
            yield name, item


def telling(record: dict[str, Any]) -> bool:
    return isinstance(record.get("fact"), str) or ("id" in record and bool(first(record, *OTHERS)))


def keyed(name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return value if "id" in value else {**value, "id": name}
    return {"id": name, "fact": value}


def fact(item: Item) -> Entry:
    """One fact; its text is empty where the record says nothing."""
    record, start, end = item
    if isinstance(record, dict) and _TOLD.isdisjoint(record):
        record = spelled(record, _TAKEN | _TOLD)
    if not isinstance(record, dict):
        text = short(record)
        return Entry(text, start, end, "fact", search=text)
    text = short(record.get("fact"))
    name = ""
    if not text:
        name = next((key for key in OTHERS if first(record, key)), "")
        text = first(record, name) if name else ""
    evidence = short(record.get("evidence", ""))
    made = Entry(
        text=text,
        start=start,
        end=end,
        kind="fact",
        created=moment(record.get("timestamp")),
        evidence=evidence,
        key=line(record.get("id", "")),
        search=searchable(text, evidence),
    )
    if record.get("status") != "active" or "supersededBy" in record or "deleted_at" in record:
        _status(made, record)
    category = record.get("category")
    if category:
        word = category.strip() if isinstance(category, str) else line(category)
        made.kind = exact(word) or "fact"
        if word.lower() != made.kind:
            made.tags = (line(word, 120),)
            made.search = searchable(text, line(word), evidence)
    if not record.keys() <= _USUAL:
        _more(made, record, name)
        made.extra = {**made.extra, **unread(made, record)}
    elif made.created is None:
        made.extra = {**made.extra, **unread(made, record)}
    return made


def _status(made: Entry, record: dict[str, Any]) -> None:
    """Unknown words stay in `extra`; a fact that names its successor and no status is superseded."""
    made.superseded_by = successor_of(record)
    made.status = standing(record)
    named = record.get("status")
    if named and status_of(named) is None:
        made.extra = {"status": named}


def _more(made: Entry, record: dict[str, Any], name: str) -> None:
    """What few facts have."""
    get = record.get
    made.title = line(get("title", ""))
    made.updated = moment(get("updated_at"))
    made.expires = ending(get("expires_at"))
    made.confidence = number(get("confidence"))
    made.importance = number(get("importance_score", get("importance")))
    made.tags = (*words(get("tags")), *made.tags)
    made.entities = words(get("entities"))
    made.session = line(get("session_id", ""))
    made.source = line(get("source", ""))
    made.search = searchable(made.text, made.title, made.tags, made.entities, made.evidence)
    extra = rest(record, _TAKEN)
    extra.pop(name, None)
    made.extra = {**made.extra, **extra}

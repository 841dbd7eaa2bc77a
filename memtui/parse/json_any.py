"""Any JSON file: an array gives an entry an item, an object an entry a key; a list of objects under a key, an item."""

from __future__ import annotations

from memtui.model import Entry, Parsed, Status
from memtui.parse.dates import day_of_path
from memtui.parse.fields import line, moment, searchable, short
from memtui.parse.json_reader import Item, Reader
from memtui.parse.record import UPDATED, entry, session_of
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.parse.source import Source

_READ = 2000
_SENTENCE = pattern(r"[^\W\d_]{2,}[,;:]?[ \t]+[^\W\d_]{2,}|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]{4}")
"""Two words after each other, or as much in a script without blanks."""
_CREATED = ("timestamp", "ts", "created_at", "createdAt", "created", "date")


def parse(source: Source) -> Parsed:
    """Entries with exact lines; what is broken becomes Problems, and what stands around it still shows."""
    reader = Reader(source.text, source.path)
    kind = source.role.kind
    entries: list[Entry | None] = []
    char = reader.peek()
    if char == "[":
        entries += [_item(item, kind, ()) for item in reader.items()]
    elif char == "{":
        for key in reader.members():
            if reader.peek() == "[":
                entries += _list(key, list(reader.items()), kind)
            else:
                item = reader.value()
                if item is not None:
                    entries.append(_member(key, item, kind))
    elif char:
        item = reader.value()
        if item is not None:
            entries.append(_item(item, kind, ()))
    reader.end()
    if source.cut:
        reader.fault(f"only the first {len(source.data):,} of {source.size:,} bytes were read", 0)
    made = [found for found in entries if found is not None]
    report = char == "{" and _reports(made)
    if char == "{":
        made = _dated(made)
    session = session_of(source.path)
    day = moment(day_of_path(source.path))
    for found in made:
        found.session = found.session or session
        if found.created is None and found.updated is None:
            found.created = day
        if found.status is Status.ACTIVE and (report or not _speaks(found)):
            found.status = Status.STATE
    return Parsed(source.text, made, reader.problems)


def _reports(entries: list[Entry]) -> bool:
    """Whether a document is what a program says of one run: its moments and its counts."""
    keys = {entry.key for entry in entries}
    if len(keys & _RUN) > 1:
        return True
    counted = sum(isinstance(entry.extra.get(entry.key), int | float) for entry in entries)
    return (
        counted >= _COUNTS
        and counted * 2 >= len(entries)
        and not keys.isdisjoint((*_CREATED, *UPDATED, *_RUN))
    )


_RUN = frozenset({
    "exit_code", "exitCode", "exitcode", "duration", "duration_ms", "durationMs", "elapsed", "started_at", "startedAt",
    "finished_at", "finishedAt", "start_time", "end_time", "run_id", "runId", "last_run", "lastRun",
})  # fmt: skip
_COUNTS = 3


def _speaks(entry: Entry) -> bool:
    """Whether it says anything to a person: numbers, marks, names and moments are what a program keeps for itself."""
    said = (
        entry.text.partition(": ")[2] if entry.key and entry.text.startswith(f"{entry.key}: ") else entry.text
    )
    return _SENTENCE.search(said[:_READ]) is not None


def _dated(entries: list[Entry]) -> list[Entry]:
    """A document's own times date what stands beside them, and are no entries themselves."""
    times = {
        entry.key: entry
        for entry in entries
        if entry.created is not None and entry.extra.keys() == {entry.key}
    }
    created = next((times[name].created for name in _CREATED if name in times), None)
    updated = next((times[name].created for name in UPDATED if name in times), None)
    named = [entry for entry in entries if entry.key in times and entry.key in {*_CREATED, *UPDATED}]
    others = [entry for entry in entries if entry not in named]
    if not others:
        return entries
    for other in others:
        if other.created is None and other.updated is None:
            other.created, other.updated = created, updated
    return others


def _list(key: str, items: list[Item], kind: str) -> list[Entry | None]:
    """The list under a key: objects are entries of their own, words and numbers one entry together."""
    if any(isinstance(item.value, dict) for item in items):
        return [_item(item, kind, (line(key),)) for item in items]
    if not items:
        return []
    whole = Item([item.value for item in items], items[0].start, items[-1].end)
    return [_member(key, whole, kind)]


def _item(item: Item, kind: str, heading: tuple[str, ...]) -> Entry | None:
    if isinstance(item.value, dict):
        found = entry(item.value, item.start, item.end, kind)
        if found is not None:
            found.heading = heading
        return found
    text = short(item.value)
    return Entry(text, item.start, item.end, kind, heading=heading, search=text) if text else None


def _member(key: str, item: Item, kind: str) -> Entry | None:
    """`key: value` as one entry; keys with nothing in them are left out."""
    if isinstance(item.value, dict):
        found = entry(item.value, item.start, item.end, kind)
        if found is not None:
            found.title = found.title or line(key)
            found.key = found.key or line(key)
            found.search = searchable(found.search or "", line(key))
        return found
    if item.value is None or item.value in ("", []):
        return None
    text = f"{line(key)}: {short(item.value)}"
    return Entry(
        text,
        item.start,
        item.end,
        kind,
        key=line(key),
        created=moment(item.value) if isinstance(item.value, str) else None,
        search=text,
        extra={key: item.value},
    )

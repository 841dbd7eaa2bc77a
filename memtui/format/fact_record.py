"""What one fact of facts.json says: a draft as a record, new values under the record's own names, the next id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.errors import RefusedError
from memtui.format.spans import Gone
from memtui.locale import _
from memtui.parse.facts import OTHERS, telling
from memtui.parse.fields import first, line, words
from memtui.parse.kinds import exact
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtui.edits import Draft

_NUMBERED = pattern(r"(.*?)([0-9]{1,12})")
_NAMES = {
    "text": "fact", "kind": "category", "tags": "tags", "entities": "entities", "expires": "expires_at",
    "confidence": "confidence", "importance": "importance", "evidence": "evidence", "title": "title",
    "priority": "priority",
}  # fmt: skip
_LISTS = frozenset({"tags", "entities"})


def record(draft: Draft, key: str, now: float, model: Mapping[str, Any]) -> dict[str, Any]:
    """The draft as a fact, its keys in the order of the fact before it."""
    told = next((name for name in ("fact", *OTHERS) if isinstance(model.get(name), str)), "fact")
    exactly = isinstance(model.get("timestamp"), str) and len(model["timestamp"]) > 10
    counted = type(model.get("id")) is int and key.isdecimal()
    # A category that is no kind is read as a tag: so a successor keeps the category of what it replaces.
    category, tags = draft.kind, list(draft.tags)
    if category == "fact" and tags and "category" in model and "tags" not in model and not exact(tags[0]):
        category = tags.pop(0)
    made: dict[str, Any] = {
        "id": int(key) if counted else key,
        told: draft.text,
        "evidence": draft.evidence,
        "timestamp": clock.local(now).isoformat(timespec="seconds") if exactly else clock.day(now),
        "status": "active",
        "category": category,
    }
    more = {
        "title": draft.title,
        "tags": tags,
        "entities": list(draft.entities),
        "confidence": draft.confidence,
        "expires_at": None if draft.expires is None else until(draft.expires),
        "source": draft.source,
    }
    made |= {name: value for name, value in more.items() if value not in ("", None, [])}
    order = [name for name in model if name in made]
    return {name: made[name] for name in [*order, *(name for name in made if name not in order)]}


def until(seconds: float) -> str:
    """When something ends: a date where that is the end of a day, else the moment."""
    moment = clock.local(seconds)
    whole = (moment.hour, moment.minute, moment.second) == (23, 59, 59)
    return moment.strftime("%Y-%m-%d") if whole else moment.isoformat(timespec="seconds")


def values(changes: Mapping[str, Any], record: Mapping[str, Any], now: float) -> dict[str, Any]:
    """Fields of an entry -> members of this record, as it names them; an empty value takes its member away."""
    wanted: dict[str, Any] = {}
    for field, value in changes.items():
        name = _NAMES.get(field)
        if name is None:
            raise RefusedError(_("a fact in facts.json has no “{field}”").format(field=field))
        if field == "text" and not first(record, "fact"):
            name = next((other for other in OTHERS if first(record, other)), "fact")
        if field == "importance" and "importance_score" in record:
            name = "importance_score"
        name = named(record, name)
        had = record.get(name)
        told = _told(field, value, record)
        if field in _LISTS and list(words(had)) == told:
            continue
        if field == "kind" and isinstance(had, str) and exact(had) == value:
            continue
        if told in ("", None) or told == []:
            if name in record:
                wanted[name] = "" if field == "evidence" else Gone
        else:
            wanted[name] = told
    if "updated_at" in record:
        wanted["updated_at"] = clock.local(now).isoformat(timespec="seconds")
    return wanted


def _told(field: str, value: Any, record: Mapping[str, Any]) -> Any:
    if field == "expires":
        return None if value is None else until(value)
    if field == "tags":
        # A category that is no kind is read as a tag: it stays where it stands.
        return [tag for tag in value if tag != record.get("category")]
    return list(value) if field == "entities" else value


def named(record: Mapping[str, Any], name: str) -> str:
    """The member of that name as this record spells it."""
    return name if name in record else next((key for key in record if key.lower() == name), name)


def next_key(document: Any, wanted: str, beside: Iterable[str] = ()) -> str:
    """An id that nothing in the file has or points to, and no member `beside`, counted on as the file counts."""
    taken = [*(str(name) for name in _ids(document)), *filter(None, beside)]
    if wanted and wanted not in taken:
        return wanted
    counted: dict[str, list[str]] = {}
    for name in taken:
        if (match := _NUMBERED.fullmatch(name)) and name == line(name):
            counted.setdefault(match[1], []).append(match[2])
    stem, numbers = max(counted.items(), key=lambda item: len(item[1]), default=("", []))
    if not numbers or (stem[-1:].isalnum() and len(numbers) < 2) or 2 * len(numbers) < len(taken):
        stem, numbers = "fact-", counted.get("fact-", ["000"])
    highest = max(numbers, key=int)
    return f"{stem}{int(highest) + 1:0{len(highest)}d}"


def _ids(value: Any, depth: int = 0) -> Iterator[str | int]:
    if isinstance(value, list):
        for item in value:
            yield from _ids(item, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        for name, item in value.items():
            if name.lower() in {"id", "supersededby", "superseded_by"} and isinstance(item, (str, int)):
                yield item
            elif isinstance(item, dict):
                if telling(item):
                    yield name
                if name.lower() == "facts":
                    yield from item
            yield from _ids(item, depth + 1)

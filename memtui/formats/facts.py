"""facts.json (spec 002): facts read with their places, and one fact inserted, changed or marked in the file's style.

Reading: `{"facts": […]}`, a bare array, an object of facts by their ids, and any other top-level list of facts
(`archived_facts`). Ids, `supersededBy` and categories are written by people and models, so none is relied on.

Then a draft as a record: values under the record's own names, and the next id as the file counts.

Writing: every shape that is read is written as it is, all other bytes untouched; a minified file stays
minified.
"""

from __future__ import annotations

from functools import lru_cache

from memtui.core import clock
from memtui.core.edits import Piece
from memtui.core.errors import RefusedError
from memtui.core.locale import _
from memtui.core.model import Entry, Parsed, Problem, Status
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern
from memtui.core.text import CJK_RUN
from memtui.formats import Added, AppendRecord
from memtui.formats.json_spans import Gone, Json, JsonItem, JsonReader, JsonSpot, Style
from memtui.formats.kinds import match_exact_kind
from memtui.formats.records import (
    build_search_text,
    collect_unknown_fields,
    collect_unread_fields,
    derive_record_status,
    find_first_text,
    find_successor,
    fit_line,
    normalize_field_names,
    parse_end_moment,
    parse_moment,
    parse_number,
    parse_status_value,
    parse_word_list,
    shorten_value,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memtui.core.edits import Draft
    from memtui.formats import Source

_TAKEN = frozenset({
    "id", "fact", "evidence", "timestamp", "status", "category", "supersededBy", "superseded_by", "confidence",
    "tags", "entities", "importance", "importance_score", "session_id", "updated_at", "expires_at", "title", "source",
})  # fmt: skip
_USUAL = frozenset({"id", "fact", "evidence", "timestamp", "status", "category", "supersededBy", "superseded_by"})
OTHERS = ("text", "content", "statement", "description", "summary", "value")
_TOLD = frozenset({"fact", *OTHERS})


def parse(source: Source) -> Parsed:
    """Every fact that is whole, in the order of the file; faults as Problems with their lines."""
    reader = JsonReader(source.text, source.path)
    entries: list[Entry] = []
    char = reader.peek()
    if char == "[":
        entries += (parse_fact_item(item) for item in reader.items())
    elif char == "{":
        for key in reader.members():
            entries += _member(reader, key)
    elif char:
        reader.fault("no facts: neither an object nor an array", 0)
        reader.pos = len(reader.text)
    reader.end()
    if source.cut:
        reader.fault(source.describe_cut(), 0)
    for entry in entries:
        if not entry.text and (entry.key or entry.extra or entry.evidence):
            reader.problems.append(Problem(source.path, entry.start, "a fact with nothing in it"))
    return Parsed(source.text, [entry for entry in entries if entry.text], reader.problems)


def _member(reader: JsonReader, key: str) -> list[Entry]:
    """The facts under one top-level key; keys that hold anything else are left to the file view."""
    char = reader.peek()
    if char == "[":
        items = list(reader.items())
        if key.lower() == "facts":
            return [parse_fact_item(item) for item in items]
        return [parse_fact_item(item) for item in items if isinstance(item.value, dict) and is_fact_record(item.value)]
    if char != "{":
        return []
    if key.lower() == "facts":
        return [
            parse_fact_item(JsonItem(attach_record_id(name, item.value), item.start, item.end))
            for name, item in _members(reader)
        ]
    item = reader.value()
    return (
        [parse_fact_item(JsonItem(attach_record_id(key, item.value), item.start, item.end))]
        if item and is_fact_record(item.value)
        else []
    )


def _members(reader: JsonReader) -> Iterator[tuple[str, JsonItem]]:
    for name in reader.members():
        item = reader.value()
        if item is not None:
            yield name, item


def is_fact_record(record: dict[str, Any]) -> bool:
    return isinstance(record.get("fact"), str) or ("id" in record and bool(find_first_text(record, *OTHERS)))


def attach_record_id(name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return value if "id" in value else {**value, "id": name}
    return {"id": name, "fact": value}


def parse_fact_item(item: JsonItem) -> Entry:
    """One fact; its text is empty where the record says nothing."""
    record, start, end = item
    if isinstance(record, dict) and _TOLD.isdisjoint(record):
        record = normalize_field_names(record, _TAKEN | _TOLD)
    if not isinstance(record, dict):
        text = shorten_value(record)
        return Entry(text, start, end, "fact", search=text)
    text = shorten_value(record.get("fact"))
    name = ""
    if not text:
        name = next((key for key in OTHERS if find_first_text(record, key)), "")
        text = find_first_text(record, name) if name else ""
    evidence = shorten_value(record.get("evidence", ""))
    made = Entry(
        text=text,
        start=start,
        end=end,
        kind="fact",
        created=parse_moment(record.get("timestamp")),
        evidence=evidence,
        key=fit_line(record.get("id", "")),
        search=build_search_text(text, evidence),
    )
    if record.get("status") != "active" or "supersededBy" in record or "deleted_at" in record:
        _status(made, record)
    category = record.get("category")
    if category:
        word = category.strip() if isinstance(category, str) else fit_line(category)
        made.kind = match_exact_kind(word) or "fact"
        if word.lower() != made.kind:
            made.tags = (fit_line(word, 120),)
            made.search = build_search_text(text, fit_line(word), evidence)
    if not record.keys() <= _USUAL:
        _more(made, record, name)
        made.extra = {**made.extra, **collect_unread_fields(made, record)}
    elif made.created is None:
        made.extra = {**made.extra, **collect_unread_fields(made, record)}
    return made


def _status(made: Entry, record: dict[str, Any]) -> None:
    """Unknown words stay in `extra`; a fact that names its successor and no status is superseded."""
    made.superseded_by = find_successor(record)
    made.status = derive_record_status(record)
    named = record.get("status")
    if named and parse_status_value(named) is None:
        made.extra = {"status": named}


def _more(made: Entry, record: dict[str, Any], name: str) -> None:
    """What few facts have."""
    get = record.get
    made.title = fit_line(get("title", ""))
    made.updated = parse_moment(get("updated_at"))
    made.expires = parse_end_moment(get("expires_at"))
    made.confidence = parse_number(get("confidence"))
    made.importance = parse_number(get("importance_score", get("importance")))
    made.tags = (*parse_word_list(get("tags")), *made.tags)
    made.entities = parse_word_list(get("entities"))
    made.session = fit_line(get("session_id", ""))
    made.source = fit_line(get("source", ""))
    made.search = build_search_text(made.text, made.title, made.tags, made.entities, made.evidence)
    extra = collect_unknown_fields(record, _TAKEN)
    extra.pop(name, None)
    made.extra = {**made.extra, **extra}


_NUMBERED = compile_pattern(r"(.*?)([0-9]{1,12})")
_NAMES = {
    "text": "fact", "kind": "category", "tags": "tags", "entities": "entities", "expires": "expires_at",
    "confidence": "confidence", "importance": "importance", "evidence": "evidence", "title": "title",
    "priority": "priority",
}  # fmt: skip
_LISTS = frozenset({"tags", "entities"})


def record_fact_record(draft: Draft, key: str, now: float, model: Mapping[str, Any]) -> dict[str, Any]:
    """The draft as a fact, its keys in the order of the fact before it."""
    told = next((name for name in ("fact", *OTHERS) if isinstance(model.get(name), str)), "fact")
    exactly = isinstance(model.get("timestamp"), str) and len(model["timestamp"]) > 10
    counted = type(model.get("id")) is int and key.isdecimal()
    # A category that is no kind is read as a tag: so a successor keeps the category of what it replaces.
    category, tags = draft.kind, list(draft.tags)
    if category == "fact" and tags and "category" in model and "tags" not in model and not match_exact_kind(tags[0]):
        category = tags.pop(0)
    made: dict[str, Any] = {
        "id": int(key) if counted else key,
        told: draft.text,
        "evidence": draft.evidence,
        "timestamp": clock.convert_to_local(now).isoformat(timespec="seconds") if exactly else clock.format_day(now),
        "status": "active",
        "category": category,
    }
    more = {
        "title": draft.title,
        "tags": tags,
        "entities": list(draft.entities),
        # What was reckoned has a tail that means nothing: 0.8999999999999999.
        "confidence": None if draft.confidence is None else round(draft.confidence, 4),
        "expires_at": None if draft.expires is None else format_fact_expiry(draft.expires),
        "source": draft.source,
    }
    made |= {name: value for name, value in more.items() if value not in ("", None, [])}
    order = [name for name in model if name in made]
    return {name: made[name] for name in [*order, *(name for name in made if name not in order)]}


def tell_by_hand(text: str) -> str:
    """What a fact rests on that a person added and gave no evidence for, in the words of spec 002's own example."""
    return "用户手动添加" if CJK_RUN.search(text) else "added by hand"


def format_fact_expiry(seconds: float) -> str:
    """When something ends: a date where that is the end of a day, else the moment."""
    moment = clock.convert_to_local(seconds)
    whole = (moment.hour, moment.minute, moment.second) == (23, 59, 59)
    return moment.strftime("%Y-%m-%d") if whole else moment.isoformat(timespec="seconds")


def build_record_values(changes: Mapping[str, Any], record: Mapping[str, Any], now: float) -> dict[str, Any]:
    """Fields of an entry -> members of this record, as it names them; an empty value takes its member away."""
    wanted: dict[str, Any] = {}
    for field, value in changes.items():
        name = _NAMES.get(field)
        if name is None:
            raise RefusedError(_("a fact in facts.json has no “{field}”").format(field=field))
        if field == "text" and not find_first_text(record, "fact"):
            name = next((other for other in OTHERS if find_first_text(record, other)), "fact")
        if field == "importance" and "importance_score" in record:
            name = "importance_score"
        name = find_member_name(record, name)
        had = record.get(name)
        told = _told(field, value, record)
        if field in _LISTS and list(parse_word_list(had)) == told:
            continue
        if field == "kind" and isinstance(had, str) and match_exact_kind(had) == value:
            continue
        if told in ("", None) or told == []:
            if name in record:
                wanted[name] = "" if field == "evidence" else Gone
        else:
            wanted[name] = told
    if "updated_at" in record:
        wanted["updated_at"] = clock.convert_to_local(now).isoformat(timespec="seconds")
    return wanted


def _told(field: str, value: Any, record: Mapping[str, Any]) -> Any:
    if field == "expires":
        return None if value is None else format_fact_expiry(value)
    if field == "tags":
        # A category that is no kind is read as a tag: it stays where it stands.
        return [tag for tag in value if tag != record.get("category")]
    return list(value) if field == "entities" else value


def find_member_name(record: Mapping[str, Any], name: str) -> str:
    """The member of that name as this record spells it."""
    return name if name in record else next((key for key in record if key.lower() == name), name)


def allocate_fact_key(document: Any, wanted: str, beside: Iterable[str] = ()) -> str:
    """An id that nothing in the file has or points to, and no member `beside`, counted on as the file counts."""
    taken = [*(str(name) for name in _ids(document)), *filter(None, beside)]
    if wanted and wanted not in taken:
        return wanted
    counted: dict[str, list[str]] = {}
    for name in taken:
        if (match := _NUMBERED.fullmatch(name)) and name == fit_line(name):
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
                if is_fact_record(item):
                    yield name
                if name.lower() == "facts":
                    yield from item
            yield from _ids(item, depth + 1)


_FIRST = b'{\n  "facts": []\n}\n'
"""What a file that did not exist, or was empty, is made from: code-memory's own template, with its indentation."""


class _Fact(NamedTuple):
    """One fact in its place."""

    spot: JsonSpot
    siblings: Sequence[JsonSpot]
    number: int


def add(data: bytes, draft: Draft, now: float, path: str) -> Added:
    """A new fact at the end of the list that the file keeps its facts in."""
    if not data.strip():
        file = Json(_FIRST)
        new = _added(file, draft, now)
        at = new.pieces[0]
        return Added((Piece(0, len(data), _FIRST[: at.start] + at.new + _FIRST[at.end :]),), new.key)
    return _added(Json(data), draft, now)


def record(draft: Draft, now: float, path: str) -> AppendRecord:
    """facts.json is one document: nothing can be appended to it."""
    raise RefusedError(_("{path} is one JSON document: nothing can be appended to it").format(path=path))


def change(data: bytes, entry: Entry, changes: Mapping[str, Any], now: float) -> tuple[Piece, ...]:
    """New values for the fact's fields, under the names that it uses itself."""
    file, found, value = _found(data, entry)
    if isinstance(value, dict):
        return file.changed(found.spot, build_record_values(changes, value, now))
    if changes.keys() <= {"text"}:
        text = changes.get("text", value)
        return (Piece(found.spot.start, found.spot.end, file.text(text)),) if changes else ()
    return _grown(file, found, {"fact": value, **build_record_values(changes, {"fact": value}, now)})


def mark(
    data: bytes, entry: Entry, status: Status, now: float, *, successor: str = "", alone: bool = True
) -> tuple[Piece, ...]:
    """Another status in the fact's own bytes; `supersededBy` in the spelling that the file uses."""
    file, found, value = _found(data, entry)
    had = value if isinstance(value, dict) else {}
    name = find_member_name(had, "status")
    wanted: dict[str, Any] = {name: status.value}
    if status is Status.SUPERSEDED and successor:
        spellings = ("supersededBy", "superseded_by")
        near = next((spelling for spelling in spellings if spelling in had), "")
        far = next((spelling for spelling in spellings if f'"{spelling}"'.encode() in data), spellings[0])
        wanted[near or far] = successor
    elif status in {Status.ACTIVE, Status.CANDIDATE}:
        gone = ("supersededBy", "superseded_by", "deleted_at", "deleted_by")
        wanted |= {name: Gone for name in gone if name in had}
    return file.changed(found.spot, wanted, name) if had else _grown(file, found, {"fact": value, **wanted})


def remove(data: bytes, entry: Entry) -> tuple[Piece, ...]:
    """The fact and its comma go."""
    file, found, _value = _found(data, entry)
    return file.without(found.siblings, found.number)


# -- finding ----------------------------------------------------------------------------------------------------


def _facts(file: Json) -> Iterator[_Fact]:
    """Every element that `parse` takes for a fact, in its order."""
    top = JsonSpot(file.top, file.end)
    if file.kind(top) == "[":
        yield from _listed(file, top)
    elif file.kind(top) == "{":
        members = file.members(top.start)
        for number, member in enumerate(members):
            kind, ours = file.kind(member), member.name.lower() == "facts"
            if (kind == "[" or ours) and kind in "[{":
                found = _listed(file, member)
                yield from found if ours else (fact for fact in found if _tells(file, fact.spot))
            elif kind == "{" and _tells(file, member):
                yield _Fact(member, members, number)


def _listed(file: Json, place: JsonSpot) -> Iterator[_Fact]:
    siblings = file.elements(place)
    for number, spot in enumerate(siblings):
        yield _Fact(spot, siblings, number)


def _tells(file: Json, spot: JsonSpot) -> bool:
    return file.kind(spot) == "{" and is_fact_record(file.decoded(spot))


@lru_cache(maxsize=1)
def _read(data: bytes) -> tuple[Json, dict[int, list[_Fact]]]:
    """The document, and its facts by their lines: whoever marks one of a file often marks many of it."""
    file = Json(data)
    lines: dict[int, list[_Fact]] = {}
    for found in _facts(file):
        lines.setdefault(file.line(found.spot.start), []).append(found)
    return file, lines


def _found(data: bytes, entry: Entry) -> tuple[Json, _Fact, Any]:
    """The fact that the entry was read from, and what stands there. Raises RefusedError where there is none."""
    file, lines = _read(data)
    for found in lines.get(entry.start, ()):
        plain = file.decoded(found.spot)
        value = attach_record_id(found.spot.name, plain) if found.spot.at >= 0 else plain
        read = parse_fact_item(JsonItem(value, entry.start, entry.end))
        if (read.key, read.text) == (entry.key, entry.text):
            return file, found, plain
    raise RefusedError(_("line {line} no longer holds this fact").format(line=entry.start))


def _place(file: Json, top: JsonSpot) -> JsonSpot | None:
    """Where a new fact goes; None: a list for it is still to be made in the object at the top."""
    if file.kind(top) == "[":
        return top
    if file.kind(top) != "{":
        raise RefusedError(_("it holds neither an object nor an array, so no fact has a place in it"))
    members = file.members(top.start)
    ours = [member for member in members if member.name.lower() == "facts"]
    if ours and file.kind(ours[-1]) not in "[{":
        raise RefusedError(_("“facts” in it is neither a list nor an object"))
    if ours:
        return ours[-1]
    return top if any(_tells(file, member) for member in members) else None


# -- writing ----------------------------------------------------------------------------------------------------


def _added(file: Json, draft: Draft, now: float) -> Added:
    top = JsonSpot(file.top, file.end)
    place = _place(file, top)
    siblings = file.elements(place) if place else []
    model = file.decoded(siblings[-1]) if siblings else {}
    if isinstance(model, str) and place and file.kind(place) == "[" and not draft.supersedes:
        return Added((_behind(file, place, siblings, file.text(draft.text), Style()),))
    key = allocate_fact_key(file.value, draft.key, (spot.name for spot in siblings))
    told = record_fact_record(draft, key, now, model if isinstance(model, dict) else {})
    outer, style = _hand(file, top, place, siblings)
    body = file.object(told, style)
    if place is None:
        body = b"[" + style.closing + body + outer.opening + b"]"
        members = file.members(top.start)
        body = file.text("facts") + outer.colon + body
        if members:
            return Added((_behind(file, top, members, body, outer),), key)
        return Added((Piece(top.start + 1, top.end - 1, outer.opening + body + outer.closing),), key)
    if file.kind(place) == "{":
        body = file.text(key) + style.colon + body
    if siblings:
        return Added((_behind(file, place, siblings, body, style),), key)
    after = outer.opening if place is not top else outer.closing
    return Added((Piece(place.start + 1, place.end - 1, style.closing + body + after),), key)


def _hand(file: Json, top: JsonSpot, place: JsonSpot | None, siblings: Sequence[JsonSpot]) -> tuple[Style, Style]:
    """How the outermost object is written, and how a fact in it is, or would be."""
    members = file.members(top.start) if file.kind(top) == "{" else []
    outer = file.style(top, members) if members else file.plain
    for spot in reversed(siblings):
        if file.kind(spot) == "{" and (inside := file.members(spot.start)):
            return outer, file.style(spot, inside)
    around = outer.opening
    if siblings and place:
        around = file.data[place.start + 1 : siblings[0].first]
    if b"\n" not in around:
        gap = b" " if outer.colon.endswith(b" ") else b""
        return outer, Style(b"", b"," + gap, outer.colon, b"")
    unit = outer.opening.rpartition(b"\n")[2] or b"  "
    item = around if siblings or place is top else around + unit
    return outer, Style(item + unit, b"," + item + unit, outer.colon, item)


def _behind(file: Json, place: JsonSpot, siblings: Sequence[JsonSpot], body: bytes, style: Style) -> Piece:
    """A new element behind the last one, divided from it as the last two are."""
    last = siblings[-1]
    between = b"," + file.data[place.start + 1 : last.first]
    if len(siblings) > 1:
        between = file.data[siblings[-2].end : last.first]
    elif between == b"," and b"\n" not in style.between:
        between = style.between
    return Piece(last.end, last.end, between + body)


def _grown(file: Json, found: _Fact, more: Mapping[str, Any]) -> tuple[Piece, ...]:
    """A fact that was a mere text becomes an object, to say more than that."""
    told = file.object({name: value for name, value in more.items() if value is not Gone}, Style())
    return (Piece(found.spot.start, found.spot.end, told),)

"""OpenAkita's memories.json of version 1 (spec 003): one record changed, marked or taken out where it stands.

It is read by `memory_rows.parse_json`. All other bytes stay. What is put away gets the mark that a row of the
database gets (`superseded_by`), which the program takes over with the record when it moves to its database. New
memories go to the database: where there is none, the program makes one of this file when it is started.
"""

from __future__ import annotations

from functools import lru_cache

from memtui.core import clock
from memtui.core.errors import RefusedError
from memtui.core.locale import _
from memtui.core.model import Entry, Status
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple
from memtui.formats.json_spans import Gone, Json, JsonSpot
from memtui.formats.memory_rows import COLUMNS, MARKS, map_memory_kind, name_memory_type, parse_memory_row
from memtui.formats.records import parse_word_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memtui.core.edits import Draft, Piece
    from memtui.formats import Added, AppendRecord


class _Record(NamedTuple):
    spot: JsonSpot
    siblings: Sequence[JsonSpot]
    number: int


def add(data: bytes, draft: Draft, now: float, path: str) -> Added:
    """New memories go to the database."""
    raise RefusedError(
        _(
            "{path} is of version 1: what stands there can be changed, new memories go to a database. OpenAkita makes "
            "it of this file at its next start; `memtui migrate HOME` copies them into a home of memtui's own"
        ).format(path=path)
    )


def record(draft: Draft, now: float, path: str) -> AppendRecord:
    """It is one JSON document: nothing can be appended to it."""
    raise RefusedError(_("{path} is one JSON document: nothing can be appended to it").format(path=path))


def change(data: bytes, entry: Entry, changes: Mapping[str, Any], now: float) -> tuple[Piece, ...]:
    """New values for the record's fields, in its own words."""
    file, found, value = _find_record(data, entry)
    if not isinstance(value, dict):
        raise RefusedError(_("line {line} is a text alone, with no fields").format(line=entry.start))
    wanted: dict[str, Any] = {}
    for field, new in changes.items():
        name = COLUMNS.get(field)
        if name is None:
            raise RefusedError(_("OpenAkita's memories have no “{field}”.").format(field=field))
        if field == "importance" and "importance" in value:
            name = "importance"
        if field == "tags":
            if parse_word_list(value.get(name)) != tuple(new):
                wanted[name] = list(new)
        elif field == "kind":
            if map_memory_kind(value) != new:
                told = name_memory_type(new)
                wanted[name] = told.upper() if str(value.get(name, "")).isupper() else told
        elif field == "expires":
            wanted[name] = None if new is None else _write_moment(new)
        else:
            wanted[name] = new
    return file.changed(found.spot, _add_update_time(value, wanted, now))


def mark(
    data: bytes, entry: Entry, status: Status, now: float, *, successor: str = "", alone: bool = True
) -> tuple[Piece, ...]:
    """Another status, as the column of the database would say it."""
    file, found, value = _find_record(data, entry)
    marks = {status: mark for mark, status in MARKS.items()}
    told = successor if status is Status.SUPERSEDED else marks.get(status, "")
    if not isinstance(value, dict) or (status is not Status.ACTIVE and not told):
        raise RefusedError(_("OpenAkita's memories cannot be marked {status}.").format(status=status.value))
    if status is not Status.ACTIVE:
        return file.changed(found.spot, _add_update_time(value, {"superseded_by": told}, now))
    return (
        file.changed(found.spot, _add_update_time(value, {"superseded_by": Gone}, now))
        if "superseded_by" in value
        else ()
    )


def remove(data: bytes, entry: Entry) -> tuple[Piece, ...]:
    """The record and its comma go."""
    file, found, _value = _find_record(data, entry)
    return file.without(found.siblings, found.number)


def _add_update_time(value: Mapping[str, Any], wanted: dict[str, Any], now: float) -> dict[str, Any]:
    return wanted | ({"updated_at": _write_moment(now)} if wanted and "updated_at" in value else {})


def _write_moment(seconds: float) -> str:
    return clock.convert_to_local(seconds).replace(tzinfo=None).isoformat()


def _list_records(file: Json) -> Iterator[_Record]:
    """Every element that `parse_json` takes for a memory, in its order."""
    top = JsonSpot(file.top, file.end)
    if file.kind(top) == "[":
        yield from _iterate_elements(file, top)
    elif file.kind(top) == "{":
        members = file.members(top.start)
        for number, member in enumerate(members):
            kind = file.kind(member)
            if kind == "[" or (kind == "{" and member.name == "memories"):
                yield from _iterate_elements(file, member)
            elif kind == "{":
                yield _Record(member, members, number)


def _iterate_elements(file: Json, place: JsonSpot) -> Iterator[_Record]:
    siblings = file.elements(place)
    yield from (_Record(spot, siblings, number) for number, spot in enumerate(siblings))


@lru_cache(maxsize=1)
def _read(data: bytes) -> tuple[Json, tuple[_Record, ...]]:
    file = Json(data)
    return file, tuple(_list_records(file))


def _find_record(data: bytes, entry: Entry) -> tuple[Json, _Record, Any]:
    """The record that the entry was read from, and what stands there. Raises RefusedError where there is none."""
    file, records = _read(data)
    for one in records:
        value = file.decoded(one.spot)
        known = {"id": one.spot.name, **value} if isinstance(value, dict) and one.spot.name else value
        read = parse_memory_row(known if isinstance(known, dict) else {"content": known}, 0, 0)
        if read is not None and (read.key, read.text) == (entry.key, entry.text):
            return file, one, value
    raise RefusedError(_("line {line} no longer holds this memory").format(line=entry.start))

"""facts.json (spec 002) written: one fact spliced in, changed or marked in the file's own hand, all else untouched.

Every shape that `parse.facts` reads is written as it is: `{"facts": […]}`, a bare array, facts by their ids, lists of
plain texts; a minified file stays minified, and ids go on as the file counts them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.edits import Piece
from memtui.errors import RefusedError
from memtui.format import Added, Record
from memtui.format.fact_record import named, next_key, values
from memtui.format.fact_record import record as fact_record
from memtui.format.spans import Gone, Json, Spot, Style
from memtui.locale import _
from memtui.model import Status
from memtui.parse.facts import fact, keyed, telling
from memtui.parse.json_reader import Item

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memtui.edits import Draft
    from memtui.model import Entry

_FIRST = b'{\n  "facts": []\n}\n'
"""What a file that did not exist, or was empty, is made from: code-memory's own template, with its indentation."""


class _Fact(NamedTuple):
    """One fact in its place."""

    spot: Spot
    siblings: Sequence[Spot]
    number: int


def add(data: bytes, draft: Draft, now: float, path: str) -> Added:
    """A new fact at the end of the list that the file keeps its facts in."""
    if not data.strip():
        file = Json(_FIRST)
        new = _added(file, draft, now)
        at = new.pieces[0]
        return Added((Piece(0, len(data), _FIRST[: at.start] + at.new + _FIRST[at.end :]),), new.key)
    return _added(Json(data), draft, now)


def record(draft: Draft, now: float, path: str) -> Record:
    """facts.json is one document: nothing can be appended to it."""
    raise RefusedError(_("{path} is one JSON document: nothing can be appended to it").format(path=path))


def change(data: bytes, entry: Entry, changes: Mapping[str, Any], now: float) -> tuple[Piece, ...]:
    """New values for the fact's fields, under the names that it uses itself."""
    file, found, value = _found(data, entry)
    if isinstance(value, dict):
        return file.changed(found.spot, values(changes, value, now))
    if changes.keys() <= {"text"}:
        text = changes.get("text", value)
        return (Piece(found.spot.start, found.spot.end, file.text(text)),) if changes else ()
    return _grown(file, found, {"fact": value, **values(changes, {"fact": value}, now)})


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
    """Another status in the fact's own bytes; `supersededBy` in the spelling that the file uses."""
    file, found, value = _found(data, entry)
    had = value if isinstance(value, dict) else {}
    name = named(had, "status")
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
    """Every element that `parse.facts` takes for a fact, in its order."""
    top = Spot(file.top, file.end)
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


def _listed(file: Json, place: Spot) -> Iterator[_Fact]:
    siblings = file.elements(place)
    for number, spot in enumerate(siblings):
        yield _Fact(spot, siblings, number)


def _tells(file: Json, spot: Spot) -> bool:
    return file.kind(spot) == "{" and telling(file.decoded(spot))


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
        value = keyed(found.spot.name, plain) if found.spot.at >= 0 else plain
        read = fact(Item(value, entry.start, entry.end))
        if (read.key, read.text) == (entry.key, entry.text):
            return file, found, plain
    raise RefusedError(_("line {line} no longer holds this fact").format(line=entry.start))


def _place(file: Json, top: Spot) -> Spot | None:
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
    top = Spot(file.top, file.end)
    place = _place(file, top)
    siblings = file.elements(place) if place else []
    model = file.decoded(siblings[-1]) if siblings else {}
    if isinstance(model, str) and place and file.kind(place) == "[" and not draft.supersedes:
        return Added((_behind(file, place, siblings, file.text(draft.text), Style()),))
    key = next_key(file.value, draft.key, (spot.name for spot in siblings))
    told = fact_record(draft, key, now, model if isinstance(model, dict) else {})
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


def _hand(file: Json, top: Spot, place: Spot | None, siblings: Sequence[Spot]) -> tuple[Style, Style]:
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


def _behind(file: Json, place: Spot, siblings: Sequence[Spot], body: bytes, style: Style) -> Piece:
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

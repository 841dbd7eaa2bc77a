"""Frontmatter changed name by name: what is there keeps its order, its quotes and its odd blanks.

Never added to a file that has none.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memtui.edits import Piece
from memtui.errors import RefusedError
from memtui.format.bullet import ending
from memtui.locale import _
from memtui.model import Status
from memtui.parse.asides import called
from memtui.parse.frontmatter import scalar
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.format.lines import Lines
    from memtui.model import Entry

_FIELDS = {
    "text": ("description", "summary"),
    "title": ("name", "title"),
    "kind": ("type", "kind"),
    "tags": ("tags", "keywords"),
    "entities": ("entities",),
    "expires": ("expires", "expires_at"),
    "confidence": ("confidence",),
    "evidence": ("evidence",),
    "priority": ("priority",),
}
_MODIFIED = ("modified", "updated", "updatedAt", "lastUpdated")
_SUCCESSOR = ("superseded_by", "supersededBy")
_KEY_LENGTH = 80
_UNKEYED = frozenset("()（）,，;；~→<>")
_PLAIN = pattern(r"[\w一-鿿(/][^\n\"'\[\]{}]*")
_KEY = pattern(r"(\s*)([\"']?)([^:\"']+)\2\s*:(\s*)")


def changed(
    lines: Lines, first: int, end: int, entry: Entry, changes: Mapping[str, Any], now: float
) -> tuple[Piece, ...]:
    """The pieces that give a document's fields new values; `modified` follows where it is there."""
    values: dict[tuple[str, ...], str | None] = {}
    for name, value in changes.items():
        if name not in _FIELDS:
            raise RefusedError(_("Frontmatter has no place for this: {what}.").format(what=name))
        if value == getattr(entry, name, entry.extra.get(name)):
            continue
        values[_FIELDS[name]] = _said(name, value)
    if values:
        moment = datetime.fromtimestamp(now, UTC)
        stamp = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"
        for name in _MODIFIED:
            if _line(lines, first, end, (name,)) is not None:
                values[(name,)] = stamp
    return put(lines, first, end, values)


def marked(lines: Lines, first: int, end: int, status: Status, successor: str) -> tuple[Piece, ...]:
    """A document's status, and what replaces it; active again, both lines go."""
    name = named(successor)
    return put(
        lines,
        first,
        end,
        {
            ("status",): None if status is Status.ACTIVE else status.value,
            _SUCCESSOR: name if status is Status.SUPERSEDED and name else None,
        },
    )


def named(successor: str) -> str:
    """How a memory is named by what it gave way to: by its key, else by how its text begins."""
    word = successor.strip()
    return (
        called(word) if len(word) > _KEY_LENGTH or any(c in _UNKEYED or c.isspace() for c in word) else word
    )


def put(
    lines: Lines, first: int, end: int, values: Mapping[tuple[str, ...], str | None]
) -> tuple[Piece, ...]:
    """Values for names (the first of each is written where none is there); None: its lines go."""
    pieces: list[Piece] = []
    new: list[str] = []
    for names, value in values.items():
        at = _line(lines, first, end, names)
        if at is None:
            if value is not None:
                new.append(f"{names[0]}: {quoted(value)}\n")
            continue
        below = _below(lines, at, end)
        if value is None:
            pieces.append(Piece(lines.start(at), lines.start(below), b""))
            continue
        raw = lines.exact(at)
        key = _KEY.match(raw)
        assert key is not None
        old = raw[key.end() :].rstrip()
        if below == at + 1 and scalar(old) == value:
            continue
        start = key.end() - len(key[4])
        single = below == at + 1
        stop = max(len(lines.exact(below - 1).rstrip()), start if single else 0)
        text = (key[4][:1] or " ") + _alike(old if single else "", value)
        pieces.append(Piece(lines.column(at, start), lines.column(below - 1, stop), lines.encoded(text)))
    if new:
        at = lines.start(end - 1)
        pieces.append(Piece(at, at, lines.encoded("".join(new))))
    return tuple(sorted(pieces, key=lambda piece: (piece.start, piece.end)))


def quoted(value: str) -> str:
    """A value as every reader of YAML takes it: in quotes where anything in it could mean something else."""
    plain = _PLAIN.fullmatch(value) and ": " not in value and " #" not in value and value[-1] not in ": "
    words = {"true", "false", "null", "yes", "no", "on", "off", "~"}
    if plain and value.lower() not in words:
        return value
    return json.dumps(value, ensure_ascii=False)


def _alike(old: str, value: str) -> str:
    if old[:1] == '"':
        return json.dumps(value, ensure_ascii=False)
    if old[:1] == "'" and "\n" not in value:
        return "'" + value.replace("'", "''") + "'"
    return value if old[:1] == "[" and value[:1] == "[" else quoted(value)


def _line(lines: Lines, first: int, end: int, names: tuple[str, ...]) -> int | None:
    """The line that gives one of these names a value, at the top or right under `metadata:`."""
    wanted = {name.lower() for name in names}
    inside = ""
    nested: int | None = None
    for at in range(first + 1, end - 1):
        raw = lines.raw(at)
        key = _KEY.match(raw)
        if key is None or not raw.strip():
            continue
        name = key[3].strip().lower()
        if not key[1]:
            inside = name
            if name in wanted:
                return at
        elif inside == "metadata" and name in wanted and nested is None:
            nested = at
    return nested


def _below(lines: Lines, at: int, end: int) -> int:
    """The line after a name's value, which may go on further in."""
    raw = lines.raw(at)
    indent = len(raw) - len(raw.lstrip())
    below = at + 1
    while below < end - 1:
        text = lines.raw(below)
        bare = text.lstrip()
        if bare and len(text) - len(bare) <= indent and not (bare[0] == "-" and bare[1:2] in {"", " "}):
            break
        below += 1
    while below > at + 1 and not lines.raw(below - 1).strip():
        below -= 1
    return below


def _said(name: str, value: Any) -> str | None:
    if not value and value != 0:
        return None
    if name in {"tags", "entities"}:
        return "[" + ", ".join(" ".join(str(word).replace(",", " ").split()) for word in value) + "]"
    if name == "expires":
        return ending(float(value))
    if name == "confidence":
        return f"{float(value):g}"
    return " ".join(str(value).split())

"""Lines that move are carried as they stand: a date, a box, a comment at their end go with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.edits import Draft, Edit
from memtui.layouts import layout
from memtui.parse import parse
from memtui.parse.source import Source

if TYPE_CHECKING:
    from memtui.curation.standing import Standing
    from memtui.edits import Change
    from memtui.model import Entry, Home, Memory


def carried(
    found: Standing, there: Home, new: tuple[Change, ...], gone: tuple[Change, ...]
) -> tuple[Change, ...]:
    """The changes of the new place with the old lines in them, where Markdown says the same there with these."""
    edit, old = new[0], gone[0]
    if found.form != "markdown" or len(new) > 1 or not isinstance(edit, Edit) or not isinstance(old, Edit):
        return new
    if not edit.path.endswith(".md") or not edit.pieces or len(old.pieces) != 1 or old.pieces[0].new:
        return new
    last = edit.pieces[-1]
    lines = found.data[old.pieces[0].start : old.pieces[0].end]
    whole = lines.endswith(b"\n") and last.new.endswith(b"\n") and not lines[:1].isspace()
    if not whole or lines.endswith(b"\r\n") != last.new.endswith(b"\r\n"):
        return new
    moved = edit._replace(pieces=(*edit.pieces[:-1], last._replace(new=lines)))
    expected = sorted([*_said(there, edit.path, edit.base or b""), _told(found.entry)])
    return (moved,) if _said(there, edit.path, moved.new) == expected else new


def _said(home: Home, path: str, data: bytes) -> list[str]:
    role = layout(home.layout).role(home.path, path)
    return [] if role is None else sorted(map(_told, parse(Source(path, role, data, size=len(data))).entries))


def _told(entry: Entry) -> str:
    known = (
        entry.text,
        entry.status,
        entry.tags,
        entry.created,
        entry.expires,
        entry.confidence,
        entry.source,
    )
    return repr(known)


def drafted(memory: Memory, section: str) -> Draft:
    """The memory as something to write elsewhere."""
    return Draft(
        memory.text,
        memory.kind,
        section,
        memory.tags,
        memory.entities,
        memory.confidence,
        memory.expires,
        memory.source or memory.session,
        memory.evidence,
        title=memory.title,
        key=memory.key,
    )

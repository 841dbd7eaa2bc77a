"""Spec 001's dated lines: `- 2026-02-24T10:12:33Z [pref] text #tag (source=run-id)`, one memory a line, UTC.

A day file in this form has no header. Where a person edits one, its lines are list items like any other.
"""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memtui.edits import Piece
from memtui.format import Added, Record
from memtui.format.bullet import ending, known, tags, unspaced, worded
from memtui.format.items import change, mark, remove
from memtui.format.lines import Lines
from memtui.model import Layer
from memtui.parse import parse
from memtui.parse.source import Role, Source
from memtui.pattern import pattern

if TYPE_CHECKING:
    from memtui.edits import Draft
    from memtui.model import Entry

__all__ = ["add", "change", "duplicate", "mark", "record", "remove"]

_STAMP = pattern(r"^\d{4}-\d\d-\d\dT[\d:]+Z\s+")
_ROLE = Role(Layer.JOURNAL, "note", "journal")


def record(draft: Draft, now: float, path: str) -> Record:
    """One line; the text's own line ends become blanks."""
    moment = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    text = " ".join(" ".join(worded(draft.text)).split())
    parts = [f"- {moment} [{known(draft.kind)}] {text}", *(f"#{tag}" for tag in tags(draft.tags))]
    if draft.expires is not None:
        parts.append(f"(expires: {ending(draft.expires)})")
    if source := unspaced(draft.source):
        parts.append(f"(source={source})")
    return Record(" ".join(parts))


def add(data: bytes, draft: Draft, now: float, path: str) -> Added:
    """The line at the file's end; what stands there without a line end is not welded to it."""
    return ended(data, record(draft, now, path), path)


def ended(data: bytes, new: Record, path: str) -> Added:
    """A record as pieces at the end of a file."""
    lines = Lines(data, path)
    at = len(data)
    text = (new.header if not lines.text else "") + new.text
    written = lines.encoded(f"{text}\n" if lines.ended else f"\n{text}")
    return Added((Piece(at, at, written),), new.key)


def duplicate(data: bytes, draft: Draft, path: str = "daily.md") -> int:
    """The first line with the same kind, text and tags already, whatever its time and source; 0: there is none."""
    new = parse(Source(path, _ROLE, record(draft, 0, path).text.encode("utf-8", "replace"))).entries
    wanted = [_said(entry) for entry in new]
    entries = parse(Source(path, _ROLE, data)).entries
    return next((entry.start for entry in entries if [_said(entry)] == wanted), 0)


def _said(entry: Entry) -> tuple[str, str, tuple[str, ...]]:
    # A line of nothing but marks is shown as it stands, its time included.
    plain = " ".join(unicodedata.normalize("NFC", _STAMP.sub("", entry.text)).casefold().split())
    return entry.kind, plain, tuple(sorted({word.casefold() for word in entry.tags}))

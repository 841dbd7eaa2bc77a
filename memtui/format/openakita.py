"""A row of OpenAkita's `memories` (spec 003) as it should become: new values in its columns' own types and words.

Upstream leaves out what has `superseded_by` or is past `expires_at`, and its retention removes what expired. So what
is archived or deleted here gets a mark of ours in `superseded_by`: kept, out of the agent's sight, and restorable.
"""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.edits import RowEdit
from memtui.errors import RefusedError
from memtui.locale import _
from memtui.model import Status
from memtui.parse.fields import words
from memtui.parse.openakita_rows import KINDS, MARKS, kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.edits import Draft, Value

TABLE = "memories"
_SHARED = ("scope", "scope_owner", "agent_id", "user_id", "workspace_id")
_COLUMNS = {
    "text": "content", "kind": "type", "tags": "tags", "expires": "expires_at", "confidence": "confidence",
    "importance": "importance_score", "priority": "priority",
}  # fmt: skip


def added(home: str, path: str, draft: Draft, now: float, model: Mapping[str, Value]) -> RowEdit:
    """A new row; `model` is one that stands there and says whose memory it is, or only the names of the columns."""
    made: dict[str, Value] = {
        "content": _whole(draft.text),
        "type": _type(draft.kind),
        "priority": "permanent" if draft.expires is None else "long_term",
        "source": draft.source or "memtui",
        "tags": json.dumps(list(draft.tags), ensure_ascii=False),
        "created_at": _naive(now),
        "updated_at": _naive(now),
        "expires_at": None if draft.expires is None else _naive(draft.expires),
        "confidence": draft.confidence,
    }
    made |= {name: model[name] for name in _SHARED if model.get(name) is not None}
    if draft.confidence is None:
        del made["confidence"]
    key = draft.key or secrets.token_hex(4)
    return RowEdit(
        home, path, TABLE, key, None, {name: value for name, value in made.items() if name in model}
    )


def changed(
    home: str, path: str, row: Mapping[str, Value], changes: Mapping[str, Any], now: float
) -> RowEdit:
    """New values for the fields of the memory in this row."""
    after: dict[str, Value] = {}
    for field, value in changes.items():
        name = _COLUMNS.get(field)
        if name is None:
            raise RefusedError(_("OpenAkita's memories have no “{field}”.").format(field=field))
        if field == "tags":
            if words(row.get(name)) != tuple(value):
                after[name] = json.dumps(list(value), ensure_ascii=False)
        elif field == "kind":
            if kind_of(row) != value:
                after[name] = _type(value)
        elif field == "expires":
            after[name] = None if value is None else _naive(value)
        else:
            after[name] = _whole(value) if isinstance(value, str) else value
    return _set(home, path, row, after, now)


def marked(
    home: str, path: str, row: Mapping[str, Value], status: Status, now: float, *, successor: str = ""
) -> RowEdit:
    """Another status, as `superseded_by` can say it."""
    marks = {status: mark for mark, status in MARKS.items()}
    if status not in {Status.ACTIVE, Status.SUPERSEDED, *marks} or (
        status is Status.SUPERSEDED and not successor
    ):
        raise RefusedError(_("OpenAkita's memories cannot be marked {status}.").format(status=status.value))
    mark = None if status is Status.ACTIVE else marks.get(status, successor)
    return _set(home, path, row, {"superseded_by": mark}, now)


def _set(home: str, path: str, row: Mapping[str, Value], after: dict[str, Value], now: float) -> RowEdit:
    for name in after:
        if name not in row:
            raise RefusedError(
                _("This database is too old to say that: it has no “{name}”.").format(name=name)
            )
    if after and "updated_at" in row:
        after["updated_at"] = _naive(now)
    before = {name: row[name] for name in ("content", *after)}
    return RowEdit(home, path, TABLE, str(row["id"]), before, after)


def _type(kind: str) -> str:
    return next((name for name, known in KINDS.items() if known == kind), "fact")


def _naive(seconds: float) -> str:
    return clock.local(seconds).replace(tzinfo=None).isoformat()


def _whole(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RefusedError(_("the text holds half of a character, which no file can keep")) from None
    return text

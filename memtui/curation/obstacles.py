"""Why a verb cannot be done with a memory, as far as that can be told without reading its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.curation.standing import NO_ROW, RECORDS, ROWS, form_of, is_row
from memtui.edits import RowEdit
from memtui.errors import MemtuiError
from memtui.layouts import layout
from memtui.model import PERISHABLE, Status

if TYPE_CHECKING:
    from memtui.model import Memory
    from memtui.vault import Vault

GONE_BY = "It no longer holds: restore it before it is moved."
_HOLDS = (Status.ACTIVE, Status.CANDIDATE)
_AWAY = (Status.ARCHIVED, Status.DELETED)


def why_not(verb: str, memory: Memory, vault: Vault) -> str:
    """Why it cannot be done, as a source string; empty: it can be tried."""
    home = next((home for home in vault.homes if str(home.path) == memory.home), None)
    if home is None:
        return "Its home is not open."
    if not home.writable:
        return "This home may not be written."
    kind = layout(home.layout)
    reason = kind.read_only(memory.path)
    if reason:
        return reason
    form = form_of(home, memory.path)
    if not form:
        return "Files of this kind are only read."
    if form == ROWS and not is_row(memory):
        return NO_ROW
    if form == RECORDS and not memory.key and kind.append_only(memory.path):
        return "The record has no id, and its file is only appended to."
    return _status(verb, memory)


def _status(verb: str, memory: Memory) -> str:
    status = memory.status
    if verb == "restore" and status in _HOLDS:
        return "It holds: there is nothing to restore."
    if verb == "archive" and status in _AWAY:
        return "It is put away already."
    if verb == "supersede" and status is Status.SUPERSEDED and memory.superseded_by:
        return "It was replaced already: > goes to what replaced it."
    if verb == "move" and status not in PERISHABLE and status is not Status.EXPIRED:
        return GONE_BY
    if verb == "delete" and status is Status.DELETED:
        return "It is deleted already."
    return ""


def unwritable(home: str, path: str) -> str:
    """Why no memory of a database can be put away, as a sentence; empty: it can be tried, if nobody is writing it."""
    from memtui.disk import rows
    from memtui.format.openakita import TABLE

    try:
        rows.expect(RowEdit(home, path, TABLE, "", None, {"superseded_by": None}))
    except MemtuiError as error:
        return str(error)
    return ""

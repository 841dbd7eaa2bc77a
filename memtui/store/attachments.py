"""Attachments of a home (spec 003): those whose time is over are proposed for the trash; none goes without being asked.

One is over when its row says so (`expires_at`), or when it is older than `lifecycle.attachments_days` and no
memory that still holds is linked to it. Approving moves the file to the trash where it stands inside the home,
and marks the row where the database can be written; `undo` restores both to the byte.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from memtui.core import clock
from memtui.core.edits import Edit, RowEdit
from memtui.core.errors import ConflictError, MemtuiError, RefusedError, VanishedError
from memtui.core.locale import _, _n
from memtui.core.model import Layer, Status
from memtui.formats.memory_rows import MARKS, parse_attachment_row
from memtui.formats.records import fit_line, parse_number, parse_word_list
from memtui.fs import database_rows
from memtui.fs.files import HomeReader, split_home_path
from memtui.layouts import Attaching, load_layout
from memtui.store.candidates import Candidate, CandidateSource, compute_candidate_id
from memtui.store.proposing import list_home_memories
from memtui.store.retention import DAY, explain_exemption
from memtui.store.standing import ROWS, find_file_format, find_open_home

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from memtui.core.edits import Change, Value
    from memtui.core.model import Entry, Home, Memory
    from memtui.store.proposing import HomeMemories
    from memtui.store.vault import Vault

TABLE, KIND = "attachments", "attachment"
LARGEST = 16 * 1024 * 1024
"""Bytes of a file that the trash, which is the undo journal, still takes: it keeps them whole."""
LINK, LINKED = "local_path", "linked_memory_ids"

_MARK = next(mark for mark, status in MARKS.items() if status is Status.ARCHIVED)
_PARTS = (("file_size", "size"), ("mime_type", "type"), ("direction", "direction"))


def propose_attachments(vault: Vault, count: HomeMemories) -> Iterator[Candidate]:
    """The attachments of one home whose time is over, oldest first."""
    home = count.home
    if not isinstance(load_layout(home.layout), Attaching):
        return
    over = _list_overdue(vault, count.memories.values())
    markable = {path: _can_mark(home, path) for path in {count.memories[named].path for named in over}}
    for memory in sorted((count.memories[named] for named in over), key=lambda one: one.created or 0.0):
        path = _locate_file(home, memory)
        warnings: list[str] = []
        if not path:
            warnings.append(_("its file is not inside this home, or not there: only its row is marked"))
        elif large := _explain_too_large(path, _measure_file(home, path)):
            warnings.append(large)
        if not markable[memory.path]:
            if not path:
                continue
            warnings.append(_("its row cannot be marked in this database: only the file goes"))
        name = memory.title or os.path.basename(str(memory.extra.get(LINK, "")))
        text = f"{name}: {memory.text}" if name and name not in memory.text else memory.text
        yield Candidate(
            compute_candidate_id("attachment", str(home.path), f"{memory.key}\n{text}"),
            "attachment",
            str(home.path),
            text,
            memory.kind,
            memory.layer or Layer.KNOWLEDGE,
            None,
            0.0,
            tuple((_(told), _format_file_size(memory) if told == "size" else fit_line(memory.extra[name]))
                  for name, told in _PARTS if memory.extra.get(name)),
            (CandidateSource(str(home.path), memory.path, memory.start, memory.session, memory.created),),
            warnings=tuple(warnings),
            time=memory.created,
            memories=(memory.id,),
            reason=over[memory.id],
        )  # fmt: skip


def explain_due(memory: Memory, holding: Container[str], now: float, days: float) -> str:
    """Why an attachment's time is over, for a person; empty: it is not.

    `holding` are the ids of the memories that still hold; what is older than `days` goes without one, 0 keeps it.
    """
    if memory.status not in {Status.ACTIVE, Status.EXPIRED} or explain_exemption(memory):
        return ""
    if memory.expires is not None:
        told = _("it expired on {day}").format(day=clock.format_day(memory.expires))
        return told if memory.expires <= now else ""
    if not days or memory.created is None or now - memory.created < days * DAY:
        return ""
    if any(named in holding for named in parse_word_list(memory.extra.get(LINKED))):
        return ""
    age = int((now - memory.created) / DAY)
    return _n(
        "no memory refers to it any more, and it is {count} day old",
        "no memory refers to it any more, and it is {count} days old",
        age,
    )


def _list_overdue(vault: Vault, known: Iterable[Memory]) -> dict[str, str]:
    """The attachments among a home's memories whose time is over, by id, and why."""
    now, days = clock.now(), vault.config.lifecycle.attachments_days
    known = list(known)
    holding = frozenset(memory.key for memory in known if memory.status is Status.ACTIVE and memory.kind != KIND)
    return {
        memory.id: why for memory in known if memory.kind == KIND and (why := explain_due(memory, holding, now, days))
    }


def build_attachment_changes(vault: Vault, candidate: Candidate) -> tuple[Change, ...]:
    """What approving writes: the row's mark, and its file gone to the trash.

    Raises RefusedError where it is not over any more or nothing can be done, ConflictError where the row has changed.
    """
    home = find_open_home(vault, candidate.home)
    beside = {memory.id: memory for memory in list_home_memories(vault, home)}
    over = _list_overdue(vault, beside.values())
    chosen = [beside[named] for named in candidate.memories if named in over]
    if not chosen:
        raise RefusedError(_("It has changed since: look at it again."))
    made: list[Change] = []
    for memory in chosen:
        if _can_mark(home, memory.path):
            made.append(_mark(vault, home, memory))
        path = _locate_file(home, memory)
        if path and not _is_shared(home, memory, path, beside.values()):
            made.append(_remove_file(vault, home, path))
    if not made:
        raise RefusedError(_("Its file is not inside this home, and its row cannot be marked."))
    return tuple(made)


def _is_shared(home: Home, memory: Memory, path: str, beside: Iterable[Memory]) -> bool:
    """Whether another attachment that is kept has the same file."""
    return any(
        other.id != memory.id
        and other.kind == KIND
        and other.status in {Status.ACTIVE, Status.EXPIRED}
        and _locate_file(home, other) == path
        for other in beside
    )


# -- the row ------------------------------------------------------------------------------------------------------


def _can_mark(home: Home, path: str) -> bool:
    """Whether a database can say that a row is put away: not one that is newer than known, or kept in another way."""
    if find_file_format(home, path) != ROWS:
        return False
    try:
        database_rows.expect(RowEdit(str(home.path), path, TABLE, "", {}, {}))
    except MemtuiError:
        return False
    return True


def _mark(vault: Vault, home: Home, memory: Memory) -> RowEdit:
    row = vault.row(str(home.path), memory.path, TABLE, memory.key)
    entry = None if row is None else parse_attachment_row(row, memory.start, memory.end)
    if row is None or entry is None or _describe_state(entry) != _describe_state(memory):
        raise ConflictError(
            _("{path} has changed since this was read: look again.").format(path=memory.path),
            home=memory.home, path=memory.path, base=None, theirs=None, mine=None,
        )  # fmt: skip
    expected = {name: row[name] for name in ("tags", LINK, LINKED, "expires_at") if name in row}
    after: dict[str, Value] = {"tags": json.dumps([*parse_word_list(row["tags"]), _MARK], ensure_ascii=False)}
    return RowEdit(memory.home, memory.path, TABLE, memory.key, expected, after)


def _describe_state(entry: Entry) -> tuple[object, ...]:
    """All by which it is due, and its file known: where any of it has changed, somebody wants it."""
    status = Status.ACTIVE if entry.status is Status.EXPIRED else entry.status
    return status, entry.tags, entry.created, entry.expires, entry.extra.get(LINK), entry.extra.get(LINKED)


# -- the file -----------------------------------------------------------------------------------------------------


def _locate_file(home: Home, memory: Memory) -> str:
    """Where its file stands, relative to the home; empty: not inside it, behind a link, or not there."""
    said = memory.extra.get(LINK)
    kind = load_layout(home.layout)
    if not isinstance(said, str) or not isinstance(kind, Attaching):
        return ""
    root, workspace = str(home.path), memory.path.partition("data/memory/")[0]
    places = [os.path.join(root, *workspace.split("/"), said), os.path.join(root, said)]
    if os.path.isabs(said):
        places.append(os.path.join(os.path.realpath(os.path.dirname(said)), os.path.basename(said)))
    with HomeReader(root) as reader:
        for place in places:
            path = os.path.relpath(os.path.normpath(place), root).replace(os.sep, "/")
            try:
                split_home_path(path)
                reader.read(path, 0)
            except (MemtuiError, OSError, ValueError):
                continue
            return path if kind.attached(home.path, path) else ""
    return ""


def _remove_file(vault: Vault, home: Home, path: str) -> Edit:
    try:
        large = _explain_too_large(path, _measure_file(home, path))
    except FileNotFoundError:
        raise VanishedError(_("{path} is gone.").format(path=path)) from None
    if large:
        raise RefusedError(large)
    return Edit(str(home.path), path, vault.bytes_of(str(home.path), path), (), remove=True)


def _measure_file(home: Home, path: str) -> int:
    """The bytes of a file of the home. Raises FileNotFoundError, OutsideError, UnavailableError."""
    with HomeReader(home.path) as reader:
        return reader.read(path, 0)[1].st_size


def _explain_too_large(path: str, size: int) -> str:
    """Why the trash does not take a file of that size, for a person; empty: it does."""
    if size <= LARGEST:
        return ""
    told = _("{path} is {size} MB: the trash takes {most} MB at most. Remove it yourself.")
    return told.format(path=path, size=size >> 20, most=LARGEST >> 20)


def _format_file_size(memory: Memory) -> str:
    size = parse_number(memory.extra.get("file_size")) or 0.0
    for unit in ("B", "kB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} MB"

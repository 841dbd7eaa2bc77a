"""One change carried out on the disk: what it is going to do, doing it, and what takes it back."""

from __future__ import annotations

import os
import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING

from memtui.disk.append import append, take_back
from memtui.disk.commit import commit, current, remove, temporary
from memtui.disk.drafts import keep
from memtui.disk.files import etag, inside
from memtui.disk.record import Done, Patch
from memtui.edits import Append, Edit, Piece, RowEdit
from memtui.errors import ConflictError
from memtui.locale import _
from memtui.rebase import patches

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.disk.folder import Held
    from memtui.disk.record import Record
    from memtui.edits import Change

LINGER = 2.0
"""Seconds in which a program that had a file open may still write into what was displaced (reliability §2.2)."""

_displaced: deque[tuple[float, str, Held]] = deque(maxlen=32)


def planned(change: Change) -> Done:
    """What the change is going to do, for the journal's intent."""
    if isinstance(change, RowEdit):
        return Done(
            "row",
            change.home,
            change.path,
            table=change.table,
            key=change.key,
            old=None if change.before is None else dict(change.before),
            new=None if change.after is None else dict(change.after),
        )
    made = _missing(change.home, change.path)
    if isinstance(change, Append):
        size = _size(change.home, change.path)
        record = change.record.encode() + b"\n"
        if not size:
            record = change.header.encode() + record
        patch = Patch(size or 0, b"", record)
        return Done("append", change.home, change.path, None if size is None else "", "", (patch,), made=made)
    base = change.base or b""
    pieces = (Piece(0, len(base), b""),) if change.remove else change.pieces
    return Done(
        "edit",
        change.home,
        change.path,
        None if change.base is None else etag(base),
        None if change.remove else etag(change.new),
        patches(base, pieces),
        made=made,
        temp=temporary(),
    )


def _missing(home: str, path: str) -> tuple[str, ...]:
    """The directories that a file needs and that are not there yet, outermost first."""
    parts = inside(path)[:-1]
    places = (os.path.join(home, *parts[: depth + 1]) for depth in range(len(parts)))
    return tuple(place for place in places if not os.path.lexists(place))


def _size(home: str, path: str) -> int | None:
    try:
        return os.stat(os.path.join(home, *path.split("/"))).st_size
    except OSError:
        return None


def expect(change: Edit) -> None:
    """Raises ConflictError where the file is not what the edit was made from."""
    theirs = current(change.home, change.path)
    if theirs != change.base:
        raise ConflictError(
            _("{path} has changed since it was read.").format(path=change.path),
            home=change.home,
            path=change.path,
            base=change.base,
            theirs=theirs,
            mine=None if change.remove else change.new,
        )


def carry_out(change: Change, plan: Done) -> tuple[Done, Callable[[], object]]:
    """Write one change; what was done, and what takes it back if a later one fails."""
    if isinstance(change, RowEdit):
        return plan, carry_rows([change])
    home, path = change.home, change.path
    if isinstance(change, Append):
        placed = append(home, path, change.record.encode(), change.header.encode())
        return plan._replace(patches=(Patch(placed.offset, b"", placed.written),)), partial(
            take_back, home, path, placed
        )
    if change.remove:
        base = change.base or b""
        gone = remove(home, path, base, temp=plan.temp)
        mode = gone.displaced.status.st_mode & 0o777 if gone.displaced else 0o600
        return plan._replace(mode=mode), partial(commit, home, path, None, base, mode=mode)
    new = change.new
    held = commit(home, path, change.base, new, temp=plan.temp, mode=change.mode).displaced
    if held is not None:
        _displaced.append((time.monotonic(), os.path.join(home, path), held))
    if change.base is None:
        return plan, partial(remove, home, path, new)
    return plan, partial(commit, home, path, new, change.base)


def carry_rows(changes: Sequence[RowEdit]) -> Callable[[], object]:
    """Write rows of one database, all or none; what takes them back if a later change fails."""
    from memtui.disk import rows

    rows.write(*changes)
    return partial(
        rows.write, *(one._replace(before=one.after, after=one.before) for one in reversed(changes))
    )


def unmade(record: Record) -> None:
    """Directories that the write made go with it, if nothing else came into them."""
    for done in record.changes:
        for directory in reversed(done.made):
            try:
                os.rmdir(directory)
            except OSError:
                break


def overtaken(ending: bool = False) -> list[str]:
    """Where texts are kept that somebody wrote into a file after it had been replaced; the process may be `ending`."""
    found: list[str] = []
    while _displaced and (ending or _displaced[0][0] + LINGER < time.monotonic()):
        _since, where, held = _displaced.popleft()
        try:
            late = held.changed()
        except OSError:
            late = None
        held.close()
        if late is not None:
            found.append(f"{where}: {keep(os.path.basename(where), late)}")
    return found

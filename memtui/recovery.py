"""After a process died in the middle of a write: what it wrote is found out and finished, or taken back whole.

An intent whose locks are free has no process any more. Its files say how far it came (reliability §2.1, F1).
"""

from __future__ import annotations

import contextlib
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

from memtui.carry import unmade
from memtui.disk.append import mend, tail
from memtui.disk.commit import commit, current, remove
from memtui.disk.drafts import keep
from memtui.disk.exchange import aside
from memtui.disk.files import etag
from memtui.disk.folder import spot
from memtui.disk.locks import lock_for, locked
from memtui.edits import spliced
from memtui.errors import LockedError, MemtuiError
from memtui.rebase import undone_pieces

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from memtui.disk.journal import Journal
    from memtui.disk.record import Done, Record
    from memtui.edits import Value


def recover(journal: Journal, held: Collection[tuple[str, str]] = ()) -> list[Record]:
    """Finish what dead processes left: for files whose locks the caller holds, or, without any, for all.

    Answers the records that were made right. Never waits for a process that is at work.
    """
    found: list[Record] = []
    if not held:
        journal.tidy()
    for intent in journal.intents():
        places = {(done.home, done.path) for done in intent.changes}
        if held and not places & set(held):
            continue
        with ExitStack() as locks, contextlib.suppress(LockedError):
            try:
                for lock in sorted({lock_for(*place) for place in places - set(held)}):
                    locks.enter_context(locked(lock, 0.0))
            except LockedError:
                raise
            except MemtuiError:
                # Its directory is gone: it is looked at again when that is back.
                continue
            # Whoever held the locks a moment ago may just have finished.
            if (journal.pending / f"{intent.id}.json").exists():
                with contextlib.suppress(MemtuiError):
                    found.append(_made_right(journal, intent))
    return found


def _made_right(journal: Journal, intent: Record) -> Record:
    rows = _rows(intent)
    stands = [_stands(done, rows) for done in intent.changes]
    written = [_placed(done) for done, stand in zip(intent.changes, stands, strict=True) if stand]
    if written and len(written) < len(stands):
        # Nobody was told that it was done: what was written of it goes back.
        written = [done for done in written if not _back(done)]
    for done, stand in zip(intent.changes, stands, strict=True):
        _tidied(done, stand)
    state = "interrupted" if not written else "done" if len(written) == len(stands) else "partial"
    record = intent._replace(state=state, changes=tuple(written) or intent.changes)
    journal.finish(record)
    if not written:
        unmade(intent)
    return record


def _rows(intent: Record) -> dict[tuple[str, str, str], dict[str, dict[str, Value]]]:
    """The rows that an intent is about, as they stand; of a database that cannot be read, none."""
    keys: dict[tuple[str, str, str], list[str]] = {}
    for done in intent.changes:
        if done.kind == "row":
            keys.setdefault((done.home, done.path, done.table), []).append(done.key)
    found: dict[tuple[str, str, str], dict[str, dict[str, Value]]] = {}
    for place, some in keys.items():
        from memtui.disk.rows import rows

        with contextlib.suppress(MemtuiError):
            found[place] = rows(*place, some)
    return found


def _stands(done: Done, rows: Mapping[tuple[str, str, str], Mapping[str, Mapping[str, Value]]]) -> bool:
    """Whether what was to be written stands in the file."""
    if done.kind == "row":
        known = rows.get((done.home, done.path, done.table))
        if known is None:
            return False
        row = known.get(done.key)
        wanted = None if done.new is None else done.new.items()
        return row is None if wanted is None else row is not None and wanted <= row.items()
    if done.kind == "append":
        # What cannot be looked at or mended now is looked at again: until then its intent stays.
        return _appended(done)
    try:
        data = current(done.home, done.path)
    except MemtuiError:
        return False
    return (None if data is None else etag(data)) == done.after


def _appended(done: Done) -> bool:
    """Whether the record stands whole; the torn beginning of one is cut off."""
    patch = done.patches[0]
    if done.before is None and current(done.home, done.path) is None:
        # It was not begun, nor was its directory made.
        return False
    data = tail(done.home, done.path, max(0, patch.start - 1))
    if patch.new.rstrip(b"\r\n") + b"\n" in data.replace(b"\r\n", b"\n"):
        return True
    mend(done.home, done.path, patch.start, patch.new)
    if done.before is None and not patch.start and current(done.home, done.path) == b"":
        remove(done.home, done.path, b"")
    return False


def _placed(done: Done) -> Done:
    """An append with just the bytes it wrote: the file's own line ends, and what healed a torn last line first."""
    if done.kind != "append":
        return done
    patch = done.patches[0]
    with contextlib.suppress(MemtuiError):
        written = tail(done.home, done.path, patch.start)
        for end in (b"\n", b"\r\n"):
            record = patch.new.replace(b"\n", end)
            for whole in (record, end + record):
                if written.startswith(whole):
                    return done._replace(patches=(patch._replace(new=whole),))
    return done


def _back(done: Done) -> bool:
    """Take one file of a write back; False: it can't be."""
    try:
        if done.kind == "row":
            return False
        data = current(done.home, done.path)
        if done.before is None:
            remove(done.home, done.path, data or b"")
        else:
            commit(done.home, done.path, data, spliced(data or b"", undone_pieces(done.patches)))
    except (MemtuiError, ValueError):
        return False
    return True


def _tidied(done: Done, stands: bool) -> None:
    """The temporary file goes; if an outsider's text was displaced into it, that is kept."""
    if not done.temp:
        return
    with contextlib.suppress(MemtuiError, OSError), spot(done.home, done.path) as place:
        for name in (done.temp, aside(done.temp)):
            left = place.held(name)
            if left is None:
                continue
            with contextlib.closing(left):
                if stands and etag(left.data) not in {done.before, done.after}:
                    keep(os.path.basename(done.path), left.data)
            place.unlink(name)

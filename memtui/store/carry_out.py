"""One change carried out on the disk, undone in a file that has moved on, and finished after a process died.

- `build_patches`, `revert_patches`, pure: a patch holds the lines that were, the lines that came, and hashes of
  its neighbours. It can be reverted where its own lines stand once, or once between the same neighbours;
  otherwise nobody can say what reverting means.
- `plan_change`, `carry_out`, `carry_rows`: what a change is going to do, doing it, and the function that takes
  it back.
- `recover`: an intent whose locks are free has no process any more; its files say how far it came, and it is
  finished or taken back whole (reliability §2.1, F1).
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from contextlib import ExitStack
from functools import partial
from itertools import pairwise

from memtui.core.edits import Append, Edit, Piece, RowEdit, splice_pieces
from memtui.core.errors import ConflictError, LockedError, MemtuiError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, sha256
from memtui.fs import database_rows
from memtui.fs.commit import append, commit, make_temporary_name, mend, read_current, read_tail, remove, take_back
from memtui.fs.displaced import keep
from memtui.fs.files import compute_etag, split_home_path
from memtui.fs.folder import derive_second_name, open_spot
from memtui.fs.locks import hold_lock, lock_for
from memtui.fs.write_journal import Done, Journal, Patch, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from memtui.core.edits import Change, Value
    from memtui.fs.folder import Held

LONGEST = 2048
"""Bytes of a line that a patch takes in whole; of a longer one it takes `AROUND` on either side."""
AROUND = 96
NEIGHBOURS = 2


def build_patches(base: bytes, pieces: Sequence[Piece]) -> tuple[Patch, ...]:
    """What the pieces do to the base, widened to whole lines, so that it can be found again."""
    wide: list[tuple[int, int, list[Piece]]] = []
    for piece in pieces:
        start, end = _widen_piece(base, piece)
        if wide and start < wide[-1][1]:
            start, held = wide[-1][0], wide.pop()[2]
            wide.append((start, end, [*held, piece]))
        else:
            wide.append((start, end, [piece]))
    whole = splice_pieces(base, tuple(pieces))
    found: list[Patch] = []
    shift = 0
    for start, end, held in wide:
        old = base[start:end]
        new = splice_pieces(old, tuple(Piece(p.start - start, p.end - start, p.new) for p in held))
        at = start + shift
        frame = all(piece.frame for piece in held)
        found.append(Patch(start, old, new, frame, hash_lines_above(whole, at), hash_lines_below(whole, at + len(new))))
        shift += len(new) - len(old)
    return tuple(found)


def revert_patches(current: bytes, done: Sequence[Patch]) -> tuple[Piece, ...] | None:
    """The pieces that take the patches back in a file that moved on; None where one of them does not apply any more.

    What only framed the change (a heading) stays where something else may stand under it now.
    """
    found: list[Piece] = []
    shift = 0
    for patch in done:
        at = _place(current, patch, patch.start + shift)
        if patch.frame:
            shift += len(patch.new) - len(patch.old)
            continue
        if at is None:
            return None
        shift = at - patch.start + len(patch.new) - len(patch.old)
        piece = _fit_patch(current, patch, at)
        if piece is None:
            return None
        found.append(piece)
    # Lines that stood side by side come back to one place: those keep the order in which they stood.
    found.sort(key=lambda piece: (piece.start, piece.end))
    if any(one.end > two.start for one, two in pairwise(found)):
        return None
    return tuple(found)


def _fit_patch(current: bytes, patch: Patch, at: int) -> Piece | None:
    """The piece that takes a patch back there; None where it would leave half of a line that says more by now."""
    end, old = at + len(patch.new), patch.old
    goes_on = end < len(current) and _is_inside_line(current, end) and current[end : end + 1] not in b"\r\n"
    # Of a very long line a patch holds a part: the same bytes end what was and what came.
    part = len(old) >= AROUND and old[-AROUND:] == patch.new[-AROUND:]
    if patch.new and goes_on and not part:
        return None
    ended = current[end - 1 : end] == b"\n" or not patch.new
    if ended and end < len(current) and (old[-1:] or current[max(0, at - 1) : at]) not in {b"", b"\n"}:
        # The line end that came with it stays: something stands behind it now.
        old += b"\r\n" if current[end - 2 : end] == b"\r\n" else b"\n"
    return Piece(at, end, old)


def hash_lines_above(data: bytes, at: int) -> str:
    """What the lines just above an offset hash to; a line that the offset cuts counts as one."""
    lines = data[max(0, at - 4096) : at].splitlines(keepends=True)[-NEIGHBOURS:]
    return _hash(lines)


def hash_lines_below(data: bytes, at: int) -> str:
    """What the lines just below an offset hash to."""
    return _hash(data[at : at + 4096].splitlines(keepends=True)[:NEIGHBOURS])


def _hash(lines: list[bytes]) -> str:
    return sha256(b"".join(line.rstrip(b"\r\n") + b"\n" for line in lines))[:12]


def _widen_piece(base: bytes, piece: Piece) -> tuple[int, int]:
    start, end = piece.start, piece.end
    whole = (not piece.new and start < end) or piece.new.endswith(b"\n")
    if whole and not _is_inside_line(base, start) and not _is_inside_line(base, end):
        return start, end
    first = base.rfind(b"\n", 0, start) + 1
    last = base.find(b"\n", end)
    if end > start and end and base[end - 1 : end] == b"\n" and piece.new.endswith(b"\n"):
        last = end - 1
    stop = len(base) if last < 0 else last + 1
    return max(first, start - AROUND) if start - first > LONGEST else first, min(
        stop, end + AROUND
    ) if stop - end > LONGEST else stop


def _is_inside_line(base: bytes, at: int) -> bool:
    """Whether an offset stands inside a line."""
    return at > 0 and base[at - 1 : at] != b"\n"


def _place(current: bytes, patch: Patch, expected: int) -> int | None:
    """Where the patch's new bytes stand now."""
    scored = [
        (
            (hash_lines_above(current, at) == patch.above)
            + (hash_lines_below(current, at + len(patch.new)) == patch.below),
            at,
        )
        for at in _find_occurrences(current, patch.new)
    ]
    if not scored:
        return None
    if patch.new:
        if len(scored) == 1:
            return scored[0][1]
        most = max(score for score, _at in scored)
        best = [at for score, at in scored if score == most]
        if len(best) == 1 and most:
            return best[0]
        # What was appended knows no neighbours: it is itself where it was put.
        return expected if expected in best and (most or not patch.above) else None
    best = [at for score, at in scored if score == 2] or [at for score, at in scored if score]
    return best[0] if len(best) == 1 else expected if expected in best else None


def _find_occurrences(current: bytes, wanted: bytes) -> Iterator[int]:
    if not wanted:
        yield 0
        at = current.find(b"\n")
        while at >= 0:
            yield at + 1
            at = current.find(b"\n", at + 1)
        if not current.endswith(b"\n"):
            yield len(current)
        return
    lines = wanted.endswith(b"\n")
    at = current.find(wanted)
    while at >= 0:
        # What healed a torn last line begins with its line end.
        if not lines or wanted[:1] in {b"\r", b"\n"} or not _is_inside_line(current, at):
            yield at
        at = current.find(wanted, at + 1)


def invert_patches(done: Sequence[Patch]) -> tuple[Piece, ...]:
    """The pieces that take the patches back in just the bytes they left."""
    found: list[Piece] = []
    shift = 0
    for patch in done:
        start = patch.start + shift
        found.append(Piece(start, start + len(patch.new), patch.old, patch.frame))
        shift += len(patch.new) - len(patch.old)
    return tuple(found)


LINGER = 2.0
"""Seconds in which a program that had a file open may still write into what was displaced (reliability §2.2)."""

_displaced: deque[tuple[float, str, Held]] = deque(maxlen=32)


def plan_change(change: Change) -> Done:
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
    made = _list_missing_directories(change.home, change.path)
    if isinstance(change, Append):
        size = _measure_file(change.home, change.path)
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
        None if change.base is None else compute_etag(base),
        None if change.remove else compute_etag(change.new),
        build_patches(base, pieces),
        made=made,
        temp=make_temporary_name(),
    )


def _list_missing_directories(home: str, path: str) -> tuple[str, ...]:
    """The directories that a file needs and that are not there yet, outermost first."""
    parts = split_home_path(path)[:-1]
    places = (os.path.join(home, *parts[: depth + 1]) for depth in range(len(parts)))
    return tuple(place for place in places if not os.path.lexists(place))


def _measure_file(home: str, path: str) -> int | None:
    try:
        return os.stat(os.path.join(home, *path.split("/"))).st_size
    except OSError:
        return None


def expect(change: Edit) -> None:
    """Raises ConflictError where the file is not what the edit was made from."""
    theirs = read_current(change.home, change.path)
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
    database_rows.write(*changes)
    return partial(
        database_rows.write, *(one._replace(before=one.after, after=one.before) for one in reversed(changes))
    )


def remove_made_directories(record: Record) -> None:
    """Directories that the write made go with it, if nothing else came into them."""
    for done in record.changes:
        for directory in reversed(done.made):
            try:
                os.rmdir(directory)
            except OSError:
                break


def list_overtaken_texts(ending: bool = False) -> list[str]:
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
                    locks.enter_context(hold_lock(lock, 0.0))
            except LockedError:
                raise
            except MemtuiError:
                # Its directory is gone: it is looked at again when that is back.
                continue
            # Whoever held the locks a moment ago may just have finished.
            if (journal.pending / f"{intent.id}.json").exists():
                with contextlib.suppress(MemtuiError):
                    found.append(_make_right(journal, intent))
    return found


def _make_right(journal: Journal, intent: Record) -> Record:
    rows = _read_rows(intent)
    stands = [_is_written(done, rows) for done in intent.changes]
    written = [_place_append(done) for done, stand in zip(intent.changes, stands, strict=True) if stand]
    if written and len(written) < len(stands):
        # Nobody was told that it was done: what was written of it goes back.
        written = [done for done in written if not _take_back_file(done)]
    for done, stand in zip(intent.changes, stands, strict=True):
        _tidy_temporary(done, stand)
    state = "interrupted" if not written else "done" if len(written) == len(stands) else "partial"
    record = intent._replace(state=state, changes=tuple(written) or intent.changes)
    journal.finish(record)
    if not written:
        remove_made_directories(intent)
    return record


def _read_rows(intent: Record) -> dict[tuple[str, str, str], dict[str, dict[str, Value]]]:
    """The rows that an intent is about, as they stand; of a database that cannot be read, none."""
    keys: dict[tuple[str, str, str], list[str]] = {}
    for done in intent.changes:
        if done.kind == "row":
            keys.setdefault((done.home, done.path, done.table), []).append(done.key)
    found: dict[tuple[str, str, str], dict[str, dict[str, Value]]] = {}
    for place, some in keys.items():
        with contextlib.suppress(MemtuiError):
            found[place] = database_rows.read_rows(*place, some)
    return found


def _is_written(done: Done, rows: Mapping[tuple[str, str, str], Mapping[str, Mapping[str, Value]]]) -> bool:
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
        return _is_appended(done)
    try:
        data = read_current(done.home, done.path)
    except MemtuiError:
        return False
    return (None if data is None else compute_etag(data)) == done.after


def _is_appended(done: Done) -> bool:
    """Whether the record stands whole; the torn beginning of one is cut off."""
    patch = done.patches[0]
    if done.before is None and read_current(done.home, done.path) is None:
        # It was not begun, nor was its directory made.
        return False
    data = read_tail(done.home, done.path, max(0, patch.start - 1))
    if patch.new.rstrip(b"\r\n") + b"\n" in data.replace(b"\r\n", b"\n"):
        return True
    mend(done.home, done.path, patch.start, patch.new)
    if done.before is None and not patch.start and read_current(done.home, done.path) == b"":
        remove(done.home, done.path, b"")
    return False


def _place_append(done: Done) -> Done:
    """An append with just the bytes it wrote: the file's own line ends, and what healed a torn last line first."""
    if done.kind != "append":
        return done
    patch = done.patches[0]
    with contextlib.suppress(MemtuiError):
        written = read_tail(done.home, done.path, patch.start)
        for end in (b"\n", b"\r\n"):
            record = patch.new.replace(b"\n", end)
            for whole in (record, end + record):
                if written.startswith(whole):
                    return done._replace(patches=(patch._replace(new=whole),))
    return done


def _take_back_file(done: Done) -> bool:
    """Take one file of a write back; False: it can't be."""
    try:
        if done.kind == "row":
            return False
        data = read_current(done.home, done.path)
        if done.before is None:
            remove(done.home, done.path, data or b"")
        else:
            commit(done.home, done.path, data, splice_pieces(data or b"", invert_patches(done.patches)))
    except (MemtuiError, ValueError):
        return False
    return True


def _tidy_temporary(done: Done, stands: bool) -> None:
    """The temporary file goes; if an outsider's text was displaced into it, that is kept."""
    if not done.temp:
        return
    with contextlib.suppress(MemtuiError, OSError), open_spot(done.home, done.path) as place:
        for name in (done.temp, derive_second_name(done.temp)):
            left = place.held(name)
            if left is None:
                continue
            with contextlib.closing(left):
                if stands and compute_etag(left.data) not in {done.before, done.after}:
                    keep(os.path.basename(done.path), left.data)
            place.unlink(name)


def recover_journal() -> None:
    """Finish, or take back, what a process left that died while it wrote."""
    recover(Journal())

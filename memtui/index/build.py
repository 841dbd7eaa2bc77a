"""Bulk builds of an index in a process of their own: `python -m memtui.index.build HOME LAYOUT WHERE`.

They serve a cold index, or a thousand files changed at once, so that the app's keys never wait. Reading,
parsing and tokenizing cost more than SQLite does, so processes share the work where the platform can fork: one or
two fill pipes with rows (`readers`), another inserts them. Commits come at intervals, so that hits appear while it
fills; a build that was killed continues from the last commit. `Apart` is such a process as its parent sees it.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from memtui.core.errors import LockedError, MemtuiError, StaleIndexError, UnavailableError, UnwritableIndexError
from memtui.core.locale import _
from memtui.core.model import Home
from memtui.fs.files import HomeReader
from memtui.fs.locks import give_way, hold_lock, hold_lock_first, is_lock_wanted
from memtui.index import schema
from memtui.index import sync as syncing
from memtui.index.queries import Index
from memtui.index.readers import receive_batches
from memtui.index.rows import Batch, Numbers
from memtui.index.schema import BUSY, translate_sqlite_errors
from memtui.index.sync import (
    FIRST_ENTRY,
    Changes,
    clear_suspicion,
    is_loss_confirmed,
    list_early_files,
    mark_complete,
    note,
    plan_sync,
    settle,
)
from memtui.index.writer import IndexWriter, tidy_index
from memtui.layouts import place_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memtui.fs.places import Place
    from memtui.index.plan import SyncPlan
    from memtui.layouts import Layout


class Apart:
    """One build in a child process: its end can be awaited from one thread and brought about from another."""

    def __init__(self, home: Home, where: str) -> None:
        """`where` as `fs.places.place` takes it."""
        self._command = [
            sys.executable, "-m", "memtui.index.build", str(home.path), home.layout, where, "--behind"
        ]  # fmt: skip
        self._child: subprocess.Popen[str] | None = None
        self._ended = False
        self._lock = threading.Lock()

    def run(self, progress: Callable[[int, int], None], built: Callable[[Changes], None]) -> None:
        """Build, call `built` when all is in the index, and stay until its pieces are merged, too.

        Raises UnwritableIndexError (disk), UnavailableError (lock, or the child died before it was done).
        """
        with self._lock:
            if self._ended:
                return
            try:
                self._child = child = subprocess.Popen(
                    self._command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                )
            except OSError as error:
                why = error.strerror or type(error).__name__
                raise UnavailableError(
                    _("the process that builds the index cannot start: {why}").format(why=why)
                ) from error
        said: dict[str, Any] = {}
        with child:
            for line in child.stdout or ():
                with suppress(ValueError):
                    said = json.loads(line)
                if "total" in said:
                    progress(said["done"], said["total"])
                elif "added" in said:
                    built(Changes(said["added"], said["changed"], said["removed"], said["seconds"]))
        if "error" in said:
            raise (UnwritableIndexError if said.get("unwritable") else UnavailableError)(said["error"])
        if child.returncode and "added" not in said and not self._ended:
            raise UnavailableError(_("the process that builds the index ended too soon; it goes on at the next look"))

    def end(self) -> None:
        """End it; the next build goes on from its last commit. From any thread."""
        with self._lock:
            self._ended = True
            if self._child is not None:
                self._child.terminate()


COMMIT = 0.08, 1.0
"""Seconds between commits where a block of files takes longer: while an app shows what comes, and otherwise. The longer
one is, the longer it takes to write it, which nobody else can do meanwhile; all of them together take the same."""

ROOM = 2.0
"""How many more entries than were found in as many bytes of a home's other files are reckoned with."""

LAST_ENTRY = (1 << 28) - 1
"""Where numbers are counted down from in a home that is too large for `FIRST_ENTRY`."""

_DENSE = 16
"""Bytes for each entry that a home which was never read is reckoned with."""

PAGES = 400
"""Pages of the full-text index that are merged before others may write."""

PACKED = 8 << 20, 100 << 20
"""Bytes of an index that is written anew once it is merged, in as many seconds as COMMIT has: as the newest files come
first, rows are put in before others, and pages stay half empty. Of a larger one only free pages are given back."""

LOG = 8 << 20
"""Bytes of the write-ahead log from which on it is put into the index: readers are quicker, and savers need not."""

TURN = 2.0
"""Seconds that the merging waits for others."""

PATIENCE = 30.0
"""Seconds to wait for another process that writes the same index."""


def build(
    home: Home,
    place: Place,
    progress: Callable[[int, int], None] | None = None,
    *,
    layout: Layout | None = None,
    fresh: bool = False,
    alone: bool = False,
    behind: bool = False,
) -> Changes:
    """Bring a home's index up to date, however much there is to read; made where it is missing or unusable.

    `progress` gets files done and in all. `fresh`: begin a new one beside it in any case. `alone`: in this process
    only. `behind`: reading gives way to an app in which somebody presses keys. Raises UnavailableError (lock),
    UnwritableIndexError (disk).
    """
    try:
        return _build(home, place, progress, layout, fresh, alone, behind)
    except UnwritableIndexError:
        # Another would have no more room than this one, which holds something.
        raise
    except StaleIndexError:
        # It broke under the build, or was broken where opening it does not look; or there were not numbers enough.
        return _build(home, place, progress, layout, True, alone, behind, True)


def find_build_lock(place: Place) -> Path:
    """The lock file of whoever builds; `place.lock` is held only from one commit to the next."""
    return place.lock.with_suffix(".build")


@contextmanager
def _hold_build(place: Place) -> Iterator[None]:
    """Be the only one who builds. Raises LockedError, in the words of whoever waits for an index."""
    with ExitStack() as held:
        try:
            held.enter_context(hold_lock(find_build_lock(place), PATIENCE))
        except LockedError:
            told = _("another memtui is reading this home now: what it has not come to yet is missing here")
            raise LockedError(told) from None
        yield


def _build(
    home: Home,
    place: Place,
    progress: Callable[[int, int], None] | None,
    layout: Layout | None,
    fresh: bool,
    alone: bool,
    behind: bool,
    roomy: bool = False,
) -> Changes:
    began = time.perf_counter()
    with _hold_build(place):
        with hold_lock_first(place.lock, PATIENCE):
            index = _open_or_begin(place, home.layout, fresh)
        try:
            turns = _Turns(index, COMMIT[0 if behind else 1])
            plan, numbers, frozen = _plan_build(home, turns, layout, roomy)
            counts = _Counts()
            if plan.changed:
                with closing(turns):
                    _insert(turns, receive_batches(home, plan, numbers, index, alone, behind), plan, counts, progress)
            _finish(home, turns, plan, counts, frozen)
            with translate_sqlite_errors():
                _checkpoint(index)
        finally:
            index.close()
        with suppress(MemtuiError), hold_lock_first(place.lock):
            schema.tidy(place)
    gone = len(plan.removed) if frozen else 0
    return Changes(counts.added, counts.changed, counts.removed, time.perf_counter() - began, gone, plan.away)


class _Counts:
    def __init__(self) -> None:
        self.done = self.added = self.changed = self.removed = 0
        self.racy: set[str] = set()


class _Turns:
    """One transaction after another, between which others may write. Each raises as `build` does."""

    def __init__(self, index: Index, seconds: float = COMMIT[1]) -> None:
        self.index = index
        self._seconds = seconds
        self._due = 0.0
        self.contested = False
        """Whether others wrote since the home was looked over."""
        self.generation = index.generation()
        """The index's when it was last looked at."""
        self._writer: IndexWriter | None = None
        self._held: ExitStack | None = None

    @property
    def over(self) -> bool:
        """Whether others are to have their turn."""
        return time.monotonic() > self._due or is_lock_wanted(self.index.place.lock)

    def begin(self) -> IndexWriter:
        """Go on writing, in a transaction of its own if there is none."""
        # Opened anew once, for another process to be forked.
        if self._writer is None or self._writer.db is not self.index.db:
            self._writer = IndexWriter(self.index.db)
            with translate_sqlite_errors():
                self.index.checkpoint_after(0)
        if self._held is None:
            with ExitStack() as stack:
                stack.enter_context(hold_lock(self.index.place.lock, PATIENCE))
                with translate_sqlite_errors():
                    self.index.db.execute("BEGIN IMMEDIATE")
                stack.callback(self._undo)
                self._due = time.monotonic() + self._seconds
                self.contested = self.contested or self.index.generation() != self.generation
                self._held = stack.pop_all()
        return self._writer

    def end(self) -> None:
        """Commit what was written, and let others write who wait for it."""
        if self._held is None or self._writer is None:
            return
        with translate_sqlite_errors():
            self._writer.finish()
            self.generation = self.index.generation()
            self.index.db.execute("COMMIT")
        self.close()
        give_way(self.index.place.lock)

    def close(self) -> None:
        """Let go of the lock; what was not committed is undone."""
        held, self._held = self._held, None
        if held is not None:
            held.close()

    def _undo(self) -> None:
        if self.index.db.in_transaction:
            self.index.db.execute("ROLLBACK")


def _open_or_begin(place: Place, layout: str, fresh: bool) -> Index:
    if not fresh:
        try:
            return Index.open(place, write=True)
        except StaleIndexError:
            pass
    return Index(place, schema.begin(place, layout), write=True)


def _plan_build(home: Home, turns: _Turns, layout: Layout | None, roomy: bool) -> tuple[SyncPlan, Numbers, bool]:
    """Look the home over, and have the index say what is coming. Others may have written meanwhile: then once more."""
    index = turns.index
    for tries in range(3):
        turns.generation = index.generation()
        turns.contested = False
        with HomeReader(home.path) as reader:
            plan = plan_sync(home, index, None, layout, reader)
        with closing(turns):
            writer = turns.begin()
            if turns.contested and tries < 2:
                continue
            with translate_sqlite_errors():
                frozen = plan.suspect and not is_loss_confirmed(index)
                numbers = _reserve_numbers(index, writer, plan, roomy)
            turns.end()
        break
    return plan, numbers, frozen


def _reserve_numbers(index: Index, writer: IndexWriter, plan: SyncPlan, roomy: bool) -> Numbers:
    db = index.db
    directories = writer.expect(plan.signatures)
    if not plan.changed:
        return Numbers({}, directories, 0, 0, 0, 0)
    # Each commit makes a segment of the full-text index; all of them are merged in the end.
    db.execute("INSERT INTO fts(fts, rank) VALUES('automerge', 0)")
    floor, last = _find_number_range(index, plan, roomy)
    new = sum(not change.file for change in plan.changed)
    name, file = (int(db.execute(f"SELECT coalesce(max(id), 0) FROM {table}").get) for table in ("name", "file"))
    values = {
        "complete": 0,
        "total": plan.known + new,
        "floor": floor,
        "last_file": file + new,
        "last_entry": last,
    }
    note(index, **values)
    taken = list_early_files(index)
    plan.changed[:] = [change._replace(again=change.file in taken) for change in plan.changed]
    first = db.execute(
        "SELECT min(id) FROM entry WHERE id > ? AND id <= ? AND NOT id BETWEEN ? AND ?",
        (floor, last, FIRST_ENTRY + 1, index.meta("early") or 0),
    ).get
    return Numbers(
        dict(db.execute("SELECT text, id FROM name").fetchall()),  # type: ignore[arg-type]
        directories,
        name,
        file,
        (first or last + 1) - 1,
        floor,
    )


def _find_number_range(index: Index, plan: SyncPlan, roomy: bool) -> tuple[int, int]:
    """Between which numbers the build's entries have their place: what a build before this one settled, or else as many
    as they will need at most, above those that stay."""
    floor, last = index.meta("floor"), index.meta("last_entry")
    if isinstance(floor, int) and isinstance(last, int) and not roomy:
        return floor, last
    coming = sum(min(change.found.size, change.found.role.limit or change.found.size) for change in plan.changed)
    entries, files, size = index.db.execute(
        "SELECT coalesce(sum(entries), 0), count(*), coalesce(sum(size), 0) FROM file"
    ).get
    if index.meta("early") is None and files:
        top = int(index.db.execute("SELECT coalesce(max(id), 0) FROM entry").get)
        return top, top + 5000 + int(ROOM * coming * (entries + 1) / (size + 1))
    return 0, LAST_ENTRY if roomy or coming // _DENSE > FIRST_ENTRY else FIRST_ENTRY


def _insert(
    turns: _Turns,
    stream: Iterator[Batch],
    plan: SyncPlan,
    counts: _Counts,
    progress: Callable[[int, int], None] | None,
) -> None:
    index = turns.index
    total = len(plan.changed)
    for batch in stream:
        if batch[0] < 0:
            raise StaleIndexError(_("there are more entries than the index reckoned with: it is being made again"))
        writer = turns.begin()
        with translate_sqlite_errors():
            counts.racy.update(writer.batch(batch, turns.contested), batch[-2])
        counts.done += batch[0]
        counts.added += sum(1 for file in batch[2] if file[-1] is None)
        counts.changed += sum(1 for file in batch[2] if file[-1] is not None)
        if batch[-1] or turns.over:
            turns.end()
            with translate_sqlite_errors():
                _checkpoint(index, LOG)
        if progress is not None:
            progress(counts.done, total)
    turns.end()


def _finish(home: Home, turns: _Turns, plan: SyncPlan, counts: _Counts, frozen: bool) -> None:
    index = turns.index
    with closing(turns):
        writer = turns.begin()
        with translate_sqlite_errors():
            index.db.execute("INSERT INTO fts(fts, rank) VALUES('automerge', 4)")
            if not frozen:
                if turns.contested:
                    _check_again(home, index, plan)
                counts.removed += settle(plan, writer, counts.racy, built=True)
                clear_suspicion(index)
                mark_complete(index)
                writer.changed = True
        turns.end()


def _check_again(home: Home, index: Index, plan: SyncPlan) -> None:
    """What was gone when the build began may be back, and others may have taken it in."""

    def gone(table: str, id_: int) -> bool:
        path = index.db.execute(f"SELECT path FROM {table} WHERE id=?", (id_,)).get
        return path is not None and not os.path.lexists(os.path.join(home.path, str(path)))

    plan.removed = [id_ for id_ in plan.removed if gone("file", id_)]
    plan.left = [id_ for id_ in plan.left if gone("dir", id_)]


def _checkpoint(index: Index, log: int = 0) -> None:
    """Put the write-ahead log into the index, if it is larger than `log`; for whoever does not hold the place's lock.

    All but the last of it does not keep others from writing.
    """
    try:
        if os.stat(f"{index.path}-wal").st_size <= log:
            return
    except OSError:
        return
    index.db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    if log:
        return
    index.db.set_busy_timeout(200)
    with suppress(apsw.BusyError, apsw.LockedError):
        index.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    index.db.set_busy_timeout(BUSY)


def merge_segments(place: Place, *, behind: bool = False) -> None:
    """Merge what a build left in pieces, so that later saves need not; others write in between.

    Stops where another process writes for longer, or the index is gone.
    """
    with suppress(MemtuiError), Index.open(place, write=True) as index, translate_sqlite_errors():
        index.checkpoint_after(0)
        pages, merged = -PAGES, False
        while not merged:
            with hold_lock(place.lock, TURN):
                before = index.db.total_changes()
                index.db.execute("INSERT INTO fts(fts, rank) VALUES('merge', ?)", (pages,))
                merged = index.db.total_changes() - before < 2
                if merged and pages > 0 and index.bytes() <= PACKED[0 if behind else 1]:
                    index.db.execute("VACUUM")
                elif merged:
                    index.db.execute("PRAGMA incremental_vacuum").fetchall()
            give_way(place.lock)
            _checkpoint(index, LOG)
            pages = PAGES
        _checkpoint(index)


def main(arguments: list[str]) -> int:
    """`HOME LAYOUT WHERE`: build; progress as lines of JSON on stdout, the last one what was done, or `error`.

    `--fresh`: a new index in any case. `--behind`: giving way to an app in which somebody presses keys.
    """
    fresh = "--fresh" in arguments
    home, layout, kept = [*(word for word in arguments if not word.startswith("--")), "auto"][:3]
    gc.disable()

    def say(**values: Any) -> None:
        sys.stdout.write(json.dumps(values) + "\n")
        sys.stdout.flush()

    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > 0.1:
            last = time.monotonic()
            say(done=done, total=total)

    where = Path(home)
    try:
        index = place_index(where, layout, kept)
        changes = build(
            Home(where, layout, "", where.name), index, progress, fresh=fresh, behind="--behind" in arguments
        )
    except MemtuiError as error:
        say(error=str(error), unwritable=isinstance(error, UnwritableIndexError))
        return error.exit_status
    say(added=changes.added, changed=changes.changed, removed=changes.removed, seconds=changes.seconds)
    merge_segments(index, behind="--behind" in arguments)
    return 0


class IndexWork:
    """What makes an index right, under one name: whoever only asks of one loads none of it."""

    Apart = Apart
    Changes = Changes
    build = staticmethod(build)
    sync = staticmethod(syncing.sync)
    take_first = staticmethod(syncing.take_first)
    list_saved_since = staticmethod(syncing.list_saved_since)
    count_files = staticmethod(syncing.count_files)
    tidy = staticmethod(tidy_index)

    @staticmethod
    def begin_anew(place: Place, layout: str) -> None:
        """Begin a new index beside the old one, when nobody else is building what would be thrown away."""
        with hold_lock(find_build_lock(place)), hold_lock_first(place.lock):
            schema.begin(place, layout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

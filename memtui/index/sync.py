"""An index brought up to date: compare, read what differs, one transaction; many changes go to `build`.

The disk is the truth. A large part of a home that disappears at once is taken for an accident until it stays so
(T15). `take_first` indexes the likeliest files of a new home, so that a person can read while the rest is
looked for.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from memtui import layouts
from memtui.core.startup import NamedTuple
from memtui.fs.files import HomeReader, walk_directories
from memtui.fs.locks import hold_lock_first
from memtui.index.plan import (
    HASTE,
    FileChange,
    Survey,
    explain_unlisted,
    find_likeliest_files,
    rank_recency,
    resolve_file_role,
)
from memtui.index.rows import Chunker, take
from memtui.index.schema import translate_sqlite_errors
from memtui.index.writer import IndexWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from memtui.core.model import Home
    from memtui.index.plan import SyncPlan
    from memtui.index.queries import Index
    from memtui.index.rows import TakenFile
    from memtui.layouts import Layout

MANY = 1000
"""Changed files from which on a build of its own pays."""

FIRST_ENTRY = (1 << 21) - 1
"""Entries that are read before a home was looked over get numbers above this one, and a build counts down from it: the
largest number that takes SQLite three bytes."""

LEAST = 8
"""Files that are read at first however long it takes."""

AGREE = 5.0
"""Seconds after which a second scan that misses the same files is believed."""


class Changes(NamedTuple):
    """What a sync did."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    """Files."""
    seconds: float = 0.0
    suspect: int = 0
    """Files that are gone and still kept in the index, because so many went at once; scan again after AGREE."""
    away: bool = False
    """The home itself is not there."""
    many: int = 0
    """Files to be read that were left to a build (`memtui.index.build`), as far as they were counted; nothing was done
    then."""

    def __bool__(self) -> bool:
        """Whether readers see a difference."""
        return bool(self.added or self.changed or self.removed)

    def warning(self, root: Path) -> str:
        """What a person should know of a home that vanished, all of it or most; else empty."""
        if self.away:
            then = "looking again before it is forgotten" if self.suspect else "shown again when it is back"
            return f"{root} is not there: {then}"
        if self.suspect:
            return f"{self.suspect:,} files are gone at once: looking again before they are forgotten"
        return ""


def sync(
    home: Home,
    index: Index,
    paths: Iterable[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    layout: Layout | None = None,
    many: int | None = None,
    between: Callable[[], Iterable[str]] | None = None,
) -> Changes:
    """Bring an index opened for writing up to date with its home: all of it, or only `paths` (relative).

    More than `many` (MANY) files to read are left to a build, as is what one has begun, and `Changes.many` says so.
    `progress` gets files done and in all. `between` is called while the home is looked over (`Survey`).
    Raises StaleIndexError, and UnavailableError where the home cannot be listed or another process has been writing
    for longer than a few seconds.
    """
    began = time.perf_counter()
    most = MANY if many is None else many
    with HomeReader(home.path) as reader:
        # What a build is to read it looks for itself.
        enough = most + MANY if paths is None else None
        plan = plan_sync(home, index, paths, layout, reader, between, enough)
        settled = paths is not None or (index.meta("complete") and not index.meta("suspect"))
        if plan.empty and settled:
            return Changes(seconds=time.perf_counter() - began, away=plan.away)
        begun = index.meta("floor") is not None
        if len(plan.changed) > most or (begun and paths is None and plan.changed):
            return Changes(many=len(plan.changed), seconds=time.perf_counter() - began)
        # What a build has written is not for a save to put from the log into the index.
        index.checkpoint_after(0 if begun else 1000)
        with hold_lock_first(index.place.lock), translate_sqlite_errors(), open_transaction(index) as writer:
            frozen = plan.suspect and not is_loss_confirmed(index)
            if paths is None:
                _renumber(index, writer, plan)
            added, changed, removed, racy = _read(
                plan.changed, reader, writer, _prepare_chunker(index, writer), progress
            )
            if not frozen:
                removed += settle(plan, writer, racy)
            if paths is None and not frozen:
                clear_suspicion(index)
                mark_complete(index)
            writer.finish()
        gone = len(plan.removed) if frozen else 0
        return Changes(added, changed, removed, time.perf_counter() - began, gone, plan.away)


def take_first(home: Home, index: Index, layout: Layout) -> int:
    """The likeliest files into an index that holds nothing, so that a person reads while the rest is looked for.

    Answers how many files there are, as far as was seen; none where the index holds some.
    Their entries get numbers above all others, and others once it is known how old they are. Raises as `sync` does.
    """
    if index.meta("complete") or index.progress().done:
        return 0
    changes, seen = find_likeliest_files(home.path, layout)
    until = 0.0
    with (
        HomeReader(home.path) as reader,
        hold_lock_first(index.place.lock),
        translate_sqlite_errors(),
        open_transaction(index) as writer,
    ):
        if index.progress().done or index.meta("floor") is not None:
            return 0
        note(index, last_entry=FIRST_ENTRY)
        chunker = _prepare_chunker(index, writer)
        read: list[tuple[FileChange, TakenFile]] = []
        for change in changes:
            taken = take(reader, change.found, chunker)
            if taken is not None:
                # Read again by whoever looks at all of the home.
                read.append((change, taken._replace(ctime=-1)))
            # The first one takes long: what reads files is only now loaded.
            until = until or time.monotonic() + HASTE
            if time.monotonic() > until and len(read) >= LEAST:
                break
        for change, taken in sorted(read, key=lambda one: rank_recency(one[0])):
            writer.put(change.found.path, taken)
        writer.finish()
        note(index, early=index.db.execute("SELECT max(id) FROM entry").get or 0)
    return seen


def list_saved_since(home: Path, layout: Layout, since: int) -> list[str]:
    """Those of the likeliest files that changed since a moment (nanoseconds of the machine's clock)."""
    if not since:
        return []
    changes, _ = find_likeliest_files(home, layout)
    return [change.found.path for change in changes if change.found.mtime_ns >= since]


def count_files(home: Path, layout: Layout) -> int:
    """How many files an index of the home would hold, by their names alone. Raises UnavailableError."""
    try:
        return sum(
            resolve_file_role(layout, home, path) is not None
            for listing in walk_directories(os.fspath(home), partial(layout.prune, home))
            for path, _ in listing.files()
        )
    except OSError as error:
        raise explain_unlisted(home, error) from error


def list_early_files(index: Index) -> set[int]:
    """The files whose entries still have the numbers that `take_first` gave them."""
    last = index.meta("early")
    if not isinstance(last, int):
        return set()
    rows = index.db.execute("SELECT DISTINCT file FROM entry WHERE id > ? AND id <= ?", (FIRST_ENTRY, last)).fetchall()
    return {int(str(row[0])) for row in rows}


def note(index: Index, **values: int) -> None:
    """Keep numbers in `meta`."""
    index.db.executemany("INSERT OR REPLACE INTO meta VALUES(?, ?)", list(values.items()))


def plan_sync(
    home: Home,
    index: Index,
    paths: Iterable[str] | None,
    layout: Layout | None,
    reader: HomeReader,
    between: Callable[[], Iterable[str]] | None = None,
    enough: int | None = None,
) -> SyncPlan:
    """What differs between a home and its index; more than `enough`, only that it is many. Raises as `sync` does."""
    found = Survey(index.db, home.path, layout or layouts.load_layout(home.layout), between, enough)
    return found.all() if paths is None else found.some(paths, reader)


def _renumber(index: Index, writer: IndexWriter, plan: SyncPlan) -> None:
    """Files that were read first are read again in their turn, so that entries are numbered by age."""
    files = list_early_files(index)
    for place, change in enumerate(plan.changed):
        if change.file in files:
            writer.drop(change.file)
            plan.changed[place] = FileChange(change.found, 0, None)


@contextmanager
def open_transaction(index: Index) -> Iterator[IndexWriter]:
    """A Writer inside a transaction that is rolled back if anything is raised."""
    index.db.execute("BEGIN IMMEDIATE")
    try:
        yield IndexWriter(index.db)
        index.db.execute("COMMIT")
    except BaseException:
        index.chunker = None
        if index.db.in_transaction:
            index.db.execute("ROLLBACK")
        raise


def settle(plan: SyncPlan, writer: IndexWriter, racy: set[str], *, built: bool = False) -> int:
    """Forget what is gone and note the directories as they were listed; how many files were forgotten.

    `built`: others could write between the listing and now.
    """
    racy = racy | plan.racy
    for file in plan.removed:
        writer.drop(file)
    for directory in plan.left:
        writer.leave(directory)
    for path, signature in plan.signatures.items():
        # A file that may still change unseen keeps its directory from being taken for known.
        writer.seen(path, None if path in racy else signature, plan.problems.get(path, []), built=built)
    return len(plan.removed)


def is_loss_confirmed(index: Index) -> bool:
    """Whether files that are missing in great number were missing at least AGREE seconds ago, too (T15)."""
    # The machine's clock, not memtui's: tests and screenshots stop the latter.
    now = time.time()
    since = index.meta("suspect")
    if isinstance(since, int | float) and now - since >= AGREE:
        return True
    if not isinstance(since, int | float) or since > now:
        index.db.execute("INSERT OR REPLACE INTO meta VALUES('suspect', ?)", (now,))
    return False


def clear_suspicion(index: Index) -> None:
    """Nothing is suspected any more."""
    index.db.execute("DELETE FROM meta WHERE key = 'suspect'")


def mark_complete(index: Index) -> None:
    """The index holds all of its home."""
    index.db.execute("UPDATE meta SET value = 1 WHERE key = 'complete' AND value <> 1")
    index.db.execute("DELETE FROM meta WHERE key IN ('early', 'floor', 'last_file', 'last_entry')")


def _prepare_chunker(index: Index, writer: IndexWriter) -> Chunker:
    if index.chunker is None:
        index.chunker = Chunker(writer.number)
    index.chunker.number = writer.number
    return index.chunker


def _read(
    changes: list[FileChange],
    reader: HomeReader,
    writer: IndexWriter,
    chunker: Chunker,
    progress: Callable[[int, int], None] | None,
) -> tuple[int, int, int, set[str]]:
    """Read what changed; files added, changed, vanished meanwhile, and directories to be looked at again."""
    added = changed = removed = 0
    racy: set[str] = set()
    for done, change in enumerate(changes, 1):
        path = change.found.path
        taken = take(reader, change.found, chunker, change.etag)
        if taken is None:
            if change.file:
                writer.drop(change.file)
                removed += 1
            racy.add(path.rpartition("/")[0])
            continue
        if taken.ctime < 0 or taken.ctime != change.found.ctime_ns:
            racy.add(path.rpartition("/")[0])
        if taken.chunks is not None:
            added += not change.file
            changed += bool(change.file)
        writer.put(path, taken)
        if progress is not None:
            progress(done, len(changes))
    return added, changed, removed, racy

"""Making an index right: look what differs, read that, one transaction. Small changes here, many in a child process.

Disk is the truth. A great part of a home gone at once is taken for an accident until it stays so (T15).
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from memtui import layouts
from memtui.disk.files import Reader
from memtui.disk.locks import locked
from memtui.index.chunks import Chunker
from memtui.index.intake import take
from memtui.index.plan import Survey
from memtui.index.schema import guarded
from memtui.index.write import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from memtui.index.index import Index
    from memtui.index.plan import Change, Plan
    from memtui.layouts import Layout
    from memtui.model import Home

MANY = 1000
"""Changed files from which on a build of its own pays."""

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
    """Files to be read that were left to a build (`memtui.index.build`); nothing was done then."""

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
) -> Changes:
    """Bring an index opened for writing up to date with its home: all of it, or only `paths` (relative).

    More than MANY files to read are left to a build, and `many` says so. `progress` gets files done and in all.
    Raises StaleIndexError, and UnavailableError where the home cannot be listed or another process has been writing
    for longer than a few seconds.
    """
    began = time.perf_counter()
    with Reader(home.path) as reader:
        plan = survey(home, index, paths, layout, reader)
        settled = paths is not None or (index.meta("complete") and not index.meta("suspect"))
        if plan.empty and settled:
            return Changes(seconds=time.perf_counter() - began, away=plan.away)
        if len(plan.changed) > MANY:
            return Changes(many=len(plan.changed), seconds=time.perf_counter() - began)
        with locked(index.place.lock), guarded(), transaction(index) as writer:
            frozen = plan.suspect and not believed(index)
            added, changed, removed, racy = _read(
                plan.changed, reader, writer, _chunker(index, writer), progress
            )
            if not frozen:
                removed += settle(plan, writer, racy)
            if paths is None and not frozen:
                calm(index)
                mark_complete(index)
            writer.finish()
        gone = len(plan.removed) if frozen else 0
        return Changes(added, changed, removed, time.perf_counter() - began, gone, plan.away)


def survey(
    home: Home, index: Index, paths: Iterable[str] | None, layout: Layout | None, reader: Reader
) -> Plan:
    """What differs between a home and its index. Raises as `sync` does."""
    found = Survey(index.db, home.path, layout or layouts.layout(home.layout))
    return found.all() if paths is None else found.some(paths, reader)


@contextmanager
def transaction(index: Index) -> Iterator[Writer]:
    """A Writer inside a transaction that is rolled back if anything is raised."""
    index.db.execute("BEGIN IMMEDIATE")
    try:
        yield Writer(index.db)
        index.db.execute("COMMIT")
    except BaseException:
        index.chunker = None
        if index.db.in_transaction:
            index.db.execute("ROLLBACK")
        raise


def settle(plan: Plan, writer: Writer, racy: set[str]) -> int:
    """Forget what is gone and note the directories as they were listed; how many files were forgotten."""
    for file in plan.removed:
        writer.drop(file)
    for directory in plan.left:
        writer.leave(directory)
    for path, signature in plan.signatures.items():
        # A file that may still change unseen keeps its directory from being taken for known.
        writer.seen(path, None if path in racy else signature, plan.problems.get(path, []))
    return len(plan.removed)


def believed(index: Index) -> bool:
    """Whether files that are missing in great number were missing at least AGREE seconds ago, too (T15)."""
    # The machine's clock, not memtui's: tests and screenshots stop the latter.
    now = time.time()
    since = index.meta("suspect")
    if isinstance(since, int | float) and now - since >= AGREE:
        return True
    if not isinstance(since, int | float) or since > now:
        index.db.execute("INSERT OR REPLACE INTO meta VALUES('suspect', ?)", (now,))
    return False


def calm(index: Index) -> None:
    """Nothing is suspected any more."""
    index.db.execute("DELETE FROM meta WHERE key = 'suspect'")


def mark_complete(index: Index) -> None:
    """The index holds all of its home."""
    index.db.execute("UPDATE meta SET value = 1 WHERE key = 'complete' AND value <> 1")


def _chunker(index: Index, writer: Writer) -> Chunker:
    if index.chunker is None:
        index.chunker = Chunker(writer.number)
    index.chunker.number = writer.number
    return index.chunker


def _read(
    changes: list[Change],
    reader: Reader,
    writer: Writer,
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

"""Bulk builds: a cold index, or a thousand files changed at once. `python -m memtui.index.build HOME LAYOUT WHERE`.

Reading, parsing and cutting into words costs as much as SQLite's part, so two processes share the work where the
platform can fork: one fills a pipe with rows, the other inserts them. Commits come every so often, so that hits
appear while it fills; a build that was killed goes on where the last commit left it.
"""

from __future__ import annotations

import gc
import json
import marshal
import os
import sys
import threading
import time
from contextlib import ExitStack, suppress
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.disk.files import Reader
from memtui.disk.locks import locked
from memtui.disk.places import place as place_of
from memtui.errors import MemtuiError, StaleIndexError, UnavailableError
from memtui.index import pointer
from memtui.index.batches import Batch, Numbers, batches
from memtui.index.index import Index
from memtui.index.schema import guarded
from memtui.index.sync import Changes, believed, calm, mark_complete, settle, survey
from memtui.index.write import Writer
from memtui.model import Home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memtui.disk.places import Place
    from memtui.index.plan import Plan
    from memtui.layouts import Layout

COMMIT = 2.0
"""Seconds between commits. Each closes a segment of the full-text index, which somebody has to merge later."""

PAGES = 400
"""Pages of the full-text index that are merged before others may write."""

PIPES = 8
"""Batches go into them by turns: what a pipe of the system's holds is too little to read on while a segment of the
full-text index is written."""

PATIENCE = 30.0
"""Seconds to wait for another process that writes the same index."""

_FORK = hasattr(os, "fork")


def build(
    home: Home,
    place: Place,
    progress: Callable[[int, int], None] | None = None,
    *,
    layout: Layout | None = None,
    fresh: bool = False,
    alone: bool = False,
) -> Changes:
    """Bring a home's index up to date, however much there is to read; made where it is missing or unusable.

    `progress` gets files done and in all. `fresh`: begin a new one beside it in any case. `alone`: in this process
    only. Raises UnavailableError (disk, lock).
    """
    try:
        return _build(home, place, progress, layout, fresh, alone)
    except StaleIndexError:
        # It broke under the build, or was broken where opening it does not look.
        return _build(home, place, progress, layout, True, alone)


def _build(
    home: Home,
    place: Place,
    progress: Callable[[int, int], None] | None,
    layout: Layout | None,
    fresh: bool,
    alone: bool,
) -> Changes:
    began = time.perf_counter()
    with locked(place.lock, PATIENCE):
        index = _opened(place, home.layout, fresh)
        try:
            with Reader(home.path) as reader:
                plan = survey(home, index, None, layout, reader)
            with guarded():
                frozen = plan.suspect and not believed(index)
                numbers = _numbers(index, plan)
            counts = _Counts()
            if plan.changed:
                stream = _stream(home, plan, numbers, index, alone)
                _insert(index, stream, plan, counts, progress)
            with guarded():
                _finish(index, plan, counts, frozen)
        finally:
            index.close()
        pointer.tidy(place)
    gone = len(plan.removed) if frozen else 0
    return Changes(counts.added, counts.changed, counts.removed, time.perf_counter() - began, gone, plan.away)


class _Counts:
    def __init__(self) -> None:
        self.done = self.added = self.changed = self.removed = 0
        self.racy: set[str] = set()


def _opened(place: Place, layout: str, fresh: bool) -> Index:
    if not fresh:
        try:
            return Index.open(place, write=True)
        except StaleIndexError:
            pass
    return Index(place, pointer.begin(place, layout), write=True)


def _numbers(index: Index, plan: Plan) -> Numbers:
    db = index.db
    db.execute("UPDATE meta SET value = 0 WHERE key = 'complete' AND ?", (bool(plan.changed),))
    new = sum(not change.file for change in plan.changed)
    db.execute("INSERT OR REPLACE INTO meta VALUES('total', ?)", (plan.known + new,))
    return Numbers(
        dict(db.execute("SELECT text, id FROM name").fetchall()),  # type: ignore[arg-type]
        dict(db.execute("SELECT path, id FROM dir").fetchall()),  # type: ignore[arg-type]
        *(int(db.execute(f"SELECT coalesce(max(id), 0) FROM {table}").get) for table in ("file", "entry")),
    )


def _stream(home: Home, plan: Plan, numbers: Numbers, index: Index, alone: bool) -> Iterator[Batch]:
    if alone or not _FORK or threading.active_count() > 1:
        with Reader(home.path) as reader:
            yield from batches(reader, plan.changed, numbers)
        return
    # SQLite must not be carried over a fork.
    index.db.close()
    pipes = [_pipe() for _ in range(PIPES)]
    child = os.fork()
    if not child:
        for receive, _ in pipes:
            os.close(receive)
        _read_on([send for _, send in pipes], home, plan, numbers)
    for _, send in pipes:
        os.close(send)
    # The other process has the list now; here it would only take memory.
    plan.changed.clear()
    index.reopen()
    try:
        with ExitStack() as stack:
            files = [stack.enter_context(os.fdopen(receive, "rb", buffering=1 << 20)) for receive, _ in pipes]
            for pipe in cycle(files):
                length = int.from_bytes(pipe.read(4), "big")
                if not length:
                    return
                yield marshal.loads(pipe.read(length))
    finally:
        if os.waitpid(child, 0)[1]:
            raise UnavailableError("the process that reads the home ended too soon")


def _pipe() -> tuple[int, int]:
    """A pipe as deep as one may be without asking the administrator."""
    receive, send = os.pipe()
    if sys.platform == "linux":
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(send, fcntl.F_SETPIPE_SZ, 1 << 20)
    return receive, send


def _read_on(pipes: list[int], home: Home, plan: Plan, numbers: Numbers) -> None:
    """The other process: never returns, and runs nothing that the first one had planned for its end."""
    status = 1
    try:
        gc.disable()
        with Reader(home.path) as reader, ExitStack() as stack:
            files = cycle([stack.enter_context(os.fdopen(send, "wb")) for send in pipes])
            for batch, pipe in zip(batches(reader, plan.changed, numbers), files, strict=False):
                data = marshal.dumps(batch)
                pipe.write(len(data).to_bytes(4, "big"))
                pipe.write(data)
                pipe.flush()
        status = 0
    except BrokenPipeError:
        status = 0
    finally:
        os._exit(status)


def _insert(
    index: Index,
    stream: Iterator[Batch],
    plan: Plan,
    counts: _Counts,
    progress: Callable[[int, int], None] | None,
) -> None:
    writer: Writer | None = None
    total = len(plan.changed)
    due = time.monotonic() + COMMIT / 4
    for batch in stream:
        with guarded():
            if writer is None:
                index.db.execute("PRAGMA wal_autocheckpoint=8000").fetchall()
                index.db.execute("BEGIN IMMEDIATE")
                writer = Writer(index.db)
            writer.batch(batch)
            counts.done += batch[0]
            counts.added += sum(1 for file in batch[2] if not file[-1])
            counts.changed += sum(1 for file in batch[2] if file[-1])
            counts.racy.update(batch[-1])
            if time.monotonic() > due:
                writer.finish()
                index.db.execute("COMMIT; BEGIN IMMEDIATE")
                due = time.monotonic() + COMMIT
        if progress is not None:
            progress(counts.done, total)
    if writer is not None:
        with guarded():
            writer.finish()
            index.db.execute("COMMIT")


def _finish(index: Index, plan: Plan, counts: _Counts, frozen: bool) -> None:
    index.db.execute("BEGIN IMMEDIATE")
    writer = Writer(index.db)
    if not frozen:
        counts.removed += settle(plan, writer, counts.racy)
        calm(index)
        mark_complete(index)
        writer.changed = True
    writer.finish()
    index.db.execute("COMMIT")
    index.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def polish(place: Place) -> None:
    """Merge what a build left in pieces, so that later saves need not. Stops when another process wants to write."""
    try:
        with Index.open(place, write=True) as index:
            pages = -PAGES
            while True:
                with locked(place.lock, 0.0), guarded():
                    before = index.db.total_changes()
                    index.db.execute("INSERT INTO fts(fts, rank) VALUES('merge', ?)", (pages,))
                    if index.db.total_changes() - before < 2:
                        index.db.execute("PRAGMA incremental_vacuum").fetchall()
                        index.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                        return
                pages = PAGES
    except MemtuiError:
        return


def main(arguments: list[str]) -> int:
    """`HOME LAYOUT WHERE`: build; progress as lines of JSON on stdout, the last one what was done, or `error`."""
    fresh = "--fresh" in arguments
    home, layout, kept = [*(word for word in arguments if word != "--fresh"), "auto"][:3]
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
        index = place_of(where, layout, kept)
        changes = build(Home(where, layout, "", where.name), index, progress, fresh=fresh)
    except MemtuiError as error:
        say(error=str(error))
        return error.exit_status
    say(added=changes.added, changed=changes.changed, removed=changes.removed, seconds=changes.seconds)
    polish(index)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Taking conversations in: what was appended since the last time, however large the files are.

Transcripts only grow, so every file's place is remembered, with checks of its first bytes and of those before the
place; one that was replaced, cut or rewritten is taken in anew. Commits come every so often: whoever is stopped in
between goes on from there.
"""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from memtui.disk.files import Reader
from memtui.disk.locks import locked
from memtui.errors import LockedError, MemtuiError, StaleIndexError
from memtui.index import pointer
from memtui.index.schema import guarded
from memtui.parse.fields import line
from memtui.traces.growing import Growing
from memtui.traces.progress import Known, begin, keep, known
from memtui.traces.schema import connect, create, damaged
from memtui.traces.shelving import Shelving
from memtui.traces.tellers import KEEPERS, LARGEST_DOCUMENT, Table, document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO

    import apsw

    from memtui.disk.places import Place
    from memtui.traces.sources import Source

COMMIT = 4 * 1024 * 1024
"""Bytes of transcripts between commits."""


class Taken(NamedTuple):
    """What there was to take in, in bytes, and what is left."""

    done: int = 0
    left: int = 0
    why: str = ""
    """Why something is left, or could not be read: a sentence."""


class _StopError(Exception):
    """Enough for now."""


def pending(place: Place, sources: Sequence[Source]) -> tuple[list[Source], list[str]]:
    """The sources that hold something new, and the files that are gone. Raises StaleIndexError: there is no index."""
    with guarded():
        db = connect(place)
        try:
            held = known(db)
        finally:
            db.close()
    fresh = [source for source in sources if not held.get(source.path, Known()).fresh(source)]
    return fresh, sorted(held.keys() - {source.path for source in sources})


def take(
    place: Place,
    sources: Sequence[Source],
    gone: Sequence[str],
    layout: str,
    *,
    budget: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Taken:
    """Take in what is new in these sources, in their order; the index is made where there is none.

    `progress` gets bytes done and in all. Stops after `budget` seconds, or when `cancelled`. Raises nothing that a
    disk or another process can cause: it is said in the answer.
    """

    def taken(fresh: bool) -> Taken:
        with _opened(place, layout, fresh) as db, guarded():
            return _Taking(db, sources, budget, progress, cancelled).run(gone)

    try:
        with locked(place.lock, 0.5):
            try:
                return taken(False)
            except StaleIndexError as error:
                if not damaged(error):
                    raise
                return taken(True)
    except LockedError:
        return Taken(0, sum(source.size for source in sources), "another memtui is taking conversations in")
    except (MemtuiError, OSError) as error:
        return Taken(0, sum(source.size for source in sources), str(error))


@contextmanager
def _opened(place: Place, layout: str, fresh: bool) -> Iterator[apsw.Connection]:
    try:
        db = None if fresh else connect(place, write=True)
    except StaleIndexError:
        db = None
    if db is None:
        pointer.begin(place, layout, create)
        db = connect(place, write=True)
    try:
        yield db
    finally:
        db.close()
        pointer.tidy(place)


class _Taking:
    """One run over the sources, in transactions of a few megabytes."""

    def __init__(
        self,
        db: apsw.Connection,
        sources: Sequence[Source],
        budget: float | None,
        progress: Callable[[int, int], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self._db = db
        self._known = known(db)
        self._sources = [s for s in sources if not self._known.get(s.path, Known()).fresh(s)]
        self._until = None if budget is None else time.monotonic() + budget
        self._progress, self._cancelled = progress, cancelled
        self._done = self._held = 0
        self._why = ""
        self._all = sum(self._ahead(source) for source in self._sources)

    def _ahead(self, source: Source) -> int:
        done = self._known.get(source.path, Known()).done
        return source.size - done if 0 < done <= source.size and source.kind in KEEPERS else source.size

    def run(self, gone: Sequence[str]) -> Taken:
        self._db.execute("BEGIN IMMEDIATE")
        self._shelving = Shelving(self._db)
        for path in gone:
            if path in self._known:
                self._shelving.forget(self._known[path].id)
                self._db.execute("DELETE FROM file WHERE id = ?", (self._known[path].id,))
        try:
            with ExitStack() as stack:
                readers: dict[str, Reader] = {}
                for source in self._sources:
                    before = self._done
                    if source.root not in readers:
                        readers[source.root] = stack.enter_context(Reader(source.root))
                    try:
                        self._source(readers[source.root], source)
                    except (MemtuiError, OSError) as error:
                        if isinstance(error, StaleIndexError):
                            raise
                        self._why = f"{source.path}: {error}"
                    # Broken lines, one that is still being written, and what cannot be read count as well.
                    self._done = before + self._ahead(source)
                    self._step(0)
        except _StopError:
            pass
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._shelving.flush()
        self._db.execute("COMMIT")
        return Taken(self._done, max(0, self._all - self._done), self._why)

    def _step(self, size: int) -> None:
        """So many bytes more are done. Raises _StopError when it is enough."""
        self._done += size
        if self._progress is not None and size:
            self._progress(self._done, self._all)
        if (self._until is not None and time.monotonic() > self._until) or (
            self._cancelled and self._cancelled()
        ):
            raise _StopError

    def _source(self, reader: Reader, source: Source) -> None:
        reader.status(source.inside)
        file = self._known.get(source.path) or begin(self._db, source)
        if source.kind == "table":
            self._table(file, source)
        elif source.kind == "document":
            self._document(reader, file, source)
        else:
            with reader.open(source.inside) as opened:
                self._lines(opened, file, source)

    def _commit(self) -> None:
        self._shelving.flush()
        self._db.execute("COMMIT; BEGIN IMMEDIATE")
        self._held = 0

    # -- transcripts of lines -----------------------------------------------------------------------------------

    def _lines(self, opened: BinaryIO, file: Known, source: Source) -> None:
        status = os.fstat(opened.fileno())
        # What is appended while it is read comes the next time, when its size and time differ.
        source = source._replace(size=status.st_size, modified=status.st_mtime_ns, inode=status.st_ino)
        if file.done and not file.same(opened, source):
            self._shelving.forget(file.id)
            file = Known(file.id)
        growing = Growing(opened, file, source)
        try:
            for step in growing.steps():
                for what in step.repeated:
                    self._shelving.forget(file.id, what)
                for part, (turn, item) in enumerate(step.turns):
                    place = (step.start, step.size, part)
                    self._shelving.add(file.id, source.rank, step.session, turn, *place, item)
                self._held += step.read
                if self._held > COMMIT:
                    keep(self._db, file, source, **growing.reached())
                    self._commit()
                self._step(step.read)
        except BaseException:
            keep(self._db, file, source, **growing.reached())
            raise
        keep(self._db, file, source, **growing.reached(), whole=1)

    # -- others -------------------------------------------------------------------------------------------------

    def _document(self, reader: Reader, file: Known, source: Source) -> None:
        if file.done:
            self._shelving.forget(file.id)
        data, status = reader.read(source.inside, LARGEST_DOCUMENT)
        session, turns = document(data, source.path)
        for part, turn in enumerate(turns):
            dated = turn if turn.time is not None else turn._replace(time=status.st_mtime)
            name = session or source.path.rpartition("/")[2]
            self._shelving.add(file.id, source.rank, name, dated, 0, len(data), part)
        keep(self._db, file, source, done=len(data), skipped=int(len(data) < status.st_size), whole=1)
        self._held += len(data)
        if self._held > COMMIT:
            self._commit()

    def _table(self, file: Known, source: Source) -> None:
        table = Table(source)
        if file.done and table.count(file.done) != file.line:
            self._shelving.forget(file.id)
            file = Known(file.id, line=0)
        counted = file.line if file.done else 0
        while rows := table.after(file.done):
            for row, record in rows:
                keeper = KEEPERS["message"](whole=True)
                keeper.take(record, row)
                for part, turn in enumerate(keeper.turns):
                    session = line(record.get("session_id"))
                    self._shelving.add(file.id, source.rank, session, turn, row, 0, part)
            counted += len(rows)
            file = keep(self._db, file, source, done=rows[-1][0], line=counted)
            self._commit()
            self._step(0)
        keep(self._db, file, source, whole=1)

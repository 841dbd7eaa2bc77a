"""Conversations taken into the index: what was appended since the last time, however large the files are.

- `Growing`: one transcript of lines, read on from where it was left.
- `take`: several sources. Each file's position is kept with checksums of its first bytes and of those before
  the position; one that was replaced, cut or rewritten is taken in anew. Commits come at intervals, so that an
  interrupted run continues from there.
- `take_in`: a home's conversations on demand, for as long as the caller would wait (BUDGET).
"""

from __future__ import annotations

import json
import os
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.errors import LockedError, MemtuiError, StaleIndexError
from memtui.core.locale import _
from memtui.formats.jsonl import Stream
from memtui.formats.records import fit_line
from memtui.formats.transcript_codex import Rollout
from memtui.fs.files import HomeReader
from memtui.fs.locks import hold_lock
from memtui.index import schema
from memtui.index.schema import translate_sqlite_errors
from memtui.index.transcript_tables import (
    KEEPERS,
    LARGEST_DOCUMENT,
    KnownTranscript,
    Shelving,
    Table,
    begin,
    compute_file_checks,
    connect,
    create,
    find_transcript_place,
    is_index_damaged,
    keep,
    parse_trace_document,
    read_known_files,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO

    import apsw

    from memtui.core.model import Home, Turn
    from memtui.fs.places import Place
    from memtui.layouts.trace_sources import TranscriptSource

_TOOLS = 200
"""Calls without a result that are remembered to the next time."""


class RecordStep(NamedTuple):
    """What one record said."""

    start: int
    size: int
    session: str
    turns: list[tuple[Turn, str]]
    """Each with what it is, where an event may say it again."""
    repeated: set[str]
    """What events say from here on: items of that kind were said twice, and are to be forgotten."""
    read: int
    """Bytes since the last step."""


class Growing:
    """One transcript, open."""

    def __init__(self, opened: BinaryIO, file: KnownTranscript, source: TranscriptSource) -> None:
        self._opened, self._file = opened, file
        state: dict[str, Any] = json.loads(file.state)
        self._keeper = KEEPERS[source.kind](whole=True)
        self._keeper.tools.update(state.get("tools", {}))
        if isinstance(self._keeper, Rollout):
            self._keeper.events.update(state.get("events", ()))
        self._stream = Stream(opened, offset=file.done, line=file.line, growing=True)
        self._session: str = source.session or state.get("session", "")
        self._time: float = state.get("time") or source.modified / 1e9

    def steps(self) -> Iterator[RecordStep]:
        """What was appended, a record at a time."""
        keeper, stream = self._keeper, self._stream
        before = stream.end
        for at, record in stream.records():
            self._session = self._session or _find_session_name(record)
            known = set(keeper.events) if isinstance(keeper, Rollout) else set()
            keeper.take(record, at)
            items = keeper.items if isinstance(keeper, Rollout) else {}
            turns: list[tuple[Turn, str]] = []
            for part, turn in enumerate(keeper.turns):
                self._time = self._time if turn.time is None else turn.time
                turns.append((turn._replace(time=self._time), items.get(part, "")))
            repeated = keeper.events - known if isinstance(keeper, Rollout) else set()
            keeper.turns.clear()
            items.clear()
            size, read, before = stream.end - stream.start, stream.end - before, stream.end
            yield RecordStep(stream.start, size, self._session, turns, repeated, read)

    def reached(self) -> dict[str, Any]:
        """How far it is read, as the index remembers it."""
        keeper, stream = self._keeper, self._stream
        said: dict[str, Any] = {"session": self._session, "time": self._time}
        said["tools"] = dict(list(keeper.tools.items())[-_TOOLS:])
        if isinstance(keeper, Rollout):
            said["events"] = sorted(keeper.events)
        first, last = compute_file_checks(self._opened, stream.end)
        skipped = self._file.skipped + stream.skipped
        return {
            "done": stream.end, "line": stream.line, "first": first, "last": last, "state": json.dumps(said),
            "skipped": skipped,
        }  # fmt: skip


def _find_session_name(record: dict[str, Any]) -> str:
    """The session that a record names: any of Claude Code's, the head of a Codex rollout."""
    payload = record.get("payload")
    return fit_line(record.get("sessionId") or (payload if isinstance(payload, dict) else record).get("id"))


COMMIT = 4 * 1024 * 1024
"""Bytes of transcripts between commits."""


class IntakeResult(NamedTuple):
    """What there was to take in, in bytes, and what is left."""

    done: int = 0
    left: int = 0
    why: str = ""
    """Why something is left, or could not be read: a sentence."""


class _StopError(Exception):
    """Enough for now."""


def find_pending_sources(place: Place, sources: Sequence[TranscriptSource]) -> tuple[list[TranscriptSource], list[str]]:
    """The sources that hold something new, and the files that are gone. Raises StaleIndexError: there is no index."""
    with translate_sqlite_errors():
        db = connect(place)
        try:
            held = read_known_files(db)
        finally:
            db.close()
    fresh = [source for source in sources if not held.get(source.path, KnownTranscript()).fresh(source)]
    return fresh, sorted(held.keys() - {source.path for source in sources})


def take(
    place: Place,
    sources: Sequence[TranscriptSource],
    gone: Sequence[str],
    layout: str,
    *,
    budget: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> IntakeResult:
    """Take in what is new in these sources, in their order; the index is made where there is none.

    `progress` gets bytes done and in all. Stops after `budget` seconds, or when `cancelled`. Raises nothing that a
    disk or another process can cause: it is said in the answer.
    """

    def taken(fresh: bool) -> IntakeResult:
        with _open_tables(place, layout, fresh) as db, translate_sqlite_errors():
            return _Taking(db, sources, budget, progress, cancelled).run(gone)

    try:
        with hold_lock(place.lock, 0.5):
            try:
                return taken(False)
            except StaleIndexError as error:
                if not is_index_damaged(error):
                    raise
                return taken(True)
    except LockedError:
        return IntakeResult(0, sum(source.size for source in sources), "another memtui is taking conversations in")
    except (MemtuiError, OSError) as error:
        return IntakeResult(0, sum(source.size for source in sources), str(error))


@contextmanager
def _open_tables(place: Place, layout: str, fresh: bool) -> Iterator[apsw.Connection]:
    try:
        db = None if fresh else connect(place, write=True)
    except StaleIndexError:
        db = None
    if db is None:
        schema.begin(place, layout, create)
        db = connect(place, write=True)
    try:
        yield db
    finally:
        db.close()
        schema.tidy(place)


class _Taking:
    """One run over the sources, in transactions of a few megabytes."""

    def __init__(
        self,
        db: apsw.Connection,
        sources: Sequence[TranscriptSource],
        budget: float | None,
        progress: Callable[[int, int], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self._db = db
        self._known = read_known_files(db)
        self._sources = [s for s in sources if not self._known.get(s.path, KnownTranscript()).fresh(s)]
        self._until = None if budget is None else time.monotonic() + budget
        self._progress, self._cancelled = progress, cancelled
        self._done = self._held = 0
        self._why = ""
        self._all = sum(self._count_bytes_ahead(source) for source in self._sources)

    def _count_bytes_ahead(self, source: TranscriptSource) -> int:
        done = self._known.get(source.path, KnownTranscript()).done
        return source.size - done if 0 < done <= source.size and source.kind in KEEPERS else source.size

    def run(self, gone: Sequence[str]) -> IntakeResult:
        """Take in what is new and forget what is gone, in one transaction. What cannot be read is answered."""
        self._db.execute("BEGIN IMMEDIATE")
        self._shelving = Shelving(self._db)
        for path in gone:
            if path in self._known:
                self._shelving.forget(self._known[path].id)
                self._db.execute("DELETE FROM file WHERE id = ?", (self._known[path].id,))
        try:
            with ExitStack() as stack:
                readers: dict[str, HomeReader] = {}
                for source in self._sources:
                    before = self._done
                    if source.root not in readers:
                        readers[source.root] = stack.enter_context(HomeReader(source.root))
                    try:
                        self._take_source(readers[source.root], source)
                    except (MemtuiError, OSError) as error:
                        if isinstance(error, StaleIndexError):
                            raise
                        self._why = f"{source.path}: {error}"
                    # Broken lines, one that is still being written, and what cannot be read count as well.
                    self._done = before + self._count_bytes_ahead(source)
                    self._step(0)
        except _StopError:
            pass
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._shelving.flush()
        self._db.execute("COMMIT")
        return IntakeResult(self._done, max(0, self._all - self._done), self._why)

    def _step(self, size: int) -> None:
        """So many bytes more are done. Raises _StopError when it is enough."""
        self._done += size
        if self._progress is not None and size:
            self._progress(self._done, self._all)
        if (self._until is not None and time.monotonic() > self._until) or (self._cancelled and self._cancelled()):
            raise _StopError

    def _take_source(self, reader: HomeReader, source: TranscriptSource) -> None:
        reader.status(source.inside)
        file = self._known.get(source.path) or begin(self._db, source)
        if source.kind == "table":
            self._take_table(file, source)
        elif source.kind == "document":
            self._take_document(reader, file, source)
        else:
            with reader.open(source.inside) as opened:
                self._take_lines(opened, file, source)

    def _commit(self) -> None:
        self._shelving.flush()
        self._db.execute("COMMIT; BEGIN IMMEDIATE")
        self._held = 0

    # -- transcripts of lines -----------------------------------------------------------------------------------

    def _take_lines(self, opened: BinaryIO, file: KnownTranscript, source: TranscriptSource) -> None:
        status = os.fstat(opened.fileno())
        # What is appended while it is read comes the next time, when its size and time differ.
        source = source._replace(size=status.st_size, modified=status.st_mtime_ns, inode=status.st_ino)
        if file.done and not file.same(opened, source):
            self._shelving.forget(file.id)
            file = KnownTranscript(file.id)
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

    def _take_document(self, reader: HomeReader, file: KnownTranscript, source: TranscriptSource) -> None:
        if file.done:
            self._shelving.forget(file.id)
        data, status = reader.read(source.inside, LARGEST_DOCUMENT)
        session, turns = parse_trace_document(data, source.path)
        for part, turn in enumerate(turns):
            dated = turn if turn.time is not None else turn._replace(time=status.st_mtime)
            name = session or source.path.rpartition("/")[2]
            self._shelving.add(file.id, source.rank, name, dated, 0, len(data), part)
        keep(self._db, file, source, done=len(data), skipped=int(len(data) < status.st_size), whole=1)
        self._held += len(data)
        if self._held > COMMIT:
            self._commit()

    def _take_table(self, file: KnownTranscript, source: TranscriptSource) -> None:
        table = Table(source)
        if file.done and table.count(file.done) != file.line:
            self._shelving.forget(file.id)
            file = KnownTranscript(file.id, line=0)
        counted = file.line if file.done else 0
        while rows := table.after(file.done):
            for row, record in rows:
                keeper = KEEPERS["message"](whole=True)
                keeper.take(record, row)
                for part, turn in enumerate(keeper.turns):
                    session = fit_line(record.get("session_id"))
                    self._shelving.add(file.id, source.rank, session, turn, row, 0, part)
            counted += len(rows)
            file = keep(self._db, file, source, done=rows[-1][0], line=counted)
            self._commit()
            self._step(0)
        keep(self._db, file, source, whole=1)


BUDGET = 30.0
"""Seconds that taking conversations in may take, where nobody says otherwise."""


class TranscriptShelf(NamedTuple):
    """A home and where its indexes are."""

    home: Home
    place: Place


def take_in(
    shelf: TranscriptShelf,
    wanted: list[TranscriptSource],
    listed: list[TranscriptSource],
    budget: float | None,
    progress: Callable[[Home, int, int], None] | None,
    cancelled: Callable[[], bool] | None,
) -> str:
    """Take in what is new; why the answer may lack something, or nothing."""
    place = find_transcript_place(shelf.place)
    gone: list[str] = []
    fresh = wanted
    try:
        fresh, gone = find_pending_sources(place, wanted)
        # A disk that is not there has not lost its conversations.
        gone = sorted(set(gone) - {source.path for source in listed}) if shelf.home.path.is_dir() else []
    except StaleIndexError:
        if not wanted:
            return ""
    if not fresh and not gone:
        return ""

    def told(done: int, total: int) -> None:
        if progress is not None:
            progress(shelf.home, done, total)

    taken = take(place, fresh, gone, shelf.home.layout, budget=budget, progress=told, cancelled=cancelled)
    if taken.why and not taken.left:
        return taken.why
    if not taken.left:
        return ""
    megabytes = 1 << 20
    left = _("{left:.1f} MB of {label}'s conversations are still to be taken in: ask again").format(
        left=max(taken.left / megabytes, 0.1), label=shelf.home.label
    )
    return f"{taken.why}; {left}" if taken.why else left

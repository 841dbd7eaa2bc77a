"""One open home, `OpenHome`: its index, its files as they were last parsed, and how fresh both are.

Readers may be on any thread, each with a connection of its own; one thread at a time updates the index. What
cannot be answered from the index is answered from the files, with a warning. `Subscribers` are told each
generation of a changed index once.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from functools import partial

from memtui.core import clock
from memtui.core.config import VectorConfig
from memtui.core.errors import MemtuiError, StaleIndexError, UnwritableIndexError
from memtui.core.locale import _
from memtui.core.model import DATABASES, PERISHABLE, HomeProgress, HomeStatus
from memtui.core.startup import TYPE_CHECKING
from memtui.index.connections import Handles, KnownHome
from memtui.index.lease import Request
from memtui.index.queries import (
    Index,
    find_bare_etag,
    find_twin_spans,
    list_changed_files,
    list_index_directories,
    list_index_tags,
    list_outlines,
    list_predecessors,
    list_sort_keys,
    read_index_moment,
)
from memtui.layouts import load_layout, place_index
from memtui.layouts.discovery import refresh_origin
from memtui.layouts.home_config import read_home_defaults
from memtui.store.meaning import Meaning
from memtui.store.reading import Readings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtui.core.model import Filter, Home, Layer, Memory, Order, Status, Transcript
    from memtui.index.build import Apart, IndexWork
    from memtui.index.filters import IndexProgress, IndexRow, Outline
    from memtui.index.sync import Changes
    from memtui.index.watch import Watch
    from memtui.search.texts import MemoryTexts, SearchTarget
    from memtui.store.reading import Reading


class Subscribers:
    """Callbacks that are told a generation, each generation once. From any thread."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[int], None]] = []
        self._lock = threading.Lock()
        self._told = 0

    def add(self, callback: Callable[[int], None]) -> Callable[[], None]:
        """Have `callback(generation)` called from now on; call the answer to stop."""
        with self._lock:
            self._callbacks.append(callback)

        def leave() -> None:
            with self._lock:
                if callback in self._callbacks:
                    self._callbacks.remove(callback)

        return leave

    def tell(self, generation: int) -> None:
        """Tell all of them, unless they were told of this generation before."""
        with self._lock:
            if generation == self._told:
                return
            self._told = generation
            callbacks = list(self._callbacks)
        for callback in callbacks:
            callback(generation)


FEW = 200
"""Files that are read in this process where somebody is pressing keys in it."""

MUCH = 2000
"""Files to be read that somebody waits for who only asked what there is."""

AGAIN = 1.0
"""Seconds until another try where the index could not be built."""

ROOM = 5.0
"""Seconds until another try where the disk did not let it be written."""


def load_index_work() -> type[IndexWork]:
    """What makes an index right."""
    # The app shows its first rows before anything is compared or written, and a search mostly only asks.
    from memtui.index.build import IndexWork

    return IndexWork


class OpenHome:
    """One home, open."""

    def __init__(self, home: Home, where: str = "auto", vector: VectorConfig | None = None) -> None:
        """`where` its index lives, as `index.place` in the config says it; `vector`: what makes vectors."""
        self.home = home
        self.watch: Watch | None = None
        """What keeps it current, if anything does."""
        self.apart = False
        """Whether bulk builds run in a process of their own, because somebody is pressing keys in this one."""
        self.defaults = read_home_defaults(home.layout, home.path, home.config)
        """What the home's own config says."""
        named = self.defaults.get("db_path") if where == "auto" else None
        self._where = os.path.dirname(named) if named else where
        self._layout = load_layout(home.layout)
        self.place = place_index(home.path, home.layout, self._where)
        if named and self._where != where and named.endswith(DATABASES):
            self.place = self.place._replace(link=named)
        self._readings = Readings(
            home, self._layout, lambda path: self._handles.ask(partial(find_bare_etag, path=path))
        )
        self._texts: MemoryTexts | None = None
        self._files: tuple[int, dict[str, list[str]]] | None = None
        self._handles = Handles(self.place, self._mend)
        self.meaning = Meaning(home, self._where, self._handles, vector or VectorConfig())
        self._working = threading.RLock()
        self._fresh_at: float | None = None
        self._warning = self._broken = ""
        self.unwritable = False
        """Whether the index may be behind its home, because the disk has no room for it or is read-only."""
        self._building = self._away = self._closed = False
        self._began = 0
        """When it was first looked at, in nanoseconds of the machine's clock."""
        self._total = 0
        """How many there are in a home of which only the likeliest are indexed."""
        self._apart: Apart | None = None
        """A build in a process of its own; taken away by the thread that waits for it."""
        self._waiting: threading.Thread | None = None

    @property
    def generation(self) -> int:
        """Grows whenever the index changed, by whichever process."""
        return self._handles.generation() + self.meaning.turns

    def mark(self) -> tuple[str, int] | None:
        """The index as it is now, for every process alike: its file and generation; None until it is whole."""
        return self._handles.ask(_mark)

    @property
    def building(self) -> bool:
        """Whether a build is going on that was begun here."""
        return self._building

    def leave(self) -> None:
        """End a build in a process of its own; it is resumed at the next opening."""
        self._closed = True
        if self._apart is not None:
            self._apart.end()

    def close(self) -> None:
        """Let go of every connection and text."""
        self.leave()
        if self._waiting is not None and self._waiting is not threading.current_thread():
            self._waiting.join(2.0)
        self.meaning.close()
        self._handles.close()
        if self._texts is not None:
            self._texts.close()

    # -- making it right ----------------------------------------------------------------------------------------

    def sync(
        self,
        paths: Sequence[str] | None = None,
        progress: Callable[[Home, int, int], None] | None = None,
        between: Callable[[], Iterable[str]] | None = None,
        *,
        briefly: bool = False,
    ) -> Changes | None:
        """Make the index right with the disk; `paths` are relative. None: it could not be done, and `warning` says why.

        An index that is missing, broken or of another making is built anew, beside whatever is there. Where builds run
        in a process of their own, only the first files are in it when this returns. `between`: see `Survey`.
        `briefly`: where more than `MUCH` files are to be read they are counted, and left.
        """

        def told(done: int, total: int) -> None:
            if progress is not None:
                progress(self.home, done, total)

        with self._working:
            try:
                try:
                    changes = self._sync_index(paths, told, between, briefly)
                except UnwritableIndexError:
                    raise
                except StaleIndexError:
                    self._begin()
                    changes = self._sync_index(None, told, between, briefly)
            except MemtuiError as error:
                self._note_failure(error)
                return None
            if changes.many and self.unwritable:
                # Until the build that was begun has shown that there is room again.
                return changes
            self.unwritable = False
            self._warning, self._away = changes.warning(self.home.path) or self.place.warning, changes.away
            if briefly and changes.many:
                self._warning = _("only its files are counted: `memtui index` reads them, and counts their memories")
            if paths is None and not (changes.suspect or changes.away or changes.many):
                self._fresh_at = clock.now()
            return changes

    def freshen(self, progress: Callable[[Home, int, int], None] | None = None, *, briefly: bool = False) -> None:
        """As `sync`; where another process keeps the index right, only what that one names is looked at."""
        if not self.leased(Request(self.place), progress):
            self.sync(None, progress, briefly=briefly)

    def leased(self, request: Request, progress: Callable[[Home, int, int], None] | None = None) -> bool:
        """Whether the index is right by what the holder of its lease says; what it names is looked at here."""
        current = request.answer()
        if current is None:
            return False
        index = self._handles.reader()
        try:
            status = os.stat(self.home.path)
        except OSError:
            return False
        if (
            index is None
            or index.path.name != current.file
            or (status.st_dev, status.st_ino) != current.home
            or not self.whole
        ):
            return False
        if current.paths and self.sync(current.paths, progress) is None:
            return False
        self._fresh_at = clock.now()
        return True

    @property
    def whole(self) -> bool:
        """Whether there is an index that holds all of the home, as far as it knows."""
        return bool(self._handles.ask(lambda index: index.meta("complete")))

    @property
    def looked_at(self) -> KnownHome:
        """What a look beside other work needs of the home."""
        return KnownHome(self.home.path, partial(self._layout.prune, self.home.path), self.place)

    def _sync_index(
        self,
        paths: Sequence[str] | None,
        told: Callable[[int, int], None],
        between: Callable[[], Iterable[str]] | None,
        briefly: bool,
    ) -> Changes:
        work = load_index_work()
        index = self._handles.writer()
        if paths is None and self.apart:
            if self._building:
                return work.Changes(many=1)
            files = self._total or work.take_first(self.home, index, self._layout)
            self._total = 0
            # Looking a large home over is the build's work, too.
            if files > FEW or index.meta("floor") is not None:
                # What was saved before anybody listened is not kept waiting for it.
                late = work.list_saved_since(self.home.path, self._layout, self._began)
                work.sync(self.home, index, late, layout=self._layout)
                many = max(files, 1)
                self._build_apart(told)
                return work.Changes(many=many)
        changes = work.sync(
            self.home,
            index,
            paths,
            told,
            layout=self._layout,
            many=FEW if self.apart else None,
            between=between,
        )
        if not changes.many:
            return changes
        if self.apart:
            self._build_apart(told)
            return work.Changes(many=changes.many)
        if briefly and changes.many > MUCH:
            self._total = work.count_files(self.home.path, self._layout)
            return changes
        self._building = True
        try:
            return work.build(self.home, self.place, told, layout=self._layout)
        finally:
            self._building = False

    def begin(self) -> int:
        """Take in what a person most likely looks for, where nothing is indexed; how many files the home has, as far
        as was seen."""
        with self._working, suppress(MemtuiError):
            self._began = time.time_ns()
            try:
                index = self._handles.writer()
            except StaleIndexError:
                self._begin()
                index = self._handles.writer()
            self._total = load_index_work().take_first(self.home, index, self._layout)
        return self._total

    def _build_apart(self, told: Callable[[int, int], None]) -> None:
        """Have another process build, and a thread wait for it; the watch goes on meanwhile."""
        if not self._building and not self._closed:
            self._building = True
            self._apart = load_index_work().Apart(self.home, self._where)
            self._waiting = threading.Thread(
                target=self._await, args=(self._apart, told), name="memtui-build", daemon=True
            )
            self._waiting.start()

    def _await(self, apart: Apart, told: Callable[[int, int], None]) -> None:
        def tell(done: int, total: int) -> None:
            self._broken = ""
            told(done, total)

        def built(_changes: Changes) -> None:
            # What changed while it was building is looked for at once.
            self._broken = ""
            self._building = self.unwritable = False
            self._mend(0.0)

        try:
            if not self._closed:
                apart.run(tell, built)
        except Exception as error:  # nobody else would say it, and the next look builds again
            self._note_failure(error)
            self._broken = self._warning
            if not self._closed:
                self._mend(ROOM if self.unwritable else AGAIN)
        finally:
            with self._working:
                if self._apart is apart:
                    self._apart, self._building = None, False

    def _note_failure(self, error: Exception) -> None:
        self._warning, self.unwritable = str(error), isinstance(error, UnwritableIndexError)

    def _mend(self, after: float) -> None:
        if self.watch is not None:
            self.watch.poke(after)
        elif not after and self._working.acquire(blocking=False):
            try:
                self.sync()
            finally:
                self._working.release()

    def _begin(self) -> None:
        # Whoever only asks locks nothing.
        load_index_work().begin_anew(self.place, self.home.layout)

    def rebuild(self, progress: Callable[[Home, int, int], None] | None = None) -> None:
        """Begin a new index beside the old one and fill it. Raises UnavailableError where the disk forbids it."""
        with self._working:
            self._begin()
        self.sync(None, progress)
        with self._working, suppress(MemtuiError):
            load_index_work().tidy(self.place)

    # -- asking -------------------------------------------------------------------------------------------------

    def progress(self) -> HomeProgress:
        """How far the index has come."""
        return self._complete_progress(self._handles.ask(Index.progress))

    def _complete_progress(self, held: IndexProgress | None) -> HomeProgress:
        files, total, whole = held or (0, 0, False)
        # Where there is no whole index and nothing stands in its way it is about to be made.
        building = self._building or not (whole if held else self._warning)
        return HomeProgress(files, max(total, self._total), not self.unwritable and not self._broken and building)

    def status(self, *, ask: bool = True) -> HomeStatus:
        """How the home stands. `ask`: also by which model it is found, where nobody knows yet."""
        held = self._handles.ask(read_index_moment)
        whole = held is not None and held.progress.complete
        files, total, building = self._complete_progress(held.progress if held else None)
        # What is told of a home is what its lists hold: archives and templates are told by themselves.
        counts = self.counts() if held else {}
        live = sum(number for (_layer, _kind, standing), number in counts.items() if standing in PERISHABLE)
        return HomeStatus(
            refresh_origin(self.home),
            files,
            live,
            files,
            total,
            building,
            self._fresh_at,
            "scan" if held is None or self.unwritable else "fts" if whole else "fts+scan",
            self.watch.told if self.watch else "off",
            held.problems if held else (),
            held.path if held else "",
            held.bytes if held else 0,
            self._warning or self._broken or self.place.warning or self._handles.trouble,
            self._away,
            *self.meaning.coverage(held, ask=ask and not self.apart),
            left_out=sum(counts.values()) - live,
        )

    def counts(self, *, parts: bool = False) -> dict[tuple[Layer, str, Status], int]:
        """How many memories of each layer, kind and status; with their `parts`, how many entries."""
        return self._handles.ask(lambda index: index.counts(parts=parts)) or {}

    def layer_marks(self, layers: Iterable[Layer]) -> tuple[object, ...]:
        """Equal as long as nothing of these layers changed in the index; empty without one."""
        return self._handles.ask(lambda index: index.layer_marks(layers)) or ()

    def known(self, name: str) -> list[str]:
        """The home's tags ('tag') or its directories ('path')."""
        return self._handles.ask(list_index_tags if name == "tag" else list_index_directories) or []

    def outlines(self, filter: Filter) -> list[Outline]:
        """The files of the memories that pass, each with what it holds of them."""
        return self._handles.ask(lambda index: list_outlines(index, filter)) or []

    def list_changed(self, filter: Filter, since: float, limit: int) -> list[tuple[float, str]]:
        """When the files of the memories that pass were written, and their paths: the newest since a moment."""
        return self._handles.ask(lambda index: list_changed_files(index, filter, since, limit)) or []

    def ids(self, filter: Filter, order: Order, limit: int | None = None) -> Sequence[int]:
        """The rows that pass, in order; the first `limit` of them."""
        return self._handles.ask(lambda index: index.ids(filter, order, limit)) or ()

    def keyed(self, filter: Filter, order: Order, limit: int | None = None) -> list[tuple[float | str, int]]:
        """The rows that pass, each with what it is sorted by, so that several homes' lists can become one."""
        return self._handles.ask(lambda index: list_sort_keys(index, filter, order, limit)) or []

    def load(self, ids: Sequence[int]) -> dict[int, Memory]:
        """The memories of these rows, as they stand in the files; those that moved on are left out."""
        rows = self._handles.ask(lambda index: index.rows(ids)) or []
        return {row.id: memory for row, memory in self._load_memories(rows)}

    def paths(self, ids: Sequence[int]) -> dict[int, str]:
        """The files of these rows, as the index has them."""
        return {row.id: row.path for row in self._handles.ask(lambda index: index.rows(ids)) or ()}

    def _load_memories(self, rows: Iterable[IndexRow]) -> Iterable[tuple[IndexRow, Memory]]:
        crowds: dict[str, list[IndexRow]] = {}
        looks: dict[str, Reading | None] = {}
        for row in rows:
            with suppress(MemtuiError):
                # Thousands of rows of one file are of one look at it.
                if row.path not in looks:
                    looks[row.path] = self._readings.get(row.path, row.etag if row.bare else "")
                reading = looks[row.path]
                if reading is None:
                    continue
                among: list[IndexRow] = []
                if reading.crowded(row):
                    if row.path not in crowds:
                        crowds[row.path] = self._handles.ask(partial(Index.in_file, path=row.path)) or []
                    place = (row.line, row.last)
                    among = [other for other in crowds[row.path] if (other.line, other.last) == place]
                memory = reading.of(row, among)
                if memory is not None:
                    yield row, memory

    def _load_first(self, rows: Iterable[IndexRow]) -> Memory | None:
        return next((memory for _, memory in self._load_memories(rows)), None)

    def at(self, path: str, line: int) -> Memory | None:
        """The memory that stands at this line."""
        row = self._handles.ask(lambda index: index.row_at(path, line))
        return None if row is None else self._load_first([row])

    def parts(self, memory: Memory) -> list[Memory]:
        """What stands within a memory, by line."""
        place = memory.path, memory.start, memory.last
        rows = self._handles.ask(lambda index: index.parts(*place)) or []
        return [found for _, found in self._load_memories(rows) if found.id != memory.id]

    def owner(self, memory: Memory) -> Memory | None:
        """The memory that reaches over the first line of this one."""
        row = self._handles.ask(lambda index: index.owner(memory.path, memory.start))
        return None if row is None else self._load_first([row])

    def on(self, path: str, start: int, end: int, turn: int = 0) -> Memory | None:
        """The memory that stands on exactly these lines, of several the one whose turn it is."""
        reading = self._readings.get(path)
        return None if reading is None else reading.on(start, end, turn)

    def id_on(self, path: str, start: int, end: int) -> str:
        """The id of the memory on exactly these lines, without parsing its file; empty: only that can tell it."""
        found = self._handles.ask(lambda index: find_twin_spans(index, path, start, end))
        crc = None if not found or self._texts is None else self._texts.checksum(path, *found)
        return "" if crc is None else f"{self._readings.prefix(path)}{crc:08x}"

    def by_key(self, key: str, near: str = "") -> Memory | None:
        """The memory with the home's own id `key`, in the file `near` first; or the one there that begins so."""
        rows = self._handles.ask(lambda index: index.by_key(key)) or []
        return self._load_first(sorted(rows, key=lambda row: row.path != near)) or self._readings.called(near, key)

    def predecessors(self, name: str, path: str) -> list[Memory]:
        """The memories that name this one as their successor, those of its own file before any others."""
        rows = self._handles.ask(lambda index: list_predecessors(index, name)) or []
        return [found for _, found in self._load_memories([row for row in rows if row.path == path] or rows)]

    def named(self, key: str) -> list[Memory]:
        """Every memory with the home's own id `key`, the newest first."""
        rows = self._handles.ask(lambda index: index.by_key(key))
        return [found for _, found in self._load_memories(rows or [])]

    def memory(self, id: str) -> Memory | None:
        """A memory by its id, its home's own key, or `path:line`."""
        path, _, line = id.rpartition(":")
        if path and line.isdecimal():
            return self.at(path, int(line))
        found = self.by_key(id)
        if found is not None or len(id) < 16:
            return found
        for name in self.list_named_files(id):
            reading = self._readings.get(name)
            return None if reading is None else reading.by_id(id)
        return None

    def list_named_files(self, id: str) -> list[str]:
        """The files whose memories' ids begin as this one does."""
        generation = self._handles.generation()
        if self._files is None or self._files[0] != generation:
            files: dict[str, list[str]] = {}
            for file in self._handles.ask(Index.files) or []:
                files.setdefault(self._readings.prefix(file.path), []).append(file.path)
            self._files = generation, files
        return self._files[1].get(id[:8], [])

    def text(self, path: str) -> str | None:
        """A whole file as its lines are counted; None if there is none. Raises OutsideError, UnavailableError."""
        reading = self._readings.get(path)
        return None if reading is None else reading.parsed.text

    def turns(self, path: str) -> Transcript | None:
        """The turns of the session whose transcript this file is; None if it is none."""
        role = self._layout.role(self.home.path, path)
        if role is None or not role.parser.endswith("-transcript"):
            return None
        from memtui.formats.transcripts import read_turns

        return read_turns(os.path.join(self.home.path, path), role.parser)

    def target(self) -> SearchTarget:
        """The home as a search needs it: its index, and the files that are not in it yet."""
        # The app shows its first rows before anybody searches.
        from memtui.search import texts

        if self._texts is None:
            self._texts = texts.MemoryTexts(self.home)
        # Where nothing can be noted, the files know more than the index does.
        index = None if self.unwritable else self._handles.reader()
        warning = self._warning or self._handles.trouble
        if index is not None and not self._handles.ask(lambda index: index.meta("complete"), index):
            progress = self._handles.ask(Index.progress)
            if progress is not None and not progress.complete:
                told = _("indexing {done:,} of {total:,} files") if progress.total else _("indexing {done:,} files")
                warning = told.format(done=progress.done, total=progress.total)
        about = self.meaning.vectors, self.meaning.reason
        return texts.SearchTarget(self.home, index, self._texts, (), warning, self._handles.damaged, *about)

    def inside(self, paths: Iterable[str]) -> list[str]:
        """Those of the absolute paths that are in this home, relative to it."""
        root = os.path.join(str(self.home.path), "")
        return [path[len(root) :].replace(os.sep, "/") for path in paths if path.startswith(root)]


def _mark(index: Index) -> tuple[str, int] | None:
    return (index.path.name, index.generation()) if index.meta("complete") else None

"""Whether homes are still as their indexes know them, and one index's connections for many threads.

`HomesLook` compares directories in a child process while the parent goes on: looking at ten thousand files
takes as long as the rest of a search, so a command searches meanwhile, and again only if something changed.
`Handles` gives each thread a connection of its own, opened when first needed.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import suppress

import apsw

from memtui.core.errors import MemtuiError, StaleIndexError, UnwritableIndexError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, NamedTuple, cast
from memtui.fs.files import list_directories
from memtui.index import schema
from memtui.index.queries import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import TypeVar

    from memtui.fs.places import Place

BESIDE = sys.platform == "linux"
"""Whether a child may be forked: elsewhere that is not safe, or not to be had, and the look comes first."""

MANY = 64
"""Directories from which on two processes look at them."""

SMALL = 2 << 20
"""Bytes of indexes whose homes are looked at in less time than it takes to begin a process: some hundred files."""


class KnownHome(NamedTuple):
    """A home, and the place of the index that knows it."""

    home: Path
    prune: Callable[[str], bool]
    place: Place


class HomesLook:
    """A look at several homes, on its way. Begin it before other threads are started."""

    def __init__(self, homes: Sequence[KnownHome]) -> None:
        self._homes = homes
        self._child = 0
        if homes and BESIDE and not _are_small(homes):
            with suppress(OSError):
                self._child = os.fork()
                if not self._child:
                    self._leave()

    def same(self) -> bool:
        """Whether every index is whole and nothing differs from it. Waits for the child."""
        child, self._child = self._child, 0
        if not child:
            return all(map(is_index_unchanged, self._homes))
        try:
            return os.waitpid(child, 0)[1] == 0
        except OSError:
            return False

    def close(self) -> None:
        """Nobody waits for it any more."""
        child, self._child = self._child, 0
        if child:
            import signal

            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)

    def _leave(self) -> None:
        """What the child does: it ends here, whatever happens, and runs nothing that its parent left to be run."""
        status = 1
        try:
            status = 0 if all(is_index_unchanged(known, beside=True) for known in self._homes) else 1
        finally:
            os._exit(status)


def _are_small(homes: Sequence[KnownHome]) -> bool:
    try:
        return sum(os.stat(schema.find_current_index(known.place)).st_size for known in homes) < SMALL
    except (MemtuiError, OSError):
        return False


def is_index_unchanged(known: KnownHome, *, beside: bool = False) -> bool:
    """Whether an index holds all of its home and no directory differs from it. Any damage means that it does not.

    `beside`: another child may look at half of them.
    """
    try:
        with schema.translate_sqlite_errors():
            held = _load_signatures(known)
        if held is None:
            return False
        below: dict[str, set[str]] = {path: set() for path in held}
        for path in held:
            if path:
                above, _slash, name = path.rpartition("/")
                below[above].add(name)
        return (_compare_beside if beside and len(held) >= MANY else _compare)(known, held, below)
    except (MemtuiError, OSError, TypeError, ValueError, LookupError):
        return False


def _load_signatures(known: KnownHome) -> dict[str, int | None] | None:
    """The directories that a whole index knows; None: it is not whole."""
    db = schema.connect(os.fspath(schema.find_current_index(known.place)))
    try:
        held = dict(cast("list[tuple[str, object]]", db.execute("SELECT key, value FROM meta").fetchall()))
        if not held.get("complete") or held.get("suspect"):
            return None
        return dict(cast("list[tuple[str, int | None]]", db.execute("SELECT path, signature FROM dir").fetchall()))
    finally:
        db.close()


def _compare_beside(known: KnownHome, held: dict[str, int | None], below: dict[str, set[str]]) -> bool:
    """The same by two processes: every other directory is looked at by a child, the rest here."""
    paths = list(held)
    child = os.fork()
    if not child:
        status = 1
        try:
            status = 0 if _compare(known, {path: held[path] for path in paths[1::2]}, below) else 1
        finally:
            os._exit(status)
    same = _compare(known, {path: held[path] for path in paths[::2]}, below)
    return os.waitpid(child, 0)[1] == 0 and same


def _compare(known: KnownHome, held: dict[str, int | None], below: dict[str, set[str]]) -> bool:
    """Whether these directories are as they were, and the directories in each are those that are known."""
    for listing, inner in list_directories(known.home, held, known.prune):
        # One that cannot be listed, or not to its end, is for whoever looks closer.
        if listing.failed or listing.cut or held[listing.path] != listing.signature():
            return False
        if below[listing.path] != set(inner):
            return False
    return "" in below


if TYPE_CHECKING:
    T = TypeVar("T")

AGAIN = 1.0
"""Seconds after which a missing index is worth another try: where none can be made, trying must not be all there is."""


_PAGE = 4096
"""Bytes of a page of SQLite's, which is all that an index grows and shrinks by."""


def _tell_torn() -> str:
    return _("the index is cut off; searching the files themselves")


class Handles:
    """The connections to one place's index. Close them all in the end; asking again opens new ones."""

    def __init__(self, place: Place, mend: Callable[[float], object] = float) -> None:
        """`mend` is called when there is no usable index, with the seconds after which to make one: 0 where it broke
        while it was being read."""
        self.place = place
        self._mend = mend
        self._broken: Path | None = None
        self.trouble = ""
        """What the index said when it could last not be used; empty once it could."""
        self._mine = threading.local()
        self._opened: list[tuple[threading.Thread, Index]] = []
        self._lock = threading.Lock()
        self._seen: tuple[str, int] = ("", -1)
        self._generation = 0

    def reader(self) -> Index | None:
        """This thread's connection to the current index; None while there is none that can be read."""
        held: Index | None = getattr(self._mine, "reader", None)
        if held is not None:
            if not held.replaced() and held.path != self._broken:
                if not _is_torn(held.path):
                    return held
                self.damaged(held, StaleIndexError(_tell_torn()))
            self._drop(held)
        try:
            self._check_sound()
            held = Index.open(self.place)
            if _is_torn(held.path):
                held.close()
                self.damaged(held, StaleIndexError(_tell_torn()))
                raise StaleIndexError(_tell_torn())
        except StaleIndexError as error:
            self.trouble = str(error)
            self._mend(AGAIN)
            return None
        self.trouble = ""
        self._mine.reader = held
        self._keep(held)
        return held

    def writer(self) -> Index:
        """This thread's connection for writing. Raises StaleIndexError: there is none yet, or it cannot be used."""
        held: Index | None = getattr(self._mine, "writer", None)
        if held is None or held.replaced() or held.path == self._broken:
            if held is not None:
                self._drop(held)
            self._check_sound()
            held = self._mine.writer = Index.open(self.place, write=True)
            self._keep(held)
        return held

    def ask(self, question: Callable[[Index], T], reader: Index | None = None) -> T | None:
        """What the index answers; None while there is none, or where it turns out to be unusable. `reader`: what
        `reader` just answered."""
        index = reader or self.reader()
        if index is None:
            return None
        try:
            return question(index)
        except StaleIndexError as error:
            if self._was_let_go(index):
                return None
            self._drop(index)
            self.damaged(index, error)
        except (apsw.InterruptError, apsw.ConnectionClosedError, apsw.CursorClosedError):
            # Whoever asked may have wanted it ended; whoever leaves ends what nobody waits for any more.
            if not self._was_let_go(index):
                raise
            return None
        index = self.reader()
        try:
            return None if index is None else question(index)
        except StaleIndexError:
            return None

    def _was_let_go(self, index: Index) -> bool:
        """Whether it was closed while a query ran on it."""
        with self._lock:
            return all(kept is not index for _thread, kept in self._opened)

    def damaged(self, index: Index, error: StaleIndexError) -> None:
        """Somebody met with damage in this index: it is not read any more, and another is asked for."""
        if isinstance(error, UnwritableIndexError):
            return
        if isinstance(error.__cause__, apsw.BusyError | apsw.LockedError | apsw.SchemaChangeError):
            return
        self.trouble = str(error)
        if not index.replaced():
            self._broken = index.path
            self._mend(0.0)

    def _check_sound(self) -> None:
        """Raises StaleIndexError for an index that broke while it was read, though opening it might still do."""
        if self._broken is not None and schema.find_current_index(self.place) == self._broken:
            raise StaleIndexError(self.trouble or _("the index is damaged; searching the files themselves"))

    def generation(self) -> int:
        """Grows whenever the index changed or was replaced, by whichever process."""
        index = self.reader()
        now = ("", -1) if index is None else (str(index.path), self.ask(Index.generation) or 0)
        with self._lock:
            if now != self._seen:
                self._seen = now
                self._generation += 1
            return self._generation

    def close(self) -> None:
        """Let go of every connection."""
        with self._lock:
            opened, self._opened = self._opened, []
        # The last to leave puts the log into the index and removes it; only one that may write can.
        for index in sorted((index for _thread, index in opened), key=lambda index: index.writable):
            _close_index(index)
        self._mine = threading.local()

    def _keep(self, index: Index) -> None:
        """Threads come and go in a process that runs for days: what those that went had open is closed."""
        with self._lock:
            left = [old for thread, old in self._opened if not thread.is_alive()]
            self._opened = [(thread, old) for thread, old in self._opened if thread.is_alive()]
            self._opened.append((threading.current_thread(), index))
        for old in left:
            _close_index(old)

    def _drop(self, index: Index) -> None:
        for name in ("reader", "writer"):
            if getattr(self._mine, name, None) is index:
                setattr(self._mine, name, None)
        with self._lock:
            self._opened = [kept for kept in self._opened if kept[1] is not index]
        index.close()


def _is_torn(file: Path) -> bool:
    """Whether the file ends within a page. SQLite reads the rest of it as zeros, and of its rows some as missing."""
    try:
        return os.stat(file).st_size % _PAGE != 0
    except OSError:
        return False


def _close_index(index: Index) -> None:
    """Close it; a query of another thread on it is interrupted, and waited for a little."""
    for pause in (0.0, 0.005, 0.02, 0.1, 0.4):
        time.sleep(pause)
        try:
            index.close()
        except apsw.ThreadingViolationError:
            index.interrupt()
        else:
            return

"""A place's index as many threads use it: each reads through a connection of its own, opened when first needed."""

from __future__ import annotations

import os
import threading
import time

import apsw

from memtui.errors import StaleIndexError, UnwritableIndexError
from memtui.index import pointer
from memtui.index.index import Index
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeVar

    from memtui.disk.places import Place

    T = TypeVar("T")

AGAIN = 1.0
"""Seconds after which a missing index is worth another try: where none can be made, trying must not be all there is."""


_PAGE = 4096
"""Bytes of a page of SQLite's, which is all that an index grows and shrinks by."""
_TORN = "the index is cut off; searching the files themselves"


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
                if not _torn(held.path):
                    return held
                self.damaged(held, StaleIndexError(_TORN))
            self._drop(held)
        try:
            self._sound()
            held = Index.open(self.place)
            if _torn(held.path):
                held.close()
                self.damaged(held, StaleIndexError(_TORN))
                raise StaleIndexError(_TORN)
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
            self._sound()
            held = self._mine.writer = Index.open(self.place, write=True)
            self._keep(held)
        return held

    def ask(self, question: Callable[[Index], T]) -> T | None:
        """What the index answers; None while there is none, or where it turns out to be unusable."""
        index = self.reader()
        if index is None:
            return None
        try:
            return question(index)
        except StaleIndexError as error:
            if self._left(index):
                return None
            self._drop(index)
            self.damaged(index, error)
        except (apsw.InterruptError, apsw.ConnectionClosedError, apsw.CursorClosedError):
            # Whoever asked may have wanted it ended; whoever leaves ends what nobody waits for any more.
            if not self._left(index):
                raise
            return None
        index = self.reader()
        try:
            return None if index is None else question(index)
        except StaleIndexError:
            return None

    def _left(self, index: Index) -> bool:
        """Whether it was let go of while it was being asked."""
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

    def _sound(self) -> None:
        """Raises StaleIndexError for an index that broke while it was read, though opening it might still do."""
        if self._broken is not None and pointer.current(self.place) == self._broken:
            raise StaleIndexError(self.trouble or "the index is damaged; searching the files themselves")

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
            _let_go(index)
        self._mine = threading.local()

    def _keep(self, index: Index) -> None:
        """Threads come and go in a process that runs for days: what those that went had open is closed."""
        with self._lock:
            left = [old for thread, old in self._opened if not thread.is_alive()]
            self._opened = [(thread, old) for thread, old in self._opened if thread.is_alive()]
            self._opened.append((threading.current_thread(), index))
        for old in left:
            _let_go(old)

    def _drop(self, index: Index) -> None:
        for name in ("reader", "writer"):
            if getattr(self._mine, name, None) is index:
                setattr(self._mine, name, None)
        with self._lock:
            self._opened = [kept for kept in self._opened if kept[1] is not index]
        index.close()


def _torn(file: Path) -> bool:
    """Whether the file ends within a page. SQLite reads the rest of it as zeros, and of its rows some as missing."""
    try:
        return os.stat(file).st_size % _PAGE != 0
    except OSError:
        return False


def _let_go(index: Index) -> None:
    """Close it; what another thread is asking it just then is ended, and waited for a little."""
    for pause in (0.0, 0.005, 0.02, 0.1, 0.4):
        time.sleep(pause)
        try:
            index.close()
        except apsw.ThreadingViolationError:
            index.interrupt()
        else:
            return

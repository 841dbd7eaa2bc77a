"""What hears of changes: watchdog, whose events are hints.

It is told to listen to no more than is needed: few kinds of events, and only directories with memories.
"""

from __future__ import annotations

import errno
import logging
import os
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any, Protocol, cast

from memtui.disk.walk import DEPTH, never

if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 48
"""Watches that are asked for one by one to leave pruned directories out; each is a thread."""


class UnwatchableError(Exception):
    """Why this home, or this system, cannot be watched: a sentence for a person."""


class Hear(Protocol):
    """Is told the absolute path of a directory or a file that changed; None when some were missed."""

    def __call__(self, path: str | None, folder: bool = True) -> None: ...


def listen(root: str, prune: Callable[[str], bool], hear: Hear) -> Ears:
    """Listen to a home, directories that `prune` names left out. Raises UnwatchableError."""
    try:
        return Ears(root, prune, hear)
    except (OSError, ImportError, RuntimeError) as error:
        raise UnwatchableError(_reason(error)) from error


class Ears:
    """Listening from the moment it is made until it is closed. Raises OSError, ImportError, RuntimeError."""

    def __init__(self, root: str, prune: Callable[[str], bool], hear: Hear) -> None:
        self._root = root
        self._prune = prune
        self._hear = hear
        self._single: set[str] = set()
        self._bell = threading.Event()
        self._log = _Overflow(hear)
        self._logger = logging.getLogger("watchdog")
        # Its warnings would otherwise be printed across the screen.
        self._logger.addHandler(self._log)
        self._logger.propagate = False
        try:
            self._observer = self._observe()
        except BaseException:
            self._logger.removeHandler(self._log)
            raise

    def close(self) -> None:
        """Stop listening."""
        self._logger.removeHandler(self._log)
        _end(self._observer)

    def rouse(self) -> None:
        """End a `wait` early. From any thread."""
        self._bell.set()

    def wait(self, seconds: float) -> None:
        """Wait until something was heard, or until roused, but no longer than that."""
        self._bell.wait(seconds)
        self._bell.clear()

    def dispatch(self, event: Any) -> None:
        """What watchdog calls, from a thread of its own."""
        for path in (event.src_path, getattr(event, "dest_path", "")):
            if path:
                name = os.fsdecode(path)
                self._hear(name, event.is_directory)
                self.rouse()
                if event.is_directory and os.path.dirname(name) in self._single:
                    self._add(name)

    def _observe(self) -> Any:
        from watchdog import events
        from watchdog.observers import Observer

        # Directories that are moved about make it doubt itself, aloud and on the screen; rescans settle it.
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
        # Where the end of a write can be told, the many events in the middle of it are not asked for. A narrow
        # mask is also what keeps a burst of ten thousand saves within the kernel's queue.
        written = events.FileClosedEvent if sys.platform == "linux" else events.FileModifiedEvent
        self._kinds: list[Any] = [
            written,
            events.FileCreatedEvent,
            events.FileMovedEvent,
            events.FileDeletedEvent,
            events.DirCreatedEvent,
            events.DirMovedEvent,
            events.DirDeletedEvent,
        ]
        observer: Any = Observer()
        try:
            for path, recursive in targets(self._root, self._prune):
                observer.schedule(self, path, recursive=recursive, event_filter=self._kinds)
                if not recursive:
                    self._single.add(path)
            observer.start()
            self._probe(observer)
        except BaseException:
            _end(observer)
            raise
        return observer

    def _probe(self, observer: Any) -> None:
        """Directories below a recursive watch that cannot be watched are passed over without a word; one more tells."""
        above = os.path.dirname(self._root)
        if above != self._root:
            watch = observer.schedule(
                cast("Any", _Deaf()), above, recursive=False, event_filter=self._kinds[-1:]
            )
            observer.unschedule(watch)

    def _add(self, path: str) -> None:
        relative = path[len(self._root) + 1 :].replace(os.sep, "/")
        if never(os.path.basename(path)) or self._prune(relative) or not os.path.isdir(path):
            return
        try:
            self._observer.schedule(self, path, recursive=True, event_filter=self._kinds)
        except OSError:
            self._hear(None)


class _Deaf:
    def dispatch(self, event: Any) -> None:
        """A watch that only asks whether it could be made."""


class _Overflow(logging.Handler):
    """watchdog says only in its log that events were lost."""

    def __init__(self, hear: Hear) -> None:
        super().__init__(logging.WARNING)
        self._hear = hear

    def emit(self, record: logging.LogRecord) -> None:
        self._hear(None)


def targets(root: str, prune: Callable[[str], bool]) -> list[tuple[str, bool]]:
    """What to watch: directories, and whether with all that is below. What `prune` names is left out, within reason."""
    found, _ = _targets(root, "", prune, 0)
    return found if len(found) <= MOST else [(root, True)]


def _targets(
    full: str, path: str, prune: Callable[[str], bool], depth: int
) -> tuple[list[tuple[str, bool]], bool]:
    """The watches for one directory, and whether all of it is wanted."""
    whole = True
    below: list[tuple[str, bool]] = []
    try:
        with os.scandir(full) as entries:
            names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return [(full, True)], True
    for name in names:
        inner = f"{path}/{name}" if path else name
        if never(name) or prune(inner) or depth >= DEPTH:
            whole = False
            continue
        wanted, clean = _targets(os.path.join(full, name), inner, prune, depth + 1)
        below += wanted
        whole = whole and clean
    return ([(full, True)], True) if whole else ([(full, False), *below], False)


def _end(observer: Any) -> None:
    observer.stop()
    if observer.is_alive():
        observer.join(5.0)


def _reason(error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number == errno.ENOSPC:
        return "the system's limit of watched directories is reached; looking every few seconds instead"
    if number in {errno.EMFILE, errno.ENFILE}:
        return "the system's limit of open watchers is reached; looking every few seconds instead"
    return f"changes cannot be watched here ({error}); looking every few seconds instead"

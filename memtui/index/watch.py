"""Hearing of changes in a home as they happen; events are hints, and rescans make the index right.

`Ears` listens through watchdog, for few kinds of events and only in directories with memories. `Watch` collects
what was heard and calls back. What the system misses (an overflow, a stalled process, a new directory filled
faster than it can be watched) the next rescan finds (reliability §2.8, T26 to T29). One thread a home calls
back, so two syncs of one home never run at once.
"""

from __future__ import annotations

import errno
import logging
import os
import sys
import threading
import time
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from memtui.fs.files import DEPTH, is_never_entered

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MOST = 48
"""Watches that are asked for one by one to leave pruned directories out; each is a thread."""


class UnwatchableError(Exception):
    """Why this home, or this system, cannot be watched: a sentence for a person."""


class Hear(Protocol):
    """Called with the absolute path of a directory or a file that changed; None when some were missed."""

    def __call__(self, path: str | None, folder: bool = True) -> None: ...


def listen(root: str, prune: Callable[[str], bool], hear: Hear) -> Ears:
    """Listen to a home, directories that `prune` names left out. Raises UnwatchableError."""
    try:
        return Ears(root, prune, hear)
    except (OSError, ImportError, RuntimeError) as error:
        raise UnwatchableError(_explain_watch_error(error)) from error


class Ears:
    """Listening from the moment it is made until it is closed. Raises OSError, ImportError, RuntimeError."""

    def __init__(self, root: str, prune: Callable[[str], bool], hear: Hear) -> None:
        self._root = root
        self._prune = prune
        self._hear = hear
        self._single: set[str] = set()
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

    def dispatch(self, event: Any) -> None:
        """What watchdog calls, from a thread of its own."""
        for path in (event.src_path, getattr(event, "dest_path", "")):
            if path:
                name = os.fsdecode(path)
                self._hear(name, event.is_directory)
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
            for path, recursive in list_watch_targets(self._root, self._prune):
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
        """Directories below a recursive watch that cannot be watched are passed over silently; one more is reported."""
        above = os.path.dirname(self._root)
        if above != self._root:
            watch = observer.schedule(cast("Any", _Deaf()), above, recursive=False, event_filter=self._kinds[-1:])
            observer.unschedule(watch)

    def _add(self, path: str) -> None:
        relative = path[len(self._root) + 1 :].replace(os.sep, "/")
        if is_never_entered(os.path.basename(path)) or self._prune(relative) or not os.path.isdir(path):
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


def list_watch_targets(root: str, prune: Callable[[str], bool]) -> list[tuple[str, bool]]:
    """What to watch: directories, and whether with all that is below. What `prune` names is left out, within reason."""
    found, _ = _list_targets(root, "", prune, 0)
    return found if len(found) <= MOST else [(root, True)]


def _list_targets(
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
        if is_never_entered(name) or prune(inner) or depth >= DEPTH:
            whole = False
            continue
        wanted, clean = _list_targets(os.path.join(full, name), inner, prune, depth + 1)
        below += wanted
        whole = whole and clean
    return ([(full, True)], True) if whole else ([(full, False), *below], False)


def _end(observer: Any) -> None:
    observer.stop()
    if observer.is_alive():
        observer.join(5.0)


def _explain_watch_error(error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number == errno.ENOSPC:
        return "the system's limit of watched directories is reached; looking every few seconds instead"
    if number in {errno.EMFILE, errno.ENFILE}:
        return "the system's limit of open watchers is reached; looking every few seconds instead"
    return f"changes cannot be watched here ({error}); looking every few seconds instead"


TICK = 3.0
"""Seconds between two looks at the clock and at whether the home is still there."""

GAP = 2.0
"""Seconds by which a tick may be late before a stall or a suspended machine is assumed."""

POLL = 2.0
"""Seconds between rescans where nothing can be watched; ten times what a rescan takes, if that is longer."""

BURST = 0.05, 0.2
"""Seconds that are waited for the rest of a burst, after its first events were passed on at once: twice as long each
time, up to the second number, as one great sync or build is cheaper than many small ones."""

FLOOD = 8
"""Paths in one call from which on it counts as a burst; an editor's way of saving touches three or four."""

State = Literal["watching", "polling", "off"]
Mode = Literal["auto", "polling", "off"]
"""How changes are noticed: by the system's events where there are any, by looking, or not at all."""

_UNKNOWN = -1, -1


class Watch:
    """Calls `changed(paths)` from a thread of its own: relative paths, or None for "look at everything".

    The first call is a None, once watching has begun, so that nothing falls between an earlier look and it.
    `prune` is the layout's; `wanted` answers None for files that cannot be memories, and those are not heard of.
    `begin` is called once, before anything is watched: what a person waits for most.
    `mode`: auto, polling (never watch), or off (only when poked). `rescan`: seconds.
    """

    def __init__(
        self,
        root: Path,
        prune: Callable[[str], bool],
        changed: Callable[[set[str] | None], None],
        *,
        wanted: Callable[[str], object] | None = None,
        begin: Callable[[], object] | None = None,
        mode: Mode = "auto",
        rescan: float = 30.0,
    ) -> None:
        self.state: State = "off"
        self.reason = ""
        """Why it is not watching, for a person; empty where it is, or was not asked to."""
        self._root = os.path.realpath(root)
        self._prune = prune
        self._wanted = wanted
        self._changed = changed
        self._begin = begin
        self._mode = mode
        self._rescan = rescan
        self._cost = 0.0
        self._pause = 0.0
        self._due: float | None = None
        self._heard: set[str] = set()
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._ears: Ears | None = None
        self._identity: tuple[int, int] | None = None
        self._thread = threading.Thread(target=self._run, name="memtui-watch", daemon=True)

    @property
    def told(self) -> str:
        """How the home is watched, and why it is no better: for a person."""
        return f"{self.state}: {self.reason}" if self.reason else self.state

    def start(self) -> None:
        """Begin. Takes no time: directories are gone through in the thread."""
        self._thread.start()

    def stop(self, wait: float = 5.0) -> None:
        """End, after the call that is being made now."""
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(wait)

    def poke(self, after: float = 0.0) -> None:
        """Look at everything in `after` seconds, or sooner if it is due."""
        with self._lock:
            due = time.monotonic() + after
            self._due = due if self._due is None else min(self._due, due)
        self._wake.set()

    def hear(self, path: str | None, folder: bool = True) -> None:
        """Something happened at an absolute path; None: something was missed. From any thread, cheap."""
        if path is None:
            self.poke()
            return
        if path == self._root:
            # Deleted, or moved: what stands there next may even have its number.
            self._identity = _UNKNOWN
            self._wake.set()
            return
        relative = path[len(self._root) + 1 :].replace(os.sep, "/")
        if not relative or not path.startswith(self._root) or self.idle(relative, folder):
            return
        with self._lock:
            self._heard.add(relative)
        self._wake.set()

    def idle(self, path: str, folder: bool) -> bool:
        """Whether nothing at this path, relative to the home, is ours to know."""
        if not folder and self._wanted is not None and self._wanted(path.removesuffix("-wal")) is None:
            return True
        parts = path.split("/")
        if any(map(is_never_entered, parts)):
            return True
        return any(self._prune("/".join(parts[:end])) for end in range(1, len(parts)))

    def _run(self) -> None:
        try:
            if self._begin is not None:
                with suppress(Exception):
                    self._begin()
            self._listen()
            self.poke()
            while not self._stop.is_set():
                began, clock = time.monotonic(), time.time()
                self._wake.wait(self._compute_patience())
                if self._stop.is_set():
                    break
                late = max(time.monotonic() - began, time.time() - clock) - TICK
                if late > GAP and self._mode != "off":
                    self.poke()
                self._check_home()
                self._look()
        finally:
            self._stop_listening()

    def _compute_patience(self) -> float:
        with self._lock:
            due = self._due
        return TICK if due is None else min(TICK, max(due - time.monotonic(), 0.0))

    def _look(self) -> None:
        with self._lock:
            self._wake.clear()
            everything = self._due is not None and self._due <= time.monotonic()
            if everything:
                self._due = None
        # A save that was heard of is not kept waiting for all the others.
        heard = self.pass_on()
        if everything:
            began = time.monotonic()
            self._call(None)
            self._cost = time.monotonic() - began
            self._plan()
        elif heard:
            self._pause = min(max(2 * self._pause, BURST[0]), BURST[1]) if len(heard) > FLOOD else 0.0
            if self._pause:
                self._stop.wait(self._pause)

    def pass_on(self) -> set[str]:
        """Call back with the changes until now, and return them. For the watch's thread, also from within a call."""
        with self._lock:
            heard, self._heard = self._heard, set()
        if heard:
            self._call(heard)
        return heard

    def _call(self, paths: set[str] | None) -> None:
        try:
            self._changed(paths)
        except Exception as error:  # whoever is told must not end the telling
            self.reason = f"the last look at the home failed: {error}"

    def _plan(self) -> None:
        """When to look at everything again."""
        if self._mode == "off":
            return
        usual = POLL if self.state == "polling" else self._rescan
        self.poke(max(usual, 10 * self._cost))

    def _check_home(self) -> None:
        """The home may be moved away, unmounted or replaced by another directory of its name."""
        try:
            status = os.stat(self._root)
            identity = (status.st_dev, status.st_ino)
        except OSError:
            identity = None
        if identity != self._identity:
            self._listen()
            self.poke()

    def _listen(self) -> None:
        """Watch the home as it is now."""
        self._stop_listening()
        try:
            status = os.stat(self._root)
        except OSError:
            self._identity = None
            self.state, self.reason = "off", "the home is not there"
            return
        self._identity = (status.st_dev, status.st_ino)
        self.state, self.reason = "off", ""
        if self._mode == "off":
            return
        if self._mode == "auto":
            # Until it is known which it is, it is neither: a screen may be looking.
            try:
                self._ears = listen(self._root, self._prune, self.hear)
                self.state = "watching"
                return
            except UnwatchableError as error:
                self.reason = str(error)
        self.state = "polling"

    def _stop_listening(self) -> None:
        with self._lock:
            ears, self._ears = self._ears, None
        if ears is not None:
            ears.close()

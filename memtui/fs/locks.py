"""Locks between processes, which end with the process that holds them; how a process steps back, and is ended.

On POSIX a lock is flock on a file that is never removed and never opened through a link (T34), which costs a
sixtieth of the library's; elsewhere the filelock library does it. Both exclude each other.
"""

from __future__ import annotations

import os
import stat
import sys
import time
import unicodedata
from contextlib import ExitStack, contextmanager, suppress

from memtui.core.errors import LockedError, RefusedError, UnavailableError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, sha256
from memtui.fs.folder import resolve_home_path, translate_os_error
from memtui.fs.places import make_private_directory, state

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from subprocess import Popen

    from memtui.fs.folder import Spot

if sys.platform != "win32":
    import fcntl

FLOCK = sys.platform != "win32"
"""Whether this system has flock."""

_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@contextmanager
def hold_lock(path: Path, timeout: float = 5.0, pause: float = 0.004) -> Iterator[None]:
    """Hold the lock file at `path` (its directory exists). Not reentrant: a second hold waits, too.

    While another holds it, it is tried again at most `pause` seconds later.
    Raises LockedError when another holds it for longer than `timeout` seconds, RefusedError if it is a link.
    """
    if not FLOCK:
        yield from _lock_by_library(path, timeout)
        return
    try:
        descriptor = os.open(path, _FLAGS, 0o600)
    except OSError as error:
        if os.path.islink(path):
            raise RefusedError(_("the lock file {path} is a link: remove it").format(path=path)) from error
        raise translate_os_error(error, str(path)) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise RefusedError(_("the lock file {path} is no regular file: remove it").format(path=path))
        _wait(descriptor, path, timeout, _("another memtui is writing: try again"), pause)
        yield
    finally:
        # Closing the only descriptor frees the lock; a forked child that inherited it must not keep it held.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


@contextmanager
def hold_lock_first(path: Path, timeout: float = 5.0) -> Iterator[None]:
    """As `hold_lock`, for work of milliseconds: whoever holds the lock for long work gives way (`give_way`)."""
    with ExitStack() as stack:
        try:
            stack.enter_context(hold_lock(path, 0.0))
        except LockedError:
            with hold_lock(_queue(path), timeout):
                stack.enter_context(hold_lock(path, timeout, 0.001))
        yield


def is_lock_wanted(path: Path) -> bool:
    """Whether somebody waits in `hold_lock_first` for this lock, which the caller holds or held just now."""
    try:
        with hold_lock(_queue(path), 0.0):
            return False
    except LockedError:
        return True


def give_way(path: Path, most: float = 0.2) -> None:
    """Let whoever waits in `hold_lock_first` have the lock, which the caller has released; `most`: seconds."""
    until = time.monotonic() + most
    while is_lock_wanted(path) and time.monotonic() < until:
        time.sleep(0.0005)


def step_back() -> None:
    """Run only where nobody else wants to: a key must not wait for an analysis or a vector."""
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(19)


LEAVE = 0.5
"""Seconds that a process gets to put in place what it has; it loses no more than its last batch."""


def end_process(child: Popen[str]) -> None:
    """Ask a process that listens to its stdin to end, and see to it that it does."""
    if child.stdin is not None:
        with suppress(OSError, ValueError):
            child.stdin.close()
    until = time.monotonic() + LEAVE
    while child.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    if child.poll() is None:
        child.kill()
    child.wait()


def _queue(path: Path) -> Path:
    return path.with_suffix(".next")


def lock_for(root: str | Path, path: str) -> Path:
    """The lock file for writing one file of a home: the same however its directory or its name is spelled.

    And the same before and after its directory was made: whoever comes then must not find another lock, and free.
    Raises OutsideError, VanishedError.
    """
    top, parts = resolve_home_path(root, path)
    name = unicodedata.normalize("NFC", os.path.join(top, *parts)).casefold()
    key = name.encode("utf-8", "surrogateescape")
    directory = state() / "locks"
    try:
        make_private_directory(directory)
    except OSError as error:
        raise translate_os_error(error, str(directory)) from error
    return directory / f"{sha256(key)}.lock"


@contextmanager
def hold_sidecar_lock(at: Spot, timeout: float = 2.0) -> Iterator[None]:
    """Hold the lock that another tool keeps beside its file ('MEMORY.md.lock'), if there is one. None is ever made.

    Raises LockedError when the tool holds it for longer than `timeout` seconds.
    """
    try:
        descriptor = at.open(f"{at.name}.lock", os.O_RDWR) if FLOCK else -1
    except OSError:
        descriptor = -1
    if descriptor < 0:
        yield
        return
    try:
        told = _("the program that {name} belongs to is writing: try again")
        _wait(descriptor, at.where, timeout, told.format(name=at.name))
        yield
    finally:
        os.close(descriptor)


def _wait(descriptor: int, path: Path | str, timeout: float, told: str, most: float = 0.004) -> None:
    until = time.monotonic() + timeout
    pause = 0.001
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise LockedError(told) from None
            time.sleep(pause)
            pause = min(pause * 2, most)
        except OSError as error:
            raise UnavailableError(
                _("the lock file {path} cannot be locked: {reason}").format(path=path, reason=error.strerror)
            ) from error
        else:
            return


def _lock_by_library(path: Path, timeout: float) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(path, timeout=timeout, mode=0o600)
    try:
        lock.acquire()
    except Timeout as error:
        raise LockedError(_("another memtui is writing: try again")) from error
    except OSError as error:
        raise RefusedError(
            _("the lock file {path} cannot be used: {reason}").format(path=path, reason=error.strerror)
        ) from error
    try:
        yield
    finally:
        lock.release()

"""One writer at a time, between processes: a lock that its process cannot outlive.

On POSIX this is flock on a file that is never removed and never opened through a link (T34), sixty times
cheaper than the library when a single line was saved; elsewhere the library does it. Both exclude each other.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memtui.errors import RefusedError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

if sys.platform != "win32":
    import fcntl

FLOCK = sys.platform != "win32"
"""Whether this system has flock."""

_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@contextmanager
def locked(path: Path, timeout: float = 5.0) -> Iterator[None]:
    """Hold the lock file at `path` (its directory exists). Not reentrant: a second hold waits, too.

    Raises UnavailableError when another holds it for longer than `timeout` seconds, RefusedError if it is a link.
    """
    if not FLOCK:
        yield from _by_library(path, timeout)
        return
    try:
        descriptor = os.open(path, _FLAGS, 0o600)
    except OSError as error:
        if os.path.islink(path):
            raise RefusedError(f"the lock file {path} is a link: remove it") from error
        raise UnavailableError(f"the lock file {path} cannot be opened: {error.strerror}") from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise RefusedError(f"the lock file {path} is no regular file: remove it")
        _wait(descriptor, path, timeout)
        yield
    finally:
        # Closing the only descriptor frees the lock; a forked child that inherited it must not keep it held.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _wait(descriptor: int, path: Path, timeout: float) -> None:
    until = time.monotonic() + timeout
    pause = 0.001
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise UnavailableError(f"another memtui is writing (lock {path.name}): try again") from None
            time.sleep(pause)
            pause = min(pause * 2, 0.05)
        except OSError as error:
            raise UnavailableError(f"the lock file {path} cannot be locked: {error.strerror}") from error
        else:
            return


def _by_library(path: Path, timeout: float) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(path, timeout=timeout, mode=0o600)
    try:
        lock.acquire()
    except Timeout as error:
        raise UnavailableError(f"another memtui is writing (lock {path.name}): try again") from error
    except OSError as error:
        raise RefusedError(f"the lock file {path} cannot be used: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()

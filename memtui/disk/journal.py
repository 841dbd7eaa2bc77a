"""The journal of writes: what was changed, by whom, and the bytes that bring back what was there (reliability §2.5).

An intent is one file in `pending/` that exists only while its write is under way; what was done is one line in the
file of its day. A write that was acknowledged has its line, or its intent, from which the line is made again.
Everything is 0600 below the state directory, and holds only the lines that changed, after redaction.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING

from memtui.disk.folder import owned
from memtui.disk.locks import locked
from memtui.disk.places import private, state
from memtui.disk.record import dumped, record_of
from memtui.errors import FullError, MemtuiError, ReadOnlyError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.disk.record import Record

DAYS = 30
"""How long a line is kept."""
SIZE = 200 * 1024 * 1024
"""Bytes that the journal may take; the oldest days go first."""


_last = [0]
_counting = threading.Lock()


def new_id() -> str:
    """An id that sorts by time, even when the clock stands still or steps back."""
    with _counting:
        _last[0] = max(time.time_ns() // 1_000_000, _last[0] + 1)
        return f"{_last[0]:012x}{os.urandom(4).hex()}"


class Journal:
    """The journal in the state directory."""

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = directory or state() / "journal"
        self.pending = self.directory / "pending"

    def begin(self, record: Record, sync: bool = True) -> None:
        """Write the intent down. Raises UnavailableError: then nothing may be written either."""
        try:
            _made(self.directory)
            _made(self.pending)
            _put(self.pending / f"{record.id}.json", dumped(record), sync)
        except OSError as error:
            raise _failed(error) from error

    def finish(self, record: Record) -> None:
        """Write down what was done, and let the intent go. An intent that cannot go yet is finished later."""
        with contextlib.suppress(OSError, MemtuiError):
            self._line(record)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.pending / f"{record.id}.json")

    def drop(self, id: str) -> None:
        """Nothing came of it."""
        with contextlib.suppress(OSError):
            os.unlink(self.pending / f"{id}.json")

    def intents(self) -> list[Record]:
        """What was begun and not finished: by a process at work, or by one that died."""
        try:
            names = sorted(name for name in os.listdir(self.pending) if name.endswith(".json"))
        except OSError:
            return []
        found = (_loaded(self.pending / name) for name in names)
        return [record for record in found if record is not None]

    def tidy(self) -> None:
        """Take away intents that a dying process did not come to write whole: nothing had been written then."""
        with contextlib.suppress(OSError):
            for name in os.listdir(self.pending):
                _tidied(self.pending / name)

    def records(self) -> Iterator[Record]:
        """What was done, newest first. Lines that cannot be read are passed over."""
        undoing: set[str] = set()
        seen: set[str] = set()
        for file in self._days():
            for record in reversed(_lines(file)):
                # A process that died between its line and its intent's end is written down once more.
                if record.id in seen:
                    continue
                seen.add(record.id)
                undone = record.id in undoing
                if record.undoes and not undone:
                    undoing.add(record.undoes)
                yield record._replace(undone=undone)

    def _days(self) -> list[Path]:
        try:
            names = sorted(name for name in os.listdir(self.directory) if name.endswith(".jsonl"))
        except OSError:
            return []
        return [self.directory / name for name in reversed(names)]

    def _line(self, record: Record) -> None:
        day = (
            self.directory / f"{time.strftime('%Y-%m-%d', time.gmtime(int(record.id[:12], 16) / 1000))}.jsonl"
        )
        with locked(self.directory / "journal.lock"):
            fresh = not day.exists()
            flags = (
                os.O_RDWR
                | os.O_APPEND
                | os.O_CREAT
                | getattr(os, "O_NOFOLLOW", 0)
                | getattr(os, "O_CLOEXEC", 0)
            )
            descriptor = os.open(day, flags, 0o600)
            try:
                size = os.fstat(descriptor).st_size
                data = dumped(record) + b"\n"
                if size:
                    os.lseek(descriptor, size - 1, os.SEEK_SET)
                    if os.read(descriptor, 1) != b"\n":
                        data = b"\n" + data
                _all(descriptor, data, size)
                _synced(descriptor)
            finally:
                os.close(descriptor)
            if fresh:
                self._prune()

    def _prune(self) -> None:
        """Old days go; what is in the trash stays, in a file of its own."""
        oldest = time.strftime("%Y-%m-%d", time.gmtime(time.time() - DAYS * 86400))
        room = SIZE
        for file in self._days():
            if file.name == "0000-trash.jsonl":
                continue
            room -= file.stat().st_size
            if file.stem >= oldest and room >= 0:
                continue
            kept = b"".join(dumped(record) + b"\n" for record in _lines(file) if record.trashed)
            if kept:
                with open(self.directory / "0000-trash.jsonl", "ab", opener=_private) as trash:
                    trash.write(kept)
            file.unlink()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)


def _made(directory: Path) -> None:
    if not directory.is_dir():
        private(directory)


def _put(path: Path, data: bytes, sync: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    while True:
        descriptor = os.open(path, flags, 0o600)
        owned(descriptor, waiting=True)
        if os.path.exists(path):
            break
        # Whoever tidies up found it empty, and was faster.
        os.close(descriptor)
    try:
        _all(descriptor, data, 0)
        if sync:
            _synced(descriptor)
    except OSError:
        os.close(descriptor)
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise
    os.close(descriptor)


def _tidied(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        # Whoever tidied up before may have made way for an intent that is only now being written.
        if (
            owned(descriptor)
            and os.path.samestat(os.fstat(descriptor), os.stat(path))
            and _loaded(path) is None
        ):
            os.unlink(path)
    finally:
        os.close(descriptor)


def _all(descriptor: int, data: bytes, size: int) -> None:
    """Every byte, or none: a full disk may take a part without saying so."""
    done = 0
    try:
        while done < len(data):
            done += os.write(descriptor, data[done:])
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


def _synced(descriptor: int) -> None:
    getattr(os, "fdatasync", os.fsync)(descriptor)


def _failed(error: OSError) -> UnavailableError:
    import errno

    if error.errno in {errno.ENOSPC, getattr(errno, "EDQUOT", -1)}:
        return FullError(
            "no room for the undo journal, so nothing was written: free some space and try again"
        )
    if error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return ReadOnlyError(f"the undo journal in {state()} cannot be written, so nothing else was either")
    reason = (error.strerror or "unknown error").lower()
    return UnavailableError(f"the undo journal cannot be written ({reason}), so nothing else was either")


def _lines(file: Path) -> list[Record]:
    try:
        data = file.read_bytes()
    except OSError:
        return []
    found = (record_of(line) for line in data.split(b"\n") if line)
    return [record for record in found if record is not None]


def _loaded(file: Path) -> Record | None:
    try:
        return record_of(file.read_bytes())
    except OSError:
        return None

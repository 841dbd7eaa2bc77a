"""One record appended to a file in one write; nothing else of the file is touched.

The caller holds the lock. Programs that know no lock may append to the file or replace it all the same: no line
of theirs is lost or joined to another (reliability §2.4, T03, T19, T21).
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import ExitStack, suppress

from memtui.core.errors import OutsideError, RefusedError, UnavailableError, VanishedError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, NamedTuple
from memtui.fs.folder import Spot, open_spot, read_descriptor, retry_interrupted
from memtui.fs.locks import hold_sidecar_lock

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LONGEST = 64 * 1024
"""Bytes of one line."""
MOST = 64 * 1024 * 1024
"""Bytes of all lines that are appended at once."""

_TAIL = 64 * 1024
_TRIES = 8
_WIDE = (b"\xff\xfe", b"\xfe\xff")


class AppendedRecord(NamedTuple):
    """Where a record came to stand."""

    where: str
    """The absolute path of the file itself, links followed."""
    offset: int
    written: bytes
    """What was written at the offset: the record and its line end, before it what the file needed."""
    created: bool
    """The file did not exist before."""


def append(
    root: str | Path,
    path: str,
    record: bytes,
    header: bytes = b"",
    *,
    sync: bool = True,
    allowed: Sequence[str | Path] = (),
) -> AppendedRecord:
    """Write a record, without its last line end, as the file's last line or lines; `header` begins a new file.

    A last line that was cut off gets its end first. Line ends are the file's own. Links are followed as `commit`
    follows them. Raises RefusedError (longer than 64 KiB, a file of two-byte characters), OutsideError, FullError,
    ReadOnlyError, VanishedError, UnavailableError; then the file is as long as it was.
    """
    if len(record) > LONGEST and (
        len(record) > MOST or any(len(line) > LONGEST for line in record.split(b"\n"))
    ):
        raise RefusedError(_("a record for {path} is longer than 64 KiB").format(path=path))
    with ExitStack() as held:
        at = held.enter_context(open_spot(root, path, allowed=allowed, make=True))
        held.enter_context(hold_sidecar_lock(at))
        for _try in range(_TRIES):
            descriptor, created = _opened(at)
            try:
                placed = _written(at, descriptor, record, header, created, sync)
                if _stands(at, descriptor, placed):
                    return placed
            finally:
                os.close(descriptor)
        raise UnavailableError(_("{path} is being replaced all the time: try again").format(path=path))


def take_back(root: str | Path, path: str, placed: AppendedRecord) -> None:
    """Undo an append that has just been made: cut it off, or the file away that it made.

    Raises RefusedError where something else follows it by now, OutsideError and the typed errors of `append`.
    """
    with open_spot(root, path) as at, hold_sidecar_lock(at):
        descriptor = at.open(at.name, os.O_RDWR)
        try:
            data = read_descriptor(descriptor)
            if data[placed.offset :] != placed.written:
                raise RefusedError(_("{path} has been written to since").format(path=path))
            retry_interrupted(os.ftruncate, descriptor, placed.offset)
            retry_interrupted(_sync, descriptor)
        finally:
            os.close(descriptor)
        if placed.created and not at.status(at.name).st_size:
            at.unlink(at.name)


def read_tail(root: str | Path, path: str, offset: int) -> bytes:
    """What a file holds from an offset on, however long it is before; empty where there is no such file."""
    try:
        with open_spot(root, path) as at:
            descriptor = at.open(at.name, os.O_RDONLY)
            try:
                return _since(descriptor, offset)
            finally:
                os.close(descriptor)
    except VanishedError:
        return b""


def mend(root: str | Path, path: str, offset: int, record: bytes) -> bool:
    """Cut off the torn beginning of a record whose writer died; whether there was one.

    `offset` is where the file ended when that record was about to be written: whatever else is there stays.
    """
    with open_spot(root, path) as at, hold_sidecar_lock(at):
        try:
            descriptor = at.open(at.name, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            start = max(0, offset - _TAIL)
            data = _since(descriptor, start)
            tail = data[offset - start :]
            end = _line_end(data)
            meant = record.removesuffix(b"\n").replace(b"\n", end) + end
            if not tail or tail in {meant, b"\n" + meant, end + meant}:
                return False
            if not any((before + meant).startswith(tail) for before in (b"", b"\n", end)):
                return False
            retry_interrupted(os.ftruncate, descriptor, offset)
            retry_interrupted(_sync, descriptor)
        finally:
            os.close(descriptor)
    return True


def _since(descriptor: int, offset: int) -> bytes:
    retry_interrupted(os.lseek, descriptor, offset, os.SEEK_SET)
    return b"".join(iter(lambda: retry_interrupted(os.read, descriptor, 1 << 20), b""))


def _opened(at: Spot) -> tuple[int, bool]:
    flags = os.O_RDWR | os.O_APPEND
    for _try in range(_TRIES):
        try:
            descriptor = at.open(at.name, flags)
        except FileNotFoundError:
            try:
                return at.open(at.name, flags | os.O_CREAT | os.O_EXCL, 0o600), True
            except FileExistsError:
                continue
        except OSError as error:
            if error.errno in {errno.ENXIO, errno.EISDIR, errno.ELOOP}:
                raise OutsideError(_("{path} is not a regular file").format(path=at.where)) from error
            raise
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return descriptor, False
        os.close(descriptor)
        break
    raise OutsideError(_("{path} is not a regular file").format(path=at.where))


def _written(
    at: Spot, descriptor: int, record: bytes, header: bytes, created: bool, sync: bool
) -> AppendedRecord:
    size = os.fstat(descriptor).st_size
    data = b""
    try:
        data = _framed(at, descriptor, size, record, header)
        count = retry_interrupted(os.write, descriptor, data)
        if count != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        offset = retry_interrupted(os.lseek, descriptor, 0, os.SEEK_CUR) - count
        if sync:
            retry_interrupted(_sync, descriptor)
            if created:
                at.sync()
    except BaseException:
        _cut(at, descriptor, size, data, created)
        raise
    return AppendedRecord(at.where, offset, data, created)


def _framed(at: Spot, descriptor: int, size: int, record: bytes, header: bytes) -> bytes:
    if not size:
        return header + record + b"\n"
    retry_interrupted(os.lseek, descriptor, 0, os.SEEK_SET)
    if retry_interrupted(os.read, descriptor, 2) in _WIDE:
        raise RefusedError(
            _("{path} is written in two-byte characters: nothing is appended").format(path=at.where)
        )
    start = max(0, size - _TAIL)
    retry_interrupted(os.lseek, descriptor, start, os.SEEK_SET)
    tail = retry_interrupted(os.read, descriptor, _TAIL)
    end = _line_end(tail)
    data = record.replace(b"\r\n", b"\n").replace(b"\n", end) + end
    return data if tail.endswith(b"\n") else end + data


def _line_end(data: bytes) -> bytes:
    return b"\r\n" if data.count(b"\r\n") * 2 > data.count(b"\n") else b"\n"


def _cut(at: Spot, descriptor: int, size: int, data: bytes, created: bool) -> None:
    """What could be written of it goes again, unless somebody else's line follows by now."""
    with suppress(OSError):
        left = read_descriptor(descriptor)[size:]
        if left and data.startswith(left):
            retry_interrupted(os.ftruncate, descriptor, size)
        if created and not os.fstat(descriptor).st_size:
            at.unlink(at.name)


def _stands(at: Spot, descriptor: int, placed: AppendedRecord) -> bool:
    """Whether the record is in the file that has the name now: somebody may have replaced it in between."""
    mine = os.fstat(descriptor)
    try:
        named = at.status(at.name)
    except FileNotFoundError:
        # Renamed, the record went with it, as with a log that is rotated; removed, it has to be written again.
        return mine.st_nlink > 0
    if (mine.st_ino, mine.st_dev) == (named.st_ino, named.st_dev):
        return True
    now = at.held(at.name)
    if now is None:
        return False
    now.close()
    line = placed.written.strip(b"\r\n")
    return now.data.count(line) > read_descriptor(descriptor)[: placed.offset].count(line)


def _sync(descriptor: int) -> None:
    getattr(os, "fdatasync", os.fsync)(descriptor)

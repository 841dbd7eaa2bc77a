"""One file replaced in one step, and only if it still holds what the change was made from.

The new bytes are written to a temporary file beside it and the two change places; what was displaced is read
again, so that a program that knows no lock and saves in that very moment loses nothing (reliability §2.1, T01,
T04). The caller holds the lock and has journalled the intent.

One record appended to a file in one write; nothing else of the file is touched.

The caller holds the lock. Programs that know no lock may append to the file or replace it all the same: no line
of theirs is lost or joined to another (reliability §2.4, T03, T19, T21).
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from contextlib import ExitStack, suppress

from memtui.core.errors import FullError, OutsideError, ReadOnlyError, RefusedError, UnavailableError, VanishedError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.fs.displaced import (
    CommitRequest,
    keep,
    put,
    put_back,
    remove_temporary,
    reopen_temporary,
    sync_directory,
    verify_displaced,
    write_temporary,
)
from memtui.fs.folder import (
    Held,
    Spot,
    claim_name,
    open_spot,
    owned,
    read_descriptor,
    retry_interrupted,
    swap,
    sync_data,
)
from memtui.fs.locks import hold_sidecar_lock

if TYPE_CHECKING:
    from pathlib import Path


TEMPORARY = compile_pattern(r"\.memtui-[0-9a-f]{16}(-old)?\.tmp")
"""What the names of our temporary files look like: nothing else is ever removed as a leftover."""

LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is still edited."""


class Committed(NamedTuple):
    """What a commit did."""

    where: str
    """The absolute path of the file itself, links followed."""
    way: str
    """exchange; links; plain (compared, then replaced: nothing better here); place (written in place); new; gone;
    same."""
    displaced: Held | None = None
    """What stood there before, still open: a program that had it open may yet write into it. `changed()` after two
    seconds says so; a process that ends sooner just lets go of it."""
    warnings: tuple[str, ...] = ()


def make_temporary_name() -> str:
    """A name for a temporary file that nobody can guess: the journal knows it before the file exists."""
    return f".memtui-{os.urandom(8).hex()}.tmp"


def read_current(root: str | Path, path: str) -> bytes | None:
    """All that a file of a home holds now; None: there is none. Links are followed as `commit` follows them.

    Raises RefusedError for a file too large to be edited, OutsideError, VanishedError, UnavailableError.
    """
    try:
        with open_spot(root, path) as at:
            status = at.status(at.name)
            if status.st_size > LARGEST:
                raise RefusedError(_("{path} is too large to be edited here").format(path=path))
            held = at.held(at.name)
    except VanishedError:
        if os.path.isdir(root):
            return None
        raise
    if held is None:
        return None
    held.close()
    return held.data


def commit(
    root: str | Path, path: str, base: bytes | None, new: bytes, *, temp: str = "", sync: bool = True, mode: int = 0o600
) -> Committed:
    """The file holds `new` afterwards; before, it held `base`, or did not exist (None; `mode` is for this case).

    Mode, owner and extended attributes stay. A file with several names (hard links) stays one file: it is written in
    place, a copy kept until that is done. A link is followed to a place inside the home, and stays. `temp` is the name
    of the temporary file, for a caller that must know it before it exists. Raises ConflictError, OutsideError,
    RefusedError, FullError, ReadOnlyError, VanishedError, UnavailableError; the file then holds what it held, or what
    somebody else wrote last.
    """
    asked = CommitRequest(os.fspath(root), path, base, new)
    temp = temp or make_temporary_name()
    if not TEMPORARY.fullmatch(temp):
        raise ValueError(f"{temp} is no name for a temporary file")
    with ExitStack() as held:
        at = held.enter_context(open_spot(root, path, make=base is None))
        if base is None:
            return _create(at, asked, new, temp, mode, sync)
        held.enter_context(hold_sidecar_lock(at))
        old = at.held(at.name)
        if old is None or old.data != base:
            raise asked.conflict(old)
        if new == base:
            return Committed(at.where, "same")
        _check_writable(at, old)
        if old.status.st_nlink > 1:
            return _overwrite(at, asked, old, new, sync)
        return _replace(at, asked, old, new, temp, sync)


def remove(root: str | Path, path: str, base: bytes, *, temp: str = "", sync: bool = True) -> Committed:
    """The file is gone afterwards; before, it held `base`.

    Where a link leads to it, the link stays. Raises as `commit` does; the file then stands where it stood.
    """
    asked = CommitRequest(os.fspath(root), path, base, None)
    temp = temp or make_temporary_name()
    with open_spot(root, path) as at, hold_sidecar_lock(at):
        old = at.held(at.name)
        if old is None or old.data != base:
            raise asked.conflict(old)
        _check_writable(at, old)
        at.free(old)
        try:
            retry_interrupted(os.rename, at.at(at.name), at.at(temp), src_dir_fd=at.fd, dst_dir_fd=at.fd)
        except FileNotFoundError:
            raise asked.conflict(None) from None
        try:
            moved = reopen_temporary(at, old, temp)
        except OSError:
            claim_name(at.fd, at.at(temp), at.at(at.name))
            raise
        if moved is None or moved.data != base:
            raise put_back(at, asked, moved, temp)
        remove_temporary(at, temp)
        return Committed(at.where, "gone", moved, sync_directory(at) if sync else ())


def _create(at: Spot, asked: CommitRequest, new: bytes, temp: str, mode: int, sync: bool) -> Committed:
    _check_no_twin(at)
    ours, _none = write_temporary(at, temp, new, sync=sync, mode=mode)
    try:
        at.free(ours)
        claim_name(at.fd, at.at(temp), at.at(at.name))
    except FileExistsError:
        remove_temporary(at, temp)
        raise asked.conflict(at.held(at.name)) from None
    except BaseException:
        remove_temporary(at, temp)
        raise
    finally:
        ours.close()
    return Committed(at.where, "new", None, sync_directory(at) if sync else ())


def _replace(at: Spot, asked: CommitRequest, old: Held, new: bytes, temp: str, sync: bool) -> Committed:
    ours, warnings = write_temporary(at, temp, new, sync=sync, like=old)
    displaced = old
    try:
        # A janitor must not take what we displace for a leftover while we look at it.
        owned(old.descriptor, sharing=True)
        try:
            # Not even for a moment does anybody read ours in place of what they saved, if that can be helped.
            _check_unmoved(at, asked, old)
            at.free(old, ours)
            way = swap(at.fd, at.at(temp), at.at(at.name)) or _replace_plainly(at, temp)
        except BaseException as error:
            remove_temporary(at, temp)
            if isinstance(error, FileNotFoundError):
                raise asked.conflict(None) from None
            raise
        if way != "plain":
            displaced = verify_displaced(at, asked, old, temp)
            remove_temporary(at, temp)
    finally:
        ours.close()
    return Committed(
        at.where, way, displaced if displaced.descriptor >= 0 else None, warnings + (sync_directory(at) if sync else ())
    )


def _check_unmoved(at: Spot, asked: CommitRequest, old: Held) -> None:
    """Raises ConflictError where the name's file is no longer the one that was read, nor one like it."""
    status = at.status(at.name)
    if _stamp(status) == _stamp(old.status):
        return
    now = at.held(at.name)
    if now is None or now.data != asked.base:
        raise asked.conflict(now)


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _replace_plainly(at: Spot, temp: str) -> str:
    retry_interrupted(os.replace, at.at(temp), at.at(at.name), src_dir_fd=at.fd, dst_dir_fd=at.fd)
    return "plain"


def _overwrite(at: Spot, asked: CommitRequest, old: Held, new: bytes, sync: bool) -> Committed:
    base = old.data
    copy = keep(at.name, base)
    if not copy:
        raise FullError(_("no room for a copy of {path}, which has several names").format(path=asked.path))
    descriptor = at.open(at.name, os.O_WRONLY)
    try:
        if not os.path.sameopenfile(descriptor, old.descriptor) or old.changed() is not None:
            os.unlink(copy)
            raise asked.conflict(at.held(at.name))
        try:
            if len(new) > len(base) and hasattr(os, "posix_fallocate"):
                # A full disk says so before the first byte changes.
                retry_interrupted(os.posix_fallocate, descriptor, len(base), len(new) - len(base))
            _write_through(descriptor, new, sync)
        except OSError:
            _write_through(descriptor, base, sync)
            os.unlink(copy)
            raise
    finally:
        os.close(descriptor)
    os.unlink(copy)
    return Committed(at.where, "place")


def _write_through(descriptor: int, data: bytes, sync: bool) -> None:
    retry_interrupted(os.lseek, descriptor, 0, os.SEEK_SET)
    put(descriptor, data)
    retry_interrupted(os.ftruncate, descriptor, len(data))
    if sync:
        retry_interrupted(os.fsync, descriptor)


def _check_writable(at: Spot, old: Held) -> None:
    """A file that says it must not be written is not replaced either, though its directory would allow that."""
    if not old.status.st_mode & 0o222:
        raise ReadOnlyError(_("{path} is read-only").format(path=at.where))
    os.close(at.open(at.name, os.O_WRONLY))


def _check_no_twin(at: Spot) -> None:
    """No second file whose name differs only in case or in how its accents are written (T35)."""
    wanted = _fold_name(at.name)
    with os.scandir(at.directory if at.fd is None else at.fd) as entries:
        for entry in entries:
            if entry.name != at.name and _fold_name(entry.name) == wanted:
                raise RefusedError(
                    _("{path} would be a second {name}: write into that").format(path=at.where, name=entry.name)
                )


def _fold_name(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


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


def append(root: str | Path, path: str, record: bytes, header: bytes = b"", *, sync: bool = True) -> AppendedRecord:
    """Write a record, without its last line end, as the file's last line or lines; `header` begins a new file.

    A last line that was cut off gets its end first. Line ends are the file's own. Links are followed as `commit`
    follows them. Raises RefusedError (longer than 64 KiB, a file of two-byte characters), OutsideError, FullError,
    ReadOnlyError, VanishedError, UnavailableError; then the file is as long as it was.
    """
    if len(record) > LONGEST and (len(record) > MOST or any(len(line) > LONGEST for line in record.split(b"\n"))):
        raise RefusedError(_("a record for {path} is longer than 64 KiB").format(path=path))
    with ExitStack() as held:
        at = held.enter_context(open_spot(root, path, make=True))
        held.enter_context(hold_sidecar_lock(at))
        for _try in range(_TRIES):
            descriptor, created = _open_for_append(at)
            try:
                placed = _write_record(at, descriptor, record, header, created, sync)
                if _is_in_place(at, descriptor, placed):
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
            retry_interrupted(sync_data, descriptor)
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
                return _read_since(descriptor, offset)
            finally:
                os.close(descriptor)
    except VanishedError:
        return b""


def mend(root: str | Path, path: str, offset: int, record: bytes) -> bool:
    """Cut off the incomplete record of a writer that died; whether there was one.

    `offset` is where the file ended when that record was about to be written: whatever else is there stays.
    """
    with open_spot(root, path) as at, hold_sidecar_lock(at):
        try:
            descriptor = at.open(at.name, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            start = max(0, offset - _TAIL)
            data = _read_since(descriptor, start)
            tail = data[offset - start :]
            end = _find_line_end(data)
            meant = record.removesuffix(b"\n").replace(b"\n", end) + end
            if not tail or tail in {meant, b"\n" + meant, end + meant}:
                return False
            if not any((before + meant).startswith(tail) for before in (b"", b"\n", end)):
                return False
            retry_interrupted(os.ftruncate, descriptor, offset)
            retry_interrupted(sync_data, descriptor)
        finally:
            os.close(descriptor)
    return True


def _read_since(descriptor: int, offset: int) -> bytes:
    retry_interrupted(os.lseek, descriptor, offset, os.SEEK_SET)
    return b"".join(iter(lambda: retry_interrupted(os.read, descriptor, 1 << 20), b""))


def _open_for_append(at: Spot) -> tuple[int, bool]:
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


def _write_record(at: Spot, descriptor: int, record: bytes, header: bytes, created: bool, sync: bool) -> AppendedRecord:
    size = os.fstat(descriptor).st_size
    data = b""
    try:
        data = _frame_record(at, descriptor, size, record, header)
        count = retry_interrupted(os.write, descriptor, data)
        if count != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        offset = retry_interrupted(os.lseek, descriptor, 0, os.SEEK_CUR) - count
        if sync:
            retry_interrupted(sync_data, descriptor)
            if created:
                at.sync()
    except BaseException:
        _cut(at, descriptor, size, data, created)
        raise
    return AppendedRecord(at.where, offset, data, created)


def _frame_record(at: Spot, descriptor: int, size: int, record: bytes, header: bytes) -> bytes:
    if not size:
        return header + record + b"\n"
    retry_interrupted(os.lseek, descriptor, 0, os.SEEK_SET)
    if retry_interrupted(os.read, descriptor, 2) in _WIDE:
        raise RefusedError(_("{path} is written in two-byte characters: nothing is appended").format(path=at.where))
    start = max(0, size - _TAIL)
    retry_interrupted(os.lseek, descriptor, start, os.SEEK_SET)
    tail = retry_interrupted(os.read, descriptor, _TAIL)
    end = _find_line_end(tail)
    data = record.replace(b"\r\n", b"\n").replace(b"\n", end) + end
    return data if tail.endswith(b"\n") else end + data


def _find_line_end(data: bytes) -> bytes:
    return b"\r\n" if data.count(b"\r\n") * 2 > data.count(b"\n") else b"\n"


def _cut(at: Spot, descriptor: int, size: int, data: bytes, created: bool) -> None:
    """What could be written of it goes again, unless somebody else's line follows by now."""
    with suppress(OSError):
        left = read_descriptor(descriptor)[size:]
        if left and data.startswith(left):
            retry_interrupted(os.ftruncate, descriptor, size)
        if created and not os.fstat(descriptor).st_size:
            at.unlink(at.name)


def _is_in_place(at: Spot, descriptor: int, placed: AppendedRecord) -> bool:
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

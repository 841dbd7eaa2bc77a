"""What a commit needs beside the exchange: texts that are kept, the temporary file, and what was displaced.

- `keep`: a text that could not be written in its place, for a conflict, a full disk or one that vanished.
- `write_temporary`: the file beside the one it will replace, complete, with the other's owner, mode and
  attributes, and synced.
- `verify_displaced`: what was displaced must be what was expected, else it goes back to its name. A program
  without a lock may have saved in that moment; its newest text stands at the name again, and what cannot stand
  anywhere is kept (reliability §2.1, T04).

Records that could not be written yet, one file each, until the next writer delivers them (reliability §2.5).

A hook that finds a home locked or a disk full must neither wait nor lose what it was told: it leaves a file
here, made once and never changed. What comes in is redacted already.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from memtui.core.errors import ConflictError, OutsideError, RefusedError, UnavailableError, describe_os_error
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple
from memtui.fs.folder import Held, claim_name, owned, retry_interrupted, swap
from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, replace_private_file, state

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.fs.folder import Spot


def keep(name: str, data: bytes) -> str:
    """Keep the bytes under the state directory, or where that fails in the user's runtime directory; answer where.

    `name` is the file's own name. Empty: nowhere at all could anything be written.
    """
    import tempfile

    for directory in _list_directories():
        with contextlib.suppress(OSError):
            make_private_directory(directory)
            descriptor, path = tempfile.mkstemp(f".{name[-80:]}", "draft-", directory)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            except OSError:
                os.unlink(path)
                raise
            return path
    return ""


def list_kept_files() -> list[str]:
    """What is still kept, the oldest first."""
    found: list[tuple[float, str]] = []
    for directory in _list_directories():
        with contextlib.suppress(OSError), os.scandir(directory) as entries:
            kept = [
                entry for entry in entries if entry.name.startswith("draft-") and entry.is_file(follow_symlinks=False)
            ]
            found += [(entry.stat().st_mtime, entry.path) for entry in kept]
    return [path for _time, path in sorted(found)]


def _list_directories() -> list[Path]:
    import tempfile

    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return [
        state() / "drafts",
        *([Path(runtime) / "memtui"] if runtime else []),
        Path(tempfile.gettempdir()) / f"memtui-{os.getuid() if hasattr(os, 'getuid') else 'drafts'}",
    ]


_UNKNOWN = {errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


def write_temporary(
    at: Spot, temp: str, data: bytes, *, sync: bool, mode: int = 0o600, like: Held | None = None
) -> tuple[Held, tuple[str, ...]]:
    """A new file `temp` with these bytes, still open, and warnings about what could not be kept.

    The file is marked as being worked on until it is closed. Raises OSError; then it is gone again.
    """
    descriptor = at.open(temp, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    warnings: tuple[str, ...] = ()
    try:
        owned(descriptor)
        put(descriptor, data)
        if like is not None:
            warnings = _make_alike(descriptor, like)
        elif hasattr(os, "fchmod"):
            retry_interrupted(os.fchmod, descriptor, mode)
        if sync:
            retry_interrupted(os.fsync, descriptor)
        return Held(descriptor, data, os.fstat(descriptor)), warnings
    except BaseException:
        os.close(descriptor)
        remove_temporary(at, temp)
        raise


def put(descriptor: int, data: bytes) -> None:
    """Write all of it, however many calls that takes: a full disk may take a part and say nothing."""
    view = memoryview(data)
    while view:
        count = retry_interrupted(os.write, descriptor, view)
        if count <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        view = view[count:]


def remove_temporary(at: Spot, temp: str) -> None:
    """Remove a temporary file; where that cannot be done at once, and not again, the janitor does it another time."""
    for _try in range(2):
        with suppress(OSError):
            at.unlink(temp)
            return


def sync_directory(at: Spot) -> tuple[str, ...]:
    """Sync the directory; a warning where that failed, because the change itself has been made."""
    try:
        at.sync()
    except OSError as error:
        why = describe_os_error(error)
        return (_("{path} is written, but a power cut may undo it: {why}").format(path=at.where, why=why),)
    return ()


def _make_alike(descriptor: int, like: Held) -> tuple[str, ...]:
    """Owner, extended attributes (access lists are such) and mode, in an order in which none undoes another."""
    warnings: list[str] = []
    own = os.fstat(descriptor)
    theirs = like.status
    if hasattr(os, "fchown") and (own.st_uid, own.st_gid) != (theirs.st_uid, theirs.st_gid):
        try:
            os.fchown(descriptor, theirs.st_uid, theirs.st_gid)
        except OSError:
            # The group alone often can be kept.
            with suppress(OSError):
                os.fchown(descriptor, -1, theirs.st_gid)
            warnings.append(_("the file now belongs to you: its owner could not be kept"))
    if not _copy_attributes(descriptor, like.descriptor):
        warnings.append(_("some of the file's extended attributes could not be kept"))
    if hasattr(os, "fchmod"):
        retry_interrupted(os.fchmod, descriptor, stat.S_IMODE(theirs.st_mode))
    return tuple(warnings)


def _copy_attributes(descriptor: int, like: int) -> bool:
    if not hasattr(os, "listxattr"):
        return True
    try:
        names = os.listxattr(like)
    except OSError as error:
        return error.errno in _UNKNOWN
    complete = True
    for name in names:
        try:
            os.setxattr(descriptor, name, os.getxattr(like, name))
        except OSError:
            # What the system labels files with is its own affair; what a person or program set is not.
            complete = complete and not name.startswith(("user.", "system."))
    return complete


_TRIES = 16


class CommitRequest(NamedTuple):
    """A change as it was asked for: what an exception about it carries."""

    root: str
    path: str
    base: bytes | None
    new: bytes | None

    def conflict(self, theirs: Held | None, kept: str = "") -> ConflictError:
        """Somebody else's text stands there, and ours nowhere; `kept`: where a text of theirs is that does not."""
        message = _("{path} changed in the meantime; nothing was written").format(path=self.path)
        if kept:
            message += _(", and what they had saved before is kept in {place}").format(place=kept)
        data = None if theirs is None else theirs.data
        return ConflictError(message, home=self.root, path=self.path, base=self.base, theirs=data, mine=self.new)


def verify_displaced(at: Spot, asked: CommitRequest, old: Held, temp: str) -> Held:
    """What was displaced, which is the base; if it is not, or cannot be read, it goes back to its name."""
    try:
        displaced = reopen_temporary(at, old, temp)
    except OSError:
        swap(at.fd, at.at(temp), at.at(at.name))
        remove_temporary(at, temp)
        raise
    if displaced is not None and displaced.data == asked.base:
        return displaced
    raise _swap_back(at, asked, displaced, temp)


def reopen_temporary(at: Spot, old: Held | None, temp: str) -> Held | None:
    """What has the temporary name now, read anew; None: no regular file."""
    status = at.status(temp)
    same = old is not None and (status.st_ino, status.st_dev) == (old.status.st_ino, old.status.st_dev)
    if old is not None and same and old.descriptor >= 0:
        now = old.changed()
        return old if now is None else Held(os.dup(old.descriptor), now, status)
    try:
        held = at.held(temp)
    except OutsideError:
        return None
    if held is not None:
        at.free(held)
    return held


def put_back(at: Spot, asked: CommitRequest, moved: Held | None, temp: str) -> RefusedError:
    """What was taken from its name by mistake has it again; where somebody was faster, it is kept."""
    try:
        claim_name(at.fd, at.at(temp), at.at(at.name))
    except FileExistsError:
        kept = _keep_version(at, moved)
        if kept:
            remove_temporary(at, temp)
        return asked.conflict(at.held(at.name), kept or at.at(temp))
    return asked.conflict(moved)


def _swap_back(at: Spot, asked: CommitRequest, theirs: Held | None, temp: str) -> RefusedError:
    """Somebody saved in that very moment: the newest of theirs stands at the name afterwards, all are kept.

    Whoever read ours in that moment and saves again knows nothing of theirs: so that is kept even where it stands.
    """
    newest, safe = theirs, [asked.new]
    for _try in range(_TRIES):
        kept = _keep_version(at, newest)
        if kept and newest is not None:
            safe.append(newest.data)
        try:
            swap(at.fd, at.at(temp), at.at(at.name))
        except FileNotFoundError:
            # They removed it since, and it stays away.
            if kept:
                remove_temporary(at, temp)
            return asked.conflict(None, kept or at.at(temp))
        came = reopen_temporary(at, newest, temp)
        if came is not None and came.data in safe:
            remove_temporary(at, temp)
            break
        # It stood at the name after ours did: it is newer than what has just been put there.
        newest = came
    else:
        if _keep_version(at, newest):
            remove_temporary(at, temp)
    if newest is None:
        return OutsideError(_("{path} is no longer a regular file").format(path=asked.path))
    return asked.conflict(newest)


def _keep_version(at: Spot, held: Held | None) -> str:
    """Where a version is kept from now on; empty: nowhere, so that its temporary name must stay."""
    return keep(at.name, held.data) if held is not None else ""


LARGEST = 64 * 1024
"""Bytes of one record: what an append takes (reliability §2.4), with its frame."""
MOST = 10_000
"""Records that may wait: a home that is never writable must not fill the disk."""

SPOOL, OUTBOX = "spool", "outbox"
"""What waits for homes of this machine, and what waits for a service elsewhere (spec 001 §9)."""
_SUFFIX = ".json"


def find_spool_directory(folder: str = SPOOL) -> Path:
    """Where they wait; not made here."""
    return state() / folder


def list_spooled_records(folder: str = SPOOL) -> list[Path]:
    """The records that wait, in the order in which they came."""
    place = find_spool_directory(folder)
    try:
        names = sorted(name for name in os.listdir(place) if name.endswith(_SUFFIX) and not name.startswith("."))
    except OSError:
        return []
    return [place / name for name in names]


def list_unreadable_records(folder: str = SPOOL) -> list[Path]:
    """What was found here and could not be read, or never be delivered: kept, for a person to look at."""
    return sorted(find_spool_directory(folder).glob("*.unreadable"))


def put_record(record: dict[str, Any], folder: str = SPOOL) -> Path:
    """Keep one record. Raises UnavailableError where even that cannot be done, or too many wait already."""
    data = json.dumps(record, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n"
    if len(data) > LARGEST * (2 if folder == SPOOL else 8):
        raise UnavailableError(_("a record to be kept for later has {count:,} bytes: too many").format(count=len(data)))
    place = find_spool_directory(folder)
    if len(list_spooled_records(folder)) >= MOST:
        raise UnavailableError(
            _("{limit:,} records wait in {path} already: `memtui doctor` says why").format(limit=MOST, path=place)
        )
    name = f"{time.time_ns():020d}-{os.urandom(4).hex()}{_SUFFIX}"
    try:
        replace_private_file(place / name, data)
    except OSError as error:
        reason = describe_os_error(error)
        raise UnavailableError(
            _("nothing can be kept for later in {path}: {reason}").format(path=place, reason=reason)
        ) from error
    return place / name


def drain(deliver: Callable[[dict[str, Any]], bool | None], folder: str = SPOOL, *, patience: float = 0.0) -> int:
    """Hand every record to `deliver`, in order, and answer how many went. Another process that drains is left to it,
    after so many seconds of `patience`.

    `deliver` answers whether the record is done with; one that is not waits on. One that cannot be read, or that can
    never be delivered (None), is put beside the others, never thrown away.
    """
    if not list_spooled_records(folder):
        return 0
    locks = state() / "locks"
    done = 0
    with ExitStack() as held:
        try:
            make_private_directory(locks)
            held.enter_context(hold_lock(locks / f"{folder}.lock", timeout=patience))
        except (UnavailableError, OSError):
            return 0
        for path in list_spooled_records(folder):
            record = _read(path)
            try:
                went = None if record is None else deliver(record)
                if went is None:
                    os.replace(path, path.with_suffix(".unreadable"))
                elif went:
                    path.unlink(missing_ok=True)
                    done += 1
            except OSError as error:
                reason = describe_os_error(error)
                raise UnavailableError(
                    _("{path} cannot be taken away: {reason}").format(path=path, reason=reason)
                ) from error
    return done


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None

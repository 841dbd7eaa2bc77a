"""The temporary file beside the one it will replace: complete, like it in everything but its text, and on the disk."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.disk.exchange import again
from memtui.disk.folder import Held, owned
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.disk.folder import Spot

_UNKNOWN = {errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


def written(
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
            warnings = _alike(descriptor, like)
        elif hasattr(os, "fchmod"):
            again(os.fchmod, descriptor, mode)
        if sync:
            again(os.fsync, descriptor)
        return Held(descriptor, data, os.fstat(descriptor)), warnings
    except BaseException:
        os.close(descriptor)
        gone(at, temp)
        raise


def put(descriptor: int, data: bytes) -> None:
    """Write all of it, however many calls that takes: a full disk may take a part and say nothing."""
    view = memoryview(data)
    while view:
        count = again(os.write, descriptor, view)
        if count <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        view = view[count:]


def gone(at: Spot, temp: str) -> None:
    """Remove a temporary file; where that cannot be done at once, and not again, the janitor does it another time."""
    for _try in range(2):
        with suppress(OSError):
            at.unlink(temp)
            return


def lasting(at: Spot) -> tuple[str, ...]:
    """Sync the directory; a warning where that failed, because the change itself has been made."""
    try:
        at.sync()
    except OSError as error:
        why = (error.strerror or "unknown error").lower()
        return (_("{path} is written, but a power cut may undo it: {why}").format(path=at.where, why=why),)
    return ()


def _alike(descriptor: int, like: Held) -> tuple[str, ...]:
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
    if not _attributes(descriptor, like.descriptor):
        warnings.append(_("some of the file's extended attributes could not be kept"))
    if hasattr(os, "fchmod"):
        again(os.fchmod, descriptor, stat.S_IMODE(theirs.st_mode))
    return tuple(warnings)


def _attributes(descriptor: int, like: int) -> bool:
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

"""One name in a directory that is held open: what is done to it stays there, whatever is swapped above it.

A link on the way, or at the end, is followed only where it leads to a place inside the home, or inside what the
person allowed: that place is then walked to without following anything (reliability §2.7, T09, T32).
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memtui.disk import files
from memtui.disk.exchange import again
from memtui.disk.files import inside
from memtui.errors import FullError, MemtuiError, OutsideError, ReadOnlyError, UnavailableError, VanishedError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_SAFE |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_TOP = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_DOWN = _TOP | getattr(os, "O_NOFOLLOW", 0)

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
_GONE = {errno.ENOENT, errno.ENODEV, errno.ENXIO, getattr(errno, "ESTALE", errno.ENODEV)}


class Held:
    """A regular file held open, with the bytes it held when it was read. Close it."""

    def __init__(self, descriptor: int, data: bytes, status: os.stat_result) -> None:
        self.descriptor, self.data, self.status = descriptor, data, status

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def changed(self) -> bytes | None:
        """What the file holds now, if that is something else than was read; None: it is as it was."""
        now = whole(self.descriptor)
        return None if now == self.data else now


class Spot:
    """A name in a directory held open: `fd` is its descriptor, None where the platform has no such thing."""

    def __init__(self, directory: str, fd: int | None, name: str) -> None:
        self.directory, self.fd, self.name = directory, fd, name
        self.where = os.path.join(directory, name)
        """For a person, and for where there are no descriptors."""

    def at(self, name: str) -> str:
        """The name as the system's calls want it."""
        return name if self.fd is not None else os.path.join(self.directory, name)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """A descriptor of a file of this directory, links refused. Raises OSError."""
        return again(os.open, self.at(name), flags | _SAFE, mode, dir_fd=self.fd)

    def status(self, name: str) -> os.stat_result:
        """The status of what has the name. Raises OSError."""
        return os.stat(self.at(name), dir_fd=self.fd, follow_symlinks=False)

    def held(self, name: str) -> Held | None:
        """The file of that name, open and read; None: nothing has it. Raises OutsideError, OSError."""
        try:
            descriptor = self.open(name, os.O_RDONLY)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno in {errno.ELOOP, errno.EMLINK, errno.ENXIO, errno.EISDIR}:
                raise OutsideError(_("{path} is not a regular file").format(path=self.where)) from error
            raise
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OutsideError(_("{path} is not a regular file").format(path=self.where))
            return Held(descriptor, whole(descriptor), status)
        except BaseException:
            os.close(descriptor)
            raise

    def free(self, *files: Held) -> None:
        """Close files before their names change, where the platform renames no file that is open (Windows)."""
        if self.fd is None:
            for file in files:
                file.close()

    def unlink(self, name: str) -> None:
        """The name goes. Raises OSError."""
        again(os.unlink, self.at(name), dir_fd=self.fd)

    def sync(self) -> None:
        """What was renamed lasts. Raises OSError; silent where directories cannot be synced."""
        if self.fd is None:
            return
        try:
            again(os.fsync, self.fd)
        except OSError as error:
            if error.errno not in {errno.EINVAL, errno.ENOTSUP, errno.EBADF}:
                raise


@contextmanager
def spot(
    root: str | Path, path: str, *, allowed: Sequence[str | Path] = (), make: bool = False
) -> Iterator[Spot]:
    """The place that a path of a home names, its directory held open; `make` makes missing directories, 0700.

    Raises OutsideError where it leads out of the home, VanishedError where the directory is gone, and every OSError
    of what is done inside as its typed error.
    """
    descriptor: int | None = None
    try:
        top, parts = resolved(root, path, allowed)
        directory = os.path.join(top, *parts[:-1])
        if files.CHAINED:
            descriptor = _walk(top, parts[:-1], make, path)
            if _is_link(parts[-1], descriptor):
                raise OutsideError(_("{path} changed its place while it was being opened").format(path=path))
        elif make:
            os.makedirs(directory, 0o700, exist_ok=True)
        elif not os.path.isdir(directory):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), directory)
        yield Spot(directory, descriptor, parts[-1])
    except OSError as error:
        raise reason(error, path) from error
    finally:
        if descriptor is not None:
            os.close(descriptor)


def reason(error: OSError, path: str) -> MemtuiError:
    """The typed error that a failed call means for a path, in words for a person."""
    words = {"path": path, "why": (error.strerror or "unknown error").lower()}
    if error.errno in _FULL:
        return FullError(_("no room to write {path}: {why}").format(**words))
    if error.errno in _FORBIDDEN:
        return ReadOnlyError(_("{path} cannot be written: {why}").format(**words))
    if error.errno in _GONE:
        return VanishedError(_("the directory of {path} is gone").format(**words))
    if error.errno in {errno.ELOOP, errno.EMLINK, errno.ENOTDIR, errno.ENAMETOOLONG}:
        return OutsideError(_("{path} does not lead to a place in the home: {why}").format(**words))
    return UnavailableError(_("{path} cannot be reached: {why}").format(**words))


def whole(descriptor: int) -> bytes:
    """All that a file holds, from its beginning, wherever its descriptor stands. Raises OSError."""
    again(os.lseek, descriptor, 0, os.SEEK_SET)
    pieces = []
    size = os.fstat(descriptor).st_size + 1
    while piece := again(os.read, descriptor, size):
        pieces.append(piece)
        size = 1 << 20
    return b"".join(pieces)


def resolved(root: str | Path, path: str, allowed: Sequence[str | Path] = ()) -> tuple[str, list[str]]:
    """The directory to start from and the way down from it, free of links as of now. Raises as `spot` does."""
    parts = inside(path)
    real_root = real_path(root)
    if not os.path.isdir(real_root):
        raise VanishedError(_("{root} is gone: is its disk there?").format(root=os.fspath(root)))
    straight = os.path.join(real_root, *parts)
    real = real_path(straight)
    if real == straight:
        return real_root, parts
    for top in (real_root, *map(real_path, allowed)):
        beginning = top.rstrip(os.sep) + os.sep
        if os.path.normcase(real).startswith(os.path.normcase(beginning)):
            return top, real[len(beginning) :].split(os.sep)
    raise OutsideError(
        _("{path} is a link to {real}, outside the home: edit it there, or allow that place").format(
            path=path, real=real
        )
    )


def real_path(place: str | Path) -> str:
    """The place with every link followed. Raises OutsideError where one is taken away in that very moment."""
    try:
        return os.path.realpath(place)
    except OSError as error:
        raise OutsideError(
            _("{path} changed its place while it was being opened").format(path=place)
        ) from error


def _walk(top: str, parts: list[str], make: bool, path: str) -> int:
    descriptor = again(os.open, top, _TOP)
    try:
        for part in parts:
            below = _down(descriptor, part, make, path)
            os.close(descriptor)
            descriptor = below
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _down(above: int, part: str, make: bool, path: str) -> int:
    try:
        return again(os.open, part, _DOWN, dir_fd=above)
    except FileNotFoundError:
        if not make:
            raise
    except OSError as error:
        if _is_link(part, above):
            raise OutsideError(
                _("{path} changed its place while it was being opened").format(path=path)
            ) from error
        raise
    try:
        again(os.mkdir, part, 0o700, dir_fd=above)
        again(os.fsync, above)
    except FileExistsError:
        pass
    return again(os.open, part, _DOWN, dir_fd=above)


def _is_link(name: str, directory: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode)
    except OSError:
        return False


if sys.platform != "win32":
    import fcntl

    def owned(descriptor: int, *, sharing: bool = False, waiting: bool = False) -> bool:
        """Mark a file as being worked on for as long as its descriptor is open; False: somebody else works on it."""
        kind = (fcntl.LOCK_SH if sharing else fcntl.LOCK_EX) | (0 if waiting else fcntl.LOCK_NB)
        try:
            fcntl.flock(descriptor, kind)
        except OSError as error:
            return error.errno in {errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL}
        return True
else:

    def owned(descriptor: int, *, sharing: bool = False, waiting: bool = False) -> bool:
        """Open files cannot be removed here, which says as much."""
        return True

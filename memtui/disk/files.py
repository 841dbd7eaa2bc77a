"""Reading inside a home, never outside: paths are checked as words, then walked without following links.

A path that names a file of a home is relative, '/'-separated and made of plain parts. Each part is opened from
the directory before it, links refused, so that nothing swapped in between leads out (reliability §2.7, spec 001
§6.1).
"""

from __future__ import annotations

import errno
import os
import stat
from collections import OrderedDict

from memtui.digest import sha256
from memtui.errors import OutsideError, UnavailableError
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import BinaryIO, Self

LONGEST_PART = 255
"""Bytes in one part of a path: what every file system allows."""

CHAINED = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "O_DIRECTORY")
"""Whether this platform can open a file from its directory's descriptor; else real paths are compared."""

_UNFIT = pattern("[\x00-\x1f\x7f-\x9f\\\\]")
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FILE |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_DIRECTORY = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
)
_ROOT = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


def etag(data: bytes) -> str:
    """Names the bytes: the first 32 hexadecimal digits of their SHA-256."""
    return sha256(data)[:32]


def inside(path: str) -> list[str]:
    """The parts of a path that can only name something inside a home.

    Raises OutsideError for an absolute path, '..' or '.', an empty part, NUL and other control characters,
    a backslash, a drive, or a part longer than 255 bytes.
    """
    parts = path.split("/")
    if _UNFIT.search(path):
        raise OutsideError(f"{path!r} holds characters that no path in a home may hold")
    for part in parts:
        if part in {"", ".", ".."}:
            raise OutsideError(f"{path!r} does not name a place inside the home")
        if len(part) > LONGEST_PART // 4 and len(os.fsencode(part)) > LONGEST_PART:
            raise OutsideError(f"a part of the path is longer than {LONGEST_PART} bytes")
    if os.name == "nt" and ":" in path:
        raise OutsideError(f"{path!r} names a drive or a stream, not a place inside the home")
    return parts


class Reader:
    """Reads many files of one home, keeping the directories it came through open.

    `root` may itself be a link: it is resolved once. Close it, or use it in a `with`. Not for two threads at once.
    """

    def __init__(self, root: str | Path, keep: int = 96) -> None:
        # Where a descriptor is kept, opening it once is what resolves a link; looking would cost more than reading.
        self.root = os.fspath(root) if CHAINED else os.path.realpath(root)
        self._keep = keep
        self._open: OrderedDict[str, int] = OrderedDict()
        self._top = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the directories; reading again opens them again."""
        held = [*self._open.values(), *([self._top] if self._top >= 0 else [])]
        self._open.clear()
        self._top = -1
        for descriptor in held:
            os.close(descriptor)

    def read(self, path: str, limit: int) -> tuple[bytes, os.stat_result]:
        """At most `limit` bytes of a file, and its status as it was when they were read.

        Raises OutsideError (outside, through a link, no regular file), FileNotFoundError, UnavailableError.
        """
        descriptor, status = self._opened(path)
        try:
            return _bytes(descriptor, status.st_size, limit), status
        except OSError as error:
            raise _reason(error, path) from error
        finally:
            os.close(descriptor)

    def open(self, path: str) -> BinaryIO:
        """A file to be read piece by piece; the caller closes it. Raises as `read` does."""
        return os.fdopen(self._opened(path)[0], "rb", buffering=1 << 18)

    def _opened(self, path: str) -> tuple[int, os.stat_result]:
        parts = inside(path)
        try:
            descriptor = self._file(path, parts)
        except OSError as error:
            raise _reason(error, path) from error
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OutsideError(f"{path} is not a regular file")
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor, status

    def status(self, path: str) -> os.stat_result:
        """The status of a file or directory, without following a link at its end. Raises as `read` does."""
        parts = inside(path)
        try:
            if CHAINED:
                return os.stat(parts[-1], dir_fd=self._directory(parts[:-1]), follow_symlinks=False)
            return os.lstat(self._real(path, parts[:-1]))
        except OSError as error:
            raise _reason(error, path) from error

    def _file(self, path: str, parts: list[str]) -> int:
        if not CHAINED:
            return self._compared(path, parts)
        directory = self._directory(parts[:-1])
        try:
            return os.open(parts[-1], _FILE, dir_fd=directory)
        except OSError as error:
            if _is_link(parts[-1], directory):
                raise OutsideError(f"{path} is a link; links are not followed") from error
            if error.errno == errno.ENXIO:
                raise OutsideError(f"{path} is not a regular file") from error
            raise

    def _directory(self, parts: list[str]) -> int:
        if self._top < 0:
            self._top = os.open(self.root, _ROOT)
        if not parts:
            return self._top
        name = "/".join(parts)
        found = self._open.get(name)
        if found is not None:
            self._open.move_to_end(name)
            return found
        above = self._directory(parts[:-1])
        try:
            found = os.open(parts[-1], _DIRECTORY, dir_fd=above)
        except OSError as error:
            if error.errno != errno.ENOENT and _is_link(parts[-1], above):
                raise OutsideError(f"{name} is a link; links are not followed") from error
            raise
        self._open[name] = found
        if len(self._open) > self._keep:
            os.close(self._open.popitem(last=False)[1])
        return found

    def _real(self, path: str, parts: list[str]) -> str:
        above = os.path.join(self.root, *parts)
        if os.path.normcase(os.path.realpath(above)) != os.path.normcase(above):
            raise OutsideError(f"{path} passes through a link; links are not followed")
        return os.path.join(self.root, path.replace("/", os.sep))

    def _compared(self, path: str, parts: list[str]) -> int:
        """Where nothing can be opened from a directory, the real path before and after must be the one asked for."""
        wanted = self._real(path, parts)
        if not stat.S_ISREG(os.lstat(wanted).st_mode):
            raise OutsideError(f"{path} is not a regular file, or a link; links are not followed")
        descriptor = os.open(wanted, _FILE)
        try:
            opened, named = os.fstat(descriptor), os.lstat(self._real(path, parts))
            if (opened.st_ino, opened.st_dev) != (named.st_ino, named.st_dev):
                raise OutsideError(f"{path} changed its place while it was being opened")
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor


def read(root: str | Path, path: str, limit: int) -> tuple[bytes, os.stat_result]:
    """At most `limit` bytes of one file of a home, and its status. Raises as `Reader.read` does."""
    with Reader(root) as reader:
        return reader.read(path, limit)


def _bytes(descriptor: int, size: int, limit: int) -> bytes:
    data = os.read(descriptor, min(limit, size + 1))
    if len(data) == size or len(data) >= limit:
        return data
    pieces = [data]
    have = len(data)
    while have < limit:
        more = os.read(descriptor, min(limit - have, 1 << 20))
        if not more:
            break
        pieces.append(more)
        have += len(more)
    return b"".join(pieces)


def _is_link(name: str, directory: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _reason(error: OSError, path: str) -> Exception:
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return FileNotFoundError(errno.ENOENT, "no such file in the home", path)
    if error.errno in {errno.ELOOP, errno.EMLINK}:
        return OutsideError(f"{path} passes through a link; links are not followed")
    if error.errno == errno.EACCES:
        return UnavailableError(f"no permission to read {path}")
    return UnavailableError(f"{path} cannot be read: {(error.strerror or 'unknown error').lower()}")

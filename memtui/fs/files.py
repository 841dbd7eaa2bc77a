"""Reading inside a home, never outside it: directories walked and files opened without following a link.

The walk hands out whole directories, each with a signature, so that a rescan in which nothing changed costs
hardly more than listing; only where a signature differs are single files looked at. Nothing is silently left
out: it becomes a Problem.

A path of a home is relative, '/'-separated and made of plain parts. Each part is opened from the directory
before it with links refused, so that nothing swapped in meanwhile leads out (reliability §2.7, spec 001 §6.1).
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
import zlib
from collections import OrderedDict
from itertools import islice

from memtui.core.errors import OutsideError, UnavailableError, describe_os_error
from memtui.core.locale import _
from memtui.core.model import Problem
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern, sha256

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from types import TracebackType
    from typing import BinaryIO, Self

    from memtui.core.model import Role

DEPTH = 16
"""Directories below the home's own that are entered."""

ENTRIES = 200_000
"""Most files and directories of one home."""

CHANGED = os.name == "posix"
"""Whether a status tells when it last changed: on POSIX nothing about a file changes without it, on Windows it is the
time of creation."""

_FD = os.scandir in os.supports_fd and hasattr(os, "O_DIRECTORY")
_OPEN = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_NEVER = frozenset({".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__"})
_OURS = ".memtui-"


class FoundFile(NamedTuple):
    """A file that is a memory by its role, with what tells whether it changed. Times in nanoseconds."""

    path: str
    mtime_ns: int
    size: int
    ino: int
    ctime_ns: int
    role: Role


class DirectoryListing:
    """One directory as it stands: its files' names and statuses, side by side, and what was odd about it."""

    __slots__ = ("cut", "failed", "names", "odd", "path", "statuses")

    def __init__(self, path: str) -> None:
        self.path = path
        """Relative to the home, '/'-separated; empty for the home itself."""
        self.names: list[str] = []
        self.statuses: list[os.stat_result] = []
        self.odd: list[Problem] = []
        """Directories that were not entered, and why."""
        self.failed = 0
        """The error number, where the directory could not be listed."""
        self.cut = False
        """Not all of it, or of what is below, is listed: the home is too large."""

    def signature(self) -> int:
        """A number that changes when any file here does: names, sizes and times."""
        if CHANGED:
            numbers = [x for st in self.statuses for x in (st.st_ctime_ns, st.st_size)]
        else:
            numbers = [x for st in self.statuses for x in (st.st_mtime_ns, st.st_size)]
        names = zlib.crc32(os.fsencode("/".join(self.names)))
        return hash((self.failed, names, len(self.odd), *numbers))

    def files(self) -> Iterator[tuple[str, os.stat_result]]:
        """The regular files whose names can be shown and opened, as paths relative to the home."""
        prefix = f"{self.path}/" if self.path else ""
        for name, status in zip(self.names, self.statuses, strict=True):
            if stat.S_ISREG(status.st_mode) and not _explain_unfit(name) and not name.startswith(_OURS):
                yield prefix + name, status

    def problems(self, root: str, role: Callable[[str], Role | None], prune: Callable[[str], bool]) -> list[Problem]:
        """What stands here, would be a memory and is not read, each with its reason, for a person."""
        prefix = f"{self.path}/" if self.path else ""
        problems = list(self.odd)
        if self.failed:
            problems.append(Problem(_escape_name(self.path) or ".", 0, _explain_failed_listing(self.failed)))
        for name, status in zip(self.names, self.statuses, strict=True):
            path = prefix + name
            reason = _explain_unfit(name) or _explain_unread(root, path, status)
            if reason and (role(path) is not None or (_leads_to_directory(root, path, status) and not prune(path))):
                problems.append(Problem(_escape_name(path), 0, reason))
        for name, other in _find_twins(self.names):
            if role(prefix + name) is not None and role(prefix + other) is not None:
                reason = f"differs from {_escape_name(other)} only in case or accents: both are kept"
                problems.append(Problem(_escape_name(prefix + name), 0, reason))
        return problems


def walk_directories(root: str | Path, prune: Callable[[str], bool], start: str = "") -> Iterator[DirectoryListing]:
    """Every directory of a home from `start` down, its own first; those that `prune` names are not entered.

    `root` is resolved by the caller. Raises FileNotFoundError (or another OSError) only if `start` itself cannot
    be listed; whatever else goes wrong stands in the listing it belongs to.
    """
    top = os.path.join(root, start) if start else os.fspath(root)
    left = [ENTRIES]
    if _FD:
        descriptor = os.open(top, _OPEN if start else _OPEN & ~getattr(os, "O_NOFOLLOW", 0))
        try:
            yield from _walk_below(descriptor, start, prune, start.count("/") + bool(start), left)
        finally:
            os.close(descriptor)
    else:
        os.stat(top)
        yield from _walk_below(top, start, prune, start.count("/") + bool(start), left)


def _walk_below(
    where: int | str, path: str, prune: Callable[[str], bool], depth: int, left: list[int]
) -> Iterator[DirectoryListing]:
    listing = DirectoryListing(path)
    enter = _list(where, listing, prune, depth, left)
    prefix = f"{path}/" if path else ""
    yield listing
    for name in enter:
        if isinstance(where, str):
            yield from _walk_below(os.path.join(where, name), prefix + name, prune, depth + 1, left)
            continue
        try:
            descriptor = os.open(name, _OPEN, dir_fd=where)
        except FileNotFoundError:
            continue
        except OSError as error:
            closed = DirectoryListing(prefix + name)
            closed.failed = error.errno or errno.EIO
            yield closed
            continue
        try:
            yield from _walk_below(descriptor, prefix + name, prune, depth + 1, left)
        finally:
            os.close(descriptor)


def _list(
    where: int | str, listing: DirectoryListing, prune: Callable[[str], bool], depth: int, left: list[int]
) -> list[str]:
    """Fill in what stands in one directory; which directories of it are to be gone into."""
    path, names, statuses = listing.path, listing.names, listing.statuses
    inner: list[str] = []
    try:
        with os.scandir(where) as entries:
            for entry in islice(entries, max(left[0], 0)):
                try:
                    if entry.is_dir(follow_symlinks=False):
                        inner.append(entry.name)
                        continue
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                except OSError as error:
                    listing.odd.append(
                        Problem(_escape_name(f"{path}/{entry.name}"), 0, _explain_failed_listing(error.errno or 0))
                    )
                    continue
                names.append(entry.name)
                statuses.append(status)
    except OSError as error:
        listing.failed = error.errno or errno.EIO
    left[0] -= len(names) + len(inner)
    if left[0] <= 0:
        listing.cut = True
        listing.odd.append(
            Problem(_escape_name(path) or ".", 0, f"only the first {ENTRIES:,} files of the home are read")
        )
    prefix = f"{path}/" if path else ""
    return [name for name in sorted(inner) if _is_entered(listing, prefix + name, prune, depth, left[0])]


def list_directories(
    root: str | Path, paths: Iterable[str], prune: Callable[[str], bool]
) -> Iterator[tuple[DirectoryListing, list[str]]]:
    """Each of these directories of a home, and the names of those in it that `walk_directories` would go into.

    One that is not there, or no directory any more, has failed. Raises OSError if the home itself is not there.
    """
    top = os.fspath(root)
    left = [ENTRIES]
    descriptor = os.open(top, _OPEN & ~getattr(os, "O_NOFOLLOW", 0)) if _FD else -1
    try:
        for path in paths:
            listing = DirectoryListing(path)
            depth = path.count("/") + bool(path)
            if not _FD:
                yield listing, _list(os.path.join(top, path), listing, prune, depth, left)
                continue
            try:
                inner = os.open(path, _OPEN, dir_fd=descriptor) if path else descriptor
            except OSError as error:
                listing.failed = error.errno or errno.EIO
                yield listing, []
                continue
            try:
                yield listing, _list(inner, listing, prune, depth, left)
            finally:
                if path:
                    os.close(inner)
    finally:
        if _FD:
            os.close(descriptor)


def _is_entered(listing: DirectoryListing, path: str, prune: Callable[[str], bool], depth: int, left: int) -> bool:
    """Whether to go into a directory; one that ought to be gone into and is not becomes a problem."""
    name = path.rpartition("/")[2]
    if is_never_entered(name) or prune(path):
        return False
    reason = _explain_unfit(name)
    if not reason and depth >= DEPTH:
        reason = f"more than {DEPTH} directories deep: open it itself to see it"
    if not reason and left <= 0:
        listing.cut = True
        reason = f"the home holds more than {ENTRIES:,} files: open this directory itself to see it"
    if reason:
        listing.odd.append(Problem(_escape_name(path), 0, reason))
    return not reason


def walk(
    root: str | Path, role: Callable[[str], Role | None], prune: Callable[[str], bool]
) -> Iterator[FoundFile | Problem]:
    """Every memory file of a home, and a Problem for what a person might miss. Raises as `walk_directories` does."""
    base = os.fspath(root)
    for listing in walk_directories(root, prune):
        for path, status in listing.files():
            what = role(path)
            if what is not None:
                yield build_file_state(path, status, what)
        yield from listing.problems(base, role, prune)


def build_file_state(path: str, status: os.stat_result, role: Role) -> FoundFile:
    """A status as the index keeps it."""
    return FoundFile(path, status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns, role)


def is_never_entered(name: str) -> bool:
    """Whether a directory of that name is never entered nor watched, whatever the layout says (T29)."""
    return name in _NEVER or name.startswith(_OURS)


def _explain_unfit(name: str) -> str:
    if name.isascii() and name.isprintable() and "\\" not in name:
        return ""
    if any("\ud800" <= char <= "\udfff" for char in name):
        return "its name is not UTF-8: rename it to have it read"
    if "\\" in name or any(char < " " or "\x7f" <= char <= "\x9f" for char in name):
        return "its name holds control characters or a backslash: rename it to have it read"
    return ""


def _explain_unread(root: str, path: str, status: os.stat_result) -> str:
    if stat.S_ISREG(status.st_mode):
        return ""
    if not stat.S_ISLNK(status.st_mode):
        return "not a regular file (a pipe, socket or device)"
    full = os.path.join(root, path)
    target = os.path.realpath(full)
    try:
        within = os.path.commonpath([os.path.realpath(root), target]) == os.path.realpath(root)
    except ValueError:
        within = False
    if not os.path.exists(target):
        return "a link to something that is not there"
    if within:
        # What it points at is listed in its own place, so showing it here again would double it.
        return ""
    place = target if os.path.isdir(target) else os.path.dirname(target)
    return f"a link to {_escape_name(target)}, outside this home: open {_escape_name(place)} itself to see it"


def _leads_to_directory(root: str, path: str, status: os.stat_result) -> bool:
    """Whether it is a link to a directory, with memories behind it as far as anybody can tell."""
    return stat.S_ISLNK(status.st_mode) and os.path.isdir(os.path.join(root, path))


def _find_twins(names: list[str]) -> Iterator[tuple[str, str]]:
    """Names that some file systems take for one (T35), each with the first of its kind."""
    first: dict[str, str] = {}
    for name in sorted(names):
        key = name.lower() if name.isascii() else unicodedata.normalize("NFC", name).casefold()
        other = first.setdefault(key, name)
        if other is not name:
            yield name, other


def _escape_name(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode() if not text.isascii() else text


def _explain_failed_listing(number: int) -> str:
    if number in {errno.EACCES, errno.EPERM}:
        return "no permission to look inside"
    return f"cannot be listed: {os.strerror(number).lower()}"


LONGEST_PART = 255
"""Bytes in one part of a path: what every file system allows."""

CHAINED = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "O_DIRECTORY")
"""Whether this platform can open a file from its directory's descriptor; else real paths are compared."""

_UNFIT = compile_pattern("[\x00-\x1f\x7f-\x9f\\\\]")
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FILE |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_DIRECTORY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_ROOT = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


def compute_etag(data: bytes) -> str:
    """Names the bytes: the first 32 hexadecimal digits of their SHA-256."""
    return sha256(data)[:32]


def split_home_path(path: str) -> list[str]:
    """The parts of a path that can only name something inside a home.

    Raises OutsideError for an absolute path, '..' or '.', an empty part, NUL and other control characters,
    a backslash, a drive, or a part longer than 255 bytes.
    """
    parts = path.split("/")
    if _UNFIT.search(path):
        raise OutsideError(_("{path!r} holds characters that no path in a home may hold").format(path=path))
    for part in parts:
        if part in {"", ".", ".."}:
            raise OutsideError(_("{path!r} does not name a place inside the home").format(path=path))
        if len(part) > LONGEST_PART // 4 and len(os.fsencode(part)) > LONGEST_PART:
            raise OutsideError(_("a part of the path is longer than {limit} bytes").format(limit=LONGEST_PART))
    if os.name == "nt" and ":" in path:
        raise OutsideError(_("{path!r} names a drive or a stream, not a place inside the home").format(path=path))
    return parts


class HomeReader:
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
            return _read_bytes(descriptor, status.st_size, limit), status
        except OSError as error:
            raise _translate_error(error, path) from error
        finally:
            os.close(descriptor)

    def open(self, path: str) -> BinaryIO:
        """A file to be read piece by piece; the caller closes it. Raises as `read` does."""
        return os.fdopen(self._opened(path)[0], "rb", buffering=1 << 18)

    def _opened(self, path: str) -> tuple[int, os.stat_result]:
        parts = split_home_path(path)
        try:
            descriptor = self._file(path, parts)
        except OSError as error:
            raise _translate_error(error, path) from error
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OutsideError(_("{path} is not a regular file").format(path=path))
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor, status

    def status(self, path: str) -> os.stat_result:
        """The status of a file or directory, without following a link at its end. Raises as `read` does."""
        parts = split_home_path(path)
        try:
            if CHAINED:
                return os.stat(parts[-1], dir_fd=self._directory(parts[:-1]), follow_symlinks=False)
            return os.lstat(self._real(path, parts[:-1]))
        except OSError as error:
            raise _translate_error(error, path) from error

    def _file(self, path: str, parts: list[str]) -> int:
        if not CHAINED:
            return self._compared(path, parts)
        directory = self._directory(parts[:-1])
        try:
            return os.open(parts[-1], _FILE, dir_fd=directory)
        except OSError as error:
            if is_link(parts[-1], directory):
                raise OutsideError(_("{path} is a link; links are not followed").format(path=path)) from error
            if error.errno == errno.ENXIO:
                raise OutsideError(_("{path} is not a regular file").format(path=path)) from error
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
            if error.errno != errno.ENOENT and is_link(parts[-1], above):
                raise OutsideError(_("{name} is a link; links are not followed").format(name=name)) from error
            raise
        self._open[name] = found
        if len(self._open) > self._keep:
            os.close(self._open.popitem(last=False)[1])
        return found

    def _real(self, path: str, parts: list[str]) -> str:
        above = os.path.join(self.root, *parts)
        if os.path.normcase(os.path.realpath(above)) != os.path.normcase(above):
            raise OutsideError(_("{path} passes through a link; links are not followed").format(path=path))
        return os.path.join(self.root, path.replace("/", os.sep))

    def _compared(self, path: str, parts: list[str]) -> int:
        """Where nothing can be opened from a directory, the real path before and after must be the one asked for."""
        wanted = self._real(path, parts)
        if not stat.S_ISREG(os.lstat(wanted).st_mode):
            raise OutsideError(_("{path} is not a regular file, or a link; links are not followed").format(path=path))
        descriptor = os.open(wanted, _FILE)
        try:
            opened, named = os.fstat(descriptor), os.lstat(self._real(path, parts))
            if (opened.st_ino, opened.st_dev) != (named.st_ino, named.st_dev):
                raise OutsideError(_("{path} changed its place while it was being opened").format(path=path))
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor


def read(root: str | Path, path: str, limit: int) -> tuple[bytes, os.stat_result]:
    """At most `limit` bytes of one file of a home, and its status. Raises as `HomeReader.read` does."""
    with HomeReader(root) as reader:
        return reader.read(path, limit)


def _read_bytes(descriptor: int, size: int, limit: int) -> bytes:
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


def sign_file(path: str | os.PathLike[str]) -> tuple[int, ...]:
    """Another one whenever the file was changed or replaced; empty: it is not there. Contents are not read."""
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def is_link(name: str, directory: int) -> bool:
    """Whether a name in an open directory is a symbolic link."""
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _translate_error(error: OSError, path: str) -> Exception:
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return FileNotFoundError(errno.ENOENT, "no such file in the home", path)
    if error.errno in {errno.ELOOP, errno.EMLINK}:
        return OutsideError(f"{path} passes through a link; links are not followed")
    if error.errno == errno.EACCES:
        return UnavailableError(f"no permission to read {path}")
    return UnavailableError(f"{path} cannot be read: {describe_os_error(error)}")


def find_modified_time(path: str) -> float | None:
    """When a file was written last; None where nothing can be seen there."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return None


def read_head(path: str | os.PathLike[str], size: int) -> str:
    """At most so many characters of a file's beginning; empty where nothing can be read there."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(size)
    except (OSError, ValueError):
        return ""

"""What stands in a home: directory by directory, never following a link, and nothing silently missing.

A rescan of a home in which nothing changed must cost hardly more than listing it, so the walk hands out whole
directories with a signature each; only where a signature differs does anybody look at single files.
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
import zlib
from itertools import islice

from memtui.model import Problem
from memtui.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from memtui.parse.source import Role

DEPTH = 16
"""Directories below the home's own that are entered."""

ENTRIES = 200_000
"""Most files and directories of one home."""

CHANGED = os.name == "posix"
"""Whether a status tells when it last changed: on POSIX nothing about a file changes without it, on Windows it is the
time of creation."""

_FD = os.scandir in os.supports_fd and hasattr(os, "O_DIRECTORY")
_OPEN = (
    os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
)
_NEVER = frozenset({".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__"})
_OURS = ".memtui-"


class Found(NamedTuple):
    """A file that is a memory by its role, with what tells whether it changed. Times in nanoseconds."""

    path: str
    mtime_ns: int
    size: int
    ino: int
    ctime_ns: int
    role: Role


class Listing:
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
            if stat.S_ISREG(status.st_mode) and not _unfit(name) and not name.startswith(_OURS):
                yield prefix + name, status

    def problems(
        self, root: str, role: Callable[[str], Role | None], prune: Callable[[str], bool]
    ) -> list[Problem]:
        """What stands here, would be a memory and is not read, each with its reason, for a person."""
        prefix = f"{self.path}/" if self.path else ""
        problems = list(self.odd)
        if self.failed:
            problems.append(Problem(_shown(self.path) or ".", 0, _listing_failed(self.failed)))
        for name, status in zip(self.names, self.statuses, strict=True):
            path = prefix + name
            reason = _unfit(name) or _unread(root, path, status)
            if reason and (role(path) is not None or (_leads_on(root, path, status) and not prune(path))):
                problems.append(Problem(_shown(path), 0, reason))
        for name, other in _twins(self.names):
            if role(prefix + name) is not None and role(prefix + other) is not None:
                reason = f"differs from {_shown(other)} only in case or accents: both are kept"
                problems.append(Problem(_shown(prefix + name), 0, reason))
        return problems


def listings(root: str | Path, prune: Callable[[str], bool], start: str = "") -> Iterator[Listing]:
    """Every directory of a home from `start` down, its own first; those that `prune` names are not entered.

    `root` is resolved by the caller. Raises FileNotFoundError (or another OSError) only if `start` itself cannot
    be listed; whatever else goes wrong stands in the listing it belongs to.
    """
    top = os.path.join(root, start) if start else os.fspath(root)
    left = [ENTRIES]
    if _FD:
        descriptor = os.open(top, _OPEN if start else _OPEN & ~getattr(os, "O_NOFOLLOW", 0))
        try:
            yield from _below(descriptor, start, prune, start.count("/") + bool(start), left)
        finally:
            os.close(descriptor)
    else:
        os.stat(top)
        yield from _below(top, start, prune, start.count("/") + bool(start), left)


def _below(
    where: int | str, path: str, prune: Callable[[str], bool], depth: int, left: list[int]
) -> Iterator[Listing]:
    listing = Listing(path)
    enter = _list(where, listing, prune, depth, left)
    prefix = f"{path}/" if path else ""
    yield listing
    for name in enter:
        if isinstance(where, str):
            yield from _below(os.path.join(where, name), prefix + name, prune, depth + 1, left)
            continue
        try:
            descriptor = os.open(name, _OPEN, dir_fd=where)
        except FileNotFoundError:
            continue
        except OSError as error:
            closed = Listing(prefix + name)
            closed.failed = error.errno or errno.EIO
            yield closed
            continue
        try:
            yield from _below(descriptor, prefix + name, prune, depth + 1, left)
        finally:
            os.close(descriptor)


def _list(
    where: int | str, listing: Listing, prune: Callable[[str], bool], depth: int, left: list[int]
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
                        Problem(_shown(f"{path}/{entry.name}"), 0, _listing_failed(error.errno or 0))
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
            Problem(_shown(path) or ".", 0, f"only the first {ENTRIES:,} files of the home are read")
        )
    prefix = f"{path}/" if path else ""
    return [name for name in sorted(inner) if _entered(listing, prefix + name, prune, depth, left[0])]


def listed(
    root: str | Path, paths: Iterable[str], prune: Callable[[str], bool]
) -> Iterator[tuple[Listing, list[str]]]:
    """Each of these directories of a home, and the names of those in it that `listings` would go into.

    One that is not there, or no directory any more, has failed. Raises OSError if the home itself is not there.
    """
    top = os.fspath(root)
    left = [ENTRIES]
    descriptor = os.open(top, _OPEN & ~getattr(os, "O_NOFOLLOW", 0)) if _FD else -1
    try:
        for path in paths:
            listing = Listing(path)
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


def _entered(listing: Listing, path: str, prune: Callable[[str], bool], depth: int, left: int) -> bool:
    """Whether to go into a directory; one that ought to be gone into and is not becomes a problem."""
    name = path.rpartition("/")[2]
    if never(name) or prune(path):
        return False
    reason = _unfit(name)
    if not reason and depth >= DEPTH:
        reason = f"more than {DEPTH} directories deep: open it itself to see it"
    if not reason and left <= 0:
        listing.cut = True
        reason = f"the home holds more than {ENTRIES:,} files: open this directory itself to see it"
    if reason:
        listing.odd.append(Problem(_shown(path), 0, reason))
    return not reason


def walk(
    root: str | Path, role: Callable[[str], Role | None], prune: Callable[[str], bool]
) -> Iterator[Found | Problem]:
    """Every memory file of a home, and a Problem for whatever a person might miss. Raises as `listings` does."""
    base = os.fspath(root)
    for listing in listings(root, prune):
        for path, status in listing.files():
            what = role(path)
            if what is not None:
                yield found(path, status, what)
        yield from listing.problems(base, role, prune)


def found(path: str, status: os.stat_result, role: Role) -> Found:
    """A status as the index keeps it."""
    return Found(path, status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns, role)


def never(name: str) -> bool:
    """Whether a directory of that name is never entered nor watched, whatever the layout says (T29)."""
    return name in _NEVER or name.startswith(_OURS)


def _unfit(name: str) -> str:
    if name.isascii() and name.isprintable() and "\\" not in name:
        return ""
    if any("\ud800" <= char <= "\udfff" for char in name):
        return "its name is not UTF-8: rename it to have it read"
    if "\\" in name or any(char < " " or "\x7f" <= char <= "\x9f" for char in name):
        return "its name holds control characters or a backslash: rename it to have it read"
    return ""


def _unread(root: str, path: str, status: os.stat_result) -> str:
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
    return f"a link to {_shown(target)}, outside this home: open {_shown(place)} itself to see it"


def _leads_on(root: str, path: str, status: os.stat_result) -> bool:
    """Whether it is a link to a directory, with memories behind it as far as anybody can tell."""
    return stat.S_ISLNK(status.st_mode) and os.path.isdir(os.path.join(root, path))


def _twins(names: list[str]) -> Iterator[tuple[str, str]]:
    """Names that some file systems take for one (T35), each with the first of its kind."""
    first: dict[str, str] = {}
    for name in sorted(names):
        key = name.lower() if name.isascii() else unicodedata.normalize("NFC", name).casefold()
        other = first.setdefault(key, name)
        if other is not name:
            yield name, other


def _shown(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode() if not text.isascii() else text


def _listing_failed(number: int) -> str:
    if number in {errno.EACCES, errno.EPERM}:
        return "no permission to look inside"
    return f"cannot be listed: {os.strerror(number).lower()}"

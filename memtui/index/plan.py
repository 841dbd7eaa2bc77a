"""What differs between a home and its index: which files to read again, which are gone.

Whole directories are compared by signature first, so that nothing is looked up for a home that did not change.
"""

from __future__ import annotations

import os
import re
import stat
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from memtui.disk.files import inside
from memtui.disk.walk import Found, found, listings, never
from memtui.errors import MemtuiError, OutsideError, UnavailableError
from memtui.index.schema import decoded

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import apsw

    from memtui.disk.files import Reader
    from memtui.disk.walk import Listing
    from memtui.layouts import Layout
    from memtui.model import Problem
    from memtui.parse.source import Role

FEW = 5
"""Files that may be gone at once without a second look."""

MUCH = 0.3
"""The share of a home that may be."""

_DATE = re.compile(r"(20[0-9]{2})[-_.]?([01][0-9])[-_.]?([0-3][0-9])")


class Change(NamedTuple):
    """A file to be read: new, or with other times or another size than the index knows."""

    found: Found
    file: int
    """Its id in the index; 0: new."""
    etag: bytes | None


class Plan:
    """What a sync has to do."""

    def __init__(self) -> None:
        self.changed: list[Change] = []
        """Oldest first, so that ids grow with recency."""
        self.removed: list[int] = []
        """Ids of files."""
        self.known = 0
        """Files that the index holds; 0 where nobody needs to know."""
        self.signatures: dict[str, int] = {}
        """Directories that differ, with what they are now."""
        self.problems: dict[str, list[Problem]] = {}
        """What is odd in these directories."""
        self.left: list[int] = []
        """Ids of directories that are gone."""
        self.away = False
        """The home itself is not there."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to do at all."""
        return not (self.changed or self.removed or self.signatures or self.left)

    @property
    def suspect(self) -> bool:
        """Whether so much is gone at once that it looks like a directory unmounted or emptied by mistake (T15)."""
        gone = self.known if self.away else len(self.removed)
        return self.away or (gone > FEW and gone > MUCH * self.known)


class Survey:
    """Compares one home with one index. `home` is resolved."""

    def __init__(self, db: apsw.Connection, home: Path, layout: Layout) -> None:
        self._db = db
        self._root = os.fspath(home)
        self._home = home
        self._layout = layout
        self._prune = partial(layout.prune, home)
        self._plan = Plan()

    def all(self) -> Plan:
        """The whole home. Raises StaleIndexError."""
        with decoded():
            self._plan.known = self._db.execute("SELECT count(*) FROM file").get
            try:
                self._tree("")
            except (FileNotFoundError, NotADirectoryError):
                self._plan.away = True
                self._plan.removed = [row[0] for row in self._db.execute("SELECT id FROM file")]
                self._plan.left = [row[0] for row in self._db.execute("SELECT id FROM dir")]
            except OSError as error:
                raise UnavailableError(
                    f"{self._root} cannot be listed: {(error.strerror or '').lower()}"
                ) from error
        return self._sorted()

    def some(self, paths: Iterable[str], reader: Reader) -> Plan:
        """Only these paths, files or directories, there or gone. Raises StaleIndexError."""
        if not os.path.isdir(self._root):
            return self.all()
        with decoded():
            for path in sorted(set(paths)):
                if path.endswith("-wal"):
                    # A database changes in its log first; the file itself may stay as it is for days.
                    self._one(reader, path.removesuffix("-wal"))
                self._one(reader, path)
            if len(self._plan.removed) > FEW:
                # Counting takes longer the more there is, so it is not done for every save.
                self._plan.known = self._db.execute("SELECT count(*) FROM file").get
        return self._sorted()

    def _sorted(self) -> Plan:
        self._plan.changed.sort(key=lambda change: (_recency(change.found), change.found.path))
        return self._plan

    def _tree(self, start: str) -> None:
        known = self._directories(start)
        whole = True
        for listing in listings(self._root, self._prune, start):
            signature = listing.signature()
            held = known.pop(listing.path, None)
            whole = whole and not listing.cut
            if listing.failed:
                # What cannot be listed is not gone: its files stay as they were last seen.
                for path in [path for path in known if path.startswith(f"{listing.path}/")]:
                    del known[path]
            if held is not None and held[1] == signature:
                continue
            self._plan.signatures[listing.path] = signature
            self._plan.problems[listing.path] = listing.problems(
                self._root, partial(self._layout.role, self._home), self._prune
            )
            if listing.failed:
                continue
            self._compare(listing, held[0] if held else 0)
        if whole:
            self._leave(id_ for id_, _ in known.values())

    def _compare(self, listing: Listing, directory: int) -> None:
        rows = self._db.execute(
            "SELECT path, id, mtime, size, ino, ctime, etag FROM file WHERE dir=?", (directory,)
        )
        held = {row[0]: row[1:] for row in rows} if directory else {}
        # A memory that moved to another directory row is found by its path all the same.
        names: dict[str, os.stat_result] | None = None
        for path, status in listing.files():
            role = role_of(self._layout, self._home, path)
            if role is None:
                continue
            now = found(path, status, role)
            if not role.limit:
                names = names or dict(zip(listing.names, listing.statuses, strict=True))
                now = _with_log(now, names.get(f"{path.rpartition('/')[2]}-wal"))
            self._weigh(now, held.pop(path, None))
        self._plan.removed += [row[0] for row in held.values()]

    def _weigh(self, now: Found, held: tuple[object, ...] | None) -> None:
        if held is None:
            self._plan.changed.append(Change(now, 0, None))
        elif held[1:5] != now[1:5]:
            self._plan.changed.append(Change(now, held[0], held[5]))  # type: ignore[arg-type]

    def _one(self, reader: Reader, path: str) -> None:
        try:
            parts = inside(path)
        except OutsideError:
            return
        above = ["/".join(parts[:end]) for end in range(1, len(parts))]
        if any(never(part) for part in parts) or any(self._prune(directory) for directory in above):
            return
        held = self._db.execute(
            "SELECT id, mtime, size, ino, ctime, etag FROM file WHERE path=?", (path,)
        ).get if _storable(path) else None  # fmt: skip
        try:
            status = reader.status(path)
        except (FileNotFoundError, OutsideError):
            if held is not None:
                self._plan.removed.append(held[0])
            self._leave(id_ for id_, _ in self._directories(path).values())
            return
        except MemtuiError:
            return
        fit = stat.S_ISREG(status.st_mode) and _storable(path)
        role = role_of(self._layout, self._home, path) if fit else None
        if role is not None:
            now = found(path, status, role)
            if not role.limit:
                try:
                    now = _with_log(now, reader.status(f"{path}-wal"))
                except (OSError, MemtuiError):
                    now = _with_log(now, None)
            self._weigh(now, held)
        elif held is not None:
            self._plan.removed.append(held[0])
        if not stat.S_ISDIR(status.st_mode):
            if held is None:
                # It may stand where a directory was.
                self._leave(id_ for id_, _ in self._directories(path).values())
        elif not self._prune(path):
            try:
                self._tree(path)
            except OSError:
                return

    def _directories(self, start: str) -> dict[str, tuple[int, int | None]]:
        if not start:
            rows = self._db.execute("SELECT path, id, signature FROM dir")
        elif _storable(start):
            rows = self._db.execute(
                "SELECT path, id, signature FROM dir WHERE path = ? OR path >= ? AND path < ?",
                (start, f"{start}/", f"{start}0"),
            )
        else:
            return {}
        return {path: (id_, signature) for path, id_, signature in rows}

    def _leave(self, directories: Iterable[int]) -> None:
        for directory in directories:
            self._plan.left.append(directory)
            rows = self._db.execute("SELECT id FROM file WHERE dir=?", (directory,))
            self._plan.removed += [row[0] for row in rows]


def role_of(layout: Layout, home: Path, path: str) -> Role | None:
    """What a file is in its home; None: no memory."""
    try:
        return layout.role(home, path)
    except (TypeError, ValueError, LookupError, AttributeError):
        # A name that a layout did not reckon with is that one file's trouble, not the home's.
        return None


def _with_log(now: Found, log: os.stat_result | None) -> Found:
    if log is None:
        return now
    return now._replace(
        mtime_ns=max(now.mtime_ns, log.st_mtime_ns),
        size=now.size + log.st_size,
        # Not the log's change time: SQLite gives it to its owner again whenever root opens it.
        ctime_ns=max(now.ctime_ns, log.st_mtime_ns),
    )


def _storable(path: str) -> bool:
    return path.isascii() or not any("\ud800" <= char <= "\udfff" for char in path)


def _recency(file: Found) -> int:
    """When it was last about something: the date in its name, or earlier when it was changed before that."""
    match = _DATE.search(file.path, file.path.rfind("/") + 1)
    if match is None:
        return file.mtime_ns
    return min(file.mtime_ns, _end_of_day(*match.groups()))


@lru_cache(maxsize=4096)
def _end_of_day(year: str, month: str, day: str) -> int:
    import calendar

    return (
        calendar.timegm((int(year), max(1, min(12, int(month))), int(day) or 1, 23, 59, 59)) * 1_000_000_000
    )

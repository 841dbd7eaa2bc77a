"""The difference between a home and its index: which files to read again, and which are gone.

Whole directories are compared by signature first, so that nothing is looked up for a home that did not change.
`Survey` compares, `SyncPlan` is the result; `find_likeliest_files` and `rank_recency` order what is read first.
"""

from __future__ import annotations

import heapq
import os
import stat
import time
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING

from memtui.core.errors import MemtuiError, OutsideError, UnavailableError
from memtui.core.locale import _
from memtui.core.model import Layer
from memtui.core.startup import NamedTuple, compile_pattern
from memtui.fs.files import FoundFile, build_file_state, is_never_entered, split_home_path, walk_directories
from memtui.index.schema import translate_decode_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import apsw

    from memtui.core.model import Problem, Role
    from memtui.fs.files import DirectoryListing, HomeReader
    from memtui.layouts import Layout

_MINUTE = 60 * 1_000_000_000
_BACKWARDS = bytes(range(255, -1, -1))

FEW = 5
"""Files that may be gone at once without a second look."""

MUCH = 0.3
"""The share of a home that may be."""

FIRST = 48
"""Files that are read before anybody knows how many there are."""

HASTE = 0.05
"""Seconds for finding them, in a home of any size."""

_SMALL = 128 * 1024
"""Bytes of a file that is soon read."""

_NEAR = 1000, 64, 0
"""Files of a directory that are asked whether they are always known: of the home itself, one below, and deeper."""

_LISTED = 200_000
"""Entries of one directory whose names are looked at: a microsecond each."""

_DATE = compile_pattern(r"(20[0-9]{2})[-_.]?([01][0-9])[-_.]?([0-3][0-9])")


class FileChange(NamedTuple):
    """A file to be read: new, or with other times or another size than the index knows."""

    found: FoundFile
    file: int
    """Its id in the index; 0: new."""
    etag: bytes | None
    again: bool = False
    """To be read though its bytes are known: its entries have numbers that do not match its age."""


class SyncPlan:
    """What a sync has to do."""

    def __init__(self) -> None:
        self.changed: list[FileChange] = []
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
        self.racy: set[str] = set()
        """Directories that somebody wrote to while the others were being listed."""

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

    def __init__(
        self,
        db: apsw.Connection,
        home: Path,
        layout: Layout,
        between: Callable[[], Iterable[str]] | None = None,
        enough: int | None = None,
    ) -> None:
        """`between` is called after every directory, for what cannot wait; it answers what paths it wrote.

        With more files to be read than `enough` the rest is not looked for: such a plan only says that it is many.
        """
        self._between = between
        self._enough = enough
        self._db = db
        self._root = os.fspath(home)
        self._home = home
        self._layout = layout
        self._prune = partial(layout.prune, home)
        self._plan = SyncPlan()

    def all(self) -> SyncPlan:
        """The whole home. Raises StaleIndexError."""
        with translate_decode_errors():
            self._plan.known = self._db.execute("SELECT count(*) FROM file").get
            try:
                self._survey_tree("")
            except (FileNotFoundError, NotADirectoryError):
                self._plan.away = True
                self._plan.removed = [row[0] for row in self._db.execute("SELECT id FROM file")]
                self._plan.left = [row[0] for row in self._db.execute("SELECT id FROM dir")]
            except OSError as error:
                raise explain_unlisted(self._home, error) from error
        return self._sort_plan()

    def some(self, paths: Iterable[str], reader: HomeReader) -> SyncPlan:
        """Only these paths, files or directories, there or gone. Raises StaleIndexError."""
        if not os.path.isdir(self._root):
            return self.all()
        with translate_decode_errors():
            for path in sorted(set(paths)):
                if path.endswith("-wal"):
                    # A database changes in its log first; the file itself may stay as it is for days.
                    self._survey_path(reader, path.removesuffix("-wal"))
                self._survey_path(reader, path)
            if len(self._plan.removed) > FEW:
                # Counting takes longer the more there is, so it is not done for every save.
                self._plan.known = self._db.execute("SELECT count(*) FROM file").get
        return self._sort_plan()

    def _sort_plan(self) -> SyncPlan:
        self._plan.changed.sort(key=rank_recency)
        return self._plan

    def _survey_tree(self, start: str) -> None:
        known = self._load_directories(start)
        whole = True
        for listing in walk_directories(self._root, self._prune, start):
            if self._between is not None:
                self._plan.racy.update(path.rpartition("/")[0] for path in self._between())
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
            if self._is_enough():
                return
        if whole:
            self._leave(id_ for id_, _ in known.values())

    def _compare(self, listing: DirectoryListing, directory: int) -> None:
        rows = self._db.execute("SELECT path, id, mtime, size, ino, ctime, etag FROM file WHERE dir=?", (directory,))
        held = {row[0]: row[1:] for row in rows} if directory else {}
        # A memory that moved to another directory row is found by its path all the same.
        names: dict[str, os.stat_result] | None = None
        for path, status in listing.files():
            role = resolve_file_role(self._layout, self._home, path)
            if role is None:
                continue
            now = build_file_state(path, status, role)
            if not role.limit:
                names = names or dict(zip(listing.names, listing.statuses, strict=True))
                now = _add_log_stamp(now, names.get(f"{path.rpartition('/')[2]}-wal"))
            self._weigh(now, held.pop(path, None))
            if self._is_enough():
                return
        self._plan.removed += [row[0] for row in held.values()]

    def _is_enough(self) -> bool:
        return self._enough is not None and len(self._plan.changed) > self._enough

    def _weigh(self, now: FoundFile, held: tuple[object, ...] | None) -> None:
        if held is None:
            self._plan.changed.append(FileChange(now, 0, None))
        elif held[1:5] != now[1:5]:
            self._plan.changed.append(FileChange(now, held[0], held[5]))  # type: ignore[arg-type]

    def _survey_path(self, reader: HomeReader, path: str) -> None:
        try:
            parts = split_home_path(path)
        except OutsideError:
            return
        above = ["/".join(parts[:end]) for end in range(1, len(parts))]
        if any(is_never_entered(part) for part in parts) or any(self._prune(directory) for directory in above):
            return
        held = self._db.execute(
            "SELECT id, mtime, size, ino, ctime, etag FROM file WHERE path=?", (path,)
        ).get if _is_storable(path) else None  # fmt: skip
        try:
            status = reader.status(path)
        except (FileNotFoundError, OutsideError):
            if held is not None:
                self._plan.removed.append(held[0])
            self._leave(id_ for id_, _ in self._load_directories(path).values())
            return
        except MemtuiError:
            return
        fit = stat.S_ISREG(status.st_mode) and _is_storable(path)
        role = resolve_file_role(self._layout, self._home, path) if fit else None
        if role is not None:
            now = build_file_state(path, status, role)
            if not role.limit:
                try:
                    now = _add_log_stamp(now, reader.status(f"{path}-wal"))
                except (OSError, MemtuiError):
                    now = _add_log_stamp(now, None)
            self._weigh(now, held)
        elif held is not None:
            self._plan.removed.append(held[0])
        if not stat.S_ISDIR(status.st_mode):
            if held is None:
                # It may stand where a directory was.
                self._leave(id_ for id_, _ in self._load_directories(path).values())
        elif not self._prune(path):
            try:
                self._survey_tree(path)
            except OSError:
                return

    def _load_directories(self, start: str) -> dict[str, tuple[int, int | None]]:
        if not start:
            rows = self._db.execute("SELECT path, id, signature FROM dir")
        elif _is_storable(start):
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


def explain_unlisted(home: Path, error: OSError) -> UnavailableError:
    """What is raised where a home cannot be listed."""
    told = _("{place} cannot be listed: {why}")
    return UnavailableError(told.format(place=home, why=(error.strerror or "").lower()))


def find_likeliest_files(home: Path, layout: Layout) -> tuple[list[FileChange], int]:
    """The few files that a person most likely looks for: what is always known of them, then the newest.

    Also how many files there are, or at least are seen within `HASTE`. For an index that holds nothing yet.
    """
    until = time.monotonic() + HASTE
    root = os.fspath(home)
    seen: list[tuple[bool, int, str, os.stat_result]] = []
    # The directories that changed last come first, and those near the top before what is below them.
    waiting: list[tuple[int, int, str]] = [(0, 0, "")]
    while waiting and time.monotonic() < until:
        depth, _, path = heapq.heappop(waiting)
        prefix = f"{path}/" if path else ""
        try:
            with os.scandir(os.path.join(root, path)) as found:
                # Among a great many files those that have a name of their own have a short one: SOUL.md.
                entries = sorted(islice(found, _LISTED), key=lambda entry: len(entry.name))
                for number, entry in enumerate(entries):
                    if number % 256 == 255 and time.monotonic() > until:
                        waiting.append((depth, 0, path))
                        break
                    name = prefix + entry.name
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode):
                        near = number < _NEAR[depth] and _is_top_layer(layout, home, name)
                        seen.append((near, status.st_mtime_ns, name, status))
                    elif entry.is_dir(follow_symlinks=False) and not (
                        is_never_entered(entry.name) or not _is_storable(name) or layout.prune(home, name)
                    ):
                        heapq.heappush(waiting, (min(depth + 1, 2), -status.st_mtime_ns, name))
        except OSError:
            continue
    changes: list[FileChange] = []
    for *_, path, status in heapq.nlargest(8 * FIRST, seen, key=lambda one: one[:2]):
        role = resolve_file_role(layout, home, path) if status.st_size <= _SMALL and _is_storable(path) else None
        if role is not None and len(changes) < FIRST:
            changes.append(FileChange(build_file_state(path, status, role), 0, None))
    return changes, len(seen)


def _is_top_layer(layout: Layout, home: Path, path: str) -> bool:
    role = resolve_file_role(layout, home, path) if _is_storable(path) else None
    return role is not None and role.layer in {Layer.PROFILE, Layer.CORE}


def resolve_file_role(layout: Layout, home: Path, path: str) -> Role | None:
    """What a file is in its home; None: no memory."""
    try:
        return layout.role(home, path)
    except (TypeError, ValueError, LookupError, AttributeError):
        # A name that a layout did not reckon with is that one file's trouble, not the home's.
        return None


def _add_log_stamp(now: FoundFile, log: os.stat_result | None) -> FoundFile:
    if log is None:
        return now
    return now._replace(
        mtime_ns=max(now.mtime_ns, log.st_mtime_ns),
        size=now.size + log.st_size,
        # Not the log's change time: SQLite gives it to its owner again whenever root opens it.
        ctime_ns=max(now.ctime_ns, log.st_mtime_ns),
    )


def _is_storable(path: str) -> bool:
    return path.isascii() or not any("\ud800" <= char <= "\udfff" for char in path)


def rank_recency(change: FileChange) -> tuple[int, int, int, bytes]:
    """The minute in which a file was last about something: of the date in its name, or earlier when it was changed
    before that. Within one minute, which a checkout gives to all files: records of what happened before what is
    planned, that before what is known, and rules last; then deep paths first, then paths backwards. Lists show the
    last first.
    """
    path, changed = change.found.path, change.found.mtime_ns
    match = _DATE.search(path, path.rfind("/") + 1)
    about = changed if match is None else min(changed, _end_of_day(*match.groups()))
    backwards = path.encode("utf-8", "surrogatepass").translate(_BACKWARDS) + b"\xff"
    return about // _MINUTE, _WORTH.get(change.found.role.kind, 2), -path.count("/"), backwards


_WORTH = {
    **dict.fromkeys(("event", "log", "session", "archive"), 0),
    **dict.fromkeys(("todo", "plan", "reference"), 1),
    **dict.fromkeys(("user", "feedback", "rule", "pref", "lesson", "decision", "correction"), 3),
}
"""By the default kind of a file's entries; all others are 2."""


@lru_cache(maxsize=4096)
def _end_of_day(year: str, month: str, day: str) -> int:
    import calendar

    return calendar.timegm((int(year), max(1, min(12, int(month))), int(day) or 1, 23, 59, 59)) * 1_000_000_000

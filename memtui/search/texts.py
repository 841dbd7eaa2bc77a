"""The candidates' texts, read from the home's files: what is shown is what stands there.

Lines of text files are cut out by the index's byte offsets; records of other files are parsed. A file that is no
longer as the index knew it is named as changed instead, and the caller scans it.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from memtui.disk.files import Reader
from memtui.errors import MemtuiError
from memtui.layouts import layout
from memtui.parse import parse
from memtui.parse.source import WHOLE, Role, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Self

    from memtui.model import Entry, Home, Parsed
    from memtui.search.candidate import Candidate

    Turn = Callable[[Candidate], int]

KEPT_BYTES = 8 << 20
KEPT_PARSED = 64
KEPT_LETTERS = 16 << 20


class Place(NamedTuple):
    """Where the index says that a candidate stands. `start` None: its file must be parsed."""

    candidate: Candidate
    start: int | None
    size: int | None
    mtime_ns: int
    file_size: int


class Texts:
    """Reads one home's memories, remembering the files last read. For any thread; close it in the end."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._reader: Reader | None = None
        self._lock = threading.Lock()
        self._files: OrderedDict[str, tuple[int, int, bytes]] = OrderedDict()
        self._held = 0
        self._parsed: OrderedDict[str, tuple[tuple[int, int], Parsed]] = OrderedDict()
        self._letters = 0
        self._roles: dict[str, Role | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of directories and texts; reading again is allowed."""
        with self._lock:
            if self._reader is not None:
                self._reader.close()
                self._reader = None
            self._files.clear()
            self._parsed.clear()
            self._held = self._letters = 0

    def fill(self, places: Iterable[Place], turn: Turn) -> list[str]:
        """Give the candidates their texts. Answers the paths of files that changed or cannot be read any more.

        `turn` tells which of several records on the same lines a candidate is.
        """
        changed: dict[str, None] = {}
        with self._lock:
            for place in places:
                if place.candidate.path in changed:
                    continue
                try:
                    filled = self._fill(place, turn)
                except (MemtuiError, OSError):
                    filled = False
                if filled:
                    place.candidate.trim()
                else:
                    changed[place.candidate.path] = None
        return list(changed)

    def titled(self, candidate: Candidate, turn: Turn) -> bool:
        """Add the title that only the parsed file tells to the candidate's headings; False: it has none."""
        with self._lock:
            try:
                found = self._entry(candidate, turn)
            except (MemtuiError, OSError):
                return False
        if found is None or not found[0].title:
            return False
        candidate.heading = f"{candidate.heading}\x1f{found[0].title}"
        return True

    def role(self, path: str) -> Role | None:
        """What the file is in its home."""
        if path not in self._roles:
            if len(self._roles) > 50_000:
                self._roles.clear()
            self._roles[path] = layout(self.home.layout).role(self.home.path, path)
        return self._roles[path]

    def _fill(self, place: Place, turn: Turn) -> bool:
        candidate, start, size, mtime_ns, file_size = place
        path = candidate.path
        if start is not None and size is not None and path.endswith((".md", ".markdown", ".txt")):
            held = self._bytes(path, start + size)
            if held is None or held[0] != mtime_ns or held[1] != file_size:
                return False
            candidate.prose = True
            candidate.fill(held[2][start : start + size].decode("utf-8", "surrogateescape"), None)
            return True
        role = self.role(path)
        if role is None or self._stamp(path, role) != (mtime_ns, file_size):
            return False
        found = self._record(path, start, size) if path.endswith(".jsonl") else None
        if found is None:
            found = self._entry(candidate, turn)
        if found is None:
            return False
        entry, lines = found
        candidate.prose = entry.search is None
        candidate.fill(lines if entry.search is None else entry.text, entry.search)
        return True

    def _record(self, path: str, start: int | None, size: int | None) -> tuple[Entry, str] | None:
        """One line of a JSONL file, parsed by itself: such a file may be long, and each line stands alone."""
        role = self.role(path)
        if role is None or start is None or size is None or role.limit < WHOLE:
            return None
        held = self._bytes(path, start + size)
        if held is None:
            return None
        data = held[2][start : start + size]
        if b"\n" in data:
            return None
        parsed = parse(Source(path, role, data, modified=held[0] / 1e9, size=len(data)))
        return (parsed.entries[0], parsed.text) if len(parsed.entries) == 1 else None

    def _entry(self, candidate: Candidate, turn: Turn) -> tuple[Entry, str] | None:
        parsed = self._whole(candidate.path)
        if parsed is None:
            return None
        same = [
            entry for entry in parsed.entries if entry.start == candidate.line and entry.end == candidate.last
        ]
        number = turn(candidate) if len(same) > 1 else 0
        if number >= len(same):
            return None
        entry = same[number]
        if entry.search is not None:
            return entry, entry.text
        return entry, "\n".join(parsed.text.split("\n")[entry.start - 1 : entry.end])

    def _whole(self, path: str) -> Parsed | None:
        role = self.role(path)
        if role is None:
            return None
        stamp = self._stamp(path, role)
        held = self._parsed.get(path)
        if held is not None:
            if held[0] == stamp:
                self._parsed.move_to_end(path)
                return held[1]
            self._letters -= len(self._parsed.pop(path)[1].text)
        parsed = read_parsed(self._ready(), path, role)
        self._parsed[path] = (stamp, parsed)
        self._letters += len(parsed.text)
        while len(self._parsed) > KEPT_PARSED or (self._letters > KEPT_LETTERS and len(self._parsed) > 1):
            self._letters -= len(self._parsed.popitem(last=False)[1][1].text)
        return parsed

    def _stamp(self, path: str, role: Role) -> tuple[int, int]:
        """The file's time of change (ns) and size, as the index keeps them: a database's log counts with it."""
        reader = self._ready()
        status = reader.status(path)
        if not role.limit:
            with suppress(MemtuiError, OSError):
                log = reader.status(f"{path}-wal")
                return max(status.st_mtime_ns, log.st_mtime_ns), status.st_size + log.st_size
        return status.st_mtime_ns, status.st_size

    def _bytes(self, path: str, end: int) -> tuple[int, int, bytes] | None:
        """(mtime, size, at least the first `end` bytes) of a file as it is now."""
        reader = self._ready()
        held = self._files.get(path)
        if held is not None and (len(held[2]) >= end or len(held[2]) == held[1]):
            # Nothing is read by this name, so it need not be walked to part by part.
            status = os.stat(f"{reader.root}/{path}", follow_symlinks=False)
            if status.st_mtime_ns == held[0] and status.st_size == held[1]:
                return held
        if held is not None:
            self._held -= len(self._files.pop(path)[2])
        # Most files are small: the next candidate is often from the same one.
        data, status = reader.read(path, max(end, 1 << 16))
        found = self._files[path] = (status.st_mtime_ns, status.st_size, data)
        self._held += len(data)
        while self._held > KEPT_BYTES and len(self._files) > 1:
            self._held -= len(self._files.popitem(last=False)[1][2])
        return found

    def _ready(self) -> Reader:
        if self._reader is None:
            self._reader = Reader(self.home.path, keep=256)
        return self._reader


def read_parsed(reader: Reader, path: str, role: Role, data: bytes | None = None) -> Parsed:
    """One file, read and parsed as its role says. Raises what `Reader.read` raises."""
    if not role.limit:
        status = reader.status(path)
        file = f"{reader.root}/{path}"
        return parse(Source(path, role, b"", file, status.st_mtime, status.st_size))
    if data is None:
        data, status = reader.read(path, role.limit)
        return parse(Source(path, role, data, f"{reader.root}/{path}", status.st_mtime, status.st_size))
    return parse(Source(path, role, data, f"{reader.root}/{path}", 0.0, len(data)))

"""Files of a home as they were last parsed, so that a screenful of rows costs a handful of reads.

The index holds places, never text: what is shown is parsed from the file there and then, and remembered while
the file stays what it was.
"""

from __future__ import annotations

import os
import threading
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from zlib import crc32

from memtui.core import clock
from memtui.core.errors import UnavailableError, describe_os_error
from memtui.core.locale import _
from memtui.core.model import DATABASES, PERISHABLE, Memory, Status, values
from memtui.core.startup import TYPE_CHECKING, NamedTuple, Protocol, overload
from memtui.core.text import derive_opening_name
from memtui.formats import AFTERWARDS, Source, mask_text_secrets, parse
from memtui.fs.files import compute_etag, read, split_home_path

if TYPE_CHECKING:
    from memtui.core.model import Filter, Home, Layer, Order, Parsed
    from memtui.index.filters import IndexRow
    from memtui.layouts import Layout
    from memtui.search.texts import SearchTarget

_KEPT = 256
"""Parsed files that are remembered: several screens of rows, each from a file of its own."""

_KEPT_BYTES = 24 << 20
"""Bytes of text in all of them."""


class Excerpt(NamedTuple):
    """Some lines of one file (spec 001 §5.2). A missing file gives empty text."""

    path: str
    from_: int
    lines: int
    text: str
    total: int
    """Lines in the whole file, so that a cut is never silent."""

    @classmethod
    def cut(cls, path: str, text: str, from_: int, lines: int) -> Excerpt:
        """These lines of the text, counted from 1."""
        every = text.removesuffix("\n").split("\n") if text else []
        part = every[from_ - 1 : from_ - 1 + lines]
        # Half a line's end is nobody's text.
        return cls(path, from_, len(part), "\n".join(line.removesuffix("\r") for line in part), len(every))


class Reading:
    """One file as it was parsed, its memories made when asked for."""

    __slots__ = ("_home", "_ids", "_layer", "_path", "_places", "etag", "parsed", "signature", "size")

    def __init__(
        self, home: Home, path: str, layer: Layer, data: bytes, parsed: Parsed, signature: tuple[int, ...]
    ) -> None:
        self._home = home
        self._path = path
        self._layer = layer
        self.parsed = parsed
        self.signature = signature
        self.etag = compute_etag(data or parsed.text.encode("utf-8", "surrogatepass"))
        self.size = len(data) or len(parsed.text)
        self._ids: list[str] = []
        self._places: dict[tuple[int, int], list[int]] = {}
        self._name(data or parsed.text.encode("utf-8", "surrogatepass"))

    def _name(self, data: bytes) -> None:
        lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        where = _compute_home_prefix(self._home, self._path)
        seen: dict[int, int] = {}
        for number, entry in enumerate(self.parsed.entries):
            crc = crc32(b"\n".join(lines[entry.start - 1 : entry.end]))
            again = seen[crc] = seen.get(crc, -1) + 1
            self._ids.append(f"{where:08x}{crc:08x}" + (f"-{again}" if again else ""))
            self._places.setdefault((entry.start, entry.end), []).append(number)

    def memory(self, number: int) -> Memory:
        """The memory of the entry with that number, in its place."""
        entry = self.parsed.entries[number]
        memory = Memory(*values(entry))
        memory.home, memory.path = str(self._home.path), self._path
        memory.etag, memory.id, memory.modified = self.etag, self._ids[number], self.signature[2] / 1e9
        memory.layer = memory.layer or self._layer
        if memory.expires is not None and memory.expires <= clock.now() and memory.status in PERISHABLE:
            memory.status = Status.EXPIRED
        return memory

    def of(self, row: IndexRow, among: list[IndexRow]) -> Memory | None:
        """The memory that a row of the index stands for; None: the file has moved on.

        `among` are the rows of the same file that stand on the same lines (several records on one line).
        """
        numbers = self._places.get((row.line, row.last), [])
        turn = next((turn for turn, other in enumerate(among) if other.id == row.id), 0)
        if turn >= len(numbers):
            return None
        return self.memory(numbers[turn])

    def on(self, start: int, end: int, turn: int = 0) -> Memory | None:
        """The memory on exactly these lines, of several the one whose turn it is; None: the file has moved on."""
        numbers = self._places.get((start, end), [])
        return self.memory(numbers[turn]) if turn < len(numbers) else None

    def by_id(self, id: str) -> Memory | None:
        """The memory with that id, if it is still here."""
        return self.memory(self._ids.index(id)) if id in self._ids else None

    def called(self, name: str) -> Memory | None:
        """The memory that begins so; one that holds before one that does not."""
        alike = [n for n, entry in enumerate(self.parsed.entries) if derive_opening_name(entry.text) == name]
        alike.sort(key=lambda n: self.parsed.entries[n].status is not Status.ACTIVE)
        return self.memory(alike[0]) if alike else None

    def crowded(self, row: IndexRow) -> bool:
        """Whether other entries stand on exactly the same lines."""
        return len(self._places.get((row.line, row.last), [])) > 1


class Readings:
    """The files of one home, parsed when asked for and remembered while they stay what they were."""

    def __init__(self, home: Home, layout: Layout, find_bare: Callable[[str], str | None]) -> None:
        """`find_bare` answers the etag of a file's bytes in which no secret stands, as far as it is known."""
        self._home = home
        self._layout = layout
        self._find_bare = find_bare
        self._kept: OrderedDict[str, Reading] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def prefix(self, path: str) -> str:
        """How the ids of this file's memories begin."""
        return f"{_compute_home_prefix(self._home, path):08x}"

    def called(self, path: str, name: str) -> Memory | None:
        """The memory of a file that begins so; None where there is none, or no such file."""
        reading = self.get(path) if path and name else None
        return None if reading is None else reading.called(name)

    def get(self, path: str, bare: str | None = None) -> Reading | None:
        """The file as it stands now; None if it is gone or no memory file. Raises OutsideError, UnavailableError.

        `bare`: the etag of bytes in which no secret stands, where somebody has asked the index for it.
        """
        role = self._layout.role(self._home.path, "/".join(split_home_path(path)))
        if role is None:
            return None
        file = os.path.join(self._home.path, path)
        signature = _sign_database(file)
        with self._lock:
            kept = self._kept.get(path)
            if kept is not None and kept.signature == signature:
                self._kept.move_to_end(path)
                return kept
        try:
            data, status = read(self._home.path, path, role.limit) if role.limit else (b"", os.lstat(file))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UnavailableError(
                _("{path} cannot be read: {reason}").format(path=path, reason=describe_os_error(error))
            ) from error
        bare = self._find_bare(path) if bare is None else bare
        # To look for secrets takes as long as all the rest.
        hidden = not bare or role.parser in AFTERWARDS or compute_etag(data) != bare
        source = Source(path, role, data, file, status.st_mtime, status.st_size, masked=hidden)
        parsed = parse(source)
        if role.parser in AFTERWARDS:
            # A transcript's own text is looked through only here, where somebody reads it.
            parsed = parsed._replace(text=mask_text_secrets(parsed.text))
        reading = Reading(self._home, path, role.layer, data, parsed, signature)
        self._keep(path, reading)
        return reading

    def _keep(self, path: str, reading: Reading) -> None:
        with self._lock:
            before = self._kept.pop(path, None)
            self._bytes += reading.size - (before.size if before else 0)
            self._kept[path] = reading
            while len(self._kept) > _KEPT or (self._bytes > _KEPT_BYTES and len(self._kept) > 1):
                self._bytes -= self._kept.popitem(last=False)[1].size


def _compute_home_prefix(home: Home, path: str) -> int:
    return _prefix(str(home.path), path)


def matches_file_id(home: str, path: str, id: str) -> bool:
    """Whether an id can be one of that file's memories, by its first half."""
    return id.startswith(f"{_prefix(home, path):08x}")


def _prefix(home: str, path: str) -> int:
    return crc32(os.fsencode(f"{home}\0{path}"))


def _sign_database(file: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for name in (file, f"{file}-wal"):
        try:
            status = os.lstat(name)
        except OSError:
            numbers += (0, 0, 0, 0)
            continue
        # SQLite gives a log to its owner again whenever root opens it: its change time says nothing of what is in it.
        changed = status.st_ctime_ns if name == file else 0
        numbers += (status.st_ino, status.st_size, status.st_mtime_ns, changed)
        if not file.endswith(DATABASES):
            break
    return tuple(numbers)


class MemoryRef(NamedTuple):
    """A memory by its place in the indexes; good until the next generation of its home."""

    home: int
    """The number of its home in the vault."""
    row: int


class Refs(Sequence[MemoryRef]):
    """Many references, in order."""

    __slots__ = ("_homes", "_rows")

    def __init__(self, homes: array[int], rows: array[int]) -> None:
        self._homes = homes
        self._rows = rows

    @classmethod
    def of_home(cls, home: int, rows: Iterable[int]) -> Refs:
        """The references of one home's rows."""
        held = array("q", rows)
        return cls(array("H", [home]) * len(held), held)

    @classmethod
    def joined(cls, parts: Iterable[Refs]) -> Refs:
        """One list after the other."""
        homes, rows = array("H"), array("q")
        for part in parts:
            homes.extend(part._homes)
            rows.extend(part._rows)
        return cls(homes, rows)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> MemoryRef: ...
    @overload
    def __getitem__(self, at: slice) -> Refs: ...
    def __getitem__(self, at: int | slice) -> MemoryRef | Refs:
        if isinstance(at, slice):
            return Refs(self._homes[at], self._rows[at])
        return MemoryRef(self._homes[at], self._rows[at])


class Listed(Protocol):
    """Homes whose memories are listed."""

    @property
    def homes(self) -> tuple[Home, ...]:
        """The homes that are open."""

    def ids(self, filter: Filter | None = None, order: Order = "recent") -> Refs:
        """References to every memory that passes, in order."""

    def load(self, refs: Iterable[MemoryRef]) -> list[Memory | None]:
        """The memories behind the references."""

    def targets(self, wanted: Filter) -> list[SearchTarget]:
        """The homes that a filter lets through, as a search needs them."""

"""Where vectors belong: which row of the store each entry of one index file has.

`VectorTable` is the table as it is on disk, written whole and put in place in one step. Entries stand in the
order of their files and lines, so that a neighbour is the next row; the products of neighbouring vectors, which
smoothing needs besides the scores, are kept in it, so that no query touches a vector twice. `Entries` is what
the index says at one moment, from which the table is made.
"""

from __future__ import annotations

import os
import zlib
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from memtui.fs.folder import translate_os_error
from memtui.index.schema import translate_decode_errors
from memtui.vectors import vector_files
from memtui.vectors.vector_files import PROSE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from memtui.index.queries import Index
    from memtui.vectors.vector_files import Names
    from memtui.vectors.vector_store import Store

ENTRY = np.dtype(
    [
        ("id", "<i8"),
        ("crc", "<i4"),
        ("mark", "<u4"),
        ("row", "<i4"),
        ("next", "<f4"),
        ("after", "<f4"),
        ("layer", "u1"),
        ("traits", "u1"),
        ("joined", "u1"),
        ("part", "u1"),
    ]
)
"""One entry with a vector. `mark`: what besides its own bytes decides what it means; `joined`: it and the next one are
neighbours, the product of whose vectors is `next`; `after`: of its vector and the one after the next; `part`: of the
key of its row, so that a row that is another text's by now is not believed."""

EMPTY = np.dtype([("id", "<i8"), ("crc", "<i4"), ("mark", "<u4")])
"""One entry that holds nothing to make a vector of."""


class VectorTable(NamedTuple):
    """The table, as it was read or is to be written."""

    index_name: str
    """The name of the index file whose ids these are."""
    generation: int
    """Of that index, then."""
    title: str
    """The model's name for a person."""
    version: str
    """Of what texts were made of entries."""
    rows_file: str
    dimensions: int
    rows: int
    """Rows that the file of rows had then."""
    entries: NDArray[Any]
    scales: NDArray[np.float32]
    """Of every row."""
    by_id: NDArray[np.int32]
    """The entries' places, in the order of their ids."""
    nothing: NDArray[Any]

    def write(self, names: Names) -> None:
        """Put it in place of the one before. Raises OSError."""
        parts = [np.ascontiguousarray(part) for part in (self.entries, self.scales, self.by_id, self.nothing)]
        crc = 0
        for part in parts:
            crc = zlib.crc32(part.tobytes(), crc)
        header = vector_files.block(
            {
                "kind": vector_files.PLACED,
                "model": names.digest,
                "index": self.index_name,
                "generation": self.generation,
                "title": self.title[:80],
                "version": self.version,
                "rows_file": self.rows_file,
                "dimensions": self.dimensions,
                "rows": self.rows,
                "count": len(self.entries),
                "nothing": len(self.nothing),
                "crc": crc,
            }
        )
        temporary = names.fresh("new")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(header)
                for part in parts:
                    file.write(part.tobytes())
            os.replace(temporary, names.placed)
        except BaseException:
            os.unlink(temporary)
            raise


def find_valid_entries(entries: NDArray[Any], records: NDArray[Any], sound: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which entries' rows are whole, and are still the rows of their texts."""
    at = entries["row"]
    found: NDArray[np.bool_] = sound[at] & (extract_key_bytes(records, at) == entries["part"])
    return found


def extract_key_bytes(records: NDArray[Any], at: NDArray[Any]) -> NDArray[np.uint8]:
    """A byte of the key of each of these rows."""
    found: NDArray[np.uint8] = (records["key"][at, 1] >> np.uint64(56)).astype(np.uint8)
    return found


def read(names: Names) -> VectorTable | None:
    """The table of a model; None: there is none, or it is damaged."""
    descriptor = vector_files.open_regular_file(names.placed)
    if descriptor is None:
        return None
    try:
        with os.fdopen(descriptor, "rb") as file:
            values = vector_files.decode_vector_header(file.read(vector_files.HEADER))
            if values is None or values.get("kind") != vector_files.PLACED or values.get("model") != names.digest:
                return None
            return _read(file.fileno(), file.readinto, values)
    except (OSError, ValueError):
        return None


def _read(descriptor: int, readinto: Any, values: dict[str, Any]) -> VectorTable | None:
    count, nothing, rows = (vector_files.number(values, key) for key in ("count", "nothing", "rows"))
    text = [values.get(key) for key in ("index", "version", "rows_file")]
    if not all(isinstance(one, str) for one in text):
        return None
    size = count * (ENTRY.itemsize + 4) + rows * 4 + nothing * EMPTY.itemsize
    # What a header says is not believed before the file is as long.
    if os.fstat(descriptor).st_size != vector_files.HEADER + size:
        return None
    data = np.empty(size, np.uint8)
    if readinto(data) != size or zlib.crc32(data.data) != values.get("crc"):
        return None
    ends = np.cumsum([count * ENTRY.itemsize, rows * 4, count * 4])
    entries, scales, by_id, rest = (
        part.view(kind) for part, kind in zip(np.split(data, ends), (ENTRY, np.float32, np.int32, EMPTY), strict=True)
    )
    if count and not (entries["row"].min() >= 0 and entries["row"].max() < rows):
        return None
    if count and not (by_id.min() >= 0 and by_id.max() < count):
        return None
    if not all(np.isfinite(part).all() for part in (scales, entries["next"], entries["after"])):
        return None
    return VectorTable(
        str(text[0]),
        vector_files.number(values, "generation", 1 << 62),
        str(values.get("title", "")),
        str(text[1]),
        str(text[2]),
        vector_files.number(values, "dimensions", vector_files.WIDEST),
        rows,
        entries,
        scales,
        by_id,
        rest,
    )


GAP = 2
"""Lines that two neighbours may be apart: one blank line between them."""

UNKNOWN, NOTHING = -2, -1
"""In place of a row: not looked at yet; nothing to make a vector of."""

_NEVER = -(1 << 62)
_SQL = (
    "SELECT id, file, line, last, layer, coalesce(heading, -1), crc, coalesce(ts, ?), kind FROM entry"
    " ORDER BY file, line, id"
)
_COLUMNS = ("id", "file", "line", "last", "layer", "heading", "crc", "ts", "kind")
_CHUNK = 10_000
_SOME = 4096


class Entries:
    """The entries in the order of files and lines; what `index` says of them at one moment."""

    def __init__(self, index: Index, version: str) -> None:
        """`version`: of what texts are made of entries. Raises StaleIndexError."""
        self.version = version
        self.title = ""
        """The model's name for a person, once it is known."""
        self.index_name = index.path.name
        with translate_decode_errors(), index.still():
            self.generation = index.generation()
            cursor = index.db.execute(_SQL, (_NEVER,))
            chunks = []
            while chunk := list(islice(cursor, _CHUNK)):
                chunks.append(np.array(chunk, np.int64))
            paths = [
                (id_, zlib.crc32(path.encode("utf-8", "replace")))
                for id_, path in index.db.execute("SELECT id, path FROM file")
            ]
        table = np.concatenate(chunks) if chunks else np.empty((0, len(_COLUMNS)), np.int64)
        self._column = {name: np.ascontiguousarray(table[:, at]) for at, name in enumerate(_COLUMNS)}
        self.ids = self._column["id"]
        self._marks = self._compute_marks(paths)
        self._rows = np.full(len(table), UNKNOWN, np.int64)
        self._traits = np.zeros(len(table), np.uint8)
        self._products = np.full((2, len(table)), np.nan, np.float32)
        self._sorted = np.argsort(self.ids, kind="stable")
        self._ascending = self.ids[self._sorted]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def done(self) -> int:
        """How many have a row, or nothing to make a vector of."""
        return int((self._rows != UNKNOWN).sum())

    def adopt(self, store: Store) -> bool:
        """Take over what the placed table knows of entries that are what they were.

        Whether that table is as it would be written now, if nothing is made.
        """
        table = read(store.names)
        self.title = "" if table is None else table.title
        if table is None or (table.index_name, table.version) != (self.index_name, self.version):
            return False
        self._take(table.nothing, np.full(len(table.nothing), NOTHING), np.zeros(len(table.nothing), np.uint8))
        if not len(table.entries):
            return table.generation == self.generation
        if store.file is None or table.rows_file != store.file.name or table.rows > store.count:
            return False
        rows = table.entries["row"].astype(np.int64)
        known = np.ones(store.count, np.bool_)
        known[: len(store.sound)] = store.sound
        sound = find_valid_entries(table.entries, store.records(), known)
        some = table.entries[sound]
        self._take(some, rows[sound], some["traits"])
        return table.generation == self.generation and bool(sound.all())

    def missing(self) -> list[int]:
        """The ids of those that were not looked at yet, the newest first."""
        found: list[int] = np.sort(self.ids[self._rows == UNKNOWN])[::-1].tolist()
        return found

    def same(self, id_: int, crc: int, heading: int | None, ts: int | None, kind: int) -> bool:
        """Whether an entry is still what it was at the moment of this list."""
        at = self._place(id_)
        column = self._column
        now = (crc, -1 if heading is None else heading, _NEVER if ts is None else ts, kind)
        return at >= 0 and now == tuple(int(column[name][at]) for name in ("crc", "heading", "ts", "kind"))

    def settle(self, ids: Sequence[int], rows: Sequence[int], traits: Sequence[int]) -> None:
        """Note the rows of these entries, or NOTHING, and their traits."""
        at = self._sorted[np.searchsorted(self._ascending, ids)]
        self._rows[at] = rows
        self._traits[at] = traits

    def forget(self) -> bool:
        """The rows that entries had are gone, all of them. Whether any had one."""
        held = self._rows >= 0
        self._rows[held] = UNKNOWN
        self._products[:] = np.nan
        return bool(held.any())

    def used(self) -> NDArray[np.int64]:
        """The rows that entries have, each once."""
        return np.unique(self._rows[self._rows >= 0])

    def move(self, kept: NDArray[np.int64]) -> None:
        """The store holds only these rows now, in this order."""
        held = self._rows >= 0
        self._rows[held] = np.searchsorted(kept, self._rows[held])

    def place(self, store: Store) -> None:
        """Write the table, so that searches use what there is. Raises UnavailableError."""
        store.sync()
        records = store.records()
        column = self._column
        known = np.flatnonzero(self._rows >= 0)
        self._multiply(records)
        table = np.zeros(len(known), ENTRY)
        table["id"], table["crc"], table["mark"] = self.ids[known], column["crc"][known], self._marks[known]
        table["row"], table["layer"], table["traits"] = (
            self._rows[known],
            column["layer"][known],
            self._traits[known],
        )
        table["part"] = extract_key_bytes(records, self._rows[known])
        table["next"], table["after"] = np.nan_to_num(self._products[:, known])
        # Neighbours of which only one has a vector yet are none.
        table["joined"] = self._find_joined_neighbours()[known]
        scales = records["scale"].copy()
        # What stands in a damaged row is anything; no entry has it.
        scales[: len(store.sound)][~store.sound] = 0.0
        nothing = np.flatnonzero(self._rows == NOTHING)
        rest = np.zeros(len(nothing), EMPTY)
        rest["id"], rest["crc"], rest["mark"] = (
            self.ids[nothing],
            column["crc"][nothing],
            self._marks[nothing],
        )
        try:
            VectorTable(
                self.index_name,
                self.generation,
                self.title,
                self.version,
                store.file.name if store.file else "",
                store.dimensions,
                store.count,
                table,
                scales,
                np.argsort(table["id"], kind="stable").astype(np.int32),
                rest,
            ).write(store.names)
        except OSError as error:
            raise translate_os_error(error, str(store.names.placed)) from error

    def _find_joined_neighbours(self) -> NDArray[np.bool_]:
        """Which entries and the next one are neighbours that both have a vector."""
        column, held = self._column, (self._rows >= 0) & (self._traits & PROSE > 0)
        joined = np.zeros(len(self), np.bool_)
        if len(self) > 1:
            apart = column["line"][1:] - column["last"][:-1]
            joined[:-1] = held[1:] & held[:-1] & (apart >= 0) & (apart <= GAP)
            joined[:-1] &= column["file"][1:] == column["file"][:-1]
            joined[:-1] &= column["heading"][1:] == column["heading"][:-1]
        return joined

    def _multiply(self, records: NDArray[Any]) -> None:
        """The products of neighbours' vectors, of those that were not known before."""
        joined = self._find_joined_neighbours()
        both = joined.copy()
        both[:-1] &= joined[1:]
        for step, wanted in ((1, joined), (2, both)):
            products = self._products[step - 1]
            new = np.flatnonzero(wanted & np.isnan(products))
            for start in range(0, len(new), _SOME):
                some = new[start : start + _SOME]
                one, two = (records[self._rows[at]] for at in (some, some + step))
                found = np.einsum("ij,ij->i", one["codes"], two["codes"], dtype=np.float32)
                products[some] = found * one["scale"] * two["scale"]

    def _take(self, table: NDArray[Any], rows: NDArray[np.int64], traits: NDArray[np.uint8]) -> None:
        if not len(table) or not len(self):
            return
        at = self._sorted[np.searchsorted(self._ascending, table["id"]).clip(max=len(self) - 1)]
        same = self.ids[at] == table["id"]
        same &= (self._column["crc"][at] == table["crc"]) & (self._marks[at] == table["mark"])
        self._rows[at[same]] = rows[same]
        self._traits[at[same]] = traits[same]

    def _place(self, id_: int) -> int:
        at = int(np.searchsorted(self._ascending, id_))
        if at == len(self):
            return -1
        found = int(self._sorted[at])
        return found if self.ids[found] == id_ else -1

    def _compute_marks(self, paths: list[tuple[int, int]]) -> NDArray[np.uint32]:
        """What besides its own bytes decides what an entry means: where it stands, and when it was.

        Ids are used again, so an id and a checksum alone could be another entry's with the same line.
        """
        if not len(self.ids):
            return np.empty(0, np.uint32)
        files = np.array([*sorted(paths), (1 << 62, 0)], np.int64)
        at = np.searchsorted(files[:, 0], self._column["file"])
        mixed = files[at, 1].astype(np.uint64)
        for name in ("heading", "ts", "kind"):
            mixed = (mixed ^ self._column[name].astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
        marks: NDArray[np.uint32] = (mixed >> np.uint64(32)).astype(np.uint32)
        return marks

"""Where vectors belong: a table of the entries of one index file, written whole and put in place in one step.

Entries stand in the order of their files and lines, so that a neighbour is the next row. What smoothing needs besides
the scores are the products of neighbouring vectors, which are kept here: no query touches a vector twice.
"""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from memtui.vectors import files

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memtui.vectors.files import Names

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


class Placed(NamedTuple):
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
        header = files.block(
            {
                "kind": files.PLACED,
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
        descriptor = os.open(
            temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600
        )
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(header)
                for part in parts:
                    file.write(part.tobytes())
            os.replace(temporary, names.placed)
        except BaseException:
            os.unlink(temporary)
            raise


def believed(entries: NDArray[Any], records: NDArray[Any], sound: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which entries' rows are whole, and are still the rows of their texts."""
    at = entries["row"]
    found: NDArray[np.bool_] = sound[at] & (parts(records, at) == entries["part"])
    return found


def parts(records: NDArray[Any], at: NDArray[Any]) -> NDArray[np.uint8]:
    """A byte of the key of each of these rows."""
    found: NDArray[np.uint8] = (records["key"][at, 1] >> np.uint64(56)).astype(np.uint8)
    return found


def read(names: Names) -> Placed | None:
    """The table of a model; None: there is none, or it is damaged."""
    descriptor = files.opened(names.placed)
    if descriptor is None:
        return None
    try:
        with os.fdopen(descriptor, "rb") as file:
            values = files.said(file.read(files.HEADER))
            if values is None or values.get("kind") != files.PLACED or values.get("model") != names.digest:
                return None
            return _read(file.fileno(), file.readinto, values)
    except (OSError, ValueError):
        return None


def _read(descriptor: int, readinto: Any, values: dict[str, Any]) -> Placed | None:
    count, nothing, rows = (files.number(values, key) for key in ("count", "nothing", "rows"))
    text = [values.get(key) for key in ("index", "version", "rows_file")]
    if not all(isinstance(one, str) for one in text):
        return None
    size = count * (ENTRY.itemsize + 4) + rows * 4 + nothing * EMPTY.itemsize
    # What a header says is not believed before the file is as long.
    if os.fstat(descriptor).st_size != files.HEADER + size:
        return None
    data = np.empty(size, np.uint8)
    if readinto(data) != size or zlib.crc32(data.data) != values.get("crc"):
        return None
    ends = np.cumsum([count * ENTRY.itemsize, rows * 4, count * 4])
    entries, scales, by_id, rest = (
        part.view(kind)
        for part, kind in zip(np.split(data, ends), (ENTRY, np.float32, np.int32, EMPTY), strict=True)
    )
    if count and not (entries["row"].min() >= 0 and entries["row"].max() < rows):
        return None
    if count and not (by_id.min() >= 0 and by_id.max() < count):
        return None
    if not all(np.isfinite(part).all() for part in (scales, entries["next"], entries["after"])):
        return None
    return Placed(
        str(text[0]),
        files.number(values, "generation", 1 << 62),
        str(values.get("title", "")),
        str(text[1]),
        str(text[2]),
        files.number(values, "dimensions", files.WIDEST),
        rows,
        entries,
        scales,
        by_id,
        rest,
    )

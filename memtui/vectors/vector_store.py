"""The rows of vectors: one file a model that is only appended to, by one writer.

A record is the hash of the text (16 bytes), the scale of its numbers, a checksum, and the numbers as one byte
each. Measured on 116 000 × 384, a matrix product over blocks of these costs no more than over float32, which
takes four times the disk, and finds the same.

`Store` is the file as its writer sees it. Whoever opens one holds the lock of the place's vectors. A process
that dies loses at most what it was writing: at the next opening a torn record is cut off, and one whose
checksum fails is not believed.
"""

from __future__ import annotations

import mmap
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from memtui.core.errors import UnavailableError
from memtui.core.locale import _
from memtui.fs.folder import translate_os_error
from memtui.fs.places import make_private_directory
from memtui.vectors import vector_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from memtui.fs.places import Place

KEY = 16
_SEED = np.uint32(0x9E3779B1)
_CHECK = 5
"""Which of a record's words of four bytes the checksum is."""


def record(dimensions: int) -> np.dtype[Any]:
    """How a vector of so many numbers lies in the file."""
    padding = -dimensions % 8
    return np.dtype(
        [
            ("key", "<u8", (2,)),
            ("scale", "<f4"),
            ("check", "<u4"),
            ("codes", "i1", (dimensions,)),
            ("padding", "i1", (padding,)),
        ]
    )


def quantize_vectors(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """One byte a number, and the scales that make the rows unit vectors again."""
    peaks = np.abs(vectors).max(axis=1, keepdims=True)
    codes = np.rint(vectors * (127.0 / np.where(peaks > 0, peaks, 1.0))).astype(np.int8)
    lengths = np.sqrt(np.einsum("ij,ij->i", codes, codes, dtype=np.float32))
    return codes, (1.0 / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def compute_record_checksums(records: NDArray[Any]) -> NDArray[np.uint32]:
    """A checksum for each record, of all that stands in it but the checksum."""
    words = records.view(np.uint32).reshape(len(records), -1)
    weights = _build_weights(words.shape[1])
    found: NDArray[np.uint32] = np.einsum("ij,j->i", words, weights)
    return found


def _build_weights(width: int) -> NDArray[np.uint32]:
    # Odd numbers: whichever word is another, the sum is another.
    weights = (np.arange(1, width + 1, dtype=np.uint32) * _SEED) | np.uint32(1)
    weights[_CHECK] = 0
    return weights


def build_vector_header(model: str, dimensions: int, name: str) -> bytes:
    """What a file of rows begins with. Its own name, too: another home's, put in its place, is not ours."""
    return vector_files.block({"kind": "rows", "model": model, "dimensions": dimensions, "file": name})


def map_records(file: Path, digest: str, least: int = 0) -> NDArray[Any] | None:
    """The records of a file, read as they are needed; None: it is not one of ours, or holds fewer than `least`."""
    descriptor = vector_files.open_regular_file(file)
    if descriptor is None:
        return None
    try:
        values = vector_files.decode_vector_header(os.read(descriptor, vector_files.HEADER))
        if values is None or values.get("kind") != "rows" or values.get("model") != digest:
            return None
        if values.get("file", file.name) != file.name:
            return None
        kind = record(vector_files.number(values, "dimensions", vector_files.WIDEST))
        count = (os.fstat(descriptor).st_size - vector_files.HEADER) // kind.itemsize
        if count < least or count > vector_files.MOST:
            return None
        if not count:
            return np.empty(0, kind)
        # No more than what is whole: what is appended meanwhile is not ours to read.
        size = vector_files.HEADER + count * kind.itemsize
        held = mmap.mmap(descriptor, size, access=mmap.ACCESS_READ)
        return np.frombuffer(held, kind, count, vector_files.HEADER)
    except (OSError, ValueError):
        return None
    finally:
        os.close(descriptor)


def find_whole_records(records: NDArray[Any]) -> NDArray[np.bool_]:
    """Which records are whole."""
    sound = np.empty(len(records), np.bool_)
    for start in range(0, len(records), 2048):
        some = np.ascontiguousarray(records[start : start + 2048])
        sound[start : start + 2048] = compute_record_checksums(some) == some["check"]
    sound &= np.isfinite(records["scale"]) & (records["scale"] > 0)
    return sound


def build_vector_records(keys: list[bytes], vectors: NDArray[np.float32]) -> NDArray[Any]:
    """The records of these vectors."""
    records = np.zeros(len(keys), record(vectors.shape[1]))
    records["key"] = np.frombuffer(b"".join(keys), "<u8").reshape(len(keys), 2)
    records["codes"], records["scale"] = quantize_vectors(vectors)
    records["check"] = compute_record_checksums(records)
    return records


BLOCK = 2048


class Store:
    """The vectors of one model at one place, open for writing. Raises UnavailableError where the disk forbids it."""

    def __init__(self, place: Place, model: str) -> None:
        self.names = vector_files.derive_vector_names(place, model)
        self.file: Path | None = None
        """The file of rows; None until there is a first vector."""
        self.dimensions = 0
        self.count = 0
        """Rows that it holds, the damaged ones with them."""
        self.sound = np.empty(0, np.bool_)
        """Which of the rows that were there at the beginning are as they were written."""
        self._descriptor: int | None = None
        self._unsafe = False
        self._sorted = np.empty(0, np.uint64)
        self._second = np.empty(0, np.uint64)
        self._at = np.empty(0, np.int64)
        self._new: dict[bytes, int] = {}
        self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file. Twice is once."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def find(self, keys: Sequence[bytes]) -> list[int]:
        """The row of each text, by its hash; -1: it has none."""
        if not keys:
            return []
        halves = np.frombuffer(b"".join(keys), "<u8").reshape(len(keys), 2)
        found = np.full(len(keys), -1, np.int64)
        if len(self._sorted):
            places = np.searchsorted(self._sorted, halves[:, 0]).clip(max=len(self._sorted) - 1)
            same = (self._sorted[places] == halves[:, 0]) & (self._second[places] == halves[:, 1])
            found[same] = self._at[places[same]]
        return [self._new.get(key, old) if old < 0 else old for key, old in zip(keys, found.tolist(), strict=True)]

    def add(self, keys: Sequence[bytes], vectors: NDArray[np.float32]) -> list[int]:
        """Append vectors of texts that have none; the rows that they got.

        Vectors of another length begin another file: the rows that there were are gone then, and `file` says so.
        Raises UnavailableError for vectors that are none, and where the disk forbids it: nothing is kept then.
        """
        vectors = np.asarray(vectors, np.float32)
        if vectors.ndim != 2 or len(vectors) != len(keys) or not 0 < vectors.shape[1] <= vector_files.WIDEST:
            raise UnavailableError(_("the model gave back another number of vectors than it got texts"))
        if not np.isfinite(vectors).all():
            raise UnavailableError(_("the model gave back numbers that are none"))
        try:
            if self.file is None or vectors.shape[1] != self.dimensions:
                self._begin(vectors.shape[1])
            self._append(build_vector_records(list(keys), vectors))
        except OSError as error:
            raise translate_os_error(error, str(self.names.directory)) from error
        made = list(range(self.count - len(keys), self.count))
        self._new.update(zip(keys, made, strict=True))
        return made

    def sync(self) -> None:
        """What was added is on the disk when this returns. Raises UnavailableError."""
        if self._descriptor is not None and self._unsafe:
            try:
                os.fsync(self._descriptor)
            except OSError as error:
                raise translate_os_error(error, str(self.file)) from error
            self._unsafe = False

    def records(self) -> NDArray[Any]:
        """All rows, as they stand in the file."""
        found = None if self.file is None else map_records(self.file, self.names.digest, self.count)
        return np.empty(0, record(self.dimensions or 1)) if found is None else found[: self.count]

    def compact(self, kept: NDArray[np.int64]) -> None:
        """Begin a new file with these rows only, in this order. The old one stays until it is tidied away."""
        old = self.records()
        keys = [key.tobytes() for key in old["key"][kept]]
        try:
            self._begin(self.dimensions)
            for start in range(0, len(kept), BLOCK):
                self._append(old[kept[start : start + BLOCK]])
        except OSError as error:
            raise translate_os_error(error, str(self.names.directory)) from error
        self._new = dict(zip(keys, range(len(keys)), strict=True))
        self.sound = np.ones(self.count, np.bool_)

    def _open(self) -> None:
        found = vector_files.read_vector_header(self.names.placed)
        wanted = found[0].get("rows_file") if found else None
        held = self.names.all("rows")
        # Without a placing that says so, the longest file is the one that was written to.
        held.sort(key=lambda file: (file.name == wanted, _measure_file(file)), reverse=True)
        for file in held:
            records = map_records(file, self.names.digest)
            if records is None:
                continue
            descriptor = vector_files.open_regular_file(file, write=True)
            if descriptor is None:
                continue
            self.file, self._descriptor = file, descriptor
            self.dimensions, self.count = records["codes"].shape[1], len(records)
            self._learn(records)
            with suppress(OSError):
                os.ftruncate(descriptor, vector_files.HEADER + self.count * records.dtype.itemsize)
            return

    def _learn(self, records: NDArray[Any]) -> None:
        keys = np.ascontiguousarray(records["key"])
        self.sound = find_whole_records(records)
        sound = np.flatnonzero(self.sound)
        first = keys[sound, 0]
        order = np.argsort(first, kind="stable")
        self._sorted = first[order]
        self._at = sound[order]
        self._second = keys[self._at, 1]
        self._new.clear()

    def _begin(self, dimensions: int) -> None:
        self.close()
        make_private_directory(self.names.directory)
        file = self.names.fresh("rows")
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = os.open(file, flags, 0o600)
        self._unsafe = True
        self.file, self.dimensions, self.count = file, dimensions, 0
        self.sound = self.sound[:0]
        self._sorted, self._second, self._at = self._sorted[:0], self._second[:0], self._at[:0]
        self._new = {}
        self._write(build_vector_header(self.names.digest, dimensions, file.name), 0)

    def _append(self, records: NDArray[Any]) -> None:
        assert self._descriptor is not None
        end = vector_files.HEADER + self.count * records.dtype.itemsize
        try:
            self._write(records.tobytes(), end)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._descriptor, end)
            raise
        self._unsafe = True
        self.count += len(records)

    def _write(self, data: bytes, at: int) -> None:
        assert self._descriptor is not None
        os.lseek(self._descriptor, at, os.SEEK_SET)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]


def _measure_file(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0

"""The rows: vectors as they were made, in one growing file that is only appended to.

A record: the hash of the text (16 bytes), what its numbers are multiplied by, a checksum, the numbers as one byte
each. Measured on 116 000 × 384: a matrix product over blocks of these costs no more than over float32, which takes
four times the disk, and finds the same.
"""

from __future__ import annotations

import mmap
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from memtui.vectors import files

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

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


def quantised(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """One byte a number, and the scales that make the rows unit vectors again."""
    peaks = np.abs(vectors).max(axis=1, keepdims=True)
    codes = np.rint(vectors * (127.0 / np.where(peaks > 0, peaks, 1.0))).astype(np.int8)
    lengths = np.sqrt(np.einsum("ij,ij->i", codes, codes, dtype=np.float32))
    return codes, (1.0 / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def checks(records: NDArray[Any]) -> NDArray[np.uint32]:
    """A checksum for each record, of all that stands in it but the checksum."""
    words = records.view(np.uint32).reshape(len(records), -1)
    weights = _weights(words.shape[1])
    found: NDArray[np.uint32] = np.einsum("ij,j->i", words, weights)
    return found


def _weights(width: int) -> NDArray[np.uint32]:
    # Odd numbers: whichever word is another, the sum is another.
    weights = (np.arange(1, width + 1, dtype=np.uint32) * _SEED) | np.uint32(1)
    weights[_CHECK] = 0
    return weights


def header(model: str, dimensions: int, name: str) -> bytes:
    """What a file of rows begins with. Its own name, too: another home's, put in its place, is not ours."""
    return files.block({"kind": "rows", "model": model, "dimensions": dimensions, "file": name})


def mapped(file: Path, digest: str, least: int = 0) -> NDArray[Any] | None:
    """The records of a file, read as they are needed; None: it is not one of ours, or holds fewer than `least`."""
    descriptor = files.opened(file)
    if descriptor is None:
        return None
    try:
        values = files.said(os.read(descriptor, files.HEADER))
        if values is None or values.get("kind") != "rows" or values.get("model") != digest:
            return None
        if values.get("file", file.name) != file.name:
            return None
        kind = record(files.number(values, "dimensions", files.WIDEST))
        count = (os.fstat(descriptor).st_size - files.HEADER) // kind.itemsize
        if count < least or count > files.MOST:
            return None
        if not count:
            return np.empty(0, kind)
        # No more than what is whole: what is appended meanwhile is not ours to read.
        size = files.HEADER + count * kind.itemsize
        held = mmap.mmap(descriptor, size, access=mmap.ACCESS_READ)
        return np.frombuffer(held, kind, count, files.HEADER)
    except (OSError, ValueError):
        return None
    finally:
        os.close(descriptor)


def checked(records: NDArray[Any]) -> NDArray[np.bool_]:
    """Which records are whole."""
    sound = np.empty(len(records), np.bool_)
    for start in range(0, len(records), 2048):
        some = np.ascontiguousarray(records[start : start + 2048])
        sound[start : start + 2048] = checks(some) == some["check"]
    sound &= np.isfinite(records["scale"]) & (records["scale"] > 0)
    return sound


def made(keys: list[bytes], vectors: NDArray[np.float32]) -> NDArray[Any]:
    """The records of these vectors."""
    records = np.zeros(len(keys), record(vectors.shape[1]))
    records["key"] = np.frombuffer(b"".join(keys), "<u8").reshape(len(keys), 2)
    records["codes"], records["scale"] = quantised(vectors)
    records["check"] = checks(records)
    return records

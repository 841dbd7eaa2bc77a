"""One file taken in: read within its home, parsed as its role says, turned into rows. Nothing it holds can raise."""

from __future__ import annotations

import hashlib
import os
import time
from typing import TYPE_CHECKING

from memtui.errors import MemtuiError
from memtui.index.chunks import clean
from memtui.model import Parsed, Problem
from memtui.parse import parse
from memtui.parse.source import WHOLE, Source
from memtui.record import NamedTuple

if TYPE_CHECKING:
    from memtui.disk.files import Reader
    from memtui.disk.walk import Found
    from memtui.index.chunks import Chunk, Chunker, Words

RACY = 20_000_000
"""Nanoseconds: a file that changed so shortly before it was read may change again without its times showing it."""

_AHEAD = 2_000_000_000


class Taken(NamedTuple):
    """What the index keeps of one file. `chunks` is None where the bytes are those that the index knows already."""

    mtime: int
    size: int
    ino: int
    ctime: int
    etag: bytes
    title: str
    chunks: list[Chunk] | None
    words: list[Words]
    problems: list[tuple[str, int, str]]
    text: str = ""
    """What the words are to be taken from that are not given."""


def take(reader: Reader, found: Found, chunker: Chunker, known: bytes | None = None) -> Taken | None:
    """Read, parse and cut one file; None: it is gone. `known` is the etag under which the index has it."""
    role = found.role
    began = time.time_ns()
    stamp = (found.mtime_ns, found.size, found.ino, found.ctime_ns)
    data = b""
    if role.limit:
        try:
            data, status = reader.read(found.path, role.limit)
        except FileNotFoundError:
            return None
        except MemtuiError as error:
            return Taken(*stamp, b"", "", [], [], [(clean(found.path), 0, str(error))])
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns)
    if -_AHEAD < began - max(stamp[0], stamp[3]) < RACY:
        # No file has a negative time of change, so the next scan will not take this one for unchanged.
        stamp = (*stamp[:3], -1)
    etag = hashlib.sha256(data).digest()[:16]
    whole = role.limit > 0 and stamp[1] <= len(data)
    if whole and etag == known:
        return Taken(*stamp, etag, "", None, [], [])
    file = os.path.join(reader.root, found.path.replace("/", os.sep))
    source = Source(found.path, role, data, file, stamp[0] / 1e9, stamp[1], masked=True)
    parsed = _parsed(source)
    if not role.limit:
        etag = hashlib.sha256(parsed.text.encode("utf-8", "surrogatepass")).digest()[:16]
        if etag == known:
            return Taken(*stamp, etag, "", None, [], [])
    try:
        chunks, texts = chunker.chunks(source, parsed)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        chunks, texts = [], []
        parsed.problems.append(Problem(found.path, 0, f"could not be indexed: {error}"))
    problems = [(clean(path), line, clean(reason)) for path, line, reason in parsed.problems]
    if not whole and role.limit >= WHOLE:
        problems.append((clean(found.path), 0, f"only the first {role.limit >> 20} MB were read"))
    return Taken(*stamp, etag, clean(parsed.title), chunks, texts, problems, parsed.text if chunks else "")


def _parsed(source: Source) -> Parsed:
    try:
        return parse(source)
    except Exception as error:  # one file must not keep ten thousand from being found
        return Parsed(source.text, [], [Problem(source.path, 0, f"could not be read: {error}")])

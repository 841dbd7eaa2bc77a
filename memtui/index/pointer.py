"""Which index file of a place is the current one, and how another takes its place.

A new index is a new file with a name that was never used; a pointer file, replaced in one step, says which counts.
Nothing is renamed over or removed under somebody who has it open (T24); only files that we named and that carry our
mark in their header are ever removed (T18).
"""

from __future__ import annotations

import os
from contextlib import suppress

import apsw

from memtui.disk.places import ours, private
from memtui.errors import StaleIndexError, UnwritableIndexError
from memtui.index import schema
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memtui.disk.places import Place

_HEXADECIMAL = frozenset("0123456789abcdef")


def current(place: Place) -> Path:
    """The index file that counts. Raises StaleIndexError: there is none yet."""
    try:
        # O_NONBLOCK: something may have put a FIFO there, and opening one waits for its writer.
        descriptor = os.open(place.pointer, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            name = os.read(descriptor, 4096).decode("utf-8").strip()
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:
        raise StaleIndexError("there is no index yet") from error
    if not _named(place, name):
        raise StaleIndexError("the index's pointer file is damaged")
    return place.directory / name


def identity(file: Path) -> tuple[int, int]:
    """Tells an index file from another of its name. Raises StaleIndexError: it is gone."""
    try:
        status = os.stat(file)
    except OSError as error:
        raise StaleIndexError("the index file is gone") from error
    return status.st_dev, status.st_ino


def begin(place: Place, layout: str, create: Callable[[str, str], apsw.Connection] = schema.create) -> Path:
    """Make an empty index file and let it be the current one. For whoever holds the place's lock.

    Raises UnwritableIndexError or StaleIndexError where the disk does not allow it; nothing of it is left there then.
    """
    file = place.directory / f"{place.stem}-{schema.VERSION}-{os.urandom(8).hex()}.sqlite"
    temporary = place.directory / f".memtui-{os.urandom(8).hex()}.tmp"
    try:
        private(place.directory)
        create(os.fspath(file), layout).close()
        os.chmod(file, 0o600)
        temporary.write_text(file.name + "\n", "utf-8")
        os.chmod(temporary, 0o600)
        os.replace(temporary, place.pointer)
    except (OSError, StaleIndexError) as error:
        for part in (temporary, file, f"{file}-wal", f"{file}-shm", f"{file}-journal"):
            with suppress(OSError):
                os.unlink(part)
        if not isinstance(error, OSError):
            raise
        why = f"the index cannot be written ({(error.strerror or 'unknown error').lower()})"
        raise UnwritableIndexError(f"{why}; searching the files themselves") from error
    return file


def tidy(place: Place) -> int:
    """Remove earlier index files that nobody has open; how many went. For whoever holds the place's lock."""
    try:
        keep = current(place).name
        names = [entry.name for entry in os.scandir(place.directory)]
    except (OSError, StaleIndexError):
        return 0
    gone = 0
    for name in names:
        if name != keep and _named(place, name) and ours(place.directory / name):
            gone += _remove(place.directory / name)
    return gone


def _remove(file: Path) -> bool:
    """Unlink an index file, if SQLite itself says that nobody else has it open."""
    try:
        db = apsw.Connection(os.fspath(file), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            # Leaving the write-ahead log needs every other connection gone, and removes -wal and -shm.
            alone = bool(db.execute("PRAGMA journal_mode=DELETE").get == "delete")
        finally:
            db.close()
        if alone:
            os.unlink(file)
    except (apsw.Error, OSError):
        return False
    return alone


def _named(place: Place, name: str) -> bool:
    """Whether a file's name is one that `begin` gives: stem-version-number.sqlite."""
    stem, _dash, rest = name.removesuffix(".sqlite").rpartition("-")
    stem, _dash, version = stem.rpartition("-")
    plain = version.isdecimal() and version.isascii() and len(rest) == 16 and _HEXADECIMAL.issuperset(rest)
    return plain and stem == place.stem and name.endswith(".sqlite")

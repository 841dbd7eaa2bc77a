"""Reading another program's SQLite database without leaving a trace beside it.

A reader in WAL mode normally creates or touches `-wal` and `-shm`. So the way in is chosen by what lies there:
no `-wal`: `immutable=1`; a `-wal` with its `-shm`: `mode=ro&readonly_shm=1`; a `-wal` alone (a copied home, a crash):
a private copy. Never migrated, checkpointed or locked for long (reliability §2.6, last bullet).
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from pathlib import Path

from memtui.errors import UnavailableError
from memtui.record import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

LARGEST_COPY = 512 * 1024 * 1024
LONGEST_VALUE = 16 * 1024 * 1024
PATIENCE = 20.0
"""Seconds that reading one database may take: a hostile schema can make one row run for ever."""

_WAL = b"\x02\x02"


@contextmanager
def database(file: str) -> Iterator[apsw.Connection]:
    """A read-only connection. Raises UnavailableError with a sentence where the database cannot be opened."""
    import apsw

    try:
        with open(file, "rb") as head:
            first = head.read(100)
    except OSError as error:
        raise UnavailableError(f"the database cannot be read: {error.strerror or error}") from None
    if first and not first.startswith(b"SQLite format 3\0"):
        raise UnavailableError("this is not a SQLite database")
    connection: apsw.Connection | None = None
    try:
        with _way_in(file, first) as uri:
            connection = apsw.Connection(
                uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, statementcachesize=0
            )
            _guard(connection)
            yield connection
            connection.close()
            connection = None
    except apsw.Error as error:
        raise UnavailableError(said(error)) from None
    finally:
        if connection is not None:
            connection.close(True)


@contextmanager
def _way_in(file: str, head: bytes) -> Iterator[str]:
    uri = Path(file).absolute().as_uri()
    if head[18:20] != _WAL:
        yield f"{uri}?mode=ro"
        return
    try:
        pending = os.path.getsize(file + "-wal")
    except OSError:
        pending = 0
    if not pending:
        before = _stamp(file)
        yield f"{uri}?mode=ro&immutable=1"
        if _stamp(file) != before:
            raise UnavailableError("the database was being written while it was read: it is read again soon")
    elif os.path.exists(file + "-shm"):
        yield f"{uri}?mode=ro&readonly_shm=1"
    else:
        with _copied(file, pending) as copy:
            yield f"{Path(copy).as_uri()}?mode=ro"


def _stamp(file: str) -> tuple[int, int]:
    found = os.stat(file)
    return found.st_mtime_ns, found.st_size


@contextmanager
def _copied(file: str, pending: int) -> Iterator[str]:
    """The database and its -wal in a private directory, where SQLite may make the -shm that it needs."""
    import shutil
    import tempfile

    if os.path.getsize(file) + pending > LARGEST_COPY:
        raise UnavailableError(
            "the database has a -wal without its -shm and is too large to copy: start its program"
        )
    try:
        with tempfile.TemporaryDirectory(prefix="memtui-", ignore_cleanup_errors=True) as folder:
            copy = os.path.join(folder, "copy.db")
            shutil.copyfile(file, copy)
            shutil.copyfile(file + "-wal", copy + "-wal")
            yield copy
    except OSError as error:
        raise UnavailableError(
            f"the database could not be copied for reading: {error.strerror or error}"
        ) from None


def _guard(connection: apsw.Connection) -> None:
    """Bounds on what a hostile schema can cost."""
    import apsw

    deadline = time.monotonic() + PATIENCE
    connection.set_progress_handler(lambda: time.monotonic() > deadline, 20_000)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.set_busy_timeout(500)
    connection.execute("PRAGMA query_only=1; PRAGMA cell_size_check=1; PRAGMA mmap_size=0")


def said(error: Exception) -> str:
    """SQLite's error in words for a person."""
    import apsw

    words = str(error).split(":", 1)[-1].strip() or type(error).__name__
    if isinstance(error, apsw.InterruptError):
        return f"reading the database took longer than {PATIENCE:.0f} s: given up"
    if isinstance(error, (apsw.BusyError, apsw.LockedError)):
        return "the database is locked by another program: it is tried again at the next refresh"
    if isinstance(error, (apsw.CorruptError, apsw.NotADBError)):
        return f"the database is damaged ({words}): the program it belongs to may be able to repair it"
    if isinstance(error, (apsw.CantOpenError, apsw.ReadOnlyError)):
        return f"the database cannot be opened without writing beside it ({words}): start its program once"
    return f"the database could not be read: {words}"


def tables(connection: apsw.Connection) -> dict[str, list[str]]:
    """Ordinary tables and their columns, by lower-case name; views and virtual tables are code, not data."""
    found: dict[str, list[str]] = {}
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' LIMIT 1000"
    ).fetchall()
    for (name,) in names:
        columns = connection.execute(f"PRAGMA table_info({_quoted(str(name))})").fetchall()
        found[str(name).lower()] = [str(column[1]) for column in columns]
    return found


def rows(connection: apsw.Connection, table: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    """The rows of a table as dictionaries with lower-case keys, in the table's own order.

    Text that is no UTF-8 is read again as bytes, with the bad ones replaced. Raises apsw.Error in the middle where
    the database is damaged there.
    """
    keys = [column.lower() for column in columns]
    try:
        plain = ", ".join(_quoted(column) for column in columns)
        read = connection.execute(f"SELECT {plain} FROM {_quoted(table)}")
        done = 0
        for row in read:
            done += 1
            yield dict(zip(keys, row, strict=True))
        return
    except UnicodeDecodeError:
        pass
    text = ", ".join(
        f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"
        for name in map(_quoted, columns)
    )
    for row in connection.execute(f"SELECT {text} FROM {_quoted(table)} LIMIT -1 OFFSET ?", (done,)):
        values = [cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell for cell in row]
        yield dict(zip(keys, values, strict=True))


def count(connection: apsw.Connection, table: str, group: str = "") -> dict[str, int]:
    """How many rows a table has by the values of a column; without one, under the empty name."""
    if not group:
        return {"": sum(1 for _ in connection.execute(f"SELECT 1 FROM {_quoted(table)}"))}
    query = f"SELECT CAST({_quoted(group)} AS TEXT), count(*) FROM {_quoted(table)} GROUP BY 1"
    return {str(value): int(str(number)) for value, number in connection.execute(query)}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

"""SQLite databases that other programs own: read without a trace, and rows changed by compare and set.

Reading: a reader in WAL mode normally creates or touches `-wal` and `-shm`, so the way to open depends on what
is there: no `-wal`: `immutable=1`; a `-wal` with its `-shm`: `mode=ro&readonly_shm=1`; a `-wal` alone (a copied
home, a crash): a private copy.

Writing: rows change in one short transaction (reliability §2.6). The database is never migrated, vacuumed or
checkpointed, and its journal mode stays. What cannot be written safely is refused with the reason, and before
the first write of a process a copy of the database is put aside.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from contextlib import contextmanager
from pathlib import Path

from memtui.core import clock
from memtui.core.errors import (
    ConflictError,
    FullError,
    LockedError,
    MemtuiError,
    ReadOnlyError,
    RefusedError,
    UnavailableError,
    VanishedError,
)
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, Any, cast, sha256
from memtui.fs import files
from memtui.fs.places import is_network_directory, make_private_directory, state

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    import apsw

    from memtui.core.edits import RowEdit, Value

LARGEST_COPY = 512 * 1024 * 1024
LONGEST_VALUE = 16 * 1024 * 1024
PATIENCE = 20.0
"""Seconds that reading one database may take: a hostile schema can make one row run for ever."""

_WAL = b"\x02\x02"


@contextmanager
def open_read_only(file: str) -> Iterator[apsw.Connection]:
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
        with _iterate_addresses(file, first) as uri:
            connection = apsw.Connection(
                uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, statementcachesize=0
            )
            _guard(connection)
            yield connection
            connection.close()
            connection = None
    except apsw.Error as error:
        raise UnavailableError(format_sqlite_error(error)) from None
    finally:
        if connection is not None:
            connection.close(True)


@contextmanager
def _iterate_addresses(file: str, head: bytes) -> Iterator[str]:
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
        with _copy_database(file, pending) as copy:
            yield f"{Path(copy).as_uri()}?mode=ro"


def _stamp(file: str) -> tuple[int, int]:
    found = os.stat(file)
    return found.st_mtime_ns, found.st_size


@contextmanager
def _copy_database(file: str, pending: int) -> Iterator[str]:
    """The database and its -wal in a private directory, where SQLite may make the -shm that it needs."""
    import shutil
    import tempfile

    if os.path.getsize(file) + pending > LARGEST_COPY:
        raise UnavailableError("the database has a -wal without its -shm and is too large to copy: start its program")
    try:
        with tempfile.TemporaryDirectory(prefix="memtui-", ignore_cleanup_errors=True) as folder:
            copy = os.path.join(folder, "copy.db")
            shutil.copyfile(file, copy)
            shutil.copyfile(file + "-wal", copy + "-wal")
            yield copy
    except OSError as error:
        raise UnavailableError(f"the database could not be copied for reading: {error.strerror or error}") from None


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


def format_sqlite_error(error: Exception) -> str:
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


def list_tables(connection: apsw.Connection) -> dict[str, list[str]]:
    """Ordinary tables and their columns, by lower-case name; views and virtual tables are code, not data."""
    found: dict[str, list[str]] = {}
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' LIMIT 1000"
    ).fetchall()
    for (name,) in names:
        columns = connection.execute(f"PRAGMA table_info({_quote_name(str(name))})").fetchall()
        found[str(name).lower()] = [str(column[1]) for column in columns]
    return found


def iterate_rows(connection: apsw.Connection, table: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    """The rows of a table as dictionaries with lower-case keys, in the table's own order.

    Text that is no UTF-8 is read again as bytes, with the bad ones replaced. Raises apsw.Error in the middle where
    the database is damaged there.
    """
    keys = [column.lower() for column in columns]
    try:
        plain = ", ".join(_quote_name(column) for column in columns)
        read = connection.execute(f"SELECT {plain} FROM {_quote_name(table)}")
        done = 0
        for row in read:
            done += 1
            yield dict(zip(keys, row, strict=True))
        return
    except UnicodeDecodeError:
        pass
    text = ", ".join(
        f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"
        for name in map(_quote_name, columns)
    )
    for row in connection.execute(f"SELECT {text} FROM {_quote_name(table)} LIMIT -1 OFFSET ?", (done,)):
        values = [cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell for cell in row]
        yield dict(zip(keys, values, strict=True))


def count(connection: apsw.Connection, table: str, group: str = "") -> dict[str, int]:
    """How many rows a table has by the values of a column; without one, under the empty name."""
    if not group:
        return {"": sum(1 for _ in connection.execute(f"SELECT 1 FROM {_quote_name(table)}"))}
    query = f"SELECT CAST({_quote_name(group)} AS TEXT), count(*) FROM {_quote_name(table)} GROUP BY 1"
    return {str(value): int(str(number)) for value, number in connection.execute(query)}


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


NEWEST = 6
"""The schema that is known: a newer one may mean something else by its columns."""
WAIT = 2000
"""Milliseconds to wait for the program that is writing."""
COPIES = 3
"""How many copies of one database are kept, the newest."""
_MANY = 5000
"""Keys that one question names."""
_TABLES = {
    "memories": frozenset({"id", "content"}),
    "attachments": frozenset({"id", "tags"}),
    "extraction_queue": frozenset({"id", "status"}),
    "episodes": frozenset({"id", "session_id", "summary"}),
    "conversation_turns": frozenset({"id", "session_id", "turn_index", "content"}),
    "scratchpad": frozenset({"user_id", "current_focus"}),
}
"""The tables that are written, and the columns without which they are not those that are known."""

_KEYS = {"scratchpad": "user_id"}
"""The column that a row is known by, where it is not `id`."""

_copied_rows: set[tuple[int, int]] = set()


def write(*changes: RowEdit) -> None:
    """Write rows of one database in one transaction, if each still is what its change was made from.

    Raises ConflictError where one is not, RefusedError, LockedError, ReadOnlyError, FullError, UnavailableError;
    then nothing was written.
    """
    import apsw

    home, path = changes[0].home, changes[0].path
    file = _locate_file(home, path)
    _check_writable(file)
    shapes = {(edit.table, *(edit.before or ()), "", *(edit.after or ())): edit for edit in changes}
    change = changes[0]
    with _open_connection(file, path) as connection:
        for edit in shapes.values():
            _shape(connection, edit)
        _put_aside(connection, file, home)
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                for change in changes:
                    _set(connection, change)
                connection.execute("COMMIT")
            except BaseException:
                # SQLite has rolled back by itself where it could not go on.
                with contextlib.suppress(apsw.Error):
                    connection.execute("ROLLBACK")
                raise
        except apsw.ConstraintError:
            raise _make_conflict(change, _read_one(connection, change.table, change.key)) from None


def expect(change: RowEdit) -> None:
    """Raises as `write` does where the database is not to be written, or is not of the making that is known."""
    file = _locate_file(change.home, change.path)
    _check_writable(file)
    with open_read_only(file) as connection:
        _shape(connection, change)


def read_row(home: str, path: str, table: str, key: str) -> dict[str, Value] | None:
    """The row as it stands now, read without a trace; None: there is none.

    Raises OutsideError, UnavailableError, RefusedError for a table that memtui does not write.
    """
    if table not in _TABLES:
        raise RefusedError(_("memtui writes no table “{table}”").format(table=table))
    file = _locate_file(home, path)
    with open_read_only(file) as connection:
        return _read_one(connection, table, key)


def read_rows(home: str, path: str, table: str, keys: Collection[str]) -> dict[str, dict[str, Value]]:
    """These rows as they stand now, by their keys, read at once, without those that are gone. Raises as `read_row`."""
    if table not in _TABLES:
        raise RefusedError(_("memtui writes no table “{table}”").format(table=table))
    with open_read_only(_locate_file(home, path)) as connection:
        names = [str(column[1]) for column in connection.execute(f'PRAGMA table_info("{table}")').fetchall()]
        found: dict[str, dict[str, Value]] = {}
        own = _KEYS.get(table, "id")
        query, every = (f'SELECT * FROM "{table}" WHERE "{own}" IN (SELECT value FROM json_each(?))', list(keys))
        for start in range(0, len(every), _MANY):
            for values in connection.execute(query, (json.dumps(every[start : start + _MANY]),)):
                row = dict(zip(names, cast("tuple[Value, ...]", values), strict=True))
                found[str(row[own])] = row
        return found


def read_table(home: str, path: str, table: str) -> list[dict[str, Any]]:
    """All rows of a table, with lower-case names; none where there is no such table. Raises as `read_row`."""
    import apsw

    try:
        with open_read_only(_locate_file(home, path)) as connection:
            columns = list_tables(connection).get(table, [])
            return list(iterate_rows(connection, table, columns)) if columns else []
    except apsw.Error as error:
        raise UnavailableError(format_sqlite_error(error)) from None


def read_last_numbers(home: str, path: str, table: str, column: str, where: Mapping[str, Value]) -> tuple[int, int]:
    """The largest id of a table, 0 where it is empty, and a column's largest value where others are so; else -1."""
    if table not in _TABLES:
        raise RefusedError(_("memtui writes no table “{table}”").format(table=table))
    with open_read_only(_locate_file(home, path)) as connection:
        if table not in list_tables(connection):
            return 0, -1
        same = " AND ".join(f"{_quote_name(name)} IS ?" for name in where)
        last = connection.execute(f'SELECT max(rowid) FROM "{table}"').fetchall()[0][0]
        most = connection.execute(
            f'SELECT max({_quote_name(column)}) FROM "{table}" WHERE {same}', tuple(where.values())
        ).fetchall()[0][0]
        return int(str(last or 0)), -1 if most is None else int(str(most))


def read_model_row(home: str, path: str, table: str) -> dict[str, Value]:
    """The newest row that every agent of the user sees; its columns without values where there is none."""
    with open_read_only(_locate_file(home, path)) as connection:
        names = list_tables(connection).get(table, [])
        shared = "WHERE scope IN ('user', 'global')" if "scope" in names else ""
        found = connection.execute(f'SELECT * FROM "{table}" {shared} ORDER BY rowid DESC LIMIT 1').fetchall()
        values = cast("tuple[Value, ...]", found[0]) if found else (None,) * len(names)
        return dict(zip(names, values, strict=True))


def _locate_file(home: str, path: str) -> str:
    """The absolute path; refuses links, and what is no regular file."""
    try:
        files.read(home, path, 16)
    except FileNotFoundError:
        raise VanishedError(_("{path} is gone.").format(path=path)) from None
    return os.path.join(os.path.realpath(home), *path.split("/"))


def _check_writable(file: str) -> None:
    folder = os.path.dirname(file)
    if is_network_directory(Path(folder)):
        raise RefusedError(_("The database is on a network file system, where two programs cannot safely share it."))
    for name in (file, f"{file}-wal", f"{file}-shm", folder):
        if os.path.lexists(name) and not os.access(name, os.W_OK):
            raise ReadOnlyError(_("{place} cannot be written.").format(place=name))


@contextmanager
def _open_connection(file: str, path: str) -> Iterator[apsw.Connection]:
    import apsw

    connection: apsw.Connection | None = None
    try:
        connection = apsw.Connection(
            file, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW, statementcachesize=0
        )
        connection.set_busy_timeout(WAIT)
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.limit(apsw.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        connection.execute("PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=FULL; PRAGMA mmap_size=0")
        yield connection
    except apsw.Error as error:
        raise _translate_error(error, path) from None
    finally:
        if connection is not None:
            connection.close(True)


def _translate_error(error: apsw.Error, path: str) -> MemtuiError:
    import apsw

    if isinstance(error, (apsw.BusyError, apsw.LockedError)):
        return LockedError(_("The program that {path} belongs to is writing: try again.").format(path=path))
    if isinstance(error, apsw.FullError):
        return FullError(_("There is no room left on the disk of {path}.").format(path=path))
    if isinstance(error, apsw.ReadOnlyError):
        return ReadOnlyError(_("{path} cannot be written.").format(path=path))
    if isinstance(error, (apsw.CorruptError, apsw.NotADBError)):
        return RefusedError(format_sqlite_error(error))
    return UnavailableError(format_sqlite_error(error))


def _shape(connection: apsw.Connection, change: RowEdit) -> None:
    """Raises RefusedError where the database is not of the making that is known."""
    have = list_tables(connection)
    columns = frozenset(have.get(change.table, ()))
    if change.table not in _TABLES or not columns >= _TABLES[change.table]:
        raise RefusedError(_("The database has no table “{table}” as memtui knows it.").format(table=change.table))
    if "_schema_meta" in have:
        found = connection.execute("SELECT value FROM _schema_meta WHERE key IN ('version', 'schema_version')")
        versions = [str(value) for (value,) in found.fetchall()]
        if any(not version.isdecimal() or int(version) > NEWEST for version in versions):
            raise RefusedError(
                _("The database is of schema {found}, newer than {known}, which memtui knows: it is only read.").format(
                    found=versions[0], known=NEWEST
                )
            )
    unknown = {*(change.before or ()), *(change.after or ())} - columns
    if unknown:
        raise RefusedError(_("The table has no column “{name}”.").format(name=min(unknown)))
    _check_indexed(connection, change.table)


def _check_indexed(connection: apsw.Connection, table: str) -> None:
    """The program's own search must follow every write: by the triggers that it made for this."""
    named = f"{table}_fts"
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (named,)).fetchall():
        return
    found = connection.execute(
        "SELECT upper(sql) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", (table,)
    ).fetchall()
    made = [str(sql) for (sql,) in found if named.upper() in str(sql)]
    for event in ("INSERT", "UPDATE", "DELETE"):
        if not any(f"{event} ON" in sql or f"{event} OF" in sql for sql in made):
            raise RefusedError(
                _("The database's search index is not kept by triggers: a change here would not be found there.")
            )


def _put_aside(connection: apsw.Connection, file: str, home: str) -> None:
    """A copy of the whole database, once a process, when it is found to be sound."""
    import apsw

    status = os.stat(file)
    if (status.st_dev, status.st_ino) in _copied_rows:
        return
    problem = connection.execute("PRAGMA quick_check(1)").fetchall()
    if problem != [("ok",)]:
        raise RefusedError(
            _("The database is damaged ({problem}): the program it belongs to may be able to repair it.").format(
                problem=str(problem[0][0])[:80] if problem else "?"
            )
        )
    place = state() / "backups" / sha256(os.fsencode(file))[:16]
    try:
        make_private_directory(place)
        name = f"{clock.convert_to_local(clock.now()):%Y%m%dT%H%M%S}-{os.getpid()}-{os.path.basename(file)}"
        copy = str(place / name)
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        target = apsw.Connection(copy)
        try:
            with target.backup("main", connection, "main") as backup:
                backup.step()
        finally:
            target.close(True)
        for old in sorted(os.listdir(place))[:-COPIES]:
            os.unlink(place / old)
    except (OSError, apsw.Error) as error:
        raise UnavailableError(
            _("No copy could be put aside before the first change ({reason}); nothing was written.").format(
                reason=getattr(error, "strerror", None) or error
            )
        ) from None
    _copied_rows.add((status.st_dev, status.st_ino))


def _set(connection: apsw.Connection, change: RowEdit) -> None:
    table = change.table
    if change.before is None:
        if change.after is None or _read_one(connection, table, change.key) is not None:
            raise _make_conflict(change, _read_one(connection, table, change.key))
        values: dict[str, Value] = {**change.after, _KEYS.get(table, "id"): change.key}
        names = ", ".join(f'"{name}"' for name in values)
        holes = ", ".join("?" * len(values))
        connection.execute(f'INSERT INTO "{table}" ({names}) VALUES ({holes})', tuple(values.values()))
        return
    own = _KEYS.get(table, "id")
    same = " AND ".join([f'"{own}" = ?', *(f'"{name}" IS ?' for name in change.before)])
    expected = (change.key, *change.before.values())
    if change.after is None:
        connection.execute(f'DELETE FROM "{table}" WHERE {same}', expected)
    else:
        new = ", ".join(f'"{name}" = ?' for name in change.after)
        connection.execute(f'UPDATE "{table}" SET {new} WHERE {same}', (*change.after.values(), *expected))
    if connection.changes() != 1:
        raise _make_conflict(change, _read_one(connection, table, change.key))


def _read_one(connection: apsw.Connection, table: str, key: str) -> dict[str, Value] | None:
    names = [str(column[1]) for column in connection.execute(f'PRAGMA table_info("{table}")').fetchall()]
    own = _KEYS.get(table, "id")
    found = connection.execute(f'SELECT * FROM "{table}" WHERE "{own}" = ?', (key,)).fetchall()
    return dict(zip(names, cast("tuple[Value, ...]", found[0]), strict=True)) if found else None


def _make_conflict(change: RowEdit, theirs: Mapping[str, Value] | None) -> ConflictError:
    return ConflictError(
        _("The row {key} in {path} has changed since it was read.").format(key=change.key, path=change.path),
        home=change.home,
        path=change.path,
        base=_encode_columns(change.before, change.before),
        theirs=_encode_columns(theirs, change.before),
        mine=_encode_columns(None if change.after is None else {**(change.before or {}), **change.after}, change.after),
    )


def _encode_columns(row: Mapping[str, Value] | None, which: Mapping[str, Value] | None) -> bytes | None:
    """The columns in question, one a line, for the three texts of a conflict."""
    if row is None:
        return None
    names = sorted(set(row) & set(which)) if which else sorted(row)
    told = (f"{name}: {json.dumps(row[name], ensure_ascii=False, default=str)}\n" for name in names)
    return "".join(told).encode("utf-8", "replace")

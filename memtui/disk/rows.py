"""A row of a database that another program owns: compare and set, in one short transaction (reliability §2.6).

The database stays the program's own: nothing is migrated, vacuumed or checkpointed, its journal mode stays, and what
cannot be written safely is refused with the reason. Before the first write of a process a copy is put aside.
"""

from __future__ import annotations

import contextlib
import json
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

from memtui import clock
from memtui.digest import sha256
from memtui.disk import files
from memtui.disk.places import private, remote, state
from memtui.errors import (
    ConflictError,
    FullError,
    LockedError,
    MemtuiError,
    ReadOnlyError,
    RefusedError,
    UnavailableError,
    VanishedError,
)
from memtui.locale import _
from memtui.parse import sqlite

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    import apsw

    from memtui.edits import RowEdit, Value

NEWEST = 6
"""The schema that is known: a newer one may mean something else by its columns."""
WAIT = 2000
"""Milliseconds to wait for the program that is writing."""
COPIES = 3
"""How many copies of one database are kept, the newest."""
_MANY = 5000
"""Keys that one question names."""
_TABLES = {"memories": frozenset({"id", "content"}), "attachments": frozenset({"id", "tags"})}
"""The tables that are written, and the columns without which they are not those that are known."""

_copied: set[tuple[int, int]] = set()


def write(*changes: RowEdit) -> None:
    """Write rows of one database in one transaction, if each still is what its change was made from.

    Raises ConflictError where one is not, RefusedError, LockedError, ReadOnlyError, FullError, UnavailableError;
    then nothing was written.
    """
    import apsw

    home, path = changes[0].home, changes[0].path
    file = _file(home, path)
    _writable(file)
    shapes = {(edit.table, *(edit.before or ()), "", *(edit.after or ())): edit for edit in changes}
    change = changes[0]
    with _opened(file, path) as connection:
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
            raise _conflict(change, _row(connection, change.table, change.key)) from None


def expect(change: RowEdit) -> None:
    """Raises as `write` does where the database is not to be written, or is not of the making that is known."""
    file = _file(change.home, change.path)
    _writable(file)
    with sqlite.database(file) as connection:
        _shape(connection, change)


def row(home: str, path: str, table: str, key: str) -> dict[str, Value] | None:
    """The row as it stands now, read without a trace; None: there is none.

    Raises OutsideError, UnavailableError, RefusedError for a table that memtui does not write.
    """
    if table not in _TABLES:
        raise RefusedError(_("memtui writes no table “{table}”").format(table=table))
    file = _file(home, path)
    with sqlite.database(file) as connection:
        return _row(connection, table, key)


def rows(home: str, path: str, table: str, keys: Collection[str]) -> dict[str, dict[str, Value]]:
    """These rows as they stand now, by their keys, read at once; those that are gone are left out. Raises as `row`."""
    if table not in _TABLES:
        raise RefusedError(_("memtui writes no table “{table}”").format(table=table))
    with sqlite.database(_file(home, path)) as connection:
        names = [str(column[1]) for column in connection.execute(f'PRAGMA table_info("{table}")').fetchall()]
        found: dict[str, dict[str, Value]] = {}
        query, every = f'SELECT * FROM "{table}" WHERE "id" IN (SELECT value FROM json_each(?))', list(keys)
        for start in range(0, len(every), _MANY):
            for values in connection.execute(query, (json.dumps(every[start : start + _MANY]),)):
                row = dict(zip(names, cast("tuple[Value, ...]", values), strict=True))
                found[str(row["id"])] = row
        return found


def model(home: str, path: str, table: str) -> dict[str, Value]:
    """The newest row that every agent of the user sees; its columns without values where there is none."""
    with sqlite.database(_file(home, path)) as connection:
        names = sqlite.tables(connection).get(table, [])
        shared = "WHERE scope IN ('user', 'global')" if "scope" in names else ""
        found = connection.execute(f'SELECT * FROM "{table}" {shared} ORDER BY rowid DESC LIMIT 1').fetchall()
        values = cast("tuple[Value, ...]", found[0]) if found else (None,) * len(names)
        return dict(zip(names, values, strict=True))


def _file(home: str, path: str) -> str:
    """The absolute path; refuses links, and what is no regular file."""
    try:
        files.read(home, path, 16)
    except FileNotFoundError:
        raise VanishedError(_("{path} is gone.").format(path=path)) from None
    return os.path.join(os.path.realpath(home), *path.split("/"))


def _writable(file: str) -> None:
    folder = os.path.dirname(file)
    if remote(Path(folder)):
        raise RefusedError(
            _("The database is on a network file system, where two programs cannot safely share it.")
        )
    for name in (file, f"{file}-wal", f"{file}-shm", folder):
        if os.path.lexists(name) and not os.access(name, os.W_OK):
            raise ReadOnlyError(_("{place} cannot be written.").format(place=name))


@contextmanager
def _opened(file: str, path: str) -> Iterator[apsw.Connection]:
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
        connection.limit(apsw.SQLITE_LIMIT_LENGTH, sqlite.LONGEST_VALUE)
        connection.execute("PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=FULL; PRAGMA mmap_size=0")
        yield connection
    except apsw.Error as error:
        raise _reason(error, path) from None
    finally:
        if connection is not None:
            connection.close(True)


def _reason(error: apsw.Error, path: str) -> MemtuiError:
    import apsw

    if isinstance(error, (apsw.BusyError, apsw.LockedError)):
        return LockedError(_("The program that {path} belongs to is writing: try again.").format(path=path))
    if isinstance(error, apsw.FullError):
        return FullError(_("There is no room left on the disk of {path}.").format(path=path))
    if isinstance(error, apsw.ReadOnlyError):
        return ReadOnlyError(_("{path} cannot be written.").format(path=path))
    if isinstance(error, (apsw.CorruptError, apsw.NotADBError)):
        return RefusedError(sqlite.said(error))
    return UnavailableError(sqlite.said(error))


def _shape(connection: apsw.Connection, change: RowEdit) -> None:
    """Raises RefusedError where the database is not of the making that is known."""
    have = sqlite.tables(connection)
    columns = frozenset(have.get(change.table, ()))
    if change.table not in _TABLES or not columns >= _TABLES[change.table]:
        raise RefusedError(
            _("The database has no table “{table}” as memtui knows it.").format(table=change.table)
        )
    if "_schema_meta" in have:
        found = connection.execute(
            "SELECT value FROM _schema_meta WHERE key IN ('version', 'schema_version')"
        )
        versions = [str(value) for (value,) in found.fetchall()]
        if any(not version.isdecimal() or int(version) > NEWEST for version in versions):
            raise RefusedError(
                _(
                    "The database is of schema {found}, newer than {known}, which memtui knows: it is only read."
                ).format(found=versions[0], known=NEWEST)
            )
    unknown = {*(change.before or ()), *(change.after or ())} - columns
    if unknown:
        raise RefusedError(_("The table has no column “{name}”.").format(name=min(unknown)))
    _indexed(connection, change.table)


def _indexed(connection: apsw.Connection, table: str) -> None:
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
                _(
                    "The database's search index is not kept by triggers: a change here would not be found there."
                )
            )


def _put_aside(connection: apsw.Connection, file: str, home: str) -> None:
    """A copy of the whole database, once a process, when it is found to be sound."""
    import apsw

    status = os.stat(file)
    if (status.st_dev, status.st_ino) in _copied:
        return
    problem = connection.execute("PRAGMA quick_check(1)").fetchall()
    if problem != [("ok",)]:
        raise RefusedError(
            _(
                "The database is damaged ({problem}): the program it belongs to may be able to repair it."
            ).format(problem=str(problem[0][0])[:80] if problem else "?")
        )
    place = state() / "backups" / sha256(os.fsencode(file))[:16]
    try:
        private(place)
        name = f"{clock.local(clock.now()):%Y%m%dT%H%M%S}-{os.getpid()}-{os.path.basename(file)}"
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
    _copied.add((status.st_dev, status.st_ino))


def _set(connection: apsw.Connection, change: RowEdit) -> None:
    table = change.table
    if change.before is None:
        if change.after is None or _row(connection, table, change.key) is not None:
            raise _conflict(change, _row(connection, table, change.key))
        values: dict[str, Value] = {**change.after, "id": change.key}
        names = ", ".join(f'"{name}"' for name in values)
        holes = ", ".join("?" * len(values))
        connection.execute(f'INSERT INTO "{table}" ({names}) VALUES ({holes})', tuple(values.values()))
        return
    same = " AND ".join(['"id" = ?', *(f'"{name}" IS ?' for name in change.before)])
    expected = (change.key, *change.before.values())
    if change.after is None:
        connection.execute(f'DELETE FROM "{table}" WHERE {same}', expected)
    else:
        new = ", ".join(f'"{name}" = ?' for name in change.after)
        connection.execute(f'UPDATE "{table}" SET {new} WHERE {same}', (*change.after.values(), *expected))
    if connection.changes() != 1:
        raise _conflict(change, _row(connection, table, change.key))


def _row(connection: apsw.Connection, table: str, key: str) -> dict[str, Value] | None:
    names = [str(column[1]) for column in connection.execute(f'PRAGMA table_info("{table}")').fetchall()]
    found = connection.execute(f'SELECT * FROM "{table}" WHERE "id" = ?', (key,)).fetchall()
    return dict(zip(names, cast("tuple[Value, ...]", found[0]), strict=True)) if found else None


def _conflict(change: RowEdit, theirs: Mapping[str, Value] | None) -> ConflictError:
    return ConflictError(
        _("The row {key} in {path} has changed since it was read.").format(key=change.key, path=change.path),
        home=change.home,
        path=change.path,
        base=_told(change.before, change.before),
        theirs=_told(theirs, change.before),
        mine=_told(None if change.after is None else {**(change.before or {}), **change.after}, change.after),
    )


def _told(row: Mapping[str, Value] | None, which: Mapping[str, Value] | None) -> bytes | None:
    """The columns in question, one a line, for the three texts of a conflict."""
    if row is None:
        return None
    names = sorted(set(row) & set(which)) if which else sorted(row)
    told = (f"{name}: {json.dumps(row[name], ensure_ascii=False, default=str)}\n" for name in names)
    return "".join(told).encode("utf-8", "replace")

"""The derived file beside a home's index: finished analyses, each with what it was worked out from.

`analysis.sqlite` is made by whoever writes first and may be deleted at any time. A row that is damaged, or was written
by another version, is as good as none.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import apsw

from memtui.analysis.codec import FINGERPRINT, decode, encode
from memtui.digest import sha256
from memtui.disk.places import APPLICATION_ID, ours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from memtui.disk.places import Place
    from memtui.model import Home
    from memtui.vault import Vault

VERSION = 1
"""Of what is computed: raised where the same memories give another answer."""

_KEPT = 4
"""Sets of homes for which an analysis across homes is kept."""


Kind = Literal["glance", "overview", "effects", "queue", "rest", "refused", "chains"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which somebody may be waiting for them.

glance, overview, effects: what was learnt from use, the first as far as Home shows it; queue: the first candidates of
Review, and how many there are; rest: the others; refused: facts that were not proposed; chains: successors that are
nowhere.
"""
ACROSS: frozenset[Kind] = frozenset({"effects"})
"""Worked out of all open homes together, and kept with the first."""


class Finished(NamedTuple):
    """One analysis as it was worked out."""

    value: Any
    at: float
    """When (seconds)."""
    stamp: str
    """Of everything it was worked out from."""
    own: str
    """The same of this home alone."""


def file_of(place: Place) -> Path:
    """Where the analyses of the home are kept whose index is there."""
    return place.directory / "analysis.sqlite"


def scope_of(vault: Vault) -> str:
    """Names a set of homes that are open together."""
    return sha256("\0".join(str(home.path) for home in vault.homes).encode("utf-8", "surrogateescape"))[:16]


def place_of(vault: Vault, home: Home, kind: Kind) -> tuple[Place, str]:
    """Where an analysis is kept, and under which scope."""
    if kind in ACROSS:
        return vault.place(vault.homes[0]), scope_of(vault)
    return vault.place(home), ""


def sign_file(place: Place) -> tuple[int, ...]:
    """Another one whenever something was finished."""
    try:
        status = os.stat(file_of(place))
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def load(place: Place, kind: str, scope: str = "") -> Finished | None:
    """A finished analysis; None where there is none that can be used."""
    rows = _read(
        place,
        "SELECT stamp, own, at, body FROM result WHERE kind=? AND scope=? AND making=?",
        (kind, scope, _making()),
    )
    try:
        stamp, own, at, body = rows[0]
        return Finished(decode(zlib.decompress(body)), float(at), str(stamp), str(own))
    except (IndexError, zlib.error, ValueError, TypeError):
        return None


def stamps(place: Place) -> dict[tuple[str, str], tuple[str, str, float]]:
    """What each finished analysis was worked out from, all homes and this alone, and when: no value is read."""
    rows = _read(place, "SELECT kind, scope, stamp, own, at FROM result WHERE making=?", (_making(),))
    return {
        (str(kind), str(scope)): (str(stamp), str(own), at if isinstance(at, float) else 0.0)
        for kind, scope, stamp, own, at in rows
    }


def load_parts(place: Place, kind: str) -> dict[str, tuple[str, Any]]:
    """What was worked out of single files, by their path: the etag they had, and the value."""
    found: dict[str, tuple[str, Any]] = {}
    for path, mark, body in _read(
        place, "SELECT path, mark, body FROM part WHERE kind=? AND making=?", (kind, _making())
    ):
        try:
            found[str(path)] = mark, decode(body)
        except (ValueError, TypeError):
            continue
    return found


def store(place: Place, kind: str, finished: Finished, scope: str = "") -> bool:
    """Put a finished analysis in place of the one before; False where the disk forbids it."""
    body = zlib.compress(encode(finished.value), 1)
    row = (kind, scope, _making(), finished.stamp, finished.own, finished.at, body)

    def put(db: apsw.Connection) -> None:
        db.execute("INSERT OR REPLACE INTO result VALUES(?,?,?,?,?,?,?)", row)
        # Every set of homes that were ever open together would add up.
        db.execute(
            "DELETE FROM result WHERE kind=? AND scope NOT IN"
            " (SELECT scope FROM result WHERE kind=? ORDER BY at DESC LIMIT ?)",
            (kind, kind, _KEPT),
        )

    return _write(place, put)


def store_parts(
    place: Place, kind: str, parts: Mapping[str, tuple[str, Any]], gone: Iterable[str] = ()
) -> bool:
    """Keep what was worked out of these files, and forget those that are gone."""

    def put(db: apsw.Connection) -> None:
        db.executemany(
            "INSERT OR REPLACE INTO part VALUES(?,?,?,?,?)",
            ((kind, path, _making(), mark, encode(value)) for path, (mark, value) in parts.items()),
        )
        db.executemany("DELETE FROM part WHERE kind=? AND path=?", ((kind, path) for path in gone))

    return _write(place, put)


def _read(place: Place, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Rows of the derived file; none where there is no usable one."""
    file = file_of(place)
    if not ours(file):
        return []
    try:
        db = apsw.Connection(os.fspath(file), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            db.set_busy_timeout(1000)
            return list(db.execute(query, values))
        finally:
            db.close()
    except (apsw.Error, UnicodeError):
        # Flipped bits may also be text that is none.
        return []


def _write(place: Place, put: Callable[[apsw.Connection], None]) -> bool:
    for again in (False, True):
        try:
            _change(place, put)
            return True
        except apsw.Error as error:
            if again or not isinstance(
                error, apsw.NotADBError | apsw.CorruptError | apsw.SchemaChangeError | apsw.SQLError
            ):
                return False
            _discard(place)
    return False


def _change(place: Place, put: Callable[[apsw.Connection], None]) -> None:
    file = file_of(place)
    if os.path.lexists(file) and not ours(file):
        _discard(place)
    with suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600))
    db = apsw.Connection(os.fspath(file))
    try:
        db.set_busy_timeout(5000)
        # It can be made again: what a power cut tears is found by its form.
        db.execute("PRAGMA synchronous=OFF")
        with db:
            db.execute(f"PRAGMA application_id={APPLICATION_ID}")
            db.execute(
                "CREATE TABLE IF NOT EXISTS result(kind TEXT, scope TEXT, making TEXT, stamp TEXT, own TEXT, at REAL,"
                " body BLOB, PRIMARY KEY(kind, scope)) WITHOUT ROWID"
            )
            db.execute(
                "CREATE TABLE IF NOT EXISTS part(kind TEXT, path TEXT, making TEXT, mark TEXT, body BLOB,"
                " PRIMARY KEY(kind, path)) WITHOUT ROWID"
            )
            put(db)
    finally:
        db.close()


def _discard(place: Place) -> None:
    """Take away what is no file of ours, or broken: it can be made again."""
    file = os.fspath(file_of(place))
    for name in (file, f"{file}-journal", f"{file}-wal", f"{file}-shm"):
        with suppress(OSError):
            os.unlink(name)


def _making() -> str:
    return f"{VERSION}-{FINGERPRINT}"

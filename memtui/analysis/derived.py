"""The derived file beside a home's index: finished analyses, each with the stamp of what it was computed from.

`encode` and `decode`: values as JSON and back, a closed set of types, nothing that could run code. A value is a
JSON scalar or a list that begins with a tag: '' a tuple, 'l' a list, 's' a frozenset, 'd' a dict, 'r' one of
the shared values, else the name of a class in `_TYPES` followed by its fields. Sessions and memories are named
by many rows and written once.

`load` and `store`: `analysis.sqlite` is made by whoever writes first and may be deleted at any time. A row that
is damaged, or of another version, counts as missing.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import apsw

from memtui.core.config import Config
from memtui.core.edits import Draft, Target
from memtui.core.model import Home, Layer, Level, Memory, Status
from memtui.core.startup import sha256
from memtui.evolution.audit import Outcome, SessionSignals
from memtui.evolution.effects import Effect, Gate, Overview, Pattern, Shift, Streak, SummaryReading
from memtui.fs import files
from memtui.fs.places import APPLICATION_ID, is_own_database
from memtui.language.conversation import Signal
from memtui.store.candidates import Candidate, CandidateSource, Finding, Near, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtui.fs.places import Place
    from memtui.store.vault import Vault

_VALUES: tuple[type[Any], ...] = (
    Candidate,
    Near,
    Refused,
    CandidateSource,
    Finding,
    SummaryReading,
    Draft,
    Target,
    Effect,
    SessionSignals,
    Outcome,
    Signal,
    Gate,
    Overview,
    Pattern,
    Streak,
    Shift,
    Home,
    Config,
    *{type(part): None for part in Config() if hasattr(part, "_fields")},
)
_ENUMS: tuple[type[Enum], ...] = (Layer, Level, Status)
_FIELDS = tuple(name for kind in Memory.__mro__[-2::-1] for name in getattr(kind, "__slots__", ()))
_TYPES: dict[str, type[Any]] = {kind.__name__: kind for kind in _VALUES}
_SHARED = (SessionSignals, Memory)

FINGERPRINT = sha256(repr([(kind.__name__, kind._fields) for kind in _VALUES] + [("Memory", _FIELDS)]).encode())[:16]
"""Of the types as they are in this version: what another version wrote is worked out anew."""


def encode(value: object) -> bytes:
    """A value made of `_TYPES`, tuples, lists, dicts, frozensets and scalars. Raises TypeError for any other type."""
    shared: dict[int, int] = {}
    table: list[Any] = []

    def walk(one: Any) -> Any:
        """A value as JSON has it, shared ones by their number. Raises TypeError for what is no value of an analysis."""
        if one is None or type(one) in {str, int, float, bool}:
            return one
        kind = type(one)
        if kind in _SHARED:
            known = shared.get(id(one))
            if known is None:
                made = _fields(one)
                known = shared[id(one)] = len(table)
                table.append(made)
            return ["r", known]
        if kind is tuple:
            return ["", *map(walk, one)]
        if kind.__name__ in _TYPES and isinstance(one, tuple):
            return [kind.__name__, *map(walk, one)]
        if kind is list:
            return ["l", *map(walk, one)]
        if kind is frozenset:
            return ["s", *map(walk, sorted(one, key=repr))]
        if isinstance(one, Mapping):
            return ["d", *(walk(part) for pair in one.items() for part in pair)]
        if isinstance(one, Enum):
            return [kind.__name__, one.value]
        if isinstance(one, PurePath):
            return ["Path", str(one)]
        raise TypeError(f"{kind.__name__} is no value of an analysis")

    def _fields(one: Any) -> list[Any]:
        if isinstance(one, Memory):
            every = one.fields() | {"extra": _plain(one.extra)}
            return ["Memory", *(walk(every[name]) for name in _FIELDS)]
        return [type(one).__name__, *map(walk, one)]

    root = walk(value)
    return json.dumps([table, root], separators=(",", ":")).encode("ascii")


def _plain(extra: Any) -> dict[str, Any]:
    """Keys that JSON holds as they are; what a home's own format had besides is read from the home when wanted."""
    return {
        name: value
        for name, value in extra.items()
        if isinstance(name, str) and (value is None or isinstance(value, str | int | float | bool))
    }


def decode(data: bytes) -> Any:
    """What was encoded. Raises ValueError for anything else."""
    try:
        table, root = json.loads(data)
        shared: list[Any] = []
        walk = _walker(shared)
        # What is shared may name what was shared before it.
        for one in table:
            shared += [walk(one)]
        return walk(root)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError(f"not an analysis: {error}") from error


def _walker(shared: list[Any]) -> Callable[[Any], Any]:
    makers: dict[str, Callable[[list[Any]], Any]] = {
        "": tuple,
        "l": list,
        "s": frozenset,
        "d": lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
        "r": lambda parts: shared[parts[0]],
        "Path": lambda parts: Path(*parts),
        "Memory": lambda parts: Memory(**dict(zip(_FIELDS, parts, strict=True))),
    }
    makers |= {kind.__name__: lambda parts, kind=kind: kind(*parts) for kind in _ENUMS}  # type: ignore[misc]
    makers |= {name: lambda parts, kind=kind: kind._make(parts) for name, kind in _TYPES.items()}  # type: ignore[misc]

    def walk(one: Any) -> Any:
        if type(one) is not list:
            return one
        return makers[one[0]]([walk(part) for part in one[1:]])

    return walk


VERSION = 1
"""Of what is computed: raised where the same memories give another answer."""

_KEPT = 4
"""Sets of homes for which an analysis across homes is kept."""


Kind = Literal["glance", "overview", "effects", "queue", "rest", "refused", "chains", "echoes"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which somebody may be waiting for them.

glance, overview, effects: what was learnt from use, the first as far as Home shows it; queue: the first candidates of
Review, and how many there are; rest: the others; refused: facts that were not proposed; chains: successors that are
nowhere; echoes: what several tools remember in their own words.
"""
ACROSS: frozenset[Kind] = frozenset({"effects", "echoes"})
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


def locate_derived(place: Place) -> Path:
    """Where the analyses of the home are kept whose index is there."""
    return place.directory / "analysis.sqlite"


def name_scope(vault: Vault) -> str:
    """Names a set of homes that are open together."""
    return sha256("\0".join(str(home.path) for home in vault.own_homes).encode("utf-8", "surrogateescape"))[:16]


def place_of(vault: Vault, home: Home, kind: Kind) -> tuple[Place, str]:
    """Where an analysis is kept, and under which scope."""
    if kind in ACROSS:
        return vault.place((vault.own_homes or vault.homes)[0]), name_scope(vault)
    return vault.place(home), ""


def sign_file(place: Place) -> tuple[int, ...]:
    """Another one whenever something was finished."""
    return files.sign_file(locate_derived(place))


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


def read_stamps(place: Place) -> dict[tuple[str, str], tuple[str, str, float]]:
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


def store_parts(place: Place, kind: str, parts: Mapping[str, tuple[str, Any]], gone: Iterable[str] = ()) -> bool:
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
    file = locate_derived(place)
    if not is_own_database(file):
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
    file = locate_derived(place)
    if os.path.lexists(file) and not is_own_database(file):
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
    file = os.fspath(locate_derived(place))
    for name in (file, f"{file}-journal", f"{file}-wal", f"{file}-shm"):
        with suppress(OSError):
            os.unlink(name)


def _making() -> str:
    return f"{VERSION}-{FINGERPRINT}"

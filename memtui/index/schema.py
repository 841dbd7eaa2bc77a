"""The index's tables, one SQLite file a home, and which file of a place is the current index.

It holds tokens and offsets, never a second copy of the text. Everything can be made again from the files, so
nothing is migrated: a file of another schema, tokenizer or parser version is left alone and a new one made
beside it (reliability §2.6, T24). A new index gets a name that was never used, and a pointer file, replaced in
one step, names the current one. No file is renamed over or removed while somebody has it open (T24), and only
files that carry our mark in their header are removed (T18).
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress

import apsw

from memtui.core.errors import StaleIndexError, UnwritableIndexError, describe_os_error
from memtui.core.locale import _
from memtui.core.model import Layer, Status
from memtui.core.startup import TYPE_CHECKING, Any
from memtui.core.text import TOKENIZER
from memtui.core.text import VERSION as SEGMENTER
from memtui.formats import VERSION as PARSERS
from memtui.fs.places import APPLICATION_ID, is_own_database, make_private_directory

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import TracebackType

    from memtui.fs.places import Place

VERSION = 9
"""Changes whenever the tables, or what stands in them, change."""

LAYERS = tuple(Layer)
"""A layer is kept as its place in here."""

STATUSES = tuple(Status)
"""A status is kept as its place in here; expired as files say it, while the clock's expiry is worked out."""

LAYER_CODE = {layer: code for code, layer in enumerate(LAYERS)}
STATUS_CODE = {status: code for code, status in enumerate(STATUSES)}

SEPARATOR = "\x1f"
"""Between the headings of a path in the `name` table."""

SESSION = "\x1c"
"""Before the id of a session in the `name` table: no heading, no kind and no set of tags begins so."""

TAGS = "\x1d"
"""Before, between and behind the tags of a set in the `name` table: no heading and no kind begins so."""

LAYER = "layer:"
"""Before a layer's place in `LAYERS`, in `meta`: the generation in which something of it changed last."""

BUSY = 5000
"""Milliseconds that SQLite waits for another connection."""

WEIGHTS = "1.0, 2.0"
"""For bm25(fts, …): the body's, the heading's. The body comes first because a match in any later column costs FTS5
two bytes more: that is a third of the whole index."""

SMALL = (Layer.PROFILE, Layer.CORE, Layer.EVOLUTION)
LISTS = "\n".join(
    [
        *(f"CREATE INDEX entry_{layer} ON entry(layer) WHERE layer = {LAYER_CODE[layer]};" for layer in SMALL),
        f"CREATE INDEX entry_journal ON entry(ts) WHERE layer = {LAYER_CODE[Layer.JOURNAL]};",
    ]
)
"""For lists of layers that are small beside the others, and for the days of the journal, where agents write most."""

ENTRY = """id INTEGER PRIMARY KEY, file INTEGER, line INTEGER, last INTEGER, start INTEGER, size INTEGER,
  layer INTEGER, kind INTEGER, status INTEGER, ts INTEGER, expires INTEGER, confidence REAL, heading INTEGER,
  crc INTEGER, key TEXT, successor TEXT, level INTEGER, reach INTEGER, tags INTEGER, session INTEGER"""
"""The columns of an entry. To add one: here, with another VERSION; `rows.Chunker.chunks` fills it, in this order, and
`queries.Index` and `filters.IndexRow` give it back."""
COLUMNS = tuple(column.split()[0] for column in ENTRY.split(","))

TABLES = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE dir(id INTEGER PRIMARY KEY, path TEXT UNIQUE, signature INTEGER);
CREATE TABLE file(id INTEGER PRIMARY KEY, path TEXT UNIQUE, mtime INTEGER, size INTEGER, ino INTEGER, ctime INTEGER,
  etag BLOB, title TEXT, entries INTEGER, dir INTEGER, bare INTEGER);
CREATE INDEX file_dir ON file(dir);
CREATE TABLE entry({ENTRY});
CREATE INDEX entry_file ON entry(file, line);
{LISTS}
CREATE INDEX entry_expires ON entry(expires) WHERE expires IS NOT NULL;
CREATE INDEX entry_key ON entry(key) WHERE key IS NOT NULL;
CREATE INDEX entry_successor ON entry(successor) WHERE successor IS NOT NULL;
CREATE TABLE born(session INTEGER, file INTEGER, PRIMARY KEY(session, file)) WITHOUT ROWID;
CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT UNIQUE);
CREATE TABLE problem(file INTEGER, path TEXT, line INTEGER, reason TEXT);
CREATE INDEX problem_file ON problem(file);
CREATE TABLE tally(layer INTEGER, kind INTEGER, status INTEGER, level INTEGER, n INTEGER,
  PRIMARY KEY(layer, kind, status, level)) WITHOUT ROWID;
CREATE VIRTUAL TABLE fts USING fts5(body, heading, content='', contentless_delete=1, tokenize='{TOKENIZER}');
CREATE VIRTUAL TABLE ftsv USING fts5vocab(fts, 'row');
INSERT INTO fts(fts, rank) VALUES('hashsize', {32 << 20});
INSERT INTO fts(fts, rank) VALUES('crisismerge', 500);
"""
"""A build leaves many segments, which are merged behind it: no save may have to merge them all at once (crisismerge).

`entry.start` and `size` are bytes in the file, without the last line break; NULL where lines do not stand in the file
as such (databases, UTF-16). `reach`: how many lines its parts go on behind its last one. `ts` and `expires` are
seconds; `ts` NULL: as the file's mtime (nanoseconds). `born` has the files with entries of a session: these mostly
stand together, and an index of them all would be ten times as large. `file.bare`: 1 where the bytes of that etag hold
no secret, so that nobody has to look for one again. `problem.file` is a file's id, or minus a directory's. Other
NULLs are defaults."""

_UNWRITABLE = apsw.FullError, apsw.ReadOnlyError
_UNWRITTEN = {
    apsw.SQLITE_IOERR_WRITE,
    apsw.SQLITE_IOERR_FSYNC,
    apsw.SQLITE_IOERR_TRUNCATE,
    apsw.SQLITE_IOERR_SHMSIZE,
    apsw.SQLITE_IOERR_SHMOPEN,
}


def connect(file: str, *, write: bool = False) -> apsw.Connection:
    """Open an index file that exists. Raises StaleIndexError where it cannot be read or is of another making."""
    flags = apsw.SQLITE_OPEN_READWRITE if write else apsw.SQLITE_OPEN_READONLY
    with suppress(OSError):
        if not stat.S_ISREG(os.stat(file).st_mode):
            # Opening a FIFO would wait for ever for somebody who writes to it.
            raise StaleIndexError(_("the index is no file"))
    with translate_sqlite_errors():
        db = apsw.Connection(file, flags=flags)
        try:
            _settle(db, write)
            check(db)
        except BaseException:
            db.close()
            raise
        return db


def create(file: str, layout: str) -> apsw.Connection:
    """Make an index file that does not exist yet, empty and marked as incomplete. Raises StaleIndexError."""
    with translate_sqlite_errors():
        db = apsw.Connection(file, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        try:
            # Before the first page is written, as none can be changed for nothing afterwards.
            db.execute("PRAGMA auto_vacuum=INCREMENTAL")
            db.execute(f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={VERSION}")
            _settle(db, True)
            with db:
                db.execute(TABLES)
                meta = {
                    **build_version_keys(),
                    "layout": layout,
                    "built_at": int(time.time()),
                    "generation": 0,
                    "complete": 0,
                }
                db.executemany("INSERT INTO meta VALUES(?, ?)", list(meta.items()))
        except BaseException:
            db.close()
            raise
        return db


def build_version_keys() -> dict[str, str | int]:
    """What an index must have been made with to be used; `meta` holds the same keys."""
    return {
        "schema": VERSION,
        "tokenizer": f"{SEGMENTER} {TOKENIZER}",
        "parsers": PARSERS,
        "sqlite_version": apsw.sqlite_lib_version(),
    }


def check(db: apsw.Connection) -> None:
    """Raises StaleIndexError unless this file was made by this schema, tokenizer and parsers."""
    ours = db.execute("PRAGMA application_id").get
    if ours != APPLICATION_ID:
        raise StaleIndexError(_("the index file is not one of memtui's"))
    held: dict[Any, Any] = dict(db.execute("SELECT key, value FROM meta").fetchall())  # type: ignore[arg-type]
    for key, value in build_version_keys().items():
        # Another SQLite reads the same files; its version is kept to be shown.
        if key != "sqlite_version" and held.get(key) != value:
            told = _("the index was made with another {key} and is being made again")
            raise StaleIndexError(told.format(key=key))


def _tell_unwritable(why: object) -> str:
    return _("the index cannot be written ({why}); searching the files themselves").format(why=why)


class _Translation:
    """What SQLite says of a file that cannot be used becomes StaleIndexError; an interruption passes through.

    A class, as every question to an index is asked within one: a generator would cost as much as some answers.
    """

    __slots__ = ("_odd",)

    def __init__(self, *odd: type[Exception]) -> None:
        """`odd`: what else is raised where rows hold what they cannot hold."""
        self._odd = odd

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or isinstance(error, apsw.InterruptError):
            return
        if isinstance(error, apsw.Error):
            if isinstance(error, _UNWRITABLE) or getattr(error, "extendedresult", 0) in _UNWRITTEN:
                raise UnwritableIndexError(_tell_unwritable(error)) from error
            told = _("the index cannot be used ({why}); searching the files themselves")
            raise StaleIndexError(told.format(why=error)) from error
        if isinstance(error, self._odd):
            raise StaleIndexError(_("the index holds what it cannot hold; searching the files themselves")) from error


_OF_SQLITE = _Translation()
_OF_ROWS = _Translation(TypeError, ValueError, LookupError, OverflowError, AttributeError)


def translate_sqlite_errors() -> AbstractContextManager[None]:
    """Turns what SQLite says of a file that cannot be used into StaleIndexError; an interruption passes through."""
    return _OF_SQLITE


def translate_decode_errors() -> AbstractContextManager[None]:
    """As `translate_sqlite_errors`, and for odd values that rows have after bits flipped unseen by SQLite."""
    return _OF_ROWS


def _settle(db: apsw.Connection, write: bool) -> None:
    db.set_busy_timeout(BUSY)
    db.execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
    if write:
        # A lost last transaction is only re-read; a torn file is what the log itself prevents.
        db.execute("PRAGMA journal_mode=WAL").fetchall()
        db.execute("PRAGMA synchronous=NORMAL")
    else:
        # The system keeps the file's pages, too: a second copy of them for each thread makes no answer faster.
        db.execute("PRAGMA query_only=ON; PRAGMA cache_size=-512")


_HEXADECIMAL = frozenset("0123456789abcdef")


def find_current_index(place: Place) -> Path:
    """The index file that counts. Raises StaleIndexError: there is none yet."""
    try:
        # O_NONBLOCK: something may have put a FIFO there, and opening one waits for its writer.
        descriptor = os.open(place.pointer, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            name = os.read(descriptor, 4096).decode("utf-8").strip()
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:
        raise StaleIndexError(_("there is no index yet")) from error
    if not _named(place, name):
        raise StaleIndexError(_("the index's pointer file is damaged"))
    return place.directory / name


def read_index_identity(file: Path) -> tuple[int, int]:
    """Tells an index file from another of its name. Raises StaleIndexError: it is gone."""
    try:
        status = os.stat(file)
    except OSError as error:
        raise StaleIndexError(_("the index file is gone")) from error
    return status.st_dev, status.st_ino


def begin(place: Place, layout: str, create: Callable[[str, str], apsw.Connection] = create) -> Path:
    """Make an empty index file and let it be the current one. For whoever holds the place's lock.

    Raises UnwritableIndexError or StaleIndexError where the disk does not allow it; nothing of it is left there then.
    """
    file = place.directory / f"{place.stem}-{VERSION}-{os.urandom(8).hex()}.sqlite"
    temporary = place.directory / f".memtui-{os.urandom(8).hex()}.tmp"
    try:
        make_private_directory(place.directory)
        create(os.fspath(file), layout).close()
        os.chmod(file, 0o600)
        temporary.write_text(file.name + "\n", "utf-8")
        os.chmod(temporary, 0o600)
        os.replace(temporary, place.pointer)
        _link(place, file)
    except (OSError, StaleIndexError) as error:
        for part in (temporary, file, f"{file}-wal", f"{file}-shm", f"{file}-journal"):
            with suppress(OSError):
                os.unlink(part)
        if not isinstance(error, OSError):
            raise
        why = describe_os_error(error)
        raise UnwritableIndexError(_tell_unwritable(why)) from error
    return file


def _link(place: Place, file: Path) -> None:
    """Let the name that the home's own tool gives its index lead to the current one (spec 001 §2.2).

    SQLite names its log after the file that a link leads to, so both names are one database. What is there and no link
    is the tool's own and stays; without the link nothing but that name is missing.
    """
    if not place.link or (os.path.lexists(place.link) and not os.path.islink(place.link)):
        return
    part = f"{place.link}.{os.urandom(4).hex()}"
    with suppress(OSError, NotImplementedError):
        os.symlink(os.path.relpath(file, os.path.dirname(place.link)), part)
        os.replace(part, place.link)


def tidy(place: Place) -> int:
    """Remove earlier index files that nobody has open; how many went. For whoever holds the place's lock."""
    try:
        keep = find_current_index(place).name
        names = [entry.name for entry in os.scandir(place.directory)]
    except (OSError, StaleIndexError):
        return 0
    gone = 0
    for name in names:
        whose = name.removesuffix("-wal").removesuffix("-shm")
        if whose != name and whose not in names and _named(place, whose):
            # The file that it belonged to was taken away from outside; nobody can open that one again.
            with suppress(OSError):
                os.unlink(place.directory / name)
    for name in names:
        if name != keep and _named(place, name) and is_own_database(place.directory / name):
            gone += _remove(place.directory / name)
    return gone


def remove_index(place: Place) -> bool:
    """Take away all that was derived of a home, unless somebody has its index open; whether it is gone."""
    try:
        names = [entry.name for entry in os.scandir(place.directory)]
    except OSError:
        return True
    if not all(_remove(place.directory / name) for name in names if _named(place, name)):
        return False
    # It loads every kind of archive, for a search too.
    import shutil

    with suppress(OSError):
        shutil.rmtree(place.directory)
    return True


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

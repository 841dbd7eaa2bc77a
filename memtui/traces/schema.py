"""The tables of the conversations' index: tokens and places, never a second copy of the text.

All of it can be made again from the transcripts: a file of another making is left alone and a new one made beside it,
as the index of memories is.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import apsw

from memtui.disk.places import APPLICATION_ID
from memtui.errors import StaleIndexError
from memtui.index import pointer
from memtui.index.schema import BUSY, guarded
from memtui.parse import VERSION as PARSERS
from memtui.text import TOKENIZER
from memtui.text import VERSION as SEGMENTER

if TYPE_CHECKING:
    from memtui.disk.places import Place

VERSION = 1
"""Changes whenever the tables, what is read as a turn, or how it is masked change."""

TABLES = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT UNIQUE);
CREATE TABLE session(id INTEGER PRIMARY KEY, key TEXT UNIQUE, name TEXT, rank INTEGER);
CREATE TABLE file(id INTEGER PRIMARY KEY, path TEXT UNIQUE, kind TEXT, rank INTEGER, size INTEGER, modified INTEGER,
  inode INTEGER, done INTEGER, line INTEGER, first INTEGER, last INTEGER, state TEXT, skipped INTEGER, whole INTEGER);
CREATE TABLE turn(id INTEGER PRIMARY KEY, file INTEGER, session INTEGER, line INTEGER, start INTEGER, size INTEGER,
  part INTEGER, role INTEGER, tool INTEGER, time INTEGER, crc INTEGER, secret INTEGER, item INTEGER);
CREATE INDEX turn_file ON turn(file, line);
CREATE VIRTUAL TABLE fts USING fts5(body, content='', contentless_delete=1, tokenize='{TOKENIZER}');
INSERT INTO fts(fts, rank) VALUES('hashsize', {16 << 20});
"""
"""`file.done` is the byte up to which it was taken in (of a table, the row), `first` and `last` are checks of its first
bytes and of those before `done`; `whole`: nothing of it is left. `turn.crc` is of the words before they were masked,
`secret` whether any were; `item` what of a Codex rollout an event may repeat. Times are milliseconds."""


def beside(place: Place) -> Place:
    """The conversations' place, beside the index of memories, with a lock of its own."""
    return place._replace(stem="traces", lock=place.lock.with_suffix(".traces.lock"))


def connect(place: Place, *, write: bool = False) -> apsw.Connection:
    """Open the index. Raises StaleIndexError: there is none, or it is of another making."""
    file = pointer.current(place)
    flags = apsw.SQLITE_OPEN_READWRITE if write else apsw.SQLITE_OPEN_READONLY
    with guarded():
        db = apsw.Connection(str(file), flags=flags)
        try:
            _settle(db, write)
            if db.execute("PRAGMA application_id").get != APPLICATION_ID:
                raise StaleIndexError("the index file is not one of memtui's")
            held: dict[Any, Any] = dict(db.execute("SELECT key, value FROM meta").fetchall())  # type: ignore[arg-type]
            if any(held.get(key) != value for key, value in _versions().items()):
                raise StaleIndexError("the conversations' index is of another making")
        except BaseException:
            db.close()
            raise
        return db


def damaged(error: StaleIndexError) -> bool:
    """Whether the file itself is broken, where opening it does not look; a full disk and another process pass."""
    return isinstance(error.__cause__, (apsw.CorruptError, apsw.NotADBError))


def create(file: str, layout: str) -> apsw.Connection:
    """Make an index file that does not exist yet. Raises StaleIndexError."""
    with guarded():
        db = apsw.Connection(file, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        try:
            db.execute(f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={VERSION}")
            _settle(db, True)
            with db:
                db.execute(TABLES)
                meta = {**_versions(), "layout": layout, "built_at": int(time.time())}
                db.executemany("INSERT INTO meta VALUES(?, ?)", list(meta.items()))
        except BaseException:
            db.close()
            raise
        return db


def _versions() -> dict[str, str | int]:
    return {"traces": VERSION, "tokenizer": f"{SEGMENTER} {TOKENIZER}", "parsers": PARSERS}


def _settle(db: apsw.Connection, write: bool) -> None:
    db.set_busy_timeout(BUSY)
    db.execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
    if write:
        db.execute("PRAGMA journal_mode=WAL").fetchall()
        db.execute("PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=4000")
    else:
        db.execute("PRAGMA query_only=ON")

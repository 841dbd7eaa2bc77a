"""Conversations in the index: the text of a turn, its tables, how far each transcript was taken in, and the writer.

- The words of a turn as they are indexed and shown, made in one place so that both agree: secrets masked,
  pictures and colours left out, bounded length.
- From a transcript's records to its turns, for every tool (`build_turn_text`, `parse_trace_document`, `Table`).
- `KnownTranscript`: how far a file was taken in, and whether it is still the same file.
- The tables: tokens and places, never the text; a file of another version is left alone and a new one made.
- `Shelving`: turns written in transactions that can be broken off at any point.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import apsw

from memtui.core.errors import StaleIndexError, UnavailableError
from memtui.core.locale import _
from memtui.core.startup import compile_pattern
from memtui.core.text import TOKENIZER, segment_text
from memtui.core.text import VERSION as SEGMENTER
from memtui.formats import VERSION as PARSERS
from memtui.formats import mask_text_secrets
from memtui.formats.json_spans import JsonReader
from memtui.formats.records import fit_line, format_json_value, parse_moment
from memtui.formats.transcript_claude import Talk
from memtui.formats.transcript_codex import Rollout
from memtui.formats.transcripts import THINKING, Messages
from memtui.fs.database_rows import format_sqlite_error, list_tables, open_read_only
from memtui.fs.places import APPLICATION_ID
from memtui.index import schema
from memtui.index.filters import ROLES
from memtui.index.schema import BUSY, translate_sqlite_errors

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    from memtui.core.model import Turn
    from memtui.fs.places import Place
    from memtui.layouts.trace_sources import TranscriptSource

MOST = 100_000
"""Characters of one turn that are indexed: tools cut their own output far below that."""

_MARGIN = 4_096
_COLOURS = compile_pattern(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)?|[@-Z\\-_])")
_PICTURE = compile_pattern(r"[A-Za-z0-9+/]{2000,}={0,2}")
_ENCODED = compile_pattern(
    r"(?:data:[\w/+.;=-]{0,100};base64,)?[A-Za-z0-9+/]{200,}={0,2}|(?:[A-Za-z0-9+/]{72,76}\r?\n){8,}"
)
_SHORTEST = 72
_SIGN = "[base64]"


def strip_escape_sequences(text: str) -> str:
    """Before anything is masked: without escape sequences, as a secret in colours must be known for one.

    Lone surrogates become question marks.
    """
    if len(text) > MOST:
        # What stands behind a picture is not to be cut off for it.
        text = _PICTURE.sub(_SIGN, text)[: MOST + _MARGIN]
    return _COLOURS.sub("", format_json_value(text)) if "\x1b" in text else format_json_value(text)


def extract_masked_words(text: str) -> tuple[str, bool]:
    """The words of a cleaned text, and whether a secret was masked in them."""
    masked = mask_text_secrets(text)
    return strip_base64(masked), masked != text


def strip_base64(text: str) -> str:
    """At most `MOST` characters, what is encoded in base64 named instead of shown."""
    # Splitting is many times faster than looking for what few texts hold.
    if len(text) > _SHORTEST and max(map(len, text.split()), default=0) >= _SHORTEST:
        text = _ENCODED.sub(_SIGN, text)
    return text[:MOST].replace("\0", " ")


KEEPERS: Mapping[str, type[Talk | Rollout | Messages]] = {
    "claude": Talk,
    "codex": Rollout,
    "message": Messages,
}
"""What makes turns of a JSONL file's records, by the source's kind."""

LARGEST_DOCUMENT = 16 * 1024 * 1024
ROWS, CHARACTERS = 500, 4_000_000
"""What of a table is read at once: its writer waits for no reader for long."""
_LONGEST_CELL = 200_000

_TABLE = "conversation_turns"
_COLUMNS = (
    "session_id", "role", "content", "tool_calls", "tool_results", "timestamp", "tool_call_id", "created_at",
    "reasoning_content",
)  # fmt: skip


def classify_turn(turn: Turn) -> str:
    """What a turn is, as one of `ROLES`."""
    if turn.role == "tool":
        return "tool_result"
    if turn.role == "assistant" and turn.tool:
        return "tool_call"
    if turn.text.startswith(THINKING):
        return "thinking"
    return turn.role if turn.role in ROLES else "system"


def build_turn_text(turn: Turn) -> str:
    """What of a turn is searched and shown: a call begins with the tool's name."""
    if turn.role == "assistant" and turn.tool:
        return f"{turn.tool}\n{turn.text}"
    return turn.text.removeprefix(THINKING)


def parse_trace_document(data: bytes, path: str) -> tuple[str, list[Turn]]:
    """The session and the turns of one react trace."""
    reader = JsonReader(data.decode("utf-8", "replace"), path)
    messages = Messages(whole=True)
    facts: dict[str, Any] = {}
    if reader.peek() == "{":
        for key in reader.members():
            if key == "iterations" and reader.peek() == "[":
                for item in reader.items():
                    if isinstance(item.value, dict):
                        messages.take(item.value, item.start)
            else:
                single = reader.value()
                facts[key] = None if single is None else single.value
    session = fit_line(facts.get("conversation_id")) or fit_line(facts.get("session_id"))
    began = parse_moment(facts.get("started_at"))
    return session, [turn if turn.time else turn._replace(time=began) for turn in messages.turns]


class Table:
    """OpenAkita's conversation_turns, read by introspection, in bites and without a trace."""

    def __init__(self, source: TranscriptSource) -> None:
        self._file = os.path.join(source.root, source.inside)

    def _ask(self, condition: str, *values: int) -> list[tuple[int, dict[str, Any]]]:
        found: list[tuple[int, dict[str, Any]]] = []
        try:
            with open_read_only(self._file) as connection:
                have = {name.lower() for name in list_tables(connection).get(_TABLE, [])}
                wanted = [name for name in _COLUMNS if name in have]
                if not wanted:
                    return []
                cells = ", ".join(f"CAST(substr({name}, 1, {_LONGEST_CELL}) AS BLOB)" for name in wanted)
                size = 0
                for row in connection.execute(f"SELECT rowid, {cells} FROM {_TABLE} WHERE {condition}", values):
                    texts = [cell.decode("utf-8", "replace") if isinstance(cell, bytes) else "" for cell in row[1:]]
                    size += sum(map(len, texts))
                    record = {name: text for name, text in zip(wanted, texts, strict=True) if text}
                    found.append((int(str(row[0])), record))
                    if size > CHARACTERS:
                        break
        except apsw.Error as error:
            raise UnavailableError(format_sqlite_error(error)) from None
        return found

    def after(self, row: int) -> list[tuple[int, dict[str, Any]]]:
        """The next rows, each with its id; none: there are no more. Raises UnavailableError."""
        return self._ask(f"rowid > ? ORDER BY rowid LIMIT {ROWS}", row)

    def at(self, row: int) -> dict[str, Any] | None:
        """One row. Raises UnavailableError."""
        return next((record for _id, record in self._ask("rowid = ?", row)), None)

    def count(self, upto: int) -> int:
        """How many rows there are up to this one. Raises UnavailableError."""
        try:
            with open_read_only(self._file) as connection:
                if _TABLE not in list_tables(connection):
                    return 0
                return int(connection.execute(f"SELECT count(*) FROM {_TABLE} WHERE rowid <= ?", (upto,)).get)
        except apsw.Error as error:
            raise UnavailableError(format_sqlite_error(error)) from None


CHECK = 1024
"""Bytes at a file's beginning, and before the place where reading goes on, that must be what they were."""


class KnownTranscript(NamedTuple):
    """A file of the index, column by column."""

    id: int = 0
    size: int = -1
    modified: int = -1
    inode: int = -1
    done: int = 0
    """The byte where reading goes on; of a table, the last row."""
    line: int = 1
    """The line that begins there; of a table, the number of rows up to there."""
    first: int = 0
    last: int = 0
    state: str = "{}"
    skipped: int = 0
    whole: int = 0

    def fresh(self, source: TranscriptSource) -> bool:
        """Whether nothing can have changed since."""
        seen = (self.size, self.modified, self.inode)
        return bool(self.whole) and seen == (source.size, source.modified, source.inode)

    def same(self, opened: BinaryIO, source: TranscriptSource) -> bool:
        """Whether what was taken in still stands at the beginning of the file."""
        if source.inode != self.inode or source.size < self.done:
            return False
        return compute_file_checks(opened, self.done) == (self.first, self.last)


_FIELDS = KnownTranscript._fields


def read_known_files(db: apsw.Connection) -> dict[str, KnownTranscript]:
    """The files that the index holds, by path."""
    rows = db.execute(f"SELECT path, {', '.join(_FIELDS)} FROM file").fetchall()
    return {str(path): KnownTranscript(*rest) for path, *rest in rows}  # type: ignore[arg-type]


def begin(db: apsw.Connection, source: TranscriptSource) -> KnownTranscript:
    """A file that the index does not hold yet."""
    sql = "INSERT INTO file(path, kind, rank) VALUES(?, ?, ?) RETURNING id"
    return KnownTranscript(int(db.execute(sql, (source.path, source.kind, source.rank)).get))


def keep(db: apsw.Connection, file: KnownTranscript, source: TranscriptSource, **values: Any) -> KnownTranscript:
    """Remember how far a file was taken in; with `whole`, that it need not be opened while it stays what it is."""
    file = file._replace(inode=source.inode, **{"whole": 0, **values})
    if file.whole:
        file = file._replace(size=source.size, modified=source.modified)
    db.execute(
        f"UPDATE file SET {', '.join(f'{name} = ?' for name in _FIELDS[1:])} WHERE id = ?",
        (*file[1:], file.id),
    )
    return file


def compute_file_checks(opened: BinaryIO, end: int) -> tuple[int, int]:
    """Of the first bytes of a file, and of those before `end`; it is where it was afterwards."""
    at = opened.tell()
    opened.seek(0)
    first = crc32(opened.read(min(CHECK, end)))
    opened.seek(max(0, end - CHECK))
    last = crc32(opened.read(min(CHECK, end)))
    opened.seek(at)
    return first, last


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


def find_transcript_place(place: Place) -> Place:
    """The conversations' place, beside the index of memories, with a lock of its own."""
    return place._replace(stem="traces", lock=place.lock.with_suffix(".traces.lock"))


def connect(place: Place, *, write: bool = False) -> apsw.Connection:
    """Open the index. Raises StaleIndexError: there is none, or it is of another making."""
    file = schema.find_current_index(place)
    flags = apsw.SQLITE_OPEN_READWRITE if write else apsw.SQLITE_OPEN_READONLY
    with translate_sqlite_errors():
        db = apsw.Connection(str(file), flags=flags)
        try:
            _settle(db, write)
            if db.execute("PRAGMA application_id").get != APPLICATION_ID:
                raise StaleIndexError(_("the index file is not one of memtui's"))
            held: dict[Any, Any] = dict(db.execute("SELECT key, value FROM meta").fetchall())  # type: ignore[arg-type]
            if any(held.get(key) != value for key, value in _list_versions().items()):
                raise StaleIndexError(_("the conversations' index is of another making"))
        except BaseException:
            db.close()
            raise
        return db


def is_index_damaged(error: StaleIndexError) -> bool:
    """Whether the file itself is broken, where opening it does not look; a full disk and another process pass."""
    return isinstance(error.__cause__, (apsw.CorruptError, apsw.NotADBError))


def create(file: str, layout: str) -> apsw.Connection:
    """Make an index file that does not exist yet. Raises StaleIndexError."""
    with translate_sqlite_errors():
        db = apsw.Connection(file, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        try:
            db.execute(f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={VERSION}")
            _settle(db, True)
            with db:
                db.execute(TABLES)
                meta = {**_list_versions(), "layout": layout, "built_at": int(time.time())}
                db.executemany("INSERT INTO meta VALUES(?, ?)", list(meta.items()))
        except BaseException:
            db.close()
            raise
        return db


def _list_versions() -> dict[str, str | int]:
    return {"traces": VERSION, "tokenizer": f"{SEGMENTER} {TOKENIZER}", "parsers": PARSERS}


def _settle(db: apsw.Connection, write: bool) -> None:
    db.set_busy_timeout(BUSY)
    db.execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
    if write:
        db.execute("PRAGMA journal_mode=WAL").fetchall()
        db.execute("PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=4000")
    else:
        db.execute("PRAGMA query_only=ON")


_ROLE = {name: code for code, name in enumerate(ROLES)}
ITEMS = ("", "user", "assistant", "thinking")
"""What an item of a Codex rollout may be that an event repeats, by its number."""
_BATCH = 256
_ODD = compile_pattern(r"\W+")


def compute_text_checksum(text: str) -> int:
    """A number that changes with the words: what is shown is what was indexed, or is not shown."""
    return crc32(text.encode("utf-8", "replace"))


class Shelving:
    """The one who writes, in one transaction at a time. Begin it with `open`."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._next = int(db.execute("SELECT coalesce(max(id), 0) FROM turn").get) + 1
        self._names: dict[str, int] = dict(db.execute("SELECT text, id FROM name").fetchall())  # type: ignore[arg-type]
        self._sessions: dict[str, tuple[int, int]] = {}
        self._turns: list[tuple[object, ...]] = []
        self._words: list[tuple[int, str]] = []

    def add(
        self, file: int, rank: int, session: str, turn: Turn, start: int, size: int, part: int, item: str = ""
    ) -> None:
        """Keep one turn of a file."""
        text = strip_escape_sequences(build_turn_text(turn))
        body, secret = extract_masked_words(text)
        number = self._next
        self._next += 1
        tool = self._name(turn.tool) if turn.tool else None
        time = None if turn.time is None else int(turn.time * 1000)
        self._turns.append(
            (
                number,
                file,
                self._store_session(session, rank),
                turn.line,
                start,
                size,
                part,
                _ROLE[classify_turn(turn)],
                tool,
                time,
                compute_text_checksum(text),
                int(secret),
                ITEMS.index(item),
            )
        )
        self._words.append((number, segment_text(body)))
        if len(self._turns) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what is held."""
        if self._turns:
            holes = ", ".join("?" * len(self._turns[0]))
            self._db.executemany(f"INSERT INTO turn VALUES({holes})", self._turns)
            self._db.executemany("INSERT INTO fts(rowid, body) VALUES(?, ?)", self._words)
            self._turns, self._words = [], []

    def forget(self, file: int, item: str = "") -> None:
        """Take a file's turns out again, or those that were items of this kind."""
        self.flush()
        condition = "file = ? AND (? = 0 OR item = ?)"
        code = ITEMS.index(item)
        values = (file, code, code)
        self._db.execute(f"DELETE FROM fts WHERE rowid IN (SELECT id FROM turn WHERE {condition})", values)
        self._db.execute(f"DELETE FROM turn WHERE {condition}", values)
        if not item and int(self._db.execute("SELECT count(DISTINCT rank) FROM file").get) > 1:
            # A session may stand in another source, which was not shown while this one held it.
            self._db.execute(
                "UPDATE session SET rank = held.rank FROM (SELECT turn.session AS id, min(file.rank) AS rank FROM turn"
                " JOIN file ON file.id = turn.file GROUP BY 1) AS held WHERE held.id = session.id"
            )
            self._sessions.clear()

    def _name(self, text: str) -> int:
        known = self._names.get(text)
        if known is None:
            known = self._names[text] = len(self._names) + 1
            self._db.execute("INSERT INTO name VALUES(?, ?)", (known, text))
        return known

    def _store_session(self, name: str, rank: int) -> int:
        known = self._sessions.get(name)
        if known is None or known[1] > rank:
            # Files are named after sessions by what a file may be called.
            key = _ODD.sub("_", name)
            row = self._db.execute(
                "INSERT INTO session(key, name, rank) VALUES(?, ?, ?)"
                " ON CONFLICT(key) DO UPDATE SET rank = min(rank, excluded.rank),"
                " name = CASE WHEN excluded.rank < rank THEN excluded.name ELSE name END RETURNING id, rank",
                (key, name, rank),
            ).fetchall()[0]
            known = self._sessions[name] = (int(str(row[0])), int(str(row[1])))
        return known[0]

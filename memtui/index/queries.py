"""One home's index as its readers see it: counts, lists and rows, but no text, which stands in the files.

`Index` is one open index, for one thread. The functions below it make the lists that several homes share (sort
keys to be merged, outlines, counts by status) and follow the links between entries.
"""

from __future__ import annotations

import os
from array import array
from contextlib import contextmanager, suppress

from memtui.core import clock
from memtui.core.errors import StaleIndexError
from memtui.core.model import Layer, Order, Problem, Status
from memtui.core.startup import TYPE_CHECKING, Any, cast
from memtui.index import schema
from memtui.index.filters import (
    IndexedFile,
    IndexMoment,
    IndexProgress,
    IndexRow,
    Outline,
    build_filter_condition,
    build_kind_condition,
    compute_row_status,
)
from memtui.index.schema import (
    LAYER,
    LAYER_CODE,
    LAYERS,
    SEPARATOR,
    SESSION,
    STATUSES,
    TAGS,
    translate_decode_errors,
    translate_sqlite_errors,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from memtui.core.model import Filter
    from memtui.fs.places import Place
    from memtui.index.rows import Chunker

_ORDERS = {
    "recent": "entry.id DESC",
    # Which is first of many at one time depends on what stands on the disk, not on when it was taken in.
    "time": "coalesce(entry.ts, file.mtime / 1000000000) DESC, file.path DESC, entry.line DESC, entry.id DESC",
    "dated": "entry.ts IS NULL, coalesce(entry.ts, file.mtime / 1000000000) DESC, file.path DESC, entry.line DESC,"
    " entry.id DESC",
    "path": "file.path, entry.line, entry.id",
    "confidence": "entry.confidence DESC, entry.id DESC",
}

_JOURNAL = """SELECT id FROM (
 SELECT * FROM (SELECT entry.id AS id, entry.ts AS ts, file.path AS path, entry.line AS line
  FROM entry INDEXED BY entry_journal JOIN file ON file.id = entry.file WHERE entry.ts BETWEEN {2} AND {3} AND {0}
  ORDER BY entry.ts DESC, file.path DESC, entry.line DESC, entry.id DESC LIMIT {1})
 UNION ALL
 SELECT * FROM (SELECT entry.id, file.mtime / 1000000000, file.path, entry.line
  FROM entry INDEXED BY entry_journal JOIN file ON file.id = entry.file WHERE entry.ts IS NULL AND {0}
  ORDER BY 2 DESC, 3 DESC, 4 DESC, 1 DESC LIMIT {1}))
 ORDER BY ts DESC, path DESC, line DESC, id DESC LIMIT ?"""
"""The newest of the journal, as `_ORDERS` has them by their times, without a look at all the others."""
_FAR = 1 << 40
"""Seconds: no entry is as far from 1970."""

_COLUMNS = """entry.id, file.path, entry.line, entry.last, entry.start, entry.size, entry.layer, entry.kind,
 entry.status, entry.ts, file.mtime, entry.expires, entry.confidence, entry.heading, entry.key,
 entry.successor, entry.crc, file.etag, entry.file, entry.level, entry.reach, file.bare
 FROM entry JOIN file ON file.id = entry.file"""


class Index:
    """An open index. One a thread: SQLite would make threads wait for each other anyway.

    Every method raises StaleIndexError when the file turns out to be unusable; whoever asked should scan then.
    """

    def __init__(self, place: Place, file: Path, *, write: bool = False) -> None:
        self.place = place
        self.path = file
        self.db = schema.connect(os.fspath(file), write=write)
        self._identity = schema.read_index_identity(file)
        self._pointed = 0, 0
        self.writable = write
        self._checkpointed = -1
        self.chunker: Chunker | None = None
        """Kept from one sync to the next, for the names it knows; None after one that failed."""
        self._names: dict[int, str] = {}
        self._headings: dict[int | None, tuple[str, ...]] = {None: ()}
        self._told: dict[str, object] | None = None
        """What `meta` holds, while what is read is of one moment."""
        self._counted: tuple[int, dict[str, list[Any]]] = -1, {}
        """What was counted, and the generation that it is of."""

    @classmethod
    def open(cls, place: Place, *, write: bool = False) -> Self:
        """Open the current index of a place. Raises StaleIndexError: none, unusable, or of another making."""
        return cls(place, schema.find_current_index(place), write=write)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file. Closing twice is fine."""
        self.db.close()

    def reopen(self) -> None:
        """Open the same file again after `close`."""
        self.db = schema.connect(os.fspath(self.path), write=self.writable)
        self._checkpointed = -1
        self._identity = schema.read_index_identity(self.path)

    def checkpoint_after(self, pages: int) -> None:
        """Put the log into the index whenever it has so many pages; 0: never by itself."""
        if self._checkpointed != pages:
            self.db.execute(f"PRAGMA wal_autocheckpoint={pages}").fetchall()
            self._checkpointed = pages

    def interrupt(self) -> None:
        """End a query that another thread is running here; that thread gets apsw.InterruptError."""
        self.db.interrupt()

    def replaced(self) -> bool:
        """Whether another index file has become the current one, or this one was removed while it is open."""
        try:
            status = os.stat(self.place.pointer)
            pointed = status.st_ino, status.st_mtime_ns
            # The pointer is never written to, only replaced: it need not be read again while it is the same file.
            if pointed != self._pointed and schema.find_current_index(self.place) != self.path:
                return True
            self._pointed = pointed
            return schema.read_index_identity(self.path) != self._identity
        except (OSError, StaleIndexError):
            return True

    def bytes(self) -> int:
        """What it takes on the disk, the write-ahead log with it."""
        total = 0
        for name in (self.path, f"{self.path}-wal"):
            with suppress(OSError):
                total += os.stat(name).st_size
        return total

    @contextmanager
    def still(self) -> Iterator[None]:
        """What is read inside is of one moment, whatever is committed meanwhile."""
        inside = self.db.in_transaction
        if not inside:
            self.db.execute("BEGIN")
            self._told = None if self.writable else {}
        try:
            yield
        finally:
            if not inside:
                self._told = None
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")

    def meta(self, key: str) -> object:
        """One value of the `meta` table; None if it is not there."""
        told = self._told
        if told is not None:
            if not told:
                with translate_decode_errors():
                    told.update(self._fetch_all("SELECT key, value FROM meta"))
            return told.get(key)
        with translate_decode_errors():
            return self.db.execute("SELECT value FROM meta WHERE key=?", (key,)).get

    def generation(self) -> int:
        """Grows with every change to the index: compare it to know whether to ask again."""
        held = self.meta("generation")
        if isinstance(held, int):
            return held
        with translate_decode_errors():
            return int(str(held or 0))

    def layer_marks(self, layers: Iterable[Layer]) -> tuple[object, ...]:
        """The generation in which something of each of these layers changed last, None for never, behind the index's
        file: equal marks are of the same entries.
        """
        keys = [f"{LAYER}{LAYER_CODE[layer]}" for layer in sorted(layers)]
        with translate_decode_errors():
            found = dict(
                self._fetch_all(f"SELECT key, value FROM meta WHERE key IN ({','.join('?' * len(keys))})", keys)
            )
        return (str(self.path), self.meta("built_at"), *map(found.get, keys))

    def progress(self) -> IndexProgress:
        """How much of the home the index holds."""
        with translate_decode_errors():
            held = dict(self._fetch_all("SELECT key, value FROM meta WHERE key IN ('complete', 'total')"))
            done = int(self.db.execute("SELECT count(*) FROM file").get)
            complete = bool(held.get("complete"))
            total = int(held.get("total") or 0)
            return IndexProgress(done, done if complete else max(done, total) if total else 0, complete)

    def counts(self, *, now: float | None = None, parts: bool = False) -> dict[tuple[Layer, str, Status], int]:
        """How many memories there are of each layer, kind and status, as they stand at `now` (seconds); with their
        `parts`, how many entries."""
        moment = int(clock.now() if now is None else now)
        some = "" if parts else " AND level = 0"
        found: dict[tuple[Layer, str, Status], int] = {}
        with translate_decode_errors():
            tally = self._count(
                f"SELECT layer, kind, status, sum(n) FROM tally WHERE n > 0{some} GROUP BY layer, kind, status"
            )
            earliest = self._count("SELECT min(expires) FROM entry INDEXED BY entry_expires WHERE expires IS NOT NULL")[
                0
            ][0]
            gone = (
                []
                if earliest is None or earliest > moment
                else self._fetch_all(
                    "SELECT layer, kind, status, count(*) FROM entry INDEXED BY entry_expires"
                    f" WHERE expires IS NOT NULL AND expires <= ?{some} GROUP BY layer, kind, status",
                    (moment,),
                )
            )
            for layer, kind, code, number in tally:
                key = (LAYERS[layer], self.name(kind), STATUSES[code])
                found[key] = found.get(key, 0) + number
            for layer, kind, code, number in gone:
                status = compute_row_status(code, 0, moment)
                if status is not STATUSES[code]:
                    found[LAYERS[layer], self.name(kind), STATUSES[code]] -= number
                    key = (LAYERS[layer], self.name(kind), status)
                    found[key] = found.get(key, 0) + number
            return {key: number for key, number in found.items() if number > 0}

    def count_entries(self) -> int:
        """How many entries there are, parts and what was put away included."""
        return int(self._count("SELECT coalesce(sum(n), 0) FROM tally")[0][0])

    def _count(self, sql: str) -> list[Any]:
        """The rows of a question whose answer changes with the generation only, which is asked once in each."""
        if self.writable:
            return self._fetch_all(sql)
        generation = self.generation()
        if self._counted[0] != generation:
            self._counted = generation, {}
        held = self._counted[1]
        rows = held.get(sql)
        if rows is None:
            rows = held[sql] = self._fetch_all(sql)
        return rows

    def files(self) -> list[IndexedFile]:
        """Every file the index holds, by path."""
        with translate_decode_errors():
            rows = self.db.execute("SELECT id, path, mtime, size, etag, title, entries FROM file ORDER BY path")
            return [
                IndexedFile(id_, path, mtime / 1e9, size, (etag or b"").hex(), title or "", entries or 0)
                for id_, path, mtime, size, etag, title, entries in rows
            ]

    def problems(self) -> list[Problem]:
        """What could not be read, by path and line."""
        with translate_decode_errors():
            rows = self._fetch_all("SELECT path, line, reason FROM problem ORDER BY path, line, reason")
            return [Problem(path, line, reason) for path, line, reason in rows]

    def ids(
        self,
        wanted: Filter,
        order: Order = "recent",
        limit: int | None = None,
    ) -> array[int]:
        """The ids that pass a filter. `recent`: as last seen to change, newest first; `time`: by their times."""
        if not self.holds(wanted):
            return array("q")
        condition, values = build_filter_condition(wanted)
        joined = "" if order in {"recent", "confidence"} else " JOIN file ON file.id = entry.file"
        sql = f"SELECT entry.id FROM entry{joined} WHERE {condition} ORDER BY {_ORDERS[order]} LIMIT ?"
        if order == "time" and limit is not None and wanted.layers == {Layer.JOURNAL}:
            ends = (int(-_FAR if wanted.since is None else wanted.since), int(wanted.until or _FAR))
            sql, values = _JOURNAL.format(condition, int(limit), *ends), values * 2
        with translate_decode_errors():
            found = self._fetch_all(sql, (*values, -1 if limit is None else limit))
            return array("q", [row[0] for row in found])

    def holds(self, wanted: Filter) -> bool:
        """Whether there are entries of a filter's layers and kinds, whatever else it asks for: a look at the counts."""
        if not wanted.kinds:
            return True
        term, values = build_kind_condition(wanted.kinds)
        layers = ",".join(str(LAYER_CODE[layer]) for layer in wanted.layers or LAYERS)
        with translate_decode_errors():
            found = self._fetch_all(
                f"SELECT 1 FROM tally WHERE n > 0 AND layer IN ({layers}) AND {term} LIMIT 1", values
            )
        return bool(found)

    def count(self, wanted: Filter) -> int:
        """How many entries pass a filter."""
        condition, values = build_filter_condition(wanted)
        with translate_decode_errors():
            return int(self.db.execute(f"SELECT count(*) FROM entry WHERE {condition}", values).get)

    def rows(self, ids: Iterable[int]) -> list[IndexRow]:
        """The rows of these ids, in their order; ids that are gone are left out."""
        wanted = list(ids)
        found: dict[int, IndexRow] = {}
        now = clock.now()
        with translate_decode_errors():
            for start in range(0, len(wanted), 500):
                some = wanted[start : start + 500]
                sql = f"SELECT {_COLUMNS} WHERE entry.id IN ({','.join('?' * len(some))})"
                found.update((values[0], self._build_row(values, now)) for values in self._fetch_all(sql, some))
        return [found[one] for one in wanted if one in found]

    def neighbours(self, id_: int, reach: int = 1) -> list[IndexRow]:
        """The entries before and after this one in its file and under its heading, and itself, by line."""
        with translate_decode_errors():
            own = self.db.execute("SELECT file, line, heading FROM entry WHERE id=?", (id_,)).get
            if own is None:
                return []
            file, line, heading = own
            sides = [
                self._fetch_all(
                    f"SELECT id FROM entry WHERE file=? AND line {sign} ? AND heading IS ? AND id <> ?"
                    f" ORDER BY line {way} LIMIT ?",
                    (file, line, heading, id_, reach),
                )
                for sign, way in (("<", "DESC"), (">=", "ASC"))
            ]
        before, after = ([row[0] for row in side] for side in sides)
        return self.rows([*reversed(before), id_, *after])

    def by_key(self, key: str) -> list[IndexRow]:
        """The entries that carry this id of the home's own; unique in a file at best, newest first."""
        return self._select("entry.key = ? ORDER BY entry.id DESC", (key,))

    def row_at(self, path: str, line: int) -> IndexRow | None:
        """The entry that stands on this line of a file (1-based); the innermost, where several do."""
        found = self._select(
            "entry.file = (SELECT id FROM file WHERE path=?) AND entry.line <= ? AND entry.last >= ?"
            " ORDER BY entry.line DESC LIMIT 1",
            (path, line, line),
        )
        return found[0] if found else None

    def in_file(self, path: str) -> list[IndexRow]:
        """The entries of one file, by line."""
        return self._select("entry.file = (SELECT id FROM file WHERE path=?) ORDER BY entry.line, entry.id", (path,))

    def parts(self, path: str, line: int, last: int) -> list[IndexRow]:
        """What stands within the memory that begins on `line` of a file and reaches to `last`, by line."""
        return self._select(
            "entry.file = (SELECT id FROM file WHERE path=?) AND entry.line BETWEEN ? AND ? AND entry.level > 0"
            " ORDER BY entry.line, entry.id",
            (path, line, last),
        )

    def owner(self, path: str, line: int) -> IndexRow | None:
        """The memory that reaches over this line of a file, whichever of its parts stands there."""
        found = self._select(
            "entry.file = (SELECT id FROM file WHERE path=?) AND entry.level = 0 AND entry.line <= ?"
            " ORDER BY entry.line DESC LIMIT 1",
            (path, line),
        )
        return found[0] if found and found[0].reach >= line else None

    def name(self, id_: int | None) -> str:
        """The kind (or joined heading path) that a number stands for."""
        if id_ is None:
            return "note"
        found = self._names.get(id_)
        if found is None:
            # Names are only ever added, so one that was read stays right.
            with translate_decode_errors():
                found = self._names[id_] = self.db.execute("SELECT text FROM name WHERE id=?", (id_,)).get or "note"
        return found

    def heading(self, id_: int | None) -> tuple[str, ...]:
        """The heading path that a number stands for, outermost first."""
        found = self._headings.get(id_)
        if found is None:
            found = self._headings[id_] = tuple(self.name(id_).split(SEPARATOR))
        return found

    def _select(self, condition: str, values: Sequence[object]) -> list[IndexRow]:
        now = clock.now()
        with translate_decode_errors():
            return [
                self._build_row(row, now) for row in self._fetch_all(f"SELECT {_COLUMNS} WHERE {condition}", values)
            ]

    def _fetch_all(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self.db.execute(sql, values).fetchall()

    def _build_row(self, values: tuple[Any, ...], now: float) -> IndexRow:
        code, kind, status, ts, mtime, expires = values[6:12]
        return IndexRow(
            values[0],
            values[1],
            values[2],
            values[3],
            values[4],
            values[5],
            LAYERS[code],
            self.name(kind),
            compute_row_status(status, expires, now),
            mtime / 1e9 if ts is None else ts,
            ts is not None,
            expires,
            values[12],
            self.heading(values[13]),
            values[14] or "",
            values[15] or "",
            values[16],
            (values[17] or b"").hex(),
            values[18],
            values[19],
            values[3] + values[20],
            bool(values[21]),
        )


_KEYS = {
    "recent": "-coalesce(entry.ts, file.mtime / 1000000000)",
    "time": "-coalesce(entry.ts, file.mtime / 1000000000)",
    "dated": f"CASE WHEN entry.ts IS NULL THEN {_FAR} - file.mtime / 1000000000 ELSE -entry.ts END",
    "path": "file.path",
    "confidence": "-coalesce(entry.confidence, -1)",
}
_TIES = {
    "dated": "1, file.path DESC, entry.line DESC, entry.id DESC",
    "path": "file.path, entry.line, entry.id",
    "time": "1, file.path DESC, entry.line DESC, entry.id DESC",
}


def list_sort_keys(index: Index, wanted: Filter, order: str, limit: int | None = None) -> list[tuple[float | str, int]]:
    """The ids that pass a filter, each behind what it is sorted by (ascending), ready to be merged with others'.

    With a `limit` the most recent ones are the last that were written: no more of the index is looked at.
    """
    if not index.holds(wanted):
        return []
    condition, values = build_filter_condition(wanted)
    key = _KEYS.get(order, _KEYS["recent"])
    sql = (
        f"SELECT {key}, entry.id FROM entry JOIN file ON file.id = entry.file WHERE {condition}"
        f" ORDER BY {'entry.id DESC' if limit and order == 'recent' else _TIES.get(order, '1, entry.id DESC')}"
        f" LIMIT {-1 if limit is None else int(limit)}"
    )
    with translate_sqlite_errors():
        return cast("list[tuple[float | str, int]]", index.db.execute(sql, values).fetchall())


def list_outlines(index: Index, wanted: Filter) -> list[Outline]:
    """The files of the entries that pass a filter, by path, each with what it holds of them."""
    if not index.holds(wanted):
        return []
    condition, values = build_filter_condition(wanted)
    sql = (
        "SELECT file.path, file.size, max(entry.last), entry.heading, entry.kind, count(*)"
        f" FROM entry JOIN file ON file.id = entry.file WHERE {condition}"
        " GROUP BY file.id, entry.heading, CASE WHEN entry.heading IS NULL THEN entry.kind END"
        " ORDER BY file.path, min(entry.line)"
    )
    found: dict[str, Outline] = {}
    with translate_sqlite_errors():
        rows = cast("list[tuple[str, int, int, int | None, int, int]]", index.db.execute(sql, values).fetchall())
        for path, size, last, heading, kind, number in rows:
            held = found.get(path, Outline(path, size, 0, {}))
            name = index.name(kind) if heading is None else index.heading(heading)[-1]
            held.sections[name] = held.sections.get(name, 0) + number
            found[path] = held._replace(last=max(held.last, last))
    return list(found.values())


def list_changed_files(index: Index, wanted: Filter, since: float, limit: int) -> list[tuple[float, str]]:
    """When the files of the entries that pass a filter were written, and their paths: the newest since a moment."""
    condition, values = build_filter_condition(wanted)
    sql = (
        "SELECT mtime / 1e9, path FROM file WHERE mtime > ?"
        f" AND EXISTS (SELECT 1 FROM entry WHERE entry.file = file.id AND {condition}) ORDER BY mtime DESC LIMIT ?"
    )
    with translate_sqlite_errors():
        found = index.db.execute(sql, (int(since * 1e9), *values, limit)).fetchall()
        return cast("list[tuple[float, str]]", found)


def list_session_entries(index: Index, wanted: Filter) -> list[tuple[int, str, str]]:
    """The entries that pass a filter and belong to a session: id, the session's id, and the path of the file."""
    condition, values = build_filter_condition(wanted)
    sql = (
        f"SELECT entry.id, substr(name.text, {len(SESSION) + 1}), file.path FROM entry"
        " JOIN name ON name.id = entry.session JOIN file ON file.id = entry.file"
        f" WHERE {condition} ORDER BY entry.id"
    )
    with translate_sqlite_errors():
        return cast("list[tuple[int, str, str]]", index.db.execute(sql, values).fetchall())


def list_file_etags(index: Index, wanted: Filter) -> dict[str, str]:
    """The files of the entries that pass a filter, each with the etag of the bytes that the index was made from."""
    condition, values = build_filter_condition(wanted)
    sql = (
        "SELECT DISTINCT file.path, file.etag FROM entry JOIN file ON file.id = entry.file"
        f" WHERE {condition} ORDER BY file.path"
    )
    with translate_sqlite_errors():
        return dict(cast("list[tuple[str, str]]", index.db.execute(sql, values).fetchall()))


def find_bare_etag(index: Index, path: str) -> str:
    """The etag of a file's bytes, if no secret stands in them; else empty."""
    with translate_sqlite_errors():
        etag: bytes | None = index.db.execute("SELECT etag FROM file WHERE path = ? AND bare", (path,)).get
    return etag.hex() if etag else ""


def count_by_status(index: Index, wanted: Filter) -> dict[Status, int]:
    """How many entries pass a filter, by the status that they have now."""
    now = clock.now()
    condition, values = build_filter_condition(wanted, now=now)
    sql = f"SELECT entry.status, entry.expires <= ?, count(*) FROM entry WHERE {condition} GROUP BY 1, 2"
    found: dict[Status, int] = {}
    with translate_sqlite_errors():
        for code, gone, number in cast(
            "list[tuple[int, int | None, int]]", index.db.execute(sql, (now, *values)).fetchall()
        ):
            status = compute_row_status(code, now if gone else None, now)
            found[status] = found.get(status, 0) + number
    return found


def read_index_moment(index: Index) -> IndexMoment:
    """How the index stands now; what is committed meanwhile is in all of it or in none."""
    with index.still():
        return IndexMoment(
            str(index.path),
            index.bytes(),
            index.progress(),
            sum(index.counts().values()),
            tuple(index.problems()),
        )


def list_entry_checksums(index: Index) -> list[tuple[int, int]]:
    """Every entry's id and checksum."""
    with translate_sqlite_errors():
        return cast("list[tuple[int, int]]", index.db.execute("SELECT id, crc FROM entry").fetchall())


def list_predecessors(index: Index, key: str) -> list[IndexRow]:
    """The entries that name `key` as their successor."""
    with translate_sqlite_errors():
        ids = [row[0] for row in index.db.execute("SELECT id FROM entry WHERE successor = ?", (key,))]
    return index.rows(ids)


def find_twin_spans(
    index: Index, path: str, start: int, end: int
) -> tuple[tuple[int, int], list[tuple[int, int]]] | None:
    """Where a file's bytes may say again what the entry on exactly these lines says: the stamp of the file (time of
    change in ns, size), and start and size of that entry and of every other as long. None: it is not in its bytes."""
    sql = (
        "SELECT file.mtime, file.size, own.start, own.size, other.start FROM file"
        " JOIN entry own ON own.file = file.id AND own.line = ? AND own.last = ?"
        " LEFT JOIN entry other ON other.file = file.id AND other.size = own.size AND other.id <> own.id"
        " WHERE file.path = ?"
    )
    with translate_sqlite_errors():
        rows: list[Any] = index.db.execute(sql, (start, end, path)).fetchall()
    if not rows or rows[0][2] is None:
        return None
    mtime, length, begin, size = rows[0][:4]
    return (mtime, length), [(begin, size), *((other, size) for *_, other in rows if other is not None)]


def list_index_tags(index: Index) -> list[str]:
    """Every tag that the home's memories carry or carried, in order."""
    with translate_sqlite_errors():
        rows = index.db.execute("SELECT text FROM name WHERE text >= ? AND text < ?", (TAGS, chr(ord(TAGS) + 1)))
        return sorted({one for row in rows for one in str(row[0]).split(TAGS) if one})


def list_index_directories(index: Index) -> list[str]:
    """The directories with files in them, by path, relative to the home."""
    with translate_sqlite_errors():
        rows = index.db.execute("SELECT path FROM dir WHERE id IN (SELECT dir FROM file) ORDER BY path")
        return [f"{row[0]}/" for row in rows if row[0]]

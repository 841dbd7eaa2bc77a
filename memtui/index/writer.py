"""Rows written to the index: an unchanged entry keeps its row, and the counts are updated along.

Everything happens inside a transaction that the caller opened, with the place's lock held.
"""

from __future__ import annotations

from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from memtui.fs.locks import hold_lock
from memtui.index import schema
from memtui.index.rows import COUNTED, encode_row_words, order_entry_ids
from memtui.index.schema import COLUMNS, LAYER

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from memtui.core.model import Problem
    from memtui.fs.places import Place
    from memtui.index.rows import Batch, Chunk, TakenFile

_INSERT = f"INSERT INTO entry VALUES({','.join('?' * len(COLUMNS))})"
_FILE = f"INSERT INTO file VALUES(?{',?' * 10})"
_WORDS = "INSERT INTO fts(rowid, body, heading) VALUES(?, ?, ?)"
_PLAIN = COLUMNS[COLUMNS.index("line") :]
"""The columns of a Chunk."""
_CONTENT = _PLAIN.index("size")
"""Where in a Chunk the columns begin that say what it is; before them stands where it is."""
_LAYER, _SESSION = _PLAIN.index("layer"), _PLAIN.index("session")
_COUNTED = itemgetter(*map(_PLAIN.index, ("layer", "kind", "status", "level")))
"""What `tally` counts by, of a Chunk."""
_NAMED = tuple(map(COLUMNS.index, ("kind", "heading", "tags", "session")))
"""Where in a row of `entry` numbers of names stand."""
_FILED, _BORN_IN = COLUMNS.index("file"), COLUMNS.index("session")
_BORN = "INSERT OR IGNORE INTO born VALUES(?, ?)"
_HELD = 500
"""Entries of new files that are put in together: one by one, files cost SQLite as much as what stands in them."""

EXPECTED = -1
"""The signature of a directory that a build is reading: no hash is ever this number."""


class IndexWriter:
    """Writes into one open index. Raises apsw errors: the caller guards."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        self.changed = False
        """Whether anything changed that a reader could see."""
        self._names: dict[str, int] = {}
        self._directories: dict[str, int] = {}
        self._touched: set[int] = set()
        self._seen: set[int] = set()
        self._tally: Counter[tuple[int, int, int, int]] = Counter()
        """By how much counts differ: 0, too, where something came and as much went."""
        self._layers: set[int] = set()
        """Whose entries may stand elsewhere, or have another time, though none came or went."""
        self._free: dict[str, int] = {}
        """The next number of a file and of an entry; empty: to be asked for."""
        self._files: dict[str, tuple[Any, ...]] = {}
        self._rows: list[tuple[Any, ...]] = []
        self._words: list[tuple[int, bytes, bytes]] = []
        self._born: list[tuple[int, int]] = []
        """What was taken in of new files and is not yet in the tables."""
        self.renamed: dict[int, int] = {}
        """Numbers of names in batches that turned out to be others, since somebody else wrote them first."""

    def number(self, text: str) -> int:
        """The number of a kind or of a joined heading path; a new one where it has none yet."""
        found = self._names.get(text)
        if found is None:
            found = self.db.execute("SELECT id FROM name WHERE text=?", (text,)).get
            if found is None:
                self.db.execute("INSERT INTO name(text) VALUES(?)", (text,))
                found = self.db.last_insert_rowid()
            self._names[text] = found
        return found

    def directory(self, path: str) -> int:
        """The id of a directory, made where it has none; new ones count as never seen."""
        found = self._directories.get(path)
        if found is None:
            found = self.db.execute("SELECT id FROM dir WHERE path=?", (path,)).get
            if found is None:
                self.db.execute("INSERT INTO dir(path) VALUES(?)", (path,))
                found = self.db.last_insert_rowid()
            self._directories[path] = found
        return found

    def put(self, path: str, taken: TakenFile) -> None:
        """A file as it was taken in, in place of what the index has of it."""
        stamp = (taken.mtime, taken.size, taken.ino, taken.ctime)
        if path in self._files:
            self.flush()
        # Asked for here and not known from the plan: another process may have written since.
        held = self.db.execute("SELECT id, dir FROM file WHERE path=?", (path,)).get
        file, directory = held or (0, 0)
        if taken.chunks is None:
            self.db.execute("UPDATE file SET mtime=?, size=?, ino=?, ctime=? WHERE id=?", (*stamp, file))
            return
        self.changed = True
        directory = directory or self.directory(path.rpartition("/")[0])
        self._touched.add(directory)
        values = (*stamp, taken.etag, taken.title or None, len(taken.chunks))
        if file:
            self.flush()
            self.db.execute(
                "UPDATE file SET mtime=?, size=?, ino=?, ctime=?, etag=?, title=?, entries=?, bare=? WHERE id=?",
                (*values, taken.bare, file),
            )
            self._replace(file, taken)
            self.db.execute("DELETE FROM problem WHERE file=?", (file,))
        else:
            file = self._reserve_ids("file", 1)
            self._files[path] = (file, path, *values, directory, taken.bare)
            self._add(file, taken, range(len(taken.chunks)))
            self._note_sessions(file, set(), {row[_SESSION] for row in taken.chunks})
        if taken.problems:
            self.db.executemany("INSERT INTO problem VALUES(?, ?, ?, ?)", [(file, *one) for one in taken.problems])
        if len(self._rows) >= _HELD or len(self._files) >= _HELD:
            self.flush()

    def flush(self) -> None:
        """Put into the tables what is held back."""
        many = self.db.executemany
        if self._files:
            many(_FILE, list(self._files.values()))
            self._files = {}
        if self._rows:
            many(_INSERT, self._rows)
            many(_WORDS, self._words)
            self._rows, self._words = [], []
        if self._born:
            many(_BORN, self._born)
            self._born = []

    def batch(self, batch: Batch, contested: bool = False) -> list[str]:
        """Rows that are finished but for files that the index had before, whose old entries make room for them.

        `contested`: others have written since it was found out what to read. Their rows stay, and the directories of
        such files are answered, to be looked at again.
        """
        racy: list[str] = []
        batch = deduplicate_batch_words(batch)
        if contested:
            batch, racy = self._drop_contested(batch)
        _, names, files, entries, words, _, problems, same, gone, tally, *_ = batch
        many = self.db.executemany
        before = self.db.total_changes()
        many("INSERT OR IGNORE INTO name VALUES(?, ?)", names)
        if self.db.total_changes() - before != len(names):
            self._rename(names)
        if self.renamed:
            new = self.renamed.get
            renamed = [[*one] for one in entries]
            for one in renamed:
                for at in _NAMED:
                    one[at] = new(one[at], one[at])
            entries = list(map(tuple, renamed))
            tally = [(layer, new(kind, kind), *rest) for layer, kind, *rest in tally]  # type: ignore[misc]
        for id_ in gone:
            self.drop(id_)
        for row in files:
            if row[-1] is not None:
                self.drop(row[0])
        many(_FILE, [row[:-1] for row in files])
        many("UPDATE file SET mtime=?, size=?, ino=?, ctime=? WHERE id=? AND etag=?", same)
        many(_INSERT, entries)
        many(_BORN, sorted({(row[_BORN_IN], row[_FILED]) for row in entries if row[_BORN_IN] is not None}))
        many(_WORDS, words)
        many("INSERT INTO problem VALUES(?, ?, ?, ?)", problems)
        for layer, kind, status, level, number in tally:
            self._tally[layer, kind, status, level] += number
        # Their signatures are only written in the end, and only where nobody else touched them meanwhile.
        self._touched.clear()
        self.changed = self.changed or bool(files or gone)
        return racy

    def _rename(self, names: list[tuple[int, str]]) -> None:
        """Others gave these names, or these numbers, meanwhile."""
        for number, text in names:
            found = self.number(text)
            if found != number:
                self.renamed[number] = found

    def _drop_contested(self, batch: Batch) -> tuple[Batch, list[str]]:
        """A batch without the files that others wrote meanwhile; and the directories of those."""
        done, names, files, entries, words, texts, problems, same, _gone, _, racy, last = batch
        passed: set[int] = set()
        kept: list[tuple[Any, ...]] = []
        again: list[str] = []
        for row in files:
            now = self.db.execute("SELECT id, etag FROM file WHERE path=?", (row[1],)).get
            if now == (None if row[-1] is None else (row[0], row[-1])):
                kept.append(row)
            else:
                passed.add(row[0])
                again.append(row[1].rpartition("/")[0])
        pairs = [pair for pair in zip(entries, words, strict=True) if pair[0][_FILED] not in passed]
        entries, words = [entry for entry, _ in pairs], [word for _, word in pairs]
        problems = [row for row in problems if row[0] not in passed]
        counted = Counter(map(COUNTED, entries))
        tally = [(*key, number) for key, number in counted.items()]
        # What is gone was in a directory that is looked at again anyway, and may be back already.
        return (done, names, kept, entries, words, texts, problems, same, [], tally, racy, last), again

    def drop(self, file: int) -> None:
        """Forget a file and its entries."""
        self.flush()
        self.changed = True
        rows: list[Any] = self.db.execute(
            "SELECT id, layer, kind, status, level, session FROM entry WHERE file=?", (file,)
        ).fetchall()
        self._tally.subtract(row[1:5] for row in rows)
        self._note_sessions(file, {row[5] for row in rows}, set())
        self._delete([row[0] for row in rows])
        self.db.execute("DELETE FROM problem WHERE file=?", (file,))
        for (directory,) in self.db.execute("DELETE FROM file WHERE id=? RETURNING dir", (file,)):
            self._touched.add(directory)

    def leave(self, directory: int) -> None:
        """Forget a directory; its files are dropped one by one."""
        self.db.execute("DELETE FROM problem WHERE file=?", (-directory,))
        self.db.execute("DELETE FROM dir WHERE id=?", (directory,))

    def seen(self, path: str, signature: int | None, problems: list[Problem], *, built: bool = False) -> None:
        """A directory as it was last listed. Signature None: to be looked at again, whatever it is then.

        `built`: it was listed when a build began, and others may have changed what is in it since (`expect`).
        """
        id_ = self.directory(path)
        self._seen.add(id_)
        unmoved = f" AND signature = {EXPECTED}" if built else ""
        self.db.execute(f"UPDATE dir SET signature=? WHERE id=?{unmoved}", (signature, id_))
        held = self.db.execute("SELECT path, line, reason FROM problem WHERE file=?", (-id_,)).fetchall()
        if held != [tuple(one) for one in problems]:
            self.changed = True
            self.db.execute("DELETE FROM problem WHERE file=?", (-id_,))
            self.db.executemany("INSERT INTO problem VALUES(?, ?, ?, ?)", [(-id_, *one) for one in problems])

    def expect(self, paths: Iterable[str]) -> dict[str, int]:
        """Mark directories as being read, made where they are new; whoever changes one takes the mark away."""
        held = {path: self.directory(path) for path in paths}
        self.db.executemany(f"UPDATE dir SET signature={EXPECTED} WHERE id=?", [(id_,) for id_ in held.values()])
        return held

    def finish(self) -> None:
        """Bring the tables and counts up to date and, if a reader could see a difference, let the generation grow."""
        self.flush()
        self._free.clear()
        for key, number in self._tally.items():
            if number:
                self.db.execute(
                    "INSERT INTO tally VALUES(?, ?, ?, ?, ?) ON CONFLICT(layer, kind, status, level)"
                    " DO UPDATE SET n = n + ?",
                    (*key, number, number),
                )
        self._layers.update(layer for layer, *_ in self._tally)
        self._tally.clear()
        # Files were changed in these without looking at the whole directory: a signature from before could come true
        # again (a file made and unmade), so it must not be believed.
        stale = [(id_,) for id_ in self._touched - self._seen]
        self.db.executemany("UPDATE dir SET signature=NULL WHERE id=? AND signature IS NOT NULL", stale)
        self._touched.clear()
        if self.changed:
            self.db.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
            self.db.executemany(
                "INSERT OR REPLACE INTO meta SELECT ?, value FROM meta WHERE key = 'generation'",
                [(f"{LAYER}{layer}",) for layer in self._layers],
            )
            self.changed = False
        self._layers.clear()

    def _replace(self, file: int, taken: TakenFile) -> None:
        new = taken.chunks or []
        old: list[tuple[Any, ...]] = self.db.execute(
            f"SELECT {', '.join(_PLAIN)}, id FROM entry WHERE file=? ORDER BY line, id", (file,)
        ).fetchall()
        head, tail = _count_shared_ends(old, new)
        gone = old[head : len(old) - tail]
        self._layers.update({row[_LAYER] for row in (*old, *new)})
        # Before anything goes: no number is given twice.
        self._add(file, taken, range(head, len(new) - tail))
        self._tally.subtract(map(_COUNTED, gone))
        self._delete([row[-1] for row in gone])
        self._move(file, old, new, head, tail)
        self._note_sessions(file, {row[_SESSION] for row in old}, {row[_SESSION] for row in new})

    def _add(self, file: int, taken: TakenFile, places: range) -> None:
        """Entries of a file that are new, with their words; `flush` puts them in."""
        new = taken.chunks or []
        fresh = order_entry_ids(new, places)
        if not fresh:
            return
        rows: list[Any] = [new[place] for place in fresh]
        words = [taken.words[place] for place in fresh]
        first = self._reserve_ids("entry", len(rows))
        bodies = encode_row_words(
            rows, words, _cut_to_entries(taken.text, rows) if len(rows) < len(new) else taken.text
        )
        self._rows += [(id_, file, *row) for id_, row in enumerate(rows, first)]
        self._words += [
            (id_, body, above) for id_, (body, (_, above)) in enumerate(zip(bodies, words, strict=True), first)
        ]
        self._tally.update(map(_COUNTED, rows))

    def _reserve_ids(self, table: str, count: int) -> int:
        """The first of so many numbers of files or entries that are free, above those that a build has for itself."""
        found = self._free.get(table)
        if found is None:
            top: int = self.db.execute(
                f"SELECT max(coalesce((SELECT max(id) FROM {table}), 0),"
                f" coalesce((SELECT value FROM meta WHERE key='last_{table}'), 0))"
            ).get
            found = top + 1
        self._free[table] = found + count
        return found

    def _move(self, file: int, old: list[tuple[Any, ...]], new: list[Chunk], head: int, tail: int) -> None:
        """Entries that are what they were may stand elsewhere now."""
        pairs = [(old[place], new[place]) for place in range(head)]
        pairs += [(old[place - tail], new[place - tail]) for place in range(tail)]
        for was, now in pairs:
            if was[:_CONTENT] != now[:_CONTENT]:
                self.db.execute("UPDATE entry SET line=?, last=?, start=? WHERE id=?", (*now[:_CONTENT], was[-1]))

    def _note_sessions(self, file: int, before: set[Any], now: set[Any]) -> None:
        """Note which sessions have entries in a file."""
        if before == now:
            return
        self._born += [(one, file) for one in now - before if one is not None]
        gone = [(one, file) for one in before - now if one is not None]
        self.db.executemany("DELETE FROM born WHERE session=? AND file=?", gone)

    def _delete(self, ids: list[int]) -> None:
        if ids:
            values = [(id_,) for id_ in ids]
            self.db.executemany("DELETE FROM fts WHERE rowid=?", values)
            self.db.executemany("DELETE FROM entry WHERE id=?", values)


def deduplicate_batch_words(batch: Batch) -> Batch:
    """A batch in which every entry has its own words."""
    entries, words, texts = batch[3:6]
    found: list[tuple[int, bytes | None, bytes]] = []
    done = 0
    for count, text in texts:
        some = words[done : done + count]
        bodies = encode_row_words(entries[done : done + count], [one[1:] for one in some], text, 2)
        found += [(id_, body, above) for (id_, _, above), body in zip(some, bodies, strict=True)]
        done += count
    return (*batch[:4], found, [(len(found), "")], *batch[6:])


def _cut_to_entries(text: str, rows: list[Any]) -> str:
    """The text without what stands before and after the lines of these entries; lines keep their place."""
    first: int = min(row[0] for row in rows) - 1
    last: int = max(row[1] for row in rows)
    return "\n" * first + "\n".join(text.split("\n", last)[first:last])


def _count_shared_ends(old: list[tuple[Any, ...]], new: list[Chunk]) -> tuple[int, int]:
    """How many entries are the same at the beginning and at the end, wherever they stand."""
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head][_CONTENT:-1] == new[head][_CONTENT:]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail][_CONTENT:-1] == new[-1 - tail][_CONTENT:]:
        tail += 1
    return head, tail


def tidy_index(place: Place) -> None:
    """Take away what is left of older indexes. Raises LockedError while somebody else has it."""
    with hold_lock(place.lock, timeout=0.2):
        schema.tidy(place)

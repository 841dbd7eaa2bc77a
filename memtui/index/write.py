"""Files' rows into the index: what did not change keeps its row, and the counts are kept with it.

Everything here happens inside a transaction that the caller opens, with the place's lock held.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from memtui.index.chunks import turns

if TYPE_CHECKING:
    import apsw

    from memtui.index.batches import Batch
    from memtui.index.chunks import Chunk
    from memtui.index.intake import Taken
    from memtui.model import Problem

_INSERT = f"INSERT INTO entry VALUES(?{',?' * 17})"
_WORDS = "INSERT INTO fts(rowid, body, heading) VALUES(?, ?, ?)"
_CONTENT = 3
"""Where in a Chunk the columns begin that say what it is; before them stands where it is."""
_LAYER, _KIND, _STATUS = 4, 5, 6


class Writer:
    """Writes into one open index. Raises apsw errors: the caller guards."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        self.changed = False
        """Whether anything changed that a reader could see."""
        self._names: dict[str, int] = {}
        self._directories: dict[str, int] = {}
        self._touched: set[int] = set()
        self._seen: set[int] = set()
        self._tally: Counter[tuple[int, int, int]] = Counter()

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

    def put(self, path: str, taken: Taken) -> None:
        """A file as it was taken in, in place of what the index has of it."""
        stamp = (taken.mtime, taken.size, taken.ino, taken.ctime)
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
            self.db.execute(
                "UPDATE file SET mtime=?, size=?, ino=?, ctime=?, etag=?, title=?, entries=? WHERE id=?",
                (*values, file),
            )
        else:
            self.db.execute(
                "INSERT INTO file(path, mtime, size, ino, ctime, etag, title, entries, dir)"
                " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (path, *values, directory),
            )
            file = self.db.last_insert_rowid()
        self._entries(file, taken)
        self.db.execute("DELETE FROM problem WHERE file=?", (file,))
        if taken.problems:
            self.db.executemany(
                "INSERT INTO problem VALUES(?, ?, ?, ?)", [(file, *one) for one in taken.problems]
            )

    def batch(self, batch: Batch) -> None:
        """Rows that are finished but for files that the index had before, whose old entries make room for them."""
        _, names, files, entries, words, problems, same, gone, tally, directories, _ = batch
        many = self.db.executemany
        many("INSERT INTO name VALUES(?, ?)", names)
        many("INSERT INTO dir(id, path) VALUES(?, ?)", directories)
        for id_ in gone:
            self.drop(id_)
        for row in files:
            if row[-1]:
                self.drop(row[0])
        many("INSERT INTO file VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [row[:-1] for row in files])
        many("UPDATE file SET mtime=?, size=?, ino=?, ctime=? WHERE id=?", same)
        many(_INSERT, entries)
        many(_WORDS, words)
        many("INSERT INTO problem VALUES(?, ?, ?, ?)", problems)
        for layer, kind, status, number in tally:
            self._tally[layer, kind, status] += number
        self._touched.update(row[-2] for row in files)
        self.changed = self.changed or bool(files or gone)

    def drop(self, file: int) -> None:
        """Forget a file and its entries."""
        self.changed = True
        rows: list[Any] = self.db.execute(
            "SELECT id, layer, kind, status FROM entry WHERE file=?", (file,)
        ).fetchall()
        self._tally.subtract(row[1:] for row in rows)
        self._delete([row[0] for row in rows])
        self.db.execute("DELETE FROM problem WHERE file=?", (file,))
        for (directory,) in self.db.execute("DELETE FROM file WHERE id=? RETURNING dir", (file,)):
            self._touched.add(directory)

    def leave(self, directory: int) -> None:
        """Forget a directory; its files are dropped one by one."""
        self.db.execute("DELETE FROM problem WHERE file=?", (-directory,))
        self.db.execute("DELETE FROM dir WHERE id=?", (directory,))

    def seen(self, path: str, signature: int | None, problems: list[Problem]) -> None:
        """A directory as it was last listed. Signature None: to be looked at again, whatever it is then."""
        id_ = self.directory(path)
        self._seen.add(id_)
        self.db.execute("UPDATE dir SET signature=? WHERE id=?", (signature, id_))
        held = self.db.execute("SELECT path, line, reason FROM problem WHERE file=?", (-id_,)).fetchall()
        if held != [tuple(one) for one in problems]:
            self.changed = True
            self.db.execute("DELETE FROM problem WHERE file=?", (-id_,))
            self.db.executemany("INSERT INTO problem VALUES(?, ?, ?, ?)", [(-id_, *one) for one in problems])

    def finish(self) -> None:
        """Bring the counts up to date and, if a reader could see a difference, let the generation grow."""
        for (layer, kind, status), number in self._tally.items():
            if number:
                self.db.execute(
                    "INSERT INTO tally VALUES(?, ?, ?, ?) ON CONFLICT(layer, kind, status) DO UPDATE SET n = n + ?",
                    (layer, kind, status, number, number),
                )
        self._tally.clear()
        # Files were changed in these without looking at the whole directory: a signature from before could come true
        # again (a file made and unmade), so it must not be believed.
        stale = [(id_,) for id_ in self._touched - self._seen]
        self.db.executemany("UPDATE dir SET signature=NULL WHERE id=? AND signature IS NOT NULL", stale)
        self._touched.clear()
        if self.changed:
            self.db.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
            self.changed = False

    def _entries(self, file: int, taken: Taken) -> None:
        new = taken.chunks or []
        old: list[tuple[Any, ...]] = self.db.execute(
            "SELECT line, last, start, size, layer, kind, status, ts, expires, confidence, heading, crc, key,"
            " successor, tags, session, id FROM entry WHERE file=? ORDER BY line, id",
            (file,),
        ).fetchall()
        head, tail = _shared(old, new)
        gone = old[head : len(old) - tail]
        fresh = turns(new, range(head, len(new) - tail))
        top = self.db.execute("SELECT max(id) FROM entry").get or 0
        self._tally.subtract((row[_LAYER], row[_KIND], row[_STATUS]) for row in gone)
        self._delete([row[-1] for row in gone])
        self._move(file, old, new, head, tail)
        if fresh:
            rows: list[Any] = [new[place] for place in fresh]
            ids = range(top + 1, top + 1 + len(rows))
            self.db.executemany(_INSERT, [(id_, file, *row) for id_, row in zip(ids, rows, strict=True)])
            self.db.executemany(
                _WORDS, [(id_, *taken.texts[place]) for id_, place in zip(ids, fresh, strict=True)]
            )
            self._tally.update((row[_LAYER], row[_KIND], row[_STATUS]) for row in rows)

    def _move(self, file: int, old: list[tuple[Any, ...]], new: list[Chunk], head: int, tail: int) -> None:
        """Entries that are what they were may stand elsewhere now."""
        pairs = [(old[place], new[place]) for place in range(head)]
        pairs += [(old[place - tail], new[place - tail]) for place in range(tail)]
        for was, now in pairs:
            if was[:_CONTENT] != now[:_CONTENT]:
                self.db.execute(
                    "UPDATE entry SET line=?, last=?, start=? WHERE id=?", (*now[:_CONTENT], was[-1])
                )

    def _delete(self, ids: list[int]) -> None:
        if ids:
            values = [(id_,) for id_ in ids]
            self.db.executemany("DELETE FROM fts WHERE rowid=?", values)
            self.db.executemany("DELETE FROM entry WHERE id=?", values)


def _shared(old: list[tuple[Any, ...]], new: list[Chunk]) -> tuple[int, int]:
    """How many entries are the same at the beginning and at the end, wherever they stand."""
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head][_CONTENT:-1] == new[head][_CONTENT:]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail][_CONTENT:-1] == new[-1 - tail][_CONTENT:]:
        tail += 1
    return head, tail

"""How many memories hold a word, and which of them are not simply active: remembered while the index stays as it is.

While somebody types, the same words are counted at every key; the index's generation tells when to count again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.index.schema import STATUS_CODE
from memtui.model import Status

if TYPE_CHECKING:
    from memtui.index.index import Index

    Marks = tuple[int, float | None]
    """A status's code, and when it expires."""

_REMEMBERED = 2048
_SPECIAL = 50_000
_EVERY = "SELECT rowid FROM fts WHERE fts MATCH ?"

_frequencies: dict[tuple[str, int, str], int] = {}
_held: dict[tuple[str, int, str], dict[Marks, int]] = {}
_special: dict[tuple[str, int], dict[int, Marks] | None] = {}


class Counts:
    """The counts of one index as it stands now. Raises what SQLite raises."""

    def __init__(self, index: Index) -> None:
        self._db = index.db
        self._key = (str(index.path), index.generation())

    def frequency(self, match: str) -> int:
        """How many memories an FTS5 expression finds."""
        key = (*self._key, match)
        found = _frequencies.get(key)
        if found is None:
            found = int(self._db.execute("SELECT count(*) FROM fts WHERE fts MATCH ?", (match,)).get)
            _remember(_frequencies, key, found, _REMEMBERED)
        return found

    def special(self, match: str) -> dict[Marks, int] | None:
        """How many of those that an expression finds are not simply active, by their marks; None: too many to tell.

        Most memories are plain active ones, so which of the few others match is a matter of two sets.
        """
        key = (*self._key, match)
        found = _held.get(key)
        if found is None:
            marks = self._marks()
            if marks is None:
                return None
            found = {}
            for id_ in marks.keys() & {row[0] for row in self._db.execute(_EVERY, (match,))} if marks else ():
                found[marks[id_]] = found.get(marks[id_], 0) + 1
            _remember(_held, key, found, _REMEMBERED // 16)
        return found

    def _marks(self) -> dict[int, Marks] | None:
        if self._key not in _special:
            rows: list[Any] = self._db.execute(
                "SELECT id, status, expires FROM entry WHERE status <> ? OR expires IS NOT NULL LIMIT ?",
                (STATUS_CODE[Status.ACTIVE], _SPECIAL + 1),
            ).fetchall()
            marks = None if len(rows) > _SPECIAL else {row[0]: (row[1], row[2]) for row in rows}
            _remember(_special, self._key, marks, 16)
        return _special[self._key]


def _remember(table: dict[Any, Any], key: object, value: object, most: int) -> None:
    # Emptied at once rather than one by one: another thread may be looking.
    if len(table) >= most:
        table.clear()
    table[key] = value

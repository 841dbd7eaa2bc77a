"""Turns into the index, many at once, in transactions that can be broken off at any point."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from zlib import crc32

from memtui.text import segment
from memtui.traces.found import ROLES
from memtui.traces.tellers import role, words
from memtui.traces.wording import cleaned, worded

if TYPE_CHECKING:
    import apsw

    from memtui.turns import Turn

_ROLE = {name: code for code, name in enumerate(ROLES)}
ITEMS = ("", "user", "assistant", "thinking")
"""What an item of a Codex rollout may be that an event repeats, by its number."""
_BATCH = 256
_ODD = re.compile(r"\W+")


def checked(text: str) -> int:
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
        text = cleaned(words(turn))
        body, secret = worded(text)
        number = self._next
        self._next += 1
        tool = self._name(turn.tool) if turn.tool else None
        time = None if turn.time is None else int(turn.time * 1000)
        self._turns.append((
            number, file, self._session(session, rank), turn.line, start, size, part, _ROLE[role(turn)], tool, time,
            checked(text), int(secret), ITEMS.index(item),
        ))  # fmt: skip
        self._words.append((number, segment(body)))
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

    def _session(self, name: str, rank: int) -> int:
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

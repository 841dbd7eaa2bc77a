"""A conversation from one of its steps on, every step whole."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.errors import StaleIndexError
from memtui.index.schema import guarded
from memtui.traces.keeping import BUDGET, take_in
from memtui.traces.reading import COLUMNS, JOINED, NAMED, Row, Texts, trace
from memtui.traces.schema import beside, connect
from memtui.traces.sources import sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.traces.found import Trace
    from memtui.traces.keeping import Shelf


def unfold(shelves: Sequence[Shelf], path: str, line: int, limit: int = 10) -> list[Trace]:
    """The steps of one conversation from a trace's place on, whole; none where there is no such transcript."""
    sql = (
        f"SELECT {COLUMNS} FROM turn {JOINED} {NAMED} WHERE file.path = ? AND turn.line >= ? AND turn.session ="
        " coalesce((SELECT turn.session FROM turn JOIN file ON file.id = turn.file"
        " WHERE file.path = ? AND turn.line = ?), turn.session) ORDER BY turn.id LIMIT ?"
    )
    for shelf in shelves:
        every = sources(shelf.home)
        whole = os.path.abspath(path)
        listed = [one for one in every if one.path == path or os.path.join(one.root, one.inside) == whole]
        if not listed:
            continue
        take_in(shelf, listed, every, BUDGET, None, None)
        path = listed[0].path
        try:
            with guarded():
                db = connect(beside(shelf.place))
                try:
                    rows = [Row(*row) for row in db.execute(sql, (path, line, path, line, limit))]
                finally:
                    db.close()
        except StaleIndexError:
            continue
        with Texts(listed) as texts:
            return [trace(shelf.home, row, text) for row in rows if (text := texts.text(row)) is not None]
    return []

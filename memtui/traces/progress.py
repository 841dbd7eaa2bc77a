"""How far each transcript was taken in, and whether it is still the one it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from typing import BinaryIO

    import apsw

    from memtui.traces.sources import Source

CHECK = 1024
"""Bytes at a file's beginning, and before the place where reading goes on, that must be what they were."""


class Known(NamedTuple):
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

    def fresh(self, source: Source) -> bool:
        """Whether nothing can have changed since."""
        seen = (self.size, self.modified, self.inode)
        return bool(self.whole) and seen == (source.size, source.modified, source.inode)

    def same(self, opened: BinaryIO, source: Source) -> bool:
        """Whether what was taken in still stands at the beginning of the file."""
        if source.inode != self.inode or source.size < self.done:
            return False
        return checks(opened, self.done) == (self.first, self.last)


_FIELDS = Known._fields


def known(db: apsw.Connection) -> dict[str, Known]:
    """The files that the index holds, by path."""
    rows = db.execute(f"SELECT path, {', '.join(_FIELDS)} FROM file").fetchall()
    return {str(path): Known(*rest) for path, *rest in rows}  # type: ignore[arg-type]


def begin(db: apsw.Connection, source: Source) -> Known:
    """A file that the index does not hold yet."""
    sql = "INSERT INTO file(path, kind, rank) VALUES(?, ?, ?) RETURNING id"
    return Known(int(db.execute(sql, (source.path, source.kind, source.rank)).get))


def keep(db: apsw.Connection, file: Known, source: Source, **values: Any) -> Known:
    """Remember how far a file was taken in; with `whole`, that it need not be opened while it stays what it is."""
    file = file._replace(inode=source.inode, **{"whole": 0, **values})
    if file.whole:
        file = file._replace(size=source.size, modified=source.modified)
    db.execute(
        f"UPDATE file SET {', '.join(f'{name} = ?' for name in _FIELDS[1:])} WHERE id = ?",
        (*file[1:], file.id),
    )
    return file


def checks(opened: BinaryIO, end: int) -> tuple[int, int]:
    """Of the first bytes of a file, and of those before `end`; it is where it was afterwards."""
    at = opened.tell()
    opened.seek(0)
    first = crc32(opened.read(min(CHECK, end)))
    opened.seek(max(0, end - CHECK))
    last = crc32(opened.read(min(CHECK, end)))
    opened.seek(at)
    return first, last

"""Lists that several homes' indexes make together, and the links between entries."""

from __future__ import annotations

from memtui import clock
from memtui.index.filters import standing, where
from memtui.index.rows import Moment, Outline
from memtui.index.schema import SESSION, TAGS, guarded
from memtui.record import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from memtui.index.index import Index, Row
    from memtui.model import Filter, Status

_KEYS = {
    "recent": "-coalesce(entry.ts, file.mtime / 1000000000)",
    "time": "-coalesce(entry.ts, file.mtime / 1000000000)",
    "path": "file.path",
    "confidence": "-coalesce(entry.confidence, -1)",
}
_TIES = {
    "path": "file.path, entry.line, entry.id",
    "time": "1, file.path DESC, entry.line DESC, entry.id DESC",
}


def keyed(
    index: Index, wanted: Filter, order: str, limit: int | None = None
) -> list[tuple[float | str, int]]:
    """The ids that pass a filter, each behind what it is sorted by (ascending), ready to be merged with others'.

    With a `limit` the most recent ones are the last that were written: no more of the index is looked at.
    """
    if not index.holds(wanted):
        return []
    condition, values = where(wanted)
    key = _KEYS.get(order, _KEYS["recent"])
    sql = (
        f"SELECT {key}, entry.id FROM entry JOIN file ON file.id = entry.file WHERE {condition}"
        f" ORDER BY {'entry.id DESC' if limit and order == 'recent' else _TIES.get(order, '1, entry.id DESC')}"
        f" LIMIT {-1 if limit is None else int(limit)}"
    )
    with guarded():
        return cast("list[tuple[float | str, int]]", index.db.execute(sql, values).fetchall())


def outlines(index: Index, wanted: Filter) -> list[Outline]:
    """The files of the entries that pass a filter, by path, each with what it holds of them."""
    if not index.holds(wanted):
        return []
    condition, values = where(wanted)
    sql = (
        "SELECT file.path, file.size, max(entry.last), entry.heading, entry.kind, count(*)"
        f" FROM entry JOIN file ON file.id = entry.file WHERE {condition}"
        " GROUP BY file.id, entry.heading, CASE WHEN entry.heading IS NULL THEN entry.kind END"
        " ORDER BY file.path, min(entry.line)"
    )
    found: dict[str, Outline] = {}
    with guarded():
        rows = cast(
            "list[tuple[str, int, int, int | None, int, int]]", index.db.execute(sql, values).fetchall()
        )
        for path, size, last, heading, kind, number in rows:
            held = found.get(path, Outline(path, size, 0, {}))
            name = index.name(kind) if heading is None else index.heading(heading)[-1]
            held.sections[name] = held.sections.get(name, 0) + number
            found[path] = held._replace(last=max(held.last, last))
    return list(found.values())


def born(index: Index, wanted: Filter) -> list[tuple[int, str, str]]:
    """The entries that pass a filter and belong to a session: id, the session's id, and the path of the file."""
    condition, values = where(wanted)
    sql = (
        f"SELECT entry.id, substr(name.text, {len(SESSION) + 1}), file.path FROM entry"
        " JOIN name ON name.id = entry.session JOIN file ON file.id = entry.file"
        f" WHERE {condition} ORDER BY entry.id"
    )
    with guarded():
        return cast("list[tuple[int, str, str]]", index.db.execute(sql, values).fetchall())


def marks(index: Index, wanted: Filter) -> dict[str, str]:
    """The files of the entries that pass a filter, each with the etag of the bytes that the index was made from."""
    condition, values = where(wanted)
    sql = (
        "SELECT DISTINCT file.path, file.etag FROM entry JOIN file ON file.id = entry.file"
        f" WHERE {condition} ORDER BY file.path"
    )
    with guarded():
        return dict(cast("list[tuple[str, str]]", index.db.execute(sql, values).fetchall()))


def standings(index: Index, wanted: Filter) -> dict[Status, int]:
    """How many entries pass a filter, by the status that they have now."""
    now = clock.now()
    condition, values = where(wanted, now=now)
    sql = f"SELECT entry.status, entry.expires <= ?, count(*) FROM entry WHERE {condition} GROUP BY 1, 2"
    found: dict[Status, int] = {}
    with guarded():
        for code, gone, number in cast(
            "list[tuple[int, int | None, int]]", index.db.execute(sql, (now, *values)).fetchall()
        ):
            status = standing(code, now if gone else None, now)
            found[status] = found.get(status, 0) + number
    return found


def moment(index: Index) -> Moment:
    """How the index stands now; what is committed meanwhile is in all of it or in none."""
    with index.still():
        return Moment(
            str(index.path),
            index.bytes(),
            index.progress(),
            sum(index.counts().values()),
            tuple(index.problems()),
        )


def pairs(index: Index) -> list[tuple[int, int]]:
    """Every entry's id and checksum."""
    with guarded():
        return cast("list[tuple[int, int]]", index.db.execute("SELECT id, crc FROM entry").fetchall())


def predecessors(index: Index, key: str) -> list[Row]:
    """The entries that name `key` as their successor."""
    with guarded():
        ids = [row[0] for row in index.db.execute("SELECT id FROM entry WHERE successor = ?", (key,))]
    return index.rows(ids)


def twins(
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
    with guarded():
        rows: list[Any] = index.db.execute(sql, (start, end, path)).fetchall()
    if not rows or rows[0][2] is None:
        return None
    mtime, length, begin, size = rows[0][:4]
    return (mtime, length), [(begin, size), *((other, size) for *_, other in rows if other is not None)]


def tags(index: Index) -> list[str]:
    """Every tag that the home's memories carry or carried, in order."""
    with guarded():
        rows = index.db.execute(
            "SELECT text FROM name WHERE text >= ? AND text < ?", (TAGS, chr(ord(TAGS) + 1))
        )
        return sorted({one for row in rows for one in str(row[0]).split(TAGS) if one})


def directories(index: Index) -> list[str]:
    """The directories with files in them, by path, relative to the home."""
    with guarded():
        rows = index.db.execute("SELECT path FROM dir WHERE id IN (SELECT dir FROM file) ORDER BY path")
        return [f"{row[0]}/" for row in rows if row[0]]

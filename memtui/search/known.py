"""What the homes know by name: what their records say they are about, projects, topics and modules.

Gathered from `entities` and `tags` of facts, daily records and episodes and from the names of files, not from prose:
and gathered again only where an index has changed: they are kept beside it, as a command lives for one search.
"""

from __future__ import annotations

import json
import os
import stat
from collections import OrderedDict
from contextlib import suppress

from memtui.disk.files import Reader
from memtui.errors import MemtuiError, StaleIndexError
from memtui.index.schema import decoded
from memtui.layouts import layout
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING, Any
from memtui.search.recall import Known

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.index.index import Index
    from memtui.search.target import Target

    Names = tuple[tuple[str, int], dict[str, str]]
    """What one home knows by name, as `Known.forms`, behind the index that says so."""

_BYTES = 1 << 20
"""Of a home's records that are read for names, the newest first."""
_FILES = 400
_PLACES = 4000
_KEPT = 64
_LARGEST = 4 << 20
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NAMED = pattern(rb'"(?:entities|tags)"\s{0,9}:\s{0,9}\[([^\[\]]{1,2000})\]')
_PARSERS = frozenset({"facts", "daily-jsonl", "json", "jsonl", "memories-json"})
_RECORDS = """SELECT path, size, etag FROM file WHERE path LIKE '%.json' OR path LIKE '%.jsonl' OR path LIKE '%.db'
 ORDER BY mtime DESC LIMIT ?"""
_DOCUMENTS = "SELECT path FROM file WHERE path LIKE '%.md' ORDER BY path LIMIT ?"
_COLUMNS = ("SELECT entities FROM episodes LIMIT 5000", "SELECT tags FROM memories LIMIT 5000")

_Stamp = tuple[str, int]
_held: OrderedDict[str, Names] = OrderedDict()
_files: OrderedDict[tuple[str, str, bytes], list[str]] = OrderedDict()
_last: list[tuple[tuple[_Stamp, ...], Known]] = []


def known_entities(targets: Sequence[Target]) -> Known:
    """The names that these homes know, at most `recall.MOST`; gathered again only where an index has changed."""
    return joined([names_of(target) for target in targets])


def joined(homes: Sequence[Names]) -> Known:
    """The names of several homes, of each as `names_of` answers."""
    stamps = tuple(stamp for stamp, _forms in homes)
    for held, known in _last:
        if held == stamps:
            return known
    made = Known.merge(forms for _stamp, forms in homes)
    _last[:] = [(stamps, made), *_last[:3]]
    return made


def names_of(target: Target) -> Names:
    """The names that one home knows; gathered again only where its index has changed."""
    home, index = target.home, target.index
    own = Known([home.label] if home.project else []).forms
    if index is None:
        return (str(home.path), -1), own
    try:
        stamp = str(index.path), index.generation()
        held = _held.get(str(home.path))
        if held is None or held[0] != stamp:
            forms = load_names(index)
            if forms is None:
                forms = Known([*_places(target, index), *_records(target, index)]).forms
                save_names(index, forms)
            held = _held[str(home.path)] = stamp, Known.merge((own, forms)).forms
            while len(_held) > _KEPT:
                _held.popitem(last=False)
    except StaleIndexError:
        return (str(home.path), -1), own
    return held


def load_names(index: Index) -> dict[str, str] | None:
    """The names that were gathered from this index as it stands, as `Known.forms`; None: from another or from none, or
    unreadable."""
    try:
        descriptor = os.open(_beside(index), os.O_RDONLY | _PLAIN)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            return None
        held = json.loads(os.read(descriptor, _LARGEST))
        if held["index"] != index.path.name or held["generation"] != index.generation():
            return None
        names = held["names"]
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return None
    finally:
        os.close(descriptor)
    # Keys are text in any JSON.
    return (
        names if isinstance(names, dict) and all(isinstance(name, str) for name in names.values()) else None
    )


def save_names(index: Index, names: dict[str, str]) -> None:
    """Keep the names for the next process. Where that cannot be done they are gathered again."""
    told = {"index": index.path.name, "generation": index.generation(), "names": names}
    with suppress(OSError, ValueError):
        file = _beside(index)
        temporary = f"{file}-{os.urandom(4).hex()}.tmp"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN, 0o600)
        try:
            os.write(descriptor, json.dumps(told).encode())
            os.close(descriptor)
            os.replace(temporary, file)
        except OSError:
            os.unlink(temporary)


def _beside(index: Index) -> str:
    return os.fspath(index.place.directory / f"{index.place.stem}.names")


def _places(target: Target, index: Index) -> Iterator[str]:
    """Projects, patterns and tools that have directories, topics and modules that have files."""
    kind = layout(target.home.layout)
    with decoded():
        paths = [str(path) for (path,) in index.db.execute(_DOCUMENTS, (_PLACES,))]
    for path in paths:
        role = kind.role(target.home.path, path)
        if role is None:
            continue
        if role.project:
            yield role.project
        if role.parser == "markdown" and (role.kind == "topic" or "/modules/" in f"/{path}"):
            yield path.rpartition("/")[2].rpartition(".")[0]


def _records(target: Target, index: Index) -> Iterator[str]:
    """What records say they are about."""
    kind = layout(target.home.layout)
    root = str(target.home.path)
    with decoded():
        rows = index.db.execute(_RECORDS, (_FILES,)).fetchall()
    left = _BYTES
    with Reader(root) as reader:
        for path, held, etag in rows:
            role = kind.role(target.home.path, str(path))
            named = root, str(path), etag if isinstance(etag, bytes) else b""
            size = int(str(held or 0))
            database = role is not None and role.parser == "openakita"
            if role is None or not (database or (role.parser in _PARSERS and size <= left)):
                continue
            left -= 0 if database else size
            if named not in _files:
                try:
                    _files[named] = list(
                        _stored(f"{root}/{path}") if database else _listed(reader.read(named[1], size)[0])
                    )
                except (MemtuiError, OSError):
                    continue
                while len(_files) > _FILES * 4:
                    _files.popitem(last=False)
            yield from _files.get(named, ())


def _listed(data: bytes) -> Iterator[str]:
    bodies = list(dict.fromkeys(b"[" + match[1] + b"]" for match in _NAMED.finditer(data)))
    together = _words(b"[" + b",".join(bodies) + b"]")
    # One that is torn must not take the others with it.
    for words in together or map(_words, bodies):
        yield from _names(words)


def _stored(file: str) -> Iterator[str]:
    """Of OpenAkita's database: what its episodes and memories are about."""
    import apsw

    from memtui.parse.sqlite import database

    with database(file) as connection:
        for query in _COLUMNS:
            with suppress(apsw.Error):
                for (text,) in connection.execute(query):
                    yield from _names(_words(str(text or "[]").encode()))


def _words(listed: bytes) -> list[Any]:
    try:
        found = json.loads(listed)
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _names(words: Any) -> Iterator[str]:
    yield from (word for word in words if isinstance(word, str) and len(word) <= 60)

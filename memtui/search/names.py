"""Names in a query (projects, people, things), the names that homes know, and the memories that have them (spec 003).

- `extract_query_names`: what is known, quoted, or written as a name. Pure.
- `load_home_names`, `merge_home_names`: gathered from `entities` and `tags` of facts, daily records and episodes
  and from the names of files, not from prose. They are kept beside the index, as a command lives for one search, and
  gathered again only where the index has changed.
- `Namely`: marks the candidates that name what the query names (entity recall).
"""

from __future__ import annotations

import json
import os
import stat
from collections import OrderedDict
from collections.abc import Collection
from contextlib import suppress

import apsw

from memtui.core.errors import MemtuiError, StaleIndexError
from memtui.core.locale import _
from memtui.core.model import RECORDS
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.core.text import CJK_RUN
from memtui.fs.files import HomeReader
from memtui.fs.places import replace_private_file
from memtui.index.schema import translate_decode_errors
from memtui.layouts import load_layout
from memtui.search import vocabulary
from memtui.search.terms import WORD, fold, split_cjk_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from memtui.index.queries import Index
    from memtui.search.candidate import SearchCandidate
    from memtui.search.texts import SearchTarget

MOST = 10_000
"""Names that are known at once."""
LONGEST = 2000
"""Characters of a query that are looked at."""

_WORDS, _RUN = 5, 10
_QUOTED = compile_pattern(
    r"`([^`\n]{2,60})`|“([^”\n]{2,60})”|「([^」\n]{2,60})」|『([^』\n]{2,60})』|\"([^\"\n]{2,60})\"|《([^》\n]{2,60})》"
)
_QUOTES = frozenset('`“「『"《')
_COINED = compile_pattern(
    r"`([^`\s|]{2,40})`|(?<![A-Za-z0-9_])([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[a-z]+[a-z0-9]*[A-Z][A-Za-z0-9]+"
    r"|[A-Z][A-Z0-9]{1,15}|[A-Z]?[a-z0-9]+(?:_[a-z0-9]+)+)(?![A-Za-z0-9_])"
)
_CAPITAL = compile_pattern(r"(?<![\w`])[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*){0,3}")
_ENDED = frozenset(".!?。！？\n:：")
_DAYS = frozenset(
    {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march",
     "april", "may", "june", "july", "august", "september", "october", "november", "december"}
)  # fmt: skip


class KnownNames(Collection[str]):
    """Names, ready to be looked for in a query whatever their case, width and joints."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._written: dict[str, str] = {}
        for name in names:
            form = _normalize_name(name)
            if len(form) > 1 and form not in vocabulary.ENGLISH and form not in vocabulary.CHINESE:
                self._written.setdefault(form, name)
            if len(self._written) >= MOST:
                break

    @classmethod
    def merge(cls, homes: Iterable[Mapping[str, str]]) -> KnownNames:
        """The names of several homes, of each as `forms` has them."""
        known = cls()
        for forms in homes:
            for form, name in forms.items():
                if len(known._written) >= MOST:
                    break
                known._written.setdefault(form, name)
        return known

    @property
    def forms(self) -> dict[str, str]:
        """How each name is compared -> how it is written."""
        return self._written

    def __len__(self) -> int:
        return len(self._written)

    def __iter__(self) -> Iterator[str]:
        return iter(self._written.values())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _normalize_name(name) in self._written

    def called(self, form: str) -> str:
        """The name as the homes write it; empty: nobody knows it."""
        return self._written.get(form, "")


def extract_query_names(query: str, known: Collection[str]) -> list[str]:
    """The names in a query, in its order: what is known, what is quoted, what is written as a name."""
    query = query[:LONGEST]
    names = known if isinstance(known, KnownNames) else KnownNames(known)
    found: dict[str, str] = {}
    for match in _QUOTED.finditer(query) if not _QUOTES.isdisjoint(query) else ():
        said = next(filter(None, match.groups())).strip()
        found.setdefault(_normalize_name(said), said)
    for form, name in _find_known_names(query, names):
        found.setdefault(form, name)
    for name in (*extract_coined_names(query), *_find_capitalized_names(query)):
        found.setdefault(_normalize_name(name), name)
    plain = fold(query)
    return sorted(
        (name for form, name in found.items() if form),
        key=lambda name: plain.find(fold(name)) % (LONGEST + 1),
    )


def extract_coined_names(text: str) -> list[str]:
    """Words that somebody made up to be names: `back-ticked`, WebSocket, camelCase, snake_case, JWT."""
    text = text[: 8 * LONGEST]
    if "`" not in text and "_" not in text and text == text.lower():
        return []
    return list(dict.fromkeys(match[1] or match[2] for match in _COINED.finditer(text)))


def _normalize_name(name: str) -> str:
    """A name as it is compared: its folded words and runs."""
    if name.isalnum() and (name.isascii() or CJK_RUN.fullmatch(name)):
        # Most names are one word: thousands of them are known at once.
        return name.lower()
    return " ".join(word for word, _cjk in split_cjk_runs(fold(name)))


def _find_known_names(query: str, known: KnownNames) -> Iterator[tuple[str, str]]:
    """Known names in the query, the longest at each place."""
    if not known:
        return
    words = split_cjk_runs(fold(query))
    at = 0
    while at < len(words):
        size = next(
            (n for n in range(_WORDS, 0, -1) if known.called(" ".join(word for word, _cjk in words[at : at + n]))),
            0,
        )
        if size:
            form = " ".join(word for word, _cjk in words[at : at + size])
            yield form, known.called(form)
        elif words[at][1]:
            yield from _find_names_in_run(words[at][0], known)
        at += max(size, 1)


def _find_names_in_run(run: str, known: KnownNames) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(run) - 1:
        size = next((n for n in range(min(_RUN, len(run) - at), 1, -1) if known.called(run[at : at + n])), 0)
        if size:
            yield run[at : at + size], known.called(run[at : at + size])
        at += max(size, 1)


def _find_capitalized_names(query: str) -> Iterator[str]:
    """Names by their capitals; what only begins a sentence is none."""
    for match in _CAPITAL.finditer(query) if query != query.lower() else ():
        words = match.group().split()
        before = query[: match.start()].rstrip(" \"'“‘(")
        while words and _fold_word(words[0]) in vocabulary.ENGLISH | _DAYS:
            words, before = words[1:], "x"
        while words and _fold_word(words[-1]) in vocabulary.ENGLISH | _DAYS:
            words.pop()
        begins = not before or before[-1] in _ENDED
        owned = bool(words) and words[-1].endswith(("'s", "’s"))
        if words and (not begins or len(words) > 1 or owned):
            yield " ".join(words).removesuffix("'s").removesuffix("’s").strip("'’-")


def _fold_word(word: str) -> str:
    found = WORD.match(fold(word))
    return found.group() if found else ""


if TYPE_CHECKING:
    Names = tuple[tuple[str, int], dict[str, str]]
    """The names of one home, as `KnownNames.forms`, with the stamp of the index that they come from."""

_BYTES = 1 << 20
"""Of a home's records that are read for names, the newest first."""
_FILES = 400
_PLACES = 4000
_KEPT = 64
_LARGEST = 4 << 20
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NAMED = compile_pattern(rb'"(?:entities|tags)"\s{0,9}:\s{0,9}\[([^\[\]]{1,2000})\]')
_PARSERS = frozenset({"facts", "daily-jsonl", "json", "jsonl", "memories-json"})
_RECORDS = "SELECT path, size, etag FROM file WHERE {} ORDER BY mtime DESC LIMIT ?".format(
    " OR ".join(f"path LIKE '%{ending}'" for ending in RECORDS)
)
_DOCUMENTS = "SELECT path FROM file WHERE path LIKE '%.md' ORDER BY path LIMIT ?"
_COLUMNS = ("SELECT entities FROM episodes LIMIT 5000", "SELECT tags FROM memories LIMIT 5000")

_Stamp = tuple[str, int]
_held: OrderedDict[str, Names] = OrderedDict()
_files: OrderedDict[tuple[str, str, bytes], list[str]] = OrderedDict()
_last: list[tuple[tuple[_Stamp, ...], KnownNames]] = []


def merge_home_names(homes: Sequence[Names]) -> KnownNames:
    """The names of several homes, of each as `load_home_names` answers."""
    stamps = tuple(stamp for stamp, _forms in homes)
    for held, known in _last:
        if held == stamps:
            return known
    made = KnownNames.merge(forms for _stamp, forms in homes)
    _last[:] = [(stamps, made), *_last[:3]]
    return made


def load_home_names(target: SearchTarget) -> Names:
    """The names that one home knows; gathered again only where its index has changed."""
    home, index = target.home, target.index
    own = KnownNames([home.label] if home.project else []).forms
    if index is None:
        return (str(home.path), -1), own
    try:
        stamp = str(index.path), index.generation()
        held = _held.get(str(home.path))
        if held is None or held[0] != stamp:
            forms = load_names(index)
            if forms is None:
                forms = KnownNames([*_iterate_place_names(target, index), *_iterate_record_names(target, index)]).forms
                save_names(index, forms)
            held = _held[str(home.path)] = stamp, KnownNames.merge((own, forms)).forms
            while len(_held) > _KEPT:
                _held.popitem(last=False)
    except StaleIndexError:
        return (str(home.path), -1), own
    return held


def load_names(index: Index) -> dict[str, str] | None:
    """The names that were gathered from this index as it stands, as `KnownNames.forms`; None: from another, from
    none, or unreadable."""
    try:
        descriptor = os.open(_locate_names_file(index), os.O_RDONLY | _PLAIN)
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
    return names if isinstance(names, dict) and all(isinstance(name, str) for name in names.values()) else None


def save_names(index: Index, names: dict[str, str]) -> None:
    """Keep the names for the next process. Where that cannot be done they are gathered again."""
    told = {"index": index.path.name, "generation": index.generation(), "names": names}
    with suppress(OSError, ValueError, MemtuiError):
        replace_private_file(_locate_names_file(index), json.dumps(told).encode(), sync=False)


def _locate_names_file(index: Index) -> Path:
    return index.place.directory / f"{index.place.stem}.names"


def _iterate_place_names(target: SearchTarget, index: Index) -> Iterator[str]:
    """Projects, patterns and tools that have directories, topics and modules that have files."""
    kind = load_layout(target.home.layout)
    with translate_decode_errors():
        paths = [str(path) for (path,) in index.db.execute(_DOCUMENTS, (_PLACES,))]
    for path in paths:
        role = kind.role(target.home.path, path)
        if role is None:
            continue
        if role.project:
            yield role.project
        if role.parser == "markdown" and (role.kind == "topic" or "/modules/" in f"/{path}"):
            yield path.rpartition("/")[2].rpartition(".")[0]


def _iterate_record_names(target: SearchTarget, index: Index) -> Iterator[str]:
    """What records say they are about."""
    kind = load_layout(target.home.layout)
    root = str(target.home.path)
    with translate_decode_errors():
        rows = index.db.execute(_RECORDS, (_FILES,)).fetchall()
    left = _BYTES
    with HomeReader(root) as reader:
        for path, held, etag in rows:
            role = kind.role(target.home.path, str(path))
            named = root, str(path), etag if isinstance(etag, bytes) else b""
            size = int(str(held or 0))
            database = role is not None and role.parser == "memory-rows"
            if role is None or not (database or (role.parser in _PARSERS and size <= left)):
                continue
            left -= 0 if database else size
            if named not in _files:
                try:
                    _files[named] = list(
                        _read_stored_names(f"{root}/{path}")
                        if database
                        else _parse_listed_names(reader.read(named[1], size)[0])
                    )
                except (MemtuiError, OSError):
                    continue
                while len(_files) > _FILES * 4:
                    _files.popitem(last=False)
            yield from _files.get(named, ())


def _parse_listed_names(data: bytes) -> Iterator[str]:
    bodies = list(dict.fromkeys(b"[" + match[1] + b"]" for match in _NAMED.finditer(data)))
    together = _decode_words(b"[" + b",".join(bodies) + b"]")
    # One that is torn must not take the others with it.
    for words in together or map(_decode_words, bodies):
        yield from _iterate_names(words)


def _read_stored_names(file: str) -> Iterator[str]:
    """Of OpenAkita's database: what its episodes and memories are about."""
    from memtui.fs.database_rows import open_read_only

    with open_read_only(file) as connection:
        for query in _COLUMNS:
            with suppress(apsw.Error):
                for (text,) in connection.execute(query):
                    yield from _iterate_names(_decode_words(str(text or "[]").encode("utf-8", "replace")))


def _decode_words(listed: bytes) -> list[Any]:
    try:
        found = json.loads(listed)
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _iterate_names(words: Any) -> Iterator[str]:
    yield from (word for word in words if isinstance(word, str) and len(word) <= 60)


class Namely:
    """The names in one query that its homes know."""

    def __init__(self, query: str, homes: Sequence[Names]) -> None:
        """`homes`: what each of them knows, as `load_home_names` answers."""
        known = merge_home_names(homes)
        self._names = [name for name in extract_query_names(query, known) if name in known] if known else []

    def mark(self, candidates: Iterable[SearchCandidate]) -> None:
        """Say of each candidate which of the names it holds."""
        folded = [(name, fold(name)) for name in self._names]
        for candidate in candidates if folded else ():
            held = [name for name, plain in folded if plain in candidate.body or plain in fold(candidate.heading)]
            if held and not candidate.recalled:
                candidate.named = _("names {name}").format(name=", ".join(held[:3]))

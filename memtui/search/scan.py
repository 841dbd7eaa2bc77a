"""Searching without an index: the same words and the same ranking, straight from a home's files.

The newest files come first; a file whose bytes hold none of the words is not parsed. When the time is up, what
was found so far is the answer, and it says so.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from functools import partial

from memtui.core import clock
from memtui.core.errors import MemtuiError, UnavailableError
from memtui.core.locale import _, _n
from memtui.core.model import PERISHABLE, Level, Problem, Status
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.fs.files import HomeReader, walk
from memtui.index.filters import matches_filter, matches_path_filter
from memtui.layouts import load_layout
from memtui.search.candidate import Pool, SearchCandidate
from memtui.search.rank import rank
from memtui.search.terms import fold_searchable
from memtui.search.texts import read_parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtui.core.model import Entry, Filter, Home, Role
    from memtui.search.query import Query

BUDGET = 5.0
"""Seconds that a scan may take."""

DEPTH = 200
"""Up to so many matches, words are weighed by these alone, as with an index."""

_TYPICAL = 200
_HELD = 4000
_KEPT = 1000
# Accents, full-width forms, ligatures, circled numbers, UTF-16 and JSON escapes: bytes that may stand for other
# characters once folded, so that looking for the query's own bytes proves nothing.
_FOLDED = compile_pattern(
    rb"[\xc3-\xd1]|\xe1[\xb8-\xbf]|\xe2[\x91-\x93]|\xe3\x84[\xb1-\xbf]|\xe3\x85|\xe3\x86[\x80-\x8e]"
    rb"|\xef\xbc[\x90-\x99\xa1-\xba]|\xef\xbd[\x81-\x9a\xa6-\xbf]|\xef\xbe|\xef\xac|\\u|^\xff\xfe|^\xfe\xff"
)


class _File(NamedTuple):
    """One file to look into; `modified` in nanoseconds."""

    modified: int
    path: str
    role: Role
    order: int = 0


class Scan:
    """One query put to the files of one home."""

    def __init__(
        self,
        home: Home,
        query: Query,
        wanted: Filter,
        *,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self._home = home
        self._query = query
        self._wanted = wanted
        self._others = wanted._replace(statuses=frozenset())
        self._cancelled = cancelled
        self._until = time.monotonic() + BUDGET
        self._now = clock.now()
        self._asked = [number for number, term in enumerate(query.terms) if term.fts]
        self._held = [0] * len(query.terms)
        self._unread: list[str] = []
        self._needles = _build_needles(query)
        self._layout = load_layout(home.layout)

    def pool(self, paths: Iterable[str] | None = None, besides: frozenset[str] = frozenset()) -> Pool:
        """What the files hold, or only those at `paths` (relative), or all but some.

        What may not be read is named in the warning; what is gone meanwhile is passed over.
        """
        pool = Pool(0, backend="scan")
        with HomeReader(self._home.path, keep=256) as reader:
            try:
                files = (
                    self._list_named_files(reader, paths)
                    if paths is not None
                    else self._walk_files(reader, pool, besides)
                )
                if not files and not os.path.isdir(reader.root):
                    raise FileNotFoundError(reader.root)
            except (MemtuiError, OSError):
                pool.warning = _("{home} cannot be read").format(home=self._home.label)
                return pool
            files.sort(key=lambda file: (file.modified, file.path), reverse=True)
            done = 0
            for number, file in enumerate(files):
                if number % 16 == 0 and self._is_over():
                    pool.more = True
                    break
                done += 1
                if matches_path_filter(file.path, self._wanted.path):
                    self._scan_file(pool, reader, file._replace(order=len(files) - number))
        if pool.more:
            pool.warning = _("searched the newest {done:,} of {all:,} files").format(done=done, all=len(files))
        if self._unread:
            told = _n("{reason}", "{reason}, and so for {more} more", len(self._unread))
            told = told.format(reason=self._unread[0], more=len(self._unread) - 1)
            pool.warning = "; ".join(filter(None, (pool.warning, told)))
        if pool.total > DEPTH:
            pool.frequencies = self._held
        return pool

    def _walk_files(self, reader: HomeReader, pool: Pool, besides: frozenset[str]) -> list[_File]:
        files: list[_File] = []
        for found in walk(reader.root, self._find_role, partial(self._layout.prune, self._home.path)):
            if isinstance(found, Problem):
                if found.reason.startswith("no permission"):
                    self._unread.append(f"{found.path}: {found.reason}")
            elif found.path not in besides:
                files.append(_File(found.mtime_ns, found.path, found.role))
                if len(files) % 256 == 0 and self._is_over():
                    pool.more = True
                    break
        return files

    def _list_named_files(self, reader: HomeReader, paths: Iterable[str]) -> list[_File]:
        roles = [(path, self._find_role(path)) for path in paths]
        found = [(_read_modified_time(reader, path), path, role) for path, role in roles if role is not None]
        return [_File(modified, path, role) for modified, path, role in found if modified is not None]

    def _find_role(self, path: str) -> Role | None:
        return self._layout.role(self._home.path, path)

    def _is_over(self) -> bool:
        return time.monotonic() > self._until or (self._cancelled is not None and self._cancelled())

    def _scan_file(self, pool: Pool, reader: HomeReader, file: _File) -> None:
        try:
            data = None
            if file.role.limit:
                data, _status = reader.read(file.path, file.role.limit)
            if data is not None and not self._may_hold(data, file.path):
                # Nobody counted its memories; by size is near enough for how rare a word is.
                pool.size += len(data) // _TYPICAL + 1
                return
            parsed = read_parsed(reader, file.path, file.role, data)
        except UnavailableError as error:
            self._unread.append(str(error))
            return
        except (MemtuiError, OSError):
            return
        pool.size += len(parsed.entries)
        lines = parsed.text.split("\n") if parsed.entries else []
        turns: Counter[tuple[int, int]] = Counter()
        memory = reach = 0
        for number, entry in enumerate(parsed.entries):
            if entry.level is Level.MEMORY:
                memory, reach = number, entry.last
            own = memory if entry.level is Level.PART and entry.start <= reach else number
            self._add_entry(pool, entry, lines, file, turns[entry.start, entry.end], own)
            turns[entry.start, entry.end] += 1
        if len(pool.candidates) > _HELD:
            pool.frequencies = self._held
            pool.candidates = rank(self._query, [pool])[:_KEPT]
            pool.frequencies = None

    def _may_hold(self, data: bytes, path: str) -> bool:
        low = data.lower() + path.lower().encode("utf-8", "replace")
        if not self._needles or any(needle in low for needle in self._needles):
            return True
        return _FOLDED.search(data) is not None

    def _add_entry(self, pool: Pool, entry: Entry, lines: list[str], file: _File, turn: int, memory: int) -> None:
        status = entry.status
        if entry.expires is not None and entry.expires <= self._now and status in PERISHABLE:
            status = Status.EXPIRED
        moment = entry.created if entry.updated is None else entry.updated
        candidate = SearchCandidate(
            self._home,
            file.path,
            entry.start,
            entry.end,
            entry.layer or file.role.layer,
            entry.kind,
            status,
            file.modified / 1e9 if moment is None else moment,
            "\x1f".join((*entry.heading, entry.title) if entry.title else entry.heading),
            prose=entry.search is None,
            order=file.order,
        )
        candidate.dated = moment is not None
        candidate.turn = turn
        candidate.level = entry.level
        candidate.memory = memory
        candidate.reach = entry.last
        if not self._does_pass(candidate, entry):
            return
        if entry.search is None:
            candidate.fill("\n".join(lines[entry.start - 1 : entry.end]), None)
        else:
            candidate.fill(entry.text, entry.search)
        if not self._matches(candidate):
            return
        if self._wanted.statuses and status not in self._wanted.statuses:
            pool.hidden[status] = pool.hidden.get(status, 0) + 1
            return
        candidate.trim()
        pool.total += 1
        pool.candidates.append(candidate)

    def _does_pass(self, candidate: SearchCandidate, entry: Entry) -> bool:
        # Whatever its status: what a status hides is counted.
        return matches_filter(
            self._others,
            layer=candidate.layer,
            kind=candidate.kind,
            path=candidate.path,
            status=candidate.status,
            moment=candidate.time,
            tags=entry.tags,
            session=entry.session or entry.source,
            expires=entry.expires,
        )

    def _matches(self, candidate: SearchCandidate) -> bool:
        query = self._query
        body = candidate.body
        heading = fold_searchable(candidate.heading)
        if not query.terms:
            # Nothing at all is in everything: a list of what passes the filter.
            if query.literal not in body:
                return False
            candidate.score = 1.0
            return True
        held = [
            number
            for number in self._asked
            if query.terms[number].count(body) or (heading and query.terms[number].count(heading))
        ]
        if not held or any(number not in held for number in range(len(query.required))):
            return False
        if any(term.count(body) or term.count(heading) for term in query.excluded):
            return False
        for number in held:
            self._held[number] += 1
        return True


def _build_needles(query: Query) -> list[bytes]:
    """Bytes of which a file must hold at least one, lower case; none: any file may."""
    if query.literal:
        return [query.literal.encode()] if query.literal.isascii() else []
    return [lead.encode("utf-8", "replace") for term in query.terms if term.fts for lead in term.leads]


def _read_modified_time(reader: HomeReader, path: str) -> int | None:
    """When a file last changed; 0: it cannot be looked at. None: it is gone."""
    try:
        return reader.status(path).st_mtime_ns
    except FileNotFoundError:
        return None
    except (MemtuiError, OSError):
        return 0

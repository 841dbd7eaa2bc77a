"""Candidates out of one home's index: FTS5 finds, and the texts decide (see `rank`).

Up to 200 matches are all taken. Of more, FTS5's BM25 picks 200; and where that would take longer than a frame,
the first page comes from the newest places of each word, so that a common word costs no more than a rare one
and a memory that holds a rare word is never missed. That page is marked `bounded`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from contextlib import contextmanager
from functools import lru_cache
from math import log
from operator import itemgetter

import apsw

from memtui.core import clock
from memtui.core.model import Status
from memtui.core.startup import TYPE_CHECKING, Any
from memtui.index.filters import build_filter_condition, compute_row_status
from memtui.index.schema import LAYERS, STATUS_CODE, WEIGHTS, translate_sqlite_errors
from memtui.search.candidate import Pool, SearchCandidate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memtui.core.model import Filter, Home
    from memtui.index.queries import Index
    from memtui.search.query import Query
    from memtui.search.terms import Term
    from memtui.search.texts import MemoryTexts, Place

    Marks = tuple[int, float | None]
    """A status's code, and when it expires."""

DEPTH = 200
"""Candidates whose texts are read."""

CHEAP = 5000
"""Matches that are ranked in full within a few milliseconds."""

RECENT = 2000
"""Newest places of each word that a first page is made from."""

COUNTED = 100_000
"""Matches whose statuses are counted one by one; beyond, `hidden` counts the newest only."""

ROOM = 20_000
"""Matches that single characters may add: ranking that many takes about 20 ms."""

ASKED = 32
"""Words that are asked for however common they are."""

_LEAST = 20
"""Candidates of each home, however many there are."""
_SPARE = 50
_TOP = 20
_PULSE = 20_000
"""Steps of SQLite's machine between two looks at whether anybody still waits."""

_COLUMNS = """entry.id, file.path, entry.line, entry.last, entry.start, entry.size, entry.layer, entry.kind,
 entry.status, coalesce(entry.ts, file.mtime / 1000000000), entry.expires, entry.heading, entry.crc, entry.level,
 entry.reach, file.mtime, file.size, CASE WHEN file.bare THEN file.etag END"""
_JOINED = "fts CROSS JOIN entry ON entry.id = fts.rowid"
_FILES = "JOIN file ON file.id = entry.file"
_AMONG = "entry.id IN (SELECT value FROM json_each(?))"

# Every home of a search is asked with the same.
_build_condition = lru_cache(maxsize=16)(build_filter_condition)

_REMEMBERED = 2048
_SPECIAL = 50_000
_EVERY = "SELECT rowid FROM fts WHERE fts MATCH ?"

_frequencies: dict[tuple[str, int, str], int] = {}
_held: dict[tuple[str, int, str], dict[Marks, int]] = {}
_special: dict[tuple[str, int], dict[int, Marks] | None] = {}


class Lookup:
    """One query put to one home's index."""

    def __init__(
        self,
        home: Home,
        index: Index,
        texts: MemoryTexts,
        query: Query,
        wanted: Filter,
        depth: int = DEPTH,
        *,
        part: float = 1.0,
    ) -> None:
        """`depth`: how many candidates to weigh; whoever wants more hits than that must ask for more, and
        `share_depth` lets several homes share it.

        `part`: how much work this home is worth. Below 1 (one of many that others share), very common words bring what
        holds them all and the newest places of each, also where nobody is in a hurry.
        """
        self._home = home
        self._index = index
        self._db = index.db
        self._texts = texts
        self._query = query
        self._match = query.match
        self._wanted = wanted
        self.depth = depth
        self.leading = _TOP
        """The very best whose neighbours are looked at, too."""
        self._rated: list[tuple[int, float]] | None = None
        self._asked: bool | None = None
        self._every_match: tuple[list[int] | None] | None = None
        self._matches = 0, 0
        """How many are counted, and up to how many."""
        self._least = max(round(depth * part), min(depth, _LEAST))
        self.brief = part < 1
        self._part = part
        self._newest = 2 * self._least if self.brief else RECENT
        self._now = clock.now()
        self._others = _build_condition(wanted._replace(statuses=frozenset()), now=int(self._now))
        self._every = _build_condition(wanted, now=int(self._now))

    def pool(self, *, quick: bool, cancelled: Callable[[], bool] | None = None) -> Pool:
        """The candidates with their texts. `quick`: a bounded first page where the full ranking would take long.

        Raises StaleIndexError when the index cannot be used, apsw.InterruptError once `cancelled` answers True.
        """
        with translate_sqlite_errors():
            pool = Pool(self._index.count_entries())
            if not self._match:
                return pool
            pool.more = self._resolve_match(quick)
            with self.hear_cancelled(cancelled):
                ids = self._list_all_matches(quick)
                if ids is not None:
                    self._take(pool, self._fetch_rows(ids, self._others))
                    pool.total = len(pool.candidates)
                elif (quick or self.brief) and not self._is_cheap(quick):
                    self._take_recent(pool, quick)
                else:
                    self._take_ranked(pool)
        return pool

    def count_few(self, *, quick: bool) -> int | None:
        """How many match, where they are no more than there is depth for. Raises what `pool` does."""
        with translate_sqlite_errors():
            if not self._match:
                return 0
            self._resolve_match(quick)
            # What is counted further is not counted once more, where it will be asked for.
            number = self._count_matches(CHEAP if quick or self.brief else self.depth + 1)
        return number if number <= self.depth else None

    def weigh(self, *, quick: bool) -> list[float] | None:
        """What FTS5 gives the best matches, as many as there is depth, the least first and best; None: so many match
        that it is not asked. Raises what `pool` does.
        """
        with translate_sqlite_errors():
            if not self._match:
                return []
            self._resolve_match(quick)
            if (quick or self.brief) and not self._is_cheap(quick) and self._list_all_matches(quick) is None:
                return None
            return [score for _id, score in self._rate()[: self.depth]]

    def read_statistics(self) -> tuple[int, list[int]]:
        """How many memories the home has, and in how many of them each term of the query stands."""
        counts = Counts(self._index)
        with translate_sqlite_errors():
            held = [counts.frequency(term.fts) if term.fts else 0 for term in self._query.terms]
            return self._index.count_entries(), held

    def _resolve_match(self, quick: bool) -> bool:
        """Settle what the index is asked for; whether that is less than the query says."""
        if self._asked is None:
            self._match = self._widen_expression(CHEAP if quick else ROOM)
            self._asked = not quick and self._narrow()
        return self._asked

    @contextmanager
    def hear_cancelled(self, cancelled: Callable[[], bool] | None) -> Iterator[None]:
        """End what the index is asked, by apsw.InterruptError, once nobody waits for it."""
        if cancelled is None:
            yield
            return
        if cancelled():
            raise apsw.InterruptError("nobody waits for it")
        self._db.set_progress_handler(cancelled, _PULSE)
        try:
            yield
        finally:
            self._db.set_progress_handler(None)

    def _list_all_matches(self, quick: bool) -> list[int] | None:
        """All that match, where those are few enough for their texts to be read."""
        if self._every_match is None:
            self._every_match = self._find_few(quick)
        ids = self._every_match[0]
        return ids if ids is not None and len(ids) <= self.depth else None

    def _count_matches(self, most: int) -> int:
        """How many match, counted up to `most`."""
        number, counted = self._matches
        if number == counted < most:
            sql = f"SELECT count(*) FROM (SELECT 1 FROM fts WHERE fts MATCH ? LIMIT {most})"
            number = int(self._db.execute(sql, (self._match,)).get)
            self._matches = number, most
        return number

    def _find_few(self, quick: bool) -> tuple[list[int] | None]:
        if self._matches[0] > self.depth:
            return (None,)
        # To begin with single characters takes FTS5 longer than to count, and the number is wanted anyway.
        if " *" in self._match and not quick and Counts(self._index).frequency(self._match) > self.depth:
            return (None,)
        sql = f"SELECT rowid FROM fts WHERE fts MATCH ? LIMIT {self.depth + 1}"
        ids = [row[0] for row in self._db.execute(sql, (self._match,))]
        return (ids if len(ids) <= self.depth else None,)

    def passing(self, named: Sequence[tuple[int, int]]) -> list[int]:
        """Those of the entries, as (id, crc), that are still the same and pass the filter, in their order."""
        condition, values = self._every
        sql = f"SELECT entry.id, entry.crc FROM entry WHERE {_AMONG} AND {condition}"
        # A list of numbers is JSON as Python writes it.
        ids = str([id_ for id_, _crc in named])
        with translate_sqlite_errors():
            found: dict[int, int] = dict(self._db.execute(sql, (ids, *values)).fetchall())  # type: ignore[arg-type]
        return [id_ for id_, crc in named if found.get(id_) == crc]

    def between(self, start: float, end: float, limit: int) -> list[int]:
        """The newest entries from `start` until before `end` that pass the filter, by their own times."""
        condition, values = self._every
        within = f"entry.ts >= ? AND entry.ts < ? AND {condition}"
        sql = f"SELECT entry.id FROM entry WHERE {within} ORDER BY entry.ts DESC LIMIT ?"
        with translate_sqlite_errors():
            return [row[0] for row in self._db.execute(sql, (start, end, *values, limit))]

    def take_beside(self, pool: Pool, ids: list[int]) -> None:
        """Put these entries among the candidates, with their texts, though the index did not find them by words."""
        with translate_sqlite_errors():
            self._take(pool, self._fetch_rows(ids, self._every), set())

    def _widen_expression(self, room: int) -> str:
        """The expression with as many of the query's single characters as are quickly ranked, the rarest first."""
        faint = [term for term in self._query.terms if term.faint and term.fts]
        if not faint or self._query.required:
            return self._match
        counts = Counts(self._index)
        taken: list[Term] = []
        for number, term in sorted(((counts.frequency(one.fts), one) for one in faint), key=itemgetter(0)):
            room -= number
            if room < 0:
                break
            taken.append(term)
        return self._query.widened(taken)

    def _narrow(self) -> bool:
        """Of a pasted text, ask for its rarer words only where all would find a great part of a large home; all of
        them are weighed."""
        strong = [term for term in self._query.terms if term.fts and not term.faint]
        if len(strong) <= ASKED or self._query.required:
            return False
        counts = Counts(self._index)
        room = ROOM
        taken: list[str] = []
        for number, fts in sorted((counts.frequency(term.fts), term.fts) for term in strong):
            room -= number
            if room < 0 and len(taken) >= ASKED:
                self._match = self._query.expression(taken)
                return True
            taken.append(fts)
        return False

    def _is_cheap(self, quick: bool) -> bool:
        return self._count_matches(CHEAP) < (round(CHEAP * self._part) if quick else CHEAP)

    def _take_recent(self, pool: Pool, quick: bool) -> None:
        """A first page: the newest places of each word, weighed by how rare the word is."""
        pool.bounded, pool.more = quick, True
        pool.frequencies = [0] * len(self._query.terms)
        worth: dict[int, float] = {}
        newest = self._db.execute("SELECT max(id) FROM entry").get
        sql = f"SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid DESC LIMIT {self._newest}"
        whole, asked = 0.0, []
        for number, term in enumerate(self._query.terms):
            if not term.fts or term.faint:
                continue
            ids = [row[0] for row in self._db.execute(sql, (self._query.narrowed(term),))]
            held = len(ids)
            if held == self._newest:
                held = min(pool.size, held * pool.size // max(newest - ids[-1] + 1, 1))
            pool.frequencies[number] = held
            weight = term.weight * log(1 + (pool.size - min(held, pool.size) + 0.5) / (held + 0.5))
            whole += weight
            asked.append(f"({term.fts})")
            for id_ in ids:
                worth[id_] = worth.get(id_, 0.0) + weight
        if self.brief and len(asked) > 1 and not self._query.required:
            together = self._query.expression([" AND ".join(asked)])
            worth.update((row[0], whole) for row in self._db.execute(sql, (together,)))
        best = sorted(worth, key=lambda id_: (worth[id_], id_), reverse=True)
        rows = self._fetch_rows(best[: 2 * self.depth], self._every)
        self._take(pool, rows[: self.depth])
        pool.total = max(len(worth) if self._every[0] == "1" else 0, len(pool.candidates))

    def _take_ranked(self, pool: Pool) -> None:
        """FTS5's best, by its own BM25; `rank` then looks at their texts."""
        rated = [id_ for id_, _score in self._rate()]
        rows = self._fetch_rows(rated[: self.depth], self._every)
        if len(rows) < self.depth < len(rated):
            rows = self._fetch_rows(rated[: self.depth + _SPARE], self._every)
        if self._others[0] == "1" and len(rows) < self.depth <= len(rated) - _SPARE:
            rows = self._fetch_rows([id_ for id_, _score in self._find_best(self.depth)], self._every)
        best = [row[0] for row in rows[: self.depth]]
        # What stands next to the very best shares in their scores, and they in its.
        known = set(best)
        beside = {id_ + step for id_ in best[: min(self.leading, self.depth // 4)] for step in (-1, 1)} - known
        self._take(pool, [*rows[: self.depth], *self._fetch_rows(sorted(beside), self._every)], known)
        self._count(pool)

    def _rate(self) -> list[tuple[int, float]]:
        """The best matches, with a few to spare, and what FTS5 gives them."""
        if self._rated is None:
            if self._others[0] == "1":
                # Looking up the status of every match costs half as much as ranking them, and most are shown.
                sql = f"fts WHERE fts MATCH ? ORDER BY s, rowid DESC LIMIT {self.depth + _SPARE}"
                self._rated = self._score(sql, ())
            else:
                self._rated = self._find_best(self.depth)
        return self._rated

    def _find_best(self, most: int) -> list[tuple[int, float]]:
        """The best of those that pass the filter."""
        condition, values = self._every
        order = f"ORDER BY s, fts.rowid DESC LIMIT {most}"
        return self._score(f"{_JOINED} WHERE fts MATCH ? AND {condition} {order}", values)

    def _score(self, rest: str, values: Sequence[Any]) -> list[tuple[int, float]]:
        sql = f"SELECT fts.rowid, bm25(fts, {WEIGHTS}) AS s FROM {rest}"
        rows: list[Any] = self._db.execute(sql, (self._match, *values)).fetchall()
        return rows

    def _count(self, pool: Pool) -> None:
        counts = Counts(self._index)
        matches = pool.total = counts.frequency(self._match)
        pool.frequencies = [counts.frequency(term.fts) if term.fts else 0 for term in self._query.terms]
        shown = self._wanted.statuses
        alone = self._others[0] == "1"
        if alone and (
            not shown or all(status in shown for _, _, status in self._index.counts(now=self._now, parts=True))
        ):
            return
        pool.total = 0
        pool.hidden = {}
        special = counts.special(self._match) if alone else None
        if special is not None:
            for (code, expires), number in special.items():
                self._tell(pool, compute_row_status(code, expires, self._now), number)
            self._tell(pool, Status.ACTIVE, matches - sum(special.values()))
            return
        condition, values = self._others
        rows = self._db.execute(
            f"SELECT entry.status, entry.expires <= ? AS gone, count(*) FROM {_JOINED} WHERE fts.rowid IN"
            f" (SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid DESC LIMIT {COUNTED}) AND {condition}"
            " GROUP BY 1, 2",
            (self._now, self._match, *values),
        )
        pool.more = pool.more or matches > COUNTED
        for code, gone, number in rows:
            self._tell(pool, compute_row_status(code, self._now if gone else None, self._now), number)

    def _tell(self, pool: Pool, status: Status, number: int) -> None:
        if not self._wanted.statuses or status in self._wanted.statuses:
            pool.total += number
        else:
            pool.hidden[status] = pool.hidden.get(status, 0) + number

    def _fetch_rows(self, ids: list[int], passing: tuple[str, list[object]]) -> list[tuple[Any, ...]]:
        """The rows of these ids that pass a condition, in their order."""
        if not ids:
            return []
        condition, values = passing
        sql = f"SELECT {_COLUMNS} FROM entry {_FILES} WHERE {_AMONG} AND {condition}"
        found = {row[0]: row for row in self._db.execute(sql, (str(ids), *values))}
        return [found[id_] for id_ in ids if id_ in found]

    def _take(self, pool: Pool, rows: Iterable[tuple[Any, ...]], best: set[int] | None = None) -> None:
        """Make candidates of the rows, with their texts; of those not among the `best`, only neighbours."""
        places: list[Place] = []
        known: dict[int | None, str] = {None: ""}
        kinds: dict[int, str] = {}
        told: dict[tuple[int, bool], Status] = {}
        shown = self._wanted.statuses
        home, index, now = self._home, self._index, self._now
        for (
            id_,
            path,
            line,
            last,
            start,
            size,
            layer,
            kind,
            code,
            time,
            expires,
            heading,
            crc,
            level,
            reach,
            mtime,
            length,
            bare,
        ) in rows:
            gone = expires is not None and expires <= now
            status = told.get((code, gone))
            if status is None:
                status = told[code, gone] = compute_row_status(code, expires, now)
            if shown and status not in shown:
                pool.hidden[status] = pool.hidden.get(status, 0) + 1
                continue
            above = known.get(heading)
            if above is None:
                above = known[heading] = index.name(heading)
            name = kinds.get(kind)
            if name is None:
                name = kinds[kind] = index.name(kind)
            candidate = SearchCandidate(home, path, line, last, LAYERS[layer], name, status, time, above, False, id_)
            candidate.found = best is None or id_ in best
            candidate.dated = time != mtime // 10**9
            candidate.crc = crc
            candidate.level = level
            candidate.reach = last + reach
            places.append((candidate, start, size, (mtime, length), bare))
        gone = self._texts.fill(places, lambda candidate: turn(self._index, candidate))
        changed = set(gone)
        pool.changed += gone
        pool.candidates += [place[0] for place in places if place[0].path not in changed]


def share_depth(lookups: Sequence[Lookup], *, quick: bool) -> None:
    """Let homes that are searched with what others share have one pool: as many candidates as one's own homes alone
    would bring, the best of all, as though they stood in one home; and of each at least its few best.

    Where so many match that FTS5 is not asked for their order, each home has its part.
    """
    own = sum(not lookup.brief for lookup in lookups)
    whole = room = max(own, 1) * max(lookup.depth for lookup in lookups)
    few = [lookup.count_few(quick=quick) for lookup in lookups]
    if None not in few and sum(number or 0 for number in few) <= room:
        return
    least = min(_LEAST, room // (2 * len(lookups)))
    rated: list[tuple[Lookup, list[float]]] = []
    many: list[Lookup] = []
    for lookup in lookups:
        scores = lookup.weigh(quick=quick)
        if scores is not None:
            rated.append((lookup, scores))
        else:
            many.append(lookup)
            room -= least if lookup.brief else 0
    mine = [lookup for lookup in many if not lookup.brief]
    part = max(least, room // (len(mine) + bool(rated))) if mine else 0
    for lookup in many:
        lookup.depth = least if lookup.brief else part
    room -= part * len(mine)
    if sum(len(scores) for _lookup, scores in rated) > room:
        for (lookup, _scores), depth in zip(rated, _choose(_compare(rated), room, least), strict=True):
            lookup.depth = depth
    for lookup in lookups:
        lookup.leading = min(_TOP, 1 + _TOP * lookup.depth * max(own, 1) // whole)


def _compare(rated: Sequence[tuple[Lookup, list[float]]]) -> list[list[float]]:
    """Scores of several homes as though all counted together how rare a word is."""
    told = [lookup.read_statistics() for lookup, _scores in rated]
    size = sum(number for number, _terms in told)
    every = [_weigh_rarity(size, sum(column)) for column in zip(*(terms for _size, terms in told), strict=True)]
    compared = []
    for (_lookup, scores), (number, terms) in zip(rated, told, strict=True):
        there = [at for at, count in enumerate(terms) if count]
        own = sum(_weigh_rarity(number, terms[at]) for at in there)
        scale = sum(every[at] for at in there) / own if own else 1.0
        compared.append([score * scale for score in scores])
    return compared


def _weigh_rarity(size: int, held: int) -> float:
    """FTS5's inverse document frequency."""
    return max(log((size - held + 0.5) / (held + 0.5)), 1e-6) if held < size else 1e-6


def _choose(compared: Sequence[list[float]], room: int, least: int) -> list[int]:
    """How many of each list, the least first and best, are among the `room` best of all; of each at least so many."""
    chosen = [min(least, len(scores)) for scores in compared]
    rest = sorted([one for scores in compared for one in scores[least:]])
    left = max(room - sum(chosen), 0)
    if left >= len(rest):
        return list(map(len, compared))
    edge = rest[left]
    chosen = [max(bisect_left(scores, edge), count) for count, scores in zip(chosen, compared, strict=True)]
    # Many may be as good as each other: what is left goes round.
    last = [max(bisect_right(scores, edge), count) for count, scores in zip(chosen, compared, strict=True)]
    left = room - sum(chosen)
    while left > 0 and chosen != last:
        for at, most in enumerate(last):
            if left > 0 and chosen[at] < most:
                chosen[at], left = chosen[at] + 1, left - 1
    return chosen


def turn(index: Index, candidate: SearchCandidate) -> int:
    """Which of several records on the same lines of its file a candidate is, from 0."""
    same = [row.id for row in index.in_file(candidate.path) if (row.line, row.last) == (candidate.line, candidate.last)]
    return same.index(candidate.order) if candidate.order in same else 0


def find_owner_id(index: Index, candidate: SearchCandidate) -> int:
    """The id of the memory that a candidate is a part of; its own where there is none."""
    sql = (
        "SELECT id, last + reach FROM entry WHERE file = (SELECT file FROM entry WHERE id = ?) AND level = 0"
        " AND line <= ? ORDER BY line DESC LIMIT 1"
    )
    with translate_sqlite_errors():
        for id_, last in index.db.execute(sql, (candidate.order, candidate.line)):
            return int(id_) if last >= candidate.line else candidate.order
    return candidate.order


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
            marks = self._load_marks()
            if marks is None:
                return None
            found = {}
            for id_ in marks.keys() & {row[0] for row in self._db.execute(_EVERY, (match,))} if marks else ():
                found[marks[id_]] = found.get(marks[id_], 0) + 1
            _remember(_held, key, found, _REMEMBERED // 16)
        return found

    def _load_marks(self) -> dict[int, Marks] | None:
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

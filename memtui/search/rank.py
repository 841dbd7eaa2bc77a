"""BM25 over the candidates' own texts, a share of the neighbours' scores, and recency where scores are equal.

k1 = 0.9, b = 0.4, headings twice, neighbours 0.2: measured to be best for short memories. The score is the share of
the best score that the query could have, 0 to 1: the idf-weighted sum of tf / (tf + k1·(1 − b + b·length / average)),
divided by the sum of the weights, so that a memory which holds every word many times tends to 1.
"""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from itertools import repeat
from math import log

from memtui.model import Layer, Level
from memtui.record import TYPE_CHECKING
from memtui.search.words import fold, searchable
from memtui.search.worth import BOOKKEPT, GAP, TOLD, asking, asks, asks_when, bookkept, lend, telling, told_by

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.search.candidate import Candidate, Pool
    from memtui.search.query import Query
    from memtui.search.term import Term

K1 = 0.9
B = 0.4
HEADING = 2.0
BELOW = 0.5
"""What a memory's score is worth where only the headings above it hold the words, so that a whole section does not
come before the line that says it."""

QUESTION = 0.5
"""What a line of nothing but questions loses of its score to somebody who asks: it rarely is the answer."""

NEIGHBOUR = 0.2

HEAD = 0.3
"""What a part gets of the score of the memory that it belongs to: what a topic's title and description say of each
line below is what that line leaves out."""

RECALLED = 0.15
"""What a memory gets for being of the time that the query names."""

NAMED = 0.02
"""What it gets for holding a name that the query and the homes know."""

MANY = 24
"""Texts from which on it is worth to ask of all at once whether any holds a term."""


def rank(
    query: Query,
    pools: Sequence[Pool],
    layers: frozenset[Layer] = frozenset(Layer),
    blend: Callable[[list[Candidate]], None] | None = None,
    raise_: Callable[[list[Candidate]], None] | None = None,
    *,
    typed: bool = True,
) -> list[Candidate]:
    """Score the candidates of all homes by the same statistics; best first.

    Those that hold no term are left out, unless `blend` is there to put what they mean into the scores. `layers`: in
    which neighbours count. `raise_` may add to the scores that come out. `typed`: what holds the query as it was typed
    comes before all others.
    """
    candidates = [candidate for pool in pools for candidate in pool.candidates]
    if not candidates:
        return []
    counted = _count(query, candidates)
    weights = _weights(query.terms, pools, counted)
    best = sum(weights) or 1.0
    average = sum(candidate.length for candidate in candidates) / len(candidates)
    for candidate, row in zip(candidates, counted, strict=True):
        damping = K1 * (1 - B + B * candidate.length / average)
        score = 0.0
        for number, weight in zip(row, weights, strict=True):
            if number:
                score += weight * number / (number + damping)
        score = score / best if any(candidate.own) else BELOW * score / best
        candidate.score = score * BOOKKEPT if bookkept(candidate) else score
    demanded = [index for index, term in enumerate(query.terms) if term.exact]
    if demanded:
        kept = [all(row[index] for index in demanded) for row in counted]
        pairs = zip(candidates, kept, strict=True)
        candidates = [candidate for candidate, holds in pairs if holds or candidate.cut]
    if query.excluded:
        candidates = [c for c in candidates if not any(term.count(c.body) for term in query.excluded)]
    if blend is None:
        candidates = [one for one in candidates if one.score > 0 or one.cut or one.recalled]
    question = asks(query.text)
    if question or query.spoken:
        when = asks_when(query.text)
        for candidate in candidates:
            candidate.score *= telling(candidate, when)
            if question:
                candidate.score *= 1 - QUESTION * asking(candidate.raw)
    if blend is None:
        named = fold(query.text)
        for candidate in candidates:
            if told_by(candidate.raw, named):
                candidate.score *= TOLD
    _add(query, candidates, layers, alone=blend is None)
    if blend is not None:
        blend(candidates)
    if raise_ is not None:
        raise_(candidates)
    _sort(query.runs if typed else (), candidates)
    return candidates


def _add(query: Query, candidates: list[Candidate], layers: frozenset[Layer], *, alone: bool) -> None:
    """Add to the scores by words what lines around, times and names give. `alone`: nothing else will be added."""
    for candidate in candidates:
        candidate.words, candidate.neighbours = candidate.score, 0.0
    # Where meaning speaks, too, questions lend of both.
    lent = lend(candidates, asks_when(query.text)) if alone else {}
    _smooth([candidate for candidate in candidates if candidate.prose and candidate.layer in layers])
    _share(candidates)
    for candidate in candidates:
        if lent:
            candidate.neighbours += lent.get(id(candidate), 0.0)
        more = candidate.neighbours
        if candidate.recalled:
            more += RECALLED
        candidate.score += more
        if candidate.named:
            candidate.score += NAMED


# The same few headings stand above a great many memories.
_heading = lru_cache(maxsize=1 << 12)(searchable)


def _count(query: Query, candidates: list[Candidate]) -> list[Sequence[float]]:
    columns = _columns(query, [candidate.body for candidate in candidates])
    names = list(dict.fromkeys(candidate.heading for candidate in candidates))
    stand = zip(*_columns(query, list(map(_heading, names))), strict=True)
    headings = {
        name: tuple(HEADING * n for n in row) if any(row) else ()
        for name, row in zip(names, stand, strict=False)
    }
    counted: list[Sequence[float]] = []
    for candidate, own in zip(
        candidates, zip(*columns, strict=True) if columns else repeat(()), strict=False
    ):
        above = headings.get(candidate.heading, ())
        candidate.own, candidate.above = own, above
        counted.append([count + more for count, more in zip(own, above, strict=True)] if above else own)
    return counted


def _columns(query: Query, texts: list[str]) -> list[Sequence[float]]:
    """How often each text holds each term, a term at a time: one call for all texts costs a third of one for each."""
    if len(texts) < MANY:
        return [list(map(term.counter(), texts)) for term in query.terms]
    every, known = "\n".join(texts), dict[str, bool]()
    return [term.counts(texts, every, known) for term in query.terms]


def _weights(terms: list[Term], pools: Sequence[Pool], counted: list[Sequence[float]]) -> list[float]:
    size = sum(pool.size for pool in pools)
    sums = [0.0] * len(terms)
    done = 0
    for pool in pools:
        rows = counted[done : done + len(pool.candidates)]
        done += len(rows)
        for index, term in enumerate(terms):
            if pool.frequencies is not None and term.fts:
                sums[index] += pool.frequencies[index]
                continue
            held = sum([1 for row in rows if row[index]])
            # What nobody counted: its share among the candidates is at least its share in the home.
            sums[index] += held if pool.frequencies is None else held / max(len(rows), 1) * pool.size
    return [
        term.weight * log(1 + (max(size - number, 0) + 0.5) / (number + 0.5))
        for term, number in zip(terms, sums, strict=True)
    ]


def _smooth(prose: list[Candidate]) -> None:
    if len({candidate.path for candidate in prose}) == len(prose):
        return
    prose.sort(key=_place)
    scores = [candidate.score for candidate in prose]
    for index in range(len(prose) - 1):
        one, two = prose[index], prose[index + 1]
        if (
            one.path == two.path
            and one.heading == two.heading
            and 0 <= two.line - one.last <= GAP
            and one.home is two.home
        ):
            one.neighbours += NEIGHBOUR * scores[index + 1]
            two.neighbours += NEIGHBOUR * scores[index]


def _share(candidates: list[Candidate]) -> None:
    """Give parts of the score of the memory that they belong to, where it is among the candidates."""
    heads: dict[tuple[int, str], list[Candidate]] = {}
    for one in candidates:
        if one.reach > one.last and one.words:
            heads.setdefault((id(one.home), one.path), []).append(one)
    if not heads:
        return
    for same in heads.values():
        same.sort(key=_place)
    for one in candidates:
        if one.level != Level.PART or (same := heads.get((id(one.home), one.path), [])) == []:
            continue
        at = bisect(same, _place(one), key=_place) - 1
        if at >= 0 and same[at].reach >= one.line:
            one.neighbours += HEAD * same[at].words


def _place(candidate: Candidate) -> tuple[str, int]:
    return candidate.path, candidate.line


def _sort(runs: tuple[str, ...], found: list[Candidate]) -> None:
    def key(candidate: Candidate) -> tuple[int, float, float, int, str, int]:
        # What was typed stands before what merely stands below it in a heading, or holds its parts; in the script in
        # which it was typed before the other.
        as_typed = 0
        for at, run in enumerate(runs):
            if run in candidate.body:
                as_typed = len(runs) - at
                break
        score = round(candidate.score, 9)
        return as_typed, score, candidate.time or 0.0, candidate.order, candidate.path, candidate.line

    found.sort(key=key, reverse=True)
    least = 0.0
    for candidate in reversed(found):
        if candidate.score < least:
            candidate.score = least
        else:
            least = candidate.score

"""BM25 over the candidates' own texts, a share of the neighbours' scores, and recency where scores are equal.

k1 = 0.9, b = 0.4, headings twice, neighbours 0.2: measured to be best for short memories. The score is the share of
the best score that the query could have, 0 to 1: the idf-weighted sum of tf / (tf + k1·(1 − b + b·length / average)),
divided by the sum of the weights, so that a memory which holds every word many times tends to 1.
"""

from __future__ import annotations

from math import log
from operator import attrgetter
from typing import TYPE_CHECKING

from memtui.search.words import searchable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.search.candidate import Candidate, Pool
    from memtui.search.query import Query
    from memtui.search.term import Term

K1 = 0.9
B = 0.4
HEADING = 2.0
BELOW = 0.5
"""What a memory's score is worth where only the headings above it hold the words, so that a whole section does not
come before the line that says it."""

NEIGHBOUR = 0.2
GAP = 2
"""Lines that two neighbours may be apart: one blank line between them."""


def rank(query: Query, pools: Sequence[Pool]) -> list[Candidate]:
    """Score the candidates of all homes by the same statistics; best first. Those that hold no term are left out."""
    candidates = [candidate for pool in pools for candidate in pool.candidates]
    if not candidates:
        return []
    counted = _count(query, candidates)
    weights = _weights(query.terms, pools, counted)
    best = sum(weights) or 1.0
    lengths = [_length(candidate.body) for candidate in candidates]
    average = sum(lengths) / len(lengths)
    for candidate, row, length in zip(candidates, counted, lengths, strict=True):
        damping = K1 * (1 - B + B * length / average)
        score = 0.0
        for number, weight in zip(row, weights, strict=True):
            if number:
                score += weight * number / (number + damping)
        candidate.score = score / best if candidate.spoken else BELOW * score / best
    demanded = [index for index, term in enumerate(query.terms) if term.exact]
    if demanded:
        kept = [all(row[index] for index in demanded) for row in counted]
        pairs = zip(candidates, kept, strict=True)
        candidates = [candidate for candidate, holds in pairs if holds or candidate.cut]
    if query.excluded:
        candidates = [c for c in candidates if not any(term.count(c.body) for term in query.excluded)]
    found = [candidate for candidate in candidates if candidate.score > 0 or candidate.cut]
    _smooth(found)
    _sort(query, found)
    return found


def _count(query: Query, candidates: list[Candidate]) -> list[list[float]]:
    headings: dict[str, list[float]] = {}
    counted: list[list[float]] = []
    counters = [term.count for term in query.terms]
    for candidate in candidates:
        heading = candidate.heading
        above = headings.get(heading)
        if above is None:
            folded = searchable(heading)
            above = headings[heading] = [HEADING * count(folded) for count in counters]
        body = candidate.body
        own = [count(body) for count in counters]
        candidate.spoken = any(own)
        counted.append([count + more for count, more in zip(own, above, strict=True)])
    return counted


def _weights(terms: list[Term], pools: Sequence[Pool], counted: list[list[float]]) -> list[float]:
    size = sum(pool.size for pool in pools)
    sums = [0.0] * len(terms)
    done = 0
    for pool in pools:
        rows = counted[done : done + len(pool.candidates)]
        done += len(rows)
        for index, term in enumerate(terms):
            held = sum(1 for row in rows if row[index])
            if pool.frequencies is None:
                sums[index] += held
            elif term.fts:
                sums[index] += pool.frequencies[index]
            else:
                # Nobody counted this one; its share among the candidates is at least its share in the home.
                sums[index] += held / max(len(rows), 1) * pool.size
    return [
        term.weight * log(1 + (max(size - number, 0) + 0.5) / (number + 0.5))
        for term, number in zip(terms, sums, strict=True)
    ]


def _length(body: str) -> int:
    # Words, and two tokens for each CJK character (three bytes for one character).
    spaces = body.count(" ") + 1
    return spaces if body.isascii() else spaces + len(body.encode("utf-8", "replace")) - len(body)


def _smooth(found: list[Candidate]) -> None:
    prose = [candidate for candidate in found if candidate.prose]
    if len(prose) < 2:
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
            one.score += NEIGHBOUR * scores[index + 1]
            two.score += NEIGHBOUR * scores[index]


def _place(candidate: Candidate) -> tuple[str, int]:
    return candidate.path, candidate.line


def _sort(query: Query, found: list[Candidate]) -> None:
    found.sort(key=attrgetter("path", "line"), reverse=True)
    found.sort(key=_recency, reverse=True)
    run = query.run
    if run:
        # What was typed stands before what merely stands below it in a heading, or holds its parts.
        found.sort(key=lambda candidate: (run in candidate.body, round(candidate.score, 9)), reverse=True)
    else:
        found.sort(key=lambda candidate: round(candidate.score, 9), reverse=True)


def _recency(candidate: Candidate) -> tuple[float, int]:
    return candidate.time or 0.0, candidate.order

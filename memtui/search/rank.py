"""Ranking: BM25 over the candidates' own texts, shares of their neighbours' scores, and what answers a question.

k1 = 1.3, b = 0.5, headings once, neighbours 0.2, measured to be best on 949 questions over 115 real homes; recency
breaks ties. A score is the share, 0 to 1, of the best score that the query could have: the idf-weighted sum of
tf / (tf + k1·(1 − b + b·length / average)), divided by the sum of the weights. To a sentence, what may answer it is
raised among the best (`search.worth`); the best score stays what it is.
"""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from itertools import repeat
from math import log

from memtui.core.model import Layer, Level
from memtui.core.startup import TYPE_CHECKING
from memtui.search.terms import fold, fold_searchable
from memtui.search.worth import (
    ANSWER,
    BOOKKEPT,
    GAP,
    LISTED,
    QUESTION,
    find_answers,
    is_bare_name,
    is_bookkeeping,
    is_question,
    is_reason_question,
    is_time_question,
    matches_speaker,
    measure_question_share,
    read_bearing,
    share_question_scores,
    weigh_answer,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.search.candidate import Pool, SearchCandidate
    from memtui.search.query import Query
    from memtui.search.terms import Term

K1 = 1.3
B = 0.5
HEADING = 1.0
BELOW = 0.5
"""What a memory's score is worth where only the headings above it hold the words, so that a whole section does not
come before the line that says it."""

NEIGHBOUR = 0.2

HEAD = 0.3
"""What a part gets of the score of the memory that it belongs to: what a topic's title and description say of each
line below is what that line leaves out."""

TOLD = 1.15
"""By how much its score by words grows where words are all there is."""

SEARCHED = 50
"""Candidates, the best by words, that are looked at for what answers a question."""

HELD = 0.67
"""What a line gains, as a share of the best score, that holds all words that are asked: by weights one rare word counts
for more than three common ones, which are more of an answer."""

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
    blend: Callable[[list[SearchCandidate]], None] | None = None,
    raise_: Callable[[list[SearchCandidate]], None] | None = None,
    *,
    typed: bool = True,
) -> list[SearchCandidate]:
    """Score the candidates of all homes by the same statistics; best first.

    Those that hold no term are left out, unless `blend` is there to put what they mean into the scores. `layers`: in
    which neighbours count. `raise_` may add to the scores that come out. `typed`: what holds the query as it was typed
    comes before all others.
    """
    candidates = [candidate for pool in pools for candidate in pool.candidates]
    if not candidates:
        return []
    counted = _count(query, candidates)
    weights = _weigh_terms(query.terms, pools, counted)
    best = sum(weights) or 1.0
    average = sum(candidate.length for candidate in candidates) / len(candidates)
    for candidate, row in zip(candidates, counted, strict=True):
        candidate.score = _score(candidate, row, weights, average, best)
    demanded = [index for index, term in enumerate(query.terms) if term.exact]
    if demanded:
        kept = [all(row[index] for index in demanded) for row in counted]
        pairs = zip(candidates, kept, strict=True)
        candidates = [candidate for candidate, holds in pairs if holds or candidate.cut]
    if query.excluded:
        candidates = [c for c in candidates if not any(term.count(c.body) for term in query.excluded)]
    if blend is None:
        candidates = [one for one in candidates if one.score > 0 or one.cut or one.recalled]
    question = is_question(query.text)
    if question or query.spoken:
        when, why = is_time_question(query.text), is_reason_question(query.text)
        for candidate in candidates:
            candidate.score *= weigh_answer(candidate, when, why)
            if question:
                candidate.score *= 1 - QUESTION * measure_question_share(candidate.raw)
    if blend is None:
        named = fold(query.text)
        for candidate in candidates:
            if matches_speaker(candidate.raw, named):
                candidate.score *= TOLD
    _add(query, candidates, layers, alone=blend is None)
    if question or query.spoken:
        _raise_answers(query, candidates, alone=blend is None)
    if blend is not None:
        blend(candidates)
    if raise_ is not None:
        raise_(candidates)
    _sort(query.runs if typed else (), candidates)
    return candidates


def _score(
    candidate: SearchCandidate, row: Sequence[float], weights: Sequence[float], average: float, best: float
) -> float:
    """A candidate's score by words, as a share of the `best` there could be; `average` is the length of all."""
    damping = K1 * (1 - B + B * candidate.length / average)
    score = 0.0
    for number, weight in zip(row, weights, strict=True):
        if number:
            score += weight * number / (number + damping)
    score /= best
    if not any(candidate.own):
        # A label says nothing of what stands in the headings above it.
        score *= 0.0 if candidate.level == Level.CONTEXT else BELOW
    if is_bare_name(candidate):
        return score * LISTED
    return score * BOOKKEPT if is_bookkeeping(candidate) else score


def _add(query: Query, candidates: list[SearchCandidate], layers: frozenset[Layer], *, alone: bool) -> None:
    """Add to the scores by words what lines around, times and names give. `alone`: nothing else will be added."""
    for candidate in candidates:
        candidate.words, candidate.neighbours = candidate.score, 0.0
    # Where meaning speaks, too, questions lend of both.
    lent = share_question_scores(candidates, is_time_question(query.text)) if alone else {}
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


def _raise_answers(query: Query, candidates: list[SearchCandidate], *, alone: bool) -> None:
    """Raise what may be the answer to a sentence; the best score stays what it is, as a share of what it could be.
    `alone`: nothing else will look at what a line is worth as an answer."""
    first = sorted(candidates, key=lambda one: one.score, reverse=True)[:SEARCHED]
    best = first[0].score if first else 0.0
    if best <= 0:
        return
    question = is_question(query.text)
    measure_bearing = read_bearing(query.text)
    strong = [number for number, term in enumerate(query.terms) if not term.faint]

    def hold(one: SearchCandidate) -> float:
        """The share of the words that a line holds; who asks holds them and answers nothing."""
        held = sum([1 for number in strong if one.own[number]]) / max(len(strong), 1)
        return held * (1 - QUESTION * measure_question_share(one.raw)) if question else held

    # Who answers need not repeat what was asked of him.
    lent = {id(answer): ANSWER * hold(line) for line, answer in find_answers(first)} if question else {}
    for one in first:
        if one.score <= 0:
            break
        gain = HELD * max(hold(one), lent.get(id(one), 0.0))
        if alone:
            gain += measure_bearing(one)
        one.score = max(0.0, one.score + best * gain)
    scale = best / max(one.score for one in first)
    for one in first:
        one.score *= scale


# The same few headings stand above a great many memories.
_heading = lru_cache(maxsize=1 << 12)(fold_searchable)


def _count(query: Query, candidates: list[SearchCandidate]) -> list[Sequence[float]]:
    columns = _count_terms(query, [candidate.body for candidate in candidates])
    names = list(dict.fromkeys(candidate.heading for candidate in candidates))
    stand = zip(*_count_terms(query, list(map(_heading, names))), strict=True)
    headings = {
        name: tuple(HEADING * n for n in row) if any(row) else () for name, row in zip(names, stand, strict=False)
    }
    counted: list[Sequence[float]] = []
    for candidate, own in zip(candidates, zip(*columns, strict=True) if columns else repeat(()), strict=False):
        above = headings.get(candidate.heading, ())
        candidate.own, candidate.above = own, above
        counted.append([count + more for count, more in zip(own, above, strict=True)] if above else own)
    return counted


def _count_terms(query: Query, texts: list[str]) -> list[Sequence[float]]:
    """How often each text holds each term, a term at a time: one call for all texts costs a third of one for each."""
    if len(texts) < MANY:
        return [list(map(term.counter(), texts)) for term in query.terms]
    every, known = "\n".join(texts), dict[str, bool]()
    return [term.counts(texts, every, known) for term in query.terms]


def _weigh_terms(terms: list[Term], pools: Sequence[Pool], counted: list[Sequence[float]]) -> list[float]:
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


def _smooth(prose: list[SearchCandidate]) -> None:
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


def _share(candidates: list[SearchCandidate]) -> None:
    """Give parts of the score of the memory that they belong to, where it is among the candidates."""
    heads: dict[tuple[int, str], list[SearchCandidate]] = {}
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


def _place(candidate: SearchCandidate) -> tuple[str, int]:
    return candidate.path, candidate.line


def _sort(runs: tuple[str, ...], found: list[SearchCandidate]) -> None:
    def key(candidate: SearchCandidate) -> tuple[int, float, float, int, str, int]:
        """What was typed as it stands, then the score, then the newer; by place, so that ties never jump."""
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

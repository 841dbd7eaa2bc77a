"""Words and meaning put together: by what measured best, by ranks (spec 002), or by fixed weights (spec 001).

`zscore`, the default: how many standard deviations nearer to the query a memory means than one picked at random, plus
`WORDS` times its score by words. That score is the share of the best that the query could have, so words count as far
as they explain the query: for a name or an error code they decide, for a paraphrase or another language meaning does,
and nobody has to guess which kind of query it is. The best match by words gains a little more (`LEAD`). The score
shown is 0.5 for a memory no nearer than any, and tends to 1.
"""

from __future__ import annotations

from math import log, sqrt

from memtui.record import TYPE_CHECKING
from memtui.search.words import fold
from memtui.search.worth import (
    ASKING,
    BOOKS,
    SPOKEN,
    THIN,
    UNTOLD,
    asking,
    asks,
    asks_when,
    bookkept,
    lend,
    telling,
    thin,
    told_by,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.search.candidate import Candidate
    from memtui.vectors import Scores

WORDS = 12.0
"""Standard deviations that a full match by words is worth; from 8 to 16 hardly anything changes."""

LEAD = 0.5
"""Standard deviations that the best match by words gains besides, others as much of it as they are worth beside the
best: of a long question, or a Chinese one, whose pairs of characters are mostly none of its words, even the best
holds little, and is still the best."""

MANY, CHANCE = 20, 0.5
"""What so many memories have by words is half chance, and taken off."""

HALFWAY = 4.0
"""The sum at which the score is half way from 0.5 to 1."""

FAR = 0.55
"""A score by deviations below which a memory that holds none of the words is no answer: nearer than two of three."""

FEW, TYPICAL = 20, 0.03
"""Memories among which nobody can say what is near: as far as they are fewer, models are taken to spread cosines so."""

LUCK = 0.9
"""How much of what chance may do tells an answer from none: at 1, a third of the right answers are doubted, too."""

K = 60
CUT = 20
"""RRF as spec 002 has it; of each list only the best count, as the long tail of a weak list outvotes a strong one."""

FIXED = (0.3, 0.7)
"""Spec 001's weights of words and meaning."""

Held = tuple["Scores", int]
"""How near a home's memories are, and how many they are."""


def fuse(candidates: Sequence[Candidate], held: Sequence[Held], how: str, query: str) -> None:
    """Give every candidate its score of both, 0 to 1, by `how`: zscore, rrf or weighted."""
    mean, deviation = spread(held)
    weigh(candidates, deviation, query)
    ranked(candidates)
    if how == "rrf":
        _by_ranks(candidates)
    elif how == "weighted":
        for candidate in candidates:
            candidate.score = FIXED[0] * candidate.score + FIXED[1] * max(0.0, candidate.meaning or 0.0)
    else:
        _by_deviations(candidates, mean, deviation, asks_when(query))


def chance(held: Sequence[Held]) -> float:
    """The score that the nearest of so many memories has by chance: below it nothing is nearer than what somebody asks
    who asks of something else. It is learned from how a model's own cosines lie, so it is the same for all models."""
    count = sum(count for _scores, count in held)
    farthest = LUCK * sqrt(2 * log(count)) if count >= FEW else 0.0
    return 0.5 * (1 + farthest / (HALFWAY + farthest))


def weigh(candidates: Sequence[Candidate], deviation: float, query: str) -> None:
    """Make meaning of every candidate's cosine: less of it, where it is worth little as an answer to the query."""
    asked, when, named = asks(query), asks_when(query), fold(query)
    for candidate in candidates:
        if candidate.cosine is not None:
            less = THIN * thin(candidate.raw) + (ASKING * asking(candidate.raw) if asked else 0.0)
            less += BOOKS if bookkept(candidate) else 0.0
            less += UNTOLD * (1 - telling(candidate, when)) if asked else 0.0
            more = SPOKEN if told_by(candidate.raw, named) else 0.0
            candidate.meaning = candidate.cosine + (more - less) * deviation


def ranked(candidates: Sequence[Candidate]) -> None:
    """Each candidate's place in the list by words, and in that by meaning."""
    by_words = sorted((one for one in candidates if one.score > 0), key=lambda one: -one.score)
    for number, candidate in enumerate(by_words, 1):
        candidate.word_rank = number
    by_meaning = [(one.meaning, one) for one in candidates if one.meaning is not None]
    by_meaning.sort(key=lambda pair: -pair[0])
    for number, (_meaning, candidate) in enumerate(by_meaning, 1):
        candidate.meaning_rank = number


def _by_deviations(
    candidates: Sequence[Candidate], mean: float, deviation: float, when: bool = False
) -> None:
    scores = sorted((candidate.score for candidate in candidates), reverse=True)
    chance = CHANCE * scores[min(MANY, len(scores) - 1)] if scores else 0.0
    best = scores[0] - chance if scores else 0.0
    for candidate in candidates:
        # Without a vector it is taken for one like any other.
        near = 0.0 if candidate.meaning is None else (candidate.meaning - mean) / deviation
        held = max(0.0, candidate.score - chance)
        candidate.score = near + WORDS * held + (LEAD * held / best if best > 0 else 0.0)
    lent = lend(candidates, when)
    for candidate in candidates:
        both = candidate.score + lent.get(id(candidate), 0.0)
        candidate.score = 0.5 * (1 + both / (HALFWAY + abs(both)))


def _by_ranks(candidates: Sequence[Candidate]) -> None:
    most = 2 / (K + 1)
    for candidate in candidates:
        ranks = (candidate.word_rank, candidate.meaning_rank)
        candidate.score = sum(1 / (K + rank) for rank in ranks if rank is not None and rank <= CUT) / most


def spread(held: Sequence[Held]) -> tuple[float, float]:
    """Mean and standard deviation over the memories of all homes."""
    total = sum(count for _scores, count in held) or 1
    mean = sum(count * scores.mean for scores, count in held) / total
    squares = sum(count * (scores.deviation**2 + scores.mean**2) for scores, count in held) / total
    spread_ = max(squares - mean * mean, 0.0)
    return mean, sqrt((total * spread_ + FEW * TYPICAL**2) / (total + FEW))

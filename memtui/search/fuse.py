"""Words and meaning put together. Spec 001 (weighted), spec 002 (ranks), and what measured better than both."""

from __future__ import annotations

from math import erf, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.search.candidate import Candidate
    from memtui.vectors import Scores

K = 60
CUT = 20
"""RRF as spec 002 has it; of each list only the best count, as the long tail of a weak list outvotes a strong one."""

MEANING, WORDS = 0.7, 0.3
"""Spec 001's weights."""

MOST = 0.55
COVERED = 0.05
"""The words' weight at most, and from which share of the best possible score on they have it: where the words hardly
match (another language, a paraphrase), meaning decides."""


def fuse(candidates: Sequence[Candidate], held: Sequence[Scores], how: str) -> None:
    """Give every candidate its score of both, 0 to 1, by `how`: zscore, rrf or weighted."""
    ranked(candidates)
    {"rrf": _rrf, "weighted": _weighted}.get(how, _zscore)(candidates, held)


def ranked(candidates: Sequence[Candidate]) -> None:
    """Each candidate's place in the list by words, and in that by meaning."""
    by_words = sorted((one for one in candidates if one.score > 0), key=lambda one: -one.score)
    for number, candidate in enumerate(by_words, 1):
        candidate.word_rank = number
    by_meaning = [(one.meaning, one) for one in candidates if one.meaning is not None]
    by_meaning.sort(key=lambda pair: -pair[0])
    for number, (_meaning, candidate) in enumerate(by_meaning, 1):
        candidate.meaning_rank = number


def _zscore(candidates: Sequence[Candidate], held: Sequence[Scores]) -> None:
    best = max((one.score for one in candidates), default=0.0)
    weight = MOST * min(1.0, best / COVERED)
    words = _standard([one.score for one in candidates])
    meant = [one.meaning for one in candidates if one.meaning is not None]
    least = min(meant, default=0.0)
    meaning = _standard([least if one.meaning is None else one.meaning for one in candidates])
    for candidate, word, sense in zip(candidates, words, meaning, strict=True):
        candidate.score = _squashed(weight * word + (1 - weight) * sense)


def _rrf(candidates: Sequence[Candidate], held: Sequence[Scores]) -> None:
    most = 2 / (K + 1)
    for candidate in candidates:
        ranks = (candidate.word_rank, candidate.meaning_rank)
        candidate.score = sum(1 / (K + rank) for rank in ranks if rank is not None and rank <= CUT) / most


def _weighted(candidates: Sequence[Candidate], held: Sequence[Scores]) -> None:
    for candidate in candidates:
        candidate.score = WORDS * candidate.score + MEANING * max(0.0, candidate.meaning or 0.0)


def _standard(values: list[float]) -> list[float]:
    """How many standard deviations each stands above the mean of all."""
    if not values:
        return []
    mean = sum(values) / len(values)
    spread = sqrt(sum((value - mean) ** 2 for value in values) / len(values)) or 1.0
    return [(value - mean) / spread for value in values]


def _squashed(value: float) -> float:
    return 0.5 * (1 + erf(value / 4))

"""What the answers are worth: R@k, MRR@10, how long they took and how long the hits are."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tests.retrieval.questions import Place, Question

DEPTH = 10


class Answer(NamedTuple):
    """What a backend found for a question, best first."""

    question: Question
    found: Sequence[Place]
    seconds: float

    def recall(self, depth: int) -> float:
        """The share of the wanted lines that the first `depth` hits cover."""
        hits = self.found[:depth]
        wanted = self.question.expected
        return sum(any(hit.covers(label) for hit in hits) for label in wanted) / len(wanted)

    def rank(self, labels: Sequence[Place]) -> int:
        """Where the first hit that covers one of the lines stands, from 1; 0: nowhere."""
        hits = enumerate(self.found[:DEPTH], 1)
        return next((number for number, hit in hits if any(map(hit.covers, labels))), 0)

    @property
    def reciprocal(self) -> float:
        """1 over the rank of the first right hit; 0 without one."""
        rank = self.rank(self.question.expected)
        return 1 / rank if rank else 0.0

    @property
    def misled(self) -> bool:
        """Something that no longer holds came before what does."""
        stale = self.rank(self.question.stale)
        return 0 < stale < (self.rank(self.question.expected) or DEPTH + 1)


class Scores(NamedTuple):
    """Means over a group of answers, ×100."""

    questions: int
    r1: float
    r5: float
    r10: float
    mrr: float

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Scores:
        """The scores of at least one answer."""

        def mean(values: Iterable[float]) -> float:
            return round(100 * statistics.fmean(values), 1)

        return cls(
            len(answers),
            mean(answer.recall(1) for answer in answers),
            mean(answer.recall(5) for answer in answers),
            mean(answer.recall(10) for answer in answers),
            mean(answer.reciprocal for answer in answers),
        )


class Report(NamedTuple):
    """One backend over one set."""

    backend: str
    overall: Scores
    groups: dict[str, Scores]
    """By language, then by category."""
    median: float
    """Milliseconds a query."""
    p95: float
    lines: float
    """Lines that a hit covers: a long hit is no cheat."""
    misled: float | None
    """×100: of the questions with lines that no longer hold, those where such a line came before the right one."""

    @classmethod
    def of(cls, backend: str, answers: Sequence[Answer]) -> Report:
        """The report on at least one answer."""
        times = sorted(answer.seconds * 1e3 for answer in answers)
        sizes = [hit.end - hit.start + 1 for answer in answers for hit in answer.found]
        dated = [answer.misled for answer in answers if answer.question.stale]
        return cls(
            backend,
            Scores.of(answers),
            _grouped(answers, "language") | _grouped(answers, "category"),
            round(statistics.median(times), 2),
            round(times[int(len(times) * 0.95)], 2),
            round(statistics.fmean(sizes), 2) if sizes else 0.0,
            round(100 * statistics.fmean(dated), 1) if dated else None,
        )


def _grouped(answers: Iterable[Answer], field: str) -> dict[str, Scores]:
    groups: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        groups[getattr(answer.question, field)].append(answer)
    return {name: Scores.of(groups[name]) for name in groups}

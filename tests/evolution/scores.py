"""Found against planted: precision, recall, and how well one order follows another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple


class Score(NamedTuple):
    """How many were found, how many of those were meant, and how many of those that there are."""

    found: int
    right: int
    """Of what was found."""
    met: int
    """Of what there is."""
    wanted: int

    @property
    def precision(self) -> float:
        """Of what was found, the share that was meant; 1 where nothing was found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Of what there is, the share that was found."""
        return self.met / self.wanted if self.wanted else 1.0


def pairs(found: Collection[frozenset[str]], wanted: Collection[frozenset[str]]) -> Score:
    """Pairs of texts."""
    right = len(set(found) & set(wanted))
    return Score(len(found), right, right, len(wanted))


def clusters(found: Sequence[tuple[str, Collection[str]]], wanted: Mapping[tuple[str, int], Collection[str]]) -> Score:
    """Problems (type, sessions) against what was planted: one is right where most of its sessions are the plant's.

    A plant that was found as two problems is found once; that it comes back may be said of all of them.
    """
    hit: set[tuple[str, int]] = set()
    right = 0
    for kind, sessions in found:
        own = set(sessions)
        fits = (
            key
            for key, ids in wanted.items()
            if kind in {key[0], "recurring_issue"} and len(own & set(ids)) > len(own) * 0.6
        )
        match = next(fits, None)
        right += match is not None
        hit |= {match} if match else set()
    return Score(len(found), right, len(hit), len(wanted))


def spearman(one: Sequence[float], two: Sequence[float]) -> float:
    """The correlation of two orders, equal values sharing their ranks; -1 to 1."""
    first, second = _ranks(one), _ranks(two)
    mean = (len(one) + 1) / 2
    top = sum((a - mean) * (b - mean) for a, b in zip(first, second, strict=True))
    size = sum((a - mean) ** 2 for a in first) * sum((b - mean) ** 2 for b in second)
    return float(top / size**0.5) if size else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    return [(order.index(value) + 1 + len(order) - order[::-1].index(value)) / 2 for value in values]

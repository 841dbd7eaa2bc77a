"""What a row of the table is made of: ours and a limit, measured in turns in the same run."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5


class Measure(NamedTuple):
    """What came out."""

    value: float
    """Mostly ours over the limit's; milliseconds or megabytes where the goal is absolute."""
    detail: str
    """The absolute values, for information: they hold on this machine and today only."""


class Row(NamedTuple):
    """One row: `run` gets the number of files a home is to have."""

    name: str
    goal: float
    unit: str
    """'×', 'ms', 'MB' or 'lost'."""
    run: Callable[[int], Measure]


def timed(call: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def in_turns(
    ours: Callable[[], object], limit: Callable[[], object], rounds: int = ROUNDS
) -> tuple[float, float, float]:
    """Median ratio, and the median seconds of both. Each goes first every other time."""
    pairs: list[tuple[float, float]] = []
    for turn in range(rounds):
        if turn % 2:
            second = timed(limit)
            pairs.append((timed(ours), second))
        else:
            first = timed(ours)
            pairs.append((first, timed(limit)))
    return (
        statistics.median(one / other for one, other in pairs),
        statistics.median(one for one, _ in pairs),
        statistics.median(other for _, other in pairs),
    )


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` of them lie."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]

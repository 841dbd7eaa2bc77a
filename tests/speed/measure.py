"""What a row of the table is made of: ours and a limit, measured in turns in the same run."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5


class Scale(NamedTuple):
    """How much is measured."""

    files: int
    """Files in the home."""
    quick: bool = False
    """Whether a minute has to do for the whole table."""
    attempt: int = 0
    """Which time this is: whatever several rows have from one measurement is measured anew for each."""

    def times(self, many: int, few: int) -> int:
        """How often something is measured: `few` times where it has to be quick."""
        return few if self.quick else many


class NotHereError(Exception):
    """What a row needs beside memtui is not on this machine: it is left out, and says what that is."""


class Measure(NamedTuple):
    """What came out."""

    value: float
    """Mostly ours over the limit's; milliseconds or megabytes where the goal is absolute."""
    detail: str
    """The absolute values, for information: they hold on this machine and today only."""


class Row(NamedTuple):
    """One row of the table."""

    name: str
    goal: float
    unit: str
    """'×', 'ms', 's', 'MB', '%' or 'lost'."""
    run: Callable[[Scale], Measure]
    once: bool = False
    """Measured once, for it brings a home of its own: whatever sizes of homes the others are measured with."""
    small: float = 0.0
    """The goal of a quick run, where a home is so small that what every call costs weighs most; 0: the same."""

    def wanted(self, scale: Scale) -> float:
        """The goal at that scale."""
        return self.small if scale.quick and self.small else self.goal


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

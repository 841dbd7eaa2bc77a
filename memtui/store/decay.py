"""What of the journal a session still sees (spec 004): all of the last days, a few a day before, then only sure facts.

A function of facts and a clock. Limits keep the newest: of a day's facts the last three, of all facts the last
fifteen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from memtui.core import clock

if TYPE_CHECKING:
    from collections.abc import Iterable

DAY = 86400.0


class Dated(Protocol):
    """All that the window asks of a fact."""

    created: float | None
    confidence: float | None


class Window(NamedTuple):
    """How far back a session sees; ages in whole local days, today being 0."""

    load_days_full: int = 2
    """So many days are seen whole."""
    load_days_partial: int = 5
    """Until then `partial_per_day` of each day."""
    load_days_max: int = 7
    """Until then what is important; beyond, nothing."""
    partial_per_day: int = 3
    facts_limit: int = 15
    """Of all that is left, so many."""
    important_confidence: float = 0.9


Fact = TypeVar("Fact", bound=Dated)


def select_visible_facts(facts: Iterable[Fact], now: float, window: Window | None = None) -> list[Fact]:
    """The facts that a session beginning at `now` would be given, newest first. Those without a time are not."""
    window = window or Window()
    dated = [(fact.created, fact) for fact in facts if fact.created is not None]
    # Stable: of facts of one moment the one that was written last comes first.
    dated.reverse()
    dated.sort(key=lambda item: -item[0])
    kept: list[Fact] = []
    counts: dict[int, int] = {}
    for created, fact in dated:
        age = count_midnights(created, now)
        if age < window.load_days_full:
            kept.append(fact)
        elif age < window.load_days_partial:
            counts[age] = counts.get(age, 0) + 1
            if counts[age] <= window.partial_per_day:
                kept.append(fact)
        elif age < window.load_days_max and (fact.confidence or 0.0) >= window.important_confidence:
            kept.append(fact)
    return kept[: window.facts_limit]


def count_midnights(then: float, now: float) -> int:
    """How many midnights, local, lie between; what is dated later than now is of today."""
    if then >= now:
        return 0
    return max(0, clock.convert_to_local(now).toordinal() - clock.convert_to_local(then).toordinal())

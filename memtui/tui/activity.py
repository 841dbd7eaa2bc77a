"""How busy days were: counts by local day, and the five levels that a calendar draws them in."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.locale import _
from memtui.model import Filter, Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.refs import Ref
    from memtui.tui.context import Context

QUARTER = 900
"""Seconds: every zone's midnight falls on a quarter of an hour."""

BARS = "▁▂▃▄▅▆▇█"

LEVELS = 4
"""Besides nothing at all."""


class Activity(NamedTuple):
    """What was written on each day."""

    days: Counter[date]
    today: date
    busy: int
    """A day with so much is as full as a day is drawn: nine of ten days have less."""

    def level(self, day: date) -> int:
        """0 for nothing, up to 4."""
        count = self.days[day]
        return min(LEVELS, 1 + (count - 1) * LEVELS // max(LEVELS, self.busy)) if count else 0

    @property
    def first(self) -> date:
        """The earliest day with anything."""
        return min(self.days, default=self.today)

    @property
    def begin(self) -> date:
        """Where a calendar begins: today, or the last day with anything where this month has none."""
        last = max((day for day in self.days if day <= self.today), default=self.today)
        return self.today if (last.year, last.month) == (self.today.year, self.today.month) else last

    @property
    def most(self) -> tuple[date, int]:
        """The busiest day, the latest of several."""
        return max(self.days.items(), key=lambda pair: (pair[1], pair[0]), default=(self.today, 0))

    @property
    def run(self) -> int:
        """The most days in a row with something on each of them."""
        longest = length = 0
        before = None
        for day in sorted(self.days):
            length = length + 1 if before is not None and day - before == timedelta(1) else 1
            longest, before = max(longest, length), day
        return longest


def of(times: Iterable[float], now: float) -> Activity:
    """The activity of memories made or changed at these times; what bears the date of a day to come counts for none."""
    midnight = start(clock.local(now).date() + timedelta(1))
    found: Counter[int] = Counter(int(time // QUARTER) for time in times if time < midnight)
    days: Counter[date] = Counter()
    for quarter, number in found.items():
        days[clock.local(quarter * QUARTER).date()] += number
    counts = sorted(days.values())
    return Activity(days, clock.local(now).date(), counts[len(counts) * 9 // 10] if counts else 1)


def start(day: date) -> float:
    """The local midnight that a day begins with, in seconds."""
    return clock.parse(day.isoformat()) or 0.0


def sparkline(counts: Sequence[int], most: int = 0) -> str:
    """Counts as bars, the tallest for `most` or for the most there is; nothing at all is a dot."""
    most = max(most, max(counts, default=0))
    return "".join("·" if count <= 0 else BARS[min(7, (count * 8 - 1) // most)] for count in counts)


def month(number: int) -> str:
    """Three letters, January is 1."""
    return (
        _("Jan"), _("Feb"), _("Mar"), _("Apr"), _("May"), _("Jun"), _("Jul"), _("Aug"), _("Sep"), _("Oct"),
        _("Nov"), _("Dec"),
    )[number - 1]  # fmt: skip


def shown(context: Context, within: Filter) -> Filter:
    """What a day consists of: its sessions, each as one, and what was noted; not what sessions are made of."""
    kinds = {kind for _home, layer, kind, _status in context.vault.counts(within) if layer is Layer.SESSION}
    if not (parts := frozenset(kinds - {"session"})):
        return within
    inner = Filter(layers=frozenset({Layer.SESSION}), kinds=parts, statuses=frozenset())
    return within._replace(without=(*within.without, inner))


def read(context: Context, within: Filter, twice: Iterable[Ref], more: Iterable[float] = ()) -> Activity:
    """How busy the days were, of what passes; `twice` are sessions that another one stands for, `more` are times of
    what else is shown by day.
    """
    gone = set(twice)
    timed = context.vault.timed(shown(context, within))
    return of(chain((time for time, ref in timed if ref not in gone), more), clock.now())

"""Spans of days, as times in a text mean them. What cannot be a date raises ValueError or OverflowError."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from memtui.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    Match = re.Match[str]
    Time = tuple[re.Pattern[str], Callable[[Match, date], "Days"]]
    """How a time is said, and which days a match means."""

SPRING, SUMMER, AUTUMN, WINTER = range(4)

_LENGTHS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}


class Days(NamedTuple):
    """From the first to the last, both of them in it."""

    first: date
    last: date
    explicit: bool = False
    """It says its year itself."""


def day(when: date, explicit: bool = False) -> Days:
    """One day."""
    return Days(when, when, explicit)


def week(when: date) -> Days:
    """The week that a day is in, from Monday."""
    monday = when - timedelta(days=when.weekday())
    return Days(monday, monday + timedelta(days=6))


def weekend(when: date) -> Days:
    """The weekend of the week that a day is in."""
    return week(when)._replace(first=week(when).last - timedelta(days=1))


def months(year: int, first: int, count: int = 1, explicit: bool = False) -> Days:
    """Some months from one on (which may be less than 1 or more than 12)."""
    begin, end = _month(year, first), _month(year, first + count - 1)
    return Days(begin, end.replace(day=monthrange(end.year, end.month)[1]), explicit)


def year(number: int, explicit: bool = False) -> Days:
    """A year."""
    return months(number, 1, 12, explicit)


def season(number: int, which: int, explicit: bool = False) -> Days:
    """A season of a year, where March begins spring; the winter of a year begins in its December."""
    return months(number, 3 + 3 * which, 3, explicit)


def latest(spans: list[Days], today: date, *, over: bool = False) -> Days:
    """The last that has begun, of some in ascending order; `over`: that has ended."""
    return next(
        span for span in reversed(spans) if (span.last if over else span.first) < today + timedelta(1 - over)
    )


def month_before(today: date, number: int, *, over: bool = False) -> Days:
    """The last such month that has begun, or that is over."""
    return latest([months(today.year - 1, valid(number)), months(today.year, number)], today, over=over)


def day_before(today: date, month: int, number: int) -> Days:
    """The last such day of a year."""
    # February 29 may be a few years ago.
    for back in range(9):
        try:
            found = date(today.year - back, month, number)
        except ValueError:
            continue
        if found <= today:
            return day(found)
    raise ValueError(number)


def season_before(today: date, which: int, *, over: bool = False) -> Days:
    """The last such season that has begun, or that is over."""
    return latest([season(today.year + back, which) for back in (-2, -1, 0)], today, over=over)


def weekday_before(today: date, number: int, *, over: bool = True) -> Days:
    """The last such day of the week before today; without `over`, today may be it."""
    back = (today.weekday() - number) % 7
    return day(today - timedelta(days=back or 7 * over))


def ago(today: date, count: int, unit: str) -> Days:
    """The day, week, month, quarter or year so many of them ago."""
    if unit == "day":
        return day(today - timedelta(days=count))
    if unit == "week":
        return week(today - timedelta(days=7 * count))
    if unit == "month":
        return months(today.year, today.month - count)
    if unit == "quarter":
        return months(today.year, today.month - (today.month - 1) % 3 - 3 * count, 3)
    return year(today.year - count)


def some_ago(today: date, unit: str) -> Days:
    """A few days, weeks, months or years ago."""
    length = _LENGTHS[unit]
    return Days(today - timedelta(days=7 * length), today - timedelta(days=2 * length - (length > 1)))


def past(today: date, count: int, unit: str) -> Days:
    """The last so many days, weeks, months or years, today with them."""
    return Days(today - timedelta(days=count * _LENGTHS[unit]), today)


def _month(year: int, month: int) -> date:
    months = 12 * year + month - 1
    return date(months // 12, months % 12 + 1, 1)


def valid(month: int) -> int:
    """The number of a month. Raises ValueError where it is none."""
    if not 1 <= month <= 12:
        raise ValueError(month)
    return month

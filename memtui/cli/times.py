"""Times as people type them: 7d, 12h, yesterday, 2026-02-01."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from memtui import clock
from memtui.errors import UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from datetime import datetime

_UNITS = {
    "s": 1,
    "min": 60,
    "h": 3600,
    "d": 86400,
    "w": 7 * 86400,
    "mo": 30 * 86400,
    "m": 30 * 86400,
    "y": 365 * 86400,
}
_DAYS = {"today": 0, "今天": 0, "yesterday": 1, "昨天": 1}


def moment(text: str, *, end: bool = False) -> float:
    """Seconds since the epoch. A day is its local midnight; `end`: the midnight after. Raises UsageError."""
    word = text.strip().lower()
    if word in _DAYS:
        return _midnight(clock.local(clock.now()), -_DAYS[word] + end)
    number = word.rstrip("abcdefghijklmnopqrstuvwxyz")
    seconds = _UNITS.get(word[len(number) :])
    if seconds is not None and number.isascii() and number.isdigit() and len(number) < 7:
        return clock.now() - int(number) * seconds
    found = clock.parse(text)
    if found is None:
        raise UsageError(
            _(
                "'{text}' is not a time I know. Try 7d, 12h, 3w, yesterday, or a date such as 2026-02-01."
            ).format(text=text)
        )
    day_only = len(word) <= 10 and ":" not in word
    return _midnight(clock.local(found), 1) if end and day_only else found


def _midnight(day: datetime, days: int) -> float:
    start = day.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None) + timedelta(days=days)
    found = clock.parse(start.isoformat())
    assert found is not None
    return found

"""The current time and local days, in one place: `MEMTUI_NOW` stops the clock, `MEMTUI_TZ` sets the time zone.

Times are seconds since the epoch (UTC). Timestamps in homes that name no zone are local time (specs 002 to 004
write them so).
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from datetime import UTC, datetime, tzinfo
from functools import lru_cache

from memtui.core.locale import _


def now() -> float:
    """Seconds since the epoch; `MEMTUI_NOW` (ISO 8601) stops the clock for screenshots and tests."""
    fixed = os.environ.get("MEMTUI_NOW")
    if fixed:
        moment = parse(fixed)
        if moment is not None:
            return moment
    return time.time()


def find_timezone() -> tzinfo | None:
    """The zone that days are counted in: `MEMTUI_TZ`, else None for the system's own."""
    return _load_zone(os.environ.get("MEMTUI_TZ", ""))


@lru_cache(maxsize=8)
def _load_zone(name: str) -> tzinfo | None:
    if not name:
        return None
    if name.upper() in {"UTC", "Z"}:
        return UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def convert_to_local(seconds: float) -> datetime:
    """The moment as a local, aware datetime; beyond what a calendar holds it is clamped."""
    try:
        return datetime.fromtimestamp(seconds, find_timezone() or None).astimezone(find_timezone())
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0 if seconds < 0 else 253402214400, UTC)


def format_day(seconds: float) -> str:
    """The local date as YYYY-MM-DD."""
    return convert_to_local(seconds).date().isoformat()


def format_minute(seconds: float) -> str:
    """The local date and time as YYYY-MM-DD HH:MM."""
    return f"{convert_to_local(seconds):%Y-%m-%d %H:%M}"


def format_utc(seconds: float) -> str:
    """The moment as YYYY-MM-DDTHH:MM:SSZ."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse(text: str) -> float | None:
    """An ISO 8601 timestamp, or the usual '2026-02-10 14:30', as seconds; naive is local. None: not a time."""
    text = text.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None and (own := find_timezone()) is not None:
        moment = moment.replace(tzinfo=own)
    try:
        return moment.timestamp()
    except (ValueError, OverflowError, OSError):
        return None


_AGES = ("{count}s", "{count}m", "{count}h", "{count}d", "{count}w", "{count}mo", "{count}y")
"""Source strings, from seconds to years."""
_SIZES = (1, 60, 3600, 86400, 7 * 86400, 30.44 * 86400, 365.25 * 86400)
_LIMITS = (60, 3600, 86400, 14 * 86400, 60 * 86400, 730 * 86400)


def format_age(seconds: float | None, *, at: float | None = None, bare: bool = False, plain: bool = False) -> str:
    """A short age for a row: 12s, 5m, 3h, 2d, 7w, 4mo, 2y; empty for None; 'in 2d' for the future.

    `bare` leaves out the 'in'. `plain`, for programs: the same in every language.
    """
    if seconds is None:
        return ""
    moment = now() if at is None else at
    age = moment - seconds
    # A day without an hour is no midnight: of today's it is only known that it is today's.
    if (
        -86400 <= age < 86400 * 2
        and (day_only := convert_to_local(seconds)).hour == day_only.minute == day_only.second == 0
    ):
        days = (convert_to_local(moment).date() - day_only.date()).days
        if days == 0:
            return "today" if plain else _("today")
        unit, count, ahead = 3, abs(days), days < 0
    else:
        unit = bisect_right(_LIMITS, abs(age))
        count, ahead = int(abs(age) // _SIZES[unit]), age < -1
    if plain:
        return ("in " if ahead else "") + _AGES[unit].format(count=count)
    told = _(_AGES[unit]).format(count=count)
    return _("in {age}").format(age=told) if ahead and not bare else told


def name_month(number: int) -> str:
    """Three letters, January is 1."""
    return (
        _("Jan"), _("Feb"), _("Mar"), _("Apr"), _("May"), _("Jun"), _("Jul"), _("Aug"), _("Sep"), _("Oct"),
        _("Nov"), _("Dec"),
    )[number - 1]  # fmt: skip

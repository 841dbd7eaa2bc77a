"""Dates and times of day where people and tools put them: in file names and headings."""

from __future__ import annotations

from functools import lru_cache

from memtui import clock
from memtui.pattern import pattern

_DATE = pattern(r"(?<!\d)((?:19|20)\d\d)([-_.]?)(\d\d)\2(\d\d)(?!\d)")
_FOLDERS = pattern(r"(?<!\d)((?:19|20)\d\d)[-/](\d\d)[-/](\d\d)(?!\d)")
_CHINESE = pattern(r"(?<!\d)((?:19|20)\d\d)年(\d{1,2})月(\d{1,2})日")
_TYPED = pattern(r"\s*((?:19|20)\d\d)\s?[/.年]\s?(\d{1,2})\s?[/.月]\s?(\d{1,2})日?(?![\d/])")
_CLOCK = pattern(r"(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?![\d:])")
_DASHED = pattern(r"[T_-]([01]\d|2[0-3])-?([0-5]\d)-?([0-5]\d)(?!\d)")


def dashed(text: str) -> str:
    """A date at the head of a text as ISO 8601 has it: '2026/2/8 14:30', '2026年2月8日 14:30' -> '2026-02-08 14:30'."""
    match = _TYPED.match(text)
    if match is None:
        return text
    return f"{match[1]}-{match[2]:0>2}-{match[3]:0>2}{text[match.end() :]}"


def day_in(text: str) -> str:
    """The first real date in a text (YYYY-MM-DD, YYYYMMDD, YYYY年M月D日) as YYYY-MM-DD; empty: there is none."""
    for match in _DATE.finditer(text):
        day = f"{match[1]}-{match[3]}-{match[4]}"
        if clock.parse(day) is not None:
            return day
    chinese = _CHINESE.search(text) if "年" in text else None
    if chinese:
        day = f"{chinese[1]}-{chinese[2]:0>2}-{chinese[3]:0>2}"
        return day if clock.parse(day) is not None else ""
    return ""


@lru_cache(maxsize=1 << 12)
def day_of_path(path: str) -> str:
    """The date that a file is named for; else one spelled by its directories (2026/02/24.md); else empty."""
    day = day_in(path.rsplit("/", 1)[-1])
    if day:
        return day
    for match in _FOLDERS.finditer(path):
        day = f"{match[1]}-{match[2]}-{match[3]}"
        if clock.parse(day) is not None:
            return day
    return ""


def time_in(text: str) -> str:
    """The first time of day in a text as HH:MM:SS; empty: there is none."""
    match = _CLOCK.search(text)
    return f"{match[1]:0>2}:{match[2]}:{match[3] or '00'}" if match else ""


def moment_of_name(name: str) -> float | None:
    """When a file says it was made: its name's first date, with a time right behind it ('2026-02-06T19-57-42')."""
    day = day_in(name)
    if not day:
        return None
    for written in (day, day.replace("-", "")):
        at = name.find(written)
        match = _DASHED.match(name, at + len(written)) if at >= 0 else None
        if match:
            return clock.parse(f"{day}T{match[1]}:{match[2]}:{match[3]}")
    return clock.parse(day)

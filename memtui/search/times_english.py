"""How times are said in English: a pattern each, and which days a match means (see `moments`)."""

from __future__ import annotations

import re
from datetime import date

from memtui.record import TYPE_CHECKING
from memtui.search import days

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.search.days import Days, Match, Time

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SURE = {"january", "february", "july", "september", "october", "november", "december", "sept"}
"""Months that are nothing else."""
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
_COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {word: number for number, word in enumerate(_COUNTED, 1)}
_NUMBERS |= {"a": 1, "an": 1, "a couple of": 2, "first": 1, "second": 2, "third": 3, "fourth": 4}
_SOME = {"a few", "few", "several", "some"}

_M = (
    r"(?P<m>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_D = r"(?P<d>\d{1,2})(?P<th>st|nd|rd|th)?"
_Y = r"(?P<y>(?:19|20)\d\d|(?:last|this) year)(?![\w-]|\.\d)"
_N = r"(?P<n>\d{1,4}|a couple of|an?|few|several|some|" + "|".join(_NUMBERS) + ")"
_UNIT = r"(?P<u>day|week|month|quarter|year)"
_S = r"(?P<s>spring|summer|autumn|fall|winter)"
_BEFORE = "in|during|since|until|till|from|of|by|around|before|after|last|this|early|mid|late"
_NOT_COUNTED = (
    r"(?!\s*(?:%|[kmgt]?b\b|ms|s\b|sec|px|bytes|tokens|lines|words|characters|items|files|rows|times))"
)


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]


def _year(match: Match, today: date) -> tuple[int, bool]:
    text = match["y"].lower()
    return (int(text), True) if text.isdigit() else (today.year - (text == "last year"), False)


def _month(match: Match, *, sure: bool = False) -> int:
    """The number of the month. `sure`: what stands around it says that it is one, whatever its letters' case."""
    word = match["m"]
    if not sure and word.islower() and word not in _SURE:
        raise ValueError(word)
    return _MONTHS.index(word[:3].lower()) + 1


def _iso_day(match: Match, today: date) -> Days:
    return days.day(date(int(match["y"]), int(match["m"]), int(match["d"])), True)


def _iso_month(match: Match, today: date) -> Days:
    return days.months(int(match["y"]), int(match["m"]), 1, True)


def _full_day(match: Match, today: date) -> Days:
    year, explicit = _year(match, today)
    return days.day(date(year, _month(match, sure=True), int(match["d"])), explicit)


def _short_day(match: Match, today: date) -> Days:
    return days.day_before(today, _month(match, sure=bool(match["th"])), int(match["d"]))


def _full_month(match: Match, today: date) -> Days:
    year, explicit = _year(match, today)
    return days.months(year, _month(match, sure=True), 1, explicit)


def _short_month(match: Match, today: date) -> Days:
    before, word = match["p"].lower(), match["m"].lower()
    # 'the last may fail', 'this march', 'of dec': words as well.
    sure = word in {"march", "april", "june", "august"} or (
        word == "may" and before in {"in", "during", "since"}
    )
    return days.month_before(today, _month(match, sure=sure and before != "this"), over=before == "last")


def _bare_month(match: Match, today: date) -> Days:
    if match["m"].lower() not in _SURE or match["m"].islower():
        raise ValueError(match["m"])
    return days.month_before(today, _month(match))


def _quarter(match: Match, today: date) -> Days:
    year, explicit = _year(match, today)
    return days.months(year, 3 * _number(match["q"]) - 2, 3, explicit)


def _half(match: Match, today: date) -> Days:
    year, explicit = _year(match, today)
    return days.months(year, 6 * _number(match["h"]) - 5, 6, explicit)


def _short_quarter(match: Match, today: date) -> Days:
    first = 3 * int(match["q"]) - 2
    spans = [days.months(today.year + back, first, 3) for back in (-1, 0)]
    return days.latest(spans, today, over=match["p"].lower() == "last")


def _season(match: Match, today: date) -> Days:
    year, explicit = _year(match, today)
    return days.season(year, _SEASONS[match["s"].lower()], explicit)


def _short_season(match: Match, today: date) -> Days:
    return days.season_before(today, _SEASONS[match["s"].lower()], over=match["p"].lower() == "last")


def _bare_year(match: Match, today: date) -> Days:
    return days.year(int(match["y"]), True)


_NEAR = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "yesterday": 1,
    "last night": 1, "yesterday morning": 1, "the day before yesterday": 2,
}  # fmt: skip


def _near(match: Match, today: date) -> Days:
    return days.ago(today, _NEAR[" ".join(match.group().lower().split())], "day")


def _span(match: Match, today: date) -> Days:
    back, unit = match["p"].lower(), match["u"].lower()
    if back == "past":
        return days.past(today, 1, unit)
    return days.ago(today, int(back != "this"), unit)


def _before_last(match: Match, today: date) -> Days:
    return days.ago(today, 2, match["u"].lower())


def _weekend(match: Match, today: date) -> Days:
    return days.weekend(days.ago(today, int(match["p"].lower() != "this"), "week").first)


def _ago(match: Match, today: date) -> Days:
    if match["n"].lower() in _SOME:
        return days.some_ago(today, match["u"].lower())
    return days.ago(today, _number(match["n"]), match["u"].lower())


def _past(match: Match, today: date) -> Days:
    some = match["n"].lower() in _SOME
    return days.past(today, 7 if some else _number(match["n"]), match["u"].lower())


def _weekday(match: Match, today: date) -> Days:
    before = (match["p"] or "").strip().lower()
    if before in {"next", "every", "each"}:
        raise ValueError(before)
    number = _WEEKDAYS.index(match["w"].lower())
    return days.weekday_before(today, number, over=before == "last")


def _times(
    *pairs: tuple[str, Callable[[Match, date], Days]],
) -> tuple[Time, ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in pairs)


TIMES = _times(
    (r"(?<![\w./-])(?P<y>(?:19|20)\d\d)(?P<b>[-/])(?P<m>\d{1,2})(?P=b)(?P<d>\d{1,2})(?![\d/-]|\.\d)", _iso_day),
    (r"(?<![\w./-])(?P<y>(?:19|20)\d\d)[-/](?P<m>0?[1-9]|1[0-2])(?![\w/-]|\.\d)", _iso_month),
    (rf"\b{_D} (?:of )?{_M},? (?:of )?{_Y}", _full_day),
    (rf"\b{_M} {_D},? (?:of )?{_Y}", _full_day),
    (rf"\b{_D} (?:of )?{_M}(?![\w-])", _short_day),
    (rf"\b{_M} {_D}(?![\w:%.-]*\w)", _short_day),
    (rf"\b{_M},? (?:of )?{_Y}", _full_month),
    (rf"\b(?P<p>{_BEFORE}) {_M}(?![\w-])", _short_month),
    (rf"\b{_M}(?![\w-])", _bare_month),
    (rf"\bq(?P<q>[1-4]),? ?(?:of )?{_Y}", _quarter),
    (r"(?<![\w.-])(?P<y>(?:19|20)\d\d)[ -]?q(?P<q>[1-4])\b", _quarter),
    (rf"\b(?P<q>first|second|third|fourth) quarter (?:of )?{_Y}", _quarter),
    (r"\b(?P<p>in|during|since|last|this) q(?P<q>[1-4])\b", _short_quarter),
    (rf"\bh(?P<h>[12]) (?:of )?{_Y}", _half),
    (rf"\b(?P<h>first|second) half of {_Y}", _half),
    (rf"\b{_S} (?:of )?{_Y}", _season),
    (rf"\b(?P<p>last|this|past|in the) {_S}\b(?! of)", _short_season),
    (rf"\b(?:in|during|since|year) {_Y}{_NOT_COUNTED}".replace("|(?:last|this) year", ""), _bare_year),
    (rf"\b(?:{'|'.join(sorted(_NEAR, key=len, reverse=True))})\b", _near),
    (rf"\b(?P<p>last|past|previous|this) {_UNIT}\b", _span),
    (rf"\bthe {_UNIT} before last\b", _before_last),
    (r"\b(?P<p>last|past|this) weekend\b", _weekend),
    (rf"\b{_N} {_UNIT}s? ago\b", _ago),
    (rf"\b(?:last|past|previous) {_N} {_UNIT}s?\b", _past),
    (rf"\b(?P<p>last |this |on |since |next |every |each )?(?P<w>{'|'.join(_WEEKDAYS)})\b", _weekday),
)  # fmt: skip
"""Where two overlap the longer holds."""

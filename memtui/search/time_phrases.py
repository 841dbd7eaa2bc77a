"""How times are said in English and in Chinese: for each phrase a pattern, and the days that a match means.

First the spans of days (`build_…_read_span`, `find_last_…`), then the English table, then the Chinese one, which
`times` applies. What cannot be a date raises ValueError or OverflowError.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

if TYPE_CHECKING:
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


def build_day_span(when: date, explicit: bool = False) -> Days:
    """One day."""
    return Days(when, when, explicit)


def build_week_span(when: date) -> Days:
    """The week that a day is in, from Monday."""
    monday = when - timedelta(days=when.weekday())
    return Days(monday, monday + timedelta(days=6))


def build_weekend_span(when: date) -> Days:
    """The weekend of the week that a day is in."""
    return build_week_span(when)._replace(first=build_week_span(when).last - timedelta(days=1))


def build_month_span(year: int, first: int, count: int = 1, explicit: bool = False) -> Days:
    """Some months from one on (which may be less than 1 or more than 12)."""
    begin, end = _find_month_start(year, first), _find_month_start(year, first + count - 1)
    return Days(begin, end.replace(day=monthrange(end.year, end.month)[1]), explicit)


def build_year_span(number: int, explicit: bool = False) -> Days:
    """A year."""
    return build_month_span(number, 1, 12, explicit)


def build_season_span(number: int, which: int, explicit: bool = False) -> Days:
    """A season of a year, where March begins spring; the winter of a year begins in its December."""
    return build_month_span(number, 3 + 3 * which, 3, explicit)


def find_latest_span(spans: list[Days], today: date, *, over: bool = False) -> Days:
    """The last that has begun, of some in ascending order; `over`: that has ended."""
    return next(span for span in reversed(spans) if (span.last if over else span.first) < today + timedelta(1 - over))


def find_last_month(today: date, number: int, *, over: bool = False) -> Days:
    """The last such month that has begun, or that is over."""
    return find_latest_span(
        [build_month_span(today.year - 1, validate_month(number)), build_month_span(today.year, number)],
        today,
        over=over,
    )


def find_last_day(today: date, month: int, number: int) -> Days:
    """The last such day of a year."""
    # February 29 may be a few years ago.
    for back in range(9):
        try:
            found = date(today.year - back, month, number)
        except ValueError:
            continue
        if found <= today:
            return build_day_span(found)
    raise ValueError(number)


def find_last_season(today: date, which: int, *, over: bool = False) -> Days:
    """The last such season that has begun, or that is over."""
    return find_latest_span([build_season_span(today.year + back, which) for back in (-2, -1, 0)], today, over=over)


def find_last_weekday(today: date, number: int, *, over: bool = True) -> Days:
    """The last such day of the week before today; without `over`, today may be it."""
    back = (today.weekday() - number) % 7
    return build_day_span(today - timedelta(days=back or 7 * over))


def build_ago_span(today: date, count: int, unit: str) -> Days:
    """The day, week, month, quarter or year so many of them ago."""
    if unit == "day":
        return build_day_span(today - timedelta(days=count))
    if unit == "week":
        return build_week_span(today - timedelta(days=7 * count))
    if unit == "month":
        return build_month_span(today.year, today.month - count)
    if unit == "quarter":
        return build_month_span(today.year, today.month - (today.month - 1) % 3 - 3 * count, 3)
    return build_year_span(today.year - count)


def build_vague_ago_span(today: date, unit: str) -> Days:
    """A few days, weeks, months or years ago."""
    length = _LENGTHS[unit]
    return Days(today - timedelta(days=7 * length), today - timedelta(days=2 * length - (length > 1)))


def build_past_span(today: date, count: int, unit: str) -> Days:
    """The last so many days, weeks, months or years, today with them."""
    return Days(today - timedelta(days=count * _LENGTHS[unit]), today)


def _find_month_start(year: int, month: int) -> date:
    months = 12 * year + month - 1
    return date(months // 12, months % 12 + 1, 1)


def validate_month(month: int) -> int:
    """The number of a month. Raises ValueError where it is none."""
    if not 1 <= month <= 12:
        raise ValueError(month)
    return month


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SURE = {"january", "february", "july", "september", "october", "november", "december", "sept"}
"""Months that are nothing else."""
_ENGLISH_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ENGLISH_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
_COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {word: number for number, word in enumerate(_COUNTED, 1)}
_NUMBERS |= {"a": 1, "an": 1, "a couple of": 2, "first": 1, "second": 2, "third": 3, "fourth": 4}
_SOME = {"a few", "few", "several", "some"}

_ENGLISH_M = (
    r"(?P<m>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_ENGLISH_D = r"(?P<d>\d{1,2})(?P<th>st|nd|rd|th)?"
_ENGLISH_Y = r"(?P<y>(?:19|20)\d\d|(?:last|this) year)(?![\w-]|\.\d)"
_ENGLISH_N = r"(?P<n>\d{1,4}|a couple of|an?|few|several|some|" + "|".join(_NUMBERS) + ")"
_ENGLISH_UNIT = r"(?P<u>day|week|month|quarter|year)"
_ENGLISH_S = r"(?P<s>spring|summer|autumn|fall|winter)"
_BEFORE = "in|during|since|until|till|from|of|by|around|before|after|last|this|early|mid|late"
_NOT_COUNTED = r"(?!\s*(?:%|[kmgt]?b\b|ms|s\b|sec|px|bytes|tokens|lines|words|characters|items|files|rows|times))"


def _parse_english_number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]


def _read_year_english(match: Match, today: date) -> tuple[int, bool]:
    text = match["y"].lower()
    return (int(text), True) if text.isdigit() else (today.year - (text == "last year"), False)


def _read_month_number(match: Match, *, sure: bool = False) -> int:
    """The number of the month. `sure`: what stands around it says that it is one, whatever its letters' case."""
    word = match["m"]
    if not sure and word.islower() and word not in _SURE:
        raise ValueError(word)
    return _MONTHS.index(word[:3].lower()) + 1


def _read_iso_day(match: Match, today: date) -> Days:
    return build_day_span(date(int(match["y"]), int(match["m"]), int(match["d"])), True)


def _read_iso_month(match: Match, today: date) -> Days:
    return build_month_span(int(match["y"]), int(match["m"]), 1, True)


def _read_full_day_english(match: Match, today: date) -> Days:
    year, explicit = _read_year_english(match, today)
    return build_day_span(date(year, _read_month_number(match, sure=True), int(match["d"])), explicit)


def _read_short_day_english(match: Match, today: date) -> Days:
    return find_last_day(today, _read_month_number(match, sure=bool(match["th"])), int(match["d"]))


def _read_full_month_english(match: Match, today: date) -> Days:
    year, explicit = _read_year_english(match, today)
    return build_month_span(year, _read_month_number(match, sure=True), 1, explicit)


def _read_short_month_english(match: Match, today: date) -> Days:
    before, word = match["p"].lower(), match["m"].lower()
    # 'the last may fail', 'this march', 'of dec': words as well.
    sure = word in {"march", "april", "june", "august"} or (word == "may" and before in {"in", "during", "since"})
    return find_last_month(today, _read_month_number(match, sure=sure and before != "this"), over=before == "last")


def _read_bare_month(match: Match, today: date) -> Days:
    if match["m"].lower() not in _SURE or match["m"].islower():
        raise ValueError(match["m"])
    return find_last_month(today, _read_month_number(match))


def _read_quarter(match: Match, today: date) -> Days:
    year, explicit = _read_year_english(match, today)
    return build_month_span(year, 3 * _parse_english_number(match["q"]) - 2, 3, explicit)


def _read_half_year(match: Match, today: date) -> Days:
    year, explicit = _read_year_english(match, today)
    return build_month_span(year, 6 * _parse_english_number(match["h"]) - 5, 6, explicit)


def _read_short_quarter(match: Match, today: date) -> Days:
    first = 3 * int(match["q"]) - 2
    spans = [build_month_span(today.year + back, first, 3) for back in (-1, 0)]
    return find_latest_span(spans, today, over=match["p"].lower() == "last")


def _read_season(match: Match, today: date) -> Days:
    year, explicit = _read_year_english(match, today)
    return build_season_span(year, _ENGLISH_SEASONS[match["s"].lower()], explicit)


def _read_short_season_english(match: Match, today: date) -> Days:
    return find_last_season(today, _ENGLISH_SEASONS[match["s"].lower()], over=match["p"].lower() == "last")


def _read_bare_year(match: Match, today: date) -> Days:
    return build_year_span(int(match["y"]), True)


_ENGLISH_NEAR = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "yesterday": 1,
    "last night": 1, "yesterday morning": 1, "the day before yesterday": 2,
}  # fmt: skip


def _read_near_day_english(match: Match, today: date) -> Days:
    return build_ago_span(today, _ENGLISH_NEAR[" ".join(match.group().lower().split())], "day")


def _read_span_english(match: Match, today: date) -> Days:
    back, unit = match["p"].lower(), match["u"].lower()
    if back == "past":
        return build_past_span(today, 1, unit)
    return build_ago_span(today, int(back != "this"), unit)


def _read_before_last(match: Match, today: date) -> Days:
    return build_ago_span(today, 2, match["u"].lower())


def _read_weekend(match: Match, today: date) -> Days:
    return build_weekend_span(build_ago_span(today, int(match["p"].lower() != "this"), "week").first)


def _read_ago_english(match: Match, today: date) -> Days:
    if match["n"].lower() in _SOME:
        return build_vague_ago_span(today, match["u"].lower())
    return build_ago_span(today, _parse_english_number(match["n"]), match["u"].lower())


def _read_past_english(match: Match, today: date) -> Days:
    some = match["n"].lower() in _SOME
    return build_past_span(today, 7 if some else _parse_english_number(match["n"]), match["u"].lower())


def _read_weekday_english(match: Match, today: date) -> Days:
    before = (match["p"] or "").strip().lower()
    if before in {"next", "every", "each"}:
        raise ValueError(before)
    number = _ENGLISH_WEEKDAYS.index(match["w"].lower())
    return find_last_weekday(today, number, over=before == "last")


def _compile_english_times(
    *pairs: tuple[str, Callable[[Match, date], Days]],
) -> tuple[Time, ...]:
    return tuple((compile_pattern(pattern, re.IGNORECASE), read) for pattern, read in pairs)


TIMES_ENGLISH_TIMES = _compile_english_times(
    (r"(?<![\w./-])(?P<y>(?:19|20)\d\d)(?P<b>[-/])(?P<m>\d{1,2})(?P=b)(?P<d>\d{1,2})(?![\d/-]|\.\d)", _read_iso_day),
    (r"(?<![\w./-])(?P<y>(?:19|20)\d\d)[-/](?P<m>0?[1-9]|1[0-2])(?![\w/-]|\.\d)", _read_iso_month),
    (rf"\b{_ENGLISH_D} (?:of )?{_ENGLISH_M},? (?:of )?{_ENGLISH_Y}", _read_full_day_english),
    (rf"\b{_ENGLISH_M} {_ENGLISH_D},? (?:of )?{_ENGLISH_Y}", _read_full_day_english),
    (rf"\b{_ENGLISH_D} (?:of )?{_ENGLISH_M}(?![\w-])", _read_short_day_english),
    (rf"\b{_ENGLISH_M} {_ENGLISH_D}(?![\w:%.-]*\w)", _read_short_day_english),
    (rf"\b{_ENGLISH_M},? (?:of )?{_ENGLISH_Y}", _read_full_month_english),
    (rf"\b(?P<p>{_BEFORE}) {_ENGLISH_M}(?![\w-])", _read_short_month_english),
    (rf"\b{_ENGLISH_M}(?![\w-])", _read_bare_month),
    (rf"\bq(?P<q>[1-4]),? ?(?:of )?{_ENGLISH_Y}", _read_quarter),
    (r"(?<![\w.-])(?P<y>(?:19|20)\d\d)[ -]?q(?P<q>[1-4])\b", _read_quarter),
    (rf"\b(?P<q>first|second|third|fourth) quarter (?:of )?{_ENGLISH_Y}", _read_quarter),
    (r"\b(?P<p>in|during|since|last|this) q(?P<q>[1-4])\b", _read_short_quarter),
    (rf"\bh(?P<h>[12]) (?:of )?{_ENGLISH_Y}", _read_half_year),
    (rf"\b(?P<h>first|second) half of {_ENGLISH_Y}", _read_half_year),
    (rf"\b{_ENGLISH_S} (?:of )?{_ENGLISH_Y}", _read_season),
    (rf"\b(?P<p>last|this|past|in the) {_ENGLISH_S}\b(?! of)", _read_short_season_english),
    (rf"\b(?:in|during|since|year) {_ENGLISH_Y}{_NOT_COUNTED}".replace("|(?:last|this) year", ""), _read_bare_year),
    (rf"\b(?:{'|'.join(sorted(_ENGLISH_NEAR, key=len, reverse=True))})\b", _read_near_day_english),
    (rf"\b(?P<p>last|past|previous|this) {_ENGLISH_UNIT}\b", _read_span_english),
    (rf"\bthe {_ENGLISH_UNIT} before last\b", _read_before_last),
    (r"\b(?P<p>last|past|this) weekend\b", _read_weekend),
    (rf"\b{_ENGLISH_N} {_ENGLISH_UNIT}s? ago\b", _read_ago_english),
    (rf"\b(?:last|past|previous) {_ENGLISH_N} {_ENGLISH_UNIT}s?\b", _read_past_english),
    (
        rf"\b(?P<p>last |this |on |since |next |every |each )?(?P<w>{'|'.join(_ENGLISH_WEEKDAYS)})\b",
        _read_weekday_english,
    ),
)  # fmt: skip
"""Where two overlap the longer holds."""


PLAIN = str.maketrans("週這個號兩禮過幾內後時間", "周这个号两礼过几内后时间") | {
    0xFF10 + digit: 0x30 + digit for digit in range(10)
}
"""Traditional characters of these words, and wide digits, each as one other character."""

_DIGITS = {character: number for number, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_WEEKDAYS = "一二三四五六日"
_SEASONS = "春夏秋冬"
_UNITS = {
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "季度": "quarter",
    "年": "year",
}  # fmt: skip
_HALVES = {
    "day": (0, "day"),
    "week": (3, "day"),
    "month": (2, "week"),
    "quarter": (6, "week"),
    "year": (6, "month"),
}
_YEARS = {"今年": 0, "本年": 0, "去年": 1, "上一年": 1, "前年": 2, "大前年": 3}
_NEAR = {
    "今天": 0, "今日": 0, "今早": 0, "今晚": 0, "昨天": 1, "昨日": 1, "昨晚": 1, "昨夜": 1, "前天": 2, "前日": 2,
    "大前天": 3,
}  # fmt: skip

_C = "零〇一二三四五六七八九十两"
_N = rf"(?P<n>\d{{1,4}}|[{_C}]{{1,3}}|几|半|数)"
_UNIT = r"个?(?P<u>天|日|周|星期|礼拜|月|季度|年)"
_NAMED = "|".join(sorted(_YEARS, key=len, reverse=True))
_Y = rf"(?P<y>(?<!\d)(?:19|20)\d\d ?年|[一二][〇零一二三四五六七八九]{{3}}年|{_NAMED})的?"
_M = rf"(?<![\d{_C}]) ?(?P<m>\d{{1,2}}|[{_C}]{{1,3}}) ?月份?"
_D = rf" ?(?P<d>\d{{1,2}}|[{_C}]{{1,3}}) ?[日号]"
_Q = r"第?(?P<q>[一二三四1-4])季度?"
_HALF = r"(?P<h>[上下])半年"
_S = r"(?P<s>[春夏秋冬])[天季]"
_WEEK = r"(?:周|星期|礼拜)"


def _number(text: str) -> int:
    """12, 十二, 二十, 二〇二六; of 两三 the latter."""
    if text.isdigit() and text.isascii():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return 10 * (_parse_digit(tens) if tens else 1) + (_parse_digit(ones) if ones else 0)
    if len(text) == 4:
        return int("".join(str(_parse_digit(character)) for character in text))
    return _parse_digit(text[-1])


def _parse_digit(text: str) -> int:
    if text not in _DIGITS:
        raise ValueError(text)
    return _DIGITS[text]


def _read_year(match: Match, today: date) -> tuple[int, bool]:
    text = match["y"].rstrip("的").strip()
    if text in _YEARS:
        return today.year - _YEARS[text], False
    return _number(text.removesuffix("年").strip()), True


def _read_full_day(match: Match, today: date) -> Days:
    year, explicit = _read_year(match, today)
    return build_day_span(date(year, _number(match["m"]), _number(match["d"])), explicit)


def _read_full_month(match: Match, today: date) -> Days:
    year, explicit = _read_year(match, today)
    return build_month_span(year, validate_month(_number(match["m"])), 1, explicit)


def _read_full_quarter(match: Match, today: date) -> Days:
    year, explicit = _read_year(match, today)
    return build_month_span(year, 3 * _number(match["q"]) - 2, 3, explicit)


def _read_full_half(match: Match, today: date) -> Days:
    year, explicit = _read_year(match, today)
    return build_month_span(year, 1 if match["h"] == "上" else 7, 6, explicit)


def _read_full_season(match: Match, today: date) -> Days:
    year, explicit = _read_year(match, today)
    return build_season_span(year, _SEASONS.index(match["s"]), explicit)


def _read_whole_year(match: Match, today: date) -> Days:
    return build_year_span(*_read_year(match, today))


def _read_short_day(match: Match, today: date) -> Days:
    return find_last_day(today, validate_month(_number(match["m"])), _number(match["d"]))


def _read_short_month(match: Match, today: date) -> Days:
    return find_last_month(today, _number(match["m"]))


def _read_short_season(match: Match, today: date) -> Days:
    return find_last_season(today, _SEASONS.index(match["s"]), over=match["p"] == "上")


def _read_near_day(match: Match, today: date) -> Days:
    return build_ago_span(today, _NEAR[match.group()], "day")


def _read_week(match: Match, today: date) -> Days:
    back = match["p"].count("上")
    found = build_ago_span(today, back, "week")
    which = (match["w"] or "").replace("天", "日")
    if which == "末":
        return build_weekend_span(found.first)
    return found if not which else find_last_weekday(found.last, _WEEKDAYS.index(which), over=False)


def _read_weekday(match: Match, today: date) -> Days:
    return find_last_weekday(today, _WEEKDAYS.index(match["w"].replace("天", "日")), over=False)


def _read_span(match: Match, today: date) -> Days:
    return build_ago_span(today, match["p"].count("上"), _UNITS[match["u"]])


def _read_ago(match: Match, today: date) -> Days:
    number, unit = match["n"], _UNITS[match["u"]]
    if number in {"几", "数"}:
        return build_vague_ago_span(today, unit)
    if number == "半":
        return build_ago_span(today, *_HALVES[unit])
    return build_ago_span(today, _number(number), unit)


def _read_past(match: Match, today: date) -> Days:
    number, unit = match["n"], _UNITS[match["u"]]
    if number == "半":
        return build_past_span(today, *_HALVES[unit])
    return build_past_span(today, 7 if number in {"几", "数"} else _number(number), unit)


def _compile_times(
    *pairs: tuple[str, Callable[[Match, date], Days]],
) -> tuple[Time, ...]:
    return tuple((compile_pattern(pattern), read) for pattern, read in pairs)


TIMES = _compile_times(
    (rf"{_Y}{_M}{_D}", _read_full_day),
    (rf"{_Y}{_M}(?!前)", _read_full_month),
    (rf"{_Y}{_Q}", _read_full_quarter),
    (rf"{_Y}{_HALF}", _read_full_half),
    (rf"{_Y}{_S}", _read_full_season),
    (rf"{_Y}(?![前底初])", _read_whole_year),
    (rf"{_M}{_D}", _read_short_day),
    (rf"{_M}(?![前内后底初])", _read_short_month),
    (rf"(?P<p>上|这|本)个?{_S}", _read_short_season),
    ("|".join(sorted(_NEAR, key=len, reverse=True)), _read_near_day),
    (rf"(?P<p>上上|上|本|这)(?:个|一)?{_WEEK}(?P<w>[一二三四五六日天末])?", _read_week),
    (rf"(?<![上本这下个一每])(?:周|星期|礼拜)(?P<w>[一二三四五六日天])(?![{_C}])", _read_weekday),
    (r"(?P<p>上上|上|本|这)个?(?P<u>月|季度)(?![前底初])", _read_span),
    (rf"{_N}{_UNIT}(?:以|之)?前", _read_ago),
    (rf"(?:最近|过去|近|这)(?:的)?{_N}{_UNIT}", _read_past),
    (r"前(?P<n>几)(?P<u>天|周|月|年)", _read_ago),
)  # fmt: skip
"""Where two overlap the longer holds."""

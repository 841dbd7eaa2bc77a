"""How times are said in Chinese: a pattern each, and which days a match means (see `moments`)."""

from __future__ import annotations

import re
from datetime import date

from memtui.record import TYPE_CHECKING
from memtui.search import days

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.search.days import Days, Match, Time

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
        return 10 * (_digit(tens) if tens else 1) + (_digit(ones) if ones else 0)
    if len(text) == 4:
        return int("".join(str(_digit(character)) for character in text))
    return _digit(text[-1])


def _digit(text: str) -> int:
    if text not in _DIGITS:
        raise ValueError(text)
    return _DIGITS[text]


def _year(match: Match, today: date) -> tuple[int, bool]:
    text = match["y"].rstrip("的").strip()
    if text in _YEARS:
        return today.year - _YEARS[text], False
    return _number(text.removesuffix("年").strip()), True


def _full_day(match: Match, today: date) -> Days:
    year, explicit = _year(match, today)
    return days.day(date(year, _number(match["m"]), _number(match["d"])), explicit)


def _full_month(match: Match, today: date) -> Days:
    year, explicit = _year(match, today)
    return days.months(year, days.valid(_number(match["m"])), 1, explicit)


def _full_quarter(match: Match, today: date) -> Days:
    year, explicit = _year(match, today)
    return days.months(year, 3 * _number(match["q"]) - 2, 3, explicit)


def _full_half(match: Match, today: date) -> Days:
    year, explicit = _year(match, today)
    return days.months(year, 1 if match["h"] == "上" else 7, 6, explicit)


def _full_season(match: Match, today: date) -> Days:
    year, explicit = _year(match, today)
    return days.season(year, _SEASONS.index(match["s"]), explicit)


def _whole_year(match: Match, today: date) -> Days:
    return days.year(*_year(match, today))


def _short_day(match: Match, today: date) -> Days:
    return days.day_before(today, days.valid(_number(match["m"])), _number(match["d"]))


def _short_month(match: Match, today: date) -> Days:
    return days.month_before(today, _number(match["m"]))


def _short_season(match: Match, today: date) -> Days:
    return days.season_before(today, _SEASONS.index(match["s"]), over=match["p"] == "上")


def _near(match: Match, today: date) -> Days:
    return days.ago(today, _NEAR[match.group()], "day")


def _week(match: Match, today: date) -> Days:
    back = match["p"].count("上")
    found = days.ago(today, back, "week")
    which = (match["w"] or "").replace("天", "日")
    if which == "末":
        return days.weekend(found.first)
    return found if not which else days.weekday_before(found.last, _WEEKDAYS.index(which), over=False)


def _weekday(match: Match, today: date) -> Days:
    return days.weekday_before(today, _WEEKDAYS.index(match["w"].replace("天", "日")), over=False)


def _span(match: Match, today: date) -> Days:
    return days.ago(today, match["p"].count("上"), _UNITS[match["u"]])


def _ago(match: Match, today: date) -> Days:
    number, unit = match["n"], _UNITS[match["u"]]
    if number in {"几", "数"}:
        return days.some_ago(today, unit)
    if number == "半":
        return days.ago(today, *_HALVES[unit])
    return days.ago(today, _number(number), unit)


def _past(match: Match, today: date) -> Days:
    number, unit = match["n"], _UNITS[match["u"]]
    if number == "半":
        return days.past(today, *_HALVES[unit])
    return days.past(today, 7 if number in {"几", "数"} else _number(number), unit)


def _times(
    *pairs: tuple[str, Callable[[Match, date], Days]],
) -> tuple[Time, ...]:
    return tuple((re.compile(pattern), read) for pattern, read in pairs)


TIMES = _times(
    (rf"{_Y}{_M}{_D}", _full_day),
    (rf"{_Y}{_M}(?!前)", _full_month),
    (rf"{_Y}{_Q}", _full_quarter),
    (rf"{_Y}{_HALF}", _full_half),
    (rf"{_Y}{_S}", _full_season),
    (rf"{_Y}(?![前底初])", _whole_year),
    (rf"{_M}{_D}", _short_day),
    (rf"{_M}(?![前内后底初])", _short_month),
    (rf"(?P<p>上|这|本)个?{_S}", _short_season),
    ("|".join(sorted(_NEAR, key=len, reverse=True)), _near),
    (rf"(?P<p>上上|上|本|这)(?:个|一)?{_WEEK}(?P<w>[一二三四五六日天末])?", _week),
    (rf"(?<![上本这下个一每])(?:周|星期|礼拜)(?P<w>[一二三四五六日天])(?![{_C}])", _weekday),
    (r"(?P<p>上上|上|本|这)个?(?P<u>月|季度)(?![前底初])", _span),
    (rf"{_N}{_UNIT}(?:以|之)?前", _ago),
    (rf"(?:最近|过去|近|这)(?:的)?{_N}{_UNIT}", _past),
    (r"前(?P<n>几)(?P<u>天|周|月|年)", _ago),
)  # fmt: skip
"""Where two overlap the longer holds."""

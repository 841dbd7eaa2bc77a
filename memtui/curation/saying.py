"""What a remembered sentence says, word for word, so that two wordings of one thing are told from two things. Pure.

Two sentences say the same where nothing is left of either when what both say is taken out; where something is left of
one, it says more; where something is left of both, however alike they are, they speak of different things.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.curation.lexicon import HAN_WORDS, NOT, concepts
from memtui.pattern import pattern
from memtui.search.words import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

MORE = 0.4
"""The share of a sentence that it may say beyond another, and still repeat it."""
_LEAST = 5.0
"""What a sentence must weigh to be told by its words alone, in whatever order."""

_HAN = "\u3400-\u9fff"
_SIZES: dict[str, dict[float, str]] = {
    "time": {
        0.001: "ms 毫秒", 1: "s sec secs second seconds 秒 秒钟", 60: "min mins minute minutes 分钟 分",
        3600: "h hr hrs hour hours 小时", 86400: "d day days 天 日", 604800: "week weeks 周",
        2592000: "month months 个月 月", 31536000: "year years 年",
    },
    "size": {1: "b byte bytes 字节", 2**10: "kb kib k", 2**20: "mb mib m 兆", 2**30: "gb gib g", 2**40: "tb tib"},
    "share": {1: "% percent"},
    "length": {1: "px pixels pixel 像素"},
    "money": {1: "元 eur usd cny yuan"},
    "clock": {1: "am pm 点钟 点"},
}  # fmt: skip
_UNITS: dict[str, tuple[str, float]] = {
    form: (kind, size)
    for kind, sizes in _SIZES.items()
    for size, forms in sizes.items()
    for form in forms.split()
}  # fmt: skip
_UNIT = "|".join(
    re.escape(form)
    + (
        r"(?![^\W\d" + _HAN + "])"
        if form.isascii() and form != "%"
        else r"(?![建注要意击位数])"
        if form == "点"
        else ""
    )
    for form in sorted(_UNITS, key=len, reverse=True)
)
_COUNTED = "个名人次条行位字张台层级倍周天年月秒分小元"
_COUNT = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_HAN_COUNT = "一二三四五六七八九十"
_WORDS = {
    name: str(number) for names in (_COUNT, _HAN_COUNT) for number, name in enumerate(names, 1)
} | {"两": "2"}  # fmt: skip
_PART = pattern(r"[^\W\d_]+|\d+")
_MEASURES = frozenset("个名位")
"""What stands between a number and what is counted, and means nothing."""
_CLOCK = pattern(r"(\d{1,2})(?::(\d\d))?(?::\d\d)?")
_ONES = "|".join(_COUNT)


def _known() -> str:
    """The words that are known in Chinese, longest first; most characters begin none of them and are passed at once."""
    beginning: dict[str, list[str]] = {}
    for word in HAN_WORDS:
        beginning.setdefault(word[0], []).append(re.escape(word[1:]))
    every = "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in beginning.items())
    return f"(?=[{''.join(beginning)}])(?:{every})"


_KNOWN = _known()
_PIECE = pattern(
    rf"(?P<latin>(?!(?:{_ONES})\b)[^\W\d{_HAN}_][^\W{_HAN}_]*(?:[.+#/_:@'’-]+[^\W{_HAN}]+)*[+#]*)"
    rf"|(?=[\d{_HAN_COUNT}两a-z])(?P<number>\d+(?:[,_]\d{{3}})*(?:[.:]\d+)*|(?:{_ONES})\b"
    rf"|(?!一次|一个|一定|一起|一致|一样)[{_HAN_COUNT}两](?=[{_COUNTED}]))(?:[ -]?(?P<unit>{_UNIT}))?"
    rf"|(?=[{_HAN}])(?P<han>{_KNOWN}|[{_HAN}])"
)
_ENDS = " .。!！,，;；"
"""What may end a sentence, and is part of no word."""
_UNDER = pattern(r"\bunder(?= \d)")
_JOINED = pattern(r"\b(pull|merge) request")
_SWITCHED = pattern(
    r"\b(is|are|be|turned|switched|turn|switch) (on|off)(?= by default|[.,;]|$| for | in | when )"
)
_STATES = {"on": "enabled", "off": "disabled"}
_MARKED = frozenset('*`“”"「」『』_')
_MARKS = pattern(r"[*`“”\"「」『』]+|(?<!\w)_+|_+(?!\w)")
_OVER = pattern(
    r"(\S+) (?:over|than|rather than|instead of|before|after|to|into|depends on|calls) (\S+)"
    r"|([^\W\d]{2,4}?)(?:而不是|优先于|先于|胜过|依赖|调用)([^\W\d]{2,4})"
)
_OVER_HINTS = (
    " over ", " than ", " of ", " before ", " after ", " to ", " into ", " on ", " calls ", "而不是", "先于", "胜过",
    "依赖", "调用",
)  # fmt: skip
"""Without one of these nothing is put before anything."""


_WITHIN = pattern(
    r"(?:\b(?:for|in|on|at|during|when|while|if|unless|except|until|per|only|among|between|of)"
    r"(?: the| an?| all)? |\b(?:and|or|plus) |仅|除了?|如果|当|[和与及、或])$"
)
_OF = pattern(r" ?(?:的|上|里|中|时|下|内|侧|端)")
_TURNING = frozenset({
    *"非未无反毫微副次半双单多子父旧新主从左右内外大小高低老首末", "old", "new", "first", "second", "other", "left",
    "right", "inner", "outer", "sub", "non", "half", "double", "parent", "child", "legacy", "prod", "dev", "staging",
})  # fmt: skip
"""What makes another thing of whatever it stands before."""


class Number(NamedTuple):
    """A number as it stands, and what it comes to."""

    raw: str
    unit: str
    value: str
    """In the smallest unit of its kind, so that 60 seconds are a minute."""
    kind: str
    start: int
    end: int


class Said(NamedTuple):
    """A sentence as its concepts."""

    words: tuple[str, ...]
    """In order, without what denies or means nothing; a number is '#' and its kind."""
    places: tuple[tuple[int, int], ...]
    """Where each of them stands in `text`."""
    numbers: tuple[Number, ...]
    denials: int
    text: str
    """Folded, without marks."""

    @property
    def denied(self) -> bool:
        """Whether it says that something is not so."""
        return self.denials % 2 == 1


@lru_cache(maxsize=1 << 14)
def said(sentence: str) -> Said:
    """The sentence, read."""
    plain = fold(sentence).replace("’", "'")
    if not _MARKED.isdisjoint(plain):
        plain = _MARKS.sub("", plain)
    if "under " in plain:
        plain = _UNDER.sub("below", plain)
    if " request" in plain:
        plain = _JOINED.sub("pr", plain)
    if " on" in plain or " off" in plain:
        plain = _SWITCHED.sub(lambda match: f"{match[1]} {_STATES[match[2]]}", plain)
    return Said(*_tokens(plain.rstrip(_ENDS)), plain)


@lru_cache(maxsize=1 << 14)
def _tokens(
    plain: str,
) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...], tuple[Number, ...], int]:
    """What a folded sentence says, without its last mark: with it and without it is read once."""
    words: list[str] = []
    places: list[tuple[int, int]] = []
    numbers: list[Number] = []
    denials = 0
    for piece in _PIECE.finditer(plain):
        text, which = piece[0], piece.lastgroup
        if which not in {"han", "latin"}:
            numbers.append(_number(piece))
            words.append(f"#{numbers[-1].kind}")
            places.append(piece.span())
            continue
        if numbers and text in _MEASURES and not plain[numbers[-1].end : piece.start()].strip():
            continue
        found, denying = _meant(text)
        denials += denying
        for word in found:
            words.append(word)
            places.append(piece.span())
    return tuple(words), tuple(places), tuple(numbers), denials


@lru_cache(maxsize=1 << 14)
def _meant(piece: str) -> tuple[tuple[str, ...], int]:
    """The concepts of a word without what denies, and how often that stands among them."""
    found = concepts(piece.removesuffix("'s"))
    return tuple(word for word in found if word != NOT), found.count(NOT)


def repeats(one: str, two: str) -> bool:
    """Whether one of two sentences says all that the other says, and little beyond."""
    first, second = said(one), said(two)
    if first.denied != second.denied or turned(first.text, second.text):
        return False
    mine, theirs = _counted(first), _counted(second)
    left, right = mine - theirs, theirs - mine
    if left and right:
        return False
    more, whole, longer = (left, mine, first) if left else (right, theirs, second)
    if more and (first.denials != second.denials or _narrows(longer, more)):
        return False
    return _weight(more) <= MORE * _weight(whole) and bool(whole)


class Gist(NamedTuple):
    """What all wordings of one thing share."""

    words: frozenset[tuple[str, int]]
    """Its concepts and numbers, each with how many there are before it; what denies is among them."""
    weight: float

    @property
    def enough(self) -> bool:
        """Whether its words alone tell it from every other sentence, in whatever order."""
        return self.weight >= _LEAST


@lru_cache(maxsize=1 << 14)
def gist(text: str) -> Gist:
    """A sentence, to be grouped with those that say the same."""
    sentence = said(text)
    found = _counted(sentence)
    weight = _weight(found)
    if sentence.denied:
        found[NOT] = 1
    words = [(word, at) for word, times in found.items() for at in range(times)]
    return Gist(frozenset(words), weight)


def _narrows(longer: Said, more: Counter[str]) -> bool:
    """Whether what one sentence says beyond another makes it speak of less, or of something else: 'for CI', '旧的'."""
    if any(map(str.isdigit, more)):
        return True
    for word, (start, end) in zip(longer.words, longer.places, strict=True):
        if not more.keys().isdisjoint(_parts(word)) and (
            word in _TURNING
            or _WITHIN.search(longer.text, max(0, start - 16), start)
            or ((word >= "\u3400" or not longer.text[:start].strip()) and _OF.match(longer.text, end))
        ):
            return True
    return False


@lru_cache(maxsize=1 << 14)
def _parts(word: str) -> tuple[str, ...]:
    """A word as its parts, however they are joined: 'tab-separated', 'SHA-256' and 'SHA256'."""
    if word.isalpha() or word.isdigit():
        return (word,)
    return tuple(one for part in _PART.findall(word) for one in concepts(part)) or (word,)


def _counted(sentence: Said) -> Counter[str]:
    parts = [f"#{number.value}{number.kind}" for number in sentence.numbers]
    for word in sentence.words:
        if word.isalpha():
            parts.append(word)
        elif word[0] != "#":
            parts += _parts(word)
    return Counter(parts)


def _weight(words: Mapping[str, int]) -> float:
    return sum([times * (1.0 if word >= "\u3400" else 2.0) for word, times in words.items()])


def ordered(text: str) -> frozenset[tuple[str, str]]:
    """Which of two things a folded sentence puts before the other: 'tabs over spaces'."""
    if not any(map(text.__contains__, _OVER_HINTS)):
        return frozenset()
    return frozenset((match[1] or match[3], match[2] or match[4]) for match in _OVER.finditer(text))


def turned(one: str, two: str) -> bool:
    """Whether they say the same of two things the other way round: 'tabs over spaces', 'spaces over tabs'."""
    mine = ordered(one)
    return bool(mine) and any((last, first) in mine for first, last in ordered(two))


def _number(piece: re.Match[str]) -> Number:
    raw, unit = piece["number"], piece["unit"] or ""
    kind, size = _UNITS.get(unit, ("", 1.0))
    if (kind == "clock" or ":" in raw) and (clock := _CLOCK.fullmatch(_WORDS.get(raw, raw))):
        hour = int(clock[1]) % 12 + 12 * (unit == "pm") if unit in {"am", "pm"} else int(clock[1])
        return Number(raw, unit, f"{hour * 60 + int(clock[2] or 0)}", "clock", piece.start(), piece.end())
    plain = _WORDS.get(raw, raw).replace(",", "").replace("_", "")
    try:
        value = f"{float(plain) * size:g}" if kind else plain
    except ValueError:
        value = f"{plain}{unit}"
    return Number(raw, unit, value, kind, piece.start(), piece.end())

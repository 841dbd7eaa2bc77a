"""What a remembered sentence says, as far as it takes to see that another one says the same or something else.

First `find_dropped`: a sentence that says that something is no more. Then `read_sentence` and `is_repeated`: two sentences say the same where nothing is left of either when
what both say is taken out; where something is left of one, it says more; where something is left of both,
however alike they are, they speak of different things.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.core.text import HAN
from memtui.language.similarity import HAN_WORDS, NOT, count_denials, list_concepts, normalize_text
from memtui.search.terms import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORD = compile_pattern(rf"\d+(?:[.:]\d+)*%?|[{HAN}]|[^\W{HAN}]+(?:[.+#/-]+[^\W{HAN}]+)*[+#]*")
_EMPTY = frozenset({
    *"的了已经被是为改用成到设现在将把由于就也仍还请统一", "a", "an", "the", "is", "are", "was", "be", "been", "now",
    "has", "have", "to", "of", "it", "its", "will", "should", "we", "our", "this", "that", "uses", "use", "using",
    "used", "set", "at", "in", "on", "for", "by", "do", "does",
})  # fmt: skip
_DENYING = frozenset({
    *"不没勿别再禁止", "not", "no", "never", "longer", "don", "t", "doesn", "isn", "cannot", "can", "avoid", "stop",
    "stopped",
})  # fmt: skip
_THING = r"[`“\"']?(?P<old>[A-Za-z][\w.+#/-]*(?: [A-Z\d][\w.+#/-]*){0,2}|[\u3400-\u9fff]{2,8}?)[`”\"']?"
_END = r"(?:$|[\s，。,.；;（(])"
_SINCE = r"(?:已经?|现在)?"
_DROPPED = tuple(
    compile_pattern(rf"^(?P<subject>.{{0,40}}?){said}", re.IGNORECASE)
    for said in (
        rf"{_SINCE}(?:不再|停止|弃用了?|停用了?)(?:使用|用|支持|采用|依赖)?\s*{_THING}{_END}",
        rf"{_SINCE}从\s*{_THING}\s*(?:迁移|切换|换|改|升级)(?:到|成|为|用)",
        rf"{_SINCE}(?:改用|换成|改为使用|用)\s*\S+?\s*(?:替代|取代|代替|替换|而不是|而非)了?\s*{_THING}{_END}",
        r"\b(?:no longer|stopped|not any ?more) (?:us(?:es?|ing)|needs?|supports?|relies on|depends on) "
        + _THING
        + _END,
        rf"\b(?:no longer|not) \w+(?:ed|en|t) (?:in|on|with|by|from|via|through|as) (?:the )?{_THING}(?: but\b|{_END})",
        rf"\b(?:has |have |was |were )?(?:switched|migrated|moved|changed) from {_THING} to\b",
        rf"\b(?:has |have )?replaced {_THING} (?:with\b|by\b|[—–-] )",
        rf"^(?:the )?{_THING} (?:is|are|was|were) no longer (?:in use|used|needed|supported|required|maintained)\b",
        rf"(?P<instead>)\b(?:instead of|rather than|in place of) (?:the )?{_THING}{_END}",
        (
            r"(?P<instead>)[,，;；]\s*(?:and )?(?:not|no longer|不再|而不是|而非|不要|不用)\s*"
            r"(?:(?:from|in|on|as|with|via|through|by|at|to)\b|存?放?在|使用|用|从|是)?\s*(?:the )?"
            rf"{_THING}{_END}"
        ),
        (
            rf"^(?:the )?(?:support for )?{_THING} (?:is|was|has been) (?:now )?(?:deprecated|dropped"
            rf"|removed|retired|replaced)\b"
        ),
        rf"(?:弃用|停用|下线|移除)了?\s*{_THING}{_END}",
    )
)
_GONE = compile_pattern(
    "不再|停[止用]|弃用|从|改用|换成|改为|用.*(?:替|代|取代|而不是|而非)|下线|移除|longer|stopped"
    "|not any|instead|rather"
    "|[,;] (?:and )?not|[,，;；]不|in place|from|replaced|dropped|deprecated|removed|retired",
    re.IGNORECASE,
)
"""What every one of these has: most sentences have none of it."""
_GONE_HINTS = (
    "不", "停", "弃用", "从", "改", "换成", "替", "代", "而非", "下线", "移除", "longer", "stopped", "not", "instead",
    "rather", "in place", "from", "replaced", "dropped", "deprecated", "removed", "retired",
)  # fmt: skip
"""What that itself cannot do without: far cheaper to look for."""
_USING = compile_pattern(
    r"使用|采用|基于|依赖|支持|用|在|走|到|是|为|[:：]|\b(?:uses?|using|with|on|in|to|by|from|through|as|is"
    r"|are|needs?|supports?)\b",
    re.IGNORECASE,
)
_USED = compile_pattern(r"\s*(?:(?:is|are) (?:used|supported|needed|required)\b|用于|用来|负责)")


class Dropped(NamedTuple):
    """A sentence that says something is no more."""

    thing: str
    subject: frozenset[str] | None
    """The words of whose it was; None: it is said somewhere in the sentence."""


@lru_cache(maxsize=1 << 14)
def find_dropped(text: str) -> Dropped | None:
    """What a sentence says is no more; None for any other sentence."""
    low = text.casefold()
    if not any(map(low.__contains__, _GONE_HINTS)) or not _GONE.search(text):
        return None
    match = next(filter(None, (one.search(text.strip()) for one in _DROPPED)), None)
    if match is None:
        return None
    return Dropped(
        normalize_text(match["old"]),
        None if "instead" in match.re.groupindex else extract_meaningful_words(match["subject"]),
    )


def extract_meaningful_words(text: str) -> frozenset[str]:
    """The words of a text that mean something by themselves."""
    return frozenset(
        word for word in _WORD.findall(normalize_text(text)) if word not in _EMPTY and word not in _DENYING
    )


def is_use_stated(text: str, thing: str) -> bool:
    """Whether a text says that the thing is used: right before it, by itself, and not denied."""
    words = normalize_text(text)
    at = words.find(thing)
    before, after = words[:at], words[at + len(thing) : at + len(thing) + 1]
    if after.isalnum() and after < "\u2e80" and thing[-1] < "\u2e80":
        return False
    if not at and _USED.match(words, len(thing)):
        return find_dropped(text) is None
    using = [match.end() for match in _USING.finditer(before)]
    return bool(using) and at - using[-1] <= 5 and not count_denials(before) and find_dropped(text) is None


MORE = 0.4
"""The share of a sentence that it may say beyond another, and still repeat it."""
_LEAST = 5.0
"""What a sentence must weigh to be told by its words alone, in whatever order."""

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
_UNIT = "|".join(re.escape(form) + (r"(?![^\W\d" + HAN + "])" if form.isascii() and form != "%" else r"(?![建注要意击位数])" if form == "点" else "") for form in sorted(_UNITS, key=len, reverse=True))  # fmt: skip
_COUNTED = "个名人次条行位字张台层级倍周天年月秒分小元"
_COUNT = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_HAN_COUNT = "一二三四五六七八九十"
_WORDS = {
    name: str(number) for names in (_COUNT, _HAN_COUNT) for number, name in enumerate(names, 1)
} | {"两": "2"}  # fmt: skip
_PART = compile_pattern(r"[^\W\d_]+|\d+")
_MEASURES = frozenset("个名位")
"""What stands between a number and what is counted, and means nothing."""
_CLOCK = compile_pattern(r"(\d{1,2})(?::(\d\d))?(?::\d\d)?")
_ONES = "|".join(_COUNT)


def _known() -> str:
    """The words that are known in Chinese, longest first; most characters begin none of them and are passed at once."""
    beginning: dict[str, list[str]] = {}
    for word in sorted(HAN_WORDS, key=lambda word: (-len(word), word)):
        beginning.setdefault(word[0], []).append(re.escape(word[1:]))
    every = "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in beginning.items())
    return f"(?=[{''.join(beginning)}])(?:{every})"


_KNOWN = _known()
_PIECE = compile_pattern(
    rf"(?P<latin>(?!(?:{_ONES})\b)[^\W\d{HAN}_][^\W{HAN}_]*(?:[.+#/_:@'’-]+[^\W{HAN}]+)*[+#]*)"
    rf"|(?=[\d{_HAN_COUNT}两a-z])(?P<number>\d+(?:[,_]\d{{3}})*(?:[.:]\d+)*|(?:{_ONES})\b"
    rf"|(?!一次|一个|一定|一起|一致|一样)[{_HAN_COUNT}两](?=[{_COUNTED}]))(?:[ -]?(?P<unit>{_UNIT}))?"
    rf"|(?=[{HAN}])(?P<han>{_KNOWN}|[{HAN}])"
)
_ENDS = " .。!！,，;；"
"""What may end a sentence, and is part of no word."""
_UNDER = compile_pattern(r"\bunder(?= \d)")
_JOINED = compile_pattern(r"\b(pull|merge) request")
_SWITCHED = compile_pattern(
    r"\b(is|are|be|turned|switched|turn|switch) (on|off)(?= by default|[.,;]|$| for | in | when )"
)
_STATES = {"on": "enabled", "off": "disabled"}
_MARKED = frozenset('*`“”"「」『』_')
_MARKS = compile_pattern(r"[*`“”\"「」『』]+|(?<!\w)_+|_+(?!\w)")
_OVER = compile_pattern(
    r"(\S+) (?:over|than|rather than|instead of|before|after|to|into|depends on|calls) (\S+)"
    r"|([^\W\d]{2,4}?)(?:而不是|优先于|先于|胜过|依赖|调用)([^\W\d]{2,4})"
)
_OVER_HINTS = (
    " over ", " than ", " of ", " before ", " after ", " to ", " into ", " on ", " calls ", "而不是", "先于", "胜过",
    "依赖", "调用",
)  # fmt: skip
"""Without one of these nothing is put before anything."""


_WITHIN = compile_pattern(
    r"(?:\b(?:for|in|on|at|during|when|while|if|unless|except|until|per|only|among|between|of)"
    r"(?: the| an?| all)? |\b(?:and|or|plus) |仅|除了?|如果|当|[和与及、或])$"
)
_OF = compile_pattern(r" ?(?:的|上|里|中|时|下|内|侧|端)")
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
def read_sentence(sentence: str) -> Said:
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
    found = list_concepts(piece.removesuffix("'s"))
    return tuple(word for word in found if word != NOT), found.count(NOT)


def is_repeated(one: str, two: str) -> bool:
    """Whether one of two sentences says all that the other says, and little beyond."""
    first, second = read_sentence(one), read_sentence(two)
    if first.denied != second.denied or is_turned_around(first.text, second.text):
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
def make_gist(text: str) -> Gist:
    """A sentence, to be grouped with those that say the same."""
    sentence = read_sentence(text)
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
    return tuple(one for part in _PART.findall(word) for one in list_concepts(part)) or (word,)


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


def list_orderings(text: str) -> frozenset[tuple[str, str]]:
    """Which of two things a folded sentence puts before the other: 'tabs over spaces'."""
    if not any(map(text.__contains__, _OVER_HINTS)):
        return frozenset()
    return frozenset((match[1] or match[3], match[2] or match[4]) for match in _OVER.finditer(text))


def is_turned_around(one: str, two: str) -> bool:
    """Whether they say the same of two things the other way round: 'tabs over spaces', 'spaces over tabs'."""
    mine = list_orderings(one)
    return bool(mine) and any((last, first) in mine for first, last in list_orderings(two))


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

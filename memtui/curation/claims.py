"""Which value a sentence gives to what, in Chinese and English: 'X is stored in Y', 'X 采用 Y', 'the limit is 5 MB'.

A claim can be spoken against only where one value at a time holds: a number with its unit, a day, a path, one of
several tools that do the same, or whatever stands after words like 'is built with', '改用', 'owner:'. What a thing
can have several of ('supports', 'can edit', '支持', '可以') claims nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.curation.lexicon import rivals
from memtui.curation.phrases import CHINESE, ENGLISH, LABEL, NO_LABEL, NO_VALUE
from memtui.curation.saying import Number, Said, ordered, said
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LEAST = 3.0
"""What a sentence must weigh without its value, to say what the value is of; a Latin word counts as two."""

_LONGEST = 120
"""Characters of a sentence beyond which it says more than one thing."""
_NAME = pattern(r"[:：]")
_ASIDE = pattern(r"[（(][^（）()]*[)）]|【[^】]*】")
_MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_WHEN = pattern(
    rf"[,，]?\s*\b(?:since|as of|from|decided(?: on)?|in|until) (?:\d{{4}}-\d\d(?:-\d\d)?"
    rf"|{_MONTH}(?: \d{{4}})?)(?= |$|[.,;])"
    r"|(?:自|从)\s?\d{4}\s?[-年/]\s?\d{1,2}(?:\s?[-月/]\s?\d{1,2}日?)?月?(?:起|开始|以来|之后)?[，,]?"
    r"|\d{4}\s?[-年/]\s?\d{1,2}(?:\s?[-月/]\s?\d{1,2}日?)?月?(?:起|开始|以来|之后)[，,]?",
    re.IGNORECASE,
)
_DATING = ("since", "as of", "from", "until", "in ")
_DATED = pattern(r"\d{4}|since|as of|from|until|\bin ", re.IGNORECASE)
_REST = pattern(
    r"[,，;；、]\s*(?:and )?(?:not|no longer|never|rather than|instead of|不再|而不是|而非|不是|不用|弃用|代替).*$"
    r"|\s+(?:instead of|rather than|in place of)\s+.+?(?= (?:for|to|in|as) |$)"
    r"|(?<=\w)\s*(?:代替|替代|取代|替换|而不是|而非)了?\s*\S+$",
    re.IGNORECASE,
)
_REST_HINTS = (
    "not", "no longer", "never", "rather than", "instead of", "in place of", "不再", "而", "不是", "不用", "弃用", "代",
    "替",
)  # fmt: skip
"""Without one of these it says nothing of what is not so."""
_EXAMPLE = pattern(r"^(?:fixed|修复|for example|e\.g\.|例如|比如|option|方案)", re.IGNORECASE)
_QUOTES = pattern(r"[*`“”\"]+")
_DIGIT = pattern(r"\d")
_ABOUT_A_DAY = pattern(
    r"\d{4}-\d\d-\d\d|\d{4}年|\d{1,2}月|[#＃]\s?\d|第\s?\d|^(?:fixed|修复)|\b(?:step|issue|pr|phase|sprint|bug)\s?\d"
    r"|^(?:\w+: )?(?:upgraded?|updated?|bump(?:ed)?|升级|更新)\b.* to v?\d|^(?:for example|e\.g\.|例如"
    r"|比如|option|方案|v\d|version \d)",
    re.IGNORECASE,
)
_AS = pattern(r"\s*(?:as\b|作为|做|当)")
_CLAUSE = pattern(r"[,，;；]\s*")
_HAN = pattern("[\u3400-\u9fff]")
_HOW = {
    "by": "with", "using": "with", "via": "with", "through": "with", "into": "in", "under": "in", "at": "on",
    "由": "of", "改由": "of", "owns": "of", "leads": "of", "is responsible": "of", "is in charge": "of",
}  # fmt: skip
_SHARED = pattern(
    r"used|exported|copied|forwarded|shared|mirrored|exposed|translated|imported|added|applied|tested|supported|called"
    r"|triggered|mentioned|shown|displayed|listed|consumed|referenced|required|needed|included|contained|allowed"
)
"""What several may do, or be done with, at once."""
_RULED = pattern(
    r"(?:\b(?:uses?|using|with|in|by|on|from|through|is|are|to|via|prefers?|a|the|write|wants?|every|second|each)|每|使用"
    r"|采用|改用|换成了?|用|是|为|走"
    r"|在|[到成]|偏好|喜欢|[:：=])\s*$"
)
_PATH = pattern(
    r"(?:[\w.@-]+/)+[\w.@-]*|[\w-]+\.(?:md|json|ya?ml|toml|py|[jt]sx?|go|rs|java|sql|sh|ini|cfg|env)"
)
_TRAILING = frozenset({"目", "录", "dir", "branch", "fil", "下", "文", "件", "分", "支"})
_MOST = pattern(
    r"(?:端口|版本|[是为到过隔限多少每于留行小期长数足]|[=:：≤≥<>]|\b(?:is|are|to|port|version|every"
    r"|within|least|most|max|min|of"
    r"|than|has|have|limit|timeout|default|after|for|about|under|over|by|at|up to|above|below|exactly|allows?"
    r"|requires?))\s*(?:约|大约|about)?$"
)
_MEASURE = pattern(
    r"\s*(?:个|条|行|次|位|字|点|倍|层|核|人|台|张|份|级|线程|进程|并发|副本|端口|版本|号|空格|字符"
    r"|[a-z]+s\b|req|rps|qps|people|\+|(?:and|or) (?:later|newer|above|up|higher|older|below)|[及或]?以[上下])"
)
_VERSIONED = frozenset({
    "node", "nodejs", "python", "java", "go", "php", "ruby", "rust", "xcode", "gradle", "junit", "vue", "react",
    "angular", "kotlin", "swift", "django", "rails", "spring", "ubuntu", "debian", "typescript", "postgresql",
    "mysql", "redis", "elasticsearch", "net", "jdk", "k8s", "kubernetes",
})  # fmt: skip
"""What is known by its number: 'Python 3.12'."""


class Claim(NamedTuple):
    """One thing's one value."""

    of: tuple[object, ...]
    """What has the value: equal for whatever speaks of the same."""
    value: str
    """As it stands."""
    means: frozenset[str]
    """Its concepts."""
    about: tuple[str, ...] = ()
    """The words of what has the value."""
    alone: bool = True
    """Whether one value at a time holds; else only a claim that is alone speaks against it: 'uses X', 'now uses Y'."""


class Frame(NamedTuple):
    """A sentence without its numbers and its 'not'."""

    words: tuple[str, ...]
    numbers: tuple[Number, ...]
    denied: bool
    valued: tuple[bool, ...]
    """Which of the numbers are values, and no part of a name ('shard 2')."""
    order: frozenset[tuple[str, str]]
    """What it puts before what."""


@lru_cache(maxsize=1 << 14)
def plain(text: str) -> str:
    """A sentence without asides, dates and what it says is not so."""
    text = text.strip()
    if "(" in text or "（" in text or "【" in text:
        text = _ASIDE.sub(" ", text)
    low = text.casefold()
    if (_hold(low, _DATING) or _DIGIT.search(low)) and _DATED.search(low):
        text = _WHEN.sub(" ", text)
    if _hold(low, _REST_HINTS):
        text = _REST.sub("", text)
    return " ".join(text.split()).strip(" .。!！,，;；")


@lru_cache(maxsize=1 << 14)
def _read(text: str) -> tuple[str, Said] | None:
    """A sentence without its asides, and its concepts; None where it tells of a day, or of a record."""
    short = plain(text)
    if _EXAMPLE.match(short) or (_DIGIT.search(short) and _ABOUT_A_DAY.search(short)):
        return None
    return None if _labelled(text) and NO_LABEL.match(text) else (short, said(short))


@lru_cache(maxsize=1 << 14)
def frame(text: str) -> Frame | None:
    """The frame of a sentence; None where it says too little by itself, or is about a day."""
    read = _read(text)
    if read is None:
        return None
    short, sentence = read
    if sentence.denied:
        first = _CLAUSE.split(short, 1)[0]
        if first != short and said(first).denied:
            # What is there instead comes after: 'X is not done with Y any more, Z does it'.
            sentence = said(first)
    words = [word for word in sentence.words if word[0] != "#" and word != "only"]
    if weight(words) < _LEAST + (not sentence.numbers):
        return None
    valued = tuple(_is_value(sentence, number) for number in sentence.numbers)
    return Frame(
        tuple(sorted(word for word in sentence.words if word != "only")),
        sentence.numbers,
        sentence.denied,
        valued,
        ordered(sentence.text),
    )


@lru_cache(maxsize=1 << 14)
def claims(text: str) -> tuple[Claim, ...]:
    """What a sentence gives which value."""
    read = _read(text)
    if read is None or read[1].denied or len(read[0]) > _LONGEST:
        return ()
    short, sentence = read
    return (*_typed(sentence), *_given(text.strip(), short))


def _typed(sentence: Said) -> list[Claim]:
    """Words of a class of which one at a time holds."""
    found: list[Claim] = []
    words = sentence.words
    if "/" not in sentence.text and "." not in sentence.text and not any(map(rivals, words)):
        return found
    kinds = [_kind(sentence, at) for at in range(len(words))]
    numbers = tuple(number.value for number in sentence.numbers)
    for at, kind in enumerate(kinds):
        # Two of one class in a sentence are compared or listed there.
        if kind and kinds.count(kind) == 1 and not NO_VALUE.search(words[at]):
            others = tuple(sorted((*words[:at], *words[at + 1 :])))
            if weight(others) >= _LEAST - 1:
                start, end = sentence.places[at]
                value = sentence.text[start:end]
                found.append(Claim((kind, others, numbers), value, frozenset({words[at]}), others))
    return found


def _kind(sentence: Said, at: int) -> str:
    start, end = sentence.places[at]
    kind = rivals(sentence.words[at])
    if not kind and "/" not in sentence.text[start:end] and "." not in sentence.text[start:end]:
        return ""
    before = sentence.text[:start]
    if kind:
        ruled = _RULED.search(before) or sentence.text.startswith("每", start)
        return kind if ruled and not before.startswith("in ") else ""
    if _PATH.fullmatch(sentence.text[start:end].rstrip("/") + "/" * sentence.text.startswith("/", end)):
        after = sentence.words[at + 1 :]
        return "<path>" if before.strip() and set(after) <= _TRAILING else ""
    return ""


def _given(text: str, short: str) -> list[Claim]:
    """What stands after words that give one value."""
    label = LABEL.match(text) if _labelled(text) else None
    if label is None and _labelled(text) and not _ASIDE.search(_NAME.split(text, 1)[0]):
        # An aside in a field's name makes it another field: 'Screen (tool only): …'.
        label = LABEL.match(short)
    if label is not None:
        return _claimed({
            "subject": label["subject"] or label["label"], "value": label["value"] or label["of"],
        })  # fmt: skip
    bare = _QUOTES.sub("", short)
    found: dict[tuple[object, ...], Claim] = {}
    for one in _hinted(bare, CHINESE if _HAN.search(bare) else ENGLISH):
        match = one.match(bare)
        for claim in _claimed(match.groupdict()) if match is not None else ():
            if claim.alone or claim.of not in found:
                found[claim.of] = claim
    return list(found.values())


def _hinted(text: str, patterns: Iterable[tuple[tuple[str, ...], re.Pattern[str]]]) -> list[re.Pattern[str]]:
    lower = f" {text.lower()} "
    return [one for hints, one in patterns if any(map(lower.__contains__, hints))]


def _claimed(parts: dict[str, str | None]) -> list[Claim]:
    value, tail = (parts["value"] or "").strip(), parts.get("tail") or ""
    # 'Uses X as the cache' is about the cache; what it is for, or when, is no part of the subject.
    whole = tail if _AS.match(tail) else ""
    about, rest = said(f"{parts['subject']} {parts.get('done') or ''} {whole}"), said("" if whole else tail)
    how = _HOW.get(parts.get("how") or "", parts.get("how") or "")
    means = said(value)
    concepts = frozenset(
        (*(word for word in means.words if word[0] != "#"), *(n.value for n in means.numbers))
    )
    numbers = tuple(number.value for number in (*about.numbers, *rest.numbers))
    if not concepts or means.denials or NO_VALUE.search(value) or weight((*about.words, *rest.words)) < 2:
        return []
    alone = (not parts.get("many") or bool(tail)) and not _SHARED.fullmatch(parts.get("done") or "")
    of = (tuple(sorted(about.words)), how, tuple(sorted(rest.words)), numbers)
    return [Claim(of, value, concepts, (*about.words, *rest.words), alone)]


def _is_value(sentence: Said, number: Number) -> bool:
    before, after = sentence.text[: number.start], sentence.text[number.end :]
    if number.unit or not after.strip(" .。!！") or _MOST.search(before):
        return bool(before.strip()) or bool(number.unit)
    last = before.split()[-1:] or [""]
    if last[0] in _VERSIONED:
        return True
    # What counts at the very beginning of a sentence is a name there: 'Shard 1 holds', 'Step 2 of'.
    named = len(before.split()) < 2 and not before.rstrip()[-2:-1] >= "\u3400"
    return not named and bool(_MEASURE.match(after))


def weight(words: Sequence[str]) -> float:
    """How much words tell: a Latin one is worth two Chinese characters."""
    return sum([1.0 if word >= "\u3400" else 2.0 for word in words if word[0] != "#"])


def _labelled(text: str) -> bool:
    return ":" in text or "：" in text


def _hold(text: str, hints: Iterable[str]) -> bool:
    return any(map(text.__contains__, hints))

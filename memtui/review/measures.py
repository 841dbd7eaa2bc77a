"""One thing's one measure, told with two values in two files: 'the digest runs every Friday', 'every Sunday'. Pure.

Texts are read clause by clause, also within long units: a rhythm, a weekday, a size or duration with its unit,
a port, how many tests a project has. Two measures are compared only where nothing but the value differs in what
is said, or where one text tells that it changed the very value that the other one has. Logs of changes and of
days do not count as evidence of what holds.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache, partial
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.model import Layer
from memtui.core.startup import compile_pattern
from memtui.language.claims import weigh_words
from memtui.language.statements import read_sentence
from memtui.review.plausible import is_of_day, is_of_log, is_telling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memtui.core.model import Memory

_ABOUT = 4.0
"""What a clause must weigh without its value to say what the value is of; a Latin word counts as two."""
_ENOUGH = 10.0
"""The same for two pages of one folder: each tells of its own part, whose name it leaves out."""
_BEYOND, _TOLD = 0.34, 0.5
"""The share of what two clauses have in common that one may say beyond it; or both, where one tells of a change."""
_USUAL = 24
"""Clauses of one kind that share a word, beyond which it finds nothing."""
_LONGEST = 160
"""Characters of a clause beyond which it says more than one thing."""

_SPEED = compile_pattern(
    r"\bms\b|响应|响應|延迟|延遲|耗时|\b(?:latency|response|took|elapsed|load(?:ed|ing)? time|uptime)\b",
    re.IGNORECASE,
)
"""What was measured of a run: the next one has another."""

_DATE = compile_pattern(r"20\d\d[-/.年]\d{1,2}")
"""What is told of one day: its hours are of no other."""
_OF_DAY = compile_pattern(
    r"^\W*20\d\d[-/.年]\d{1,2}[-/.月]\d{1,2}"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}, 20\d\d",
    re.IGNORECASE,
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SECONDS = {
    "秒": 1, "sec": 1, "second": 1, "分钟": 60, "分": 60, "min": 60, "minute": 60, "小时": 3600, "h": 3600, "hr": 3600,
    "hour": 3600, "天": 86400, "日": 86400, "day": 86400,
}  # fmt: skip
_UNIT = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?)(?![a-z])|秒|分钟|小时|天"
_EVERY = compile_pattern(
    rf"(?:\bevery|(?<!\w)once (?:every|an?)|每隔?)\s*(?P<many>\d+(?:\.\d+)?)?\s*个?(?P<unit>{_UNIT}|日)"
    r"(?:\s*[1一]\s*次)?",
    re.IGNORECASE,
)
_WEEKDAY = compile_pattern(
    rf"(?:\b(?:on|every) )?\b(?P<day>{'|'.join(_DAYS)})s?\b|每?(?:周|星期|週|礼拜|禮拜)(?P<han>[一二三四五六日天])",
    re.IGNORECASE,
)
_SIZE = compile_pattern(
    rf"(?<![\w.:/#-])(?P<many>\d+(?:\.\d+)?)[ `*]*(?P<unit>px|[kmg]i?b(?![a-z])|ms(?![a-z])|{_UNIT}"
    r"|字符|行|轮|次|(?:char(?:acter)?s?|lines?|turns?|tokens?|retries|times)(?![a-z]))(?!/)",
    re.IGNORECASE,
)
_PORT = compile_pattern(
    r"(?:\bport|端口)\s*(?:is|now|[为是]|改为|[:：=])?[ `*]*(?P<many>\d{2,5})(?![\d.])"
    r"|(?<![\w.])localhost:(?P<local>\d{2,5})(?!\d)",
    re.IGNORECASE,
)
_TESTS = compile_pattern(
    r"(?:^|\b(?:all|has|have|total(?: of)?|expected[^\n]{0,48}?)\W{1,4}|[共有]\s?)"
    r"(?P<many>[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{2,5})\+?[ 个]*(?:(?:passing|unit|total) )?"
    r"(?:tests?\b(?! (?:suite|file|case))|测试)",
    re.IGNORECASE,
)
"""How many tests there are in all: what less than a hundred came to is of one file's run."""
_STEP_OVER = compile_pattern(
    r"[^\n]{0,60}?(?:\b(?:DONE|COMPLETED?|FINISHED|SHIPPED|MERGED)\b"
    r"|(?i:\b(?:done|completed?|finished|shipped)) ?[(:]|✅|已?完成)"
)
"""How a text begins that tells of a step that is behind: the tests it counts are those of then."""
_WHOLE = frozenset({"#tests"})
_KINDS = (("every", _EVERY), ("weekday", _WEEKDAY), ("size", _SIZE), ("port", _PORT))
_HINT = compile_pattern(r"\d|周[一二三四五六日天]|星期|每|day\b|days\b|every", re.IGNORECASE)
_WAS = compile_pattern(
    r"(?:\b(?:changed |moved |raised |lowered )?from |[从從由])(?P<old>[^，。,;；\n]{1,24}?)"
    r"(?P<to>\s*(?:统一)?(?:调整|下调|上调|提升|降低|缩短|延长|修改|更改|提高|增加|改|降|升)?[为到至成]|\s+to )",
    re.IGNORECASE,
)
"""What a value was before."""
_WISHED = compile_pattern(
    r"必须|必須|应该?|需要|目标|目標|计划|希望|\b(?:must|should|needs? to|has to|goal|target|plan(?:ned)?)\b",
    re.IGNORECASE,
)
"""What stands before a change that is only to come: 'must go from 0 h to 5 h'."""
_CUT = compile_pattern(r"[。；;!！\n，]|[.!?](?= )|, (?=[a-z])|\s[—–|·]\s|(?<=\w)[—–]{1,2}(?=\w)")
_ASIDE = compile_pattern(r"[（(][^（()）\d每周星期]*[)）]")
_MARKS = compile_pattern(r"[*`_~]+|^\W+")


_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_LABEL = compile_pattern(r"\W{0,6}[^:：\n]{1,40}[:：]")
"""What an item of a list begins with, where it says first what it is about."""
_ALL = compile_pattern(
    rf"\b(?:all|the (?:full|whole))(?: of)?(?: the)? (?P<many>{'|'.join(_NUMBERS)}|\d{{1,3}})[ -]"
    r"(?P<what>[a-z]{4,}?)(?:s\b|[ -])"
    r"|(?:全部|所有|共)\s?(?P<count>\d{1,3}|[一二三四五六七八九十]{1,2})\s?[个個条條项項种種套类類](?P<han>[\u4e00-\u9fff]{2})",
    re.IGNORECASE,
)
"""How many there are in all of something: a document counts its own list."""
_ALL_HINT = compile_pattern(r"\b(?:[Aa]ll|ALL|full|whole) |全部|所有|共")
_HOURS = compile_pattern(
    r"(?<![\d:])(?P<since>\d{1,2}:[0134][05])\s?(?:-|–|—|~|to|bis|至|到)\s?(?P<until>\d{1,2}:[0134][05])(?![\d:])"
)
_LEAST_STEM = 5
"""Letters that two words of one stem have in common at their beginning: 'dringend', 'dringendem'."""
_DEFAULT = compile_pattern(
    r"`(?P<name>[\w.-]+)`[^`\n。]{0,40}?(?:\bdefault(?:s|ed|ing)?\b|默认|默認|standardmäßig|по умолчанию)"
    r"[^`\n。]{0,40}?"
    r"`(?P<value>true|false|on|off|null|\d+(?:\.\d+)?(?:ms|s|px|%|[KMG]B)?)`",
    re.IGNORECASE,
)
_CODE = compile_pattern(r"`([^`\n]+)`")
_WORD = compile_pattern(r"[^\W\d_\u2e80-\U000323af]{5,}|[\u2e80-\U000323af]{2}")
_OWN = compile_pattern(r"[a-z0-9][_.-][a-z0-9]|[a-z][A-Z]")
"""In a name that is one setting's, not any setting's."""


class Measure(NamedTuple):
    """What a clause gives as the measure of what it is about."""

    kind: str
    value: str
    raw: str
    """The value as it stands."""
    old: str
    """The value that it says there was before; empty: it says nothing of that."""
    about: frozenset[str]
    """The words of what is measured."""
    others: frozenset[str]
    """Numbers beside the value: they are of names."""


def compare_measures(
    memories: Sequence[Memory], project: Callable[[Memory], str], age: Callable[[Memory], tuple[object, ...]]
) -> Iterator[tuple[Memory, Memory, str]]:
    """Two that give one thing another measure, the newer first, with both values."""
    found = [
        (memory, measure)
        for memory in memories
        if _HINT.search(memory.text) and not memory.extra.get("done") and not is_of_log(memory.path)
        for measure in _parse_measures(memory.text)
    ]
    holding: defaultdict[tuple[str, str, str], list[int]] = defaultdict(list)
    for number, (memory, measure) in enumerate(found):
        for word in measure.about:
            holding[project(memory), measure.kind, word].append(number)
    pairs = {pair for numbers in holding.values() if 1 < len(numbers) <= _USUAL for pair in combinations(numbers, 2)}
    for first, second in sorted(pairs):
        (one, mine), (two, theirs) = found[first], found[second]
        if one is two or mine.value == theirs.value or not _measure_same_thing(one, mine, two, theirs):
            continue
        if _is_chained(mine, theirs):
            newer, older = (one, two) if mine.old == theirs.value else (two, one)
        elif mine.old or theirs.old or _are_at_one_place(one, two):
            continue
        else:
            newer, older = (one, two) if _rank(one, mine, age) >= _rank(two, theirs, age) else (two, one)
        if mine.kind == "tests" and _STEP_OVER.match(older.text):
            continue
        if _is_record_of_day(older) or _are_entries(one, two):
            # What a day told was so on that day.
            continue
        was, now = (theirs, mine) if newer is one else (mine, theirs)
        yield newer, older, f"{was.raw} → {now.raw}"


def compare_statements(
    memories: Sequence[Memory], project: Callable[[Memory], str], age: Callable[[Memory], tuple[object, ...]]
) -> Iterator[tuple[Memory, Memory, str]]:
    """Two that tell one setting's default, one span of hours, or how many there are in all, with other values."""
    defaults: defaultdict[tuple[str, str], list[tuple[Memory, str]]] = defaultdict(list)
    counts: defaultdict[tuple[str, str, str], list[tuple[Memory, str]]] = defaultdict(list)
    hours: defaultdict[tuple[str, str], list[tuple[Memory, str]]] = defaultdict(list)
    for memory in memories:
        text = memory.text
        if is_of_log(memory.path) or memory.extra.get("done"):
            continue
        if "`" in text and ("efault" in text or "默" in text or "умолч" in text or "standardm" in text):
            for match in _DEFAULT.finditer(text):
                if _OWN.search(match["name"]):
                    defaults[project(memory), match["name"]].append((memory, match["value"].lower()))
        # What all came to on a day is told again the next.
        for match in _ALL.finditer(text) if _ALL_HINT.search(text) and not _is_record_of_day(memory) else ():
            what = (match["what"] or match["han"]).lower()
            counts[memory.home, memory.path, what].append((memory, _count(match["many"] or match["count"])))
        if ":" in text and not _is_record_of_day(memory) and len(text) <= _LONGEST and not _DATE.search(text):
            spans = list(_HOURS.finditer(text))
            # Of several spans each is a part of the day, or another's.
            for match in spans if len(spans) == 1 else ():
                since, until = match["since"].zfill(5), match["until"].zfill(5)
                hours[project(memory), f"{since}-"].append((memory, until))
                hours[project(memory), f"-{until}"].append((memory, since))
    for (_project, name), told in defaults.items():
        yield from _find_other_values(told, age, partial(_are_of_one_thing, name))
    for told in counts.values():
        yield from _find_other_values(told, age, _count_same_whole)
    for told in hours.values():
        yield from _find_other_values(told, age, _are_of_one_span)


def _find_other_values(
    told: Sequence[tuple[Memory, str]],
    age: Callable[[Memory], tuple[object, ...]],
    same: Callable[[Memory, Memory], bool],
) -> Iterator[tuple[Memory, Memory, str]]:
    """Those that give another value than the newest of them; many values are a list."""
    if len({value for _memory, value in told}) not in {2, 3}:
        return
    ranked = sorted(told, key=lambda one: age(one[0]))
    newest, now = ranked[-1]
    for older, was in ranked[:-1]:
        if was != now and older is not newest and same(older, newest):
            yield newest, older, f"{was} → {now}"


def _count(raw: str) -> str:
    low = raw.lower()
    if low in _NUMBERS:
        return str(_NUMBERS.index(low) + 2)
    return low


def _are_of_one_thing(name: str, one: Memory, two: Memory) -> bool:
    """Whether they speak of one thing's setting: of something else by name both, or from one place."""
    mine, theirs = (set(_CODE.findall(memory.text)) - {name} for memory in (one, two))
    return bool(mine & theirs) or (not mine and not theirs) or (one.path, one.heading) == (two.path, two.heading)


def _count_same_whole(one: Memory, two: Memory) -> bool:
    """Whether two count the same: not where each is a labelled item of one list, with a sum of its own."""
    if one.heading == two.heading:
        labels = [_LABEL.match(memory.text) for memory in (one, two)]
        if all(labels) and (labels[0] or [""])[0] != (labels[1] or [""])[0]:
            return False
    return one.heading[:1] == two.heading[:1]


def _are_of_one_span(one: Memory, two: Memory) -> bool:
    """Whether the hours of two are of the same, by what stands around them."""
    if (one.path, one.heading) == (two.path, two.heading):
        return False
    mine, theirs = (set(_WORD.findall(memory.text.casefold())) for memory in (one, two))
    stems = {word[:_LEAST_STEM] for word in mine} & {word[:_LEAST_STEM] for word in theirs}
    return len(stems) > 1 or len({stem for stem in stems if stem[0] >= "\u2e80"}) > 0


def _parse_measures(text: str) -> tuple[Measure, ...]:
    """Of commands only what is noted beside them of all the tests there are."""
    if is_telling(text):
        return find_measures(text)
    return tuple(one for one in find_measures(text) if one.kind == "tests") if "test" in text else ()


@lru_cache(maxsize=1 << 13)
def find_measures(text: str) -> tuple[Measure, ...]:
    """What the clauses of a text measure; one that has two values of a kind compares or lists them."""
    found: list[Measure] = []
    for clause in _CUT.split(_ASIDE.sub(" ", text)):
        bare = _MARKS.sub("", clause).strip()
        if 4 < len(bare) <= _LONGEST and _HINT.search(bare) and not _SPEED.search(bare):
            was = _WAS.search(bare)
            if was is not None and _WISHED.search(bare[: was.start()]):
                continue
            now = f"{bare[: was.start()]} {bare[was.end() :]}" if was is not None else bare
            found += _read(now, was["old"] if was is not None else "")
    return tuple(found)


def _read(clause: str, old: str) -> Iterator[Measure]:
    taken: list[tuple[int, int]] = []
    for kind, one in _KINDS:
        matches = [match for match in one.finditer(clause) if not _is_within(match, taken)]
        taken += [match.span() for match in matches]
        if len(matches) == 1:
            sort, value = _evaluate_match(kind, matches[0])
            before = next((_evaluate_match(kind, match)[1] for match in one.finditer(old)), old and "?")
            rest = read_sentence(f"{clause[: matches[0].start()]} {clause[matches[0].end() :]}")
            about = frozenset(word for word in rest.words if word[0] != "#")
            others = frozenset(number.value for number in rest.numbers if number.kind != "clock")
            if weigh_words(list(about)) >= _ABOUT and not rest.denied:
                yield Measure(sort, value, matches[0][0].strip(" `*"), before, about, others)
    whole = _TESTS.search(clause)
    if whole is not None and not old:
        count = whole["many"].replace(",", "")
        yield Measure("tests", count, whole["many"], "", _WHOLE, frozenset())


def _is_within(match: re.Match[str], taken: Iterable[tuple[int, int]]) -> bool:
    return any(start <= match.start() < end for start, end in taken)


def _evaluate_match(kind: str, match: re.Match[str]) -> tuple[str, str]:
    """Of which kind a value is, and what it comes to."""
    if kind == "weekday":
        day = match["day"]
        return kind, str(_DAYS.index(day.lower()) if day else "一二三四五六日".find(match["han"]) % 7)
    if kind == "port":
        return kind, match["many"] or match["local"]
    unit = match["unit"].lower()
    seconds = _SECONDS.get(unit) or _SECONDS.get(unit.removesuffix("s"))
    many = float(match["many"] or 1)
    if seconds is not None:
        return ("every" if kind == "every" else "time"), f"{many * seconds:g}"
    return unit.removesuffix("s"), f"{many:g}"


def _measure_same_thing(one: Memory, mine: Measure, two: Memory, theirs: Measure) -> bool:
    """Whether two clauses measure one thing: what only one says stands in the other's headings, or is little."""
    if mine.others != theirs.others:
        return False
    if mine.kind == "tests":
        return True
    if _are_in_other_folders(one, two) and not _is_chained(mine, theirs):
        return False
    both = weigh_words(list(mine.about & theirs.about))
    if both < (_ENOUGH if _are_pages_of_folder(one, two) else _ABOUT):
        return False
    more = weigh_words(list(mine.about - theirs.about - _list_context_words(two)))
    less = weigh_words(list(theirs.about - mine.about - _list_context_words(one)))
    # Two names, each on one side, are two things, unless one of them tells of the other's value.
    if more and less and not _is_chained(mine, theirs):
        return False
    return max(more, less) <= (_TOLD if _is_chained(mine, theirs) else _BEYOND) * both


def _rank(memory: Memory, measure: Measure, age: Callable[[Memory], tuple[object, ...]]) -> tuple[object, ...]:
    """Which of two is the newer: tests grow in number, which tells more than when a file was last checked out."""
    grown = int(measure.value) if measure.kind == "tests" else 0
    return (grown, *age(memory))


def _is_chained(mine: Measure, theirs: Measure) -> bool:
    """Whether one of them tells that it changed the value which the other one has."""
    return (mine.old == theirs.value) != (theirs.old == mine.value)


def _are_pages_of_folder(one: Memory, two: Memory) -> bool:
    """Whether they are of two pages of one folder."""
    return (
        one.path != two.path
        and one.layer is two.layer is Layer.KNOWLEDGE
        and one.path.rpartition("/")[0] == two.path.rpartition("/")[0]
    )


def _are_in_other_folders(one: Memory, two: Memory) -> bool:
    """Whether they are of documents in two folders: routines and parts of two areas have the same words around their
    values, whatever the language."""
    return one.layer is two.layer is Layer.KNOWLEDGE and (one.path.rpartition("/")[0] != two.path.rpartition("/")[0])


def _are_entries(one: Memory, two: Memory) -> bool:
    """Whether they are one field of two entries of one file, each under a heading of its own."""
    labels = {(_LABEL.match(memory.text) or [""])[0].strip("*_ ") for memory in (one, two)}
    apart = (one.home, one.path) == (two.home, two.path) and one.heading != two.heading
    return apart and len(labels) == 1 and "" not in labels


def _are_at_one_place(one: Memory, two: Memory) -> bool:
    """Whether they stand beside each other, or each only tells of its day."""
    if _is_record_of_day(one) and _is_record_of_day(two):
        return True
    return (one.home, one.path, one.heading) == (two.home, two.path, two.heading)


def _is_record_of_day(memory: Memory) -> bool:
    """Whether it tells of a day: a journal's, its file's or its heading's."""
    return memory.layer is Layer.JOURNAL or is_of_day(memory.path) or any(map(_OF_DAY.search, memory.heading[-1:]))


@lru_cache(maxsize=1 << 13)
def _list_name_words(heading: tuple[str, ...], path: str) -> frozenset[str]:
    stem = path.rpartition("/")[2].partition(".")[0]
    return frozenset(word for part in (*heading[-2:], stem.replace("_", " ")) for word in read_sentence(part).words)


def _list_context_words(memory: Memory) -> frozenset[str]:
    """The words of the headings and the file that a memory stands in."""
    return _list_name_words(memory.heading, memory.path)

"""Which memories of one home and project say the same, in these or in other words.

`find_duplicates` decides which pairs of those that are near (`nearness`) say the same, and which one is kept: by
rules that are sure first, then by the sum of what speaks for it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING

from memtui.core.model import Layer, Status
from memtui.core.startup import compile_pattern
from memtui.formats.marks import BETWEEN
from memtui.language.similarity import Likeness, extract_terms, measure_likeness, normalize_text, weigh_text
from memtui.language.statements import MORE, is_repeated, make_gist, read_sentence
from memtui.review.distill import is_statement
from memtui.review.fields import (
    compare_fields,
    find_addresses,
    find_beside,
    find_copied_sections,
    find_named_fields,
    is_told_apart,
    share_value,
    strip_one_label,
)
from memtui.review.nearness import (
    LEAST,
    READ,
    find_near_pairs,
    find_nothing_near,
    find_retold,
    measure_fields,
    weigh_restatement,
)
from memtui.review.plausible import (
    COMMON,
    Setting,
    has_other_name,
    has_other_names,
    has_other_number,
    is_of_day,
    is_of_log,
    is_retold,
    is_telling,
    list_names,
    strip_links_and_code,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memtui.core.model import Memory
    from memtui.language.statements import Gist
    from memtui.review.nearness import Meaning, NearPair

CLASH = 0.6
"""Likeness from which two kept memories that repeat one another are proposed to be merged."""
_SHARED = 11.0
"""What the words that two files' memories share must weigh, by how rare they are and how alike the two are, to say the
same in other words: few words that are all of both, or many that are half of both."""
_ALIKE, _OF_LESS = 0.5, 0.55
"""Which share that must be of what both say, and of what the shorter one says."""
_APART: tuple[tuple[float, float], ...] = ((0.45, 20.0), (0.4, 30.0))
"""How alike two have to be that are kept in different layers, neither of them short, and what the words that they
share weigh: rules, core memory and topic files say one thing with other remarks on it; pages beside each other have
words in common that are of all such pages."""
_WITHIN, _WITHIN_OF, _WITHIN_LINE = 26.0, 0.85, 0.8
"""What two share, and which share of the shorter one that is, where the longer one tells of more; which share of its
words one line of that has to have."""
_CONTAINED, _ALL_OF, _NO_LITTLE = 17.0, 0.97, 0.45
"""What two share, which share of the shorter one, where that is the other in fewer words, and how alike they are."""
_IN_ONE_FILE = 0.58
"""How alike two lines of one file are at least: its sections speak of one thing in any case."""
_MANY_WORDS = 36.0
"""What the words weigh that no form has."""
_READ_TWICE, _OF_ONE_PROJECT = (0.5, 12.0, 0.65), (0.48, 30.0, 0.5)
"""How alike two are at least, what they share and which share of the shorter one that is: where both are read in every
session; where both are kept of one project."""
_FEW_WORDS = (0.66, 9.0, 0.8)
"""The same where both are short."""
_LENGTHY = 60.0
"""What a text weighs that tells of more than one thing: a number in it may be another's."""
_FIRMLY_BESIDE = 0.4  # How alike two are at least that stand beside others that say the same.
_NAMED, _NAMED_OF = 14.0, 0.6
"""The same where both name one address, path or key."""
_LIKE = 0.7
"""The share from which two differ in little: in a number, or a 'not'."""
_VOUCHED: tuple[tuple[float, float, float], ...] = ((0.6, 8.0, 0.4), (0.5, 16.0, 0.5))
"""Cosine, weight of the shared words and their share of the shorter one, from which two say the same: the nearer they
are in meaning, the fewer words they need."""
_OF_SHORT = 0.85
"""Which share of the shorter one that must be where it says little: it speaks of something else by a single word."""
_RESTATED, _RETOLD, _RETOLD_OF = -0.25, -0.9, 0.8
"""What has to speak for it that one of two is the other one again, where no rule says so; and where the other one has
so much of its words."""
_OF_DAYS = 8
"""Of the notes of days so many files that repeat another one: who keeps a diary wants it whole."""
_LOGGED, _FEW_LOGGED = 0.25, 2
"""The same where one is an entry of a log; and so many of these of two files."""
_AFTER = 0.5
"""What such a pair is worth: it comes after those of which a rule is sure."""


def select_reworded(near: Iterable[NearPair]) -> Iterator[tuple[NearPair, Likeness]]:
    """Those that speak of one thing, each for the most part of it; or one with remarks that the other has not."""
    found: list[tuple[NearPair, bool]] = []
    for one in near:
        firm = _is_near_by_words(one) or _is_near_by_meaning(one)
        told = (
            _is_near_by_words(one) and one.alike >= _IN_ONE_FILE and BETWEEN not in one.one.text + one.two.text
            if (one.one.home, one.one.path) == (one.two.home, one.two.path)
            else firm or any(told(one) for told in _OTHERWISE)
        )
        if told and not _is_opposed(one):
            found.append((one, firm))
    firmly = Counter(memory.id for one, firm in found for memory in (one.one, one.two) if firm)
    company = Counter(memory.id for one, _firm in found for memory in (one.one, one.two))
    for one, firm in found:
        among = firmly if firm else company
        # What is like so many others has the words of a form, unless it has many of its own.
        usual = max(among[one.one.id], among[one.two.id]) >= COMMON
        if not usual or (firm and one.both >= _MANY_WORDS):
            yield one, Likeness("near", CLASH + 0.35 * max(one.alike, one.cosine))


def _is_near_by_words(near: NearPair) -> bool:
    return (
        near.both >= LEAST
        and near.both * near.alike >= _SHARED
        and near.alike >= _ALIKE
        and near.both >= (_OF_SHORT if near.short else _OF_LESS) * near.less
    )


def _has_remarks(near: NearPair) -> bool:
    """Whether two that both say much share much of it, though each has remarks of its own."""
    if near.short:
        return False
    if near.both >= LEAST and near.alike >= _ALIKE and near.both >= _OF_LESS * near.less:
        return True
    layers = {near.one.layer, near.two.layer}
    # What a day tells is near to much that is kept.
    return (
        len(layers) > 1
        and Layer.JOURNAL not in layers
        and any(near.alike >= alike and near.both >= both for alike, both in _APART)
    )


def _is_contained(near: NearPair) -> bool:
    """Whether the longer one has every word of the shorter, which are no small part of it."""
    of_day = Layer.JOURNAL in {near.one.layer, near.two.layer}
    enough = near.both >= _CONTAINED and near.both >= _ALL_OF * near.less
    return enough and near.alike >= _NO_LITTLE and not of_day


def _is_told_within(near: NearPair) -> bool:
    """Whether one line of the longer one says nearly all that the shorter one says, whatever it tells besides."""
    if near.both < _WITHIN or near.both < _WITHIN_OF * near.less:
        return False
    short, long = sorted((near.one.text, near.two.text), key=lambda text: len(extract_terms(text)))
    words = extract_terms(short)
    return any(len(words & extract_terms(line)) >= _WITHIN_LINE * len(words) for line in long.splitlines())


def _is_near_by_name(near: NearPair) -> bool:
    """Whether both are about one address, path or key, and have most of what they say of it in common."""
    return (
        near.both >= _NAMED
        and near.alike >= _ALIKE
        and near.both >= _NAMED_OF * near.less
        and bool(find_addresses(near.one.text) & find_addresses(near.two.text))
    )


def _is_near_by_place(near: NearPair) -> bool:
    """Whether two stand where what they share is enough: both read in every session, most of the shorter one; or in
    documents of one project, much of both."""
    layers = {near.one.layer, near.two.layer}
    if layers <= READ:
        named = any(memory.text.lstrip("*_- ").startswith("`") for memory in (near.one, near.two))
        rows = BETWEEN in near.one.text + near.two.text
        return not named and (_reach_limits(near, _READ_TWICE) or (not rows and _reach_limits(near, _FEW_WORDS)))
    return Layer.JOURNAL not in layers and _reach_limits(near, _OF_ONE_PROJECT)


def _reach_limits(near: NearPair, least: tuple[float, float, float]) -> bool:
    alike, both, of_less = least
    return near.alike >= alike and near.both >= both and near.both >= of_less * near.less


_OTHERWISE = (_is_contained, _has_remarks, _is_told_within, _is_near_by_name, _is_near_by_place)
"""What tells that two say the same where their words alone do not."""


def _is_near_by_meaning(near: NearPair) -> bool:
    return any(
        near.cosine >= cosine and near.both >= both and near.both >= share * near.less
        for cosine, both, share in _VOUCHED
    )


def _is_opposed(near: NearPair) -> bool:
    """Whether two texts name other things; or, of two that differ in little, whether a number or a 'not' differs."""
    one, two = near.one.text, near.two.text
    whole = near.both >= _ALL_OF * near.less and not near.short
    if (has_other_names(one, two) and not whole) or is_told_apart(one, two):
        return True
    if share_value(near.one, near.two):
        return False
    mine, theirs = (read_sentence(text).words for text in strip_one_label(near.one, near.two))
    # What both name in code is what both are about; another order, or another label, says nothing else.
    same = bool(set(list_names(one)) & set(list_names(two))) or sorted(mine) == sorted(theirs)
    if not same and _is_swapped(mine, theirs) and not _begin_alike(one, two):
        return True
    # Two that mean the same differ in little, whatever their words are; of long ones those that have few in common.
    rows = BETWEEN in one and BETWEEN in two
    meant = _is_near_by_meaning(near) and (near.more < _LENGTHY or not _is_near_by_words(near))
    close = near.short or rows or near.both >= _LIKE * near.more or meant
    if close and has_other_number(strip_links_and_code(one), strip_links_and_code(two)):
        return True
    return close and read_sentence(one).denied != read_sentence(two).denied and _deny_apart(one, two)


def _begin_alike(one: str, two: str) -> bool:
    """Whether the first of several sentences, which says what they are about, is the same one."""
    first, second = (_SENTENCE.split(text.strip(), maxsplit=1) for text in (one, two))
    return len(first) == len(second) == 2 and normalize_text(first[0]) == normalize_text(second[0])


def _deny_apart(one: str, two: str) -> bool:
    """Whether of two sentences that say the same one is denied: what stands besides in one of the texts is not taken
    back by the other one."""
    mine, theirs = ([part for part in _SENTENCE.split(text) if extract_terms(part)] for text in (one, two))
    if len(mine) == len(theirs) == 1:
        return True
    for part in mine:
        terms = extract_terms(part)
        other = max(theirs, key=lambda again: len(terms & extract_terms(again)))
        shared = len(terms & extract_terms(other))
        alike = 2 * shared >= min(len(terms), len(extract_terms(other)))
        if alike and read_sentence(part).denied != read_sentence(other).denied:
            return True
    return False


def _is_swapped(one: Sequence[str], two: Sequence[str]) -> bool:
    """Whether they are one sentence, said of two things: the same before and after the one place where they differ."""
    least = min(len(one), len(two))
    head = next((at for at in range(least) if one[at] != two[at]), least)
    tail = next((at for at in range(least - head) if one[-1 - at] != two[-1 - at]), least - head)
    mine, theirs = len(one) - head - tail, len(two) - head - tail
    inner = one[head : head + mine], two[head : head + theirs]
    longer = len(inner[0]) == len(inner[1]) == 1 and (inner[0][0] in inner[1][0] or inner[1][0] in inner[0][0])
    return mine > 0 and theirs > 0 and max(mine, theirs) <= head + tail and not longer


_SENTENCE = compile_pattern(r"\n|(?<=[.!?;])\s+|(?<=[。！？；])|\s[—–]\s")
LONGEST = 2000
"""Characters of a memory beyond which it is a document."""
EACH = 6
"""So many pairs of the same two files come first: the next ones after those of all other files."""

_POINTING = compile_pattern(
    r"\[[^\]]*\]\([^)]*\)|\[\["
    r"|\W*(?:\d+[.)]\W*)?(?:(?:read|check|see|load|review|读取?|阅读|查看|先读)\W{1,4})?(?:[^:：\n.]{2,24}\W{1,6})?"
    r"[\w~./-]+\.md\b[`*)\]]*\s*(?:$|(?:[—–:：(（-]|for\b|if\b|when\b)[^.。\n]{0,80}$)",
    re.IGNORECASE,
)
"""A line of an index, or of what is to be read first: what it names is told elsewhere."""
_EXAMPLE = compile_pattern(r"(?:^|[/_-])(?:examples?|samples?)[-_./]", re.IGNORECASE)
"""How a file is called that shows what others may look like."""
_CAME_TO = compile_pattern(
    r"(?:[:：=|·]|\s[—–-])\s*[^\w\s]{0,3}\s?"
    r"(?:error|fail(?:ed|ure)?|timeout|timed out|skipped|失败|报错|超时|异常)(?![a-z])[^:：\n]{0,24}$",
    re.IGNORECASE,
)
"""How a line ends that says what something came to once."""
_UNLIKE = frozenset({"summary", "event", "todo"})

_PAGED = 0.88
"""Likeness from which two pages of one kind repeat each other: what their subjects have in common, both tell."""
_BESIDE = 0.8
"""What fields of one value are worth of which one is looked up where it is needed."""
_FIELDS = 0.9
"""What fields of one value are worth that are read in every session, and what one section that stands there twice."""
_ASIDE, _SLIGHT = 0.85, 10.0
"""What a pair is worth that nobody reads every day; what words weigh less than half a sentence."""
_BAR, _BAR_ASIDE = 9.0, 14.0
"""What the shorter of two weighs at least to be worth a decision, where neither says in words that something holds
and both are lines of documents; where neither is read in every session."""
_DOCUMENT = compile_pattern(r"[\w-]+\.md\b")
_READ_BY_OTHERS = compile_pattern(
    r"(?:^|/)(?:readme[^/]*|[^/]*(?:spec|specification|prd|rfc)|[^/]*(?:prompt|registry)[^/]*)\.mdx?$|(?:^|(?<!memory)/)(?:decisions|adrs?|rfcs?)/[^/]+$",
    2,
)
"""Documents that somebody reads who sees none of this memory: people, and agents that are started with them."""
_ROUTING = 20.0
"""What a line weighs that says what is kept in which document, and no more."""
_SLOGAN = 7.0
"""What the shorter of two weighs at least in any case: less is an item whose list tells what it is about."""
_SAID = frozenset({"pref", "decision", "rule", "lesson"})
_NOTES = 1200
"""So many of the days' notes, the last ones, are held against what is kept."""
_Pair = tuple["Memory", "Memory", Likeness]
_File = tuple[str, str]


def find_duplicates(
    memories: Iterable[Memory],
    project: Callable[[Memory], str],
    meaning: Meaning = find_nothing_near,
    notes: Iterable[Memory] = (),
) -> tuple[list[_Pair], list[NearPair]]:
    """Two by two, the one to keep first; what documents say in passing is nobody's duplicate, nor is a day's note,
    which what is kept was made of. And which are near each other beyond that, the nearest first, the days' `notes` too:
    a reader may find that they say the same, or cannot both hold."""
    every = list(memories)
    setting = Setting(every)
    among = [memory for memory in every if _is_compared(memory) and setting.telling(memory)]
    scopes: dict[str, list[Memory]] = {}
    for memory in among:
        scopes.setdefault(project(memory), []).append(memory)
    pairs: list[_Pair] = []
    near: list[NearPair] = []
    for some in scopes.values():
        close = [one for one in find_near_pairs(some, meaning) if not setting.apart(one.one, one.two)]
        named = ((one, two, Likeness("near", CLASH)) for one, two in find_named_fields(some))
        told_twice = chain(filter(_is_worth_asking, _iterate_covered_pairs(some)), named)
        pairs += (pair for pair in told_twice if not setting.apart(pair[0], pair[1]))
        for one, how in select_reworded(close):
            pair = (one.one, one.two, how)
            if (_is_worth_asking(pair) or share_value(one.one, one.two)) and (
                how.score >= _PAGED or is_retold(one.one, one.two) or not setting.paged(one.one, one.two)
            ):
                pairs.append(pair)
        near += close
    notes = list(notes)[-_NOTES:]
    whole = [memory for memory in every if _is_compared(memory)]
    doubted: list[NearPair] = []
    for mine, theirs, sure in compare_fields([*whole, *notes]):
        alike_by_place = setting.apart(mine, theirs) or setting.paged(mine, theirs)
        if alike_by_place or project(mine) not in {"", project(theirs)}:
            continue
        if sure and Layer.JOURNAL in {mine.layer, theirs.layer}:
            pairs.append((mine, theirs, Likeness("near", _AFTER)))
        elif sure:
            matters = {mine.layer, theirs.layer} <= READ
            pairs.append((mine, theirs, Likeness("near", _FIELDS if matters else _BESIDE)))
        else:
            doubted.append(measure_fields(mine, theirs))
    pairs += ((one, two, Likeness("near", _FIELDS)) for one, two in find_copied_sections(among))
    days = [note for note in notes if _is_told(note) and not setting.is_form(note)]
    days += [one for one in every if one.kind == "event" and is_of_log(one.path) and _is_told(one)][:_NOTES]
    brief = [one for one in every if one.layer is Layer.CORE and one.kind in _UNLIKE and _is_brief(one)]
    again = [one for one in find_retold([*among, *brief], days) if project(one.one) in {"", project(one.two)}]
    likely = ((one.one, one.two) for one in near if one.alike >= _FIRMLY_BESIDE and not _is_opposed(one))
    pairs += ((*pair, Likeness("near", CLASH)) for pair in find_beside(likely, pairs))
    pairs += _select_restated([*near, *again], pairs)
    found = _limit_pairs(_settle_pairs(pairs), setting)
    told = {frozenset((keep.id, other.id)) for keep, other, _how in found}
    left = {frozenset((one.one.id, one.two.id)): one for one in (*again, *doubted, *near)}
    return found, sorted(
        (one for pair, one in left.items() if pair not in told), key=lambda one: -(one.alike + one.cosine)
    )


def _is_of_days(near: NearPair) -> bool:
    return Layer.JOURNAL in {near.one.layer, near.two.layer}


def _select_restated(near: Iterable[NearPair], told: Sequence[_Pair]) -> Iterator[_Pair]:
    """Of those of which no rule speaks the ones for which enough speaks, the surest first, each memory once."""
    taken = {memory.id for pair in told for memory in pair[:2]}
    free = [one for one in near if not {one.one.id, one.two.id} & taken]
    weighed = [
        (weight, one)
        for one in free
        if (weight := weigh_restatement(one)) >= (_RETOLD if one.both >= _RETOLD_OF * one.less else _RESTATED)
    ]
    company = Counter(memory.id for _weight, one in weighed for memory in (one.one, one.two))
    logged: Counter[frozenset[str]] = Counter()
    told_by = Counter(frozenset((one.one.path, one.two.path)) for _weight, one in weighed if _is_of_days(one))
    # Days that have much in common come before those of which a line came back.
    days = {files for files, _lines in told_by.most_common(_OF_DAYS)}
    for weight, one in sorted(weighed, key=lambda pair: -pair[0]):
        usual = max(company[one.one.id], company[one.two.id]) >= COMMON
        pair = (one.one, one.two, Likeness("near", _AFTER + 0.1 * one.alike))
        if usual or {one.one.id, one.two.id} & taken or not _is_worth_asking(pair) or _is_opposed(one):
            continue
        files = frozenset((one.one.path, one.two.path))
        if any(map(is_of_log, files)):
            # What a log tells is told by the page that was changed, too: a few show that.
            logged[files] += 1
            if weight < _LOGGED or logged[files] > _FEW_LOGGED:
                continue
        if _is_of_days(one) and files not in days:
            continue
        taken.update((one.one.id, one.two.id))
        yield pair


def _settle_pairs(pairs: Iterable[_Pair]) -> list[_Pair]:
    """Of three that say the same, each of two is shown beside the one that stays."""
    found: list[_Pair] = []
    kept: dict[str, Memory] = {}
    for one, two, how in sorted(pairs, key=lambda pair: -pair[2].score):
        first, second = kept.get(one.id, one), kept.get(two.id, two)
        moved = first is not one or second is not two
        if first is second or (moved and not is_repeated(first.text, second.text)):
            continue
        keep, other = choose_kept(first, second)
        kept |= {named: keep for named, by in kept.items() if by is other}
        kept[other.id] = keep
        found.append((keep, other, how))
    return found


def _limit_pairs(pairs: Iterable[_Pair], setting: Setting) -> list[_Pair]:
    """No two files come before all others with all they share; of a file that is a copy, one pair says so."""
    found: list[_Pair] = []
    counts: Counter[frozenset[_File]] = Counter()
    for keep, other, how in pairs:
        files = frozenset(((keep.home, keep.path), (other.home, other.path)))
        counts[files] += 1
        if counts[files] == 1 or not setting.copied(keep, other):
            score = how.score if _is_worth_showing(keep, other) else _ASIDE * how.score
            found.append((keep, other, Likeness(how.kind, score if counts[files] <= EACH else score / 2)))
    return sorted(found, key=lambda pair: -pair[2].score)


def _is_worth_asking(pair: _Pair) -> bool:
    """Whether so much is said twice that a person would miss nothing of it: a few words stand in many documents."""
    keep, other, _how = pair
    if (_READ_BY_OTHERS.search(other.path) is None) is not (_READ_BY_OTHERS.search(keep.path) is None):
        # It introduces, decides or specifies something by itself, whatever is remembered of it besides.
        return False
    if any(_CAME_TO.search(one.text) for one in (keep, other)):
        # A list of what there is, and how one of it went.
        return False
    documents = set(_DOCUMENT.findall(keep.text)) & set(_DOCUMENT.findall(other.text))
    own = (weigh_text(normalize_text(strip_links_and_code(one.text))) for one in (keep, other))
    if documents and min(own) < _ROUTING:
        # Where something is written is said wherever it is written from.
        return False
    least = min(weigh_text(normalize_text(one.text)) for one in (keep, other))
    if least < _SLOGAN:
        return False
    if least >= _BAR_ASIDE or any(
        one.kind in _SAID or not one.path.endswith(".md") or is_statement(one.text) for one in (keep, other)
    ):
        return True
    return least >= _BAR and (keep.layer in READ or other.layer in READ)


def _is_worth_showing(keep: Memory, other: Memory) -> bool:
    """Whether it is of what is read in every session, and long enough to be missed; what two documents beside that
    say alike comes after it."""
    return (keep.layer in READ or other.layer in READ) and weigh_text(normalize_text(keep.text)) >= _SLIGHT


def _is_compared(memory: Memory) -> bool:
    return (
        memory.status is Status.ACTIVE
        and memory.layer in {Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE}
        and memory.kind not in _UNLIKE
        and len(memory.text) <= LONGEST
        and not _POINTING.match(memory.text)
        and not _EXAMPLE.search(memory.path)
        and not memory.extra.get("code")
        # Of a topic's head all the topic would be given up.
        and not (memory.start <= 1 and memory.reach > memory.end)
    )


def _is_brief(memory: Memory) -> bool:
    """Whether core memory tells in one line what was so, or done: a day's note may tell it, too."""
    return "\n" not in memory.text and memory.kind != "todo" and _is_told(memory)


def _is_told(memory: Memory) -> bool:
    return (
        memory.status is Status.ACTIVE
        and memory.kind != "todo"
        and len(memory.text) <= LONGEST
        and not memory.extra.get("code")
        and is_telling(memory.text)
    )


def _iterate_covered_pairs(memories: Sequence[Memory]) -> Iterator[_Pair]:
    """Those of which one says all that the other says, and little beyond."""
    gists = [make_gist(memory.text) for memory in memories]
    for one, two in _find_covered(gists):
        first, second = memories[one], memories[two]
        if not is_repeated(first.text, second.text) or has_other_name(first.text, second.text):
            continue
        how = measure_likeness(first.text, second.text)
        if how is not None and how.kind != "differs" and how.score >= CLASH:
            yield first, second, how
        elif gists[one].enough and gists[two].enough:
            # Other words, or another order, are as good as the same where enough is said.
            yield first, second, Likeness("same", CLASH)


def _find_covered(gists: Sequence[Gist]) -> Iterator[tuple[int, int]]:
    """By their numbers: those that say the same, and those all of whose words stand in another one."""
    first: dict[frozenset[tuple[str, int]], int] = {}
    for number, one in enumerate(gists):
        if one.words and (known := first.setdefault(one.words, number)) != number:
            yield known, number
    holding: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for words, number in first.items():
        for word in words:
            holding[word].add(number)
    for words, number in first.items():
        every = [holding[word] for word in words]
        if len(min(every, key=len)) == 1:
            # It has a word for itself.
            continue
        # The rarest words first: few sentences are left after one or two of them.
        rarest, *others = sorted(every, key=len)
        most = gists[number].weight * (1 + MORE)
        for other in sorted(rarest.intersection(*others) - {number}):
            if gists[other].weight <= most:
                yield number, other


def choose_kept(one: Memory, two: Memory) -> tuple[Memory, Memory]:
    """Of two that say the same the one to keep, and the other one."""
    return (one, two) if _rank_kept(one) >= _rank_kept(two) else (two, one)


def _rank_kept(memory: Memory) -> tuple[bool, bool, bool, int, float, str]:
    """Which of two duplicates is kept: what no day's note tells, the person's own, core memory before the rest, what
    says more, what is surer."""
    return (
        memory.layer is not Layer.JOURNAL and not is_of_day(memory.path) and not is_of_log(memory.path),
        memory.layer is Layer.PROFILE,
        memory.layer is Layer.CORE,
        len(memory.text),
        memory.confidence or 0.0,
        memory.path,
    )

"""Which memories of one home and project say the same, in these or in other words: without comparing each with each."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from memtui.curation.plausible import (
    COMMON,
    Setting,
    named_apart,
    names_differ,
    names_in,
    numbers_differ,
    own_words,
)
from memtui.curation.saying import MORE, gist, repeats, said
from memtui.curation.similar import Likeness, likeness, terms
from memtui.model import Layer, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memtui.curation.saying import Gist
    from memtui.model import Memory

CLASH = 0.6
"""Likeness from which two kept memories that repeat one another are proposed to be merged."""
LONGEST = 2000
"""Characters of a memory beyond which it is a document."""
EACH = 6
"""So many pairs of the same two files come first: the next ones after those of all other files."""

_POINTING = re.compile(r"\[[^\]]*\]\([^)]*\)|\[\[")
"""A line of an index: what it names is told elsewhere."""
_UNLIKE = frozenset({"summary", "event", "todo"})

_FEWEST = 200
"""Fewer memories than these tell nothing of which words are rare."""
_SHARED = 11.0
"""What the words that two files' memories share must weigh, by how rare they are and how alike the two are, to say the
same in other words: few words that are all of both, or many that are half of both."""
_ALIKE, _OF_LESS = 0.5, 0.55
"""Which share that must be of what both say, and of what the shorter one says."""
_LEAST = 16.0
"""What the words that they share must weigh in any case: a few short sentences are made of the same words by chance."""
_SHORT, _OF_SHORT = 4.5, 0.85
"""What says no more than so many rare words speaks of something else by a single one: the other must say nearly all."""
_PAGED = 0.88
"""Likeness from which two pages of one kind repeat each other: what their subjects have in common, both tell."""
_LIKE = 0.7
"""The share from which two of them differ in little: a number or a 'not' is then what they differ in."""
_USUAL = 40
"""Memories that share a word, beyond which it finds nothing."""
_FEW, _LOOKED = 6, 200_000
"""The same where there are very many of them: so many at least, and no more than all together can be looked at."""

_Pair = tuple["Memory", "Memory", Likeness]
_File = tuple[str, str]


class _Wording(NamedTuple):
    """A memory's words, and what they weigh."""

    terms: frozenset[str]
    weight: float


def duplicates(memories: Iterable[Memory], project: Callable[[Memory], str]) -> list[_Pair]:
    """Two by two, the one to keep first; what documents and notes say in passing is nobody's duplicate."""
    every = list(memories)
    setting = Setting(every)
    among = [memory for memory in every if _kept(memory) and setting.telling(memory)]
    scopes: dict[str, list[Memory]] = {}
    for memory in among:
        scopes.setdefault(project(memory), []).append(memory)
    pairs = [
        pair
        for some in scopes.values()
        for pair in (*_alike(some), *_reworded(some))
        if not setting.apart(pair[0], pair[1])
        and (pair[2].kind != "near" or pair[2].score >= _PAGED or not setting.paged(pair[0], pair[1]))
    ]
    return _limited(_settled(pairs), setting)


def _settled(pairs: Iterable[_Pair]) -> list[_Pair]:
    """Of three that say the same, each of two is shown beside the one that stays."""
    found: list[_Pair] = []
    kept: dict[str, Memory] = {}
    for one, two, how in sorted(pairs, key=lambda pair: -pair[2].score):
        first, second = kept.get(one.id, one), kept.get(two.id, two)
        moved = first is not one or second is not two
        if first is second or (moved and not repeats(first.text, second.text)):
            continue
        keep, other = (first, second) if _worth(first) >= _worth(second) else (second, first)
        kept |= {named: keep for named, by in kept.items() if by is other}
        kept[other.id] = keep
        found.append((keep, other, how))
    return found


def _limited(pairs: Iterable[_Pair], setting: Setting) -> list[_Pair]:
    """No two files come before all others with all they share; of a file that is a copy, one pair says so."""
    found: list[_Pair] = []
    counts: Counter[frozenset[_File]] = Counter()
    for keep, other, how in pairs:
        files = frozenset(((keep.home, keep.path), (other.home, other.path)))
        counts[files] += 1
        if counts[files] == 1 or not setting.copied(keep, other):
            found.append((keep, other, how if counts[files] <= EACH else Likeness(how.kind, how.score / 2)))
    return sorted(found, key=lambda pair: -pair[2].score)


def _kept(memory: Memory) -> bool:
    return (
        memory.status is Status.ACTIVE
        and memory.layer in {Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE}
        and memory.kind not in _UNLIKE
        and len(memory.text) <= LONGEST
        and not _POINTING.match(memory.text)
        # Of a topic's head all the topic would be given up.
        and not (memory.start <= 1 and memory.reach > memory.end)
    )


def _alike(memories: Sequence[Memory]) -> Iterator[_Pair]:
    """Those of which one says all that the other says, and little beyond."""
    gists = [gist(memory.text) for memory in memories]
    for one, two in _covered(gists):
        first, second = memories[one], memories[two]
        if not repeats(first.text, second.text) or names_differ(first.text, second.text):
            continue
        how = likeness(first.text, second.text)
        if how is not None and how.kind != "differs" and how.score >= CLASH:
            yield first, second, how
        elif gists[one].enough and gists[two].enough:
            # Other words, or another order, are as good as the same where enough is said.
            yield first, second, Likeness("same", CLASH)


def _covered(gists: Sequence[Gist]) -> Iterator[tuple[int, int]]:
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


def _reworded(memories: Sequence[Memory]) -> Iterator[_Pair]:
    """Those of two files that share so many rare words that they speak of one thing, each for the most part of it."""
    wordings, worth = _worded(memories)
    rarest = math.log(max(len(memories), _FEWEST))
    places = [(memory.home, memory.path) for memory in memories]
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for number, wording in enumerate(wordings):
        for term in wording.terms:
            holding[term].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    most = min(_USUAL, max(_FEW, _LOOKED // (len(memories) or 1)))
    for numbers in holding.values():
        if 1 < len(numbers) <= most and len({places[number] for number in numbers}) > 1:
            shared.update(combinations(numbers, 2))
    found: list[tuple[int, int, float]] = []
    for (one, two), times in sorted(shared.items()):
        first, second = memories[one], memories[two]
        if times < 2 or places[one] == places[two]:
            continue
        both = sum(worth[term] for term in wordings[one].terms & wordings[two].terms)
        less, more = sorted((wordings[one].weight, wordings[two].weight))
        alike = both / math.sqrt(less * more)
        if both < _LEAST or both * alike < _SHARED or alike < _ALIKE:
            continue
        short = less < _SHORT * rarest
        if both < (_OF_SHORT if short else _OF_LESS) * less:
            continue
        if not _opposed(first.text, second.text, short or both >= _LIKE * more):
            found.append((one, two, CLASH + 0.35 * alike))
    company = Counter(number for one, two, _score in found for number in (one, two))
    for one, two, score in found:
        # What is like so many others has the words of a form.
        if max(company[one], company[two]) < COMMON:
            yield memories[one], memories[two], Likeness("near", score)


def _worded(memories: Sequence[Memory]) -> tuple[list[_Wording], dict[str, float]]:
    """Each memory's words, and what each word is worth: the rarer the more."""
    read = [terms(memory.text) for memory in memories]
    counts = Counter(term for found in read for term in found)
    most = max(len(memories), _FEWEST) + 1
    # Two Chinese characters are told apart by less than a word is, and each stands in two terms.
    worth = {
        term: math.log(most / count) * (0.6 if term[0] >= "\u2e80" else 1.0) for term, count in counts.items()
    }
    return [_Wording(found, sum(worth[term] for term in found)) for found in read], worth


def _opposed(one: str, two: str, close: bool) -> bool:
    """Whether two texts name other things; or, of two that are `close`, whether a number or a 'not' differs."""
    if named_apart(one, two):
        return True
    # What both name in code is what both are about.
    if _swapped(said(one).words, said(two).words) and not set(names_in(one)) & set(names_in(two)):
        return True
    return close and (numbers_differ(own_words(one), own_words(two)) or said(one).denied != said(two).denied)


def _swapped(one: Sequence[str], two: Sequence[str]) -> bool:
    """Whether they are one sentence, said of two things: the same before and after the one place where they differ."""
    least = min(len(one), len(two))
    head = next((at for at in range(least) if one[at] != two[at]), least)
    tail = next((at for at in range(least - head) if one[-1 - at] != two[-1 - at]), least - head)
    mine, theirs = len(one) - head - tail, len(two) - head - tail
    return mine > 0 and theirs > 0 and max(mine, theirs) <= head + tail


def _worth(memory: Memory) -> tuple[bool, bool, int, float, str]:
    """Which of two duplicates is kept: the person's own, core memory before the rest, what says more, what is surer."""
    return (
        memory.layer is Layer.PROFILE,
        memory.layer is Layer.CORE,
        len(memory.text),
        memory.confidence or 0.0,
        memory.path,
    )

"""Which memories of one home and project say the same, in these or in other words: without comparing each with each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain, combinations
from typing import TYPE_CHECKING

from memtui.curation.nearness import CLASH, near_pairs, retold, reworded, unmeant
from memtui.curation.plausible import Setting, names_differ, numbers_differ, tells
from memtui.curation.saying import MORE, gist, repeats
from memtui.curation.similar import Likeness, likeness, normal, weight
from memtui.model import Layer, Status
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memtui.curation.nearness import Meaning, Near
    from memtui.curation.saying import Gist
    from memtui.model import Memory

LONGEST = 2000
"""Characters of a memory beyond which it is a document."""
EACH = 6
"""So many pairs of the same two files come first: the next ones after those of all other files."""

FEW = 8
"""So many fields that name one thing are a list of where it is used."""
_LABELLED = 2.0
"""What a label weighs at least."""
_POINTING = re.compile(r"\[[^\]]*\]\([^)]*\)|\[\[")
"""A line of an index: what it names is told elsewhere."""
_FIELD = pattern(
    r"^\W*(?P<label>[^:：*`\n]{2,24}?)[*\s]*[:：][*\s]*(?:使用|采用|基于|(?:uses?|using|built with) )?\s?"
    r"(?P<value>[A-Z][\w.#-]*(?: ?[+&/] ?[\w.#-]+| [A-Z][\w.#-]*)*)(?=$|[\s,，;；。（(|·—])",
)
"""A field that begins with the name of what it has: 'Search: Algolia (hosted)'."""
_UNLIKE = frozenset({"summary", "event", "todo"})

_PAGED = 0.88
"""Likeness from which two pages of one kind repeat each other: what their subjects have in common, both tell."""
_RETOLD = 0.8
"""What a day's note that tells again what is kept is worth of two that are kept."""
_ASIDE, _SLIGHT = 0.85, 10.0
"""What a pair is worth that nobody reads every day; what words weigh less than half a sentence."""
_NOTES = 1200
"""So many of the days' notes, the last ones, are held against what is kept."""
_Pair = tuple["Memory", "Memory", Likeness]
_File = tuple[str, str]


def duplicates(
    memories: Iterable[Memory],
    project: Callable[[Memory], str],
    meaning: Meaning = unmeant,
    notes: Iterable[Memory] = (),
) -> tuple[list[_Pair], list[Near]]:
    """Two by two, the one to keep first; what documents and notes say in passing is nobody's duplicate. And which are
    near each other beyond that, the nearest first: a reader may find that they say the same, or cannot both hold. Of
    the days' `notes` those that tell again what is kept stand behind all others."""
    every = list(memories)
    setting = Setting(every)
    among = [memory for memory in every if _kept(memory) and setting.telling(memory)]
    scopes: dict[str, list[Memory]] = {}
    for memory in among:
        scopes.setdefault(project(memory), []).append(memory)
    pairs: list[_Pair] = []
    near: list[Near] = []
    for some in scopes.values():
        close = [one for one in near_pairs(some, meaning) if not setting.apart(one.one, one.two)]
        told_twice = chain(_alike(some), _fielded(some))
        pairs += (pair for pair in told_twice if not setting.apart(pair[0], pair[1]))
        for one, how in reworded(close):
            if how.score >= _PAGED or not setting.paged(one.one, one.two):
                pairs.append((one.one, one.two, how))
        near += close
    days = [note for note in list(notes)[-_NOTES:] if _is_told(note) and not setting.is_form(note)]
    again = [one for one in retold(among, days) if project(one.one) in {"", project(one.two)}] if days else []
    told_again = [(one.one, one.two, how) for one, how in reworded(again)]
    told_again += (
        pair for pair in _alike([*among, *days]) if pair[1].layer is Layer.JOURNAL is not pair[0].layer
    )
    pairs += [(one, two, Likeness(how.kind, _RETOLD * how.score)) for one, two, how in told_again]
    found = _limited(_settled(pairs), setting)
    told = {frozenset((keep.id, other.id)) for keep, other, _how in found}
    return found, [one for one in near if frozenset((one.one.id, one.two.id)) not in told]


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
            score = how.score if _matters(keep, other) else _ASIDE * how.score
            found.append((keep, other, Likeness(how.kind, score if counts[files] <= EACH else score / 2)))
    return sorted(found, key=lambda pair: -pair[2].score)


def _matters(keep: Memory, other: Memory) -> bool:
    """Whether it is of what is read in every session, and long enough to be missed; what two documents beside that
    say alike comes after it."""
    read = {Layer.PROFILE, Layer.CORE}
    return (keep.layer in read or other.layer in read) and weight(normal(keep.text)) >= _SLIGHT


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


def _is_told(memory: Memory) -> bool:
    return (
        memory.status is Status.ACTIVE
        and memory.kind not in {"summary", "todo"}
        and len(memory.text) <= LONGEST
        and not memory.extra.get("done")
        and tells(memory.text)
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


def _fielded(memories: Sequence[Memory]) -> Iterator[_Pair]:
    """Fields of two files that name one thing by the same label: what each says beside it is a remark on it."""
    named: defaultdict[str, list[tuple[Memory, str, frozenset[str]]]] = defaultdict(list)
    for memory in memories:
        found = _FIELD.match(memory.text) if ":" in memory.text or "：" in memory.text else None
        if found is not None and "\n" not in memory.text:
            words = frozenset(normal(found["value"]).split())
            first = normal(found["value"].split()[0])
            named[first].append((memory, normal(found["label"]), words))
    for some in named.values():
        for (one, label, value), (two, other, theirs) in combinations(some, 2) if len(some) <= FEW else ():
            if (
                (one.home, one.path) != (two.home, two.path)
                and (value <= theirs or theirs <= value)
                and _same_label(label, other)
                and not numbers_differ(one.text, two.text)
            ):
                yield one, two, Likeness("near", CLASH)


def _same_label(one: str, two: str) -> bool:
    """Whether one of two labels says the other, and what sort of it: 'search', 'search service'."""
    short, long = sorted((one, two), key=len)
    return weight(short) >= _LABELLED and (long.startswith(short) or long.endswith(short))


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


def _worth(memory: Memory) -> tuple[bool, bool, int, float, str]:
    """Which of two duplicates is kept: the person's own, core memory before the rest, what says more, what is surer."""
    return (
        memory.layer is Layer.PROFILE,
        memory.layer is Layer.CORE,
        len(memory.text),
        memory.confidence or 0.0,
        memory.path,
    )

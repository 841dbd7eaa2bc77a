"""Which memories are near each other, in the words they share and in meaning, and how surely they say the same. Pure.

Words weigh by how rare they are in the home. Meaning, where vectors are made, is a cosine around the home's mean:
it finds what has few words in common, and confirms what has some. Only vectors are compared pair by pair.
`weigh_restatement` adds up what speaks for one of two being the other again; what each thing weighs was learned
from homes that people had read.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.model import Layer, Memory
from memtui.language.similarity import extract_terms, normalize_text, weigh_text
from memtui.review.plausible import has_other_number, is_of_day, is_of_log, is_telling, list_names, strip_links_and_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

READ = frozenset({Layer.PROFILE, Layer.CORE})
"""Layers that are read in every session."""
FAR = 0.4
"""Cosine below which two memories are not near each other in meaning."""
SHORT = 4.5
"""What says no more than so many rare words speaks of something else by a single one."""
LEAST = 16.0
"""What the words that they share must weigh in any case: a few short sentences are made of the same words by chance."""
_CLOSE = 0.6
"""Cosine from which two are near, whatever their words are."""
_FEWEST = 200
"""Fewer memories than these tell nothing of which words are rare."""
_USUAL = 40
"""Memories that share a word, beyond which it finds nothing."""
_HELD = 12
"""The same where day's notes are held against what is kept."""
_FEW, _LOOKED = 6, 200_000
"""The same where there are very many of them: so many at least, and no more than all together can be looked at."""
_LOOSE, _LOOSE_OF = 8.0, 0.3
"""What the words of two near memories weigh, and which share of the shorter one that is, where no rule speaks yet."""
_KNOWN = 60
"""So many memories tell which words are rare."""
_TOLD_AGAIN, _NEARLY = 11.0, 0.8
"""What the words of a day's note weigh that has so much of what is kept."""
_AGAIN = 0.75
"""Which share of the longer one two days' notes have in common that are one note."""
_RARE, _MOST_RARE = 3, 5
"""Memories that have a word, up to which it is rare; so many rare words are as good as more."""

Meaning = Callable[[Sequence[Memory]], list[tuple[int, int, float]]]
"""Which of these memories are near in meaning, by their numbers, with their cosine from `FAR` on."""


class NearPair(NamedTuple):
    """Two memories of different files."""

    one: Memory
    two: Memory
    both: float
    """What the words that they share weigh."""
    less: float
    more: float
    """What the shorter and the longer one weigh."""
    cosine: float
    """Of their vectors; 0: unknown, or not near."""
    short: bool
    """The shorter one says little."""
    worth: Mapping[str, float] = {}
    """What each word of the home weighs; empty: nobody knows."""
    rare: float = 0
    """So many rare words they share; where little is kept, every word is."""

    @property
    def alike(self) -> float:
        """Which share of what both say they have in common."""
        return self.both / math.sqrt(self.less * self.more) if self.less else 0.0


class _Wording(NamedTuple):
    """A memory's words, and what they weigh."""

    terms: frozenset[str]
    weight: float


def find_nothing_near(_memories: Sequence[Memory]) -> list[tuple[int, int, float]]:
    """Without vectors nothing is near in meaning."""
    return []


def find_near_pairs(memories: Sequence[Memory], meaning: Meaning = find_nothing_near) -> list[NearPair]:
    """Two by two, of different files, the nearest first."""
    wordings, worth = _weigh_wordings(memories)
    rarest = math.log(max(len(memories), _FEWEST))
    places = [(memory.home, memory.path) for memory in memories]
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for number, wording in enumerate(wordings):
        for term in wording.terms:
            holding[term].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    most = min(_USUAL, max(_FEW, _LOOKED // (len(memories) or 1)))
    for numbers in holding.values():
        if 1 < len(numbers) <= most and len({(*places[number], memories[number].heading) for number in numbers}) > 1:
            shared.update(combinations(numbers, 2))
    cosines = {(min(one, two), max(one, two)): cosine for one, two, cosine in meaning(memories)}
    found: list[NearPair] = []
    for one, two in sorted({pair for pair, times in shared.items() if times > 1} | cosines.keys()):
        if places[one] == places[two] and not _are_in_other_sections(memories[one], memories[two]):
            continue
        common = wordings[one].terms & wordings[two].terms
        both = sum(worth[term] for term in common)
        less, more = sorted((wordings[one].weight, wordings[two].weight))
        cosine = cosines.get((one, two), 0.0)
        if (both >= _LOOSE and both >= _LOOSE_OF * less) or cosine >= _CLOSE:
            rare = sum(len(holding[term]) <= _RARE for term in common) * min(1.0, len(memories) / _KNOWN)
            short = less < SHORT * rarest
            found.append(NearPair(memories[one], memories[two], both, less, more, cosine, short, worth, rare))
    return sorted(found, key=lambda near: -(near.alike + near.cosine))


def _are_in_other_sections(one: Memory, two: Memory) -> bool:
    """Whether two of one file, which is read in every session, stand in sections of their own."""
    return one.layer in READ and one.heading != two.heading


def find_retold(kept: Sequence[Memory], notes: Sequence[Memory]) -> list[NearPair]:
    """What is kept, each beside the day's notes that are near it: what a day told is kept for longer elsewhere. And
    notes of two days that are one note nearly word for word: one of them was written down again."""
    both_kinds = [*kept, *notes]
    wordings, worth = _weigh_wordings(both_kinds)
    rarest = math.log(max(len(wordings), _FEWEST))
    rare_worth = math.log((max(len(wordings), _FEWEST) + 1) / _RARE)
    known, days = (_list_holders(wordings, some) for some in (range(len(kept)), range(len(kept), len(wordings))))
    found: list[NearPair] = []
    for at, wording in enumerate(wordings[len(kept) :], len(kept)):
        note = both_kinds[at]
        shared = Counter(number for term in wording.terms & known.keys() for number in known[term])
        shared.update(number for term in wording.terms & days.keys() for number in days[term] if number < at)
        for number, times in shared.items():
            first, other = both_kinds[number], wordings[number]
            less, more = sorted((other.weight, wording.weight))
            # Few words in common are not weighed at all.
            if times < 2 or (first.home, first.path) == (note.home, note.path):
                continue
            if number >= len(kept) and less < _AGAIN * more:
                continue
            common = wording.terms & other.terms
            both = sum(worth[term] for term in common)
            if number >= len(kept) and both < _AGAIN * more:
                continue
            if both >= (LEAST if both < _NEARLY * less else _TOLD_AGAIN) and both >= _LOOSE_OF * less:
                rare: float = sum(worth[term] >= rare_worth * (0.6 if term[0] >= "\u2e80" else 1.0) for term in common)
                rare *= min(1.0, len(wordings) / _KNOWN)
                short = less < SHORT * rarest
                found.append(NearPair(first, note, both, less, more, 0.0, short, worth, rare))
    return sorted(found, key=lambda near: -near.alike)


def find_answers(tasks: Sequence[Memory], told: Sequence[Memory]) -> list[NearPair]:
    """Open tasks, each beside what tells most of it elsewhere and not before it: whether that settled it, a reader
    knows. The nearest first."""
    wordings, worth = _weigh_wordings([*tasks, *told])
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for number, wording in enumerate(wordings[: len(tasks)]):
        for term in wording.terms:
            holding[term].append(number)
    known = {term: numbers for term, numbers in holding.items() if len(numbers) <= _USUAL}
    best: dict[int, NearPair] = {}
    for memory, wording in zip(told, wordings[len(tasks) :], strict=True):
        shared = Counter(number for term in wording.terms & known.keys() for number in known[term])
        for number, times in shared.items():
            task = tasks[number]
            if times < 2 or _is_beside(task, memory) or _is_before(memory, task):
                continue
            both = sum(worth[term] for term in wording.terms & wordings[number].terms)
            less, more = sorted((wordings[number].weight, wording.weight))
            near = NearPair(task, memory, both, less, more, 0.0, short=False, worth=worth)
            if both >= _LOOSE and (number not in best or near.alike > best[number].alike):
                best[number] = near
    return sorted(best.values(), key=lambda near: -near.alike)


def _is_beside(one: Memory, two: Memory) -> bool:
    return (one.home, one.path, one.heading) == (two.home, two.path, two.heading)


def _is_before(one: Memory, two: Memory) -> bool:
    return one.created is not None and two.created is not None and one.created < two.created


def _list_holders(wordings: Sequence[_Wording], among: Iterable[int]) -> dict[str, list[int]]:
    """Which of these, by their numbers, have a word that few of them have."""
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for number in among:
        for term in wordings[number].terms:
            holding[term].append(number)
    return {term: numbers for term, numbers in holding.items() if len(numbers) <= _HELD}


def _weigh_wordings(memories: Sequence[Memory]) -> tuple[list[_Wording], dict[str, float]]:
    """Each memory's words, and what each word is worth: the rarer the more."""
    read = [extract_terms(memory.text) for memory in memories]
    counts = Counter(term for found in read for term in found)
    most = max(len(memories), _FEWEST) + 1
    # Two Chinese characters are told apart by less than a word is, and each stands in two terms.
    worth = {term: math.log(most / count) * (0.6 if term[0] >= "\u2e80" else 1.0) for term, count in counts.items()}
    return [_Wording(found, sum(worth[term] for term in found)) for found in read], worth


def measure_fields(one: Memory, two: Memory) -> NearPair:
    """How near two fields are of which only the label or the value is the same: a reader knows whether they speak of
    one thing."""
    less, more = sorted(weigh_text(normalize_text(memory.text)) for memory in (one, two))
    both = weigh_text(" ".join(extract_terms(one.text) & extract_terms(two.text)))
    return NearPair(one, two, min(both, less), less, more, 0.0, short=True)


_BEGIN = -10.3
"""What has to be made up for: most pairs that share some words say something else."""
_HOPELESS, _IN_VAIN = -8.5, -4.0
"""What the words alone have to come to for anything else to make up for the rest; and what with the best line."""


def weigh_restatement(near: NearPair) -> float:
    """How surely one of two says what the other one says: 0 for as likely as not."""
    if not near.worth or not near.less:
        return _BEGIN
    one, two = near.one, near.two
    words = (
        _BEGIN
        - 5.2 * math.log1p(near.both)
        + 4.7 * math.log1p(near.less)
        + 1.5 * near.alike
        + 4.1 * near.both / near.less
        + 3.7 * min(near.rare, _MOST_RARE) / _MOST_RARE
    )
    if words >= _HOPELESS:
        words += 5.2 * _find_best_line(near)
    if words < _IN_VAIN:
        return words
    journal = any(memory.layer is Layer.JOURNAL or is_of_day(memory.path) for memory in (one, two))
    read = sum(memory.layer in READ for memory in (one, two))
    names = len(set(list_names(one.text)) & set(list_names(two.text)))
    return (
        words
        - 0.65 * has_other_number(strip_links_and_code(one.text), strip_links_and_code(two.text))
        + 0.4 * min(names, 2)
        + 1.3 * (read == 2)
        + 1.1 * (read == 1 and not journal)
        + 0.4 * journal
        - 1.1 * (one.path == two.path)
        - 0.5 * sum(not is_telling(memory.text) for memory in (one, two))
        + 0.7 * sum(is_of_log(memory.path) for memory in (one, two))
    )


def _find_best_line(near: NearPair) -> float:
    """How alike the shorter one is to the line of the longer one that is most like it."""
    mine, theirs = (extract_terms(memory.text) for memory in (near.one, near.two))
    heavier = sum(near.worth.get(term, 0.0) for term in mine) > sum(near.worth.get(term, 0.0) for term in theirs)
    short, text = (theirs, near.one.text) if heavier else (mine, near.two.text)
    best = near.alike
    for line in text.splitlines() if "\n" in text else ():
        words = extract_terms(line)
        weight = sum(near.worth.get(term, 0.0) for term in words)
        if weight:
            shared = sum(near.worth.get(term, 0.0) for term in words & short)
            best = max(best, shared / math.sqrt(near.less * weight))
    return best

"""Which memories of different files are near each other, in the words they share and in what they mean.

Words weigh by how rare they are in the home. Meaning, where vectors are made, is a cosine around the home's mean: it
finds what has few words in common, and vouches for what has some. Nothing is compared pair by pair but by vectors.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from memtui.curation.plausible import COMMON, named_apart, names_in, numbers_differ, own_words
from memtui.curation.saying import said
from memtui.curation.similar import Likeness, terms
from memtui.model import Layer, Memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CLASH = 0.6
"""Likeness from which two kept memories that repeat one another are proposed to be merged."""
_FEWEST = 200
"""Fewer memories than these tell nothing of which words are rare."""
_SHARED = 11.0
"""What the words that two files' memories share must weigh, by how rare they are and how alike the two are, to say the
same in other words: few words that are all of both, or many that are half of both."""
_ALIKE, _OF_LESS = 0.5, 0.55
"""Which share that must be of what both say, and of what the shorter one says."""
_APART: tuple[tuple[float, float], ...] = ((0.45, 20.0), (0.4, 30.0))
"""How alike two have to be that are kept in different layers, neither of them short, and what the words that they
share weigh: rules, core memory and topic files say one thing with other remarks on it; pages beside each other have
words in common that are of all such pages."""
_LEAST = 16.0
"""What the words that they share must weigh in any case: a few short sentences are made of the same words by chance."""
_SHORT, _OF_SHORT = 4.5, 0.85
"""What says no more than so many rare words speaks of something else by a single one: the other must say nearly all."""
_LIKE = 0.7
"""The share from which two of them differ in little: a number or a 'not' is then what they differ in."""
_USUAL = 40
"""Memories that share a word, beyond which it finds nothing."""
_HELD = 12
"""The same where day's notes are held against what is kept."""
_FEW, _LOOKED = 6, 200_000
"""The same where there are very many of them: so many at least, and no more than all together can be looked at."""
FAR = 0.4
"""Cosine below which two memories are not near each other in meaning."""
_LOOSE, _LOOSE_OF = 8.0, 0.3
"""What the words of two near memories weigh, and which share of the shorter one that is, where no rule speaks yet."""
_VOUCHED: tuple[tuple[float, float, float], ...] = ((0.6, 8.0, 0.4), (0.5, 16.0, 0.5))
"""Cosine, weight of the shared words and their share of the shorter one, from which two say the same: the nearer they
are in meaning, the fewer words they need."""

Meaning = Callable[[Sequence[Memory]], list[tuple[int, int, float]]]
"""Which of these memories are near in meaning, by their numbers, with their cosine from `FAR` on."""


class Near(NamedTuple):
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

    @property
    def alike(self) -> float:
        """Which share of what both say they have in common."""
        return self.both / math.sqrt(self.less * self.more) if self.less else 0.0


class _Wording(NamedTuple):
    """A memory's words, and what they weigh."""

    terms: frozenset[str]
    weight: float


def unmeant(_memories: Sequence[Memory]) -> list[tuple[int, int, float]]:
    """Without vectors nothing is near in meaning."""
    return []


def near_pairs(memories: Sequence[Memory], meaning: Meaning = unmeant) -> list[Near]:
    """Two by two, of different files, the nearest first."""
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
    cosines = {(min(one, two), max(one, two)): cosine for one, two, cosine in meaning(memories)}
    found: list[Near] = []
    for one, two in sorted({pair for pair, times in shared.items() if times > 1} | cosines.keys()):
        if places[one] == places[two]:
            continue
        both = sum(worth[term] for term in wordings[one].terms & wordings[two].terms)
        less, more = sorted((wordings[one].weight, wordings[two].weight))
        cosine = cosines.get((one, two), 0.0)
        if (both >= _LOOSE and both >= _LOOSE_OF * less) or cosine >= _VOUCHED[0][0]:
            found.append(Near(memories[one], memories[two], both, less, more, cosine, less < _SHORT * rarest))
    return sorted(found, key=lambda near: -(near.alike + near.cosine))


def retold(kept: Sequence[Memory], notes: Sequence[Memory]) -> list[Near]:
    """What is kept, each beside the day's notes that are near it: what a day told is kept for longer elsewhere."""
    wordings, worth = _worded([*kept, *notes])
    rarest = math.log(max(len(wordings), _FEWEST))
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for number, wording in enumerate(wordings[: len(kept)]):
        for term in wording.terms:
            holding[term].append(number)
    known = {term: numbers for term, numbers in holding.items() if len(numbers) <= _HELD}
    found: list[Near] = []
    for note, wording in zip(notes, wordings[len(kept) :], strict=True):
        shared = Counter(number for term in wording.terms & known.keys() for number in known[term])
        for number, times in shared.items():
            other = wordings[number]
            less, more = sorted((other.weight, wording.weight))
            # Few words in common are not weighed at all.
            if times < 3 or (kept[number].home, kept[number].path) == (note.home, note.path):
                continue
            both = sum(worth[term] for term in wording.terms & other.terms)
            if both >= _LEAST and both >= _LOOSE_OF * less:
                found.append(Near(kept[number], note, both, less, more, 0.0, less < _SHORT * rarest))
    return sorted(found, key=lambda near: -near.alike)


def reworded(near: Iterable[Near]) -> Iterator[tuple[Near, Likeness]]:
    """Those that speak of one thing, each for the most part of it; or one with remarks that the other has not."""
    found: list[tuple[Near, bool]] = []
    for one in near:
        firm = _by_words(one) or _by_meaning(one)
        if (firm or _remarked(one)) and not _opposed(one):
            found.append((one, firm))
    firmly = Counter(memory.id for one, firm in found for memory in (one.one, one.two) if firm)
    company = Counter(memory.id for one, _firm in found for memory in (one.one, one.two))
    for one, firm in found:
        # What is like so many others has the words of a form.
        among = firmly if firm else company
        if max(among[one.one.id], among[one.two.id]) < COMMON:
            yield one, Likeness("near", CLASH + 0.35 * max(one.alike, one.cosine))


def _by_words(near: Near) -> bool:
    return (
        near.both >= _LEAST
        and near.both * near.alike >= _SHARED
        and near.alike >= _ALIKE
        and near.both >= (_OF_SHORT if near.short else _OF_LESS) * near.less
    )


def _remarked(near: Near) -> bool:
    """Whether two that both say much share much of it, though each has remarks of its own."""
    if near.short:
        return False
    if near.both >= _LEAST and near.alike >= _ALIKE and near.both >= _OF_LESS * near.less:
        return True
    layers = {near.one.layer, near.two.layer}
    # What a day tells is near to much that is kept.
    return (
        len(layers) > 1
        and Layer.JOURNAL not in layers
        and any(near.alike >= alike and near.both >= both for alike, both in _APART)
    )


def _by_meaning(near: Near) -> bool:
    return any(
        near.cosine >= cosine and near.both >= both and near.both >= share * near.less
        for cosine, both, share in _VOUCHED
    )


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


def _opposed(near: Near) -> bool:
    """Whether two texts name other things; or, of two that differ in little, whether a number or a 'not' differs."""
    one, two = near.one.text, near.two.text
    if named_apart(one, two):
        return True
    # What both name in code is what both are about.
    if _swapped(said(one).words, said(two).words) and not set(names_in(one)) & set(names_in(two)):
        return True
    # Two that mean the same differ in little, whatever their words are.
    close = near.short or near.both >= _LIKE * near.more or _by_meaning(near)
    return close and (numbers_differ(own_words(one), own_words(two)) or said(one).denied != said(two).denied)


def _swapped(one: Sequence[str], two: Sequence[str]) -> bool:
    """Whether they are one sentence, said of two things: the same before and after the one place where they differ."""
    least = min(len(one), len(two))
    head = next((at for at in range(least) if one[at] != two[at]), least)
    tail = next((at for at in range(least - head) if one[-1 - at] != two[-1 - at]), least - head)
    mine, theirs = len(one) - head - tail, len(two) - head - tail
    return mine > 0 and theirs > 0 and max(mine, theirs) <= head + tail

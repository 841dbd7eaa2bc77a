"""Which memories of one home and project say the same, in these or in other words: without comparing each with each."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from memtui.curation.saying import MORE, gist, repeats
from memtui.curation.similar import Likeness, likeness
from memtui.model import Layer, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memtui.curation.saying import Gist
    from memtui.model import Memory

CLASH = 0.6
"""Likeness from which two kept memories that repeat one another are proposed to be merged."""
LONGEST = 2000
"""Characters of a memory beyond which it is a document."""

_POINTING = re.compile(r"\[[^\]]*\]\([^)]*\)|\[\[")
"""A line of an index: what it names is told elsewhere."""
_UNLIKE = frozenset({"summary", "event", "todo"})


def duplicates(
    memories: Iterable[Memory], project: Callable[[Memory], str]
) -> list[tuple[Memory, Memory, Likeness]]:
    """Two by two, the one to keep first; what documents and notes say in passing is nobody's duplicate."""
    among = [memory for memory in memories if _kept(memory)]
    scopes: dict[str, list[Memory]] = {}
    for memory in among:
        scopes.setdefault(project(memory), []).append(memory)
    pairs = [pair for some in scopes.values() for pair in _alike(some)]
    found: list[tuple[Memory, Memory, Likeness]] = []
    kept: dict[str, Memory] = {}
    for one, two, how in sorted(pairs, key=lambda pair: -pair[2].score):
        # Of three that say the same, each of two is shown beside the one that stays.
        first, second = kept.get(one.id, one), kept.get(two.id, two)
        moved = first is not one or second is not two
        if first is second or (moved and not repeats(first.text, second.text)):
            continue
        keep, other = (first, second) if _worth(first) >= _worth(second) else (second, first)
        kept |= {named: keep for named, by in kept.items() if by is other}
        kept[other.id] = keep
        found.append((keep, other, how))
    return found


def _kept(memory: Memory) -> bool:
    return (
        memory.status is Status.ACTIVE
        and memory.layer in {Layer.CORE, Layer.KNOWLEDGE}
        and memory.kind not in _UNLIKE
        and len(memory.text) <= LONGEST
        and not _POINTING.match(memory.text)
    )


def _alike(memories: Sequence[Memory]) -> Iterator[tuple[Memory, Memory, Likeness]]:
    """Those of which one says all that the other says, and little beyond."""
    gists = [gist(memory.text) for memory in memories]
    for one, two in _covered(gists):
        first, second = memories[one], memories[two]
        if not repeats(first.text, second.text):
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


def _worth(memory: Memory) -> tuple[bool, int, float, str]:
    """Which of two duplicates is kept: core memory before the rest, what says more, what is surer."""
    return memory.layer is Layer.CORE, len(memory.text), memory.confidence or 0.0, memory.path

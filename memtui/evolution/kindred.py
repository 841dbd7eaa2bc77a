"""Which names of trouble mean the same one: 'docker daemon' is said in fewer and in more words.

A name goes with the commonest one whose words it holds all of. Names that only share a kind of trouble stay apart:
that two services refused a connection is two troubles. Two kinds with one thing, at one time and in one project, are
one trouble told in two ways: a query was slow, and timed out.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.evolution.events import Heard

_LONGEST = 8
"""Words of a name that are compared with others."""


class Group(NamedTuple):
    """One trouble."""

    type: str
    about: str
    """The commonest of its names."""
    means: frozenset[str]
    """All of them."""
    places: tuple[int, ...]
    """Which of the sessions have it, in order."""


def joined(crowd: Sequence[Group]) -> Group:
    """Several as one, under the name of the first."""
    means = frozenset[str]().union(*(one.means for one in crowd))
    places = sorted({place for one in crowd for place in one.places})
    return crowd[0]._replace(means=means, places=tuple(places))


def groups(heard: Iterable[Heard]) -> list[Group]:
    """The troubles of these sessions, in the order of their types and names. Signals that name nothing are in none."""
    sessions: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for place, one in enumerate(heard):
        for sign in one.signals:
            if sign.about:
                sessions[sign.type][sign.about].add(place)
    found: list[Group] = []
    for kind, named in sorted(sessions.items()):
        counts = {about: len(among) for about, among in named.items()}
        means: dict[str, list[str]] = defaultdict(list)
        for about, root in _roots(counts).items():
            means[root].append(about)
        for root in sorted(means):
            name = min(means[root], key=lambda about: (-counts[about], len(about), about))
            places = set().union(*(named[about] for about in means[root]))
            found.append(Group(kind, name, frozenset(means[root]), tuple(sorted(places))))
    return found


def alike(one: Group, other: Group) -> bool:
    """Whether two groups of one type tell of the same thing. Two classes of exceptions are two errors."""
    if one.type != other.type or not things(one) & things(other):
        return False
    classes, others = _classes(one), _classes(other)
    return not classes or not others or not classes.isdisjoint(others)


def things(group: Group) -> frozenset[str]:
    """The words of a name that are no kind of trouble."""
    return frozenset(group.about.split()) - _kinds() - _classes(group)


def _classes(group: Group) -> frozenset[str]:
    return frozenset(word for word in group.about.split() if word.endswith(("error", "exception")))


@cache
def _kinds() -> frozenset[str]:
    from memtui.evolution.hearing.kinds import KINDS

    return frozenset(word for kind in KINDS for word in kind.name.split())


def _roots(counts: dict[str, int]) -> dict[str, str]:
    """Each name, and the one that it goes with in the end: itself, where no commoner one is part of it."""
    by_words: dict[frozenset[str], list[str]] = defaultdict(list)
    for about in counts:
        by_words[frozenset(about.split())].append(about)
    above: dict[str, str] = {}
    for words, named in by_words.items():
        parts = sorted(words)[:_LONGEST]
        fewer = (frozenset(some) for size in range(1, len(words)) for some in combinations(parts, size))
        near = [other for some in fewer for other in by_words.get(some, ())]
        if near:
            above |= dict.fromkeys(named, min(near, key=lambda other: (-counts[other], other)))
    found: dict[str, str] = {}
    for about in counts:
        root = about
        while root in above:
            root = above[root]
        found[about] = root
    return found

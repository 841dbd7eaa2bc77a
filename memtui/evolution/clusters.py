"""Which lines tell of the same trouble, in whatever words.

What people call a trouble changes from session to session; what it is about is repeated, in one project and for
some time. So lines are compared by the words that were said of trouble there and then more than elsewhere: a
word that trouble of all projects has tells little, one that only the last weeks of one project have tells much.
Lines that share enough such words are one trouble, and so are those of one name, whenever they were said.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.language.roots import is_common, list_root_words, stem
from memtui.language.trouble_kinds import KINDS, ROUGH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.evolution.audit import SessionSignals

NEAR = 9
"""So many sessions of a project apart, different words may tell of one trouble: a window."""
NOW = 2 * NEAR
"""Sessions of a project before and after in which a word of it is one of here and now."""
ALIKE = 0.62
"""What two lines must share: one word that is said here and now only, or several that are said here mostly."""
MEAN = 0.33
"""What all lines of one trouble must share on the average."""
_COMMON, _NAMED, _KIND = 0.55, 0.85, 0.2
"""What a word is worth that many things have, where the trouble is named by it, and where it is a kind of trouble."""
_OTHER_TYPE = 0.75
"""What words are worth that tell of two types of trouble."""
_NARROW = frozenset({"environment_issue", "dependency_issue", "performance_issue", "security_issue"})
_FAULTS = _NARROW | {"error", "recurring_issue"}
_SHARE, _AGAIN = 0.34, 0.6
"""Of a trouble's sessions, from how many it has the narrower type, and from how many its type is that it comes back."""


class Group(NamedTuple):
    """One trouble."""

    type: str
    about: str
    """The name that says most of it."""
    means: frozenset[str]
    """All of its names."""
    places: tuple[int, ...]
    """Which of the sessions have it, in order."""
    types: frozenset[str] = frozenset()
    """All types that its lines have."""


class _Line(NamedTuple):
    """What one session tells of trouble in one line."""

    place: int
    at: int
    """Among the sessions of its project."""
    family: str
    types: frozenset[str]
    abouts: frozenset[str]
    words: frozenset[str]
    named: frozenset[str]
    """The words of its name that are no kind of trouble."""


def group_troubles(heard: Sequence[SessionSignals]) -> list[Group]:
    """The troubles of these sessions. Signals that name nothing are in none."""
    projects = _lines(heard)
    often = Counter(word for lines in projects.values() for word, _place in _said(lines))
    crowds: list[list[_Line]] = []
    for _name, lines in sorted(projects.items()):
        crowds += _crowds(lines, often)
    found = [_group(name, crowd) for name, crowd in _same_name(crowds)]
    return sorted(found, key=lambda group: (-len(group.places), group.type, group.about))


def _lines(heard: Iterable[SessionSignals]) -> dict[str, list[_Line]]:
    """All lines of each project, in order of time."""
    counts = Counter[str]()
    found: dict[str, list[_Line]] = defaultdict(list)
    for place, one in enumerate(heard):
        told: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for sign in one.signals:
            if sign.about:
                family = "" if sign.type in _FAULTS else sign.type
                told[family, sign.text].append((sign.type, sign.about))
        for (family, text), signs in sorted(told.items()):
            types, abouts = (frozenset(part) for part in zip(*signs, strict=True))
            named = frozenset(
                word for about in abouts for word in list_root_words("", about) if not _kind(word)
            )
            said = list_root_words(text, " ".join(sorted(abouts)))
            found[one.project].append(_Line(place, counts[one.project], family, types, abouts, said, named))
        counts[one.project] += 1
    return found


def _said(lines: Iterable[_Line]) -> set[tuple[str, int]]:
    return {(word, line.place) for line in lines for word in line.words}


def _crowds(lines: Sequence[_Line], often: Counter[str]) -> list[list[_Line]]:
    """The lines of one project, those together that tell of the same."""
    alike = _alike(lines, often)
    crowd = {number: [number] for number in range(len(lines))}
    for (one, other), shared in sorted(alike.items(), key=lambda item: (-item[1], item[0])):
        mine, theirs = crowd[one], crowd[other]
        if shared < ALIKE:
            break
        if mine is theirs:
            continue
        # What is far apart in time was not held against each other: a long trouble is one by its neighbours.
        pairs = [
            (min(a, b), max(a, b)) for a in mine for b in theirs if abs(lines[a].at - lines[b].at) <= NEAR
        ]
        if sum(alike.get(pair, 0.0) for pair in pairs) >= MEAN * len(pairs):
            mine += theirs
            crowd |= dict.fromkeys(theirs, mine)
    whole = {id(numbers): numbers for numbers in crowd.values()}
    return [[lines[number] for number in sorted(numbers)] for numbers in whole.values()]


def _alike(lines: Sequence[_Line], often: Counter[str]) -> dict[tuple[int, int], float]:
    """What pairs of lines share that are near each other."""
    at: dict[str, list[int]] = defaultdict(list)
    for word, place in sorted(_said(line._replace(place=line.at) for line in lines), key=lambda one: one[1]):
        at[word].append(place)
    worth: dict[tuple[str, int], float] = {}
    near: dict[str, list[int]] = defaultdict(list)
    found: dict[tuple[int, int], float] = {}
    for number, line in enumerate(lines):
        shared: dict[int, float] = defaultdict(float)
        for word in sorted(line.words):
            before = near[word]
            for other in reversed(before):
                gap = line.at - lines[other].at
                if gap > NEAR:
                    break
                middle = line.at + lines[other].at
                if (word, middle) not in worth:
                    worth[word, middle] = _worth(at[word], middle, often[word])
                named = word in line.named and word in lines[other].named
                weight = (
                    _KIND if _kind(word) else 1.0 if not is_common(word) else _NAMED if named else _COMMON
                )
                shared[other] += worth[word, middle] * weight
            before.append(number)
        for other, value in shared.items():
            mate = lines[other]
            if mate.family == line.family and not _apart(mate, line):
                whole = value if mate.types & line.types else value * _OTHER_TYPE
                found[other, number] = min(whole, 1.5)
    return found


def _worth(at: Sequence[int], middle: int, often: int) -> float:
    """The share of a word's sessions that are here and now, without one of them: said once it tells nothing."""
    near = bisect_right(at, middle / 2 + NOW) - bisect_left(at, middle / 2 - NOW)
    return (near - 1) / often


def _apart(one: _Line, other: _Line) -> bool:
    """Two classes of exceptions are two errors; an open door is no slow program, whatever stands behind it."""
    narrow, others = one.types & _NARROW, other.types & _NARROW
    if narrow and others and ("security_issue" in narrow) != ("security_issue" in others):
        return True
    mine, theirs = _classes(one), _classes(other)
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _classes(line: _Line) -> frozenset[str]:
    return frozenset(
        word for about in line.abouts for word in about.split() if word.endswith(("error", "exception"))
    )


def _same_name(crowds: Sequence[list[_Line]]) -> list[tuple[str, list[_Line]]]:
    """Crowds with their names. Those of one name are one trouble, whenever it was, and in whatever project.

    A name that says nothing of its own ('crash page') is the first's; the others have another one where they can.
    """
    found: dict[tuple[str, str], list[_Line]] = {}
    for crowd in sorted(crowds, key=lambda one: (-len(one), one)):
        family, names = crowd[0].family, _names(crowd)
        free = (name for name in names if _telling(name) or (family, name) not in found)
        found.setdefault((family, next(free, names[0])), []).extend(crowd)
    return [(name, sorted(crowd)) for (_family, name), crowd in found.items()]


def _names(crowd: Sequence[_Line]) -> list[str]:
    """All names of a crowd, first what says most of what most lines say."""
    shares = Counter(word for line in crowd for word in line.words)
    counts = Counter(about for line in crowd for about in line.abouts)

    def told(about: str) -> float:
        return sum(
            shares[word] * (0.5 if is_common(word) else 1.0) if shares[word] * 2 >= len(crowd) else -0.1
            for word in list_root_words("", about)
        )

    return sorted(counts, key=lambda about: (-round(told(about), 6), -counts[about], len(about), about))


def _telling(name: str) -> bool:
    return any(not is_common(word) for word in list_root_words("", name))


def _group(name: str, crowd: Sequence[_Line]) -> Group:
    places = tuple(sorted({line.place for line in crowd}))
    means = frozenset(about for line in crowd for about in line.abouts)
    types = frozenset(kind for line in crowd for kind in line.types)
    return Group(_type(crowd, len(places)), name, means, places, types)


def _type(crowd: Sequence[_Line], many: int) -> str:
    """The narrower type where a good part of the lines have it; that it comes back where nothing else is said."""
    counts = Counter(kind for kind, _place in {(kind, line.place) for line in crowd for kind in line.types})
    again = counts.pop("recurring_issue", 0)
    narrow = max(_NARROW & counts.keys(), key=lambda kind: (counts[kind], kind), default="")
    if narrow and counts[narrow] >= _SHARE * many:
        return narrow
    if not counts or (counts.keys() == {"error"} and again >= _AGAIN * many):
        return "recurring_issue"
    return max(counts, key=lambda kind: (counts[kind], kind))


def _kind(word: str) -> bool:
    return word in _kinds()


@cache
def _kinds() -> frozenset[str]:
    names = {
        word for kind in (*KINDS, *ROUGH) for name in kind.name.split() for word in (name, *name.split("-"))
    }
    return frozenset(names | {stem(name) for name in names})

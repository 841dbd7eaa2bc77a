"""What a person would want to see first of many memories: by what their files are for, a few of each file in turn,
something of every section before more of one. No widget here.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.model import Filter, Layer, Memory, Status
from memtui.pattern import pattern
from memtui.tui.paint import PACKAGE, when

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtui.index.rows import Outline
    from memtui.model import Home
    from memtui.tui.context import Context

TURN = 3
"""Rows of one file before the next file has its turn."""
READ = 240
"""Of the newest: those among which a box chooses."""
MANY, AT_ONCE = 4, 600.0
"""So many files written within so many seconds were copied, not written."""
FILES = 12
"""Files that are read for a box."""

_FOREMOST = pattern(
    r"prefer|critical|must|never|always|principle|invariant|important|convention|guideline|rule|"
    r"overview|about|current|why|who|user|person|"
    r"偏好|原则|规则|约定|规范|铁律|红线|必读|必须|禁止|重要|核心|概况|概览|概述|当前|目标|用户|使用者|关于",
    2,
)
"""Headings of what is to be known before anything else."""
_DEMANDING = pattern(r"\b(?:NEVER|MUST|ALWAYS|CRITICAL|Never|Always|Do not)\b|不要|禁止|必须|严禁|绝不|不得")
LOOKED_AT = 200
"""Characters of a text."""
_RANKS = (
    ("user.md", "profile.md", "user_profile.md", "about.md"),
    ("memory.md",),
    ("claude.md", "claude.local.md", "agents.md", "gemini.md", "rules.md", "preferences.md"),
)
_ESSENTIAL = ("index", "overview", "context", "project", "guidelines")
"""Documents that say what a project is (spec 000), in the order in which they are read."""
_CHIEF = ("why", "proposal", "plan", "requirements", "prd", "design", "how", "tasks", "task")
"""Documents of a plan: the first that is there stands for it."""
_BOOKKEEPING = pattern(r"verified|not covered|verification|验证|验收|测试结果", 2)
LOGGED = frozenset({"event"})
"""Kinds of knowledge that tell what happened: a changelog's entries."""
_UNFIT = LOGGED | {"index"}


class Shelf(NamedTuple):
    """A file, and its memories in the order in which they are worth a row."""

    home: Home
    outline: Outline
    memories: list[Memory]


def exactly(path: str) -> str:
    """A path as a filter that means exactly it and what begins like it; glob signs in a name match themselves."""
    return "".join("?" if char in "*?[" else char for char in path)


def spread(memories: Iterable[Memory]) -> list[Memory]:
    """Something of each section before more of any, and more at once of how a file opens and of what is headed as
    important; in a section what forbids or demands something comes first, where no dates order it.
    """
    sections: dict[tuple[str, ...], list[Memory]] = {}
    for memory in memories:
        sections.setdefault(memory.heading, []).append(memory)
    weighed = []
    for number, (heading, found) in enumerate(sections.items()):
        found.sort(key=lambda one: when(one) is None and not _DEMANDING.search(one.text[:LOOKED_AT]))
        opening = number == 0 or (number == 1 and len(found) > 1 and len(next(iter(sections.values()))) == 1)
        share = TURN if opening or any(map(_FOREMOST.search, heading[1:])) else 1
        weighed.append((iter(found), share))
    weighed.sort(key=lambda pair: -pair[1])
    out: list[Memory] = []
    while weighed:
        left = []
        for rest, share in weighed:
            some = list(islice(rest, share))
            out += some
            if len(some) == share:
                left.append((rest, share))
        weighed = left
    return out


def take_turns(queues: Sequence[Sequence[Memory]], most: int, turn: int = TURN) -> Iterator[Memory]:
    """At most `most`, `turn` of each queue before the next has its turn."""
    left = [iter(queue) for queue in queues]
    while left and most > 0:
        for queue in list(left):
            some = list(islice(queue, min(turn, most)))
            most -= len(some)
            yield from some
            if len(some) < turn:
                left.remove(queue)


def tell_once(shelves: Iterable[Shelf]) -> list[list[Memory]]:
    """What the files say, each thing once: rules are often kept for several agents in the same words."""
    said: set[str] = set()
    out: list[list[Memory]] = []
    for shelf in shelves:
        fresh = [one for one in shelf.memories if one.text not in said]
        said.update(one.text for one in fresh)
        out.append(fresh)
    return out


def profile_shelves(context: Context) -> list[Shelf]:
    """The files of L0 and core memory: the person first, then MEMORY.md, rules, then who the agent is."""
    found = context.vault.outlines(context.scope((Layer.PROFILE, Layer.CORE)))
    found.sort(key=lambda pair: _rank(pair[1].path))
    return list(_filled(context, found[:FILES], (Layer.PROFILE, Layer.CORE)))


def essential_shelves(context: Context) -> list[Shelf]:
    """The documents that say what a project is."""
    found = [
        pair
        for pair in context.vault.outlines(_lasting(context))
        if pair[1].path.endswith(".md")
        and _stem(pair[1].path) in _ESSENTIAL
        and not PACKAGE.match(pair[1].path)
    ]
    found.sort(key=lambda pair: (pair[1].path.count("/"), _ESSENTIAL.index(_stem(pair[1].path))))
    return list(_filled(context, found[:FILES], (Layer.KNOWLEDGE,)))


def choose_facts(context: Context, most: int, shown: frozenset[tuple[str, str]]) -> list[Memory]:
    """What is known: about the person, what was said to the agent, then what is newest, a few of each file in turn.

    `shown` are files that stand elsewhere on the page already.
    """
    lasting = _lasting(context)
    newest = _newest(context, lasting)
    order = _order_files(context, lasting, newest)
    told = [_newest(context, lasting._replace(kinds=frozenset({kind}))) for kind in ("user", "feedback")]
    for found in told:
        found.sort(key=lambda one: order.get((one.home, one.path), len(order)))
    essential = [shelf for shelf in essential_shelves(context) if _place(shelf) not in shown]
    shown |= set(map(_place, essential))
    foremost = [place for place in list(order)[: 3 * FILES] if place not in shown]
    rest: dict[tuple[str, str], list[Memory]] = {}
    for memory in chain(*(_of_file(context, lasting, place) for place in foremost), newest):
        if memory.kind not in {"user", "feedback"} and (memory.home, memory.path) not in shown:
            rest.setdefault((memory.home, memory.path), []).append(memory)
    rest = {place: list({one.id: one for one in found}.values()) for place, found in rest.items()}
    # A file of its own is worth more than the next line of a long one; what was looked up can be looked up again.
    plans = {place for place in rest if PACKAGE.match(place[1])}
    if len(plans) < len(rest):
        # The timeline has them, one row each.
        rest = {place: found for place, found in rest.items() if place not in plans}
    ranked = sorted(
        rest, key=lambda place: (rest[place][0].kind == "reference", order.get(place, len(order)))
    )
    others = list(take_turns([spread(rest[place]) for place in ranked], READ, 1))
    said = list(take_turns([shelf.memories for shelf in essential], READ))
    first = told[0][:TURN]
    return [*first, *take_turns([told[1], said, others], most - len(first)), *told[0][TURN:]][:most]


def _order_files(context: Context, lasting: Filter, newest: Sequence[Memory]) -> dict[tuple[str, str], int]:
    """The files by the newest that stands in them, their parts, too. Where all files were written at once, as a copy
    of a home is, their own times tell nothing, and what names a date comes first.
    """
    written = {(one.home, one.path): one.modified for one in newest if one.modified is not None}
    wanted = lasting._replace(parts=True)
    times = list(written.values())
    if len(times) >= MANY and max(times) - min(times) < AT_ONCE:
        wanted = wanted._replace(until=min(times) - 1)
    read = context.vault.load(context.vault.ids(wanted, "time")[: 2 * READ])
    places = [(one.home, one.path) for one in (*read, *newest) if one is not None]
    return {place: number for number, place in enumerate(dict.fromkeys(places))}


def choose_days(context: Context) -> list[Memory]:
    """What happened besides sessions and notes: the head of every plan, live or put away, and of every release."""
    vault = context.vault
    past = context.scope((Layer.KNOWLEDGE,), statuses=frozenset() if context.hidden else _PAST)
    packages: dict[tuple[str, str], tuple[int, str]] = {}
    for place, outline in vault.outlines(past):
        match = PACKAGE.match(outline.path)
        if match is None:
            continue
        stem = _stem(outline.path)
        rank = _CHIEF.index(stem) if stem in _CHIEF else len(_CHIEF)
        key = (str(place.path), outline.path.rpartition("/")[0])
        packages[key] = min(packages.get(key, (99, "")), (rank, outline.path))
    out: list[Memory] = []
    newest = sorted(packages.items(), key=lambda item: item[0][1].rpartition("/")[2], reverse=True)
    for (home, _folder), (_order, path) in newest[:READ]:
        wanted = past._replace(homes=frozenset({home}), path=exactly(path))
        out += [one for one in vault.load(vault.ids(wanted, "path")[:1]) if one is not None]
    return out + list(_releases(context))


def _releases(context: Context) -> Iterator[Memory]:
    """The first entry of each day, version and kind of change of a changelog."""
    seen: set[object] = set()
    vault = context.vault
    refs = vault.ids(context.scope((Layer.KNOWLEDGE,), LOGGED), "time")[: 4 * READ]
    found = [one for one in vault.load(refs) if one is not None and (when(one) is not None or pending(one))]
    found.sort(key=lambda one: (-(when(one) or 0.0), one.home, one.path, one.start))
    for memory in found:
        release = (
            memory.home,
            memory.path,
            memory.heading[:3],
            when(memory) and clock.day(when(memory) or 0.0),
        )
        if release not in seen and not any(map(_BOOKKEEPING.search, memory.heading)):
            seen.add(release)
            yield memory


def pending(memory: Memory) -> bool:
    """Whether it is of a release that is still to come, and has no day yet."""
    return when(memory) is None and any(map(_PENDING.search, memory.heading))


_PENDING = pattern(r"\[?unreleased\]?|未发布|待发布", 2)
_PAST = frozenset({Status.ACTIVE, Status.CANDIDATE, Status.ARCHIVED})


def _lasting(context: Context) -> Filter:
    aside = Filter(kinds=_UNFIT, statuses=frozenset())
    return context.scope((Layer.KNOWLEDGE,))._replace(without=(aside,))


def _newest(context: Context, wanted: Filter) -> list[Memory]:
    refs = context.vault.ids(wanted, "time")[:READ]
    return [one for one in context.vault.load(refs) if one is not None and not one.extra.get("done")]


def _of_file(context: Context, wanted: Filter, place: tuple[str, str]) -> list[Memory]:
    """What one file holds of what is wanted, in its order."""
    narrowed = wanted._replace(homes=frozenset({place[0]}), path=exactly(place[1]))
    read = context.vault.load(context.vault.ids(narrowed, "path")[:READ])
    return [one for one in read if one is not None and one.path == place[1] and not one.extra.get("done")]


def _filled(
    context: Context, found: Sequence[tuple[Home, Outline]], layers: tuple[Layer, ...]
) -> Iterator[Shelf]:
    for home, outline in found:
        found_there = _of_file(context, context.scope(layers), (str(home.path), outline.path))
        if memories := [one for one in found_there if one.kind != "index"]:
            yield Shelf(home, outline, spread(memories))


def _place(shelf: Shelf) -> tuple[str, str]:
    return str(shelf.home.path), shelf.outline.path


def _rank(path: str) -> tuple[int, int, str]:
    name = path.rpartition("/")[2].lower()
    for rank, names in enumerate(_RANKS):
        if name in names:
            return rank, path.count("/"), path
    # Below `user/` stands what a person says of themselves, whatever it is called.
    return (0 if "user" in path.split("/")[:-1] else len(_RANKS)), path.count("/"), path


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0].lower()

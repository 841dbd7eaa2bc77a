"""What a person would want to see first of many memories: by what their files are for, a few of each file in turn.

No widget here.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.model import Filter, Layer, Memory
from memtui.core.startup import compile_pattern
from memtui.store.happenings import LOGGED, PACKAGE, match_path_exactly, read_stem
from memtui.tui.paint import TOPICS, choose_time
from memtui.tui.rating import (
    AGENT,
    ESSENTIAL,
    FEW_WORDS,
    LEARNT,
    LOOKED_AT,
    PERSON,
    RANKS,
    TURN,
    Neighbourhood,
    is_current,
    is_field,
    is_listed,
    is_pressing,
    is_slight,
    put_repeated_last,
    rank_file,
    rate_file,
    rate_todos,
    take_turns,
    tell_day,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from memtui.core.model import Home
    from memtui.index.filters import Outline
    from memtui.tui.context import PaneContext

    Place = tuple[Home, Outline]

READ = 240
"""Of the newest: those among which a box chooses."""
MANY, AT_ONCE = 4, 600.0
"""So many files written within so many seconds were copied, not written."""
DEEP = 120
"""Of one file among many."""
FILES = 12
"""Files that are read for a box."""

_UNFIT = LOGGED | {"index"}


class Shelf(NamedTuple):
    """A file, and its memories in the order in which they are worth a row."""

    home: Home
    outline: Outline
    memories: list[Memory]


def tell_once(shelves: Iterable[Shelf]) -> list[Shelf]:
    """The files, each thing once: rules are often kept for several agents in the same words."""
    said: set[str] = set()
    out = []
    for shelf in shelves:
        fresh = [one for one in shelf.memories if one.text not in said]
        said.update(one.text for one in fresh)
        if fresh:
            out.append(shelf._replace(memories=fresh))
    return out


def list_profile_shelves(context: PaneContext) -> list[Shelf]:
    """The files of L0 and core memory: the person first, then MEMORY.md, rules, then who the agent is."""
    # One layer at a time: an index holds such a list apart.
    found = [pair for layer in (Layer.PROFILE, Layer.CORE) for pair in context.vault.outlines(context.scope((layer,)))]
    found.sort(key=lambda pair: rank_profile_file(pair[1].path))
    return list(_fill_shelves(context, found[:FILES], context.scope((Layer.PROFILE, Layer.CORE))))


def find_files(context: PaneContext) -> Sequence[Place]:
    """The files of what is known."""
    return context.vault.outlines(_make_lasting_filter(context))


def list_person_shelves(context: PaneContext, files: Callable[[], Sequence[Place]]) -> list[Shelf]:
    """What is known of the person by topics, line by line, and what a file of theirs says among what is known."""
    wanted = context.scope((Layer.KNOWLEDGE,), ("user",))
    told = context.vault.outlines(wanted)[:FILES]
    own = {(str(home.path), outline.path) for home, outline in told}
    named = [
        pair for pair in files() if rank_file(pair[1].path) == PERSON and (str(pair[0].path), pair[1].path) not in own
    ]
    return [
        *_fill_shelves(context, named[:FILES], _make_lasting_filter(context)),
        *_split_topics(context, told, wanted),
    ]


def list_topic_shelves(context: PaneContext) -> list[Shelf]:
    """Where nothing else tells who or what it is about: what was said to the agent, then topics on the project."""
    out: list[Shelf] = []
    for kind in ("feedback", "project"):
        wanted = context.scope((Layer.KNOWLEDGE,), (kind,))
        found = context.vault.outlines(wanted)
        listed = {place: at for at, place in enumerate(_list_indexed(context, map(_place, found)))}
        found.sort(key=lambda pair: listed.get(_place(pair), len(listed)))
        out += _split_topics(context, found[: FILES - len(out)], wanted, titled=True)
    return out


def _split_topics(context: PaneContext, found: Sequence[Place], wanted: Filter, *, titled: bool = False) -> list[Shelf]:
    """Topics, by what stands in each; behind what each is about, if they are `titled`."""
    out = []
    for shelf in _fill_shelves(context, found, wanted):
        lines = [
            line
            for one in shelf.memories
            for line in (context.vault.parts(one) if one.reach else ()) or [one]
            if not _REASON.match(line.text)
        ]
        lines.sort(key=lambda one: one.start)
        first = [one for one in shelf.memories if titled and one.reach]
        out.append(shelf._replace(memories=[*first, *lines]))
    return out


def list_essential_shelves(context: PaneContext, files: Callable[[], Sequence[Place]]) -> list[Shelf]:
    """The documents that say what a project is; then what it introduces itself with, and where work stands."""
    found = []
    for home, outline in files():
        stem = read_stem(outline.path)
        if not outline.path.endswith(".md") or PACKAGE.match(outline.path):
            continue
        if stem in ESSENTIAL:
            found.append((outline.path.count("/"), ESSENTIAL.index(stem), home, outline))
        elif stem == "readme" and "/" not in outline.path:
            found.append((0, len(ESSENTIAL), home, outline))
        elif is_current(outline.path) and outline.path.count("/") < TURN:
            found.append((outline.path.count("/"), len(ESSENTIAL) + 1, home, outline))
    found.sort(key=lambda one: (one[0], one[1], one[3].path))
    return list(_fill_shelves(context, [one[2:] for one in found[:FILES]], context.scope((Layer.KNOWLEDGE,))))


def list_lesson_shelves(context: PaneContext, files: Callable[[], Sequence[Place]]) -> list[Shelf]:
    """The documents that say how to work here: rules, preferences, decisions, what was learnt."""
    wanted = _make_lasting_filter(context)._replace(kinds=LEARNT)
    found = [
        (_NAMED.fullmatch(read_stem(outline.path)) is None, outline.path.count("/"), outline.path, home, outline)
        for home, outline in files()
        if outline.path.endswith(".md") and any(map(_NAMED.search, outline.path.lower().split("/")))
    ]
    found.sort(key=lambda one: one[:3])
    return list(_fill_shelves(context, [one[3:] for one in found[:FILES]], wanted))


def list_document_shelves(context: PaneContext, files: Callable[[], Sequence[Place]]) -> list[Shelf]:
    """Other documents, where there is room for them: how the project is made, then those that stand the topmost."""
    found = [pair for pair in files() if pair[1].path.endswith(".md") and not PACKAGE.match(pair[1].path)]
    found.sort(key=lambda pair: (not read_stem(pair[1].path).startswith(_MADE), pair[1].path.count("/"), pair[1].path))
    read = _fill_shelves(context, found[:FILES], _make_lasting_filter(context))
    shelves = [shelf for shelf in read if shelf.memories[0].kind not in TOPICS]
    # One or two would say the same as the box of facts.
    return shelves if len(shelves) >= TURN else []


_MADE = ("arch", "design", "架构", "设计")
"""How a document is called that says how something is made."""
_NAMED = compile_pattern(
    r"lessons?(?:[-_ ]learned)?|learnings|learned|rules?|preferences|prefs|guidelines|decisions|conventions"
    r"|经验|教训|经验教训|规则|规范|偏好|决策|约定"
)


def take_worthiest(shelves: Sequence[Shelf], rates: Mapping[str, int], page: int, *, headed: bool) -> list[Memory]:
    """What fills a page: what is worth most, what is said again last; where files have rows of their own, with them."""
    turns = {place_of(shelf): number for number, shelf in enumerate(shelves)}
    found = [one for shelf in shelves for one in shelf.memories]
    found.sort(key=lambda one: (-rates[one.id], turns[_locate(one)], one.start))
    taken: list[Memory] = []
    named: set[tuple[str, str]] = set()
    # Texts are compared with each other: only those that may have a row.
    for one in put_repeated_last(found[: 3 * page]):
        named.add(_locate(one))
        if len(taken) + len(named) * headed >= page:
            break
        taken.append(one)
    return taken


class Profile(NamedTuple):
    """What the profile shows."""

    rows: list[Any]
    shown: frozenset[tuple[str, str]]
    """Files of knowledge that stand there."""
    left: list[Memory]
    """What of its files had no room."""
    rates: Mapping[str, int]
    """What is worth how much, by id."""


def rank_facts(
    context: PaneContext,
    most: int,
    profile: Profile,
    essential: Callable[[], Sequence[Shelf]],
    todos: Sequence[Memory],
    setting: Neighbourhood,
) -> list[Memory]:
    """What is known, by what it is worth: what has no room in the profile, what was said to the agent, what the project
    is, what is to be done, documents; of the same worth what an index lists and what is newest first.

    More than `most`, as some may stand elsewhere on the page; `essential` reads what says what a project is.
    """
    lasting = _make_lasting_filter(context)
    newest = _list_newest(context, lasting)
    order = _order_files(context, lasting, newest)
    said = _mix_standing_and_newest(context, _list_newest(context, lasting._replace(kinds=frozenset({"feedback"}))))
    told = _list_newest(context, lasting._replace(kinds=frozenset({"user"})))
    foremost = [place for place in list(order)[: 2 * FILES] if place not in profile.shown]
    documents = (one for shelf in essential() for one in shelf.memories)
    files: dict[tuple[str, str], dict[str, Memory]] = {}
    for one in chain(told, said, documents, _list_of_files(context, lasting, foremost, DEEP), newest):
        if (one.home, one.path) not in profile.shown:
            files.setdefault((one.home, one.path), {})[one.id] = one
    plans = {place for place in files if PACKAGE.match(place[1])}
    if len(plans) < len(files):
        # The timeline has them, one row each.
        files = {place: found for place, found in files.items() if place not in plans}
    rates = dict(profile.rates)
    for found in files.values():
        rates |= rate_file(found.values(), setting)
    due = [*_list_planned(context, lasting), *todos]
    rates |= rate_todos(due, setting)
    turns = {place: number for number, place in enumerate(dict.fromkeys([*map(_locate, said), *order]))}
    known = chain(profile.left, *(found.values() for found in files.values()), due)
    rows = list({one.id: one for one in known if one.layer is not Layer.JOURNAL or one.kind == "todo"}.values())
    # Of the same worth, todos stand in the order in which they are due.
    rows.sort(key=lambda one: (-rates[one.id], 0 if one.kind == "todo" else turns.get(_locate(one), len(turns))))
    heard: Counter[tuple[str, str]] = Counter()
    for one in rows:
        heard[_locate(one)] += 1
        # What a file has said already waits for what others say.
        rates[one.id] -= max(heard[_locate(one)] - ENOUGH, 0)
    rows.sort(key=lambda one: -rates[one.id])
    return rows[: 2 * most]


ENOUGH = 6
"""Rows of one file, after which each costs a point more."""


def _locate(memory: Memory) -> tuple[str, str]:
    return memory.home, memory.path


def choose_facts(
    context: PaneContext, ranked: Iterable[Memory], most: int, page: int, seen: Container[str]
) -> list[Memory]:
    """The first `most` of what is known but for the ids `seen` elsewhere; where they are few, with what is in them."""
    rows = put_repeated_last(one for one in ranked if one.id not in seen)[:most]
    return _unfold(context, rows, page) if len(rows) < page else rows


def _unfold(context: PaneContext, rows: Sequence[Memory], page: int) -> list[Memory]:
    """Where few memories are known, what stands within them fills the room."""
    within: list[list[Memory]] = []
    for one in rows:
        parts = context.vault.parts(one) if one.reach > one.end else ()
        rates = rate_file(parts, Neighbourhood())
        order = sorted(parts, key=lambda part: part.start)
        order.sort(key=lambda part: rates[part.id], reverse=True)
        within.append(order)
    shown = {one.id for one in take_turns([[*filter(_says_something, found)] for found in within], page - len(rows), 1)}
    return list(
        chain.from_iterable(
            [one, *(part for part in found if part.id in shown)] for one, found in zip(rows, within, strict=True)
        )
    )


def _says_something(memory: Memory) -> bool:
    return not is_slight(memory) and not _REASON.match(memory.text)


_REASON = compile_pattern(r"\W{0,3}(?:why|how to apply|原因|为什么|如何应用)\W{0,3}[:：]", 2)
"""What explains the line above it says little by itself."""


def _list_planned(context: PaneContext, lasting: Filter) -> list[Memory]:
    """What is to be done next in each plan that is not finished, the newest plan first."""
    todos = lasting._replace(kinds=frozenset({"todo"}))
    plans = [
        (PACKAGE.sub(r"\2\3\4", outline.path), str(home.path), outline.path)
        for home, outline in context.vault.outlines(todos)
        if PACKAGE.match(outline.path)
    ]
    plans.sort(reverse=True)
    first: dict[tuple[str, str], Memory] = {}
    for one in _list_of_files(context, todos, [plan[1:] for plan in plans[:TURN]], FEW_WORDS):
        if not is_slight(one):
            first.setdefault((one.home, one.path), one)
    return list(first.values())


def open_todos(context: PaneContext) -> list[Memory]:
    """What is to be done besides plans: what presses or core memory says, then by days, the newest first, then lists of
    tasks; of each file something before more of any, but several of the first two. What a document would still do to
    what it describes is no task of anybody, and what is done every day is not open.
    """
    wanted = context.scope((Layer.CORE, Layer.KNOWLEDGE, Layer.JOURNAL), ("todo",))
    files: dict[tuple[int, float, int, str, str], list[Memory]] = {}
    for one in _list_newest(context, wanted):
        day = -(choose_time(one) or 0.0) // 86400
        listed = is_listed(one.path)
        rank = 0 if one.layer is Layer.CORE or (listed and is_pressing(one)) else 1 if day else 2
        if (rank < 2 or listed) and not (
            is_slight(one)
            or (is_field(one) and not one.title and one.reach <= one.end)
            or PACKAGE.match(one.path)
            or _EVERY_DAY.search(one.text[: 2 * LOOKED_AT])
        ):
            files.setdefault((rank, day, one.path.count("/"), one.path, one.home), []).append(one)
    queues = [sorted(found, key=lambda one: one.start) for _place, found in sorted(files.items())]
    # What was not done one day is written down again the next.
    turns = [TURN if number < 2 else 1 for number in range(len(queues))]
    return put_repeated_last(take_turns(queues, READ, turns))


def list_note_days(context: PaneContext, todos: Sequence[Memory]) -> list[str]:
    """The newest day with notes and those with `todos`, the newest first."""
    refs = context.vault.ids(context.scope((Layer.JOURNAL,)), "time", limit=1)
    notes = [one for one in context.vault.load(refs) if one is not None]
    days = {tell_day(one) for one in (*notes, *todos) if one.layer is Layer.JOURNAL}
    return sorted(days - {""}, reverse=True)


def look_around(own: Sequence[Shelf], days: Sequence[str]) -> Neighbourhood:
    """What files are seen among: those of the profile, and days with notes."""
    paths = [shelf.outline.path for shelf in own if rank_file(shelf.outline.path) < len(RANKS)]
    depth = min((path.count("/") for path in paths), default=0)
    return Neighbourhood(depth, any(rank_file(path) == AGENT for path in paths), days)


_EVERY_DAY = compile_pattern(
    r"[(（](?:(?:every|each) (?:day|week|month|hour)|daily|weekly|monthly|hourly|每[天日周月小])", 2
)
"""What a schedule says of when it does a thing again."""


def _mix_standing_and_newest(context: PaneContext, newest: Sequence[Memory]) -> list[Memory]:
    """What an index lists first, and what is newest, in turn: what holds for long stands at an index's head."""
    of_place: dict[tuple[str, str], list[Memory]] = {}
    for one in newest:
        of_place.setdefault((one.home, one.path), []).append(one)
    listed = [one for place in _list_indexed(context, of_place) for one in of_place[place]]
    both = take_turns([listed, newest], 2 * len(newest))
    return list({one.id: one for one in both}.values())


def _list_indexed(context: PaneContext, places: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those of these files that the index beside them names, in its order."""
    indexes: dict[tuple[str, str], str] = {}
    listed = []
    for home, path in places:
        folder, _slash, name = path.rpartition("/")
        index = home, f"{folder}/MEMORY.md".lstrip("/")
        if index not in indexes:
            indexes[index] = context.vault.text(*index) or ""
        at = indexes[index].find(f"({name})")
        if at >= 0:
            listed.append((at, (home, path)))
    return [place for _at, place in sorted(listed, key=lambda pair: pair[0])]


def _order_files(context: PaneContext, lasting: Filter, newest: Sequence[Memory]) -> dict[tuple[str, str], int]:
    """The files by the newest that stands in them, their parts, too. Where all files were written at once, as a copy
    of a home is, their own times tell nothing: what names a date comes first, and the others by their paths.
    """
    written = {(one.home, one.path): one.modified for one in newest if one.modified is not None}
    wanted = lasting._replace(parts=True)
    times = list(written.values())
    copied = len(times) >= MANY and max(times) - min(times) < AT_ONCE
    if copied:
        wanted = wanted._replace(until=min(times) - 1)
    places = context.vault.places(context.vault.ids(wanted, "time", limit=2 * READ))
    others = [(one.home, one.path) for one in newest]
    if copied:
        others.sort(key=lambda place: (place[1].count("/"), place[1]))
    return {place: number for number, place in enumerate(dict.fromkeys([*places, *others]))}


def _make_lasting_filter(context: PaneContext) -> Filter:
    aside = Filter(kinds=_UNFIT, statuses=frozenset())
    return context.scope((Layer.KNOWLEDGE,))._replace(without=(aside,))


def _list_newest(context: PaneContext, wanted: Filter) -> list[Memory]:
    refs = context.vault.ids(wanted, "time", limit=READ)
    return [one for one in context.vault.load(refs) if one is not None and not one.extra.get("done")]


def _list_of_files(context: PaneContext, wanted: Filter, places: Iterable[tuple[str, str]], most: int) -> list[Memory]:
    """What these files hold of what is wanted, file by file, in their order; one look at all their texts."""
    vault = context.vault
    chosen = list(places)
    refs = (
        vault.ids(wanted._replace(homes=frozenset({home}), path=match_path_exactly(path)), "path", limit=most)
        for home, path in chosen
    )
    known = set(chosen)
    read = vault.load(chain.from_iterable(refs))
    return [one for one in read if one is not None and (one.home, one.path) in known and not one.extra.get("done")]


def _fill_shelves(context: PaneContext, found: Iterable[tuple[Home, Outline]], wanted: Filter) -> Iterator[Shelf]:
    for home, outline in found:
        found_there = _list_of_files(context, wanted, [(str(home.path), outline.path)], READ)
        if memories := [one for one in found_there if one.kind != "index"]:
            yield Shelf(home, outline, memories)


def tell(shelves: Iterable[Shelf]) -> list[Shelf]:
    """The files with what says more than what is looked up."""
    pruned = (shelf._replace(memories=[one for one in shelf.memories if not is_slight(one)]) for shelf in shelves)
    return [shelf for shelf in pruned if shelf.memories]


def is_about_person(shelf: Shelf) -> bool:
    """Whether it is about the person."""
    return rank_file(shelf.outline.path) == PERSON or all(one.kind == "user" for one in shelf.memories)


def is_knowledge_shelf(shelf: Shelf) -> bool:
    """Whether it is of what is known, not of the profile's own layers."""
    return bool(shelf.memories) and shelf.memories[0].layer is Layer.KNOWLEDGE


def place_of(shelf: Shelf) -> tuple[str, str]:
    """Its home and path."""
    return _place((shelf.home, shelf.outline))


def _place(pair: Place) -> tuple[str, str]:
    return str(pair[0].path), pair[1].path


def rank_profile_file(path: str) -> tuple[int, int, int, str]:
    """Rules for all of a project stand before those for a part of it, whichever agent they are kept for."""
    rank, depth = rank_file(path), path.count("/")
    return min(rank, 2), depth if rank > 1 else 0, rank, path

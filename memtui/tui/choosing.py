"""What a person would want to see first of many memories: by what their files are for, a few of each file in turn.

No widget here.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.model import Filter, Layer, Memory
from memtui.core.startup import compile_pattern
from memtui.store.day_heads import LOGGED, PACKAGE, match_path_exactly, read_stem
from memtui.tui.paint import choose_time
from memtui.tui.spreading import (
    DEMANDING,
    FEW_WORDS,
    LEARNT,
    LOOKED_AT,
    TURN,
    is_field,
    is_fragment,
    is_slight,
    put_repeated_last,
    split_by_files,
    spread_memories,
    take_turns,
    tell_person,
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

_RANKS = (
    ("user.md", "profile.md", "user_profile.md", "about.md"),
    ("memory.md", "long-term.md", "long_term.md", "long-term-memory.md", "长期记忆.md"),
    ("claude.md",),
    ("claude.local.md", "agents.md", "gemini.md", "rules.md", "preferences.md"),
    ("identity.md", "soul.md"),
    ("tools.md", "heartbeat.md", "bootstrap.md"),
)
_AGENTS = 4
"""From here on a rank tells of the agent, not of the person or the work."""
_SHARES = (6, 7, 4, TURN, 2, 1)
"""Rows of a file of each rank before the next file has its turn; of others fewer."""
_SHARES_LEFT = (4, 10, TURN, 2)
"""Of what had no room in the profile: what MEMORY.md was kept for is more than who the agent is."""
_ESSENTIAL = ("context", "overview", "project", "guidelines", "index")
"""Documents that say what a project is (spec 000), in the order in which they are worth reading."""
_FINISHED = compile_pattern(
    r"\b(?:closed|complete|completed|shipped|resolved|superseded|obsolete)\b|已完成|已解决|已关闭|已废弃", 2
)
_OPEN = compile_pattern(
    r"\b(?:pending|in progress|wip|blocked|not yet|next steps?|remaining|todo)\b|待办|待实现|未完成|进行中|下一步",
    2,
)
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
    shelves = [
        shelf._replace(memories=tell_person(shelf.memories))
        if is_about_person(shelf)
        else shelf._replace(memories=sorted(shelf.memories, key=is_field))
        for shelf in _filled(context, found[:FILES], context.scope((Layer.PROFILE, Layer.CORE)))
    ]
    # One that only names another says nothing by itself, nor does one that nobody has filled in.
    shelves.sort(key=lambda shelf: 2 * sum(map(is_slight, shelf.memories)) > len(shelf.memories))
    return shelves


def share_of(shelf: Shelf) -> int:
    """Rows of a file before the next one has its turn: the person and MEMORY.md say more than who the agent is."""
    if is_about_person(shelf):
        return _SHARES[0]
    if is_knowledge_shelf(shelf):
        return TURN
    rank, depth, _path = _order(shelf.outline.path)
    return _SHARES[rank] if rank < len(_SHARES) and not (rank > 1 and depth) else 2


def take_left(shelves: Sequence[Shelf], taken: Iterable[Memory]) -> list[Memory]:
    """What of these files is not among the `taken`, the files in turn; names and stamps come last."""
    gone = set(map(id, taken))
    queues = [[one for one in shelf.memories if id(one) not in gone and not is_slight(one)] for shelf in shelves]
    ranks = [_order(shelf.outline.path)[:2] for shelf in shelves]
    turns = [
        _SHARES_LEFT[rank] if rank < len(_SHARES_LEFT) and not (rank > 1 and depth) else 1 for rank, depth in ranks
    ]
    behind = {place_of(shelf) for shelf in shelves if is_about_agent(shelf)}
    tools = {place_of(shelf) for shelf in shelves if is_for_agent_alone(shelf)}
    left = list(take_turns(queues, READ, turns))
    left.sort(
        key=lambda one: (
            # What a topic has beside its first lines stands under the topic.
            one.kind in _TOPICS,
            is_fragment(one),
            (one.home, one.path) in tools
            or ((one.home, one.path) in behind and not DEMANDING.search(one.text[:LOOKED_AT])),
        )
    )
    return left


_TOPICS = frozenset({"user", "feedback", "project"})


def is_about_agent(shelf: Shelf) -> bool:
    """Whether it tells who the agent is or what it works with, not of the person or the work."""
    return _AGENTS <= _order(shelf.outline.path)[0] < len(_RANKS)


def is_for_agent_alone(shelf: Shelf) -> bool:
    """Whether it is for the agent alone: notes on its tools, what it does by itself."""
    return _order(shelf.outline.path)[0] == len(_RANKS) - 1


def find_files(context: PaneContext) -> Sequence[Place]:
    """The files of what is known."""
    return context.vault.outlines(_lasting(context))


def list_person_shelves(context: PaneContext, files: Callable[[], Sequence[Place]]) -> list[Shelf]:
    """What is known of the person by topics, line by line, and what a file of theirs says among what is known."""
    wanted = context.scope((Layer.KNOWLEDGE,), ("user",))
    told = context.vault.outlines(wanted)[:FILES]
    own = {(str(home.path), outline.path) for home, outline in told}
    named = [pair for pair in files() if _order(pair[1].path)[0] == 0 and (str(pair[0].path), pair[1].path) not in own]
    return [*_filled(context, named[:FILES], _lasting(context)), *_by_lines(context, told, wanted)]


def list_topic_shelves(context: PaneContext) -> list[Shelf]:
    """Where nothing else tells who or what it is about: what was said to the agent, then topics on the project."""
    out: list[Shelf] = []
    for kind in ("feedback", "project"):
        wanted = context.scope((Layer.KNOWLEDGE,), (kind,))
        found = context.vault.outlines(wanted)
        listed = {place: at for at, place in enumerate(_list_indexed(context, map(_place, found)))}
        found.sort(key=lambda pair: listed.get(_place(pair), len(listed)))
        out += _by_lines(context, found[: FILES - len(out)], wanted, titled=True)
    return out


def _by_lines(context: PaneContext, found: Sequence[Place], wanted: Filter, *, titled: bool = False) -> list[Shelf]:
    """Topics, by what stands in each; behind what each is about, if they are `titled`."""
    out = []
    for shelf in _filled(context, found, wanted):
        lines = [
            line
            for one in shelf.memories
            for line in (context.vault.parts(one) if one.reach else ()) or [one]
            if not _REASON.match(line.text)
        ]
        lines = spread_memories(sorted(lines, key=lambda one: one.start))
        first = [one for one in shelf.memories if titled and one.reach]
        out.append(shelf._replace(memories=[*first, *lines]))
    return out


def list_essential_shelves(context: PaneContext, files: Callable[[], Sequence[Place]]) -> list[Shelf]:
    """The documents that say what a project is; then what it introduces itself with."""
    found = []
    for home, outline in files():
        stem = read_stem(outline.path)
        if not outline.path.endswith(".md") or PACKAGE.match(outline.path):
            continue
        if stem in _ESSENTIAL:
            found.append((outline.path.count("/"), _ESSENTIAL.index(stem), home, outline))
        elif stem == "readme" and "/" not in outline.path:
            found.append((0, len(_ESSENTIAL), home, outline))
    found.sort(key=lambda one: (one[0], one[1], one[3].path))
    return list(_filled(context, [one[2:] for one in found[:FILES]], context.scope((Layer.KNOWLEDGE,))))


def list_lesson_shelves(context: PaneContext, files: Callable[[], Sequence[Place]]) -> list[Shelf]:
    """The documents that say how to work here: rules, preferences, decisions, what was learnt."""
    wanted = _lasting(context)._replace(kinds=LEARNT)
    found = [
        (
            _NAMED.fullmatch(read_stem(outline.path)) is None,
            outline.path.count("/"),
            outline.path,
            home,
            outline,
        )
        for home, outline in files()
        if outline.path.endswith(".md") and any(map(_NAMED.search, outline.path.lower().split("/")))
    ]
    found.sort(key=lambda one: one[:3])
    return list(_filled(context, [one[3:] for one in found[:FILES]], wanted))


_NAMED = compile_pattern(
    r"lessons?(?:[-_ ]learned)?|learnings|learned|rules?|preferences|prefs|guidelines|decisions|conventions"
    r"|经验|教训|经验教训|规则|规范|偏好|决策|约定"
)


class Profile(NamedTuple):
    """What the profile shows."""

    rows: list[Any]
    shown: frozenset[tuple[str, str]]
    """Files of knowledge that stand there."""
    left: list[Memory]
    """What of its files had no room."""
    text: str
    """Its own files: what they name is worth more than what is only kept."""


_TURNS = (6, TURN, 2, TURN, 2, TURN)
"""Rows of what was said to the agent, of what the project is, of what is open, of other files, of what is finished, of
the rest of the profile's files.
"""


def rank_facts(
    context: PaneContext,
    most: int,
    page: int,
    profile: Profile,
    essential: Callable[[], Sequence[Shelf]],
    due: Sequence[Memory],
) -> list[Memory]:
    """What is known: about the person, what was said to the agent, then what is newest, a few of each file in turn:
    where something was learnt first, what is still open before what is finished.

    More than `most`, as some may stand elsewhere on the `page`; `essential` reads the documents that say what a
    project is. What is `due` are todos.
    """
    shown = profile.shown
    lasting = _lasting(context)
    newest = _newest(context, lasting)
    order = _order_files(context, lasting, newest)

    told = []
    for kind in ("user", "feedback"):
        found = _newest(context, lasting._replace(kinds=frozenset({kind})))
        found = [one for one in found if (one.home, one.path) not in shown]
        found.sort(key=lambda one: (order.get((one.home, one.path), len(order)), one.path, one.start))
        told.append(found)
    told[1], more = split_by_files(_standing_first(context, told[1]))
    left = [shelf for shelf in tell(essential()) if place_of(shelf) not in shown]
    shown |= set(map(place_of, left))
    foremost = [place for place in list(order)[: 2 * FILES] if place not in shown]
    rest: dict[tuple[str, str], list[Memory]] = {}
    for memory in chain(_of_files(context, lasting, foremost, DEEP), newest):
        if memory.kind not in {"user", "feedback"} and (memory.home, memory.path) not in shown:
            rest.setdefault((memory.home, memory.path), []).append(memory)
    rest = {place: list({one.id: one for one in found}.values()) for place, found in rest.items()}
    others = _rank_files(rest, order, profile.text)
    todos = [*_planned(context, lasting), *due]
    still = [*todos[:TURN], *(one for one in others if one.kind == "project" and _open(one)), *todos[TURN:]]
    done = [one for one in others if one.kind == "project" and not _open(one) and _finished(one)]
    apart = {id(one) for one in (*still, *done)}
    # Where nothing was said to the agent apart, it is in what it has of the person and of its own memory.
    kept = 0 if told[1] else sum(_order(one.path)[0] < 2 for one in profile.left)
    # A profile that had to borrow lines of documents owes the topics their room.
    own = sum(one.layer is not Layer.KNOWLEDGE for one in profile.left)
    some = max(TURN, min(page // 3, own) if told[1] else page // 3, min(3 * page // 5, kept))
    queues: list[Sequence[Memory]] = [
        told[1],
        list(take_turns([shelf.memories for shelf in left], READ)),
        still,
        [one for one in others if id(one) not in apart],
        [*more, *done],
        # The rest of a file that is on the page already says less than another topic.
        [one for one in profile.left[some:] if not told[1] or one.layer is not Layer.KNOWLEDGE],
    ]
    # What was said to the agent is worth more than the rest of its rules.
    queues.insert(1 if told[1] else 0, profile.left[:some])
    turns = (_TURNS[0], some, *_TURNS[1:]) if told[1] else (some, *_TURNS)
    first = told[0][:TURN]
    rows = [*first, *take_turns(queues, 2 * most, turns), *told[0][TURN:], *profile.left[some:]]
    return list({one.id: one for one in rows}.values())


def _rank_files(
    found: dict[tuple[str, str], list[Memory]], order: Mapping[tuple[str, str], int], named: str
) -> list[Memory]:
    """What these files say, in their turn: where something was learnt first, then what is `named` in core memory."""
    # A file of its own is worth more than the next line of a long one; what was looked up can be looked up again.
    plans = {place for place in found if PACKAGE.match(place[1])}
    if len(plans) < len(found):
        # The timeline has them, one row each.
        found = {place: some for place, some in found.items() if place not in plans}
    weights = {place: _weigh(some) for place, some in found.items()}
    ranked = sorted(
        found,
        key=lambda place: (weights[place], place[1] not in named, order.get(place, len(order)), place),
    )
    others = list(take_turns([spread_memories(found[place], binding=True) for place in ranked], READ, 1))
    # A file has its turns; what says little waits until all files have had theirs.
    others.sort(key=lambda one: is_slight(one) or is_fragment(one))
    return others


def choose_facts(
    context: PaneContext, ranked: Iterable[Memory], most: int, page: int, seen: Container[str]
) -> list[Memory]:
    """The first `most` of what is known but for the ids `seen` elsewhere; where they are few, with what is in them."""
    rows = put_repeated_last(one for one in ranked if one.id not in seen)[:most]
    return _unfold(context, rows, page) if len(rows) < page else rows


def _unfold(context: PaneContext, rows: Sequence[Memory], page: int) -> list[Memory]:
    """Where few memories are known, what stands within them fills the room."""
    within = [spread_memories(context.vault.parts(one), binding=True) if one.reach > one.end else [] for one in rows]
    shown = {one.id for one in take_turns([[*filter(_tells, found)] for found in within], page - len(rows), 1)}
    return list(
        chain.from_iterable(
            [one, *(part for part in found if part.id in shown)] for one, found in zip(rows, within, strict=True)
        )
    )


def _tells(memory: Memory) -> bool:
    return not is_slight(memory) and not _REASON.match(memory.text)


_REASON = compile_pattern(r"\W{0,3}(?:why|how to apply|原因|为什么|如何应用)\W{0,3}[:：]", 2)
"""What explains the line above it says little by itself."""


def _planned(context: PaneContext, lasting: Filter) -> list[Memory]:
    """What is to be done next in each plan that is not finished, the newest plan first."""
    todos = lasting._replace(kinds=frozenset({"todo"}))
    plans = [
        (PACKAGE.sub(r"\2\3\4", outline.path), str(home.path), outline.path)
        for home, outline in context.vault.outlines(todos)
        if PACKAGE.match(outline.path)
    ]
    plans.sort(reverse=True)
    first: dict[tuple[str, str], Memory] = {}
    for one in _of_files(context, todos, [plan[1:] for plan in plans[:TURN]], FEW_WORDS):
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
    for one in _newest(context, wanted):
        day = -(choose_time(one) or 0.0) // 86400
        listed = _TASKS.search(one.path.lower()) is not None
        text = one.text[: 2 * LOOKED_AT]
        presses = listed and _PRESSING.search(text) is not None
        rank = 0 if one.layer is Layer.CORE or presses else 1 if day else 2
        if (rank < 2 or listed) and not (
            is_slight(one)
            or (is_field(one) and not one.title and one.reach <= one.end)
            or PACKAGE.match(one.path)
            or _EVERY_DAY.search(text)
        ):
            files.setdefault((rank, day, one.path.count("/"), one.path, one.home), []).append(one)
    queues = [sorted(found, key=lambda one: one.start) for _place, found in sorted(files.items())]
    # What was not done one day is written down again the next.
    turns = [TURN if number < 2 else 1 for number in range(len(queues))]
    return put_repeated_last(take_turns(queues, READ, turns))


_TASKS = compile_pattern(r"(?:^|[/_. -])(?:todos?|tasks?|inbox|backlog|sprints?|roadmap|next|待办|任务)(?=[/_. -])")


_PRESSING = compile_pattern(
    r"priority\W{0,6}(?:p[01]\b|high|urgent|critical)|\bp[01]\b|\burgent|overdue|优先级\W{0,6}(?:p[01]|高|最高|紧急)|紧急|🔴|🚨",
    2,
)
"""How a list of tasks says that one must not wait."""
_EVERY_DAY = compile_pattern(
    r"[(（](?:(?:every|each) (?:day|week|month|hour)|daily|weekly|monthly|hourly|每[天日周月小])", 2
)
"""What a schedule says of when it does a thing again."""


def _standing_first(context: PaneContext, newest: Sequence[Memory]) -> list[Memory]:
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


def _weigh(found: Sequence[Memory]) -> int:
    """How far back a file stands: topics of the project first, which tell what it is and where it stands, then where
    something was learnt, documents, what is looked up, data."""
    if all(one.kind == "note" and one.path.endswith((".json", ".jsonl")) for one in found):
        return 3
    if found[0].kind == "reference" or _GUIDE.search(found[0].path):
        return 2
    if found[0].kind == "project":
        return -1
    return 0 if 2 * sum(one.kind in LEARNT for one in found) > len(found) else 1


_GUIDE = compile_pattern(
    r"(?:^|[/_. -])(?:guide|setup|install(?:ation)?|how-?to|tutorial|quick-?start|restore)(?=[/_. -])", 2
)
"""How a document is called whose steps are looked up when somebody takes them."""


def _open(memory: Memory) -> bool:
    return bool(_OPEN.search(memory.text[: 2 * LOOKED_AT]))


def _finished(memory: Memory) -> bool:
    return bool(_FINISHED.search(memory.text[:LOOKED_AT]))


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


def _lasting(context: PaneContext) -> Filter:
    aside = Filter(kinds=_UNFIT, statuses=frozenset())
    return context.scope((Layer.KNOWLEDGE,))._replace(without=(aside,))


def _newest(context: PaneContext, wanted: Filter) -> list[Memory]:
    refs = context.vault.ids(wanted, "time", limit=READ)
    return [one for one in context.vault.load(refs) if one is not None and not one.extra.get("done")]


def _of_files(context: PaneContext, wanted: Filter, places: Iterable[tuple[str, str]], most: int) -> list[Memory]:
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


def _filled(context: PaneContext, found: Iterable[tuple[Home, Outline]], wanted: Filter) -> Iterator[Shelf]:
    for home, outline in found:
        found_there = _of_files(context, wanted, [(str(home.path), outline.path)], READ)
        if memories := [one for one in found_there if one.kind != "index"]:
            yield Shelf(home, outline, spread_memories(memories))


def tell(shelves: Iterable[Shelf]) -> list[Shelf]:
    """The files with what says more than what is looked up."""
    pruned = (shelf._replace(memories=[one for one in shelf.memories if not is_slight(one)]) for shelf in shelves)
    return [shelf for shelf in pruned if shelf.memories]


def is_about_person(shelf: Shelf) -> bool:
    """Whether it is about the person."""
    return _order(shelf.outline.path)[0] == 0 or all(one.kind == "user" for one in shelf.memories)


def is_knowledge_shelf(shelf: Shelf) -> bool:
    """Whether it is of what is known, not of the profile's own layers."""
    return bool(shelf.memories) and shelf.memories[0].layer is Layer.KNOWLEDGE


def place_of(shelf: Shelf) -> tuple[str, str]:
    """Its home and path."""
    return _place((shelf.home, shelf.outline))


def _place(pair: Place) -> tuple[str, str]:
    return str(pair[0].path), pair[1].path


def _order(path: str) -> tuple[int, int, str]:
    name = path.rpartition("/")[2].lower()
    for rank, names in enumerate(_RANKS):
        if name in names:
            return rank, path.count("/"), path
    # Below `user/` stands what a person says of themselves, whatever it is called.
    return (0 if "user" in path.split("/")[:-1] else len(_RANKS)), path.count("/"), path


def rank_profile_file(path: str) -> tuple[int, int, int, str]:
    """Rules for all of a project stand before those for a part of it, whichever agent they are kept for."""
    rank, depth, path = _order(path)
    return min(rank, 2), depth if rank > 1 else 0, rank, path

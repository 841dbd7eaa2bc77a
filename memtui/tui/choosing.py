"""What a person would want to see first of many memories: by what their files are for, a few of each file in turn,
something of every section before more of one. No widget here.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from memtui.model import Filter, Layer, Memory
from memtui.pattern import pattern
from memtui.tui.paint import PACKAGE, when

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memtui.index.rows import Outline
    from memtui.model import Home
    from memtui.tui.context import Context

TURN = 3
"""Rows of one file before the next file has its turn."""
FEW_WORDS = 48
"""Characters of a field that says only who or when."""
READ = 240
"""Of the newest: those among which a box chooses."""
MANY, AT_ONCE = 4, 600.0
"""So many files written within so many seconds were copied, not written."""
DEEP = 120
"""Of one file among many."""
FILES = 12
"""Files that are read for a box."""

_FOREMOST = pattern(
    r"prefer|critical|must|never|always|principle|invariant|important|convention|guideline|rule|"
    r"overview|about|current|why|who|user|person|mission|goals?\b|philosophy|\bcontext$|"
    r"偏好|原则|规则|约定|规范|铁律|红线|必读|必须|禁止|重要|核心|概况|概览|概述|当前|目标|用户|使用者|关于",
    2,
)
"""Headings of what is to be known before anything else."""
_BINDING = pattern(
    r"constraint|caveat|gotcha|pitfall|lesson|warning|invariant|important|critical|decision"
    r"|约束|注意|重要|禁止|禁忌|教训|踩坑|坑|决策|红线|铁律",
    2,
)
"""Headings, within a document on one thing, of what somebody who works on it has to know."""
_DEMANDING = pattern(
    r"\b(?:NEVER|MUST|ALWAYS|CRITICAL|Never|Always|Do not)\b|不要|禁止|必须|严禁|绝不|不得"
    r"|\*\*[^*\n]{0,60}\b(?:[Nn]ever|[Aa]lways|[Mm]ust|[Oo]nly|[Dd]on't|[Dd]o not|DO NOT)\b"
)
_FIELD = pattern(r"^[^:：\n]{1,24}[:：] *(?:[ -~]{0,28}|[^\n]{0,8})$")
"""A name and a word or two."""
_NAMING = pattern(r"`[^`\n]+`|\d{2}|\b[A-Z][a-z]+[A-Z]\w+|\b[A-Z]{2,}_[A-Z]+")
"""What names a thing says more than what would hold anywhere."""
LOOKED_AT = 200
"""Characters of a text."""
_DRAWN = pattern(
    r"[│├└┌┐┘┬┴┼]|^\s*(?:flowchart|graph (?:TD|LR|TB|BT|RL)|sequenceDiagram|erDiagram|classDiagram|stateDiagram|gantt"
    r"|mindmap)\b"
)
"""Trees of files and diagrams."""
_COMMAND = pattern(
    r"^(?:[$>] +|sudo +)?(?:npm|npx|pnpm|yarn|bun|bunx|pip3?|uv|python3?|cargo|docker|docker-compose|kubectl|git|cd|cp"
    r"|mv|mkdir|curl|ssh|scp|bash|chmod|brew|apt|dotnet|mvn|gradle|systemctl|go (?:run|build|test|mod)"
    r"|make [a-z:-]+(?:$| [-#—])|GET|POST|PUT|DELETE|PATCH) +"
    r"(?!(?:is|was|are|has|must|should|does|can|will|and|or|for|to)\b)\S"
)
_LOOKED_UP = pattern(
    r"^(?:(?:session id|session key|source|sender|ts|last[ _]updated|updated(?:_at)?|created(?:_at)?|version"
    r"|最后更新|更新时间|创建时间|版本)\s*[:：]|[\s\S]{0,60}\bkb_version\b|(?:see|参见|详见|read)\s*\S+$|@\S+$"
    r"|[\w./\\#:*@-]+$|https?://\S+$|[^:：\n]{1,40}[:：]\s*(?!https?:)(?:\S*/\S*|[a-z]\w*\.(?:py|tsx?|go|rs|java|cs|php|rb))$"
    r"|(?:本文件|本文档|本页|通过此文件|this (?:file|document|page)\b|[\s\S]{0,24}读取本文件)"
    r"|[^\n]{0,12}本(?:目录|文件|文档)(?:用于|记录|包含|是)|模块对外暴露的|用途\s*[:：]\s*(?:记录|存放)|无对外"
    r"|(?:[^:：\n]{1,40}[:：]\s*)?(?:_\([^\n]{0,160}\)_|[(（<][^\n)）>]{0,160}[)）>])[。.]?$|[^\n]{0,30}\?{4}"
    r"|[\w (]{0,24}licen[cs]e\b[^\n]{0,40}$"
    r"|(?=\S*(?:/\S*[/.]|/[:：\s]|\.(?:py|tsx?|vue|go|rs|java|cs|php|rb|md|json|ya?ml|toml|sql)[:：\s]))"
    r"[\w./@{}*-]{2,80}(?: ·|[:：]| [—–-]) ?(?!//)\S"
    r"|(?:[^:：\n]{1,20}[:：]\s*(?:未定义|未声明|未指定|未知|待补充|待定|无|tbd|n/?a|undefined|unknown)[。.]?(?:\s+|$))+$"
    r"|(?:这些是当前生效的技术约束|主动识别的需要未来处理的技术问题|AI 读取此表)"
    r"|(?:暂无|无|待补充|待定|n/?a|none|tbd)(?:[\s·|,，。;；/-]|$)"
    r"|[^\w\n一-鿿]{0,4}(?:开发中|进行中|规划中|已完成|待开发)$)",
    2 | 256,
)
"""What is looked up where it is needed: a name, a path, a link, a stamp."""
_RANKS = (
    ("user.md", "profile.md", "user_profile.md", "about.md"),
    ("memory.md",),
    ("claude.md",),
    ("claude.local.md", "agents.md", "gemini.md", "rules.md", "preferences.md"),
    ("identity.md", "soul.md"),
)
_SHARES = (5, 5, 4, TURN, TURN)
"""Rows of a file of each rank before the next file has its turn; of others fewer."""
_ESSENTIAL = ("context", "overview", "project", "guidelines", "index")
"""Documents that say what a project is (spec 000), in the order in which they are worth reading."""
LEARNT = frozenset({"lesson", "pref", "rule", "decision"})
_FINISHED = pattern(
    r"\b(?:closed|complete|completed|shipped|resolved|superseded|obsolete)\b|已完成|已解决|已关闭|已废弃", 2
)
_OPEN = pattern(
    r"\b(?:pending|in progress|wip|blocked|not yet|next steps?|remaining|todo)\b|待办|待实现|未完成|进行中|下一步",
    2,
)
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


def slight(memory: Memory) -> bool:
    """Whether it says little to whoever reads it first: code, commands, diagrams, names, paths, links, raw data."""
    if memory.kind == "note" and memory.path.endswith((".json", ".jsonl")):
        return True
    code = memory.extra.get("code")
    if code and (code not in _WRITTEN or not _PROSE.search(memory.text[: 2 * LOOKED_AT])):
        return True
    text = (memory.text if memory.reach and memory.text.strip() else memory.title or memory.text).strip()
    if code:
        text = _REMARK.sub("", text)
    plain = _LINK.sub(r"\1", text[:LOOKED_AT]).translate(_UNSET).strip()
    if plain[-1:] in {":", "："} and len(text) < LOOKED_AT and "\n" not in plain:
        return True
    return _is_slight(plain)


@lru_cache(maxsize=4096)
def _is_slight(plain: str) -> bool:
    """Boxes are read again with every change, and most texts are the same."""
    return (not plain.isascii() and len(plain) < 3) or any(
        told.search(plain) for told in (_DRAWN, _COMMAND, _LOOKED_UP)
    )


_WRITTEN = frozenset({"yaml", "yml", "text", "txt", "md", "markdown"})
"""Languages of code blocks in which people also write down what they know."""
_PROSE = pattern(r"[一-鿿]|[A-Za-z]+(?: [a-z]+){4}")
_REMARK = pattern(r"^(?:\s*#[^\n]*\n)+")
_LINK = pattern(r"\[([^\]\n]{1,100})\]\([^)\n]{1,100}\)")
_UNSET = dict.fromkeys(map(ord, "`*"))


def spread(memories: Iterable[Memory], *, binding: bool = False) -> list[Memory]:
    """Something of each section before more of any, and more at once of how a file opens and of what is headed as
    important; in a section what forbids or demands something comes first, where no dates order it. What says little
    is last. `binding`: what has to be known comes before how the file opens, which is mostly what it is about.
    """
    sections: dict[tuple[str, ...], list[Memory]] = {}
    fields: list[Memory] = []
    last: list[Memory] = []
    for memory in memories:
        if slight(memory):
            last.append(memory)
        elif list(sections) == [memory.heading] and _is_field(memory):
            fields.append(memory)
        else:
            sections.setdefault(memory.heading, []).append(memory)
    weighed = []
    for number, (heading, found) in enumerate(sections.items()):
        found.sort(key=lambda one: when(one) is None and not _DEMANDING.search(one.text[:LOOKED_AT]))
        opening = number == 0 or (number == 1 and len(found) > 1 and len(next(iter(sections.values()))) == 1)
        foremost = any(map(_FOREMOST.search, heading[1:]))
        share = TURN if opening or foremost else 1
        # What stands below an important heading shares its room.
        turn = share if opening or len(heading) < 3 or _FOREMOST.search(heading[-1]) else 1
        before = binding and number > 0 and any(map(_BINDING.search, heading[-1:]))
        vague = binding and not (found[0].kind in LEARNT and _NAMING.search(found[0].text[: 2 * LOOKED_AT]))
        weighed.append((found, 1 if binding else turn, (not before, vague, -share)))
    weighed.sort(key=lambda one: one[2])
    queues, shares = [one[0] for one in weighed], [one[1] for one in weighed]
    return [*take_turns(queues, sum(map(len, queues)), shares), *fields, *last]


def _is_field(memory: Memory) -> bool:
    return len(memory.text) < FEW_WORDS and _FIELD.match(memory.text) is not None


def take_turns(
    queues: Sequence[Sequence[Memory]], most: int, turn: int | Sequence[int] = TURN
) -> Iterator[Memory]:
    """At most `most`, `turn` of each queue (or as many as it says for each) before the next has its turn."""
    shares = [turn] * len(queues) if isinstance(turn, int) else turn
    left = [(iter(queue), share) for queue, share in zip(queues, shares, strict=True)]
    while left and most > 0:
        for pair in list(left):
            some = list(islice(pair[0], min(pair[1], most)))
            most -= len(some)
            yield from some
            if len(some) < pair[1]:
                left.remove(pair)


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


def profile_shelves(context: Context) -> list[Shelf]:
    """The files of L0 and core memory: the person first, then MEMORY.md, rules, then who the agent is."""
    found = context.vault.outlines(context.scope((Layer.PROFILE, Layer.CORE)))
    found.sort(key=lambda pair: _order(pair[1].path))
    shelves = list(_filled(context, found[:FILES], context.scope((Layer.PROFILE, Layer.CORE))))
    # One that only names another says nothing by itself, nor does one that nobody has filled in.
    shelves.sort(key=lambda shelf: 2 * sum(map(slight, shelf.memories)) > len(shelf.memories))
    return shelves


def share_of(shelf: Shelf) -> int:
    """Rows of a file before the next one has its turn: the person and MEMORY.md say more than who the agent is."""
    if personal(shelf):
        return _SHARES[0]
    if foreign(shelf):
        return TURN
    rank = _order(shelf.outline.path)[0]
    return _SHARES[rank] if rank < len(_SHARES) else 2


def person_shelves(context: Context) -> list[Shelf]:
    """What is known of the person by topics, line by line, and what a file of theirs says among what is known."""
    wanted = context.scope((Layer.KNOWLEDGE,), ("user",))
    told = context.vault.outlines(wanted)[:FILES]
    own = {(str(home.path), outline.path) for home, outline in told}
    named = [
        pair
        for pair in context.vault.outlines(_lasting(context))
        if _order(pair[1].path)[0] == 0 and (str(pair[0].path), pair[1].path) not in own
    ]
    out = list(_filled(context, named[:FILES], _lasting(context)))
    for shelf in _filled(context, told, wanted):
        lines = [
            line
            for one in shelf.memories
            for line in (context.vault.parts(one) if one.reach else ()) or [one]
        ]
        out.append(shelf._replace(memories=spread(sorted(lines, key=lambda one: one.start))))
    return out


def essential_shelves(context: Context) -> list[Shelf]:
    """The documents that say what a project is; then what it introduces itself with."""
    found = []
    for home, outline in context.vault.outlines(_lasting(context)):
        stem = stem_of(outline.path)
        if not outline.path.endswith(".md") or PACKAGE.match(outline.path):
            continue
        if stem in _ESSENTIAL:
            found.append((outline.path.count("/"), _ESSENTIAL.index(stem), home, outline))
        elif stem == "readme" and "/" not in outline.path:
            found.append((0, len(_ESSENTIAL), home, outline))
    found.sort(key=lambda one: (one[0], one[1], one[3].path))
    return list(_filled(context, [one[2:] for one in found[:FILES]], context.scope((Layer.KNOWLEDGE,))))


def lesson_shelves(context: Context) -> list[Shelf]:
    """The documents that say how to work here: rules, preferences, decisions, what was learnt."""
    wanted = _lasting(context)._replace(kinds=LEARNT)
    found = [
        (
            _NAMED.fullmatch(stem_of(outline.path)) is None,
            outline.path.count("/"),
            outline.path,
            home,
            outline,
        )
        for home, outline in context.vault.outlines(wanted)
        if outline.path.endswith(".md") and any(map(_NAMED.search, outline.path.lower().split("/")))
    ]
    found.sort(key=lambda one: one[:3])
    return list(_filled(context, [one[3:] for one in found[:FILES]], wanted))


_NAMED = pattern(
    r"lessons?(?:[-_ ]learned)?|learnings|learned|rules?|preferences|prefs|guidelines|decisions|conventions"
    r"|经验|教训|经验教训|规则|规范|偏好|决策|约定"
)


def choose_facts(
    context: Context,
    few: int,
    page: int,
    shown: frozenset[tuple[str, str]],
    essential: Callable[[], Sequence[Shelf]],
) -> list[Memory]:
    """What is known: about the person, what was said to the agent, then what is newest, a few of each file in turn:
    where something was learnt first, what is still open before what is finished.

    `few` or as many as are seen on the `page`; `essential` reads the documents that say what a project is, and `shown`
    are files that stand elsewhere on the page already.
    """
    lasting = _lasting(context)
    newest = _newest(context, lasting)
    most = max(few, page)
    order = _order_files(context, lasting, newest)

    told = []
    for kind in ("user", "feedback"):
        found = _newest(context, lasting._replace(kinds=frozenset({kind})))
        found = [one for one in found if (one.home, one.path) not in shown]
        found.sort(key=lambda one: (order.get((one.home, one.path), len(order)), one.path, one.start))
        told.append(found)
    told[1] = _standing_first(context, told[1])
    left = [shelf for shelf in tell(essential()) if place_of(shelf) not in shown]
    shown |= set(map(place_of, left))
    foremost = [place for place in list(order)[: 2 * FILES] if place not in shown]
    rest: dict[tuple[str, str], list[Memory]] = {}
    for memory in chain(_of_files(context, lasting, foremost, DEEP), newest):
        if memory.kind not in {"user", "feedback"} and (memory.home, memory.path) not in shown:
            rest.setdefault((memory.home, memory.path), []).append(memory)
    rest = {place: list({one.id: one for one in found}.values()) for place, found in rest.items()}
    # A file of its own is worth more than the next line of a long one; what was looked up can be looked up again.
    plans = {place for place in rest if PACKAGE.match(place[1])}
    if len(plans) < len(rest):
        # The timeline has them, one row each.
        rest = {place: found for place, found in rest.items() if place not in plans}
    worth = {place: _weigh(found) for place, found in rest.items()}
    ranked = sorted(rest, key=lambda place: (worth[place], order.get(place, len(order)), place))
    others = list(take_turns([spread(rest[place], binding=True) for place in ranked], READ, 1))
    # A file has its turns; what says little waits until all files have had theirs.
    others.sort(key=slight)
    still = [*_planned(context, lasting), *(one for one in others if one.kind == "project" and _open(one))]
    done = [one for one in others if one.kind == "project" and not _open(one) and _finished(one)]
    apart = {id(one) for one in (*still, *done)}
    queues: list[Sequence[Memory]] = [
        told[1],
        list(take_turns([shelf.memories for shelf in left], READ)),
        still,
        [one for one in others if id(one) not in apart],
        done,
    ]
    first = told[0][:TURN]
    rows = [*first, *take_turns(queues, most - len(first), _TURNS), *told[0][TURN:]][:most]
    return _unfold(context, rows, page) if len(rows) < page else rows


_TURNS = (6, TURN, 2, TURN, 2)
"""Rows of what was said to the agent, of what the project is, of what is open, of other files, of what is finished."""


def _unfold(context: Context, rows: Sequence[Memory], page: int) -> list[Memory]:
    """Where few memories are known, what stands within them fills the room."""
    within = [spread(context.vault.parts(one), binding=True) if one.reach > one.end else [] for one in rows]
    shown = {
        one.id for one in take_turns([[*filter(_tells, found)] for found in within], page - len(rows), 1)
    }
    return list(
        chain.from_iterable(
            [one, *(part for part in found if part.id in shown)]
            for one, found in zip(rows, within, strict=True)
        )
    )


def _tells(memory: Memory) -> bool:
    return not slight(memory) and not _REASON.match(memory.text)


_REASON = pattern(r"\W{0,3}(?:why|how to apply|原因|为什么|如何应用)\W{0,3}[:：]", 2)
"""What explains the line above it says little by itself."""


def _planned(context: Context, lasting: Filter) -> list[Memory]:
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
        if not slight(one):
            first.setdefault((one.home, one.path), one)
    return list(first.values())


def _standing_first(context: Context, newest: Sequence[Memory]) -> list[Memory]:
    """What an index lists first, and what is newest, in turn: what holds for long stands at an index's head."""
    indexes: dict[tuple[str, str], str] = {}
    listed = []
    for one in newest:
        folder, _slash, name = one.path.rpartition("/")
        index = f"{folder}/MEMORY.md".lstrip("/")
        if (one.home, index) not in indexes:
            indexes[one.home, index] = context.vault.text(one.home, index) or ""
        at = indexes[one.home, index].find(f"({name})")
        if at >= 0:
            listed.append((at, one))
    listed.sort(key=lambda pair: pair[0])
    both = take_turns([[one for _at, one in listed], newest], 2 * len(newest))
    return list({one.id: one for one in both}.values())


def _weigh(found: Sequence[Memory]) -> int:
    """How far back a file stands: where something was learnt first, then documents, then what is looked up, data."""
    if all(one.kind == "note" and one.path.endswith((".json", ".jsonl")) for one in found):
        return 3
    if found[0].kind == "reference":
        return 2
    return 0 if 2 * sum(one.kind in LEARNT for one in found) > len(found) else 1


def _open(memory: Memory) -> bool:
    return bool(_OPEN.search(memory.text[: 2 * LOOKED_AT]))


def _finished(memory: Memory) -> bool:
    return bool(_FINISHED.search(memory.text[:LOOKED_AT]))


def _order_files(context: Context, lasting: Filter, newest: Sequence[Memory]) -> dict[tuple[str, str], int]:
    """The files by the newest that stands in them, their parts, too. Where all files were written at once, as a copy
    of a home is, their own times tell nothing: what names a date comes first, and the others by their paths.
    """
    written = {(one.home, one.path): one.modified for one in newest if one.modified is not None}
    wanted = lasting._replace(parts=True)
    times = list(written.values())
    copied = len(times) >= MANY and max(times) - min(times) < AT_ONCE
    if copied:
        wanted = wanted._replace(until=min(times) - 1)
    read = context.vault.load(context.vault.ids(wanted, "time", limit=2 * READ))
    places = [(one.home, one.path) for one in read if one is not None]
    others = [(one.home, one.path) for one in newest]
    if copied:
        others.sort(key=lambda place: (place[1].count("/"), place[1]))
    return {place: number for number, place in enumerate(dict.fromkeys([*places, *others]))}


def _lasting(context: Context) -> Filter:
    aside = Filter(kinds=_UNFIT, statuses=frozenset())
    return context.scope((Layer.KNOWLEDGE,))._replace(without=(aside,))


def _newest(context: Context, wanted: Filter) -> list[Memory]:
    refs = context.vault.ids(wanted, "time", limit=READ)
    return [one for one in context.vault.load(refs) if one is not None and not one.extra.get("done")]


def _of_files(context: Context, wanted: Filter, places: Iterable[tuple[str, str]], most: int) -> list[Memory]:
    """What these files hold of what is wanted, file by file, in their order; one look at all their texts."""
    vault = context.vault
    chosen = list(places)
    refs = (
        vault.ids(wanted._replace(homes=frozenset({home}), path=exactly(path)), "path", limit=most)
        for home, path in chosen
    )
    known = set(chosen)
    read = vault.load(chain.from_iterable(refs))
    return [
        one for one in read if one is not None and (one.home, one.path) in known and not one.extra.get("done")
    ]


def _filled(context: Context, found: Iterable[tuple[Home, Outline]], wanted: Filter) -> Iterator[Shelf]:
    for home, outline in found:
        found_there = _of_files(context, wanted, [(str(home.path), outline.path)], READ)
        if memories := [one for one in found_there if one.kind != "index"]:
            yield Shelf(home, outline, spread(memories))


def tell(shelves: Iterable[Shelf]) -> list[Shelf]:
    """The files with what says more than what is looked up."""
    pruned = (
        shelf._replace(memories=[one for one in shelf.memories if not slight(one)]) for shelf in shelves
    )
    return [shelf for shelf in pruned if shelf.memories]


def personal(shelf: Shelf) -> bool:
    """Whether it is about the person."""
    return _order(shelf.outline.path)[0] == 0 or all(one.kind == "user" for one in shelf.memories)


def foreign(shelf: Shelf) -> bool:
    """Whether it is of what is known, not of the profile's own layers."""
    return bool(shelf.memories) and shelf.memories[0].layer is Layer.KNOWLEDGE


def place_of(shelf: Shelf) -> tuple[str, str]:
    """Its home and path."""
    return str(shelf.home.path), shelf.outline.path


def _order(path: str) -> tuple[int, int, str]:
    name = path.rpartition("/")[2].lower()
    for rank, names in enumerate(_RANKS):
        if name in names:
            return rank, path.count("/"), path
    # Below `user/` stands what a person says of themselves, whatever it is called.
    return (0 if "user" in path.split("/")[:-1] else len(_RANKS)), path.count("/"), path


def stem_of(path: str) -> str:
    """A file's name without its ending, lower case."""
    return path.rpartition("/")[2].rpartition(".")[0].lower()

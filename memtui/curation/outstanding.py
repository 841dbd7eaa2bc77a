"""What one document still wants done, and another one tells is done: open here, settled there.

A task is settled where something done says nearly all that it says; a list of tasks in one line, where headings that
are ticked off name each of them; a row of an index that calls a page unfinished, where the page calls itself done. What
comes back every day is another one each day, and a plan's steps are done in their own plan. Pure.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from memtui.curation.plausible import names_differ, numbers_differ, of_day, of_log
from memtui.curation.similar import normal, terms, weight
from memtui.locale import _
from memtui.model import Layer, Status
from memtui.parse.todos import TICKS, state_of, state_of_heading
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from memtui.model import Memory

_LONGEST = 700
"""Characters beyond which a memory tells of more than one task."""
_LEAST = 9.0
"""What the words that a task and what is done share must weigh, by how rare they are in the home."""
_SHARE, _SAME_FILE = 0.57, 0.9
"""Which share of the task that must be; in one file, where steps of one thing stand beside each other."""
_FEW = 0.34
"""Which share of a task's words, by their number, it is in any case."""
_FEWEST = 200
"""Fewer memories than these tell nothing of which words are rare."""
_COUNTED = 5000
"""So many memories, taken evenly, tell which words are rare in a home that has more."""
_USUAL = 40
"""Tasks that share a word, beyond which it finds nothing."""
_ITEM = 4.0
"""What one of several tasks in a line weighs at least, to be found again by its name."""
_RECURS = 3
"""So many tasks of one wording are one that comes back."""

_ASIDE = pattern(r"[（(][^（()）]*[)）]")
_CLOCK = pattern(r"(?<!\d)\d{1,2}[:：]\d\d(?!\d)")
_PARTLY = pattern(
    r"[⏳🚧🟡🔲⬜❌]|\b(?:partial(?:ly)?|remaining|pending|todo|not yet|in progress|failed|skipped|wontfix)\b"
    r"|部分|仅余|剩余|未完成|尚未|待|进行中|失败|跳过|超时",
    re.IGNORECASE,
)
"""What is not done to the end, or came to nothing."""
_SEVERAL = pattern(
    r"(?:待办|待辦|未完成|待完成|剩余|遗留|[高中低]优先级|\b(?:todos?|remaining|pending|backlog|left to do"
    r"|(?:high|medium|low) priority))[^:：\n]{0,8}[:：]\s*(?P<items>[^\n]+)",
    re.IGNORECASE,
)
_BETWEEN = pattern(r"[、，,;；/]|→|\band\b|等$")
_ADDS = pattern(
    r"(?:新增|新建|创建|增加|引入|\b(?:add|create|introduce|implement)\b)(?P<rest>[^。；;\n]{0,160})",
    re.IGNORECASE,
)
_CODE = pattern(r"`([^`\n]{5,80})`")
_PROPER = pattern(r"[a-z].*[/_.-]|[/_.-].*[a-z]|[a-z]{9}")
"""A name in code that is nobody else's by chance."""
_LARGE = 2500
"""Characters beyond which a page's part describes too much to speak of one thing."""
_STATE = pattern(r"^\W*(?:状态|狀態|status|state)\W{0,4}[:：]\W{0,3}?(?P<state>\S.*)$", re.IGNORECASE)
_STABLE = pattern(r"(?:stable|live|released?|in use|稳定|可用|已上线|已发布)", re.IGNORECASE)
_PAGE = pattern(r"[\w./-]+\.md\b")


class _Done(NamedTuple):
    """Something that is done, in the words that say what it is."""

    memory: Memory
    text: str
    heading: bool
    """It is named by the heading it stands below."""


def outstanding(
    memories: Sequence[Memory], project: Callable[[Memory], str]
) -> Iterator[tuple[Memory, Memory, str]]:
    """What tells that a task is done, the task, and why, for a person. What is of no `project` speaks for all."""
    held = [memory for memory in memories if memory.status is Status.ACTIVE and memory.layer is not None]
    wanted = [memory for memory in held if _is_open(memory)]
    done = _finished(held)
    yield from _named(held, done, project)
    yield from _stated(held, wanted)
    yield from _described(held, wanted, project)
    recurring = Counter(normal(memory.text) for memory in held if memory.kind == "todo")
    wanted = [memory for memory in wanted if recurring[normal(memory.text)] < _RECURS]
    if wanted and done:
        yield from _told(wanted, done, _rarity(held), project)


def _is_open(memory: Memory) -> bool:
    return memory.kind == "todo" and not memory.extra.get("done") and len(memory.text) <= _LONGEST


def _finished(memories: Sequence[Memory]) -> list[_Done]:
    found: list[_Done] = []
    seen: set[tuple[str, str, tuple[str, ...]]] = set()
    for memory in memories:
        if not memory.extra.get("done") or any(map(_PARTLY.search, memory.heading[-1:])):
            continue
        if len(memory.text) <= _LONGEST and not _PARTLY.search(memory.text):
            found.append(_Done(memory, memory.text, heading=False))
        place = (memory.home, memory.path, memory.heading)
        if place not in seen and len(memory.heading) > 1 and state_of_heading(memory.heading[-1:]):
            seen.add(place)
            found.append(_Done(memory, _ASIDE.sub(" ", memory.heading[-1]), heading=True))
    return found


def _rarity(memories: Sequence[Memory]) -> Mapping[str, float]:
    """What each word of a home is worth: the rarer the more; two Chinese characters less than a word."""
    some = memories[:: len(memories) // _COUNTED + 1]
    counts = Counter(term for memory in some for term in terms(memory.text))
    most = max(len(some), _FEWEST) + 1
    return {
        term: math.log(most / count) * (0.6 if term[0] >= "\u2e80" else 1.0) for term, count in counts.items()
    }


def _told(
    wanted: Sequence[Memory],
    done: Sequence[_Done],
    worth: Mapping[str, float],
    project: Callable[[Memory], str],
) -> Iterator[tuple[Memory, Memory, str]]:
    """Those tasks nearly all of which something done says: each once, beside what says most of it."""
    holding: defaultdict[str, list[int]] = defaultdict(list)
    asked = [terms(memory.text) for memory in wanted]
    for number, words in enumerate(asked):
        for word in words:
            holding[word].append(number)
    rarest = max(worth.values(), default=0.0)
    whole = [sum(worth.get(word, rarest) for word in words) for words in asked]
    best: dict[int, tuple[float, Memory]] = {}
    for one in done:
        words = terms(one.text)
        near = {number for word in words if len(found := holding.get(word, ())) <= _USUAL for number in found}
        for number in near:
            # Most of what is near says too little of it, which is seen without a look at its places.
            if whole[number] < _LEAST or len(words & asked[number]) < _FEW * len(asked[number]):
                continue
            task = wanted[number]
            both = sum(worth.get(word, rarest) for word in words & asked[number])
            share = both / whole[number]
            least = _SAME_FILE if _same_file(one.memory, task) or one.heading else _SHARE
            if both < _LEAST or share < least or project(one.memory) not in {"", project(task)}:
                continue
            if share > best.get(number, (0.0, task))[0] and _settles(one, task):
                best[number] = (share, one.memory)
    for number, (_share, memory) in best.items():
        yield memory, wanted[number], _("it is done there")


def _settles(one: _Done, task: Memory) -> bool:
    """Whether what is done may be that task: not an earlier one, nor the same one of another day or another plan."""
    done = one.memory
    if _same_file(done, task):
        if done.heading == task.heading:
            return False
    elif done.path.rpartition("/")[2] == task.path.rpartition("/")[2]:
        # The steps of two plans: each file of that name has its own.
        return False
    if task.created is not None and done.created is not None and done.created < task.created:
        return False
    if (
        _CLOCK.search(task.text)
        and not _same_file(done, task)
        and (of_day(task.path) or not of_day(done.path))
    ):
        return False
    return not numbers_differ(task.text, one.text) and not names_differ(task.text, one.text)


def _same_file(one: Memory, two: Memory) -> bool:
    return (one.home, one.path) == (two.home, two.path)


def _named(
    memories: Sequence[Memory], done: Sequence[_Done], project: Callable[[Memory], str]
) -> Iterator[tuple[Memory, Memory, str]]:
    """Lines that list what is to be done, where headings that are ticked off elsewhere name all of it."""
    listing = [
        (memory, found["items"])
        for memory in memories
        if memory.layer is not Layer.JOURNAL
        and len(memory.text) <= _LONGEST
        and not memory.extra.get("done")
        and (found := _SEVERAL.search(memory.text)) is not None
    ]
    named_done = [(one.memory, _plain(one.text)) for one in done if one.heading] if listing else []
    for memory, items in listing:
        several = [named for item in _BETWEEN.split(items) if (named := _plain(item.strip()))]
        shut = [
            next(
                (
                    one
                    for one, text in named_done
                    if weight(named) >= _ITEM and named in text and not _same_file(one, memory)
                    and project(one) in {"", project(memory)}
                ),
                None,
            )
            for named in several
        ]  # fmt: skip
        # A line of which something is still open stays: it would be given up as a whole.
        if len(several) > 1 and shut[0] is not None and None not in shut:
            yield shut[0], memory, _("“{item}” is done there").format(item=items.strip()[:80])


def _plain(text: str) -> str:
    return normal(text).replace(" ", "")


def _stated(memories: Sequence[Memory], wanted: Sequence[Memory]) -> Iterator[tuple[Memory, Memory, str]]:
    """Rows of an index that call a page unfinished, where the page's own state says that it is done."""
    rows = [(memory, _pages(memory)) for memory in wanted if memory.extra.get("done") is False]
    paths = {page for _memory, pages in rows for page in pages}
    if not paths:
        return
    states: dict[tuple[str, str], Memory] = {}
    for memory in memories:
        found = _STATE.match(memory.text) if memory.path in paths and len(memory.text) <= _LONGEST else None
        if found is not None and _is_finished(found["state"].strip("* ")):
            states.setdefault((memory.home, memory.path), memory)
    for memory, pages in rows:
        shut = next((states[memory.home, page] for page in pages if (memory.home, page) in states), None)
        if shut is not None:
            yield shut, memory, _("its own page says that it is done")


def _pages(memory: Memory) -> list[str]:
    folder = posixpath.dirname(memory.path)
    return [
        posixpath.normpath(posixpath.join(folder, name))
        for name in dict.fromkeys((*memory.links, *_PAGE.findall(memory.text)))
    ]


def _is_finished(state: str) -> bool:
    if _PARTLY.search(state):
        return False
    return state[:1] in TICKS or state_of(state) == "done" or _STABLE.match(state) is not None


def _described(
    memories: Sequence[Memory], wanted: Sequence[Memory], project: Callable[[Memory], str]
) -> Iterator[tuple[Memory, Memory, str]]:
    """What is still to be added, where a page tells of it as something that is there: by all of its new names."""
    asked = [(task, *_added(task.text)) for task in wanted]
    asked = [one for one in asked if one[1]]
    pages = [
        (memory, memory.text.casefold())
        for memory in (memories if asked else ())
        if memory.layer is not Layer.JOURNAL
        and memory.kind not in {"todo", "event"}
        and "`" in memory.text
        and len(memory.text) <= _LARGE
        and not of_log(memory.path)
        and not _PARTLY.search(memory.text)
    ]
    every = "\n".join(text for _memory, text in pages)
    for task, added, around in asked:
        # Most of what is to be added is named nowhere yet, which is seen in all texts at once.
        for memory, text in pages if all(name in every for name in added) else ():
            if (
                all(name in text for name in added)
                and 5 * sum(name in text for name in around) >= 3 * len(around)
                and not _same_file(memory, task)
                and project(memory) in {"", project(task)}
            ):
                yield memory, task, _("it is described there as being so")
                break


def _added(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names in code that a task adds, and all that it has; none where it has a single one, or none of its own."""
    found = _ADDS.search(text)
    names = frozenset(name.casefold() for name in _CODE.findall(text)) if found is not None else frozenset()
    if found is None or len(names) < 2:
        return frozenset(), frozenset()
    new = (name.casefold().strip("()") for name in _CODE.findall(found["rest"]))
    return frozenset(name for name in new if " " not in name and _PROPER.search(name)), names

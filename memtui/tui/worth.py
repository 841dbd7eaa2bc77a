"""What a memory is worth to whoever opens Home: points for what its file is for, where in the file it stands, what kind of
thing it says, and how new it is. They were fitted to what readers of real homes wanted to see first.

No widget here.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.model import Layer, Memory
from memtui.core.startup import compile_pattern
from memtui.store.day_heads import PACKAGE, read_stem
from memtui.tui.paint import choose_time
from memtui.tui.spreading import (
    CALLED,
    DEMANDING,
    LEARNT,
    LOOKED_AT,
    WANTED,
    is_field,
    is_foremost,
    is_fragment,
    is_slight,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RANKS = (
    ("user.md", "profile.md", "user_profile.md", "about.md"),
    ("memory.md", "long-term.md", "long_term.md", "long-term-memory.md", "长期记忆.md"),
    ("claude.md",),
    ("claude.local.md", "agents.md", "gemini.md", "rules.md", "preferences.md"),
    ("identity.md", "soul.md"),
    ("tools.md", "heartbeat.md", "bootstrap.md"),
)
"""What files of a profile are called: of the person, of core memory, rules for this project, for any, of the agent, of its
tools."""
PERSON, CORE, RULES, OTHERS, AGENT, TOOLS = range(len(RANKS))
ESSENTIAL = ("context", "overview", "project", "guidelines", "index")
"""Documents that say what a project is (spec 000), in the order in which they are worth reading."""
_TOPICS = {"feedback": 29, "project": 10, "reference": 17}
_ROLES = (10, 10, 1, 4, -9, -18)
"""Points of a file of each rank."""
_STOCK = -10
"""Of rules for any project where an agent has a file of its own: they are mostly what its tool came with."""
_DOCUMENT, _ESSENTIAL, _PLAN = -21, 8, -11
_SECTIONS = ((7, 4, -4, -19), (5, 4, -4, -15))
"""Of the first section, of the second, to the eighth, and of later ones: of files of a rank, and of others."""
_PLACES = ((9, -5, -9, -7), (9, -3, -2, -14))
"""Of the first of a section, the second, two more, and others."""
_DEEP = -11
"""Of what is for a part of the project."""
_AGES = (17, 2, -6, -6, -19)
"""Of what is to be done, from the newest day with notes on."""


class Setting(NamedTuple):
    """What the files of a home are seen among."""

    depth: int = 0
    """Folders above the topmost file of a rank."""
    agent: bool = False
    """Whether an agent has a file of its own."""
    days: Sequence[str] = ()
    """Days with notes, the newest first."""


def rank_file(path: str) -> int:
    """Its rank; as many as there are: it has none."""
    name = path.rpartition("/")[2].lower()
    found = next((rank for rank, names in enumerate(RANKS) if name in names), len(RANKS))
    # Below `user/` stands what a person says of themselves, whatever it is called.
    return PERSON if found == len(RANKS) and "user" in path.split("/")[:-1] else found


def rate_file(found: Iterable[Memory], setting: Setting) -> dict[str, int]:
    """The points of what a file says, by id."""
    sections: dict[tuple[str, ...], int] = {}
    told: Counter[tuple[str, ...]] = Counter()
    rates: dict[str, int] = {}
    todos = 0
    for number, one in enumerate(sorted(found, key=lambda one: one.start)):
        section = sections.setdefault(one.heading, len(sections))
        if one.kind == "todo":
            rates[one.id] = _rate_todo(one, todos, setting.days) + _rate_words(one)
            todos += 1
        else:
            rates[one.id] = _rate(one, number, section, told[one.heading], setting) + _rate_words(one)
        told[one.heading] += 1
    return rates


def rate_todos(found: Iterable[Memory], setting: Setting) -> dict[str, int]:
    """The points of what is to be done, each file's by themselves."""
    files: dict[tuple[str, str], list[Memory]] = {}
    for one in found:
        files.setdefault((one.home, one.path), []).append(one)
    rates: dict[str, int] = {}
    for some in files.values():
        rates |= rate_file(some, setting)
    return rates


def _rate(one: Memory, number: int, section: int, at: int, setting: Setting) -> int:
    """By its file and its place in it."""
    rank = PERSON if one.kind == "user" else rank_file(one.path)
    other = rank == len(RANKS)
    points = _SECTIONS[other][0 if not section else 1 if section == 1 else 2 if section < 8 else 3]
    points += _PLACES[other][0 if not at else 1 if at == 1 else 2 if at < 4 else 3]
    if other:
        return points + _rate_document(one)
    points += _STOCK if rank == OTHERS and setting.agent else _ROLES[rank]
    if rank == PERSON:
        points += 11 * (section == 0) + 3 * (number == 0) - 8 * is_field(one)
        return points + 5 * (CALLED.match(one.text) is not None) + 10 * (WANTED.match(one.text) is not None)
    points += _DEEP * (one.path.count("/") > setting.depth)
    if rank == CORE:
        return points + 6 * is_foremost(one) + 7 * (one.kind in LEARNT)
    if rank in {RULES, OTHERS}:
        return points + 4 * is_foremost(one)
    return points + 6 * (rank == AGENT and DEMANDING.search(one.text[:LOOKED_AT]) is not None)


def _rate_document(one: Memory) -> int:
    """By what a file of no rank is for."""
    if one.kind in _TOPICS:
        return _TOPICS[one.kind]
    learnt = one.kind in LEARNT
    if PACKAGE.match(one.path):
        return _PLAN
    if read_stem(one.path) in (*ESSENTIAL, "readme"):
        return _ESSENTIAL + 7 * (learnt or one.kind == "fact")
    return _DOCUMENT + 9 * learnt


def _rate_words(one: Memory) -> int:
    """By what it says."""
    size = len(one.text)
    return (
        10 * (DEMANDING.search(one.text[:LOOKED_AT]) is not None)
        - (19 if is_fragment(one) else 10 if size <= 20 else -4 if size > 160 else 4)
        - 15 * is_slight(one)
        - 5 * (_ASIDE.match(one.text) is not None)
        - 10 * (_UPKEEP.search(one.text[:LOOKED_AT]) is not None)
    )


def _rate_todo(one: Memory, at: int, days: Sequence[str]) -> int:
    """By where it is kept, its place in the list, and how new it is."""
    points = 11 if at == 0 else -1 if at < 3 else -3 if at < 6 else -14
    if one.layer is Layer.JOURNAL:
        day = name_day(one)
        age = days.index(day) if day in days else len(_AGES)
        return points - 6 + _AGES[min(age, len(_AGES) - 1)] + 15 * presses(one)
    if one.layer is Layer.CORE:
        return points + 13 + 15 * presses(one)
    if PACKAGE.match(one.path):
        return points + 9
    listed = is_listed(one.path)
    return points - (1 if listed else 11) + 15 * (listed and presses(one))


def is_listed(path: str) -> bool:
    """Whether a file is a list of tasks."""
    return _TASKS.search(path.lower()) is not None


_TASKS = compile_pattern(
    r"(?:^|[/_. -])(?:todos?|tasks?|inbox|backlog|sprints?|roadmap|next|pending|pend[eê]ncias|follow-?ups?"
    r"|open[-_ ](?:items|questions|issues|points)|action[-_ ]items|待办|任务)(?=[/_. -])"
)


def name_day(one: Memory) -> str:
    """The day that it says it is of; empty: none."""
    moment = choose_time(one)
    return clock.format_day(moment) if moment is not None else ""


def presses(one: Memory) -> bool:
    """Whether it says that it must not wait."""
    return _PRESSING.search(one.text[: 2 * LOOKED_AT]) is not None


_PRESSING = compile_pattern(
    r"priority\W{0,6}(?:p[01]\b|high|urgent|critical)|\bp[01]\b|\burgent|overdue|优先级\W{0,6}(?:p[01]|高|最高|紧急)|紧急|🔴|🚨",
    2,
)
_ASIDE = compile_pattern(r"[_*](?![_*])[^\n]+[_*]$")
_UPKEEP = compile_pattern(
    r"(?:MEMORY|AGENTS|SOUL|USER|TOOLS|HEARTBEAT|IDENTITY|BOOT(?:STRAP)?)\.md|memory/(?:YYYY|\*)|heartbeat", 2
)
